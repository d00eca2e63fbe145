"""What gold items say of the reporters: who is best alone, and how far errors go together."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from bribeproof.certification.gold_reports import GoldReports
from bribeproof.theory.inference.confidence import least_probability

_NOISE = 1e-9
"""A variance of a mean, relative to that of one report, which is rounding and stands for zero."""


@dataclass(frozen=True, slots=True)
class BestReporter:
    """The reporter who is right on the most gold items.

    Attributes
    ----------
    name
        The reporter.
    right
        How many gold items the reporter is right on; those without a report of theirs count as wrong.
    accuracy_low
        A lower bound of the reporter's accuracy, which holds although the reporter was chosen by these items; it says
        nothing if this reporter is bribed.
    """

    name: Any
    right: int
    accuracy_low: float

    @classmethod
    def of(cls, gold: GoldReports, confidence: float) -> Self:
        """Return the reporter who is right on the most gold items, the first of several by name."""
        n = len(gold.reporters)
        right = np.bincount(gold.reporter, weights=gold.right, minlength=n)
        best = int(right.argmax())
        low = least_probability(int(right[best]), len(gold.truth), confidence, statements=n)
        return cls(gold.reporters[best], int(right[best]), low)


@dataclass(frozen=True, slots=True)
class Together:
    """How far the errors of different reporters go together on gold items.

    Attributes
    ----------
    correlation
        The intra-class correlation of errors: the mean product of the deviations of two reports on the same item from
        the error rate of all reports, relative to its variance. An estimate, without a bound.
    reports
        The largest number m of reports on a gold item.
    effective
        m/(1 + (m − 1)·correlation): the number of reporters who err independently whose mean error varies as much.
    """

    correlation: float
    reports: int

    @classmethod
    def of(cls, gold: GoldReports) -> Self | None:
        """Return the correlation over all pairs of reports on the same gold item; None if there is none to be told.

        There is none without a pair or variance, and where errors cancel out, as those of two who never agree do: no
        number of independent reporters varies as little.
        """
        sizes = gold.sizes
        pairs = float((sizes * (sizes - 1)).sum())
        off = gold.right - gold.right.mean()
        variance = float((off**2).mean())
        if not pairs or variance == 0:
            return None
        sums = np.bincount(gold.item, weights=off, minlength=len(sizes))
        products = float((sums**2).sum() - (off**2).sum()) / pairs
        correlation, most = products / variance, int(sizes.max())
        return cls(correlation, most) if 1 + (most - 1) * correlation > _NOISE else None

    @property
    def effective(self) -> float:
        """The number of independent reporters that are worth as many as there are, for the variance of the mean."""
        return self.reports / (1 + (self.reports - 1) * self.correlation)
