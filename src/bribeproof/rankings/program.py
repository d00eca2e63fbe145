"""The integer program for the cheapest groups that bring a clipped sum to a target."""

import math
from typing import NamedTuple

import numpy as np

from bribeproof._typing import IntArray
from bribeproof.rankings.clipped_sum import ClippedSum

_TOLERANCE = 1e-6
"""By so much of a bribe the solver may be wrong."""


class Least(NamedTuple):
    """The fewest groups, or the cheapest.

    Attributes
    ----------
    lower
        Fewer than so many, or less money, are not enough.
    upper
        So many, or so much, are enough; None if not even all groups are.
    bribed
        Groups that are enough.
    proof
        How it is known that less is not enough: ``"bound"``, ``"counted"`` or ``"program"``.
    """

    lower: int
    upper: int | None
    bribed: tuple[int, ...]
    proof: str


def solve_program(
    lead: ClippedSum, target: int, costs: IntArray, lower: int, bribed: tuple[int, ...], time_limit: float
) -> Least:
    """Solve the integer program for cheaper groups than those that are known to be enough.

    Variables: the number of bribed groups of each kind, where groups with equal gains and costs are one kind; the value
    of each clipped form; and for forms that begin below their limit, whether they are above it.

    Parameters
    ----------
    lead, target
        The function, and the value to reach.
    costs : array of shape (groups,)
        What each group costs.
    lower
        Less is not enough.
    bribed
        Groups that are enough, and cost more.
    time_limit
        Seconds for the solver.

    Notes
    -----
    docs/theory.md, Proposition 14.8.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import bmat, csr_array, diags_array

    upper = int(costs[list(bribed)].sum())
    kinds, kind_of = np.unique(np.vstack([lead.gains, costs]), axis=1, return_inverse=True)
    price, gains = kinds[-1], kinds[:-1]
    forms, width = len(lead.base), kinds.shape[1]
    high = np.maximum(np.minimum(lead.high, lead.base + lead.gains.sum(axis=1)), lead.low)
    low = np.minimum(np.maximum(lead.low, lead.base), high)
    gap = np.maximum(low - lead.base, 0)
    identity = diags_array(np.ones(forms))
    rows = bmat([[csr_array(-gains), identity, diags_array(gap.astype(float))],
                 [None, identity, diags_array(-(high - low).astype(float))]]).tocsr()  # fmt: skip
    value = np.concatenate([np.zeros(width), lead.weight, np.zeros(forms)])[None]
    size = np.concatenate([price, np.zeros(2 * forms)])
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
            LinearConstraint(size[None], lower, upper - 1),
        ],
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    if found.status == 2:
        return Least(upper, upper, bribed, "program")
    if found.x is not None:
        members = _members(np.rint(found.x[:width]).astype(int), kind_of.ravel())
        cost = int(costs[members].sum())
        if cost < upper and lead.at(lead.gains[:, members].sum(axis=1)) >= target:
            bribed, upper = tuple(members), cost
    bound = found.mip_dual_bound
    if bound is not None and math.isfinite(bound):
        lower = max(lower, math.ceil(bound - _TOLERANCE * max(1, int(price.max()))))
    return Least(min(lower, upper), upper, bribed, "program")


def _members(numbers: IntArray, kind_of: IntArray) -> list[int]:
    """Return the first groups of each kind, so many of each."""
    return sorted(
        group for kind, number in enumerate(numbers) for group in np.flatnonzero(kind_of == kind)[:number].tolist()
    )
