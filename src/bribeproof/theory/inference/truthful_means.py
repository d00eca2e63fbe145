"""Bounds of means over the answers of truthful reporters, where the same k reporters are bribed on all gold items."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.inference.confidence import bets_for

Share: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], FloatArray]
"""A number in [0, 1] from the numbers of errors and of reports on an item, arrays of one shape."""

_BISECTIONS = 40
_LARGEST_BET = 0.99
_MOST_BLOCKS = 12
"""Blocks that the numbers 0, …, k are divided into; up to so many k, each number is a block of its own."""


@dataclass(frozen=True, eq=False)
class ItemKinds:
    """Gold items of one state, sorted by their numbers of reports and of errors.

    Parameters
    ----------
    reports, errors, items : int arrays of shape (kinds,)
        The numbers of reports and of errors on an item of each kind, and how many items there are.
    wrong, right : sparse arrays of shape (reporters, kinds)
        On how many items of each kind each reporter is wrong, and right.
    """

    reports: IntArray
    errors: IntArray
    items: IntArray
    wrong: Any
    right: Any

    @classmethod
    def count(cls, reporters: int, item: IntArray, reporter: IntArray, right: NDArray[np.bool_], least: int) -> Any:
        """Count answers to items with at least so many of them.

        Parameters
        ----------
        reporters : int
            The number of reporters.
        item, reporter, right : arrays of shape (answers,)
            Number of the item, number of the reporter, and whether the answer is right.
        least : int
            The least number of answers.
        """
        from scipy.sparse import csr_array

        _, place = np.unique(item, return_inverse=True)
        sizes = np.bincount(place) if len(place) else np.zeros(0, np.int64)
        errors = np.bincount(place, weights=~right, minlength=len(sizes)).astype(np.int64)
        kept = sizes >= least
        pairs, which = np.unique(np.stack([sizes, errors]).T[kept], axis=0, return_inverse=True)
        kind = np.full(len(sizes), -1)
        kind[kept] = which.ravel()
        seen = kept[place] if len(place) else np.zeros(0, bool)
        tables = []
        for chosen in (seen & ~right, seen & right):
            ones = (np.ones(int(chosen.sum())), (reporter[chosen], kind[place[chosen]]))
            tables.append(csr_array(ones, shape=(reporters, len(pairs))))
        return cls(pairs[:, 0], pairs[:, 1], np.bincount(which.ravel(), minlength=len(pairs)), *tables)

    @cached_property
    def total(self) -> int:
        """The number of items."""
        return int(self.items.sum())


def wrong_share(errors: NDArray[Any], reports: NDArray[Any]) -> FloatArray:
    """Return the share of reports that are wrong."""
    return np.asarray(errors / reports)


def right_share(errors: NDArray[Any], reports: NDArray[Any]) -> FloatArray:
    """Return the share of reports that are right."""
    return np.asarray(1 - errors / reports)


def wrong_pairs(errors: NDArray[Any], reports: NDArray[Any]) -> FloatArray:
    """Return the share of pairs of reports that are both wrong."""
    return np.asarray(errors * (errors - 1.0) / (reports * (reports - 1.0)))


def other_pairs(errors: NDArray[Any], reports: NDArray[Any]) -> FloatArray:
    """Return the share of pairs of reports of which at least one is right."""
    return np.asarray(1 - errors * (errors - 1.0) / (reports * (reports - 1.0)))


def least_mean(kinds: ItemKinds, k: int, share: Share, *, falls: bool, risk: float, planned: int, times: int) -> float:
    """Return a lower confidence bound of the mean of a share over the reports of the truthful reporters.

    Parameters
    ----------
    kinds : ItemKinds
        Independent gold items, each with more than k reports (k + 1 for shares of pairs).
    k : int
        Largest number of bribed reporters, who may have answered anything: the same ones on all items.
    share : function
        The share of an item, from its numbers of errors and of reports.
    falls : bool
        Whether the share falls with the number of errors.
    risk : float
        Largest probability in (0, 1) with which the bound may exceed the mean.
    planned : int
        The number of items that the bets are chosen for, which must not depend on the answers.
    times : int
        Count each item so many times.

    Returns
    -------
    float
        The bound, in [0, 1]; 0 without items.

    Notes
    -----
    docs/theory.md, Proposition 6.7. For each set of at most k reporters the wealth of bets on the others' shares bounds
    the mean of these. The bound is the least over all sets: as one of them is the set of the bribed, there is no union
    bound. A set takes errors and right answers from items. The log of what an item pays is bounded from below by a
    linear function of both numbers, so that the worst set is that of the k reporters with the least sums.
    """
    if not kinds.total:
        return 0.0
    removals = _Removals(kinds, k, share, falls=falls)
    bets = np.minimum(bets_for(planned, risk), _LARGEST_BET)
    low, high, needed = 0.0, 1.0, -math.log(risk)
    for _ in range(_BISECTIONS):
        guess = (low + high) / 2
        low, high = (guess, high) if removals.log_wealth(guess, bets, times) >= needed else (low, guess)
    return low


class _Removals:
    """What is left of the share of each kind of item when some reports are taken away."""

    def __init__(self, kinds: ItemKinds, k: int, share: Share, *, falls: bool) -> None:
        self.kinds, self.k = kinds, k
        m, errors = kinds.reports[:, None], kinds.errors[:, None]
        # "up" are the reports without which the share is larger, "down" the others
        up, down = (errors, m - errors) if falls else (m - errors, errors)
        self._up_table, self._down_table = (kinds.wrong, kinds.right) if falls else (kinds.right, kinds.wrong)

        def left(ups: NDArray[Any], downs: NDArray[Any]) -> FloatArray:
            possible = (ups <= up) & (downs <= down) & (ups + downs <= k)
            u, d = np.where(possible, ups, 0), np.where(possible, downs, 0)
            return np.where(possible, share(errors - (u if falls else d), m - u - d), np.nan)

        self._whole = share(errors, m)[:, 0]
        self._downs = np.arange(1, k + 1)[None, :]
        self._below = left(np.zeros_like(self._downs), self._downs)
        blocks = _blocks(k)
        pairs = [(a, b) for a in blocks for b in blocks if a[0] >= 1 and a[0] + b[0] <= k]
        table = np.array([(*a, *b) for a, b in pairs], dtype=np.int64).reshape(len(pairs), 4).T[:, None, :]
        self._up_low, self._up_high, self._down_low, down_high = table
        # the least share of a block: with the fewest ups and the most downs that an item allows
        feasible = (self._up_low <= up) & (self._down_low <= down)
        most = np.minimum(np.minimum(down_high, down), k - self._up_low)
        self._mixed = np.where(feasible, left(np.broadcast_to(self._up_low, most.shape), most), np.nan)

    def log_wealth(self, mean: float, bets: FloatArray, times: int) -> float:
        """Return the log of the least wealth over all sets of at most k reporters, averaged over the bets."""
        logs = []
        for bet in bets.tolist():
            whole = np.log1p(bet * (self._whole / mean - 1))
            total = float(self.kinds.items @ whole)
            if self.k:
                total += self._worst_set(mean, bet, whole[:, None])
            logs.append(times * total)
        return float(logsumexp(logs)) - math.log(len(logs))

    def _worst_set(self, mean: float, bet: float, whole: FloatArray) -> float:
        """Return by how much a set of at most k reporters lowers the log of the wealth, at most."""
        below = np.log1p(bet * (self._below / mean - 1)) - whole
        down = _least(below / self._downs)
        mixed = np.log1p(bet * (self._mixed / mean - 1)) - whole - down[:, None] * self._down_low
        up = _least(mixed / np.where(mixed > 0, self._up_high, self._up_low))
        sums = np.minimum(self._up_table @ up + self._down_table @ down, 0.0)
        chosen = min(self.k, len(sums))
        return float(np.partition(sums, chosen - 1)[:chosen].sum())


def _least(values: FloatArray) -> FloatArray:
    """Return the least value of each row that is a number; 0 where there is none."""
    least = np.where(np.isnan(values), np.inf, values).min(axis=1, initial=np.inf)
    return np.where(np.isposinf(least), 0.0, least)


def _blocks(k: int) -> list[tuple[int, int]]:
    """Return ranges that together are 0, …, k; the first is 0 alone."""
    edges = np.unique(np.linspace(1, k + 1, min(k, _MOST_BLOCKS) + 1).round().astype(int)).tolist()
    return [(0, 0), *((low, high - 1) for low, high in zip(edges[:-1], edges[1:], strict=True))]
