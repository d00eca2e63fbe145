"""Votes or labels of a table as arrays, and which items a given list of reporters could change."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bribeproof._typing import BoolArray, IntArray
from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError


@dataclass(frozen=True, eq=False)
class Ballots:
    """One choice of a class per report, for a table of items.

    Parameters
    ----------
    item, reporter, choice : int arrays of shape (reports,)
        The numbers of the item, the reporter and the class of each report; a reporter has one on an item at most.
    items, reporters, classes : int
        How many there are of each, at least 1.

    Raises
    ------
    ParameterError
        Arrays of different shapes, a number outside its range, or two reports of a reporter on an item.

    Notes
    -----
    docs/theory.md §14. An item is decided if one class has more reports than any other. A list of reporters changes it
    if they could write their reports on it such that its class no longer has more than any other; reports on a class
    that nobody named count as well.

    Examples
    --------
    >>> ballots = Ballots([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [1, 1, 0, 1, 1], items=2, reporters=3, classes=2)
    >>> ballots.winner.tolist(), ballots.changed_by([0]).tolist(), ballots.changed_by([2]).tolist()
    ([1, 1], [True, True], [False, False])
    """

    item: IntArray
    reporter: IntArray
    choice: IntArray
    items: int
    reporters: int
    classes: int

    def __post_init__(self) -> None:
        sizes = {"items": self.items, "reporters": self.reporters, "classes": self.classes}
        for name, size in sizes.items():
            object.__setattr__(self, name, whole_number(name, size, minimum=1))
        columns = ("item", "reporter", "choice")
        for name in columns:
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        if len({getattr(self, name).shape for name in columns}) > 1 or self.item.ndim != 1:
            raise ParameterError("item, reporter and choice differ in shape; give one number of each per report")
        for name, size in zip(columns, sizes.values(), strict=True):
            if (getattr(self, name) >= size).any():
                raise ParameterError(f"{name} has a number of {size} or more; count from 0 to {size - 1}")
        if len(np.unique(self.item * self.reporters + self.reporter)) < len(self.item):
            raise ParameterError("a reporter has two reports on an item; give one")

    @cached_property
    def counts(self) -> IntArray:
        """The number of reports for each class, shape (items, classes)."""
        cells = self.item * self.classes + self.choice
        return np.bincount(cells, minlength=self.items * self.classes).reshape(self.items, self.classes)

    @cached_property
    def winner(self) -> IntArray:
        """The class of each item that is decided, −1 for the others."""
        return np.where(self.margin > 0, self.counts.argmax(axis=1), -1)

    @cached_property
    def margin(self) -> IntArray:
        """How many reports the class of a decided item is ahead of the next one; 0 for the others."""
        ordered = np.sort(self.counts, axis=1)
        second = ordered[:, -2] if self.classes > 1 else np.zeros(self.items, np.int64)
        return ordered[:, -1] - second

    def changed_by(self, members: Iterable[int]) -> BoolArray:
        """Return which decided items a list of reporters could change.

        Their reports are taken away, and all given to the strongest rival.

        Parameters
        ----------
        members
            The numbers of the reporters.
        """
        theirs = np.isin(self.reporter, np.array(sorted(set(members)), np.int64))
        cells = self.item[theirs] * self.classes + self.choice[theirs]
        taken = np.bincount(cells, minlength=self.items * self.classes).reshape(self.items, self.classes)
        left, rows = self.counts - taken, np.arange(self.items)
        own = left[rows, self.winner]
        left[rows, self.winner] = 0
        changed: BoolArray = (self.winner >= 0) & (own <= left.max(axis=1) + taken.sum(axis=1))
        return changed
