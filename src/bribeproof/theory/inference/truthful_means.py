"""Bounds of means over the answers of truthful reporters, where the same k reporters are bribed on all gold items."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.inference.confidence import bets_for
from bribeproof.theory.inference.item_kinds import ItemKinds, Share

_WIDTH = 2.0**-32
"""Width of the interval that a bound is searched in."""
_LARGEST_BET = 0.99
_MOST_SETS, _MOST_CELLS = 1_000, 6_000_000
"""Sets of at most k reporters, and items times sets, up to which all sets are tried."""
_MOST_BLOCKS = 12
"""Blocks that the numbers 0, …, k are divided into; up to so many k, each number is a block of its own."""


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
    without = _without(kinds, k, share, falls=falls)
    bets = np.minimum(bets_for(planned, risk), _LARGEST_BET)
    return _last_above(lambda mean: without.log_wealth(mean, bets, times) + math.log(risk))


def _last_above(surplus: Callable[[float], float]) -> float:
    """Return the root of a falling function on (0, 1], from below: the function is not negative there; or 0.

    Secants that halve the value of an end which stays (the Illinois method), and a halving in every third step.
    """
    low, high, above, below = 0.0, 1.0, math.inf, surplus(1.0)
    if below >= 0:
        return 1.0
    step, moved = 0, 0
    while high - low > _WIDTH:
        step += 1
        guess = (low + high) / 2
        if step % 3 and math.isfinite(above):
            guess = min(max((low * below - high * above) / (below - above), low + _WIDTH / 2), high - _WIDTH / 2)
        value = surplus(guess)
        if value >= 0:
            low, above, below, moved = guess, value, below / 2 if moved > 0 else below, 1
        else:
            high, below, above, moved = guess, value, above / 2 if moved < 0 else above, -1
    return low


def observed_mean(kinds: ItemKinds, k: int, share: Share, *, falls: bool) -> float:
    """Return the limit of `least_mean` for many such items: the mean share, whichever k reporters are left out."""
    if not kinds.total:
        return 0.0
    total = _without(kinds, k, share, falls=falls).least_total(lambda shares: shares)
    return float(min(1.0, max(0.0, total / kinds.total)))


def _without(kinds: ItemKinds, k: int, share: Share, *, falls: bool) -> "_EverySet | _LinearBound":
    """Return the shares without each set of at most k reporters or, where these are too many, a bound of them."""
    reporters = kinds.wrong.shape[1]
    sets = sum(math.comb(reporters, size) for size in range(k + 1))
    if sets <= _MOST_SETS and sets * kinds.total <= _MOST_CELLS:
        return _EverySet(kinds, k, share)
    return _LinearBound(kinds, k, share, falls=falls)


class _EverySet:
    """The shares of items without each set of at most k reporters."""

    def __init__(self, kinds: ItemKinds, k: int, share: Share) -> None:
        self._items, wrong, right = kinds.left_by_sets(k)
        self._shares = share(wrong, wrong + right)

    def log_wealth(self, mean: float, bets: FloatArray, times: int) -> float:
        """Return the log of the least wealth over all sets, averaged over the bets."""
        logs = times * (np.log1p(bets[:, None] * (self._shares / mean - 1)) @ self._items)
        return float(_log_mean(logs).min())

    def least_total(self, value: Callable[[FloatArray], FloatArray]) -> float:
        """Return the least sum over items of a value of the share."""
        return float((value(self._shares) @ self._items).min())


class _LinearBound:
    """A lower bound of sums over items, whichever set of at most k reporters is left out, that is linear in the set."""

    def __init__(self, kinds: ItemKinds, k: int, share: Share, *, falls: bool) -> None:
        from scipy.sparse import csr_array

        self.kinds, self.k = kinds, k
        m, errors = kinds.reports[:, None], kinds.errors[:, None]
        # "up" are the reports without which the share is larger, "down" the others
        up, down = (errors, m - errors) if falls else (m - errors, errors)
        each = (np.ones(kinds.total), (kinds.kind, np.arange(kinds.total)))
        of_kind = csr_array(each, shape=(len(kinds.items), kinds.total))
        tables = [(of_kind @ table).T.tocsr() for table in (kinds.wrong, kinds.right)]
        self._up_table, self._down_table = tables if falls else tables[::-1]

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
        """Return the log of the least wealth over all sets, averaged over the bets, or less."""

        def log_factor(bet: float) -> Callable[[FloatArray], FloatArray]:
            return lambda shares: np.log1p(bet * (shares / mean - 1))

        logs = [times * self.least_total(log_factor(bet)) for bet in bets.tolist()]
        return float(_log_mean(np.array(logs)))

    def least_total(self, value: Callable[[FloatArray], FloatArray]) -> float:
        """Return the least sum over items of a value that rises with the share, or less."""
        whole = value(self._whole)
        total = float(self.kinds.items @ whole)
        if not self.k:
            return total
        below = value(self._below) - whole[:, None]
        down = _least(below / self._downs)
        mixed = value(self._mixed) - whole[:, None] - down[:, None] * self._down_low
        up = _least(mixed / np.where(mixed > 0, self._up_high, self._up_low))
        sums = np.minimum(self._up_table @ up + self._down_table @ down, 0.0)
        chosen = min(self.k, len(sums))
        return total + float(np.partition(sums, chosen - 1)[:chosen].sum())


def _log_mean(logs: FloatArray) -> FloatArray:
    """Return the log of the mean of numbers whose logs are given, over the first axis."""
    most = logs.max(axis=0)
    return np.asarray(most + np.log(np.exp(logs - most).sum(axis=0) / len(logs)))


def _least(values: FloatArray) -> FloatArray:
    """Return the least value of each row that is a number; 0 where there is none."""
    least = np.where(np.isnan(values), np.inf, values).min(axis=1, initial=np.inf)
    return np.where(np.isposinf(least), 0.0, least)


def _blocks(k: int) -> list[tuple[int, int]]:
    """Return ranges that together are 0, …, k; the first is 0 alone."""
    edges = np.unique(np.linspace(1, k + 1, min(k, _MOST_BLOCKS) + 1).round().astype(int)).tolist()
    return [(0, 0), *((low, high - 1) for low, high in pairwise(edges))]
