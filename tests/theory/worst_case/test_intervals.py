"""Intervals: the exact worst case over them against grids, and reporters that differ against linear programs."""

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.rules import clipped_linear, constant, mean
from bribeproof.theory import Expert, ExpertInterval, Guarantee, Panel, loss_bound, optimal_aggregator
from bribeproof.theory.worst_case.worst_case import worst_case
from tests.theory.strategies import LOSSES, each_loss, panels, rates
from tests.theory.worst_case_oracle import Loss as OracleLoss
from tests.theory.worst_case_oracle import losses
from tests.theory.worst_case_oracle import worst_case as brute_force_worst_case

priors = st.tuples(rates, rates).map(lambda ends: (min(ends), max(ends)))
boxes = st.builds(ExpertInterval, priors, rates, rates)


@st.composite
def tables(draw: st.DrawFn, largest: int = 7) -> tuple[Panel, FloatArray]:
    """A panel and any rule for it, sure forecasts included."""
    panel = draw(panels(largest))
    return panel, np.array(draw(st.lists(rates, min_size=panel.n + 1, max_size=panel.n + 1)))


def brute_force(values: FloatArray, panel: Panel, expert: Expert, name: OracleLoss) -> tuple[float, float]:
    """Largest regret and largest expected loss; a state of probability 0 counts for nothing, at any loss."""
    with np.errstate(invalid="ignore"):
        return brute_force_worst_case(values, panel.k, expert.prior, expert.tpr, expert.fpr, name)


def on_grid(
    values: FloatArray, panel: Panel, known: ExpertInterval, name: OracleLoss, points: int
) -> tuple[float, float]:
    """Largest regret and largest expected loss on an even grid of the experts that agree with an interval."""
    tprs, fprs = np.linspace(known.tpr, 1, points), np.linspace(0, known.fpr, points)
    found = [
        brute_force(values, panel, Expert(prior, tpr, fpr), name)
        for prior in np.unique(np.linspace(*known.prior, points))
        for tpr in np.unique([*tprs, max(known.tpr, known.fpr)])
        for fpr in np.unique([*fprs, min(tpr, known.fpr)])
        if fpr <= tpr
    ]
    return max(regret for regret, _ in found), max(loss for _, loss in found)


def guarantee_of(panel: Panel, known: ExpertInterval, name: OracleLoss) -> Guarantee:
    guarantee = optimal_aggregator(panel, known, LOSSES[name]).guarantee
    assert guarantee is not None
    return guarantee


@each_loss
@given(table=tables(), known=boxes)
def test_no_expert_on_a_grid_is_worse_and_one_expert_is_as_bad(
    name: OracleLoss, table: tuple[Panel, FloatArray], known: ExpertInterval
) -> None:
    panel, values = table
    worst = worst_case(values, panel, known, LOSSES[name])
    regret, loss = on_grid(values, panel, known, name, points=4)
    assert regret <= worst.by_regret.regret + 1e-9
    assert loss <= worst.by_loss.largest_loss + 1e-9
    for case in worst:
        expert = case.expert
        assert known.prior[0] <= expert.prior <= known.prior[1]
        assert expert.tpr >= known.tpr
        assert expert.fpr <= known.fpr
    attained = (
        brute_force(values, panel, worst.by_regret.expert, name)[0],
        brute_force(values, panel, worst.by_loss.expert, name)[1],
    )
    assert attained == pytest.approx((worst.by_regret.regret, worst.by_loss.largest_loss), abs=1e-9)
    assert worst.by_regret.recheck().difference <= 1e-9


@pytest.mark.parametrize("name", ["absolute", "squared"])
@given(table=tables(), known=boxes)
def test_worst_loss_is_that_of_a_linear_program(
    name: OracleLoss, table: tuple[Panel, FloatArray], known: ExpertInterval
) -> None:
    """Unknowns are the two distributions of the truthful count; their means keep the bounds and do not cross."""
    panel, values = table
    count, none = np.arange(panel.truthful + 1), np.zeros(panel.truthful + 1)
    reach = count[:, None] + np.arange(panel.k + 1)
    worst_0, worst_1 = (costs[reach].max(axis=1) for costs in losses(values, name))
    ranks = np.array([np.append(-count, none), np.append(none, count), np.append(-count, count)])
    sums = np.array([np.append(none + 1, none), np.append(none, none + 1)])
    largest = max(
        -linprog(
            -np.append(prior * worst_1, (1 - prior) * worst_0),
            A_ub=ranks,
            b_ub=[-panel.truthful * known.tpr, panel.truthful * known.fpr, 0],
            A_eq=sums,
            b_eq=[1, 1],
        ).fun
        for prior in known.prior
    )
    assert worst_case(values, panel, known, LOSSES[name]).by_loss.largest_loss == pytest.approx(largest, abs=1e-7)


