"""What bribes do to rules for scores: estimates, and how far they are from the truth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.arrays.api import trimmed_mean
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.label_rules import TRUSTING, Assumed
from bribeproof.attacks.report_matrix import ReportMatrix

_DIGITS = 12
Estimator: TypeAlias = "Callable[[FloatArray, int], FloatArray]"
"""Returns the estimate of each item from the scores, items by reporters, and from k; NaN without scores."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCurves:
    """The rules, on one sheet of scores.

    Attributes
    ----------
    sheet
        The honest scores; their `truth` is what estimates are compared with.
    curves
        The name of each rule, the rule, and the k that it assumes, given the number of adversaries.
    """

    sheet: ReportMatrix
    curves: tuple[tuple[str, Estimator, Callable[[int], int]], ...]

    @classmethod
    def of(cls, sheet: ReportMatrix, assumed: Sequence[Assumed]) -> "ScoreCurves":
        """List the rules."""
        trusting: list[tuple[str, Estimator]] = [("mean", trimmed_mean), ("median", _median)]
        curves = [(name, rule, TRUSTING[1]) for name, rule in trusting]
        return cls(sheet, (*curves, *(("trimmed mean" + said, _truncated, k) for said, k in assumed)))

    def rules(self, count: int) -> list[tuple[str, int]]:
        """Return the name of each rule and the k that it assumes."""
        return [(name, assumed(count)) for name, _, assumed in self.curves]

    def measure(self, who: IntArray, said: ReportArray, count: int) -> list[tuple[float, ...]]:
        """Return for each rule the share of certified items and each measure, where some reporters say something."""
        seen = self.sheet.reports.copy()
        seen[:, who] = said
        return [self._one(rule, seen, assumed(count)) for _, rule, assumed in self.curves]

    def _one(self, rule: Estimator, seen: FloatArray, k: int) -> tuple[float, ...]:
        """Measure one rule; there is no accuracy."""
        before, now = rule(self.sheet.reports, k), rule(seen, k)
        wrong = now - self.sheet.truth
        wrong = wrong[~np.isnan(wrong)]
        certified = (~np.isnan(seen)).sum(axis=1) > 2 * k
        squared, absolute = (float(loss.mean()) if len(loss) else np.nan for loss in (wrong**2, np.abs(wrong)))
        return float(certified.mean()), squared, absolute, np.nan, float((_places(now) != _places(before)).mean())


def _median(scores: FloatArray, _: int) -> FloatArray:
    """Return the median of each item's scores, whatever k is; NaN without scores."""
    found = np.full(len(scores), np.nan)
    known = ~np.isnan(scores).all(axis=1)
    found[known] = np.nanmedian(scores[known], axis=1)
    return found


def _truncated(scores: FloatArray, k: int) -> FloatArray:
    """Return the k-trimmed mean, and the median where 2k scores or fewer leave nothing else."""
    found = trimmed_mean(scores, k)
    return np.where(np.isnan(found), _median(scores, k), found)


def _places(estimates: FloatArray) -> IntArray:
    """Return the place of each item in the ranking, 1 the highest, equals sharing the best; 0 without an estimate.

    What differs by rounding alone is equal.
    """
    known = estimates[~np.isnan(estimates)]
    largest = np.abs(known).max(initial=0.0)
    if largest > 0:
        estimates = np.round(estimates / largest, _DIGITS)
        known = estimates[~np.isnan(estimates)]
    higher = len(known) - np.searchsorted(np.sort(known), estimates, side="right")
    return np.where(np.isnan(estimates), 0, 1 + higher)
