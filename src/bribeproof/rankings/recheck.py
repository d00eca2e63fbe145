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

ADDED = ("borda", "points")
"""The rules that add points."""
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
        Whether the rewritten rankings, counted again by the rule, make this change, by entries of the contest; where
        all judges are not enough, whether it would be this change.
    within
        Whether the bribed are groups of the contest and take what is said that they take, and this is at least what is
        said to be needed.
    tried
        How many lists that take less were tried: one bribed judge fewer, or with prices less money. None if these are
        too many: then of points the best list is tried, which is one sort, and of other rules or prices none.
    refuted
        Whether one of them is enough, so that the certificate is false.
    """

    changed: bool
    within: bool
    tried: int | None
    refuted: bool

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against the certificate."""
        return self.changed and self.within and not self.refuted

    def __bool__(self) -> bool:
        """Return `ok`."""
        return self.ok


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
    judges = lists[:, contest.group_of]
    size = max(1, _CELLS // max(1, contest.places.size))
    return any(
        bool((_leads(contest, rule, gainer, loser, part) >= (0 if shared else 1)).any())
        for part in (judges[start : start + size] for start in range(0, len(judges), size))
        for gainer, loser in _pairs(contest, rule, firsts)
    )


def best_list_is_enough(contest: Contest, rule: Rule, firsts: Iterable[int], number: int, *, shared: bool) -> bool:
    """Return the same for the best list of so many groups, by a rule that adds points: it has the largest gains."""
    nobody = np.zeros((1, len(contest.judges)), dtype=bool)
    for gainer, loser in _pairs(contest, rule, firsts):
        now, bribed = (_points(contest, rule, gainer, loser, who)[0] for who in (nobody, ~nobody))
        gains = np.zeros(len(contest.groups), dtype=np.int64)
        np.add.at(gains, contest.group_of, bribed - now)
        if now.sum() + np.sort(gains)[len(gains) - number :].sum() >= (0 if shared else 1):
            return True
    return False


def _pairs(contest: Contest, rule: Rule, firsts: Iterable[int]) -> list[tuple[int, int]]:
    """Return the pairs of entries of which one must not pass the other for the first few to stay."""
    now = rule.merits(contest)
    return sorted({pair for first in firsts for pair in changing_pairs(now, first)})


def _leads(contest: Contest, rule: Rule, gainer: int, loser: int, bribed: BoolArray) -> IntArray:
    """Return by how much one entry is ahead of another if the bribed put it first and the other last, for each list.

    What is returned is the difference of scores times a number above 0 that makes it whole.
    """
    first = np.ones(len(contest.judges))
    if rule.name == "copeland":
        up, down = _after(contest, gainer, bribed, -np.inf * first), _after(contest, loser, bribed, np.inf * first)
        won = _wins(contest, gainer, loser, up, down) - _wins(contest, loser, gainer, down, up)
        return np.asarray(won)
    if rule.name in ADDED:
        return np.asarray(_points(contest, rule, gainer, loser, bribed).sum(axis=1))
    up, down = _after(contest, gainer, bribed, first), _after(contest, loser, bribed, contest.ranked)
    (mean_up, kept_up), (mean_down, kept_down) = (_middle(rule, places) for places in (up, down))
    return np.asarray(np.rint(2 * (mean_down * kept_up - mean_up * kept_down)), dtype=np.int64)


def _points(contest: Contest, rule: Rule, gainer: int, loser: int, bribed: BoolArray) -> IntArray:
    """Return how many more points each judge gives to one entry than to another, for each list, as whole numbers."""
    ranks = ~np.isnan(contest.places)
    if rule.name == "points":
        table = rule.points_table(contest)
        given, first, last = table.points, table.first, table.last
    else:
        behind = contest.ranked[:, None] - contest.places
        given = np.rint(2 * np.where(ranks, behind, 0)).astype(np.int64)
        first, last = 2 * (contest.ranked - 1), np.zeros(len(ranks), dtype=np.int64)
    high = np.where(bribed & ranks[:, gainer], first, given[:, gainer])
    low = np.where(bribed & ranks[:, loser], last, given[:, loser])
    return np.asarray(high - low)


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
