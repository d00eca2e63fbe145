"""What bribes do to a rule that learns whose word is worth more."""

from dataclasses import dataclass, field

import numpy as np

from bribeproof.data.classes import UNKNOWN
from bribeproof.data.dense import Floats, Ints, Reports
from bribeproof.data.sheets import Sheet
from bribeproof.data.strategies import ABSENT, Bools
from bribeproof.data.weighted_answers import truncate
from bribeproof.data.weights import LEEWAY, Ballots, learn_weights, limits_of


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """The rule of `weigh` with its default leeway, on one crowd.

    Attributes
    ----------
    sheet
        The honest reports.
    truth
        The class of each gold item, UNKNOWN for the others; None to learn from agreement alone.
    """

    sheet: Sheet
    truth: Ints | None
    _honest: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, sheet: Sheet, *, gold: bool) -> "Weighing":
        """Learn from the gold items of a sheet as well, if there are any with a known truth."""
        known = sheet.gold & (sheet.truth != UNKNOWN)
        return cls(sheet, np.where(known, sheet.truth, UNKNOWN) if gold and known.any() else None)

    def honest(self, k: int) -> Floats:
        """Forecast each class without adversaries, items by classes."""
        if k not in self._honest:
            self._honest[k], _ = self.forecast(self._ballots(self.sheet.reports), k)
        return self._honest[k]

    def bribed(self, who: Ints, said: Reports) -> Ballots:
        """Return the ballots where some reporters say something else."""
        reports = self.sheet.reports.copy()
        reports[:, who] = said
        return self._ballots(reports)

    def forecast(self, ballots: Ballots, k: int) -> tuple[Floats, Bools]:
        """Forecast each class of each item, all the same where nothing is left; which have more than 2k reports."""
        limits = limits_of(ballots.sizes, k, LEEWAY)
        spread = ballots.spread(learn_weights(ballots, limits, self.truth).weights, limits)
        left = truncate(ballots.shares(spread), k * limits)
        certified = ballots.sizes > 2 * k
        known = certified & left.any(axis=1)
        return np.where(known[:, None], left, 1 / self.sheet.classes), certified

    def _ballots(self, reports: Reports) -> Ballots:
        """List the reports that are there."""
        item, reporter = np.nonzero(reports != ABSENT)
        items, reporters = reports.shape
        return Ballots(item, reporter, reports[item, reporter], items, reporters, self.sheet.classes)