@each_loss
@given(panel=panels(), known=boxes)
def test_guarantee_is_the_worst_case_over_the_box(name: OracleLoss, panel: Panel, known: ExpertInterval) -> None:
    guarantee = guarantee_of(panel, known, name)
    worst = worst_case(optimal_aggregator(panel, known, LOSSES[name]), panel, known, LOSSES[name])
    assert worst.by_loss.largest_loss == pytest.approx(guarantee.expected_loss, abs=1e-9)
    assert worst.by_regret.regret <= guarantee.regret + 1e-9
    if guarantee.exact:
        assert worst.by_regret.regret == pytest.approx(guarantee.regret, abs=1e-9)


@pytest.mark.parametrize("panel", [Panel(1), Panel(6), Panel(9, 3), Panel(12, 4), Panel(7, 3)], ids=str)
@pytest.mark.parametrize(("tpr", "fpr"), [(0.9, 0.05), (0.75, 0.3), (0.4, 0.6)])
@each_loss
def test_guarantee_holds_on_a_grid_of_the_box(name: OracleLoss, panel: Panel, tpr: float, fpr: float) -> None:
    known = ExpertInterval((0.35, 0.6), tpr, fpr)
    rule = optimal_aggregator(panel, known, LOSSES[name])
    regret, loss = on_grid(rule.values, panel, known, name, points=4)
    guarantee = guarantee_of(panel, known, name)
    assert loss <= guarantee.expected_loss + 1e-9
    assert regret <= guarantee.regret + 1e-9


@each_loss
@given(panel=panels(), known=boxes, low=rates, high=rates, table=tables(12))
def test_no_other_rule_has_a_smaller_worst_loss(
    name: OracleLoss, panel: Panel, known: ExpertInterval, low: float, high: float, table: tuple[Panel, FloatArray]
) -> None:
    for other, rule in ((panel, clipped_linear(panel, low, high)), table):
        best = guarantee_of(other, known, name).expected_loss
        assert worst_case(rule, other, known, LOSSES[name]).by_loss.largest_loss >= best - 1e-9


@each_loss
@given(panel=panels(), known=boxes, low=rates, high=rates)
def test_bound_of_clipped_linear_rules_covers_the_box(
    name: OracleLoss, panel: Panel, known: ExpertInterval, low: float, high: float
) -> None:
    low, high = min(low, high), max(low, high)
    bound = loss_bound(panel, known, low, high, LOSSES[name])
    worst = worst_case(clipped_linear(panel, low, high), panel, known, LOSSES[name]).by_loss.largest_loss
    assert worst <= bound + 1e-9
    if known.tpr >= known.fpr and name in ("absolute", (2.0, 0.7)) and panel.effective_rates(known)[0] >= 0:
        assert panel.effective_rates(known)[1] > 1 or worst == pytest.approx(bound, abs=1e-9)


@given(table=tables(), known=boxes, wider=boxes)
def test_less_knowledge_is_never_better(
    table: tuple[Panel, FloatArray], known: ExpertInterval, wider: ExpertInterval
) -> None:
    panel, values = table
    ends = (*known.prior, *wider.prior)
    hull = ExpertInterval((min(ends), max(ends)), min(known.tpr, wider.tpr), max(known.fpr, wider.fpr))
    inner, outer = (worst_case(values, panel, box, "squared") for box in (known, hull))
    assert inner.by_regret.regret <= outer.by_regret.regret + 1e-9
    assert inner.by_loss.largest_loss <= outer.by_loss.largest_loss + 1e-9


