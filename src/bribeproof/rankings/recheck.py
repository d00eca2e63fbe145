"""Recheck a bribe from the rankings alone: replay it, and try every list of judges that takes less."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.rankings.changes import changing_pairs
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.least_price import all_lists
from bribeproof.rankings.rules import Rule

_LISTS = 200_000
"""The most lists of bribed judges that a recheck tries."""
_CELLS = 4_000_000
"""The most comparisons of places that are made at once."""


@dataclass(frozen=True, slots=True)
class BribeRecheck:
    """What a recheck of a certificate found.

    Attributes
    ----------
    changed
        Whether the rewritten rankings, counted again by the rule, make the change.
    tried
        How many lists that take less were tried: one bribed judge fewer, or with prices less money. None if these are
        too many.
    refuted
        Whether one of them is enough, so that the certificate is false.
    """

    changed: bool
    tried: int | None
    refuted: bool

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the certificate."""
        return self.changed and not self.refuted


def lists_below(contest: Contest, lower: int | Fraction | None) -> BoolArray | None:
    """Return the lists of bribed groups that take less than a number, or a price: a row each; None if too many.

    Without prices only those of one bribe fewer: shorter ones can do no more. Where not even all are enough (`lower` is
    None), only that of all.
    """
    groups = len(contest.groups)
    if lower is None:
        return np.ones((1, groups), dtype=bool)
    if contest.prices:
        if 2**groups > _LISTS:
            return None
        lists = all_lists(np.arange(groups))
        costs = [sum(itertools.compress(contest.prices, one), Fraction(0)) for one in lists.tolist()]
        return np.asarray(lists[np.array([cost < lower for cost in costs], dtype=bool)])
    number = math.ceil(lower) - 1
    if number < 0:
        return np.zeros((0, groups), dtype=bool)
    if math.comb(groups, number) > _LISTS:
        return None
    lists = np.zeros((math.comb(groups, number), groups), dtype=bool)
    for row, members in enumerate(itertools.combinations(range(groups), number)):
        lists[row, members] = True
    return lists


def some_list_is_enough(contest: Contest, rule: Rule, firsts: Iterable[int], lists: BoolArray, *, shared: bool) -> bool:
    """Return whether one of some lists of bribed groups changes the first few, counted by the rule for each.

    Parameters
    ----------
    contest, rule
        The contest and the rule.
    firsts
        How many are the first few; a change of any of them counts.
    lists : bool array of shape (lists, groups)
        Who is bribed.
    shared
        Whether a tie is enough.
    """
    now = rule.merits(contest)
    pairs = {pair for first in firsts for pair in changing_pairs(now, first)}
    judges = lists[:, contest.group_of]
    size = max(1, _CELLS // max(1, contest.places.size))
    return any(
        bool((_leads(contest, rule, gainer, loser, part) >= (0 if shared else 1)).any())
        for part in (judges[start : start + size] for start in range(0, len(judges), size))
        for gainer, loser in sorted(pairs)
    )


def _leads(contest: Contest, rule: Rule, gainer: int, loser: int, bribed: BoolArray) -> IntArray:
    """Return by how much one entry is ahead of another if the bribed put it first and the other last, for each list.

    What is returned is the difference of scores times a number above 0 that makes it whole.
    """
    first = np.ones(len(contest.judges))
    if rule.name == "copeland":
        up, down = _after(contest, gainer, bribed, -np.inf * first), _after(contest, loser, bribed, np.inf * first)
        won = _wins(contest, gainer, loser, up, down) - _wins(contest, loser, gainer, down, up)
        return np.asarray(won)
    up, down = _after(contest, gainer, bribed, first), _after(contest, loser, bribed, contest.ranked)
    if rule.name == "borda":
        ranked = contest.ranked
        points = [np.nansum(ranked - places, axis=1) for places in (up, down)]
        return np.asarray(np.rint(2 * (points[0] - points[1])), dtype=np.int64)
    if rule.name == "points":
        table = rule.points_table(contest)
        mine, theirs = table.points[:, gainer], table.points[:, loser]
        high = np.where(bribed & ~np.isnan(up), table.first, mine)
        low = np.where(bribed & ~np.isnan(down), table.last, theirs)
        return np.asarray(high.sum(axis=1) - low.sum(axis=1))
    (mean_up, kept_up), (mean_down, kept_down) = (_middle(rule, places) for places in (up, down))
    return np.asarray(np.rint(2 * (mean_down * kept_up - mean_up * kept_down)), dtype=np.int64)


def _after(contest: Contest, entry: int, bribed: BoolArray, end: FloatArray | IntArray) -> FloatArray:
    """Return the places of an entry for each list; bribed judges who rank it put it at an end."""
    places = contest.places[:, entry]
    return np.where(bribed & ~np.isnan(places), end, places)


def _middle(rule: Rule, places: FloatArray) -> tuple[FloatArray, int]:
    """Return the sum of the middle places for each list, and how many these are."""
    reports = int((~np.isnan(places[0])).sum())
    dropped = rule.trimmed(reports)
    ordered = np.sort(places, axis=1)[:, dropped : reports - dropped]
    return np.asarray(ordered.sum(axis=1)), ordered.shape[1]


def _wins(contest: Contest, entry: int, rival: int, mine: FloatArray, theirs: FloatArray) -> IntArray:
    """Return the sum over all other entries of the sign of the majority for an entry, for each list."""
    total = np.zeros(len(mine), dtype=np.int64)
    for other in range(len(contest.entries)):
        if other != entry:
            against = theirs if other == rival else contest.places[:, other]
            # comparisons with nan are false: a pair counts for judges who rank both
            total += np.sign((mine < against).sum(axis=1) - (mine > against).sum(axis=1))
    return total
