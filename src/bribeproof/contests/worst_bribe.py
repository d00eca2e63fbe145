"""Find which places the same bribed judges could have caused in a contest of scores."""

from os import PathLike
from typing import Any

import numpy as np

from bribeproof.aggregation.total_rule import clean_name
from bribeproof.contests.opened import OpenedContest, open_contest
from bribeproof.contests.recheck_worst import Cause
from bribeproof.contests.result import WorstContestBribe
from bribeproof.frames.reading.reading import Reading
from bribeproof.theory.bribery.worst_list import end_of
from bribeproof.theory.contests.place_search import Progress, SearchedPlaces, searched_places
from bribeproof.theory.contests.places import MOST_WORK, PODIUM, Places, places_alone, places_of, places_together

THOROUGH = 2_000_000_000
"""So many numbers are looked at in half a minute or so."""
TIME_LIMIT = 60.0
"""Seconds."""


def worst_contest_bribe(
    frame: Any,
    k: int | None = None,
    *,
    trim: int | None = None,
    group: object = None,
    price: object = None,
    budget: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
    **options: Any,
) -> WorstContestBribe:
    """Find which places and podiums judges could have caused, had the same k of them been bribed throughout.

    Parameters
    ----------
    frame
        The scores: the path of a file, or a frame of any kind, as in `aggregate`.
    k
        How many judges are bribed, or groups of judges.
    trim
        How many of the lowest and of the highest marks of each part are dropped by the rule of the contest; by default
        as many as can be bribed, as `aggregate` does.
    group, price, budget
        As in `aggregate`: what one bribe buys, such as a nation; what it costs; and the most that is spent.
    reading
        How the table is read, as in `aggregate`.
    time_limit
        Seconds, above 0, for the integer programs that are solved where there are too many sets of judges to try all.
    progress
        Called after each of these with how many of the best and worst places are known, and how many there are.
    **options
        The options of `aggregate` that say how scores are read and combined: ``item``, ``reporter``, ``value``,
        ``judges``, ``criteria``, ``criterion``, ``criterion_weights``, ``total``, ``factor``, ``minus``, ``decimals``,
        ``better``, ``scale``, ``missing``, ``repeats`` and so on. With a scale the bribed judges keep to it.

    Returns
    -------
    WorstContestBribe
        For each entry its place, and its best and worst place if the same judges are bribed, and if others are on each
        part; who could do most; and the sentences.

    Raises
    ------
    DataError
        If the table cannot be read, is larger than memory, or has more than 1,000 entries.
    ParameterError
        If not exactly one of k and budget is given, a number is below 0, or the time limit is not positive.

    Notes
    -----
    docs/theory.md, Propositions 14.3 and 14.11. Bribed judges rewrite their marks, and add or withhold none. The judges
    are those that the table names: if ``J1`` is a seat, the same judge means the same seat.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [9, 8], "J2": [9, 8], "J3": [8.0, 7.5], "J4": [8.0, 7.5]})
    >>> found = worst_contest_bribe(sheet, k=1)
    >>> print(found.summary())
    2 entries, 4 judges, the lowest and the highest mark of each item dropped.
    The same one judge on every item could have made nobody else first, alone or level.
    Proven: every set of judges was tried.
    Perhaps another judge on each item could have made 1 other first, alone or level.
    >>> found.recheck().ok
    True
    """
    bribes = {"group": group, "price": price, "budget": budget}
    opened = open_contest(frame, k, trim, bribes, reading, options)
    return search_contest(opened, most=THOROUGH, time_limit=time_limit, progress=progress)


def search_contest(
    opened: OpenedContest,
    *,
    most: int = MOST_WORK,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
) -> WorstContestBribe:
    """Return what bribed judges could make of a contest that was read.

    Parameters
    ----------
    opened
        The contest.
    most
        All sets of judges are tried if about so many numbers are looked at.
    time_limit, progress
        As in `worst_contest_bribe`.
    """
    end_of(time_limit)
    contest, bribes, without = opened.contest, opened.bribes, opened.n_uncertified
    tried = places_together(contest, bribes, uncertified=without, most=most)
    bound, same = (
        SearchedPlaces(tried, tried)
        if tried.exact
        else searched_places(contest, bribes, uncertified=without, time_limit=time_limit, progress=progress)
    )
    other = places_alone(contest, bribes, uncertified=without)
    firsts, thirds = _brought_by(opened, same)
    names = opened.names
    places = {
        "place": same.rank,
        "best_place": same.best,
        "worst_place": same.worst,
        "bribed": [opened.named(groups) for groups in same.best_set],
        "best_bound": bound.best,
        "worst_bound": bound.worst,
        "best_if_others": other.best,
        "worst_if_others": other.worst,
    }
    causes = zip(names, same.best_set, same.worst_set, strict=True)
    return WorstContestBribe(
        opened.table(places),
        tuple(opened.bought[group] for group in same.strongest),
        firsts,
        thirds,
        k=None if opened.priced else int(bribes.budget),
        budget=float(bribes.budget) if opened.priced else None,
        trim=opened.trim,
        exact=bool((same.best == bound.best).all() and (same.worst == bound.worst).all()),
        tried_all=tried.exact,
        exact_if_others=other.exact,
        better=contest.better,
        bought=opened.what,
        part=opened.part,
        n_judges=len(opened.judges),
        n_uncertified=without,
        notes=opened.notes,
        _causes={clean_name(name): Cause(best, worst) for name, best, worst in causes},
        _opened=opened,
    )


def _brought_by(opened: OpenedContest, found: Places) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the entries that the strongest could make first, and the others that they could bring onto the podium."""
    if not found.strongest:
        return (), ()
    members = np.isin(np.arange(len(opened.judges)), opened.bribes.members(found.strongest))[np.newaxis]
    (best,), _ = places_of(opened.contest.ends(members), opened.contest.better)
    first, third = ((best <= place) & (found.rank > place) for place in (1, PODIUM))
    return tuple(tuple(opened.names[entry] for entry in np.flatnonzero(those)) for those in (first, third & ~first))  # type: ignore[return-value]
