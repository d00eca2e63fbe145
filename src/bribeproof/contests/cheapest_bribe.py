"""Find the fewest judges, or the cheapest, who could have changed the winner, the podium or the place of an entry."""

from os import PathLike
from typing import Any

from bribeproof._text import format_name
from bribeproof.aggregation.total_rule import clean_name
from bribeproof.contests.cheapest_result import CheapestContestBribe
from bribeproof.contests.opened import OpenedContest, open_contest
from bribeproof.errors import ParameterError
from bribeproof.frames.reading.reading import Reading
from bribeproof.theory.bribery.cheapest_upset import ON_PODIUM, WINNER, Upset, cheapest_upset
from bribeproof.theory.bribery.places import rank_of

_GOALS = {"winner": WINNER, "podium": ON_PODIUM}


def cheapest_contest_bribe(
    frame: Any,
    of: object = "winner",
    *,
    trim: int,
    place: int | None = None,
    group: object = None,
    price: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> CheapestContestBribe:
    """Find the fewest judges, or the cheapest, who could have changed a contest of scores.

    Parameters
    ----------
    frame, trim, group, price, reading, **options
        As in `worst_contest_bribe`.
    of
        ``"winner"``: another entry could have been first, alone or level; ``"podium"``: one that is not among the first
        three could have been; or the name of an entry.
    place
        The place that this entry shall reach, or a better one. By default any other than it has, better or worse.

    Returns
    -------
    CheapestContestBribe
        The least number or price, who is bribed, and that less is not enough.

    Raises
    ------
    ParameterError
        If there is no such entry, or it has this place or a better one already.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [9, 8], "J2": [9, 8], "J3": [8.0, 7.5], "J4": [8.0, 7.5]})
    >>> print(cheapest_contest_bribe(sheet, trim=1).summary())
    To make another entry first, alone or level, 2 judges are enough: J1 and J2, for B.
    Fewer judges are not enough (proven).
    """
    bribes = {"group": group, "price": price, "budget": None if price is None else 0}
    opened = open_contest(frame, 0 if price is None else None, trim, bribes, reading, options)
    return search_cheapest(opened, of, place, priced=price is not None)


def search_cheapest(
    opened: OpenedContest, of: object, place: int | None, *, priced: bool
) -> CheapestContestBribe:  # fmt: skip
    """Return the cheapest bribery that changes a contest that was read."""
    upset = _upset(opened, of, place)
    found = cheapest_upset(opened.contest, opened.bribes, upset)
    return CheapestContestBribe(
        of="entry" if upset.entry is not None else str(of),
        entry=None if upset.entry is None else opened.names[upset.entry],
        place=upset.place,
        price=None if found.price is None else float(found.price),
        lower=None if found.safe_below is None else float(found.safe_below),
        bribed=tuple(opened.bought[group] for group in found.groups),
        moved=tuple(opened.names[entry] for entry in found.moved),
        exact=found.price == found.safe_below,
        bought=opened.what,
        priced=priced,
        n_uncertified=opened.n_uncertified,
        notes=opened.notes,
        _groups=found.groups,
        _opened=opened,
    )


def _upset(opened: OpenedContest, of: object, place: int | None) -> Upset:
    """Return what shall be changed."""
    if isinstance(of, str) and of in _GOALS:
        if place is not None:
            raise ParameterError(f"place={place!r} is that of an entry, and of={of!r}: leave it out, or name an entry")
        return _GOALS[of]
    known = {clean_name(name): number for number, name in enumerate(opened.names)}
    entry = known.get(clean_name(of))
    if entry is None:
        raise ParameterError(
            f"of={of!r}: give 'winner', 'podium' or an entry with a total, such as {format_name(opened.names[0])!r}"
        )
    if place is None:
        return Upset(entry, None)
    if isinstance(place, bool) or not isinstance(place, int) or not 1 <= place <= len(opened.names):
        raise ParameterError(f"place={place!r}: give a whole number from 1 to {len(opened.names)}")
    if (now := int(rank_of(opened.contest)[entry])) <= place:
        raise ParameterError(f"{format_name(of)!r} is at place {now} already, and place={place}: give a better one")
    return Upset(entry, place)
