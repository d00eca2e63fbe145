"""The fewest groups that bring a clipped sum to a target, with a proof that fewer are not enough."""

import itertools
import math

import numpy as np

from bribeproof.rankings.clipped_sum import ClippedSum
from bribeproof.rankings.program import Least, solve_program

COUNTED = 20_000
"""Up to so many lists of one length are counted; beyond, an integer program is solved."""


def least_bribe(
    lead: ClippedSum, target: int, *, enough: int | None = None, time_limit: float = 60.0, counted: int = COUNTED
) -> Least:
    """Find the fewest groups for which a clipped sum reaches a target.

    Parameters
    ----------
    lead
        The function.
    target
        The value to reach.
    enough
        Only numbers below it are of interest: the search ends when it is known that fewer are not enough.
    time_limit
        Seconds for the integer program.
    counted
        The most lists of one length that are counted.

    Notes
    -----
    docs/theory.md, Proposition 14.8. From below, each form may be served by other groups; from above, groups are taken
    in one order. Between the two all lists are counted, or an integer program is solved.
    """
    groups = lead.gains.shape[1]
    best = np.zeros((groups + 1, len(lead.base)), dtype=np.int64)
    np.cumsum(-np.sort(-lead.gains, axis=1).T, axis=0, out=best[1:])
    reached = lead.at(best) >= target
    if not reached[-1]:
        return Least(groups + 1, None, (), "bound")
    lower, proof = int(reached.argmax()), "bound"
    if enough is not None and lower >= enough:
        return Least(lower, groups, tuple(range(groups)), proof)
    bribed = _by_gains(lead, target)
    while lower < len(bribed) and (enough is None or lower < enough):
        if math.comb(groups, lower) > counted:
            return solve_program(lead, target, np.ones(groups, dtype=np.int64), lower, bribed, time_limit)
        proof = "counted"
        found = _count_lists(lead, target, lower)
        if found is not None:
            bribed = found
        else:
            lower += 1
    return Least(lower, len(bribed), bribed, proof)


def _by_gains(lead: ClippedSum, target: int) -> tuple[int, ...]:
    """Return groups that are enough: those that gain most, by two measures, in order."""
    room = np.minimum(lead.gains, np.maximum(lead.high - lead.base, 0)[:, None])
    found = []
    for gains in (lead.weight @ lead.gains, lead.weight @ room):
        order = np.argsort(-gains, kind="stable")
        totals = np.zeros((len(order) + 1, len(lead.base)), dtype=np.int64)
        np.cumsum(lead.gains[:, order].T, axis=0, out=totals[1:])
        number = int((lead.at(totals) >= target).argmax())
        found.append(tuple(sorted(order[:number].tolist())))
    return min(found, key=len)


def _count_lists(lead: ClippedSum, target: int, number: int) -> tuple[int, ...] | None:
    """Return the first list of so many groups that is enough, if there is one."""
    lists = np.array(list(itertools.combinations(range(lead.gains.shape[1]), number)), dtype=np.int64)
    reached = lead.at(lead.gains.T[lists].sum(axis=1)) >= target
    return tuple(lists[reached.argmax()].tolist()) if reached.any() else None
