"""Trimmed means that trim for another number of adversaries, against brute force."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.rules import trimmed_mean
from bribeproof.theory import Basis, Expert, Panel, misspecified_k_guarantee, optimal_aggregator
from tests.budgets import examples
from tests.theory.worst_case_oracle import worst_case

# Rates at and near 0 and 1 reach the cases where counts collide at the ends.
rates = st.sampled_from([0.0, 0.02, 0.1, 0.25, 0.37, 0.5, 0.66, 0.8, 0.93, 0.99, 1.0])


@st.composite
def panels_and_trims(draw: st.DrawFn) -> tuple[Panel, int]:
    n = draw(st.integers(1, 12))
    most = (n - 1) // 2
    return Panel(n, draw(st.integers(0, most))), draw(st.integers(0, most))


@settings(max_examples=examples(4))
@given(panels_and_trims(), st.floats(0.05, 0.95), rates, rates)
def test_against_brute_force(panel_and_trim: tuple[Panel, int], prior: float, one: float, two: float) -> None:
    panel, trim = panel_and_trim
    expert = Expert(prior, max(one, two), min(one, two))
    guarantee = misspecified_k_guarantee(panel, expert, trim)
    worst = worst_case(trimmed_mean(panel, trim).values, panel.k, prior, expert.tpr, expert.fpr, "absolute")
    assert guarantee.expected_loss == pytest.approx(worst.loss, abs=1e-9)
    assert guarantee.regret >= worst.regret - 1e-9
    assert guarantee.basis is Basis.GIVEN_TRIM
    if guarantee.exact:
        assert guarantee.regret == pytest.approx(worst.regret, abs=1e-9)


@pytest.mark.parametrize(
    ("trim", "regret"),
    [(0, (2 + 6 * 0.25) / 8), (1, (1 + 6 * 0.25) / 6), (2, 6 * 0.25 / 4), (3, 6 * 0.25 / 3)],
)
def test_worked_values(trim: int, regret: float) -> None:
    guarantee = misspecified_k_guarantee(Panel(8, 2), Expert(0.5, 0.75, 0.25), trim)
    assert guarantee.regret == pytest.approx(regret)
    assert guarantee.exact == (trim != 3)  # n - k = 2 * trim: the truthful supports meet


def test_the_right_trim_is_the_optimal_rule() -> None:
    panel, expert = Panel(11, 3), Expert(0.4, 0.9, 0.15)
    optimal = optimal_aggregator(panel, expert, "absolute").guarantee
    given_trim = misspecified_k_guarantee(panel, expert, 3)
    assert optimal is not None
    assert given_trim.regret == pytest.approx(optimal.regret)
    assert all(misspecified_k_guarantee(panel, expert, trim).regret > optimal.regret for trim in (0, 1, 2, 4, 5))


@pytest.mark.parametrize(
    ("n", "k", "trim", "prior", "tpr", "fpr", "formula", "truth"),
    [
        (3, 1, 1, 0.6, 0.7, 0.3, 0.6, 0.36),  # trim = k, but n - k = 2 * trim
        (5, 1, 0, 0.2, 0.99, 0.9, 0.7776, 0.5856),  # N·b > N − 1: H is said nearly always
        (1, 0, 0, 0.5, 0.9, 0.2, 0.15, 0.0),  # one reporter, and the benchmark hears the same
    ],
)
def test_where_the_formula_is_only_a_bound(
    n: int, k: int, trim: int, prior: float, tpr: float, fpr: float, formula: float, truth: float
) -> None:
    guarantee = misspecified_k_guarantee(Panel(n, k), Expert(prior, tpr, fpr), trim)
    worst = worst_case(trimmed_mean(Panel(n), trim).values, k, prior, tpr, fpr, "absolute")
    assert not guarantee.exact
    assert guarantee.regret == pytest.approx(formula)
    assert worst.regret == pytest.approx(truth)


def test_the_bound_never_exceeds_certainty() -> None:
    expert = Expert(0.9, 0.05, 0.0)
    assert misspecified_k_guarantee(Panel(9, 0), expert, 4).expected_loss == pytest.approx(0.9)
    assert misspecified_k_guarantee(Panel(9, 4), expert, 0).expected_loss <= 1
    grid = [misspecified_k_guarantee(Panel(9, k), expert, t).expected_loss for k in range(5) for t in range(5)]
    assert np.max(grid) <= 1


@pytest.mark.parametrize("trim", [5, -1, 1.5, True, "1"])
def test_bad_trims(trim: Any) -> None:
    with pytest.raises(ParameterError, match="trim"):
        misspecified_k_guarantee(Panel(9, 2), Expert(0.5, 0.8, 0.1), trim)


def test_the_rate_that_just_reaches_the_trim_is_within_the_proof() -> None:
    """N·a = m = 1: six truthful reporters of rate 1/6, a trim of 1."""
    panel, expert = Panel(8, 2), Expert(0.5, 1 / 6, 0.0)
    guarantee = misspecified_k_guarantee(panel, expert, 1)
    assert guarantee.exact
    worst = worst_case(trimmed_mean(panel, 1).values, panel.k, 0.5, expert.tpr, expert.fpr, "absolute")
    assert guarantee.regret == pytest.approx(worst.regret, abs=1e-9)
