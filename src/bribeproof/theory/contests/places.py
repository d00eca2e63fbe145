"""The places that the entries of a contest could have had, had some judges been bribed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import IntArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.bribe_sets import largest_sets, membership
from bribeproof.theory.contests.contest import Contest, Ends

MOST_WORK = 400_000_000
"""All sets of judges are tried if no more numbers than this have to be looked at."""
_MOST_SETS = 1_000_000
PODIUM = 3
"""The places of the podium."""
_FEW = 64
"""So few entries are compared pair by pair."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The places of the entries of a contest, and those that they could have had.

    Attributes
    ----------
    rank : int array of shape (entries,)
        The place of each entry, 1 for the best; entries with equal totals share the better place.
    best, worst : int array of shape (entries,)
        The best and the worst place that an entry could have had.
    best_set, worst_set : tuple of tuple of int
        For each entry, groups whose bribery gives it this place; empty where nothing needs to be bribed.
    low, high : tuple of Fraction
        The least and the greatest total of each entry, over all sets.
    exact : bool
        Whether all these occur. If not, none beyond them does, and the sets are empty.
    strongest : tuple of int
        The groups who could make most entries first that are not, and of these groups those who could bring most
        entries onto the podium that are not on it.
    """

    rank: IntArray
    best: IntArray
    worst: IntArray
    best_set: tuple[tuple[int, ...], ...]
    worst_set: tuple[tuple[int, ...], ...]
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    exact: bool
    strongest: tuple[int, ...] = ()


def places_of(ends: Ends, better: str = "high", *, uncertified: int = 0) -> tuple[IntArray, IntArray]:
    """Return the best and the worst place of each entry, in each row.

    Parameters
    ----------
    ends : Ends
        The least and the greatest totals, which all entries can have independently of one another.
    better : str
        ``"high"`` or ``"low"``.
    uncertified : int
        How many further entries have no total, and could be above every other.

    Examples
    --------
    >>> best, worst = places_of(Ends(np.array([[7, 5, 2]]), np.array([[8, 7, 4]])))
    >>> best.tolist(), worst.tolist()
    ([[1, 1, 3]], [[1, 2, 3]])
    """
    low, high = (ends.low, ends.high) if better == "high" else (-ends.high, -ends.low)
    entries = low.shape[1]
    if entries <= _FEW:
        beaten: IntArray = (low[:, np.newaxis, :] > high[:, :, np.newaxis]).sum(axis=2)
        above = (high[:, np.newaxis, :] > low[:, :, np.newaxis]).sum(axis=2) - (low < high)
        return 1 + beaten, 1 + above + uncertified
    best, worst = np.empty(low.shape, np.int64), np.empty(low.shape, np.int64)
    for row in range(len(low)):
        best[row] = 1 + entries - np.searchsorted(np.sort(low[row]), high[row], side="right")
        above = entries - np.searchsorted(np.sort(high[row]), low[row], side="right")
        worst[row] = 1 + above - (low[row] < high[row]) + uncertified  # an entry is not above itself
    return best, worst


def places_together(contest: Contest, bribes: Bribes, *, uncertified: int = 0, most: int = MOST_WORK) -> Places:
    """Return the places that entries could have had if the same judges had been bribed on all parts.

    Parameters
    ----------
    contest : Contest
        The marks, and how they become totals.
    bribes : Bribes
        Which groups of judges can be bribed.
    uncertified : int
        How many further entries have no total, and could be above every other.
    most : int
        Every set of judges is tried if no more numbers have to be looked at; otherwise the places are those that the
        judges could have given if they could be others on each part, which go further.

    Notes
    -----
    docs/theory.md, Proposition 14.3.

    Examples
    --------
    >>> from bribeproof.theory.contests.contest import JudgedPart
    >>> marks = [[18, 18, 16, 16], [16, 16, 15, 15]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(4), np.array(row), 1) for row in marks), 4, Fraction(1, 2))
    >>> found = places_together(contest, Bribes.heads(4, k=1))
    >>> found.rank.tolist(), found.best.tolist(), found.worst.tolist()
    ([1, 2], [1, 2], [1, 2])
    """
    sets = largest_sets(bribes, min(_MOST_SETS, most // max(1, contest.work)))
    if sets is None:
        return replace(places_alone(contest, bribes, uncertified=uncertified), exact=False)
    record = PlaceRecord(contest, bribes, uncertified=uncertified)
    record.add(sets)
    return record.places(exact=True)


@dataclass(slots=True, eq=False)
class PlaceRecord:
    """The best and the worst places that some sets of groups give.

    Parameters
    ----------
    contest : Contest
        The marks, and how they become totals.
    bribes : Bribes
        The groups of judges.
    uncertified : int
        How many further entries have no total, and could be above every other.
    """

    contest: Contest
    bribes: Bribes
    uncertified: int = 0
    rank: IntArray = field(init=False)
    best: IntArray = field(init=False)
    worst: IntArray = field(init=False)
    best_set: list[tuple[int, ...]] = field(init=False)
    worst_set: list[tuple[int, ...]] = field(init=False)
    low: list[Any] = field(init=False)
    high: list[Any] = field(init=False)
    gained: tuple[int, int] = (0, 0)
    strongest: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.rank = rank_of(self.contest)
        self.best, self.worst = self.rank.copy(), self.rank + self.uncertified
        self.best_set = [() for _ in self.rank]
        self.worst_set = list(self.best_set)
        self.low, self.high = list(self.contest.totals), list(self.contest.totals)

    def add(self, sets: Sequence[tuple[int, ...]]) -> None:
        """Take further sets into account, a block at a time."""
        for block in self.contest.blocks(len(sets)):
            self.add_block(sets[block])

    def add_block(self, sets: Sequence[tuple[int, ...]]) -> Ends:
        """Take further sets into account, and return what their members could make of the totals."""
        ends = self.contest.ends(membership(self.bribes, sets))
        better, poorer = places_of(ends, self.contest.better, uncertified=self.uncertified)
        for entry, (first, last) in enumerate(zip(better.argmin(axis=0), poorer.argmax(axis=0), strict=True)):
            if better[first, entry] < self.best[entry]:
                self.best[entry], self.best_set[entry] = better[first, entry], sets[first]
            if poorer[last, entry] > self.worst[entry]:
                self.worst[entry], self.worst_set[entry] = poorer[last, entry], sets[last]
        self.low = [min(pair) for pair in zip(self.low, ends.low.min(axis=0), strict=True)]
        self.high = [max(pair) for pair in zip(self.high, ends.high.max(axis=0), strict=True)]
        firsts, thirds = (((better <= place) & (self.rank > place)).sum(axis=1) for place in (1, PODIUM))
        most = int(np.lexsort((-np.arange(len(better)), thirds, firsts))[-1])
        if (own := (int(firsts[most]), int(thirds[most]))) > self.gained:
            self.gained, self.strongest = own, sets[most]
        return ends

    def places(self, *, exact: bool) -> Places:
        """Return the places that the sets so far give."""
        return Places(
            self.rank,
            self.best.copy(),
            self.worst.copy(),
            tuple(self.best_set),
            tuple(self.worst_set),
            _fractions(self.low, self.contest),
            _fractions(self.high, self.contest),
            exact=exact,
            strongest=self.strongest,
        )


def places_alone(contest: Contest, bribes: Bribes, *, uncertified: int = 0) -> Places:
    """Return the places that entries could have had if on each part other judges could have been bribed.

    On each part, the groups that are bribed fit the budget.

    Examples
    --------
    >>> from bribeproof.theory.contests.contest import JudgedPart
    >>> marks = [[18, 18, 16, 16], [16, 16, 15, 15]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(4), np.array(row), 1) for row in marks), 4, Fraction(1, 2))
    >>> found = places_alone(contest, Bribes.heads(4, k=1))
    >>> found.best.tolist(), found.worst.tolist()
    ([1, 1], [1, 2])
    """
    exact, chosen = True, []
    for part in contest.parts:
        groups, own = np.unique(bribes.groups[part.judges], return_inverse=True)
        there = Bribes(own, tuple(bribes.prices[group] for group in groups), bribes.budget)
        sets = largest_sets(there, 1000)
        members = None if sets is None else membership(there, sets)
        if members is None:
            members, complete = _outermost(there, part.marks)
            exact &= complete
        wide = np.zeros((len(members), contest.judges), dtype=bool)
        wide[:, part.judges] = members
        chosen.append(wide)
    ends = contest.ends_alone(chosen)
    best, worst = places_of(ends, contest.better, uncertified=uncertified)
    nobody = ((),) * contest.entries
    low, high = (_fractions(row[0], contest) for row in ends)
    return Places(rank_of(contest), best[0], worst[0], nobody, nobody, low, high, exact=exact)


def rank_of(contest: Contest) -> IntArray:
    """Return the places of the entries as the marks are."""
    totals = contest.totals if contest.better == "high" else -contest.totals
    rank: IntArray = 1 + len(totals) - np.searchsorted(np.sort(totals), totals, side="right")
    return rank


def _outermost(bribes: Bribes, marks: NDArray[Any]) -> tuple[NDArray[np.bool_], bool]:
    """Return the judges with the highest marks and those with the lowest, as many as can be bought; whether they can.

    The lowest mean has the highest marks rewritten, and no set of judges that is bought is larger.
    """
    sizes = np.bincount(bribes.groups)
    prices, budget = bribes.whole
    # What each judge costs at the least, the cheapest first: no more can be bought than if they could be bought singly.
    single = np.repeat(prices / sizes, sizes)
    many = int(np.searchsorted(np.cumsum(np.sort(single)), budget * (1 + 1e-12), side="right"))
    order = np.argsort(marks, kind="stable")
    members = np.zeros((2, len(marks)), dtype=bool)
    members[0, order[:many]] = members[1, order[len(order) - many :]] = True
    return members, bool((sizes == 1).all() and (prices == prices[0]).all())


def _fractions(totals: Any, contest: Contest) -> tuple[Fraction, ...]:
    """Return whole numbers of the unit of totals as fractions."""
    return tuple(int(total) * contest.total_unit for total in totals)
