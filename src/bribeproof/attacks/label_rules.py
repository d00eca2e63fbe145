"""Measure rules for votes and labels under attack: their forecasts of each class, losses and changed decisions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.calibrated_rule import CalibratedRule
from bribeproof.attacks.recommendation import CALIBRATED
from bribeproof.attacks.report_matrix import ReportMatrix, histograms
from bribeproof.attacks.strategies import ABSENT
from bribeproof.attacks.weighted_rule import WeightedRule
from bribeproof.theory import Expert, ExpertInterval, Panel, Worth, closed_form, dictator_shares

AssumedK: TypeAlias = "tuple[str, Callable[[int], int]]"
"""The suffix of the name of a rule, and the k that it assumes given the number of adversaries."""
Forecaster: TypeAlias = "Callable[[IntArray, int], FloatArray]"
"""Returns the forecast of each class, items by classes, from the counts of the classes and k."""

WORST_CASE = "worst-case rule"
"""The name of the rule that is optimal for an expert in the worst case."""
_MOST_GROUPS = 2**62
_ROUNDING = 1e-12
TRUSTING: AssumedK = ("", lambda _: 0)
"""The assumption of rules without protection."""


@dataclass(frozen=True, slots=True)
class _Curve:
    """A rule under attack."""

    name: str
    forecast: Forecaster
    assumed: Callable[[int], int]
    """The k that the rule assumes, given the number of adversaries."""
    random: bool = False
    """Whether it draws its decision, with the forecasts as probabilities."""


@dataclass(frozen=True, slots=True)
class _Cases:
    """Groups of equal items: the counts of each class before and after the attack, the truth, and their number."""

    before: IntArray
    now: IntArray
    truth: IntArray
    items: IntArray

    @classmethod
    def of(cls, before: IntArray, now: IntArray, truth: IntArray) -> "_Cases":
        """Group equal items, unless there are too many classes to number all combinations."""
        columns = np.column_stack([before, now, truth - ABSENT])
        sizes = columns.max(axis=0) + 1
        items = np.ones(len(columns), np.int64)
        if math.prod(sizes.tolist()) < _MOST_GROUPS:
            group = np.ravel_multi_index(tuple(columns.T), tuple(sizes.tolist()))
            _, first, items = np.unique(group, return_index=True, return_counts=True)
            before, now, truth = before[first], now[first], truth[first]
        return cls(before, now, truth, items)

    def measure(self, curve: _Curve, k: int) -> tuple[float, ...]:
        """Return the share of certified items, the losses, the accuracy and the changes of one rule."""
        before, now = curve.forecast(self.before, k), curve.forecast(self.now, k)
        return _measure(before, now, _certified(self.now, k), self.truth, self.items, random=curve.random)


@dataclass(frozen=True, slots=True, eq=False)
class LabelCurves:
    """The rules for votes or labels, on one matrix of reports.

    Attributes
    ----------
    matrix
        The honest reports.
    total
        The number of reports of each class, items by classes.
    counting
        The rules that count reports.
    weighted
        The rule with learned weights, if it is asked for.
    weighted_k
        What that rule assumes.
    calibrated
        The rule that fits gold items, if there are two classes and a truth.
    calibrated_k
        What that rule assumes.
    """

    matrix: ReportMatrix
    total: IntArray
    counting: tuple[_Curve, ...]
    weighted: WeightedRule | None
    weighted_k: tuple[AssumedK, ...]
    calibrated: CalibratedRule | None
    calibrated_k: tuple[AssumedK, ...]

    @classmethod
    def of(
        cls,
        kind: str,
        matrix: ReportMatrix,
        assumed: Sequence[AssumedK],
        expert: Expert | ExpertInterval | None,
        weighted: WeightedRule | None,
        calibrated: CalibratedRule | None,
    ) -> "LabelCurves":
        """Return the rules for a kind of report; the calibrated one does not assume half or twice the true k."""
        names = (
            ("mean", "majority", "trimmed mean") if kind == "votes" else ("shares", "plurality", "k-ignorance shares")
        )
        protected: list[tuple[str, Forecaster, bool]] = [(names[2], _shares, False), ("random dictator", _shares, True)]
        if expert is not None:
            protected.insert(1, (WORST_CASE, partial(_worst_case, expert=expert, positive=matrix.positive), False))
        curves = [_Curve(names[0], _shares, TRUSTING[1]), _Curve(names[1], _most, TRUSTING[1])]
        curves += [_Curve(name + suffix, rule, k, random) for name, rule, random in protected for suffix, k in assumed]
        total = histograms(matrix.reports, matrix.classes)
        fitted = () if calibrated is None else tuple(one for one in assumed if one[0] not in (", k/2", ", 2k"))
        return cls(
            matrix, total, tuple(curves), weighted, () if weighted is None else tuple(assumed), calibrated, fitted
        )

    def rules(self, count: int) -> list[tuple[str, int]]:
        """Return the name of each rule and the k that it assumes."""
        calibrated = [(f"{CALIBRATED}{suffix}", k(count)) for suffix, k in self.calibrated_k]
        counting = [(curve.name, curve.assumed(count)) for curve in self.counting]
        return calibrated + counting + [(f"weighed{suffix}", k(count)) for suffix, k in self.weighted_k]

    def measure(
        self, adversaries: IntArray, lies: ReportArray, count: int, *, fitting: bool = True
    ) -> list[tuple[float, ...]]:
        """Return for each rule the share of certified items and each measure under an attack.

        Parameters
        ----------
        adversaries
            The columns of the adversaries.
        lies
            Their reports, items by adversaries.
        count
            The number of adversaries, from which rules compute the k that they assume.
        fitting
            Whether the calibrated rule is fitted, which takes long; otherwise its measures are NaN.
        """
        own = histograms(self.matrix.reports[:, adversaries], self.matrix.classes)
        attacked = self.total - own + histograms(lies, self.matrix.classes)
        cases = _Cases.of(self.total, attacked, self.matrix.truth)
        each = np.ones(len(lies), np.int64)
        measures: list[tuple[float, ...]] = []
        if self.calibrated is not None and not fitting:
            measures += [(np.nan,) * 5] * len(self.calibrated_k)
        elif self.calibrated is not None:
            reports = self.calibrated.bribed(adversaries, lies)
            for _, assumed in self.calibrated_k:
                k = assumed(count)
                now, certified = self.calibrated.forecast(reports, k)
                measures.append(_measure(self.calibrated.honest(k), now, certified, self.matrix.truth, each))
        measures += [cases.measure(curve, curve.assumed(count)) for curve in self.counting]
        if self.weighted is not None:
            ballots = self.weighted.bribed(adversaries, lies)
            for _, assumed in self.weighted_k:
                k = assumed(count)
                now, certified = self.weighted.forecast(ballots, k)
                measures.append(_measure(self.weighted.honest(k), now, certified, self.matrix.truth, each))
        return measures

    @property
    def fitted(self) -> bool:
        """Whether some rule is fitted to the reports of each attack, which takes longer than everything else."""
        return self.calibrated is not None or self.weighted is not None

    def forget_fits(self) -> None:
        """Forget what was fitted to attacks that have been measured; what was fitted to honest reports is kept."""
        if self.calibrated is not None:
            self.calibrated.forget_fits()

    def worths(self, adversaries: IntArray, lies: ReportArray, count: int) -> list[tuple[Worth, float] | None]:
        """Return what each calibrated rule guarantees under an attack, where it assumes as many bribed or more."""
        if self.calibrated is None:
            return []
        reports = self.calibrated.bribed(adversaries, lies)
        assumed = [k(count) for _, k in self.calibrated_k]
        return [self.calibrated.worth(reports, k) if k >= count else None for k in assumed]


def _measure(
    before: FloatArray, now: FloatArray, certified: BoolArray, truth: IntArray, items: IntArray, *, random: bool = False
) -> tuple[float, ...]:
    """Return the share of certified items and the measures of forecasts, averaged over groups of so many items."""
    with_truth = np.where(truth == ABSENT, 0, items)
    right = np.arange(now.shape[1]) == truth[:, None]
    safe, absolute = _mean(certified, items), _mean(1 - (now * right).sum(axis=1), with_truth)
    if random:
        return safe, absolute, absolute, 1 - absolute, _mean(np.abs(now - before).sum(axis=1) / 2, items)
    squared = _mean(((now - right) ** 2).sum(axis=1) / 2, with_truth)
    accuracy = _mean((_top(now) * right).sum(axis=1), with_truth)
    return safe, squared, absolute, accuracy, _mean(_decisions(now) != _decisions(before), items)


def _shares(histogram: IntArray, k: int) -> FloatArray:
    """Return the shares of the classes after k reports of each are ignored."""
    return np.where(_certified(histogram, k)[:, None], dictator_shares(histogram, k), 1 / histogram.shape[1])


def _most(histogram: IntArray, _: int) -> FloatArray:
    """Return 1 for the most frequent class, shared between equals."""
    return _top(histogram)


def _top(values: IntArray | FloatArray) -> FloatArray:
    """Return 1 for the largest value of each row, shared between values that are equal up to rounding."""
    top = values >= values.max(axis=1, keepdims=True) - _ROUNDING
    shared: FloatArray = top / top.sum(axis=1, keepdims=True)
    return shared


def _worst_case(histogram: IntArray, k: int, *, expert: Expert | ExpertInterval, positive: int) -> FloatArray:
    """Return the forecasts of the rule that is optimal for an expert in the worst case, under the squared loss."""
    forecast = np.full(len(histogram), 0.5)
    votes = histogram.sum(axis=1)
    for size in np.unique(votes[_certified(histogram, k)]).tolist():
        items = votes == size
        forecast[items] = _values(size, k, expert)[histogram[items, positive]]
    sides = np.empty(histogram.shape)
    sides[:, positive], sides[:, 1 - positive] = forecast, 1 - forecast
    return sides


@lru_cache(maxsize=1024)
def _values(votes: int, k: int, expert: Expert | ExpertInterval) -> FloatArray:
    """Return the forecast of that rule for each number of positive votes."""
    return closed_form(Panel(votes, k), expert, "squared").values


def _certified(histogram: IntArray, k: int) -> BoolArray:
    """Return which items have more than 2k reports."""
    enough: BoolArray = histogram.sum(axis=1) > 2 * k
    return enough


def _decisions(forecast: FloatArray) -> IntArray:
    """Return the class with the highest forecast, ABSENT if several have it."""
    top = _top(forecast)
    return np.where(top.max(axis=1) == 1, top.argmax(axis=1), ABSENT)


def _mean(values: FloatArray | BoolArray, items: IntArray) -> float:
    """Return the mean over items of a value per group."""
    return float(values @ items) / float(items.sum())
