"""The least that has to be spent to change the winner or the podium of a contest, or the place of an entry."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.contest import Contest
from bribeproof.theory.bribery.places import MOST_WORK, PODIUM, PlaceRecord, Places, places_together, rank_of
from bribeproof.theory.bribery.reached_places import reached_places


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

    def reached(self, found: Places) -> BoolArray:
        """Return which entries some places bring where they shall be."""
        if self.place is None:
            moved = (found.best < found.rank) | (found.worst > found.rank)
        else:
            moved = (found.best <= self.place) & (found.rank > self.place)
        if self.entry is not None:
            moved = moved & (np.arange(len(found.rank)) == self.entry)
        there: BoolArray = moved
        return there

    def cause(self, found: Places, entry: int) -> tuple[int, ...]:
        """Return the groups whose bribery brings an entry there."""
        better = found.best[entry] < found.rank[entry]
        return found.best_set[entry] if better else found.worst_set[entry]


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


def cheapest_upset(contest: Contest, bribes: Bribes, upset: Upset = WINNER, *, most: int = MOST_WORK) -> CheapestUpset:
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
        As in `places_together`.

    Raises
    ------
    ParameterError
        If there is no such entry, or it is at this place or a better one already.

    Notes
    -----
    What a budget is enough for, a larger one is: budgets are tried by halving, of counted groups one after the other.

    Examples
    --------
    >>> from bribeproof.theory.bribery.contest import JudgedPart
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

    def search(budget: int, places: Callable[..., Places]) -> Places | None:
        """Return the places within a budget if they hold the upset."""
        found = places(contest, Bribes(bribes.groups, bribes.prices, budget * unit), most=most)
        return found if upset.reached(found).any() else None

    least, found = _least(0, total, lambda budget: search(budget, places_together), halve=not bribes.counts_groups)
    if found is None:
        return CheapestUpset(None, (), (), None)
    if not found.exact:
        _, found = _least(least, total, lambda budget: search(budget, reached_places), halve=True)
    if found is None:
        return CheapestUpset(None, (), (), least * unit)
    groups = min(
        (upset.cause(found, entry) for entry in np.flatnonzero(upset.reached(found)).tolist()), key=bribes.cost
    )
    record = PlaceRecord(contest, bribes)
    record.add([groups])
    moved = tuple(np.flatnonzero(upset.reached(record.places(exact=True))).tolist())
    return CheapestUpset(bribes.cost(groups), groups, moved, least * unit)


def _least(
    least: int, most: int, search: Callable[[int], Places | None], *, halve: bool
) -> tuple[int, Places | None]:  # fmt: skip
    """Return the least budget with which a search finds something, and what; None if the largest has nothing."""
    if not halve:  # sets of few groups are few, so they are tried first
        tried = ((budget, search(budget)) for budget in range(least, most + 1))
        return next(((budget, found) for budget, found in tried if found), (most, None))
    found = search(most)
    while found and least < most:
        middle = (least + most) // 2
        if better := search(middle):
            most, found = middle, better
        else:
            least = middle + 1
    return most, found
