"""What affordable groups hold of each item: the most reports or weight, and the least price of enough of them."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.bribes import Bribes

_CELLS = 2**22
"""The most cells of a table of a knapsack; more items are taken in turns."""
_MOST_UNITS = 10**6
"""The largest budget, in the unit in which all prices are whole, for which weights are packed."""
_UNPAYABLE = 2**61


@dataclass(frozen=True, eq=False)
class ItemGroups:
    """The groups of the reporters of each item.

    Parameters
    ----------
    item, group : int arrays of shape (pairs,)
        The numbers of an item and of a group that reports on it; each pair once, sorted by item.
    items : int
        How many items there are.
    bribes : Bribes
        What each group costs, and the budget.

    Raises
    ------
    ParameterError
        Prices that are no whole numbers of a common unit below 2^61.

    Notes
    -----
    docs/theory.md §14. Where all groups cost the same, the largest ones are the most. Otherwise each number is the
    solution of a 0/1 knapsack, computed exactly: by the least price of at least so many, or by the most for at most so
    much money, for counts whichever is quicker, for weights the latter.

    Examples
    --------
    >>> vendors = Bribes([0, 0, 0, 1, 1, 2], (1, 1, 1), budget=2)
    >>> groups = ItemGroups(np.array([0, 0, 0]), np.array([0, 1, 2]), 1, vendors)
    >>> groups.most(np.array([3, 2, 1])).tolist(), groups.least(np.array([3, 2, 1]), np.array([4])).tolist()
    ([5], [2])
    """

    item: IntArray
    group: IntArray
    items: int
    bribes: Bribes

    def __post_init__(self) -> None:
        _units(self.bribes)

    def most(self, value: NDArray[Any]) -> NDArray[Any]:
        """Return the largest sum of values of affordable groups, for each item.

        Parameters
        ----------
        value : int or float array of shape (pairs,)
            The number of reports that the group has on the item, or their weight, at least 0.

        Raises
        ------
        ParameterError
            Of weights: prices and a budget of more than a million of their common unit.
        """
        if self.bribes.counts_groups:
            order = np.lexsort((-value, self.item))
            counted = self._rank(order) < int(self.bribes.budget)
            return self._total(np.where(counted, value[order], 0), order).astype(value.dtype)
        if np.issubdtype(value.dtype, np.integer):
            if self._budget >= min(_MOST_UNITS, self._total(value).max(initial=0)):
                return self._knapsack(value, lambda least, _: (least <= self._budget).sum(axis=1) - 1)
            return np.rint(self._heaviest(value.astype(np.float64))).astype(value.dtype)
        return self._heaviest(value)

    def least(self, value: IntArray, need: IntArray) -> IntArray:
        """Return the least price, in units, of groups whose values sum to at least what is needed; −1 if none do.

        Parameters
        ----------
        value : int array of shape (pairs,)
            What a group adds on an item, at least 0.
        need : int array of shape (items,)
            What is needed on each item.
        """
        if self.bribes.counts_groups:
            order = np.lexsort((-value, self.item))
            gained = np.cumsum(value[order])
            before = np.append(0, gained)[self._starts]
            short = gained - before[self.item[order]] < need[self.item[order]]
            fewest = np.where(need > 0, 1 + np.bincount(self.item[order][short], minlength=self.items), 0)
            return np.where(self._total(value) >= need, fewest, -1)

        def price(least: IntArray, rows: slice) -> IntArray:
            wanted = np.maximum(need[rows], 0)
            found = least[np.arange(len(least)), np.minimum(wanted, least.shape[1] - 1)]
            return np.where((wanted < least.shape[1]) & (found < _UNPAYABLE), found, -1)

        return self._knapsack(value, price)

    @property
    def unit(self) -> Fraction:
        """How much money one unit of `least` is; 1 where groups are counted."""
        return Fraction(1, lcm(1, *(price.denominator for price in self.bribes.prices)))

    @cached_property
    def sizes(self) -> IntArray:
        """The number of groups on each item."""
        return np.bincount(self.item, minlength=self.items)

    @cached_property
    def _starts(self) -> IntArray:
        """The position of the first pair of each item."""
        return np.cumsum(self.sizes) - self.sizes

    @property
    def _budget(self) -> int:
        """The budget in units; no more than all prices together."""
        return _units(self.bribes)[1]

    def _rank(self, order: IntArray) -> IntArray:
        """Return the rank, from 0, of each pair within its item, in an order that is sorted by item."""
        return np.arange(len(order)) - self._starts[self.item[order]]

    def _total(self, value: NDArray[Any], order: IntArray | None = None) -> FloatArray:
        """Return the sum of a value over the pairs of each item."""
        item = self.item if order is None else self.item[order]
        return np.asarray(np.bincount(item, value, self.items), np.float64)

    def _padded(self, value: NDArray[Any], rows: slice) -> NDArray[Any]:
        """Return the values of some items, one row for each and 0 for missing groups."""
        pairs = slice(int(self._starts[rows][0]), int((self._starts + self.sizes)[rows][-1]))
        table = np.zeros((rows.stop - rows.start, int(self.sizes[rows].max(initial=0))), value.dtype)
        place = np.arange(pairs.start, pairs.stop) - self._starts[self.item[pairs]]
        table[self.item[pairs] - rows.start, place] = value[pairs]
        return table

    def _knapsack(self, value: IntArray, answer: Any) -> IntArray:
        """Return a function of the table of the least price of at least 0, 1, 2, … for each item."""
        prices = _units(self.bribes)[0][self.group]
        width = int(self._total(value).max(initial=0)) + 1
        result = np.zeros(self.items, np.int64)
        step = max(1, _CELLS // width)
        for start in range(0, self.items, step):
            rows = slice(start, min(start + step, self.items))
            counts, costs = self._padded(value, rows), self._padded(prices, rows)
            least = np.full((rows.stop - rows.start, width), _UNPAYABLE)
            least[:, 0] = 0
            for count, cost in zip(counts.T, costs.T, strict=True):
                rest = np.maximum(np.arange(width) - count[:, None], 0)
                paid = np.take_along_axis(least, rest, axis=1) + cost[:, None]
                least = np.minimum(least, np.minimum(paid, _UNPAYABLE))
            result[rows] = answer(least, rows)
        return result

    def _heaviest(self, value: FloatArray) -> FloatArray:
        """Return the largest weight for at most the budget, by the most for each amount of money."""
        units = _units(self.bribes)[0]
        width = self._budget + 1
        if width > _MOST_UNITS + 1:
            raise ParameterError(_TOO_FINE)
        result = np.zeros(self.items)
        step = max(1, _CELLS // width)
        for start in range(0, self.items, step):
            rows = slice(start, min(start + step, self.items))
            weights, costs = self._padded(value, rows), self._padded(units[self.group], rows)
            most = np.zeros((rows.stop - rows.start, width))
            for weight, cost in zip(weights.T, costs.T, strict=True):
                rest = np.arange(width) - cost[:, None]
                gained = np.take_along_axis(most, np.maximum(rest, 0), axis=1) + weight[:, None]
                most = np.where(rest >= 0, np.maximum(most, gained), most)
            result[rows] = most[:, -1]
        return result


_TOO_FINE = (
    "prices and budget are too large in the unit in which all prices are whole numbers: round the prices, such as to "
    "thousands"
)


def _units(bribes: Bribes) -> tuple[IntArray, int]:
    """Return prices and budget as whole numbers of a common unit, exactly; the budget is rounded down."""
    unit = lcm(1, *(price.denominator for price in bribes.prices))
    prices = [int(price * unit) for price in bribes.prices]
    if sum(prices) >= _UNPAYABLE:
        raise ParameterError(_TOO_FINE)
    return np.array(prices, dtype=np.int64), min(int(bribes.budget * unit), sum(prices))
