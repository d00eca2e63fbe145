"""Losses against minimisation on a grid, identities and limits."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, Loss, cost, expert_risk, get_loss

LOSSES = [get_loss("absolute"), get_loss("squared"), get_loss("log"), cost(false_positive=2, false_negative=0.7)]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
unit = st.floats(0, 1)


@pytest.mark.parametrize(
    ("loss", "state_0", "state_1"),
    [
        ("absolute", 0.3, 0.7),
        ("squared", 0.09, 0.49),
        ("log", -math.log(0.7), -math.log(0.3)),
        (cost(false_positive=2, false_negative=5), 0.6, 3.5),
    ],
)
def test_values_by_hand(loss: Loss | str, state_0: float, state_1: float) -> None:
    assert get_loss(loss).value(0.3, [0, 1]) == pytest.approx([state_0, state_1])


@each_loss
@given(probability=unit)
def test_bayes_act_beats_every_forecast(loss: Loss, probability: float) -> None:
    forecasts = np.linspace(0.001, 0.999, 999)
    expected = probability * loss.value(forecasts, 1) + (1 - probability) * loss.value(forecasts, 0)
    risk = loss.bayes_risk(probability)
    assert risk <= expected.min() + 1e-12
    assert risk >= expected.min() - 4e-3
    assert 0 <= loss.bayes_act(probability) <= 1


@each_loss
@given(one=unit, two=unit)
def test_bayes_risk_is_concave(loss: Loss, one: float, two: float) -> None:
    assert loss.bayes_risk((one + two) / 2) >= (loss.bayes_risk(one) + loss.bayes_risk(two)) / 2 - 1e-12


@each_loss
def test_shape_of_the_curves(loss: Loss) -> None:
    forecasts = np.linspace(0.01, 0.99, 50)
    for state, direction in ((0, 1), (1, -1)):
        curve = loss.value(forecasts, state)
        assert (direction * np.diff(curve) > 0).all()
        assert (np.diff(curve, 2) > -1e-12).all()


@each_loss
def test_certainty_costs_nothing_and_log_is_infinite_only_where_wrong(loss: Loss) -> None:
    right = loss.value([0.0, 1.0], [0, 1])
    wrong = loss.value([0.0, 1.0], [1, 0])
    assert right.tolist() == [0.0, 0.0]
    assert not np.signbit(right).any()
    assert (np.isinf(wrong) if loss.name == "log" else np.isfinite(wrong)).all()
    assert loss.bayes_risk([0.0, 1.0]).tolist() == [0.0, 0.0]


@each_loss
def test_shapes_broadcast_and_scalars_stay_scalars(loss: Loss) -> None:
    assert loss.value(np.full((2, 1), 0.4), [0, 1, 0]).shape == (2, 3)
    assert loss.bayes_act(np.array([[0.2, 0.9]])).shape == (1, 2)
    assert type(loss.value(0.4, 1)) is float
    assert type(loss.bayes_act(0.4)) is float
    assert type(loss.bayes_risk(0.4)) is float


def test_ties_of_the_bayes_act() -> None:
    assert get_loss("absolute").bayes_act(0.5) == 0.5
    assert cost(false_positive=1, false_negative=3).bayes_act([0.2, 0.25, 0.3]).tolist() == [0, 0.5, 1]


def test_costs_of_one_are_the_absolute_loss() -> None:
    assert cost(false_positive=1, false_negative=1) == get_loss("absolute")
    assert cost(false_positive=2, false_negative=0.5).name == "cost(false_positive=2, false_negative=0.5)"


@each_loss
@given(prior=unit, one=unit, two=unit)
def test_a_reporter_never_hurts(loss: Loss, prior: float, one: float, two: float) -> None:
    expert = Expert(prior, max(one, two), min(one, two))
    assert 0 <= expert_risk(expert, loss) <= loss.bayes_risk(prior) + 1e-12
    assert expert_risk(Expert(prior, one, one), loss) == pytest.approx(loss.bayes_risk(prior))
    assert expert_risk(Expert(prior, 1, 0), loss) == pytest.approx(0, abs=1e-12)


def test_expert_risk_by_hand() -> None:
    expert = Expert(0.5, 0.8, 0.1)
    assert expert_risk(expert, "absolute") == pytest.approx(0.15)
    assert expert_risk(expert, "squared") == pytest.approx(0.4 * 0.05 / 0.45 + 0.1 * 0.45 / 0.55)
    assert expert_risk(Expert(0.1, 0.6, 0.4), "absolute") == pytest.approx(0.1)


def test_squared_risk_is_at_most_half_the_absolute_risk_of_a_coin() -> None:
    assert get_loss("squared").bayes_risk(0.5) == 0.25
    assert get_loss("absolute").bayes_risk(0.5) == 0.5
    assert get_loss("log").bayes_risk(0.5) == pytest.approx(math.log(2))


@pytest.mark.parametrize("name", ["brier", "", None, 2, ["squared"]])
def test_unknown_losses(name: Any) -> None:
    with pytest.raises(ParameterError, match=r"give 'absolute', 'squared', 'log'"):
        get_loss(name)
    with pytest.raises(ParameterError, match="loss"):
        expert_risk(Expert(0.5, 0.8, 0.1), name)


@pytest.mark.parametrize("price", [0, -1, float("inf"), float("nan"), "1", True])
def test_bad_prices(price: Any) -> None:
    with pytest.raises(ParameterError, match=r"false.positive"):
        cost(false_positive=price, false_negative=1)
    with pytest.raises(ParameterError, match=r"false.negative"):
        cost(false_positive=1, false_negative=price)


@each_loss
@pytest.mark.parametrize("bad", [1.2, -0.1, float("nan"), "x", [0.2, 3]])
def test_bad_numbers(loss: Loss, bad: Any) -> None:
    with pytest.raises(ParameterError, match="forecast"):
        loss.value(bad, 1)
    with pytest.raises(ParameterError, match="probability"):
        loss.bayes_act(bad)
    with pytest.raises(ParameterError, match="probability"):
        loss.bayes_risk(bad)
    with pytest.raises(ParameterError, match="state"):
        loss.value(0.5, 0.5)  # type: ignore[call-overload]
