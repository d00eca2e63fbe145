"""The cheapest groups that bring a clipped sum to a target, with a proof that less money is not enough."""

import numpy as np

from bribeproof._typing import BoolArray, IntArray
from bribeproof.rankings.clipped_sum import ClippedSum
from bribeproof.rankings.least_bribe import COUNTED
from bribeproof.rankings.program import Least, solve_program


def least_price(
    lead: ClippedSum,
    target: int,
    costs: IntArray,
    *,
    enough: int | None = None,
    time_limit: float = 60.0,
    counted: int = COUNTED,
) -> Least:
    """Find the cheapest groups for which a clipped sum reaches a target.

    Parameters
    ----------
    lead
        The function.
    target
        The value to reach.
    costs : array of shape (groups,)
        What each group costs, whole numbers of at least 0.
    enough
        Only lower prices are of interest: the search ends when it is known that less is not enough.
    time_limit
        Seconds for the integer program.
    counted
        The most lists, of any length, that are counted.

    Notes
    -----
    docs/theory.md, Proposition 14.8. From below, each form may be served by other groups, the last of them bought in
    part. Lists are counted, or an integer program is solved.
    """
    total, everybody = int(costs.sum()), tuple(range(len(costs)))
    if lead.at(lead.gains.sum(axis=1)) < target:
        return Least(total, None, (), "bound")
    lower = _lower_bound(lead, target, costs)
    if enough is not None and lower >= enough:
        return Least(lower, total, everybody, "bound")
    if 2 ** len(costs) <= counted:
        lists = all_lists(costs)
        bribed = tuple(np.flatnonzero(lists[(lead.of(lists) >= target).argmax()]).tolist())
        price = int(costs[list(bribed)].sum())
        return Least(price, price, bribed, "bound" if price == lower else "counted")
    bribed = _by_gains(lead, target, costs)
    price = int(costs[list(bribed)].sum())
    return Least(price, price, bribed, "bound") if price == lower else solve_program(
        lead, target, costs, lower, bribed, time_limit
    )  # fmt: skip


def all_lists(costs: IntArray) -> BoolArray:
    """Return every list of groups as a row, the cheapest first, and of equal price the shortest."""
    groups = np.arange(len(costs))
    lists = (np.arange(2 ** len(costs))[:, None] >> groups) % 2 == 1
    return np.asarray(lists[np.lexsort([lists.sum(axis=1), lists @ costs])])


def _lower_bound(lead: ClippedSum, target: int, costs: IntArray) -> int:
    """Return the least price at which the sum reaches the target if each form is served by other groups, in part."""
    order = np.argsort(-lead.gains / np.maximum(costs, 1e-9), axis=1, kind="stable")
    spent, gained = (
        np.pad(np.cumsum(each, axis=1), ((0, 0), (1, 0)))
        for each in (costs[order], np.take_along_axis(lead.gains, order, axis=1))
    )
    forms, last = np.arange(len(order)), len(costs)

    def reaches(price: int) -> bool:
        whole = (spent <= price).sum(axis=1) - 1
        after = np.minimum(whole + 1, last)
        step = np.maximum(spent[forms, after] - spent[forms, whole], 1)
        part = (price - spent[forms, whole]) * (gained[forms, after] - gained[forms, whole]) // step
        return bool(lead.at(gained[forms, whole] + part) >= target)

    low, high = 0, int(costs.sum())
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return low


def _by_gains(lead: ClippedSum, target: int, costs: IntArray) -> tuple[int, ...]:
    """Return groups that are enough: those that gain most for their price, less those that are not needed."""
    order = np.argsort(-(lead.weight @ lead.gains) / np.maximum(costs, 1e-9), kind="stable")
    totals = np.cumsum(lead.gains[:, order].T, axis=0)
    chosen = np.zeros(len(costs), dtype=bool)
    if lead.at(np.zeros(len(lead.base), dtype=np.int64)) < target:
        chosen[order[: int((lead.at(totals) >= target).argmax()) + 1]] = True
    for group in sorted(np.flatnonzero(chosen), key=lambda one: -costs[one]):
        chosen[group] = False
        chosen[group] = not bool(lead.of(chosen[None])[0] >= target)
    return tuple(np.flatnonzero(chosen).tolist())
