"""Attack the rule of `weigh`, which learns the weights of reporters."""

from dataclasses import dataclass, field

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.report_matrix import ReportMatrix
from bribeproof.attacks.strategies import ABSENT
from bribeproof.frames.label_classes import UNKNOWN
from bribeproof.weighting.decide import truncate
from bribeproof.weighting.learn import DEFAULT_SPREAD, Ballots, learn_weights, limits_of


@dataclass(frozen=True, slots=True, eq=False)
class WeightedRule:
    """The rule of `weigh` with its default weight spread, on one matrix of reports.

    Attributes
    ----------
    matrix
        The honest reports.
    truth
        The class of each gold item, UNKNOWN for the others; None to learn from agreement alone.
    """

    matrix: ReportMatrix
    truth: IntArray | None
    _honest: dict[int, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, matrix: ReportMatrix, *, gold: bool) -> "WeightedRule":
        """Return the rule; it learns from gold items too, if asked to and some have a known truth."""
        usable = matrix.gold & (matrix.truth != UNKNOWN)
        return cls(matrix, np.where(usable, matrix.truth, UNKNOWN) if gold and usable.any() else None)

    def honest(self, k: int) -> FloatArray:
        """Return the forecast of each class without adversaries, items by classes."""
        if k not in self._honest:
            self._honest[k], _ = self.forecast(self._ballots(self.matrix.reports), k)
        return self._honest[k]

    def bribed(self, adversaries: IntArray, lies: ReportArray) -> Ballots:
        """Return the ballots after an attack."""
        reports = self.matrix.reports.copy()
        reports[:, adversaries] = lies
        return self._ballots(reports)

    def forecast(self, ballots: Ballots, k: int) -> tuple[FloatArray, BoolArray]:
        """Return the forecast of each class, items by classes, and which items have more than 2k reports."""
        limits = limits_of(ballots.sizes, k, DEFAULT_SPREAD)
        capped = ballots.cap(learn_weights(ballots, limits, self.truth).weights, limits)
        left = truncate(ballots.shares(capped), k * limits)
        certified = ballots.sizes > 2 * k
        decided = certified & left.any(axis=1)
        return np.where(decided[:, None], left, 1 / self.matrix.classes), certified

    def _ballots(self, reports: ReportArray) -> Ballots:
        """Return the reports that are not missing as ballots."""
        item, reporter = np.nonzero(reports != ABSENT)
        items, reporters = reports.shape
        return Ballots(item, reporter, reports[item, reporter], items, reporters, self.matrix.classes)
