"""The list that changes most, as an integer program with a proven upper bound."""

import math
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.bribery.ballots import Ballots


class ProgramResult(NamedTuple):
    """The members of the best list that was found, an upper bound of what any list changes, and the solver's status."""

    members: tuple[int, ...]
    upper: float
    status: str


def solve_list(ballots: Ballots, k: int, values: FloatArray, time_limit: float) -> ProgramResult:
    """Solve for the list of at most k reporters that changes most.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    k : int
        The number of members.
    values : array of shape (items,)
        What each item counts, at least 0.
    time_limit : float
        Seconds after which the search ends with what it has.

    Notes
    -----
    docs/theory.md, Proposition 14.1. One variable for each reporter, and for each decided item and each rival that k
    reporters can bring level: margin · z ≤ 2 · members for the winner + members for others than the rival.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    counts, winner, n = ballots.counts, ballots.winner, ballots.reporters
    rivals = np.concatenate([counts, np.zeros((ballots.items, 1), np.int64)], axis=1)
    margins = counts[np.arange(ballots.items), winner][:, None] - rivals
    possible = (winner >= 0)[:, None] & (margins <= 2 * k) & (values > 0)[:, None]
    possible[np.arange(ballots.items), winner] = False
    # of the classes without a report on an item one is enough: nobody has to be kept from it
    possible[:, :-1] &= counts > 0
    pair_item, pair_rival = np.nonzero(possible)
    if not len(pair_item):
        return ProgramResult((), 0.0, "optimal")
    starts = np.searchsorted(ballots.item, np.arange(ballots.items + 1), sorter=(order := np.argsort(ballots.item)))
    rows, columns, factors = [], [], []
    for row, (item, rival) in enumerate(zip(pair_item.tolist(), pair_rival.tolist(), strict=True)):
        reports = order[starts[item] : starts[item + 1]]
        weights = np.where(ballots.choice[reports] == winner[item], 2, (ballots.choice[reports] != rival).astype(int))
        margin = int(margins[item, rival])
        used = weights > 0
        rows += [row] * (int(used.sum()) + 1)
        columns += [*ballots.reporter[reports[used]].tolist(), n + row]
        factors += [*(-np.minimum(weights[used], margin)).tolist(), margin]
    height, width = len(pair_item), n + len(pair_item)
    enough = csr_array((factors, (rows, columns)), shape=(height, width))
    once = csr_array((np.ones(height), (pair_item, n + np.arange(height))), shape=(ballots.items, width))
    once = once[np.bincount(pair_item, minlength=ballots.items) > 1]
    size = csr_array((np.ones(n), (np.zeros(n, int), np.arange(n))), shape=(1, width))
    constraints = [LinearConstraint(enough, -np.inf, 0), LinearConstraint(size, -np.inf, k)]
    if once.shape[0]:
        constraints.append(LinearConstraint(once, -np.inf, 1))
    found = milp(
        np.concatenate([np.zeros(n), -values[pair_item]]),
        integrality=np.ones(width),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"time_limit": time_limit, "mip_rel_gap": 0.0},
    )
    members = () if found.x is None else tuple(np.flatnonzero(found.x[:n] > 0.5).tolist())
    bound = -found.mip_dual_bound if found.mip_dual_bound is not None else math.inf
    status = "optimal" if found.status == 0 else "time limit" if found.status == 1 else "failed"
    return ProgramResult(members, float(bound), status)
