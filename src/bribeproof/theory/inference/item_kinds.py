"""Gold items by their numbers of reports and of errors, and shares of these."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, FloatArray, IntArray

Share: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], FloatArray]
"""A number in [0, 1] from the numbers of errors and of reports on an item, arrays of one shape."""

_AT_ONCE = 1_000_000
"""Items times sets of reporters at once."""


@dataclass(frozen=True, eq=False)
class ItemKinds:
    """Gold items of one state, sorted by their numbers of reports and of errors.

    Parameters
    ----------
    reports, errors, items : int arrays of shape (kinds,)
        The numbers of reports and of errors on an item of each kind, and how many items there are.
    kind : int array of shape (items,)
        The kind of each item.
    wrong, right : sparse arrays of shape (items, reporters)
        Who is wrong, and who is right, on each item.
    """

    reports: IntArray
    errors: IntArray
    items: IntArray
    kind: IntArray
    wrong: Any
    right: Any
    _left_by_sets: dict[int, tuple[FloatArray, IntArray, IntArray]] = field(default_factory=dict, repr=False)

    @classmethod
    def count(cls, reporters: int, item: IntArray, reporter: IntArray, right: BoolArray, least: int) -> "ItemKinds":
        """Sort the items with at least so many answers.

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
        seen = np.bincount(place, minlength=1)[place] >= least
        _, place = np.unique(item[seen], return_inverse=True)
        sizes = np.bincount(place)
        errors = np.bincount(place, weights=~right[seen]).astype(np.int64)
        pairs, kind = np.unique(np.stack([sizes, errors]), axis=1, return_inverse=True)
        shape, who = (len(sizes), reporters), reporter[seen]
        wrong, good = (
            csr_array((np.ones(int(chosen.sum())), (place[chosen], who[chosen])), shape=shape)
            for chosen in (~right[seen], right[seen])
        )
        return cls(pairs[0], pairs[1], np.bincount(kind.ravel()), kind.ravel(), wrong, good)

    @property
    def total(self) -> int:
        """The number of items."""
        return len(self.kind)

    def left_by_sets(self, k: int) -> tuple[FloatArray, IntArray, IntArray]:
        """Return how many items are left with so many errors and right answers without each set of at most k reporters.

        Returns
        -------
        array of shape (pairs, sets)
            The numbers of items.
        int arrays of shape (pairs,)
            The numbers of errors and of right answers.
        """
        if k not in self._left_by_sets:
            self._left_by_sets[k] = self._count_left(k)
        return self._left_by_sets[k]

    def _count_left(self, k: int) -> tuple[FloatArray, IntArray, IntArray]:
        reporters = self.wrong.shape[1]
        chosen = [who for size in range(k + 1) for who in combinations(range(reporters), size)]
        sets = np.zeros((reporters, len(chosen)))
        for place, who in enumerate(chosen):
            sets[list(who), place] = 1.0
        errors, right = self.errors, self.reports - self.errors
        less = np.arange(k + 1)
        pairs = (np.maximum(errors[:, None, None] - less[:, None], 0), np.maximum(right[:, None, None] - less, 0))
        codes = np.unique(pairs[0] * (reporters + 1) + pairs[1])
        counts = np.zeros(len(codes) * len(chosen))
        rows = max(1, _AT_ONCE // len(chosen))
        for start in range(0, self.total, rows):
            part = slice(start, start + rows)
            tables = (self.wrong, self.right) if rows >= self.total else (self.wrong[part], self.right[part])
            wrong_left = errors[self.kind[part]][:, None] - (tables[0] @ sets)
            right_left = right[self.kind[part]][:, None] - (tables[1] @ sets)
            places = np.searchsorted(codes, wrong_left * (reporters + 1) + right_left)
            cells = places * len(chosen) + np.arange(len(chosen))
            counts += np.bincount(cells.ravel(), minlength=len(counts))
        table = counts.reshape(len(codes), len(chosen))
        used = table.any(axis=1)
        wrong, others = np.divmod(codes[used], reporters + 1)
        return table[used], wrong, others


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
