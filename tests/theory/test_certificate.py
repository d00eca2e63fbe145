"""One meaning of a certificate, whichever solver made it."""

from dataclasses import replace
from math import inf, isnan, nan
from typing import Any

import pytest

from bribeproof.theory import (
    Certificate,
    Expert,
    MultiExpert,
    Panel,
    conditionally_independent,
    exact_minimax,
    minimax,
    multistate_minimax,
    worst_case,
)

SOLUTIONS: dict[str, Certificate] = {
    "cutting planes": minimax(Panel(5, 1), Expert(0.4, 0.9, 0.2)),
    "many states": multistate_minimax(Panel(5, 1), MultiExpert((0.5, 0.25, 0.25), (0.8, 0.8, 0.8))),
    "finite family": exact_minimax(conditionally_independent(2, (0.75, 0.9)), 1),
}
each_solution = pytest.mark.parametrize("solution", SOLUTIONS.values(), ids=SOLUTIONS.keys())


@each_solution
def test_converged_means_that_the_gap_is_at_most_the_tolerance(solution: Certificate) -> None:
    assert solution.converged
    assert 0 <= solution.gap <= solution.tol
    apart = replace(solution, lower=0.125, upper=0.25)
    assert (apart.gap, apart.converged) == (0.125, False)
    assert replace(apart, tol=0.125).converged
    assert not replace(apart, tol=0.124).converged
    for lower, upper in ((0.0, inf), (nan, 0.5), (0.5, nan), (-inf, inf)):
        assert not replace(solution, lower=lower, upper=upper).converged


@each_solution
def test_recheck_says_how_far_the_claims_are_from_the_truth(solution: Certificate) -> None:
    true = solution.recheck()
    assert true.difference < 1e-12
    assert (true.lower, true.upper) == pytest.approx((solution.lower, solution.upper), abs=1e-12)
    for claims, difference in (({"lower": -0.5}, 0.5 + true.lower), ({"upper": 1.5}, 1.5 - true.upper)):
        again = replace(solution, **claims).recheck()
        assert (again.lower, again.upper) == (true.lower, true.upper)
        assert again.difference == pytest.approx(difference)
    assert replace(solution, upper=inf).recheck().difference == inf
    assert isnan(replace(solution, lower=nan).recheck().difference)


def test_a_false_largest_loss_is_found() -> None:
    solution = minimax(Panel(7, 2), Expert(0.4, 0.8, 0.1))
    assert solution.recheck().difference < 1e-12
    assert replace(solution, largest_loss=solution.largest_loss - 0.1).recheck().difference == pytest.approx(0.1)


@pytest.mark.parametrize("claim", ["regret", "expected_loss", "benchmark"])
def test_a_false_number_of_a_worst_case_is_found(claim: str) -> None:
    worst = worst_case([0.1, 0.3, 0.5, 0.7, 0.9, 1.0], Panel(5, 1), Expert(0.4, 0.8, 0.1))
    assert worst.recheck().difference < 1e-12
    false = replace(worst, **{claim: getattr(worst, claim) + 0.25})
    assert false.recheck().difference == pytest.approx(0.25)


@pytest.mark.parametrize("change", [{"state": 7}, {"state": -1}, {"seen": (5,)}, {"truthful": (4, 0, 0)}], ids=str)
def test_a_malformed_play_proves_nothing_and_raises_nothing(change: dict[str, Any]) -> None:
    solution = multistate_minimax(Panel(5, 1), MultiExpert((0.5, 0.5), (0.8, 0.8)))
    false = replace(solution, plays=(replace(solution.plays[0], **change), *solution.plays[1:]))
    assert isnan(false.recheck().lower)
