"""The least that has to be spent to change the winner or the podium of a contest, or the place of an entry."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.worst_list import end_of
from bribeproof.theory.contests.contest import Contest
from bribeproof.theory.contests.place_climb import climb
from bribeproof.theory.contests.place_search import PlaceSearch
from bribeproof.theory.contests.places import MOST_WORK, PODIUM, PlaceRecord, Places, places_together, rank_of


@dataclass(frozen=True, slots=True)
class Upset:
    """What a bribery shall change: the places of entries.

    Parameters
    ----------
    entry : int, optional
        The number of the entry; without one, any entry that is not there yet.
    place : int, optional
        The place that it shall reach, or a better one; 1 and 3 are the winner and the podium. Without one, any other
        place than it has, better or worse.
    """

    entry: int | None
    place: int | None

    def reached(self, found: Places | PlaceRecord) -> BoolArray:
        """Return which entries some places bring where they shall be."""
        if self.place is None:
            moved = (found.best < found.rank) | (found.worst > found.rank)
        else:
            moved = (found.best <= self.place) & (found.rank > self.place)
        if self.entry is not None:
            moved = moved & (np.arange(len(found.rank)) == self.entry)
        there: BoolArray = moved
        return there

    def needed(self, search: PlaceSearch, entry: int) -> list[tuple[bool, int]]:
        """Return in which directions a search may move an entry, and how many others it must overtake, or they it."""
        rank, entries = int(search.record.rank[entry]), search.contest.entries
        if self.place is not None:
            return [(True, entries - self.place)]
        return [
            (upwards, entries - rank + 1 if upwards else rank)
            for upwards in (True, False)
            if search.is_open(entry, upwards=upwards)
        ]

    def cause(self, found: Places, entry: int) -> tuple[int, ...]:
        """Return the groups whose bribery brings an entry there."""
        better = found.best[entry] < found.rank[entry]
        return found.best_set[entry] if better else found.worst_set[entry]


_SHARE = 4
"""A program may take this part of the time that is left."""
_FEW, _SECONDS = 3, 1.0
"""For so many entries bribes are searched for so many seconds even if no time is left."""
WINNER, ON_PODIUM = Upset(None, 1), Upset(None, PODIUM)


@dataclass(frozen=True, slots=True, eq=False)
class CheapestUpset:
    """The least price of a bribery that upsets a contest, and who is bribed.

    Attributes
    ----------
    price : Fraction or None
        The least price of a bribery that is known, of groups that cost 1 their number; None if none is known.
    groups : tuple of int
        The groups that are bribed for it.
    moved : tuple of int
        All entries that these groups could bring where they shall be, each by itself.
    safe_below : Fraction or None
        No smaller budget is enough; None if none is. Equal to `price` if that is the least of all.
    """

    price: Fraction | None
    groups: tuple[int, ...]
    moved: tuple[int, ...]
    safe_below: Fraction | None


def cheapest_upset(
    contest: Contest, bribes: Bribes, upset: Upset = WINNER, *, most: int = MOST_WORK, time_limit: float = 60.0
) -> CheapestUpset:
    """Return the cheapest bribery, of the same judges on all parts, that upsets a contest.

    Parameters
    ----------
    contest : Contest
        The marks, and how they become totals.
    bribes : Bribes
        The groups of judges and their prices; the budget is not used.
    upset : Upset
        What shall be changed.
    most : int
        Within a budget every set of judges is tried if no more numbers than this have to be looked at; otherwise
        integer programs are solved.
    time_limit : float
        Seconds for these programs, above 0.

    Raises
    ------
    ParameterError
        If there is no such entry, it is at this place or a better one already, or the time limit is not positive.

    Notes
    -----
    What a budget is enough for, a larger one is: budgets are tried by halving, of counted groups one after the other.
    docs/theory.md, Propositions 14.3 and 14.11.

    Examples
    --------
    >>> from bribeproof.theory.contests.contest import JudgedPart
    >>> marks = [[9, 9, 9, 9, 9], [8, 8, 8, 8, 8]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(5), np.array(row), 1) for row in marks), 5, Fraction(1))
    >>> found = cheapest_upset(contest, Bribes.heads(5, 0))
    >>> found.price, found.groups, found.safe_below
    (Fraction(2, 1), (0, 1), Fraction(2, 1))
    """
    if upset.entry is not None and not 0 <= upset.entry < contest.entries:
        raise ParameterError(f"entry {upset.entry} is none of the {contest.entries}")
    if upset.entry is not None and upset.place is not None and rank_of(contest)[upset.entry] <= upset.place:
        raise ParameterError(f"entry {upset.entry} is at place {upset.place} or a better one already")
    unit = Fraction(1, lcm(*(price.denominator for price in bribes.prices)))
    total = int(sum(bribes.prices) / unit)
    search = _Budgets(contest, bribes, upset, unit, most, end_of(time_limit))
    least = _least(0, total, lambda budget: search.within(budget).possible, halve=not bribes.counts_groups)
    if least is None:
        return CheapestUpset(None, (), (), None)
    enough = least
    if not search.within(least).found:
        enough = _least(least, total, lambda budget: search.within(budget).found is not None, halve=True) or total
    if (found := search.within(enough).found) is None:
        return CheapestUpset(None, (), (), least * unit)
    groups = min(
        (upset.cause(found, entry) for entry in np.flatnonzero(upset.reached(found)).tolist()), key=bribes.cost
    )
    record = PlaceRecord(contest, bribes)
    record.add([groups])
    moved = tuple(np.flatnonzero(upset.reached(record)).tolist())
    price = bribes.cost(groups)
    return CheapestUpset(price, groups, moved, min(price, least * unit))


class _Within(NamedTuple):
    """Whether an upset is possible within a budget, as far as that is known, and places that occur if it was found."""

    possible: bool
    found: Places | None


@dataclass(slots=True, eq=False)
class _Budgets:
    """What is possible within budgets, each of which is searched once."""

    contest: Contest
    bribes: Bribes
    upset: Upset
    unit: Fraction
    most: int
    end: float
    _known: dict[int, _Within] = field(default_factory=dict)

    def within(self, budget: int) -> _Within:
        """Return what is possible within a budget, in units of money."""
        if budget not in self._known:
            self._known[budget] = self._search(Bribes(self.bribes.groups, self.bribes.prices, budget * self.unit))
        return self._known[budget]

    def _search(self, bribes: Bribes) -> _Within:
        """Return what some bribes make possible."""
        outer = places_together(self.contest, bribes, most=self.most)
        wanted = np.flatnonzero(self.upset.reached(outer))
        if outer.exact or not len(wanted):
            return _Within(possible=len(wanted) > 0, found=outer if len(wanted) else None)
        search = PlaceSearch(self.contest, bribes)
        for number, entry in enumerate(wanted[np.argsort(search.record.rank[wanted], kind="stable")].tolist()):
            for upwards, needed in self.upset.needed(search, entry):
                seconds = max(self.end - time.monotonic(), 0.0) / _SHARE
                if seconds:
                    search.narrow(entry, upwards=upwards, seconds=seconds)
                if seconds and self.upset.reached(search.bound)[entry]:
                    search.overtake(entry, needed, upwards=upwards, seconds=seconds)
                if self.upset.reached(search.bound)[entry] and (seconds or number < _FEW):
                    climb(search.record, entry, upwards=upwards, end=max(self.end, time.monotonic() + _SECONDS))
                if self.upset.reached(search.record).any():
                    return _Within(possible=True, found=search.record.places(exact=False))
        return _Within(possible=bool(self.upset.reached(search.bound).any()), found=None)


def _least(least: int, most: int, is_enough: Callable[[int], bool], *, halve: bool) -> int | None:
    """Return the least budget that is enough; None if the largest is not."""
    if not halve:  # sets of few groups are few, so they are tried first
        return next((budget for budget in range(least, most + 1) if is_enough(budget)), None)
    if not is_enough(most):
        return None
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if is_enough(middle) else (middle + 1, most)
    return most
