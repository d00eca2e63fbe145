"""Breakdown points against the effective expert's Bayes risk."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, Loss, Panel, breakdown_point, cost, expert_risk, get_loss, max_adversaries

LOSSES = [get_loss("absolute"), get_loss("squared"), get_loss("log"), cost(false_positive=2, false_negative=0.7)]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
percents = st.integers(0, 100).map(lambda percent: percent / 100)


def beats_prior(n: int, k: int, expert: Expert, loss: Loss) -> bool:
    effective = Panel(n, k).effective(expert)
    return expert_risk(effective, loss) < loss.bayes_risk(expert.prior) - 1e-13


@each_loss
@given(prior=percents, one=percents, two=percents)
def test_below_it_the_panel_helps_and_above_it_does_not(loss: Loss, prior: float, one: float, two: float) -> None:
    expert = Expert(prior, max(one, two), min(one, two))
    point = breakdown_point(expert, loss)
    assert 0 <= point <= 0.5
    n = 10_000
    for k in range(0, n // 2, 250):
        if abs(k / n - point) > 1e-3:
            assert beats_prior(n, k, expert, loss) == (k / n < point)


def test_worked_values() -> None:
    assert breakdown_point(Expert(0.5, 0.75, 0.25), "squared") == pytest.approx(1 / 3)
    assert breakdown_point(Expert(0.5, 0.8, 0.1), "log") == pytest.approx(0.7 / 1.7)
    assert breakdown_point(Expert(0.5, 0.8, 0.1), "absolute") == pytest.approx(0.35 / 0.85)
    assert breakdown_point(Expert(0.1, 0.8, 0.2), "absolute") == 0
    assert breakdown_point(Expert(0.1, 0.8, 0.2), "squared") == pytest.approx(0.6 / 1.6)
    assert breakdown_point(Expert(0.3, 1, 0), "absolute") == 0.5
    assert breakdown_point(Expert(0.3, 1, 0), "squared") == 0.5


@given(percents, percents, percents)
def test_equal_prices_are_the_absolute_loss(prior: float, one: float, two: float) -> None:
    expert = Expert(prior, max(one, two), min(one, two))
    priced = breakdown_point(expert, cost(false_positive=4, false_negative=4))
    assert priced == pytest.approx(breakdown_point(expert, "absolute"), abs=1e-12)


@each_loss
def test_nothing_is_borne_where_nothing_is_learnt(loss: Loss) -> None:
    for expert in (Expert(0.4, 0.6, 0.6), Expert(0, 0.9, 0.1), Expert(1, 0.9, 0.1)):
        assert breakdown_point(expert, loss) == 0
        assert max_adversaries(9, expert, loss) == 0


@given(st.integers(1, 400), st.integers(0, 100), st.integers(0, 100))
def test_count_is_exact_at_every_boundary(n: int, one: int, two: int) -> None:
    a, b = Fraction(max(one, two), 100), Fraction(min(one, two), 100)
    exact = (a - b) / (1 + a - b)
    largest = max(k for k in range(n // 2 + 1) if k == 0 or (n > 2 * k and Fraction(k, n) < exact))
    assert max_adversaries(n, Expert(0.5, float(a), float(b)), "squared") == largest


@pytest.mark.parametrize(("tpr", "fpr"), [(0.75, 0.25), (0.7, 0.2), (0.6, 0.1), (0.9, 0.4)])
def test_nothing_is_left_of_three_at_the_boundary(tpr: float, fpr: float) -> None:
    assert max_adversaries(3, Expert(0.5, tpr, fpr), "squared") == 0
    assert max_adversaries(300, Expert(0.5, tpr, fpr), "squared") == 99


@each_loss
@given(n=st.integers(1, 60), prior=percents, one=percents, two=percents)
def test_one_adversary_more_leaves_the_prior_alone(loss: Loss, n: int, prior: float, one: float, two: float) -> None:
    expert = Expert(prior, max(one, two), min(one, two))
    k = max_adversaries(n, expert, loss)
    assert n > 2 * k >= 0
    assert k == 0 or beats_prior(n, k, expert, loss)
    assume(n > 2 * (k + 1))
    assert not beats_prior(n, k + 1, expert, loss)


@each_loss
def test_half_of_the_panel_is_too_many_even_where_reporters_never_err(loss: Loss) -> None:
    assert [max_adversaries(n, Expert(0.5, 1.0, 0.0), loss) for n in range(1, 8)] == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("n", [0, -2, 3.5, True, "3"])
def test_bad_panel_sizes(n: Any) -> None:
    with pytest.raises(ParameterError, match="n = "):
        max_adversaries(n, Expert(0.5, 0.8, 0.1))


def test_bad_losses() -> None:
    with pytest.raises(ParameterError, match="loss"):
        breakdown_point(Expert(0.5, 0.8, 0.1), "brier")
    with pytest.raises(ParameterError, match="loss"):
        max_adversaries(3, Expert(0.5, 0.8, 0.1), "brier")
