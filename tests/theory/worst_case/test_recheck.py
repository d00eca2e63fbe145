"""Witnesses of worst cases: rechecked, sampled, and found where losses are infinite."""

import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof._typing import FloatArray
from bribeproof.rules import majority, mean
from bribeproof.theory import Expert, Panel
from bribeproof.theory.worst_case.result import WorstCase
from bribeproof.theory.worst_case.worst_case import worst_case
from tests.theory.strategies import LOSSES, each_loss
from tests.theory.worst_case.cases import cases
from tests.theory.worst_case_oracle import Loss as OracleLoss
from tests.theory.worst_case_oracle import two_point


@each_loss
@given(case=cases(largest=40))
def test_recheck_agrees_with_the_search(name: OracleLoss, case: tuple[FloatArray, Panel, Expert]) -> None:
    values, panel, expert = case
    worst = worst_case(values, panel, expert, LOSSES[name])
    checked = worst.recheck()
    assert checked.regret == worst.regret or checked.difference <= 1e-12 * max(1, worst.expected_loss)
    assert checked.mean_residual <= 1e-12
    assert checked.weight_residual <= 1e-15
    for scenario, rate in ((worst.given_1, expert.tpr), (worst.given_0, expert.fpr)):
        assert scenario.mean == pytest.approx(panel.truthful * rate)
        assert list(scenario.truthful) == sorted(set(scenario.truthful))
        assert all(0 < weight <= 1 for weight in scenario.weights)
        assert all(0 <= count <= panel.k for count in scenario.adversaries)


def test_recheck_sees_a_false_witness() -> None:
    worst = worst_case(majority(Panel(9, 2)), Panel(9, 2), Expert(0.5, 0.8, 0.1), "absolute")

    def altered(**changes: Any) -> WorstCase:
        return dataclasses.replace(worst, given_1=dataclasses.replace(worst.given_1, **changes))

    assert dataclasses.replace(worst, regret=worst.regret + 0.1).recheck().difference == pytest.approx(0.1)
    assert altered(weights=(0.5, 0.5)).recheck().mean_residual > 0.1
    assert altered(weights=(0.5, 0.4)).recheck().weight_residual == pytest.approx(0.1)
    for impossible in ({"truthful": (0, 8)}, {"adversaries": (0, 3)}, {"weights": (-0.5, 1.5)}):
        assert math.isnan(altered(**impossible).recheck().regret)


def test_sampling_reproduces_the_expected_loss_and_the_rates() -> None:
    items = 200_000
    rng = np.random.default_rng(11)
    for n, k in ((7, 0), (9, 3), (10, 2)):
        panel, expert = Panel(n, k), Expert(0.4, 0.75, 0.2)
        worst = worst_case(rng.random(n + 1), panel, expert, "squared")
        states, reports = worst.sample(items, rng)
        assert states.shape == (items,)
        assert reports.shape == (items, n)
        assert set(np.unique(reports)) <= {0, 1}
        drawn = worst.loss.value(worst.rule(reports.sum(axis=1)), states)
        assert abs(drawn.mean() - worst.expected_loss) < 5 * drawn.std() / math.sqrt(items)
        assert abs(states.mean() - expert.prior) < 5 * math.sqrt(0.24 / items)
        for state, rate, scenario in ((1, expert.tpr, worst.given_1), (0, expert.fpr, worst.given_0)):
            rows = reports[states == state]
            sigma = math.sqrt(rate * (1 - rate) / len(rows))
            assert np.abs(rows[:, : panel.truthful].mean(axis=0) - rate).max() < 5 * sigma
            pairs = set(zip(rows[:, : n - k].sum(axis=1).tolist(), rows[:, n - k :].sum(axis=1).tolist(), strict=True))
            assert pairs == set(zip(scenario.truthful, scenario.adversaries, strict=True))


def test_sampling_repeats_a_seed_and_may_draw_nothing() -> None:
    worst = worst_case(mean(Panel(5, 1)), Panel(5, 1), Expert(0.5, 0.7, 0.2))
    first, second = (worst.sample(40, seed=2) for _ in range(2))
    assert (first[0] == second[0]).all()
    assert (first[1] == second[1]).all()
    states, reports = worst.sample(0, seed=0)
    assert states.shape == (0,)
    assert reports.shape == (0, 5)


def test_infinite_losses_have_a_witness() -> None:
    """A sure forecast of 0 at the count 0: only two adversaries and two wrong reports lead there."""
    values = np.linspace(0, 0.9, 8)
    worst = worst_case(values, Panel(7, 2), Expert(0.5, 0.9, 0.1), "log")
    assert worst.regret == worst.expected_loss == worst.largest_loss == math.inf
    assert math.isfinite(worst.benchmark)
    assert 0 in worst.given_1.counts
    assert worst.recheck().regret == math.inf
    assert worst.recheck().difference == 0
    assert math.isfinite(worst_case(values, Panel(7, 2), Expert(0.5, 1.0, 0.1), "log").regret)
    assert math.isfinite(worst_case(values, Panel(7, 2), Expert(0.0, 0.9, 0.1), "log").regret)


def test_recheck_where_a_mass_rounds_away() -> None:
    """The states share a truthful count, but one of them hardly has any mass: its posterior rounds to 0 or 1."""
    for prior in (1 - 2**-53, 1e-320):
        worst = worst_case([0.9, 0.8, 0.5, 0.4], Panel(3), Expert(prior, 1.0, 0.4), "log")
        assert worst.recheck().difference < 1e-12
        sure = worst_case([0.0, 0.5, 0.5, 1.0], Panel(3), Expert(prior, 0.5, 0.4), "log")
        assert (sure.regret, sure.recheck().regret) == (math.inf, math.inf)


@given(
    sure=st.lists(st.booleans(), min_size=2, max_size=9),
    rate=st.sampled_from([0.2, 0.25, 1 / 3, 0.5, 0.7]),
    finite=st.floats(0.01, 0.99),
)
def test_the_likeliest_infinite_loss_is_the_witness(sure: list[bool], rate: float, finite: float) -> None:
    """In state 1 a forecast of 0 costs infinitely much; in state 0 nothing does."""
    n = len(sure) - 1
    worst = worst_case(np.where(sure, 0.0, finite), Panel(n), Expert(0.5, rate, rate), "log")
    mass = math.fsum(w for count, w in zip(worst.given_1.counts, worst.given_1.weights, strict=True) if sure[count])
    likeliest = (two_point(n, n * rate) @ np.array(sure)).max()
    assert (worst.regret == math.inf) == (likeliest > 0)
    if likeliest:
        assert mass == pytest.approx(likeliest)


def test_worst_cases_are_values() -> None:
    panel, expert = Panel(5, 1), Expert(0.5, 0.8, 0.1)
    worst = worst_case(mean(panel), panel, expert)
    assert worst == worst_case(mean(panel), panel, expert)
    assert hash(worst) == hash(pickle.loads(pickle.dumps(worst)))  # noqa: S301
    with pytest.raises(dataclasses.FrozenInstanceError):
        worst.regret = 0  # type: ignore[misc]
