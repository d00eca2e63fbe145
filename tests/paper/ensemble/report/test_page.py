"""A run as a section of a page: the numbers in it are those of the run."""

import re
from math import comb

import numpy as np
import pytest
from scipy import optimize

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult, run_pipeline
from bribeproof.paper.ensemble.images.load import load_images
from bribeproof.paper.ensemble.models.train import Training
from bribeproof.paper.ensemble.report.leads import Lead, best_rules, pairwise_lead, tolerated
from bribeproof.paper.ensemble.report.page import render_section, replace_section
from bribeproof.paper.ensemble.report.worst_world import outvoted

RULES = ("optimal (squared)", "pairwise (squared)", "trimmed mean", "majority", "mean")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    folder = tmp_path_factory.mktemp("cache")
    return run_pipeline(load_images("digits"), "8", Training(models=31, filters=4, patch=3, part=0.5), folder, groups=2)


def test_the_table_holds_the_losses_of_the_run(outcome: ExperimentResult) -> None:
    lines = [
        line for line in render_section(outcome, "digits", "It took no time.").splitlines() if line.startswith("| ")
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in cells] == 2 * ["adversaries", "0", "10", "20", "30"]
    table, seen = outcome.experiment.table, set()
    for head, *rows in (cells[:5], cells[5:]):
        for row in rows:
            for name, cell in zip(head[1:], row[1:], strict=True):
                rule, column = name.rsplit(", ", 1)
                seen.add((rule, column))
                if rule == "best in hindsight":
                    assert cell == f"{outcome.experiment.hindsight(int(row[0])):.4f}"
                    continue
                strategy, measure = ("worst", "guarantee") if column == "promised" else (column, "squared_loss")
                found = {
                    found[measure]
                    for found in table.filter(strategy=strategy, rule=rule, adversaries=int(row[0])).to_dicts()
                    if found["assumed_k"] in (None, int(row[0]))
                }
                assert [f"{value:.4f}" for value in found] == [cell]
    assert len(seen) == 3 * len(RULES) + 2 + 1


def test_the_winner_is_who_loses_least(outcome: ExperimentResult) -> None:
    said = next(line for line in render_section(outcome, "d", "").splitlines() if "Which rule loses least" in line)
    for strategy, part in zip(("extreme", "random", "worst"), said.split("; "), strict=True):
        won = re.findall(
            r"([a-z ]+(?: \(squared\))?) at ([\d to,]+?)(?:, (?=[a-z])|\.?$)", part.partition("adversaries ")[2]
        )
        told = {rule.strip(): numbers for rule, numbers in won}
        for count in range(0, 31, 5):
            rows = outcome.experiment.informed(strategy).filter(adversaries=count).to_dicts()
            losses = {row["rule"]: row["squared_loss"] for row in rows if row["rule"] in RULES}
            inside = [
                rule
                for rule, numbers in told.items()
                for low, _, high in (run.partition(" to ") for run in numbers.split(", "))
                if int(low) <= count <= int(high or low)
            ]
            assert len(inside) == 1
            assert losses[inside[0]] <= min(losses.values()) + 1e-9


@pytest.mark.parametrize("strategy", ["extreme", "random", "worst"])
def test_the_lead_of_the_pairwise_rule_is_that_of_the_table(outcome: ExperimentResult, strategy: str) -> None:
    experiment, expert = outcome.experiment, outcome.experiment.expert
    below = [k for k in range(0, 31, 5) if k < 31 * (expert.tpr - expert.fpr)]
    assert 0 < len(below) < 7
    assert tolerated(experiment) == below
    lead = pairwise_lead(experiment, strategy)
    best = []
    for k in below:
        rows = experiment.informed(strategy).filter(adversaries=k).to_dicts()
        losses = {row["rule"]: row["squared_loss"] for row in rows if row["rule"] in RULES}
        own = losses.pop("pairwise (squared)")
        assert lead.ahead[k] == pytest.approx(min(losses.values()) - own)
        assert losses[lead.rivals[k]] == min(losses.values())
        best += [k] if own <= min(losses.values()) + 1e-9 else []
    assert lead.best_at == best
    assert f"to {strategy} adversaries {lead}" in render_section(outcome, "d", "")


def test_the_feared_world_and_the_images_by_counting(outcome: ExperimentResult) -> None:
    experiment, expert, k = outcome.experiment, outcome.experiment.expert, 10
    found = outvoted(experiment, k)
    wrong = np.repeat(31 - np.arange(32), experiment.tally[1])
    assert found.real == pytest.approx(np.mean([k + errors > 31 - errors for errors in wrong]))
    # The worst law has the stated rate and pairs, so that it cannot put more images there than these allow.
    error, needed = 1 - expert.tpr, np.arange(32) > 10.5
    most = optimize.linprog(
        -needed.astype(float), A_eq=[np.ones(32), np.arange(32) / 31], b_eq=[1, error],
        A_ub=[np.arange(32) * (np.arange(32) - 1) / (31 * 30)], b_ub=[expert.joint_error_rates[0] + 1e-9],
    )  # fmt: skip
    assert found.real < found.feared <= -most.fun + 1e-6
    assert f"{found.feared:.0%} (with 10)" in render_section(outcome, "d", "")


def test_of_equal_rules_the_first_is_named(outcome: ExperimentResult) -> None:
    # Past the breakdown point both rules with a guarantee say the prior: the older one has the name of it.
    best = best_rules(outcome.experiment, "worst")
    assert best[30] == "optimal (squared)"
    assert list(best) == list(range(0, 31, 5))


def test_a_lead_in_words() -> None:
    def said(*gaps: float) -> str:
        counts = range(0, 5 * len(gaps), 5)
        return str(Lead("worst", dict(zip(counts, gaps, strict=True)), dict.fromkeys(counts, "mean")))

    assert said(0.01, 0.02, 0.0) == "best at 0 to 10, ahead of the mean by 0.0200 at 5"
    assert said(-0.01, -0.03) == "best at none, behind the mean by 0.0300 at 5"
    assert said(1e-5, -2e-5) == (
        "best at 0, ahead of the mean by less than 0.0001 at 0, behind the mean by less than 0.0001 at 5"
    )
    assert said(0.0, -1e-12) == "best at 0 to 5"
    assert said() == "not compared"


def test_models_that_err_independently_by_adding_up_binomials(outcome: ExperimentResult) -> None:
    expert, n = outcome.experiment.expert, outcome.experiment.models

    def at_least(count: int, rate: float) -> float:
        return sum(comb(n, yes) * rate**yes * (1 - rate) ** (n - yes) for yes in range(count, n + 1))

    wrong = expert.prior * (1 - at_least(16, expert.tpr)) + (1 - expert.prior) * at_least(16, expert.fpr)
    said = re.search(
        r"if models with these rates erred independently it would be ([\d.]+)%", render_section(outcome, "d", "")
    )
    assert said is not None
    assert float(said[1]) == pytest.approx(100 * wrong, abs=0.0051)


def test_a_page_without_markers() -> None:
    for page in ("nothing", "<!-- x:begin -->", "<!-- y:begin --> <!-- y:end -->"):
        with pytest.raises(ParameterError, match="no markers for x"):
            replace_section(page, "x", "new")
