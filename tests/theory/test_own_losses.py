"""Losses of one's own, proper or not: Bayes acts, worst cases and guarantees against grids and linear programs."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from bribeproof.errors import ParameterError
from bribeproof.theory import (
    Expert,
    ExpertInterval,
    Loss,
    Panel,
    Squared,
    breakdown_point,
    closed_form,
    exact_minimax,
    get_loss,
    max_adversaries,
    minimax,
    optimal_aggregator,
    worst_case,
)
from bribeproof.theory.general.families import conditionally_independent

Array = NDArray[np.float64]
Curve = Callable[[Array], Array]


class Own(Loss):
    """A loss with these two curves."""

    def __init__(self, name: str, given_0: Curve, given_1: Curve) -> None:
        self.title, self.curves = name, (given_0, given_1)

    @property
    def name(self) -> str:
        return self.title

    def _given_0(self, forecast: Array) -> Array:
        return self.curves[0](forecast)

    def _given_1(self, forecast: Array) -> Array:
        return self.curves[1](forecast)


def powers(power: float) -> Own:
    return Own(f"power {power}", lambda y: y**power, lambda y: (1 - y) ** power)


def inverse_root(y: Array) -> Array:
    with np.errstate(divide="ignore"):
        return 1 / np.sqrt(y) - 1


LOSSES = [
    powers(3),
    powers(1.5),
    Own("asymmetric", lambda y: 2 * y**4, lambda y: (1 - y) ** 1.5),
    Own("absolute", lambda y: y, lambda y: 1 - y),
    Own("hinges", lambda y: np.maximum(0, y - 0.2) * 1.25, lambda y: np.maximum(np.maximum(0, 0.5 - y), 0.3 - 0.4 * y)),
    Own("kinks", lambda y: np.maximum(0.25 * y, y - 0.4), lambda y: np.maximum(1 - 2 * y, 0.25 - 0.25 * y)),
    Own("infinite", lambda y: y**2, inverse_root),
    Own("never free", lambda y: 0.1 + y**2, lambda y: 0.3 + (1 - y) ** 3),
]
by_name = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
GRID = np.unique(np.concatenate([np.linspace(0, 1, 4001), np.geomspace(1e-9, 0.01, 400)]))


def laws(size: int, mean: float) -> Array:
    """Return the two-point laws on 0 ... size with this mean."""
    mean = round(mean, 12)
    found = []
    for low, high in product(range(size + 1), repeat=2):
        if low == high == mean or low < mean < high:
            law = np.zeros(size + 1)
            law[high] = 1 if low == high else (mean - low) / (high - low)
            law[low] += 1 - law.sum()
            found.append(law)
    return np.array(found)


def benchmarks(loss: Own, ones: Array, zeros: Array) -> Array:
    """Return the loss of the best of many forecasts, for each pair of laws weighted with the priors."""
    given_0, given_1 = (curve(GRID) for curve in loss.curves)
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(ones[:, None, :, None] * given_1) + np.nan_to_num(zeros[None, :, :, None] * given_0)
    least: Array = expected.min(axis=3).sum(axis=2)
    return least


def largest(loss: Own, values: Array, panel: Panel, expert: Expert) -> tuple[float, float]:
    """Return a rule's largest regret and loss over all pairs of two-point laws."""
    ones, zeros, losses = *weighted_laws(panel, expert), []
    for law, curve in ((ones, loss.curves[1]), (zeros, loss.curves[0])):
        windows = np.lib.stride_tricks.sliding_window_view(curve(values), panel.k + 1).max(axis=1)
        losses.append(np.where(law > 0, law * windows, 0).sum(axis=1))
    totals = losses[0][:, None] + losses[1]
    return float((totals - benchmarks(loss, ones, zeros)).max()), float(totals.max())


def weighted_laws(panel: Panel, expert: Expert) -> tuple[Array, Array]:
    """Return the laws given state 1 and given state 0, times the probability of the state."""
    rates = ((expert.prior, expert.tpr), (1 - expert.prior, expert.fpr))
    one, zero = (prior * laws(panel.truthful, panel.truthful * rate) for prior, rate in rates)
    return one, zero


