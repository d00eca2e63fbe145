"""Sums over gold items of shares of their reports, whichever k reporters are left out."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.inference.item_kinds import ItemKinds, Share

_MOST_SETS, _MOST_CELLS = 1_000, 6_000_000
"""Sets of at most k reporters, and items times sets, up to which all sets are tried."""
_MOST_BLOCKS = 12
"""Blocks that the numbers 0, …, k are divided into; up to so many k, each number is a block of its own."""
_AT_ONCE = 1_000_000
"""Values of kinds of items, with so many errors and right answers left out, at once."""


class Averaged(NamedTuple):
    """A share of an item, from its numbers of errors and of reports, and whether it falls with the number of errors."""

    share: Share
    falls: bool


class LeftOut(Protocol):
    """Shares of items without each set of at most k reporters."""

    def log_wealths(self, means: Mapping[int, float], bets: Sequence[FloatArray], times: int) -> list[float]:
        """Return the log of the least wealth over all sets, averaged over the bets, or less.

        Parameters
        ----------
        means : mapping from int to float
            The mean that is bet against, of some of the shares by their place.
        bets : sequence of arrays
            The bets on each share.
        times : int
            Count each item so many times.
        """
        ...

    def least_totals(self) -> list[float]:
        """Return the least sum over items of each share, or less."""
        ...


def leave_out(kinds: ItemKinds, k: int, averaged: Sequence[Averaged]) -> LeftOut:
    """Return shares of items without each set of at most k reporters or, where these are too many, a bound of them."""
    reporters = kinds.wrong.shape[1]
    sets = sum(math.comb(reporters, size) for size in range(k + 1))
    if sets <= _MOST_SETS and sets * kinds.total <= _MOST_CELLS:
        return EverySet(kinds, k, averaged)
    return LinearBound(kinds, k, averaged)


class EverySet:
    """The shares of items without each set of at most k reporters."""

    def __init__(self, kinds: ItemKinds, k: int, averaged: Sequence[Averaged]) -> None:
        self._items, wrong, right = kinds.left_by_sets(k)
        self._shares = [share(wrong, wrong + right) for share, _ in averaged]

    def log_wealths(self, means: Mapping[int, float], bets: Sequence[FloatArray], times: int) -> list[float]:
        """Return the log of the least wealth over all sets, averaged over the bets."""
        wealths = []
        for place, mean in means.items():
            logs = times * (np.log1p(bets[place][:, None] * (self._shares[place] / mean - 1)) @ self._items)
            wealths.append(float(_log_mean(logs).min()))
        return wealths

    def least_totals(self) -> list[float]:
        """Return the least sum over items of each share."""
        return [float((shares @ self._items).min()) for shares in self._shares]


class LinearBound:
    """A lower bound of sums over items, whichever set of at most k reporters is left out, that is linear in the set.

    Items differ in few numbers of errors and reports, so that each value is computed once for all items, sets and
    shares.
    """

    def __init__(self, kinds: ItemKinds, k: int, averaged: Sequence[Averaged]) -> None:
        from scipy.sparse import csr_array

        self._k, self._items = k, kinds.items.astype(np.float64)
        each = (np.ones(kinds.total), (kinds.kind, np.arange(kinds.total)))
        of_kind = csr_array(each, shape=(len(kinds.items), kinds.total))
        self._wrong, self._right = ((of_kind @ table).T.tocsr() for table in (kinds.wrong, kinds.right))
        self._falls = np.array([falls for _, falls in averaged])
        blocks = _blocks(k)
        pairs = [(*a, *b) for a in blocks for b in blocks if a[0] >= 1 and a[0] + b[0] <= k]
        table = np.array(pairs, dtype=np.int64).reshape(len(pairs), 4).T
        self._up_low, self._up_high, self._down_low, _ = table
        left = _numbers_left(kinds, k, table)
        found, place = np.unique(left, return_inverse=True)
        self._place = place.reshape(left.shape)
        errors, reports = np.divmod(found[found >= 0], kinds.wrong.shape[1] + 1)
        self._shares = np.full((len(averaged), len(found)), np.inf)
        self._shares[:, found >= 0] = [share(errors, reports) for share, _ in averaged]

    def log_wealths(self, means: Mapping[int, float], bets: Sequence[FloatArray], times: int) -> list[float]:
        """Return the log of the least wealth over all sets, averaged over the bets, or less."""
        sizes = [len(bets[place]) for place in means]
        which, mean = (np.repeat(list(given), sizes)[:, None] for given in (means, means.values()))
        bet = np.concatenate([bets[place] for place in means])[:, None]
        logs = times * self._least_sums(which[:, 0], np.log1p(bet * (self._shares[which[:, 0]] / mean - 1)))
        return [float(_log_mean(part)) for part in np.split(logs, np.cumsum(sizes[:-1]))]

    def least_totals(self) -> list[float]:
        """Return the least sum over items of each share, or less."""
        return [float(least) for least in self._least_sums(np.arange(len(self._falls)), self._shares)]

    def _least_sums(self, which: IntArray, values: FloatArray) -> FloatArray:
        """Return the least sums over items of values that rise with the shares in whose place they stand, or less."""
        rows = max(1, _AT_ONCE // self._place[0].size)
        parts = [slice(start, start + rows) for start in range(0, len(which), rows)]
        return np.concatenate([self._some_sums(self._falls[which[part]], values[part]) for part in parts])

    def _some_sums(self, falls: NDArray[np.bool_], values: FloatArray) -> FloatArray:
        # "up" are the reports without which the share is larger, "down" the others
        k, place = self._k, self._place[falls.astype(np.int64)]
        of_items = np.take_along_axis(values[:, None], place.reshape(len(place), 1, -1), axis=2).reshape(place.shape)
        whole = np.ascontiguousarray(of_items[:, :, 0])
        totals = np.array([self._items @ one for one in whole])
        if not k:
            return totals
        gains = of_items[:, :, 1:] - whole[:, :, None]
        down = _least(gains[:, :, :k] / np.arange(1, k + 1))
        mixed = gains[:, :, k:] - down[:, :, None] * self._down_low
        up = _least(mixed / np.where(mixed > 0, self._up_high, self._up_low))
        wrong, right = np.where(falls[:, None], up, down), np.where(falls[:, None], down, up)
        sums = np.ascontiguousarray(np.minimum(self._wrong @ wrong.T + self._right @ right.T, 0.0).T)
        chosen = min(k, sums.shape[1])
        return np.asarray(totals + np.partition(sums, chosen - 1, axis=1)[:, :chosen].sum(axis=1))


def _numbers_left(kinds: ItemKinds, k: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of errors and of reports of each kind of item without some of its reports, as one number.

    The first axis is whether the share falls with the errors, the last one what is left out: nothing, 1 to k reports
    down, and of each pair of blocks the fewest up and the most down that an item allows, so that the share is least.
    -1 for more reports than an item has, or than k.
    """
    errors, reports = kinds.errors[:, None], kinds.reports[:, None]
    up, (up_low, _, down_low, down_high) = np.stack([reports - errors, errors]), pairs
    down = up[::-1]
    ups = np.concatenate([np.zeros(k + 1, np.int64), up_low])
    alone = np.broadcast_to(np.arange(k + 1), (*up.shape[:2], k + 1))
    downs = np.concatenate([alone, np.minimum(np.minimum(down_high, down), k - up_low)], axis=2)
    possible = (ups <= up) & (downs <= down) & (ups + downs <= k)
    possible[:, :, k + 1 :] &= down_low <= down
    wrong = np.stack([errors - downs[0], np.broadcast_to(errors - ups, downs[1].shape)])
    return np.where(possible, wrong * (kinds.wrong.shape[1] + 1) + reports - ups - downs, -1)


def _log_mean(logs: FloatArray) -> FloatArray:
    """Return the log of the mean of numbers whose logs are given, over the first axis."""
    most = logs.max(axis=0)
    return np.asarray(most + np.log(np.exp(logs - most).sum(axis=0) / len(logs)))


def _least(values: FloatArray) -> FloatArray:
    """Return the least value of each last row; 0 where nothing is possible."""
    least = values.min(axis=-1, initial=np.inf)
    return np.where(np.isposinf(least), 0.0, least)


def _blocks(k: int) -> list[tuple[int, int]]:
    """Return ranges that together are 0, …, k; the first is 0 alone."""
    edges = np.unique(np.linspace(1, k + 1, min(k, _MOST_BLOCKS) + 1).round().astype(int)).tolist()
    return [(0, 0), *((low, high - 1) for low, high in pairwise(edges))]
