"""A forecast for two classes that grows with the lead of one, fitted to gold items under attack."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import isotonic_regression

from bribeproof._typing import FloatArray, IntArray
from bribeproof.certification.gold_bribes import GoldBribes
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.certification.group_cases import leads_of_groups
from bribeproof.certification.worst_cases import WorstCase, furthest_leads
from bribeproof.errors import ParameterError


@dataclass(frozen=True, slots=True, eq=False)
class MonotoneRule:
    """A nondecreasing forecast of the second of two classes, as a function of its lead.

    Attributes
    ----------
    leads
        Numbers of reports of the second class less those of the first, ascending.
    forecasts
        The forecasts there; linear in between, constant beyond.
    k
        The number of bribed reporters, or of groups, or the budget that it was fitted against.
    """

    leads: FloatArray
    forecasts: FloatArray
    k: int | Fraction

    def __call__(self, leads: FloatArray) -> FloatArray:
        """Return the forecasts for some leads."""
        return np.interp(leads, self.leads, self.forecasts)


def fit_monotone_rule(gold: GoldReports, k: int | Fraction, bribes: GoldBribes | None = None) -> MonotoneRule:
    """Return the nondecreasing rule of the lead with the least mean worst squared loss on gold items.

    Parameters
    ----------
    gold
        The gold items, whose truths are two classes.
    k
        How many reporters of each item are bribed; of groups how many, or how much is spent.
    bribes
        The groups; None if reporters are bribed one by one.

    Returns
    -------
    MonotoneRule
        An item of the second class pays for its forecast at the least lead that k reporters can cause, one of the
        first class at the largest; the best such rule is an isotonic regression (docs/theory.md §13).

    Raises
    ------
    ParameterError
        Unless there are two classes.
    """
    if len(gold.classes.labels) != 2:
        raise ParameterError(
            f"rule='isotonic' is for two classes, and there are {len(gold.classes.labels)}: use rule='plurality'"
        )
    state = gold.truth.astype(np.float64)
    places = _attack(gold, k, bribes)[0] * np.where(gold.truth == 1, 1, -1)
    leads, which = np.unique(places, return_inverse=True)
    sizes = np.bincount(which)
    means = np.bincount(which, weights=state) / sizes
    return MonotoneRule(leads, np.asarray(isotonic_regression(means, weights=sizes).x, np.float64), k)


def worst_of_monotone(
    gold: GoldReports, rule: MonotoneRule, k: int | Fraction, bribes: GoldBribes | None = None
) -> WorstCase:
    """Return the worst case of the forecast, and of the class that is more likely by it."""
    positive = gold.truth == 1
    leads, withheld = _attack(gold, k, bribes)
    forecast = rule(leads * np.where(positive, 1, -1))
    share = np.where(positive, forecast, 1 - forecast) * (gold.sizes > withheld)
    return WorstCase(share > 0.5 + 1e-12, share)


def _attack(gold: GoldReports, k: int | Fraction, bribes: GoldBribes | None) -> tuple[FloatArray, IntArray]:
    """Return the least lead of the truth that the bribed can cause, and how many reports they can withhold."""
    if bribes is None:
        return furthest_leads(gold, int(k)), np.full(len(gold.truth), int(k))
    leads, held = leads_of_groups(gold, bribes, k)
    return leads, held if bribes.silence else np.zeros_like(held)
