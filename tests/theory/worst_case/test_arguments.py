"""Rules, losses and scenarios that the worst case takes, and what it refuses in words."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.rules import mean, random_dictator, trimmed_mean
from bribeproof.theory import Expert, Loss, Panel, Squared
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.worst_case import worst_case
from tests.theory.worst_case.cases import cases
from tests.theory.worst_case_oracle import two_point


class Tripled(Squared):
    """Three times the squared loss."""

    def _given_0(self, forecast: FloatArray) -> FloatArray:
        return 3 * super()._given_0(forecast)

    def _given_1(self, forecast: FloatArray) -> FloatArray:
        return 3 * super()._given_1(forecast)


class Cubic(Loss):
    """A loss that the package does not know, and that is not proper."""

    name = "cubic"

    def _given_0(self, forecast: FloatArray) -> FloatArray:
        return forecast**3

    def _given_1(self, forecast: FloatArray) -> FloatArray:
        return (1 - forecast) ** 3


@given(cases())
def test_a_loss_of_ones_own(case: tuple[FloatArray, Panel, Expert]) -> None:
    values, panel, expert = case
    squared = worst_case(values, panel, expert, "squared").regret
    assert worst_case(values, panel, expert, Tripled()).regret == pytest.approx(3 * squared, abs=1e-9)

    size, prior = panel.truthful, expert.prior
    given_1, given_0 = (1 - values) ** 3, values**3
    ones, zeros = two_point(size, size * expert.tpr), two_point(size, size * expert.fpr)
    worst_1, worst_0 = (
        np.array([max(curve[count : count + panel.k + 1]) for count in range(size + 1)]) for curve in (given_1, given_0)
    )
    mass_1, mass_0 = prior * ones[:, None, :], (1 - prior) * zeros[None, :, :]
    # The best forecast for two masses is √m₁/(√m₁ + √m₀).
    roots = np.sqrt(mass_1) + np.sqrt(mass_0)
    act = np.divide(np.sqrt(mass_1), roots, where=roots > 0, out=np.zeros(roots.shape))
    benchmark = (mass_1 * (1 - act) ** 3 + mass_0 * act**3).sum(axis=2)
    expected = prior * (ones @ worst_1)[:, None] + (1 - prior) * (zeros @ worst_0)
    found = worst_case(values, panel, expert, Cubic())
    assert found.regret == pytest.approx(float((expected - benchmark).max()), abs=1e-9)
    assert found.recheck().difference < 1e-12


def test_rules_may_be_objects_lists_or_arrays() -> None:
    panel, expert = Panel(5, 1), Expert(0.5, 0.8, 0.1)
    rule = trimmed_mean(panel)
    regrets = {
        worst_case(form, panel, expert, "absolute").regret
        for form in (rule, random_dictator(panel), rule.values, rule.values.tolist(), tuple(rule.values))
    }
    assert len(regrets) == 1
    assert worst_case(rule, panel, expert).rule is rule


@pytest.mark.parametrize(
    "rule",
    [
        [0.5] * 5,
        [0.5] * 7,
        mean(Panel(4)),
        [0.5] * 5 + [1.1],
        [-0.1] + [0.5] * 5,
        [math.nan] * 6,
        [math.inf] + [0.5] * 5,
        ["high"] * 6,
        [[0.5] * 6],
        [[0.5], [0.5, 0.5]],
        0.5,
        [],
        None,
    ],
    ids=repr,
)
def test_bad_rules(rule: Any) -> None:
    with pytest.raises(ParameterError, match="values"):
        worst_case(rule, Panel(5, 1), Expert(0.5, 0.8, 0.1))


@given(cases(), st.data())
def test_one_bad_forecast_is_named(case: tuple[FloatArray, Panel, Expert], data: st.DataObject) -> None:
    values, panel, expert = case
    bad = data.draw(st.one_of(st.floats(max_value=-1e-9), st.floats(min_value=1 + 1e-9), st.just(math.nan)))
    values[data.draw(st.integers(0, panel.n))] = bad
    with pytest.raises(ParameterError, match="values holds"):
        worst_case(values, panel, expert)


def test_other_bad_input() -> None:
    panel, expert = Panel(5, 1), Expert(0.5, 0.8, 0.1)
    with pytest.raises(ParameterError, match="loss = 'brier'"):
        worst_case(mean(panel), panel, expert, "brier")
    with pytest.raises(ParameterError, match="is neither an Expert nor an ExpertInterval"):
        worst_case(mean(panel), panel, (0.5, 0.8, 0.1))  # type: ignore[call-overload]
    worst = worst_case(mean(panel), panel, expert)
    for seed in (None, -3, 1.5, True, np.random):
        with pytest.raises(ParameterError, match="seed"):
            worst.sample(3, seed)  # type: ignore[arg-type]
    for items in (-1, 2.5, True):
        with pytest.raises(ParameterError, match="items"):
            worst.sample(items, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("truthful", "weights", "adversaries"),
    [((1, 2), (1.0,), (0,)), ((), (), ()), ((1.5,), (1.0,), (0,)), ((1,), (math.nan,), (0,)), ((1,), (1.0,), (-1,))],
)
def test_bad_scenarios(truthful: Any, weights: Any, adversaries: Any) -> None:
    with pytest.raises(ParameterError, match="Scenario"):
        Scenario(truthful, weights, adversaries)
