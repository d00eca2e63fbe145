"""Rules under pairs for crowds with gold items: their forecasts, what they promise, and what one more liar can do.

The loss of several classes is half of the sum over classes of the squared loss of each against the others. The rule of
each class against the others is found on its own; half of the sum of their promises is the promise, and moving the
forecasts to the nearest probabilities never increases the loss. Of m > 2 classes each takes an m-th of the risk.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

import bribeproof as bp
from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory import ExpertInterval, Panel, optimal_aggregator
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound
from bribeproof.theory.inference.error_rates import split_risk
from bribeproof.theory.pairwise.weighted_rule import WeightedRule, weighted_rule
from bribeproof.weighting.learn import DEFAULT_SPREAD, Ballots, limits_of
from crowd_sets import Crowd

Moments: TypeAlias = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""The ends of the prior; the means of the weight that errs given state 1 and 0; the means of its square."""
CELLS = 200
_STEPS = 15
"""The largest share of weight that k reporters hold on an item is rounded up to so many steps."""
_MOST_HELD = 0.49


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Reports as arrays, sorted by task; the true class of each task, -1 if unknown; and which tasks are gold."""

    ballots: Ballots
    tasks: list[Any]
    workers: list[Any]
    classes: list[Any]
    truth: IntArray
    gold: BoolArray

    @classmethod
    def of(cls, crowd: Crowd) -> "Table":
        """Return the arrays of a crowd."""
        tasks = crowd.votes["task"].unique(maintain_order=True).to_list()
        workers, classes = sorted(crowd.votes["worker"].unique().to_list()), crowd.classes
        task, worker, label = (
            crowd.votes[name].replace_strict(dict(zip(names, range(len(names)), strict=True))).to_numpy()
            for name, names in (("task", tasks), ("worker", workers), ("label", classes))
        )
        order, numbers = np.argsort(task, kind="stable"), (len(tasks), len(workers), len(classes))
        place = {name: index for index, name in enumerate(classes)}
        truth = np.array([place.get(crowd.truth.get(name), -1) for name in tasks])
        gold = np.array([name in crowd.gold for name in tasks])
        return cls(Ballots(task[order], worker[order], label[order], *numbers), tasks, workers, classes, truth, gold)

    @property
    def sides(self) -> list[int]:
        """The classes that have a rule against the others: of two classes one is enough."""
        return [1] if len(self.classes) == 2 else list(range(len(self.classes)))

    def weights(self, crowd: Crowd, gold: dict[Any, Any], k: int, spread: float) -> FloatArray:
        """Return the weights of the reports that `weigh` learns from agreement and gold items."""
        found = bp.weigh(crowd.votes, k, truth=gold, classes=crowd.classes, weight_spread=spread).reporters
        of_worker = dict(found.select("reporter", "weight").iter_rows())
        weights = np.array([of_worker[name] for name in self.workers])
        return self.ballots.cap(weights, limits_of(self.ballots.sizes, k, spread))

    def prior(self, side: int) -> float:
        """Return the share of a class among gold items, with one more item of each class."""
        known = self.truth[self.gold]
        return float(((known == side).sum() + 1) / (len(known) + len(self.classes)))


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The forecasts of a rule, what it promises on average over some tasks, and what one more liar can do to it.

    Attributes
    ----------
    forecast
        Tasks by classes.
    promise
        The promised loss; None if there is none.
    counted
        The tasks that the promise speaks for.
    turned
        For each report and class: the forecast of its task if this report denies the truth.
    """

    forecast: FloatArray
    promise: float | None
    counted: BoolArray
    turned: FloatArray

    def loss(self, table: Table, measured: BoolArray) -> float:
        """Return the mean loss on tasks."""
        return float(self._losses(table, self.forecast, np.arange(len(table.tasks)))[measured].mean())

    def worst(self, table: Table, measured: BoolArray) -> float:
        """Return the mean loss if that reporter lies everywhere whose lies cost most."""
        before = self._losses(table, self.forecast, np.arange(len(table.tasks)))
        after = self._losses(table, self.turned, table.ballots.item)
        extra = np.where(measured[table.ballots.item], after - before[table.ballots.item], 0.0)
        worst = np.bincount(table.ballots.reporter, np.maximum(extra, 0.0)).max()
        return float((before[measured].sum() + worst) / measured.sum())

    @staticmethod
    def _losses(table: Table, forecast: FloatArray, tasks: IntArray) -> FloatArray:
        true = table.truth[tasks][:, None] == np.arange(len(table.classes))
        return np.asarray(((to_probabilities(forecast) - true) ** 2).sum(axis=1) / 2)