@given(table=tables(), known=boxes)
def test_swapping_the_states_changes_nothing(table: tuple[Panel, FloatArray], known: ExpertInterval) -> None:
    panel, values = table
    low, high = known.prior
    mirror = ExpertInterval((1 - high, 1 - low), 1 - known.fpr, 1 - known.tpr)
    for name in ("absolute", "squared", "log"):
        here = worst_case(values, panel, known, name)
        there = worst_case(1 - values[::-1], panel, mirror, name)
        assert here.by_regret.regret == pytest.approx(there.by_regret.regret, abs=1e-9)
        assert here.by_loss.largest_loss == pytest.approx(there.by_loss.largest_loss, abs=1e-9)


def test_the_worst_rate_can_lie_inside_its_interval() -> None:
    """In state 1 the forecast is wrong only where exactly two of three say H, and half wrong where fewer do."""
    known = ExpertInterval((0.5, 0.5), tpr=0.2, fpr=0.0)
    worst = worst_case([0.5, 0.5, 0.0, 1.0], Panel(3), known, "absolute").by_loss
    assert (worst.expert.tpr, worst.expert.fpr, worst.largest_loss) == (2 / 3, 0, 0.75)


def test_crossing_bounds_leave_out_experts_with_crossing_rates() -> None:
    """One reporter without any knowledge: an expert never says H less often where it is true."""
    panel, known = Panel(1), ExpertInterval((0.5, 0.5))
    assert worst_case(mean(panel), panel, known, "absolute").by_loss.largest_loss == 0.5
    assert loss_bound(panel, known, 0, 1, "absolute") == 1
    assert worst_case([1, 0], panel, known, "absolute").by_loss.largest_loss == 1


def test_an_infinite_loss_is_found_and_a_sure_prior_silences_it() -> None:
    panel = Panel(4, 1)
    worst = worst_case(clipped_linear(panel, 0, 0.5), panel, ExpertInterval((0, 1)), "log")
    assert worst.by_regret.regret == math.inf
    worst = worst_case(constant(panel, 0), panel, ExpertInterval((0, 0)), "log")
    assert (worst.by_regret.regret, worst.by_loss.largest_loss) == (0, 0)


