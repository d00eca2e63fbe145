"""The fewest groups that bring a clipped sum to a target, with a proof that fewer are not enough."""

import itertools
import math
from typing import NamedTuple

import numpy as np

from bribeproof._typing import IntArray
from bribeproof.rankings.clipped_sum import ClippedSum

COUNTED = 20_000
"""Up to so many lists of one length are counted; beyond, an integer program is solved."""


class Least(NamedTuple):
    """The fewest groups.

    Attributes
    ----------
    lower
        Fewer than so many are not enough.
    upper
        So many are enough; None if not even all groups are.
    bribed
        Groups that are enough.
    proof
        How it is known that fewer are not enough: ``"bound"``, ``"counted"`` or ``"program"``.
    """

    lower: int
    upper: int | None
    bribed: tuple[int, ...]
    proof: str


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
            return _program(lead, target, lower, bribed, time_limit)
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


def _program(lead: ClippedSum, target: int, lower: int, bribed: tuple[int, ...], time_limit: float) -> Least:
    """Solve the integer program for fewer groups than are known to be enough.

    Variables: the number of bribed groups of each kind, where groups with equal gains are one kind; the value of each
    clipped form; and for forms that begin below their limit, whether they are above it.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import bmat, csr_array, diags_array

    kinds, kind_of = np.unique(lead.gains, axis=1, return_inverse=True)
    forms, width = len(lead.base), kinds.shape[1]
    high = np.maximum(np.minimum(lead.high, lead.base + lead.gains.sum(axis=1)), lead.low)
    low = np.minimum(np.maximum(lead.low, lead.base), high)
    gap = np.maximum(low - lead.base, 0)
    identity = diags_array(np.ones(forms))
    rows = bmat([[csr_array(-kinds), identity, diags_array(gap.astype(float))],
                 [None, identity, diags_array(-(high - low).astype(float))]]).tocsr()  # fmt: skip
    value = np.concatenate([np.zeros(width), lead.weight, np.zeros(forms)])[None]
    size = np.concatenate([np.ones(width), np.zeros(2 * forms)])
    found = milp(
        size,
        integrality=np.concatenate([np.ones(width), np.zeros(forms), np.ones(forms)]),
        bounds=Bounds(
            np.concatenate([np.zeros(width), low, (gap == 0).astype(int)]),
            np.concatenate([np.bincount(kind_of.ravel(), minlength=width), high, np.ones(forms)]),
        ),
        constraints=[
            LinearConstraint(rows, -np.inf, np.concatenate([lead.base + gap, low])),
            # all values are whole numbers: half a unit keeps the solver's tolerance away from the answer
            LinearConstraint(value, target - lead.constant - 0.5, np.inf),
            LinearConstraint(size[None], lower, len(bribed) - 1),
        ],
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    if found.status == 2:
        return Least(len(bribed), len(bribed), bribed, "program")
    if found.x is not None:
        members = _members(np.rint(found.x[:width]).astype(int), kind_of.ravel())
        if lead.at(lead.gains[:, members].sum(axis=1)) >= target:
            bribed = tuple(members)
    bound = found.mip_dual_bound
    proven = lower if bound is None or not math.isfinite(bound) else max(lower, math.ceil(bound - 1e-6))
    return Least(min(proven, len(bribed)), len(bribed), bribed, "program")


def _members(numbers: IntArray, kind_of: IntArray) -> list[int]:
    """Return the first groups of each kind, so many of each."""
    return sorted(
        group for kind, number in enumerate(numbers) for group in np.flatnonzero(kind_of == kind)[:number].tolist()
    )
