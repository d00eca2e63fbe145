"""Measure rules for scores under attack: their estimates, losses and changed places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.arrays.api import trimmed_mean
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.label_rules import TRUSTING, AssumedK
from bribeproof.attacks.report_matrix import ReportMatrix

_DIGITS = 12
Estimator: TypeAlias = "Callable[[FloatArray, int], FloatArray]"
"""Returns the estimate of each item from the scores, items by reporters, and k; NaN without scores."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCurves:
    """The rules for scores, on one matrix of reports.

    Attributes
    ----------
    matrix
        The honest scores; estimates are compared with its `truth`.
    curves
        The name of each rule, the rule, and the k that it assumes, given the number of adversaries.
    lowest_first
        Whether the lowest score is the best.
    """

    matrix: ReportMatrix
    curves: tuple[tuple[str, Estimator, Callable[[int], int]], ...]
    lowest_first: bool = False

    @classmethod
    def of(cls, matrix: ReportMatrix, assumed: Sequence[AssumedK], *, lowest_first: bool = False) -> "ScoreCurves":
        """Return the rules for a matrix of scores."""
        trusting: list[tuple[str, Estimator]] = [("mean", trimmed_mean), ("median", _median)]
        curves = [(name, rule, TRUSTING[1]) for name, rule in trusting]
        trimmed = (("trimmed mean" + suffix, _trimmed_mean, k) for suffix, k in assumed)
        return cls(matrix, (*curves, *trimmed), lowest_first)

    def rules(self, count: int) -> list[tuple[str, int]]:
        """Return the name of each rule and the k that it assumes."""
        return [(name, assumed(count)) for name, _, assumed in self.curves]

    def measure(self, adversaries: IntArray, lies: ReportArray, count: int) -> list[tuple[float, ...]]:
        """Return for each rule the share of certified items and each measure; as `LabelCurves.measure`."""
        attacked = self.matrix.reports.copy()
        attacked[:, adversaries] = lies
        return [self._measure(rule, attacked, assumed(count)) for _, rule, assumed in self.curves]

    def _measure(self, rule: Estimator, attacked: FloatArray, k: int) -> tuple[float, ...]:
        """Return the measures of one rule; the accuracy is NaN."""
        before, now = rule(self.matrix.reports, k), rule(attacked, k)
        errors = now - self.matrix.truth
        errors = errors[~np.isnan(errors)]
        certified = (~np.isnan(attacked)).sum(axis=1) > 2 * k
        squared, absolute = (float(loss.mean()) if len(loss) else np.nan for loss in (errors**2, np.abs(errors)))
        sign = -1.0 if self.lowest_first else 1.0
        changed = float((_ranks(sign * now) != _ranks(sign * before)).mean())
        return float(certified.mean()), squared, absolute, np.nan, changed


def _median(scores: FloatArray, _: int) -> FloatArray:
    """Return the median of each item's scores, whatever k is; NaN without scores."""
    medians = np.full(len(scores), np.nan)
    scored = ~np.isnan(scores).all(axis=1)
    medians[scored] = np.nanmedian(scores[scored], axis=1)
    return medians


def _trimmed_mean(scores: FloatArray, k: int) -> FloatArray:
    """Return the k-trimmed mean of each item, or the median of 2k scores or fewer."""
    means = trimmed_mean(scores, k)
    return np.where(np.isnan(means), _median(scores, k), means)


def _ranks(estimates: FloatArray) -> IntArray:
    """Return the rank of each item, 1 for the highest, the best rank for equals, 0 without an estimate.

    Estimates that differ only by rounding are equal.
    """
    values = estimates[~np.isnan(estimates)]
    largest = np.abs(values).max(initial=0.0)
    if largest > 0:
        estimates = np.round(estimates / largest, _DIGITS)
        values = estimates[~np.isnan(estimates)]
    higher = len(values) - np.searchsorted(np.sort(values), estimates, side="right")
    return np.where(np.isnan(estimates), 0, 1 + higher)
