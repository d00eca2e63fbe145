"""The best list of one, two or three reporters, by counting what all lists change."""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory.bribery.ballots import Ballots

MOST_MEMBERS = 3
"""Lists of so many members are counted."""
_PART = 40
"""A part of the reporters of an item takes as long as so many lists."""
_CELLS = 20_000_000
"""About how many combinations of reports are held in memory at once."""


class BestList(NamedTuple):
    """The members of a list, and the value of the items that it changes."""

    members: tuple[int, ...]
    value: float


def best_small_list(ballots: Ballots, k: int, values: FloatArray) -> BestList:
    """Return the list of at most k reporters that changes most.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    k : int
        The number of members, 1 to 3, no more than reporters.
    values : array of shape (items,)
        What each item counts, at least 0.

    Notes
    -----
    docs/theory.md §14. Whether a list changes an item depends on its members who report on it. So the value that a list
    changes is the sum, over its parts of one to three members, of what the part adds to its own parts; and only parts
    whose members report on a common item add anything.
    """
    n = ballots.reporters
    alone = np.zeros(n)
    pairs = np.zeros((n, n)) if k > 1 else np.zeros((0, 0))
    triples: list[tuple[IntArray, FloatArray]] = []
    for members, added in _parts(ballots, k, values):
        size = members.shape[1]
        if size == 1:
            np.add.at(alone, members[:, 0], added)
        elif size == 2:
            np.add.at(pairs, (members[:, 0], members[:, 1]), added)
        else:
            codes = (members[:, 0] * n + members[:, 1]) * n + members[:, 2]
            triples.append((codes, added))
    if k == 1:
        best = int(alone.argmax())
        return BestList((best,), float(alone[best]))
    pairs += pairs.T
    together = alone[:, None] + alone + pairs
    np.fill_diagonal(together, -np.inf)
    if k == 2:
        first, second = np.unravel_index(int(together.argmax()), together.shape)
        return BestList((int(first), int(second)), float(together[first, second]))
    return _best_triple(alone, pairs, together, triples)


def counting_work(ballots: Ballots, k: int) -> int:
    """Return about how many numbers `best_small_list` handles; a million take some milliseconds.

    Examples
    --------
    >>> ballots = Ballots([0, 0, 0, 1], [0, 1, 2, 0], [1, 1, 0, 1], items=2, reporters=3, classes=2)
    >>> counting_work(ballots, 1), counting_work(ballots, 2)
    (160, 289)
    """
    sizes = np.bincount(ballots.item, minlength=ballots.items)[(ballots.margin > 0) & (ballots.margin <= 2 * k)]
    parts = sum(comb(size, members) for size in sizes.tolist() for members in range(1, k + 1))
    return _PART * parts + (ballots.reporters**k if k > 1 else 0)


def _best_triple(
    alone: FloatArray, pairs: FloatArray, together: FloatArray, triples: list[tuple[IntArray, FloatArray]]
) -> BestList:
    """Return the best three members, one first member after the other."""
    n = len(alone)
    every = np.concatenate([np.zeros(0, np.int64), *(codes for codes, _ in triples)])
    codes, group = np.unique(every, return_inverse=True)
    weights = np.concatenate([np.zeros(0), *(values for _, values in triples)])
    added = np.bincount(group, weights=weights, minlength=len(codes))
    firsts, rest = np.divmod(codes, n * n)
    starts = np.searchsorted(firsts, np.arange(n + 1))
    best = BestList((), -np.inf)
    for first in range(n - 2):
        others = slice(first + 1, n)
        own = alone[first] + pairs[first, others]
        table = together[others, others] + own[:, None] + pairs[first, others]
        mine = slice(starts[first], starts[first + 1])
        second, third = np.divmod(rest[mine], n)
        table[second - first - 1, third - first - 1] += added[mine]
        table = np.triu(table, 1) + np.tril(np.full_like(table, -np.inf))
        place = int(table.argmax())
        if table.flat[place] > best.value:
            second_one, third_one = np.unravel_index(place, table.shape)
            members = (first, first + 1 + int(second_one), first + 1 + int(third_one))
            best = BestList(members, float(table.flat[place]))
    return best


def _parts(ballots: Ballots, k: int, values: FloatArray) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield lists of one to k reporters with a common item, ascending, and what each adds to its own parts there."""
    counted = (ballots.margin > 0) & (ballots.margin <= 2 * k) & (values > 0)
    order = np.lexsort((ballots.reporter, ballots.item))
    order = order[counted[ballots.item[order]]]
    item, reporter, choice = ballots.item[order], ballots.reporter[order], ballots.choice[order]
    names, starts, sizes = np.unique(item, return_index=True, return_counts=True)
    for size in np.unique(sizes).tolist():
        chosen = sizes == size
        rows = starts[chosen][:, None] + np.arange(size)
        most = max(1, _CELLS // max(1, size**k))
        for start in range(0, len(rows), most):
            part, items = rows[start : start + most], names[chosen][start : start + most]
            yield from _parts_of(reporter[part], choice[part], ballots, items, k, values[items])


def _parts_of(
    reporter: IntArray, choice: IntArray, ballots: Ballots, items: IntArray, k: int, values: FloatArray
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield the same for items with equally many reports."""
    size = reporter.shape[1]
    changed: dict[tuple[int, ...], BoolArray] = {}
    added: dict[tuple[int, ...], IntArray] = {}
    counts, winner = ballots.counts[items], ballots.winner[items]
    rows = np.arange(len(items))
    for members in range(1, min(k, size) + 1):
        for who in combinations(range(size), members):
            left = counts.copy()
            for one in who:
                left[rows, choice[:, one]] -= 1
            own = left[rows, winner]
            left[rows, winner] = 0
            changed[who] = own <= left.max(axis=1) + members
            gain = changed[who].astype(np.int64)
            for fewer in range(1, members):
                for part in combinations(who, fewer):
                    gain -= added[part]
            added[who] = gain
            some = gain != 0
            if some.any():
                yield reporter[some][:, list(who)], gain[some] * values[some]
