"""A bound of the places that bribed judges could give an entry, and good places, from a search without a solver."""

import time

import numpy as np

from bribeproof.theory.bribery.races import Races
from bribeproof.theory.bribery.search import Search
from bribeproof.theory.contests.place_program import Overtaken, PlaceProgram

_WHOLE = 2**20
"""What is missing is divided into so many parts; gains are rounded up to these."""
_NOTHING = 1e-9
"""If no more than this part of a share is missing, nothing may be."""
_MOST_WORK = 3_000_000
"""The search of one entry ends after so much work, in a few tenths of a second."""


def bound_overtaken(program: PlaceProgram, seconds: float) -> Overtaken:
    """Return for how many others the sum of their total and the entry's could reach the target, at most.

    Each rival is a race in which groups gain their shares of both totals: totals are at most linear functions of who
    is bribed. The search for a list that wins most races bounds how many can be won.

    Parameters
    ----------
    program : PlaceProgram
        The entry and its rivals.
    seconds : float
        The search ends after so many seconds, or after some work.

    Notes
    -----
    docs/theory.md, Propositions 14.9 and 14.11.
    """
    if not program.rivals:
        return Overtaken(program.already, ())
    spare = program.total.spare
    missing = np.array(
        [float(program.target - program.total.constant - one.constant - spare - one.spare) for one in program.rivals]
    )
    shares = np.stack([one.shares for one in program.rivals]) + program.total.shares
    uncertain = missing <= _NOTHING * np.abs(shares).max(axis=1, initial=1.0)
    rival, group = np.nonzero((shares > 0) & ~uncertain[:, None])
    # Rounded up by more than the few roundings of the two numbers.
    gain = np.ceil(np.minimum(shares[rival, group] / missing[rival], 1) * _WHOLE * (1 + 2.0**-40)).astype(np.int64)
    number, ones = len(program.rivals), np.ones(len(program.rivals), dtype=np.int64)
    races = Races(ones * _WHOLE, rival, group, rival, np.minimum(gain, _WHOLE), ones)
    search = Search.of(races, program.bribes, time.monotonic() + seconds, most_work=_MOST_WORK)
    search.run()
    most = min(number, int(uncertain.sum()) + search.upper)
    return Overtaken(program.already + most, tuple(sorted({*search.best, *program.bribes.free})))
