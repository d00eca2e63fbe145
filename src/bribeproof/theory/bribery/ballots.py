"""Votes or labels of a table as arrays, and which items a given list of reporters could change."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.units import InUnits, in_units


@dataclass(frozen=True, eq=False)
class Ballots:
    """One choice of a class per report, for a table of items.

    Parameters
    ----------
    item, reporter, choice : int arrays of shape (reports,)
        The numbers of the item, the reporter and the class of each report; a reporter has one on an item at most.
    items, reporters, classes : int
        How many there are of each, at least 1.
    weights : array of shape (reporters,), optional
        What the report of each reporter counts, at least 0; by default 1.

    Raises
    ------
    ParameterError
        Arrays of different shapes, a number outside its range, or two reports of a reporter on an item.

    Notes
    -----
    docs/theory.md §14. An item is decided if one class has more weight than any other. A list of reporters changes it
    if they could write their reports on it such that its class no longer has more than any other; reports on a class
    that nobody named count as well. Weights without a common unit are rounded, at 2⁻³² of their sum; what the rounding
    leaves open is no decision, and no change.

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
    weights: ArrayLike | None = None

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
        cells = np.sort(self.item * self.reporters + self.reporter)  # much faster than np.unique on long tables
        if (cells[1:] == cells[:-1]).any():
            raise ParameterError("a reporter has two reports on an item; give one")
        if self.weights is not None and np.shape(self.weights) != (self.reporters,):
            raise ParameterError(f"weights of shape {np.shape(self.weights)}: give {self.reporters} numbers")

    @cached_property
    def in_units(self) -> InUnits:
        """The weights of the reporters as whole numbers."""
        return in_units("weights", np.ones(self.reporters, np.int64) if self.weights is None else self.weights)

    @cached_property
    def counts(self) -> IntArray:
        """The number of reports for each class, shape (items, classes)."""
        return self._total(np.ones(self.reporters, np.int64))

    @cached_property
    def totals(self) -> tuple[IntArray, IntArray]:
        """The weight of each class in units, at least and at most, each of shape (items, classes)."""
        return self._total(self.in_units.low), self._total(self.in_units.high)

    def _total(self, weights: IntArray, chosen: "BoolArray | slice" = slice(None)) -> IntArray:
        """Return the weight of each class on each item, of some reports."""
        cells = self.item[chosen] * self.classes + self.choice[chosen]
        sums = np.bincount(cells, weights[self.reporter[chosen]], minlength=self.items * self.classes)
        return np.asarray(sums, dtype=np.int64).reshape(self.items, self.classes)

    @cached_property
    def winner(self) -> IntArray:
        """The class of each item that is decided, −1 for the others."""
        return np.where(self.lead > 0, self.totals[0].argmax(axis=1), -1)

    @cached_property
    def lead(self) -> IntArray:
        """How much weight in units the class of a decided item is ahead of the next one at least; 0 for the others."""
        low, high = self.totals
        rows, best = np.arange(self.items), low.argmax(axis=1)
        others = high.copy()
        others[rows, best] = 0
        lead: IntArray = low[rows, best] - others.max(axis=1)
        return np.maximum(lead, 0)

    @property
    def margin(self) -> "IntArray | FloatArray":
        """How many reports the class of a decided item is ahead of the next one, or how much weight; 0 for the others.

        Weights are counted up from what `lead` says at least.
        """
        if self.weights is None:
            return self.lead
        return np.asarray(self.lead * float(self.in_units.unit), dtype=np.float64)

    def changed_by(self, members: Iterable[int]) -> BoolArray:
        """Return which decided items a list of reporters could change.

        Their reports are taken away, and all given to the strongest rival.

        Parameters
        ----------
        members
            The numbers of the reporters.
        """
        theirs = np.isin(self.reporter, np.array(sorted(set(members)), np.int64))
        taken_low, taken_high = (self._total(weights, theirs) for weights in self.in_units[:2])
        rows = np.arange(self.items)
        own = (self.totals[1] - taken_high)[rows, self.winner]
        rivals = self.totals[0] - taken_low
        rivals[rows, self.winner] = 0
        changed: BoolArray = (self.winner >= 0) & (own <= rivals.max(axis=1) + taken_low.sum(axis=1))
        return changed