def least_worst(loss: Own, panel: Panel, expert: Expert, *, regret: bool) -> float:
    """Return the least worst regret or loss of any rule: a linear program over tangents of the loss."""
    ones, zeros = weighted_laws(panel, expert)
    n, size = panel.n, panel.truthful + 1
    grid = np.unique(np.concatenate([np.linspace(0, 1, 101), np.geomspace(1e-4, 0.02, 12)]))
    step = 1e-7
    rows, right = [], []
    for offset, curve in ((n + 1, loss.curves[1]), (n + 1 + size, loss.curves[0])):
        for y in np.clip(grid, 2 * step, 1 - 2 * step):
            low, high = curve(np.array([y - step, y + step]))
            slope, height = (high - low) / (2 * step), (high + low) / 2
            for truthful, bribed in product(range(size), range(panel.k + 1)):
                row = np.zeros(n + 2 * size + 2)
                row[truthful + bribed], row[offset + truthful] = slope, -1
                rows.append(row)
                right.append(slope * y - height)
    least = benchmarks(loss, ones, zeros) if regret else np.zeros((len(ones), len(zeros)))
    for (i, one), (j, zero) in product(enumerate(ones), enumerate(zeros)):
        rows.append(np.concatenate([np.zeros(n + 1), one, zero, [-1]]))
        right.append(least[i, j])
    bounds = [(0, 1)] * (n + 1) + [(0, None)] * (2 * size) + [(None, None)]
    solved = linprog(rows[0] * 0 + np.eye(len(rows[0]))[-1], np.array(rows), right, bounds=bounds, method="highs")
    assert solved.success
    return float(solved.fun)


