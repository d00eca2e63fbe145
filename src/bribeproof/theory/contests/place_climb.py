"""A set of groups whose bribery gives an entry a good place, or a bad one, found step by step."""

import math
import time

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.contest import Ends
from bribeproof.theory.contests.places import PlaceRecord


def climb(record: PlaceRecord, entry: int, *, upwards: bool, end: float = math.inf) -> None:
    """Record sets that give an entry better and better places, or worse and worse; there may be others that go further.

    Groups are bribed one by one, each time the one after whose bribery the entry is placed best, or worst, and then
    comes closest to the next place. Then one group after the other is exchanged for another, as long as that helps.

    Parameters
    ----------
    record : PlaceRecord
        Takes the sets that are tried.
    entry : int
        The entry.
    upwards : bool
        Whether the best place is searched.
    end : float
        When the search ends, by `time.monotonic`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from bribeproof.theory.contests.contest import Contest, JudgedPart
    >>> marks = [[9, 9, 9, 9, 9], [8, 8, 8, 8, 8]]
    >>> contest = Contest(tuple(JudgedPart(np.arange(5), np.array(row), 1) for row in marks), 5, Fraction(1))
    >>> record = PlaceRecord(contest, Bribes.heads(5, 2))
    >>> climb(record, 1, upwards=True)
    >>> record.best.tolist(), record.best_set[1]
    ([1, 1], (0, 1))
    """
    chosen: tuple[int, ...] = ()
    while time.monotonic() < end and (further := _further(record.bribes, chosen)):
        chosen = further[_next(record, further, entry, upwards=upwards)]
    while time.monotonic() < end:
        before = record.best[entry], record.worst[entry]
        chosen = record.best_set[entry] if upwards else record.worst_set[entry]
        others = _exchanged(record.bribes, chosen)
        for block in record.contest.blocks(len(others)):
            if time.monotonic() < end:
                record.add_block(others[block])
        if before == (record.best[entry], record.worst[entry]):
            return


def _further(bribes: Bribes, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of one group more that can be paid."""
    more = (tuple(sorted((*chosen, one))) for one in range(len(bribes.prices)) if one not in chosen)
    return [one for one in more if bribes.affordable(one)]


def _exchanged(bribes: Bribes, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets that can be paid with another group in the place of one."""
    others = [one for one in range(len(bribes.prices)) if one not in chosen]
    sets = (tuple(sorted({*chosen, other} - {one})) for one in chosen for other in others)
    return [one for one in sets if bribes.affordable(one)]


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
