"""Places that some bribed judges are shown to cause, where there are too many sets of judges to try them all."""

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.contest import Contest, Ends
from bribeproof.theory.bribery.places import PlaceRecord, Places

_MOST_WORK = 1_000_000_000


def reached_places(contest: Contest, bribes: Bribes, *, uncertified: int = 0, most: int = _MOST_WORK) -> Places:
    """Return places that the same bribed judges could have caused; there may be others, which are not found.

    For one entry after the other, groups are bribed one by one, each time the one after whose bribery it is placed
    best, or worst, and then comes closest to the next place.

    Parameters
    ----------
    contest, bribes, uncertified
        As in `places_together`.
    most : int
        The search ends when about so many numbers have been looked at.

    Returns
    -------
    Places
        Each of its places occurs, with the set of groups that causes it.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from bribeproof.theory.bribery.contest import JudgedPart
    >>> marks = [[9, 9, 9, 9, 9], [8, 8, 8, 8, 8]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(5), np.array(row), 1) for row in marks), 5, Fraction(1))
    >>> found = reached_places(contest, Bribes.heads(5, 2))
    >>> found.best.tolist(), found.best_set[1]
    ([1, 1], (0, 1))
    """
    record = PlaceRecord(contest, bribes, uncertified=uncertified)
    left = most
    order = np.argsort(record.rank, kind="stable")
    for entry in order.tolist():
        for upwards in (True, False):
            chosen: tuple[int, ...] = ()
            while left > 0 and (further := _further(bribes, chosen)):
                left -= contest.work * len(further)
                chosen = further[_next(record, further, entry, upwards=upwards)]
    return record.places(exact=False)


def _further(bribes: Bribes, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of one group more that can be paid."""
    more = (tuple(sorted((*chosen, one))) for one in range(len(bribes.prices)) if one not in chosen)
    return [one for one in more if bribes.affordable(one)]


def _next(record: PlaceRecord, sets: list[tuple[int, ...]], entry: int, *, upwards: bool) -> int:
    """Return the number of the set that places an entry best, or worst, and of these the one closest to a next step."""
    blocks = [record.add_block(sets[block]) for block in record.contest.blocks(len(sets))]
    missing = np.concatenate([_missing(ends, entry, better=record.contest.better, upwards=upwards) for ends in blocks])
    least = np.where(missing > 0, missing, np.inf).min(axis=1)
    return int(np.lexsort((least, (missing > 0).sum(axis=1)))[0])


def _missing(ends: Ends, entry: int, *, better: str, upwards: bool) -> FloatArray:
    """Return what is missing for an entry to pass each other, or downwards for each other to pass it, at most 0 if not.

    They pass upwards if they come level, downwards if they come below.
    """
    low, high = (end.astype(np.float64) for end in (ends if better == "high" else (-ends.high, -ends.low)))
    missing: FloatArray = low - high[:, [entry]] if upwards else low[:, [entry]] - high + 0.5
    missing[:, entry] = 0
    return missing
