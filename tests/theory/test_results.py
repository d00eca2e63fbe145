"""Results of the theory in words: short repr, sentences, HTML; none of it changes what a result certifies."""

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from bribeproof import theory
from bribeproof.rules import Aggregator, trimmed_mean
from bribeproof.theory import (
    Certificate,
    Expert,
    ExpertInterval,
    MultiExpert,
    Panel,
    WorstCase,
    WorstCases,
    exact_minimax,
    fully_informative_and_uninformed,
    minimax,
    multistate_minimax,
    regret_bounds,
    worst_case,
)

PANEL, EXPERT = Panel(60, 20), Expert(0.5, 0.8, 0.1)
CERTIFICATES: dict[str, Certificate] = {
    "regret": minimax(PANEL, EXPERT),
    "probability of error": multistate_minimax(Panel(5, 1), MultiExpert((0.4, 0.3, 0.3), (0.9, 0.8, 0.8))),
    "regret of a family": exact_minimax(fully_informative_and_uninformed(states=2, truthful=2), k=1),
}
WORST = worst_case(trimmed_mean(PANEL), PANEL, EXPERT)
WORST_CASES = worst_case(trimmed_mean(Panel(5, 1)), Panel(5, 1), ExpertInterval((0.3, 0.6), 0.8, 0.1))


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate_in_words(name: str) -> None:
    solution = CERTIFICATES[name]
    before = solution.recheck()
    lines = solution.summary().splitlines()
    assert f"{solution.upper:.6g}" in lines[0]
    assert f"{solution.lower:.6g}" in lines[0]
    assert name.partition(" of a")[0] in lines[0]
    assert "optimal within it" in lines[1]
    assert all(line[0].isupper() and line.endswith(".") for line in lines)
    assert f"lower={solution.lower!r}, upper={solution.upper!r}" in repr(solution)
    assert "converged=True" in repr(solution)
    assert len(repr(solution)) < 150
    assert solution.recheck() == before


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_gap_that_is_too_large_is_said(name: str) -> None:
    solution = replace(CERTIFICATES[name], lower=0.0)
    assert not solution.converged
    assert "a better rule may exist" in solution.summary()
    assert "is optimal" not in solution.summary()
    assert "converged=False" in repr(solution)


def test_a_worst_case_in_words() -> None:
    assert len(repr(WORST)) < 250
    text = WORST.summary()
    assert f"regret of trimmed mean is {WORST.regret:.6g}" in text
    for scenario in (WORST.given_1, WORST.given_0):
        for truthful, weight, adversaries in zip(
            scenario.truthful, scenario.weights, scenario.adversaries, strict=True
        ):
            sentence = f"{truthful} of 40 truthful reporters and {adversaries} of 20 adversaries report H"
            assert f"With probability {weight:.6g}, {sentence}" in text
    assert WORST.recheck().difference < 1e-12


def test_a_worst_case_without_adversaries_names_none() -> None:
    text = worst_case([0.0, 0.5, 1.0], Panel(2), EXPERT).summary()
    assert "of 2 truthful reporters report H" in text
    assert "adversar" not in text


def test_worst_cases_of_an_interval_name_the_experts() -> None:
    assert isinstance(WORST_CASES, WorstCases)
    assert str(WORST_CASES.by_regret.expert) in WORST_CASES.summary()
    assert f"{WORST_CASES.by_loss.largest_loss:.6g}" in WORST_CASES.summary()
    assert len(repr(WORST_CASES)) < 500


def test_bounds_in_words() -> None:
    bounds = regret_bounds(fully_informative_and_uninformed(states=2, truthful=1), k=1)
    assert f"{bounds.lower:.6g}" in bounds.summary()
    assert f"{bounds.upper:.6g}" in bounds.summary()
    assert len(repr(bounds)) < 80


@pytest.mark.parametrize("result", [*CERTIFICATES.values(), WORST, WORST_CASES], ids=lambda one: type(one).__name__)
def test_html_is_well_formed_and_holds_the_summary(result: Certificate | WorstCase | WorstCases) -> None:
    page = ElementTree.fromstring(result._repr_html_().replace("<br>", "<br/>"))  # noqa: S314
    text = " ".join(page.itertext())
    assert result.summary().splitlines()[0] in text
    assert page.find(".//table") is not None


def test_html_escapes_the_name_of_a_rule() -> None:
    rule = Aggregator(np.array([0.0, 0.5, 1.0]), name="<script>alert(1)</script>")
    page = worst_case(rule, Panel(2), EXPERT)._repr_html_()
    assert "<script" not in page
    ElementTree.fromstring(page.replace("<br>", "<br/>"))  # noqa: S314


def test_words_load_no_plotting_and_no_frames() -> None:
    program = (
        "import sys; from bribeproof.theory import *; "
        "s = minimax(Panel(5, 1), Expert(.5, .8, .1)); s.summary(); repr(s); "
        "w = worst_case([0, .5, 1], Panel(2), Expert(.5, .8, .1)); w.summary(); repr(w); "
        "print(sorted({'matplotlib', 'polars', 'bribeproof.plots'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "matplotlib" not in run.stdout
    assert "bribeproof.plots" not in run.stdout


def test_the_package_says_where_each_name_belongs() -> None:
    described = re.findall(r"`(\w+)`", theory.__doc__ or "")
    assert sorted(described) == sorted(theory.__all__)