def test_large_panels_are_quick() -> None:
    panel, known = Panel(1000, 150), ExpertInterval((0.3, 0.6), 0.8, 0.1)
    rule = optimal_aggregator(panel, known)
    assert rule.guarantee is not None
    worst = worst_case(rule, panel, known).by_loss
    assert worst.largest_loss == pytest.approx(rule.guarantee.expected_loss, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], Panel(2), ExpertInterval()), "2 forecasts for a panel of n = 2; give 3"),
        (([0, 0.5, 1], Panel(2), (0.5, 0.8, 0.1)), "is neither an Expert nor an ExpertInterval"),
        (([0, 0.5, 1], Panel(2), ExpertInterval(), "brier"), "loss = 'brier' is unknown"),
        (([0, 0.5, math.nan], Panel(2), ExpertInterval()), "nan"),
    ],
)
def test_bad_input_of_the_worst_case(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        worst_case(*arguments)


def largest_loss_of_reporters(
    values: FloatArray, k: int, prior: float, tprs: FloatArray, fprs: FloatArray, name: OracleLoss
) -> float:
    """Largest expected loss over all joint distributions of truthful reports with these rates, by linear programs.

    Unknowns are the probabilities of all vectors of truthful reports. The k adversaries answer each one with the
    number of H that costs most.
    """
    vectors = np.array(list(itertools.product((0, 1), repeat=tprs.size)))
    counts = vectors.sum(axis=1)
    total = 0.0
    for weight, costs, marginals in zip((1 - prior, prior), losses(values, name), (fprs, tprs), strict=True):
        worst = costs[counts[:, None] + np.arange(k + 1)].max(axis=1)
        equal = np.vstack([vectors.T, np.ones(counts.size)])
        solved = linprog(-worst, A_eq=equal, b_eq=[*marginals, 1], bounds=(0, None))
        assert solved.status == 0
        total -= weight * solved.fun
    return total


def uniform(rng: np.random.Generator, low: FloatArray | float, high: FloatArray | float) -> FloatArray:
    return np.asarray(rng.uniform(low, high))


@each_loss
@pytest.mark.parametrize("panel", [Panel(4), Panel(4, 1), Panel(3, 1), Panel(6, 2), Panel(5, 2), Panel(6, 1)], ids=str)
def test_reporters_that_differ_never_exceed_the_guarantee(name: OracleLoss, panel: Panel) -> None:
    """All sets of at most k adversaries, true rates on both the bounds and the good side of them, some b above a."""
    rng = np.random.default_rng(panel.n * 10 + panel.k)
    for _ in range(2):
        tprs, fprs = uniform(rng, np.full(panel.n, 0.3), 1), uniform(rng, np.zeros(panel.n), 0.5)
        known = ExpertInterval.from_reporters(panel, (0.3, 0.6), tprs, fprs)
        rule = optimal_aggregator(panel, known, LOSSES[name])
        assert rule.guarantee is not None
        for liars in range(panel.k + 1):
            for bribed in itertools.combinations(range(panel.n), liars):
                honest = np.delete(np.arange(panel.n), bribed)
                better = rng.integers(2)
                a = uniform(rng, tprs, 1)[honest] if better else tprs[honest]
                b = uniform(rng, 0, fprs)[honest] if better else fprs[honest]
                worst = largest_loss_of_reporters(rule.values, liars, rng.choice([0.3, 0.45, 0.6]), a, b, name)
                assert worst <= rule.guarantee.expected_loss + 1e-7


@each_loss
@pytest.mark.parametrize("panel", [Panel(4), Panel(4, 1), Panel(3, 1), Panel(6, 2), Panel(5, 2)], ids=str)
def test_reporters_that_are_alike_attain_the_guarantee(name: OracleLoss, panel: Panel) -> None:
    known = ExpertInterval.from_reporters(panel, (0.45, 0.45), [0.95] * panel.n, [0.04] * panel.n)
    rule = optimal_aggregator(panel, known, LOSSES[name])
    assert rule.guarantee is not None
    a, b = np.full(panel.truthful, 0.95), np.full(panel.truthful, 0.04)
    worst = largest_loss_of_reporters(rule.values, panel.k, 0.45, a, b, name)
    assert worst == pytest.approx(rule.guarantee.expected_loss, abs=1e-7)


def test_reporters_that_differ_can_be_safer_than_their_average() -> None:
    """Report vectors cannot put the same weight on every count when one reporter is perfect."""
    panel, a, b = Panel(4, 1), np.array([0.7, 1.0, 1.0]), np.array([0.1, 0.1, 0.1])
    rule = optimal_aggregator(panel, Expert(0.5, 0.9, 0.1), "squared")
    assert rule.guarantee is not None
    worst = largest_loss_of_reporters(rule.values, 1, 0.5, a, b, "squared")
    assert worst < rule.guarantee.expected_loss - 0.01


vectors = st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(rates, min_size=n, max_size=n)] * 2))


