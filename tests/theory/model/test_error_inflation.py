"""Weighted rules: what they promise, against linear programs over what Nature, adversaries and weights can do."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory import (
    Expert,
    ExpertInterval,
    Loss,
    MultiExpert,
    Panel,
    closed_form,
    dictator_guarantee,
    error_inflation,
    error_inflation_of_weights,
    get_loss,
    inflate_errors,
    loss_bound,
)
from tests.theory.strategies import LOSSES, each_loss, panels, rates
from tests.theory.worst_case_oracle import Loss as OracleLoss

experts = st.builds(
    lambda prior, ends: Expert(prior, max(ends), min(ends)),
    rates,
    st.lists(rates, min_size=2, max_size=2, unique=True),
)


@st.composite
def panels_to_spare(draw: st.DrawFn, largest: int) -> tuple[Panel, int]:
    """A panel, and how many reporters weights may leave out."""
    panel = draw(panels(largest))
    return panel, draw(st.integers(0, panel.n - 2 * panel.k - 1))


def ends_and_promise(expert: Expert, growth: float, name: OracleLoss) -> tuple[float, float, float, Loss]:
    """The ends of the weighted rule, and what it promises."""
    rule = closed_form(Panel(1), inflate_errors(expert, growth), LOSSES[name])
    assert rule.guarantee is not None
    return float(rule(0)), float(rule(1)), rule.guarantee.expected_loss, get_loss(LOSSES[name])


def act(weight: float, dropped: float, low: float, high: float) -> float:
    """The forecast for H reports of this weight."""
    return low + (high - low) * min(max((weight - dropped) / (1 - 2 * dropped), 0.0), 1.0)


def largest_mean(losses: FloatArray, counts: FloatArray, mean: float) -> float:
    """The largest mean loss over all distributions of a count with this mean: a linear program."""
    found = linprog(-losses, A_eq=np.vstack([np.ones_like(counts), counts]), b_eq=[1, mean], bounds=(0, 1))
    assert found.success
    return -float(found.fun)


def worst_of_any_weights(panel: Panel, spare: int, expert: Expert, low: float, high: float, loss: Loss) -> float:
    """The largest expected loss where adversaries choose for each item whose n - spare equal weights are left."""
    kept = panel.n - spare
    dropped = panel.k / kept
    worst = []
    for state, rate in ((0, expert.fpr), (1, expert.tpr)):
        by_count = []
        for says_h in range(panel.truthful + 1):
            weights = {
                used / kept
                for bribed_h in range(panel.k + 1)
                for used in range(max(0, kept - (panel.n - says_h - bribed_h)), min(kept, says_h + bribed_h) + 1)
            }
            by_count.append(max(loss.value(act(weight, dropped, low, high), state) for weight in weights))
        worst.append(largest_mean(np.array(by_count), np.arange(panel.truthful + 1.0), panel.truthful * rate))
    return (1 - expert.prior) * worst[0] + expert.prior * worst[1]


@each_loss
@given(drawn=panels_to_spare(9), expert=experts)
def test_the_promise_for_any_weights_is_exact(name: OracleLoss, drawn: tuple[Panel, int], expert: Expert) -> None:
    panel, spare = drawn
    growth = error_inflation(panel, spare / (panel.n - 2 * panel.k))
    low, high, promised, loss = ends_and_promise(expert, growth, name)
    assume(math.isfinite(loss.value(low, 1)) and math.isfinite(loss.value(high, 0)))
    found = worst_of_any_weights(panel, spare, expert, low, high, loss)
    assert found <= promised + 1e-9
    if growth * (1 - expert.tpr) <= 1 and growth * expert.fpr <= 1:
        assert found == pytest.approx(promised, abs=1e-8)


@given(
    panel=panels(5),
    expert=st.builds(Expert, st.just(0.4), st.sampled_from([0.8, 0.9]), st.sampled_from([0.1, 0.25])),
    weight_spread=st.sampled_from([0.2, 0.5, 0.8]),
    seed=st.integers(0, 2**16),
)
def test_weights_within_the_limit_and_not_only_the_extreme_ones(
    panel: Panel, expert: Expert, weight_spread: float, seed: int
) -> None:
    """Weights that adversaries draw at random for every pattern of truthful reports do not break the promise."""
    rng = np.random.default_rng(seed)
    n, k, truthful = panel.n, panel.k, panel.truthful
    limit = 1 / (n - weight_spread * (n - 2 * k))
    low, high, promised, loss = ends_and_promise(expert, error_inflation(panel, weight_spread), "squared")
    total = 0.0
    for state, rate in ((0, expert.fpr), (1, expert.tpr)):
        worst = np.full(truthful + 1, -np.inf)
        for pattern in itertools.product((0, 1), repeat=truthful):
            said = np.array([*pattern, *([1 - state] * k)])
            for _ in range(3):
                weights = rng.exponential(size=n) ** 3 + 1e-9
                weights = water_filled(weights, limit)
                loss_here = loss.value(act(float(weights @ said), k * limit, low, high), state)
                worst[sum(pattern)] = max(worst[sum(pattern)], loss_here)
        share = expert.prior if state else 1 - expert.prior
        total += share * largest_mean(worst, np.arange(truthful + 1.0), truthful * rate)
    assert total <= promised + 1e-9


def water_filled(weights: FloatArray, limit: float) -> FloatArray:
    """Scale weights to sum to 1, none above the limit, by bisection of the scale."""
    low, high = 0.0, 2 / weights.min()
    for _ in range(60):
        scale = (low + high) / 2
        low, high = (scale, high) if np.minimum(weights * scale, limit).sum() < 1 else (low, scale)
    filled: FloatArray = np.minimum(weights * high, limit)
    return filled


@each_loss
@given(
    weights=st.lists(st.sampled_from([0.0, 1.0, 1.0, 1.0, 2.0, 3.0]), min_size=3, max_size=5),
    k=st.integers(0, 1),
    expert=experts,
)
def test_the_promise_for_weights_that_are_known_before(
    name: OracleLoss, weights: list[float], k: int, expert: Expert
) -> None:
    """Nature chooses any joint distribution of truthful reports with the right rate of each; any k are bribed."""
    assume(sum(weights) > 0)
    share = np.array(weights) / sum(weights)
    heaviest = float(np.sort(share)[::-1][:k].sum())
    assume(heaviest < 0.5 - 1e-9)
    low, high, promised, loss = ends_and_promise(expert, error_inflation_of_weights(heaviest), name)
    assume(math.isfinite(loss.value(low, 1)) and math.isfinite(loss.value(high, 0)))
    worst = 0.0
    for bribed in itertools.combinations(range(len(weights)), k):
        truthful = [place for place in range(len(weights)) if place not in bribed]
        patterns = np.array(list(itertools.product((0, 1), repeat=len(truthful))))
        total = 0.0
        for state, rate in ((0, expert.fpr), (1, expert.tpr)):
            held = patterns @ share[truthful] + (0 if state else share[list(bribed)].sum())
            losses = np.array([loss.value(act(weight, heaviest, low, high), state) for weight in held])
            conditions = np.vstack([np.ones(len(patterns)), patterns.T])
            found = linprog(-losses, A_eq=conditions, b_eq=[1, *[rate] * len(truthful)], bounds=(0, 1))
            total -= (expert.prior if state else 1 - expert.prior) * found.fun
        worst = max(worst, total)
    assert worst <= promised + 1e-8
    if len(set(weights)) == 1 and k and heaviest:
        tight = loss_bound(Panel(len(weights), k), expert, low, high, LOSSES[name])
        assert promised == pytest.approx(tight, abs=1e-9)


@given(panel=panels(6), spare=st.integers(0, 4), accuracy=st.tuples(*[st.sampled_from([0.7, 0.8, 0.9, 1.0])] * 3))
def test_of_three_states_the_promise_is_exact(panel: Panel, spare: int, accuracy: tuple[float, float, float]) -> None:
    """The random dictator over the shares that are left; wrong reports go wherever they hurt."""
    margin = panel.n - 2 * panel.k
    assume(spare < margin)
    kept, prior = panel.n - spare, (0.5, 0.3, 0.2)
    dropped = panel.k / kept
    growth = error_inflation(panel, spare / margin)
    right = inflate_errors(MultiExpert(prior, accuracy), growth).accuracy
    promised = 1 - sum(chance * share for chance, share in zip(prior, right, strict=True))
    found = 0.0
    for chance, rate in zip(prior, accuracy, strict=True):
        losses = np.zeros(panel.truthful + 1)
        for wrong in range(panel.truthful + 1):
            for first in range(wrong + panel.k + 1):
                said = (panel.truthful - wrong, first, wrong + panel.k - first)
                for chosen in itertools.product(*(range(count + 1) for count in said)):
                    if sum(chosen) == kept:
                        left = np.maximum(np.array(chosen) / kept - dropped, 0.0)
                        answered = left[0] / left.sum() if left.sum() > 1e-12 else 0.0
                        losses[wrong] = max(losses[wrong], 1 - answered)
        found += chance * largest_mean(losses, np.arange(panel.truthful + 1.0), panel.truthful * (1 - rate))
    assert found <= promised + 1e-9
    if max(1 - share for share in accuracy) * growth <= 1:
        assert found == pytest.approx(promised, abs=1e-8)


@given(panel=panels(), expert=experts)
def test_without_leeway_it_is_theorem_a(panel: Panel, expert: Expert) -> None:
    tpr, fpr = panel.effective_rates(expert)
    found = inflate_errors(expert, error_inflation(panel))
    assert (found.tpr, found.fpr) == pytest.approx((max(tpr, 0), min(fpr, 1)))
    assert error_inflation(panel) == pytest.approx(error_inflation_of_weights(panel.share))
    multi = MultiExpert((0.25, 0.75), (expert.tpr, 1 - expert.fpr))
    right = inflate_errors(multi, error_inflation(panel)).accuracy
    guarantee = dictator_guarantee(panel, multi).expected_loss
    assert min(1 - 0.25 * right[0] - 0.75 * right[1], 0.25) == pytest.approx(guarantee)


def test_worked_values() -> None:
    assert error_inflation(Panel(10, 1)) == pytest.approx(9 / 8)
    assert error_inflation(Panel(10, 1), 0.5) == pytest.approx(9 / 4)
    assert inflate_errors(Expert(0.5, 0.9, 0.1), 9 / 4).tpr == pytest.approx(0.775)
    assert inflate_errors(ExpertInterval((0.2, 0.4), 0.5, 0.6), 2) == ExpertInterval((0.2, 0.4), 0.0, 1.0)


@pytest.mark.parametrize("weight_spread", [-0.1, 1, 1.5, math.nan])
def test_a_leeway_outside_its_range(weight_spread: float) -> None:
    with pytest.raises(ParameterError, match=r"give a share in \[0, 1\)"):
        error_inflation(Panel(5, 1), weight_spread)


@pytest.mark.parametrize("heaviest", [-0.1, 0.5, 1, math.nan])
def test_a_share_of_weight_outside_its_range(heaviest: float) -> None:
    with pytest.raises(ParameterError, match="less than half"):
        error_inflation_of_weights(heaviest)


@pytest.mark.parametrize("growth", [0.9, math.inf, math.nan, -1])
def test_errors_cannot_shrink(growth: float) -> None:
    with pytest.raises(ParameterError, match="at least 1"):
        inflate_errors(Expert(0.5, 0.9, 0.1), growth)
