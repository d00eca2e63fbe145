"""What bribes do to rules for votes and labels: forecasts of each class, and how far they are from the truth."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.report_matrix import ReportMatrix, histograms
from bribeproof.attacks.strategies import ABSENT
from bribeproof.attacks.weighted_rule import WeightedRule
from bribeproof.theory import Expert, ExpertInterval, Panel, closed_form, dictator_shares

Assumed: TypeAlias = "tuple[str, Callable[[int], int]]"
"""What is added to the name of a rule, and the k that it assumes, given the number of adversaries."""
Forecaster: TypeAlias = "Callable[[IntArray, int], FloatArray]"
"""Returns the forecast of each class, items by classes, from how often each was reported, and from k."""

_MOST_LOOKS = 2**62
_ROUNDING = 1e-12
TRUSTING: Assumed = ("", lambda _: 0)
"""What rules assume that trust everybody."""


@dataclass(frozen=True, slots=True)
class _Curve:
    """A rule that is attacked."""

    name: str
    forecast: Forecaster
    assumed: Callable[[int], int]
    """The k that the rule assumes, given the number of adversaries."""
    random: bool = False
    """Whether it decides by a draw, with the forecasts as chances."""


@dataclass(frozen=True, slots=True)
class _Cases:
    """Items that look the same: reports of each class before and now, the truth, and how many such items there are."""

    before: IntArray
    now: IntArray
    truth: IntArray
    items: IntArray

    @classmethod
    def of(cls, before: IntArray, now: IntArray, truth: IntArray) -> "_Cases":
        """Put items that look the same together, unless there are too many classes to number all looks."""
        looks = np.column_stack([before, now, truth - ABSENT])
        sizes = looks.max(axis=0) + 1
        items = np.ones(len(looks), np.int64)
        if math.prod(sizes.tolist()) < _MOST_LOOKS:
            look = np.ravel_multi_index(tuple(looks.T), tuple(sizes.tolist()))
            _, first, items = np.unique(look, return_index=True, return_counts=True)
            before, now, truth = before[first], now[first], truth[first]
        return cls(before, now, truth, items)

    def measure(self, curve: _Curve, k: int) -> tuple[float, ...]:
        """Return the share of certified items, the losses, the accuracy and the changes of one rule."""
        before, now = curve.forecast(self.before, k), curve.forecast(self.now, k)
        return _measure(before, now, _certified(self.now, k), self.truth, self.items, random=curve.random)


@dataclass(frozen=True, slots=True, eq=False)
class LabelCurves:
    """The rules, on one crowd.

    Attributes
    ----------
    sheet
        The honest reports.
    total
        How many reporters chose each class of each item.
    curves
        The rules that count heads.
    weighing
        The rule that weighs them, if it is wanted.
    weighed
        What that one assumes.
    """

    sheet: ReportMatrix
    total: IntArray
    curves: tuple[_Curve, ...]
    weighing: WeightedRule | None
    weighed: tuple[Assumed, ...]

    @classmethod
    def of(
        cls,
        kind: str,
        sheet: ReportMatrix,
        assumed: Sequence[Assumed],
        expert: Expert | ExpertInterval | None,
        weighing: WeightedRule | None,
    ) -> "LabelCurves":
        """List the rules for a kind of report."""
        names = (
            ("mean", "majority", "trimmed mean") if kind == "votes" else ("shares", "plurality", "k-ignorance shares")
        )
        protected: list[tuple[str, Forecaster, bool]] = [(names[2], _shares, False), ("random dictator", _shares, True)]
        if expert is not None:
            protected.insert(1, ("optimal", partial(_optimal, expert=expert, positive=sheet.positive), False))
        curves = [_Curve(names[0], _shares, TRUSTING[1]), _Curve(names[1], _most, TRUSTING[1])]
        curves += [_Curve(name + said, rule, k, random) for name, rule, random in protected for said, k in assumed]
        weighed = () if weighing is None else tuple(assumed)
        return cls(sheet, histograms(sheet.reports, sheet.classes), tuple(curves), weighing, weighed)

    def rules(self, count: int) -> list[tuple[str, int]]:
        """Return the name of each rule and the k that it assumes."""
        heads = [(curve.name, curve.assumed(count)) for curve in self.curves]
        return heads + [(f"weighed{said}", k(count)) for said, k in self.weighed]

    def measure(self, who: IntArray, said: ReportArray, count: int) -> list[tuple[float, ...]]:
        """Return for each rule the share of certified items and each measure, where some reporters say something."""
        own = histograms(self.sheet.reports[:, who], self.sheet.classes)
        seen = self.total - own + histograms(said, self.sheet.classes)
        cases = _Cases.of(self.total, seen, self.sheet.truth)
        found = [cases.measure(curve, curve.assumed(count)) for curve in self.curves]
        if self.weighing is not None:
            ballots, each = self.weighing.bribed(who, said), np.ones(len(said), np.int64)
            for _, assumed in self.weighed:
                k = assumed(count)
                now, certified = self.weighing.forecast(ballots, k)
                found.append(_measure(self.weighing.honest(k), now, certified, self.sheet.truth, each))
        return found


def _measure(
    before: FloatArray, now: FloatArray, certified: BoolArray, truth: IntArray, items: IntArray, *, random: bool = False
) -> tuple[float, ...]:
    """Return the share of certified items, the losses, the accuracy and the changes of forecasts for so many items."""
    known = np.where(truth == ABSENT, 0, items)
    right = np.arange(now.shape[1]) == truth[:, None]
    safe, absolute = _mean(certified, items), _mean(1 - (now * right).sum(axis=1), known)
    if random:
        return safe, absolute, absolute, 1 - absolute, _mean(np.abs(now - before).sum(axis=1) / 2, items)
    squared = _mean(((now - right) ** 2).sum(axis=1) / 2, known)
    accuracy = _mean((_top(now) * right).sum(axis=1), known)
    return safe, squared, absolute, accuracy, _mean(_decisions(now) != _decisions(before), items)


def _shares(histogram: IntArray, k: int) -> FloatArray:
    """Forecast the shares that are left when k reports of each class are ignored."""
    return np.where(_certified(histogram, k)[:, None], dictator_shares(histogram, k), 1 / histogram.shape[1])


def _most(histogram: IntArray, _: int) -> FloatArray:
    """Forecast the class that was reported most, equals equally."""
    return _top(histogram)


def _top(values: IntArray | FloatArray) -> FloatArray:
    """Share 1 among the largest values of each row; what differs by rounding alone is equal."""
    top = values >= values.max(axis=1, keepdims=True) - _ROUNDING
    shared: FloatArray = top / top.sum(axis=1, keepdims=True)
    return shared


def _optimal(histogram: IntArray, k: int, *, expert: Expert | ExpertInterval, positive: int) -> FloatArray:
    """Forecast what the optimal rule for the squared loss forecasts."""
    forecast = np.full(len(histogram), 0.5)
    votes = histogram.sum(axis=1)
    for size in np.unique(votes[_certified(histogram, k)]).tolist():
        here = votes == size
        forecast[here] = _values(size, k, expert)[histogram[here, positive]]
    sides = np.empty(histogram.shape)
    sides[:, positive], sides[:, 1 - positive] = forecast, 1 - forecast
    return sides


@lru_cache(maxsize=1024)
def _values(votes: int, k: int, expert: Expert | ExpertInterval) -> FloatArray:
    """Return the forecasts of the optimal rule for so many votes."""
    return closed_form(Panel(votes, k), expert, "squared").values


def _certified(histogram: IntArray, k: int) -> BoolArray:
    """Say which items have enough reports."""
    enough: BoolArray = histogram.sum(axis=1) > 2 * k
    return enough


def _decisions(forecast: FloatArray) -> IntArray:
    """Return the class with the highest forecast; ABSENT where several have it."""
    top = _top(forecast)
    return np.where(top.max(axis=1) == 1, top.argmax(axis=1), ABSENT)


def _mean(values: FloatArray | BoolArray, items: IntArray) -> float:
    """Return the mean over items of a value that each case has."""
    return float(values @ items) / float(items.sum())
