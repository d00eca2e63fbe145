"""Find the fewest judges, or the cheapest, who could have changed the winner, the podium or the place of an entry."""

from os import PathLike
from typing import Any

import numpy as np

from bribeproof._text import shorten
from bribeproof.aggregation.total_rule import clean_name
from bribeproof.contests.cheapest_result import CheapestContestBribe
from bribeproof.contests.opened import OpenedContest, open_contest
from bribeproof.contests.worst_bribe import TIME_LIMIT
from bribeproof.errors import ParameterError
from bribeproof.frames.reading.reading import Reading
from bribeproof.theory.contests.cheapest_upset import ON_PODIUM, WINNER, Upset, cheapest_upset
from bribeproof.theory.contests.places import PlaceRecord, rank_of

_GOALS = {"winner": WINNER, "podium": ON_PODIUM}


def cheapest_contest_bribe(
    frame: Any,
    change: str | None = None,
    *,
    entry: object = None,
    place: int | None = None,
    trim: int | None = None,
    group: object = None,
    price: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    time_limit: float = TIME_LIMIT,
    **options: Any,
) -> CheapestContestBribe:
    """Find the fewest judges, or the cheapest, who could have changed a contest of scores.

    Parameters
    ----------
    frame, group, price, reading, time_limit, **options
        As in `worst_contest_bribe`.
    change
        ``"winner"``, the default: another entry could have been first, alone or level; ``"podium"``: one that is not
        among the first three could have been.
    entry
        Instead: the name of an entry whose place is to be changed.
    place
        The place that this entry shall reach, or a better one. By default any other than it has, better or worse.
    trim
        How many of the lowest and of the highest marks of each part are dropped by the rule of the contest; needed.

    Returns
    -------
    CheapestContestBribe
        The least number or price, who is bribed, and that less is not enough.

    Raises
    ------
    ParameterError
        If there is no such entry, it has this place or a better one already, trim is missing, or the time limit is not
        positive.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [9, 8], "J2": [9, 8], "J3": [8.0, 7.5], "J4": [8.0, 7.5]})
    >>> print(cheapest_contest_bribe(sheet, trim=1).summary())
    To make another entry first, alone or level, 2 judges are enough: J1 and J2, for B.
    Fewer judges are not enough (proven).
    """
    if trim is None:
        raise ParameterError(
            "trim: say how many of the lowest and of the highest marks the contest drops, such as trim=1"
        )
    bribes = {"group": group, "price": price, "budget": None if price is None else 0}
    opened = open_contest(frame, 0 if price is None else None, trim, bribes, reading, options)
    return search_cheapest(opened, change, entry, place, time_limit=time_limit)


def search_cheapest(
    opened: OpenedContest,
    change: str | None,
    entry: object,
    place: int | None,
    *,
    time_limit: float = TIME_LIMIT,
) -> CheapestContestBribe:
    """Return the cheapest bribery that changes a contest that was read."""
    upset = _upset(opened, change, entry, place)
    found = cheapest_upset(opened.contest, opened.bribes, upset, time_limit=time_limit)
    record = PlaceRecord(opened.contest, opened.bribes, uncertified=opened.n_uncertified)
    record.add([found.groups])
    places = {"place": record.rank, "best_place": record.best, "worst_place": record.worst}
    moved = np.isin(np.arange(len(opened.names)), found.moved)
    return CheapestContestBribe(
        opened.table({**places, "moved": moved}),
        change="entry" if upset.entry is not None else change or "winner",
        entry=None if upset.entry is None else opened.names[upset.entry],
        place=upset.place,
        price=None if found.price is None else float(found.price),
        lower=None if found.safe_below is None else float(found.safe_below),
        bribed=tuple(opened.bought[group] for group in found.groups),
        moved=tuple(opened.names[entry] for entry in found.moved),
        exact=found.price == found.safe_below,
        bought=opened.what,
        priced=opened.priced,
        n_uncertified=opened.n_uncertified,
        notes=opened.notes,
        _opened=opened,
    )


def _upset(opened: OpenedContest, change: str | None, entry: object, place: int | None) -> Upset:
    """Return what shall be changed."""
    if entry is None:
        if place is not None:
            raise ParameterError(f"place={place!r} is that of an entry: name it, or leave it out")
        if change is not None and change not in _GOALS:
            raise ParameterError(f"change={change!r}: give 'winner' or 'podium', or name an entry")
        return _GOALS[change or "winner"]
    if change is not None:
        raise ParameterError(f"change={change!r} and entry={entry!r}: give one of them")
    known = {clean_name(name): number for number, name in enumerate(opened.names)}
    number = known.get(clean_name(entry))
    if number is None:
        raise ParameterError(f"there is no entry {shorten(entry)} with a total; one is {shorten(opened.names[0])}")
    if place is None:
        return Upset(number, None)
    if isinstance(place, bool) or not isinstance(place, int) or not 1 <= place <= len(opened.names):
        raise ParameterError(f"place={place!r}: give a whole number from 1 to {len(opened.names)}")
    if (now := int(rank_of(opened.contest)[number])) <= place:
        raise ParameterError(f"{shorten(entry)} is at place {now} already, and place={place}: give a better one")
    return Upset(number, place)
