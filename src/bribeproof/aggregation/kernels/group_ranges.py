"""The scores that an item's trimmed mean is an average of, if the worst affordable union of groups rewrites its own."""

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, IntArray
from bribeproof.theory.bribery.bribes import Bribes

MOST_UNIONS = 1000
"""The most unions of groups that are tried on an item; with more the range is that of any so many reporters."""
_CELLS = 2**22


def worst_windows(
    terms: NDArray[Any],
    group: IntArray,
    start: IntArray,
    stop: IntArray,
    k: IntArray,
    chosen: BoolArray,
    bribes: Bribes,
) -> tuple[IntArray, dict[str, IntArray]]:
    """Return the positions of the scores that the ends of the ranges of items average.

    Every affordable union of groups is tried: its scores are put at one end, where all of them are trimmed.

    Parameters
    ----------
    terms
        The scores, sorted within each item, as numbers that are added.
    group
        The number of the group of each one's reporter.
    start, stop
        The positions of the first score of each item and after its last one.
    k
        How many scores are trimmed at either end of each item.
    chosen
        The items to try.
    bribes
        What groups cost.

    Returns
    -------
    int array of shape (items,)
        The items that were tried: those with few enough unions.
    dict
        For ``"range_low"`` and ``"range_high"`` the positions, one row for each of these items padded with −1.
    """
    tried: list[IntArray] = []
    windows: dict[str, list[IntArray]] = {"range_low": [], "range_high": []}
    size = stop - start
    for m in np.unique(size[chosen]).tolist():
        items = np.flatnonzero(chosen & (size == m))
        places = start[items][:, None] + np.arange(m)
        local, number = _local(group[places])
        for groups in np.unique(number).tolist():
            unions = _unions(groups, bribes)
            if unions is None:
                continue
            here = np.flatnonzero(number == groups)
            step = max(1, _CELLS // (len(unions) * m))
            for first in range(0, len(here), step):
                some = here[first : first + step]
                low, high = _worst(
                    terms[places[some]], local[some], group[places[some]], k[items[some]], unions, bribes
                )
                tried.append(items[some])
                windows["range_low"].append(np.where(low, places[some], -1))
                windows["range_high"].append(np.where(high, places[some], -1))
    if not tried:
        return np.zeros(0, np.int64), {}
    width = max(part.shape[1] for part in windows["range_low"])
    padded = {
        name: np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1) for part in parts])
        for name, parts in windows.items()
    }
    return np.concatenate(tried), padded


def _local(group: IntArray) -> tuple[IntArray, IntArray]:
    """Return the numbers of the groups of each row, counted from 0 in ascending order, and how many there are."""
    order = np.argsort(group, axis=1, kind="stable")
    ascending = np.take_along_axis(group, order, axis=1)
    rank = np.cumsum(np.diff(ascending, axis=1, prepend=ascending[:, :1]) != 0, axis=1)
    local = np.empty_like(rank)
    np.put_along_axis(local, order, rank, axis=1)
    return local, rank[:, -1] + 1


def _unions(groups: int, bribes: Bribes) -> BoolArray | None:
    """Return the unions of so many groups that may be affordable, one row each; None if they are too many."""
    if bribes.counts_groups:
        k = min(int(bribes.budget), groups)
        if comb(groups, k) > MOST_UNIONS:
            return None
        bought = np.array(list(combinations(range(groups), k)), np.int64).reshape(comb(groups, k), k)
        unions = np.zeros((len(bought), groups), bool)
        np.put_along_axis(unions, bought, values=True, axis=1)
        return unions
    return np.array(list(product((False, True), repeat=groups))) if 2**groups <= MOST_UNIONS else None


def _worst(
    terms: NDArray[Any], local: IntArray, group: IntArray, k: IntArray, unions: BoolArray, bribes: Bribes
) -> Iterator[BoolArray]:
    """Yield which scores the lowest and the highest trimmed mean average, for items with as many scores and groups."""
    bribed = unions[:, local].transpose(1, 0, 2)
    affordable = np.ones(bribed.shape[:2], bool)
    if not bribes.counts_groups:
        prices, budget = bribes.whole
        costs = np.zeros((len(local), unions.shape[1]), np.int64)
        np.put_along_axis(costs, local, prices[group], axis=1)
        affordable = costs @ unions.T.astype(np.int64) <= budget
    rank = np.cumsum(~bribed, axis=2) - 1
    own, trim = bribed.sum(axis=2, keepdims=True), k[:, None, None]
    m = terms.shape[1]
    for lowest, sign in ((trim - own, 1), (trim, -1)):
        counted = ~bribed & (rank >= lowest) & (rank < lowest + m - 2 * trim)
        total = sign * (counted * terms[:, None, :]).sum(axis=2)
        if np.issubdtype(total.dtype, np.floating):
            total[~affordable] = np.inf
        else:
            total[~affordable] = np.iinfo(np.int64).max
        yield np.take_along_axis(counted, total.argmin(axis=1)[:, None, None], axis=1)[:, 0]
