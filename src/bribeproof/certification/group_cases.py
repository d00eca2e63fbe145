"""What bribed groups can make of the answer to a gold item: plurality, weights, and rules of the lead."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.certification.gold_bribes import GoldBribes, GoldGroups
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.certification.worst_cases import ROUNDING, WorstCase
from bribeproof.theory.bribery.bribes import Bribes

_HALVINGS = 40


def plurality_of_groups(
    gold: GoldReports, bribes: GoldBribes, weights: FloatArray | None = None
) -> Callable[[int | Fraction], WorstCase]:
    """Return the attack of groups on the plurality, whose ties are wrong, and on the share of the true class.

    Parameters
    ----------
    gold
        The gold items.
    bribes
        The groups; the attack takes how many of them can be bribed, or how much is spent.
    weights
        The weight of each reporter; None if all count alike.

    Notes
    -----
    docs/theory.md, Proposition 13.3.
    """
    counts = np.ones(len(gold.reporters), np.int64)
    groups = GoldGroups(gold, bribes, counts if weights is None else weights)
    least = 0.0 if weights is None else ROUNDING * float(weights.sum())

    def worst(number: int | Fraction) -> WorstCase:
        within = bribes.within(number)
        robust, share = np.zeros(len(gold.truth), bool), np.zeros(len(gold.truth))
        for items in groups.blocks():
            item, lead, gain = groups.gains(items)
            robust[item] = True
            robust[item[lead - bribes.most(gain, within) <= least]] = False
            share[items] = _least_shares(groups, items, within)
        return WorstCase(robust, share)

    return worst


def leads_of_groups(gold: GoldReports, bribes: GoldBribes, number: int | Fraction) -> tuple[FloatArray, IntArray]:
    """Return the least lead of the truth that groups can cause, and how many reports they hold, for each item.

    Parameters
    ----------
    gold
        The gold items, of two classes.
    bribes
        The groups.
    number
        How many of them can be bribed, or how much is spent.
    """
    groups, within = GoldGroups(gold, bribes, np.ones(len(gold.reporters), np.int64)), bribes.within(number)
    furthest, held = np.full(len(gold.truth), np.inf), np.zeros(len(gold.truth), np.int64)
    for items in groups.blocks():
        item, lead, gain = groups.gains(items)
        np.minimum.at(furthest, item, lead - bribes.most(gain, within))
        held[items] = bribes.most(groups.reports(gold.take(items)), within)
    return furthest, held


def _least_shares(groups: GoldGroups, items: IntArray, within: Bribes) -> NDArray[Any]:
    """Return the least share of the truth that groups can cause; a lower bound of it if they can add, for a budget.

    The share is at most λ if the weight of the truth less λ times all weight is at most what some groups take from
    it: their reports of the truth, and λ times what they add. The largest λ for which none do is found by halving.
    """
    truth, silent = groups.shares(items)
    held, total = truth.sum(axis=1), groups.reports(groups.gold.take(items)).sum(axis=1)
    if not groups.bribes.silence or not within.counts_groups:
        added = groups.bribes.most(silent, within)
        left = np.maximum(held - groups.bribes.most(truth, within), 0)
        return _shares(left, total + added)
    low, high = np.zeros(len(items)), _shares(held, total)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = held - middle * total <= groups.bribes.most(truth + middle[:, None] * silent, within)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return np.where(low < ROUNDING, 0.0, low)


def _shares(part: NDArray[Any], whole: NDArray[Any]) -> FloatArray:
    """Return shares, 0 of nothing."""
    shares = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
    return np.where(shares < ROUNDING, 0.0, shares)
