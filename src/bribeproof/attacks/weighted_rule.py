"""What bribes do to a rule that learns whose word is worth more."""

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
    """The rule of `weigh` with its default weight_spread, on one crowd.

    Attributes
    ----------
    sheet
        The honest reports.
    truth
        The class of each gold item, UNKNOWN for the others; None to learn from agreement alone.
    """

    sheet: ReportMatrix
    truth: IntArray | None
    _honest: dict[int, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, sheet: ReportMatrix, *, gold: bool) -> "WeightedRule":
        """Learn from the gold items of a sheet as well, if there are any with a known truth."""
        known = sheet.gold & (sheet.truth != UNKNOWN)
        return cls(sheet, np.where(known, sheet.truth, UNKNOWN) if gold and known.any() else None)

    def honest(self, k: int) -> FloatArray:
        """Forecast each class without adversaries, items by classes."""
        if k not in self._honest:
            self._honest[k], _ = self.forecast(self._ballots(self.sheet.reports), k)
        return self._honest[k]

    def bribed(self, who: IntArray, said: ReportArray) -> Ballots:
        """Return the ballots where some reporters say something else."""
        reports = self.sheet.reports.copy()
        reports[:, who] = said
        return self._ballots(reports)

    def forecast(self, ballots: Ballots, k: int) -> tuple[FloatArray, BoolArray]:
        """Forecast each class of each item, all the same where nothing is left; which have more than 2k reports."""
        limits = limits_of(ballots.sizes, k, DEFAULT_SPREAD)
        spread = ballots.cap(learn_weights(ballots, limits, self.truth).weights, limits)
        left = truncate(ballots.shares(spread), k * limits)
        certified = ballots.sizes > 2 * k
        known = certified & left.any(axis=1)
        return np.where(known[:, None], left, 1 / self.sheet.classes), certified

    def _ballots(self, reports: ReportArray) -> Ballots:
        """List the reports that are there."""
        item, reporter = np.nonzero(reports != ABSENT)
        items, reporters = reports.shape
        return Ballots(item, reporter, reports[item, reporter], items, reporters, self.sheet.classes)