def to_probabilities(forecast: FloatArray) -> FloatArray:
    """Return the nearest probabilities to each row."""
    falling = -np.sort(-forecast, axis=1)
    over = (np.cumsum(falling, axis=1) - 1) / np.arange(1, forecast.shape[1] + 1)
    last = (falling > over).sum(axis=1) - 1
    found: FloatArray = np.maximum(forecast - over[np.arange(len(forecast)), last][:, None], 0.0)
    return found


def calibrated(crowd: Crowd, k: int, confidence: float | None = None) -> Found:
    """Return the rule of `calibrate` for each class; without a confidence the one that decisions are made with.

    That is the rule for bounds at even odds or, where this does not depend on the reports, for what is observed.
    """
    table = Table.of(crowd)
    sizes = table.ballots.sizes
    most = confidence if confidence is not None else 0.5
    rules: dict[int, dict[int, FloatArray]] = {}
    promise: float | None = 0.0
    for side in table.sides:
        level = 1 - (1 - most) / len(table.sides)
        found = bp.calibrate(crowd.votes, crowd.gold, k=k, confidence=level, positive=table.classes[side])
        expert = found.expert
        if confidence is None and np.ptp(found.aggregator().values) < 1e-6:
            expert = found.gold.observed_interval(found.panel)
            ends = (expert.highest_tpr, expert.lowest_fpr)
            expert = ExpertInterval((table.prior(side),) * 2, expert.tpr, expert.fpr, *ends, expert.joint_error_rates)
        rules[side] = {
            m: np.asarray(optimal_aggregator(Panel(m, k), expert).values) for m in np.unique(sizes) if m > 2 * k
        }
        if confidence is not None and promise is not None:
            promise = promise + found.guarantee().expected_loss if found.certified else None

    def forecast(side: int, counts: FloatArray, tasks: IntArray) -> FloatArray:
        acts = np.full(len(tasks), table.prior(side))
        for m, values in rules[side].items():
            acts[sizes[tasks] == m] = values[counts[sizes[tasks] == m].astype(int)]
        return acts

    ones = np.ones(len(table.ballots.item))
    return _found(table, table.ballots.shares(ones), ones, forecast, promise, sizes > 2 * k)


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A crowd with weights for at most k bribed; for each class its share on gold items, which had no part in these."""

    table: Table
    k: int
    weights: FloatArray
    measured: FloatArray

    @classmethod
    def of(cls, crowd: Crowd, k: int) -> "Weighed":
        """Learn the weights from agreement and gold items, and for the shares from the other half of the gold items.

        With k = 0 hardly any limit of the weights is needed, since what errs is measured; else that of `weigh` keeps
        small what k of an item hold.
        """
        spread = DEFAULT_SPREAD if k else 0.99
        table, halves = Table.of(crowd), list(crowd.gold.items())
        measured = np.full((len(table.tasks), len(table.classes)), np.nan)
        for learned, other in ((halves[::2], halves[1::2]), (halves[1::2], halves[::2])):
            names = dict(other)
            chosen = np.array([name in names for name in table.tasks])
            measured[chosen] = table.ballots.shares(table.weights(crowd, dict(learned), k, spread))[chosen]
        return cls(table, k, table.weights(crowd, crowd.gold, k, spread), measured)


def under_pairs(weighed: Weighed, confidence: float | None = None) -> Found:
    """Return the rule for the share of weight, with the weight that errs measured on gold items.

    Without a confidence: the rule for the means that are observed, and one more gold item on which half of the weight
    errs, with one for each largest share of weight that k reporters may hold. Of several classes, which have few gold
    items each, all are measured together. With a confidence: the rule for bounds, for the tasks where k hold no more
    than on nine of ten.
    """
    table, weights, measured, k = weighed.table, weighed.weights, weighed.measured, weighed.k
    held = table.ballots.heaviest(weights, k)
    possible = (table.ballots.total(weights) > 0) & (held <= _MOST_HELD)
    steps = np.ceil(held * _STEPS - 1e-9) / _STEPS
    if confidence is not None:
        limit = np.quantile(held[possible], 0.9, method="inverted_cdf") if possible.any() else 0.0
        possible &= held <= limit + 1e-9
        steps = np.full(len(held), min(limit + 1e-9, _MOST_HELD) if k else 0.0)
    levels = np.unique(steps[possible & (steps <= _MOST_HELD)])
    rules: dict[int, dict[float, WeightedRule]] = {}
    promise: float | None = 0.0 if levels.size else None
    for side in table.sides:
        if confidence is None:
            bounds = _observed(table, side, measured)
        else:
            bounds = _bounds(table, side, measured[:, side], (1 - confidence) / len(table.sides))
        rules[side] = {level: _rule(level, *bounds) for level in levels}
        if promise is not None and confidence is not None:
            promise += rules[side][levels[0]].expected_loss

    def forecast(side: int, shares: FloatArray, tasks: IntArray) -> FloatArray:
        acts = np.full(len(tasks), table.prior(side))
        for level, rule in rules[side].items():
            here = possible[tasks] & (steps[tasks] == level)
            acts[here] = rule(shares[here])
        return acts

    return _found(table, table.ballots.shares(weights), weights, forecast, promise, possible)


def _found(
    table: Table,
    shares: FloatArray,
    part: FloatArray,
    forecast: Callable[[int, FloatArray, IntArray], FloatArray],
    promise: float | None,
    counted: BoolArray,
) -> Found:
    """Return the forecasts of all classes, and those where one report is turned against the truth."""
    every, task = np.arange(len(table.tasks)), table.ballots.item
    acts, turned = np.zeros((len(every), len(table.classes))), np.zeros((len(task), len(table.classes)))
    true, label = table.truth[task], table.ballots.label
    wrong = (true + 1) % len(table.classes)  # of several classes: one that is wrong; others may cost a little more
    said = np.where(label == true, wrong, label)
    for side in table.sides:
        acts[:, side] = forecast(side, shares[:, side], every)
        change = (said == side).astype(float) - (label == side)
        turned[:, side] = forecast(side, np.clip(shares[task, side] + change * part, 0.0, None), task)
    if len(table.classes) == 2:
        acts[:, 0], turned[:, 0] = 1 - acts[:, 1], 1 - turned[:, 1]
    half = 1 if len(table.classes) == 2 else 2
    return Found(acts, None if promise is None else promise / half, counted, turned)


def _observed(table: Table, side: int, measured: FloatArray) -> Moments:
    """Return the prior, and the mean of the weight that errs and of its square given each state."""
    seen = ~np.isnan(measured[:, 0])
    true = table.truth[seen][:, None] == np.arange(len(table.classes))
    chosen = [side] if len(table.classes) == 2 else table.sides
    said, is_true = measured[seen][:, chosen], true[:, chosen]
    means: list[float] = []
    squares: list[float] = []
    for wrong in (1 - said[is_true], said[~is_true]):
        for values, found in ((wrong, means), (wrong**2, squares)):
            half = 0.5 if found is means else 0.25
            found.append(round(float((values.sum() + half) / (len(values) + 1)), 3))
    return (round(table.prior(side), 4),) * 2, (means[0], means[1]), (squares[0], squares[1])


def _bounds(table: Table, side: int, measured: FloatArray, risk: float) -> Moments:
    """Return bounds of the prior, and of the mean of the weight that errs and of its square given each state."""
    means: list[float] = []
    squares: list[float] = []
    seen = ~np.isnan(measured)
    known, (of_prior, of_state) = table.truth[seen] == side, split_risk(1 - risk, known_prior=False)
    for state in (True, False):
        wrong = np.clip(np.abs(measured[seen][known == state] - state), 0, 1)
        for values, found in ((wrong, means), (wrong**2, squares)):
            found.append(1 - mean_lower_bound(np.ones(len(values), np.int64), 1 - values, of_state / 2))
    low, high = clopper_pearson(int(known.sum()), len(known), 1 - of_prior)
    return (float(low), float(high)), (means[0], means[1]), (squares[0], squares[1])


@lru_cache(maxsize=4096)
def _rule(
    held: float, prior: tuple[float, float], means: tuple[float, float], squares: tuple[float, float]
) -> WeightedRule:
    """Return the rule for such bounds."""
    return weighted_rule(prior, held, means, squares, cells=CELLS)