@given(bounds=vectors, data=st.data())
def test_no_set_of_truthful_reporters_has_worse_averages(
    bounds: tuple[list[float], list[float]], data: st.DataObject
) -> None:
    """By enumeration of all sets of at least n - k reporters, of which one attains each rate."""
    tprs, fprs = bounds
    panel = Panel(len(tprs), data.draw(st.integers(0, (len(tprs) - 1) // 2)))
    known = ExpertInterval.from_reporters(panel, (0.2, 0.7), tprs, fprs)
    means = ExpertInterval.from_panel_means(panel, (0.2, 0.7), float(np.mean(tprs)), float(np.mean(fprs)))
    averages = [
        (np.mean([tprs[i] for i in chosen]), np.mean([fprs[i] for i in chosen]))
        for size in range(panel.truthful, panel.n + 1)
        for chosen in itertools.combinations(range(panel.n), size)
    ]
    assert known.tpr == pytest.approx(min(a for a, _ in averages), abs=1e-12)
    assert known.fpr == pytest.approx(max(b for _, b in averages), abs=1e-12)
    assert means.tpr <= known.tpr + 1e-12
    assert means.fpr >= known.fpr - 1e-12
    assert known.prior == means.prior == (0.2, 0.7)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (10, 3), (4, 0)])
def test_adversaries_who_feign_perfection_make_the_panel_means_tight(n: int, k: int) -> None:
    """Truthful rates 0.7 and 0.2; the k others are perfect on the tasks with a known state, or the worst possible."""
    panel, prior = Panel(n, k), (0.5, 0.5)
    perfect = ExpertInterval.from_panel_means(panel, prior, ((n - k) * 0.7 + k) / n, (n - k) * 0.2 / n)
    assert (perfect.tpr, perfect.fpr) == pytest.approx((0.7, 0.2))
    clumsy = ExpertInterval.from_panel_means(panel, prior, (n - k) * 0.7 / n, ((n - k) * 0.2 + k) / n)
    assert clumsy.tpr <= 0.7 <= clumsy.tpr + k / (n - k) + 1e-12
    assert clumsy.fpr - k / (n - k) - 1e-12 <= 0.2 <= clumsy.fpr
    feigned = ExpertInterval.from_reporters(panel, prior, [1.0] * k + [0.7] * (n - k), [0.0] * k + [0.2] * (n - k))
    assert (feigned.tpr, feigned.fpr) == pytest.approx((0.7, 0.2))


def test_panel_means_stay_probabilities() -> None:
    known = ExpertInterval.from_panel_means(Panel(5, 2), (0, 1), tpr=0.3, fpr=0.9)
    assert (known.tpr, known.fpr) == (0, 1)


def test_rates_may_be_any_iterable_of_numbers() -> None:
    panel = Panel(3, 1)
    expected = ExpertInterval.from_reporters(panel, (0, 1), [0.9, 0.8, 0.7], [0, 0.1, 1])
    assert expected == ExpertInterval.from_reporters(panel, (0, 1), np.array([0.9, 0.8, 0.7]), (0, 0.1, 1))
    assert expected == ExpertInterval.from_reporters(panel, (0, 1), iter([0.7, 0.9, 0.8]), iter([1, 0, 0.1]))


@pytest.mark.parametrize(
    ("tprs", "fprs", "message"),
    [
        ([0.9, 0.8], [0.1] * 3, "tprs holds 2 rates for a panel of n = 3"),
        ([0.9] * 3, [0.1] * 4, "fprs holds 4 rates for a panel of n = 3"),
        ([0.9, math.nan, 0.9], [0.1] * 3, "tprs[1] = nan"),
        ([0.9] * 3, [0.1, 0.1, None], "fprs[2] = None"),
        ([0.9, 0.9, 1.2], [0.1] * 3, "tprs[2] = 1.2 is not a probability"),
        ([0.9] * 3, [-0.1, 0, 0], "fprs[0] = -0.1 is not a probability"),
        ([0.9, True, 0.9], [0.1] * 3, "tprs[1] = True"),
        ("abc", [0.1] * 3, "tprs[0] = 'a'"),
        (0.9, [0.1] * 3, "tprs = 0.9 is not a list"),
    ],
)
def test_bad_rates_are_named(tprs: Any, fprs: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        ExpertInterval.from_reporters(Panel(3, 1), (0.5, 0.5), tprs, fprs)


@pytest.mark.parametrize(("tpr", "fpr", "message"), [(1.1, 0, "panel tpr = 1.1"), (1, math.nan, "panel fpr = nan")])
def test_bad_panel_means_are_named(tpr: float, fpr: float, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        ExpertInterval.from_panel_means(Panel(3, 1), (0.5, 0.5), tpr, fpr)


def test_bad_priors_are_named() -> None:
    with pytest.raises(ParameterError, match=r"prior = \(0\.6, 0\.5\) is empty"):
        ExpertInterval.from_reporters(Panel(1), (0.6, 0.5), [1], [0])
    with pytest.raises(ParameterError, match=r"prior = 0\.5 is not a pair"):
        ExpertInterval.from_panel_means(Panel(1), 0.5, 1, 0)  # type: ignore[arg-type]


def test_a_state_that_cannot_be_adds_nothing() -> None:
    """A forecast of .48 loses .48 in state 0 and .52 in state 1: the highest prior is the worst, if by little."""
    worst = worst_case(constant(Panel(5, 1), 0.48), Panel(5, 1), ExpertInterval((0, 0.5), tpr=0.8, fpr=0.1), "absolute")
    assert worst.by_loss.largest_loss == pytest.approx(0.5, abs=1e-12)