def games(number: int, seed: int) -> list[tuple[Panel, Expert]]:
    """Return random panels of up to six reporters, with rates that often are extreme."""
    rng = np.random.default_rng(seed)
    drawn: list[tuple[Panel, Expert]] = []
    while len(drawn) < number:
        n = int(rng.integers(2, 7))
        k = int(rng.integers(0, (n + 1) // 2))
        fpr, tpr = sorted(rng.random(2).round(2))
        drawn.append((Panel(n, k), Expert(round(rng.uniform(0.1, 0.9), 2), tpr, fpr)))
    return drawn


@by_name
def test_bayes_acts_are_least_on_a_grid(loss: Own) -> None:
    given_0, given_1 = (curve(GRID) for curve in loss.curves)
    for p in (0.0, 1e-6, 0.1, 0.25, 1 / 3, 0.5, 0.8, 0.999, 1.0):
        with np.errstate(invalid="ignore"):
            least = (np.nan_to_num(p * given_1) + (1 - p) * given_0)[1 if p > 0 else 0 :].min()
        act = loss.bayes_act(p)
        spent = (p * loss.value(act, 1) if p > 0 else 0) + (1 - p) * loss.value(act, 0)
        assert loss.bayes_risk(p) == pytest.approx(spent, abs=1e-15)
        assert least - 1e-3 <= loss.bayes_risk(p) <= least + 1e-12
    assert not loss.strictly_proper


def test_bayes_acts_of_powers_in_closed_form() -> None:
    p = np.linspace(0, 1, 21)
    for power in (1.25, 1.5, 2.0, 3.0, 5.0):
        loss = powers(power)
        root = 1 / (power - 1)
        acts = p**root / (p**root + (1 - p) ** root)
        assert loss.bayes_act(p) == pytest.approx(acts, abs=1e-6)
        assert loss.bayes_risk(p) == pytest.approx(p * (1 - acts) ** power + (1 - p) * acts**power, abs=1e-14)
        assert loss.strictly_proper == (power == 2)


def check_game(loss: Own, panel: Panel, expert: Expert, rng: np.random.Generator) -> bool:
    """Compare guarantees and a random rule's worst case with the oracles; return whether the guarantee is exact."""
    rule = optimal_aggregator(panel, expert, loss)
    for values in (rule.values, rng.random(panel.n + 1)):
        worst = worst_case(values, panel, expert, loss)
        regret, most = largest(loss, values, panel, expert)
        assert worst.largest_loss == pytest.approx(most, abs=1e-9)
        # The grid's benchmark is a little above the true one.
        assert regret - 1e-9 <= worst.regret <= regret + 1e-4
        assert worst.recheck().difference < 1e-12
    assert rule.guarantee is not None
    assert rule.guarantee.expected_loss == pytest.approx(worst_case(rule, panel, expert, loss).largest_loss, abs=1e-9)
    assert rule.guarantee.expected_loss == pytest.approx(least_worst(loss, panel, expert, regret=False), abs=1e-3)
    least = least_worst(loss, panel, expert, regret=True)
    if rule.guarantee.exact:
        assert rule.guarantee.regret == pytest.approx(least, abs=1e-3)
    assert rule.guarantee.regret >= least - 1e-3
    return rule.guarantee.exact


@by_name
def test_guarantees_are_those_of_a_linear_program(loss: Own) -> None:
    rng = np.random.default_rng(1)
    check_game(loss, Panel(5, 1), Expert(0.4, 0.9, 0.1), rng)
    check_game(loss, Panel(4, 0), Expert(0.3, 0.7, 0.4), rng)


@pytest.mark.slow
@by_name
def test_guarantees_of_many_games(loss: Own) -> None:
    rng = np.random.default_rng(2)
    exact = [check_game(loss, panel, expert, rng) for panel, expert in games(12, seed=3)]
    assert any(exact)


@pytest.mark.parametrize(("prior", "tpr", "fpr"), [(0.3, 0.7, 0.4), (0.5, 0.6, 0.5)])
def test_a_worst_case_without_adversaries_is_not_below_the_truth(prior: float, tpr: float, fpr: float) -> None:
    """The largest regret of the mean of three under the cubic loss: it was .267640 and .325013."""
    expected = {0.3: 0.2729719269360827, 0.5: 0.3259486351541422}[prior]
    assert worst_case(np.arange(4) / 3, Panel(3), Expert(prior, tpr, fpr), LOSSES[0]).regret == pytest.approx(expected)


def test_an_improper_loss_gets_its_own_optimal_rule() -> None:
    """With the posteriors .2353 and .8462 as ends the cubic loss was .10699, called exact."""
    guarantee = closed_form(Panel(10, 2), Expert(0.5, 0.8, 0.1), LOSSES[0]).guarantee
    assert guarantee is not None
    assert guarantee.regret == pytest.approx(0.0879288235)
    assert guarantee.exact


@pytest.mark.slow
def test_bounds_of_rates_and_prior_hold_for_improper_losses() -> None:
    interval, panel = ExpertInterval((0.2, 0.6), 0.8, 0.2), Panel(5, 1)
    for loss in LOSSES:
        rule = closed_form(panel, interval, loss)
        worst = worst_case(rule, panel, interval, loss).by_loss.largest_loss
        assert rule.guarantee is not None
        assert rule.guarantee.expected_loss == pytest.approx(worst, abs=1e-9)
        priors = np.linspace(0.2, 0.6, 9)
        best = max(
            closed_form(panel, Expert(float(prior), 0.8, 0.2), loss).guarantee.expected_loss  # type: ignore[union-attr]
            for prior in priors
        )
        assert best - 1e-9 <= rule.guarantee.expected_loss <= best + 3e-3


class Scaled(Squared):
    """Changes the losses of a strictly proper parent in one state, and so its Bayes acts."""

    def _given_0(self, forecast: Array) -> Array:
        return 3 * super()._given_0(forecast)


def test_a_subclass_that_changes_the_losses_inherits_no_bayes_acts() -> None:
    loss = Scaled()
    assert loss.bayes_act(0.3) == pytest.approx(0.3 / (0.3 + 3 * 0.7), abs=1e-7)
    assert not loss.strictly_proper
    with pytest.raises(ParameterError, match="no conic form"):
        minimax(Panel(5), Expert(0.5, 0.8, 0.1), loss)
    with pytest.raises(ParameterError, match="not defined for many states"):
        exact_minimax(conditionally_independent(truthful=1, accuracies=(1.0,)), 1, loss)


def test_a_strictly_proper_loss_is_recognised() -> None:
    def given_1(y: Array) -> Array:
        with np.errstate(divide="ignore"):
            return (1 - y) ** 2 - np.log(y)

    both = Own("squared and logarithmic", lambda y: given_1(1 - y), given_1)
    assert both.strictly_proper
    p = np.linspace(0, 1, 11)
    assert both.bayes_act(p).tolist() == p.tolist()
    assert breakdown_point(Expert(0.5, 0.75, 0.25), both) == breakdown_point(Expert(0.5, 0.75, 0.25), "squared")


def test_the_breakdown_point_of_an_absolute_loss_of_ones_own() -> None:
    expert = Expert(0.25, 0.9, 0.2)
    own, built_in = (breakdown_point(expert, loss) for loss in (LOSSES[3], "absolute"))
    assert own == pytest.approx(built_in, abs=1e-9)


@pytest.mark.slow
def test_breakdown_points_of_improper_losses() -> None:
    expert = Expert(0.25, 0.9, 0.2)
    for loss in LOSSES:
        share = breakdown_point(expert, loss)
        blind = loss.bayes_risk(expert.prior)
        for n, k in ((40, k) for k in range(0, 20, 4)):
            guarantee = closed_form(Panel(n, k), expert, loss).guarantee
            assert guarantee is not None
            if abs(k / n - share) > 1e-4:
                assert (guarantee.expected_loss < blind - 1e-13) == (k / n < share)
        k = max_adversaries(40, expert, loss)
        assert k / 40 < share or k == 0
        assert (k + 1) / 40 >= share - 1e-9


BAD: dict[str, tuple[Curve, str]] = {
    "not convex": (np.sqrt, "not convex"),
    "bent": (lambda y: np.minimum(y, 0.5 + 0.5 * y - 0.25), "not convex"),
    "falling": (lambda y: (1 - y) ** 2, "falls between"),
    "negative": (lambda y: y - 0.5, "is -0.5 at the forecast 0"),
    "not a number": (lambda y: y * np.nan, "is nan"),
    "infinite within": (lambda y: np.where(y > 0.75, np.inf, y), "infinite at the forecast 1 alone"),
    "infinite where right": (lambda y: y + np.inf, "infinite at the forecast 1 alone"),
    "shape": (lambda y: y[:3], "shape"),
}


@pytest.mark.parametrize("name", BAD)
def test_losses_that_are_none(name: str) -> None:
    curve, message = BAD[name]
    loss = Own(name, curve, lambda y: 1 - y)
    for act in (
        lambda: get_loss(loss),
        lambda: optimal_aggregator(Panel(5, 1), Expert(0.5, 0.8, 0.1), loss),
        lambda: worst_case([0.0, 0.5, 1.0], Panel(2), Expert(0.5, 0.8, 0.1), loss),
        lambda: breakdown_point(Expert(0.5, 0.8, 0.1), loss),
    ):
        with pytest.raises(ParameterError, match=message):
            act()


class Claims(Own):
    """A cubic loss that says what its Bayes acts are."""

    def __init__(self, act: Curve) -> None:
        super().__init__("claims", lambda y: y**3, lambda y: (1 - y) ** 3)
        self.act = act

    def bayes_act(self, probability: float | Array) -> float | Array:  # type: ignore[override]
        return self.act(np.asarray(probability))


def test_bayes_acts_that_a_loss_defines_are_checked() -> None:
    true = Claims(lambda p: np.sqrt(p) / (np.sqrt(p) + np.sqrt(1 - p)))
    assert get_loss(true) is true
    assert closed_form(Panel(10, 2), Expert(0.5, 0.8, 0.1), true).guarantee.regret == pytest.approx(  # type: ignore[union-attr]
        0.0879288235
    )
    with pytest.raises(ParameterError, match="bayes_act at probability"):
        get_loss(Claims(lambda p: p))
