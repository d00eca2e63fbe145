"""Places that the same bribed judges could have caused, where there are too many sets of judges to try them all."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from bribeproof._typing import IntArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.worst_list import end_of
from bribeproof.theory.contests.contest import Contest
from bribeproof.theory.contests.place_climb import climb
from bribeproof.theory.contests.place_program import Overtaken, PlaceProgram, PlacePrograms
from bribeproof.theory.contests.place_races import bound_overtaken
from bribeproof.theory.contests.places import PODIUM, PlaceRecord, Places, places_alone

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many of the best and worst places are known, and how many there are."""
_LEAST_SECONDS = 1.0
"""A program is given so much time at least, if so much is left."""
_SHARE = 4.0
"""A program may take so many times its share of the time that is left."""


class SearchedPlaces(NamedTuple):
    """Places of the entries of a contest.

    Attributes
    ----------
    bound
        No set of groups causes places beyond these.
    found
        These occur. If they equal the bounds, both are exact.
    """

    bound: Places
    found: Places


@dataclass(eq=False)
class PlaceSearch:
    """What is known of the places that the same bribed judges could have caused.

    Parameters
    ----------
    contest, bribes, uncertified
        As in `places_together`.

    Attributes
    ----------
    best, worst : int array of shape (entries,)
        No set of groups causes places beyond these.
    record : PlaceRecord
        Places that occur.
    """

    contest: Contest
    bribes: Bribes
    uncertified: int = 0
    record: PlaceRecord = field(init=False)
    best: IntArray = field(init=False)
    worst: IntArray = field(init=False)
    _outer: Places = field(init=False)
    _programs: PlacePrograms = field(init=False)

    def __post_init__(self) -> None:
        self._outer = places_alone(self.contest, self.bribes, uncertified=self.uncertified)
        self.best, self.worst = self._outer.best.copy(), self._outer.worst.copy()
        self.record = PlaceRecord(self.contest, self.bribes, uncertified=self.uncertified)
        self._programs = PlacePrograms.of(self.contest, self.bribes)

    def is_open(self, entry: int, *, upwards: bool) -> bool:
        """Return whether the best place of an entry, or the worst, is not known yet."""
        if upwards:
            return bool(self.best[entry] < self.record.best[entry])
        return bool(self.worst[entry] > self.record.worst[entry])

    @property
    def known(self) -> int:
        """How many of the best and worst places are known."""
        return int((self.best >= self.record.best).sum() + (self.worst <= self.record.worst).sum())

    def narrow(self, entry: int, *, upwards: bool, seconds: float) -> None:
        """Bound the best place of an entry, or the worst, and look for good ones, in a short time."""
        self._take(bound_overtaken(self._program(entry, upwards=upwards), seconds), entry, upwards=upwards)

    def search(self, entry: int, *, upwards: bool, seconds: float) -> None:
        """Search the best place of an entry, or the worst, for so many seconds; then look for good ones as long."""
        self._take(self._program(entry, upwards=upwards).most_overtaken(seconds), entry, upwards=upwards)
        if self.is_open(entry, upwards=upwards):
            climb(self.record, entry, upwards=upwards, end=time.monotonic() + seconds)

    def overtake(self, entry: int, needed: int, *, upwards: bool, seconds: float) -> None:
        """Search whether an entry could overtake so many others, or be overtaken by them."""
        self._take(self._program(entry, upwards=upwards).overtake(needed, seconds), entry, upwards=upwards)

    @property
    def bound(self) -> Places:
        """Places beyond which nobody could bring an entry."""
        # What was found occurs, whatever the tolerance of the solver.
        best, worst = np.minimum(self.best, self.record.best), np.maximum(self.worst, self.record.worst)
        return replace(self._outer, best=best, worst=worst, exact=False)

    def places(self) -> SearchedPlaces:
        """Return what is known."""
        return SearchedPlaces(self.bound, self.record.places(exact=False))

    def _program(self, entry: int, *, upwards: bool) -> PlaceProgram:
        """Return the program for an entry."""
        return self._programs.upwards(entry) if upwards else self._programs.downwards(entry)

    def _take(self, found: Overtaken, entry: int, *, upwards: bool) -> None:
        """Take the answer of a program into account."""
        if upwards:
            self.best[entry] = max(self.best[entry], self.contest.entries - found.most)
        else:
            self.worst[entry] = min(self.worst[entry], 1 + found.most + self.uncertified)
        if found.groups and self.bribes.affordable(found.groups):
            self.record.add([found.groups])


def searched_places(
    contest: Contest,
    bribes: Bribes,
    *,
    uncertified: int = 0,
    time_limit: float = 60.0,
    progress: Progress | None = None,
) -> SearchedPlaces:
    """Return bounds of the places that the same bribed judges could have caused, and places that they could.

    For each entry two integer programs are solved. What time allows no program for is bounded by the places if others
    are bribed on each part. Who could have been first, or on the podium, is searched first.

    Parameters
    ----------
    contest, bribes, uncertified
        As in `places_together`.
    time_limit : float
        Seconds after which the search ends, above 0.
    progress : callable, optional
        Called after each program with the number of places that are known, and of all.

    Notes
    -----
    docs/theory.md, Proposition 14.11.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from bribeproof.theory.contests.contest import JudgedPart
    >>> marks = [[18, 18, 16, 16], [16, 16, 15, 15]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(4), np.array(row), 1) for row in marks), 4, Fraction(1, 2))
    >>> bound, found = searched_places(contest, Bribes.heads(4, k=1))
    >>> bound.best.tolist(), found.best.tolist()
    ([1, 2], [1, 2])
    """
    end = end_of(time_limit)
    search = PlaceSearch(contest, bribes, uncertified)
    for answer in (search.narrow, search.search):
        questions = _questions(search)
        for number, (entry, upwards) in enumerate(questions):
            if (left := end - time.monotonic()) <= 0:
                break
            seconds = min(left, max(_LEAST_SECONDS, _SHARE * left / (len(questions) - number)))
            answer(entry, upwards=upwards, seconds=seconds)
            if progress is not None:
                progress(search.known, 2 * contest.entries)
    return search.places()


def _questions(search: PlaceSearch) -> list[tuple[int, bool]]:
    """Return whose best place is not known yet, or worst, in the order in which it is searched."""
    rank = search.record.rank

    def order(question: tuple[int, bool]) -> tuple[int, int]:
        entry, upwards = question
        if upwards and rank[entry] > 1 >= search.best[entry]:
            return 0, rank[entry]
        if upwards and rank[entry] > PODIUM >= search.best[entry]:
            return 1, rank[entry]
        return 2, rank[entry]

    every = ((entry, upwards) for entry in range(len(rank)) for upwards in (True, False))
    return sorted((one for one in every if search.is_open(one[0], upwards=one[1])), key=order)
