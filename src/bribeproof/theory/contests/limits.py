"""Linear limits of variables for a solver that computes with some tolerance: whatever is rounded makes them wider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bribeproof._typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_TINY = 1e-7
"""Beside a coefficient of 1 the solver may drop a smaller one."""
_ROUNDING = 1e-9
"""Limits whose largest coefficient is 1 are wider by so much, for the rounding of their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """A linear function of variables.

    Attributes
    ----------
    groups : array of shape (groups,)
        What each group adds if it is bribed.
    further
        What further variables add for each unit, by their numbers.
    """

    groups: FloatArray
    further: Mapping[int, float]

    def times(self, factor: float) -> "Terms":
        """Return the function times a factor."""
        return Terms(self.groups * factor, {number: gain * factor for number, gain in self.further.items()})

    def plus(self, other: "Terms") -> "Terms":
        """Return the sum of two functions."""
        further = dict(self.further)
        for number, gain in other.further.items():
            further[number] = further.get(number, 0.0) + gain
        return Terms(self.groups + other.groups, further)


@dataclass(slots=True, eq=False)
class Limits:
    """Further variables from 0 to upper limits, and rows of limits for them and for who is bribed.

    Parameters
    ----------
    groups : int
        How many groups there are; each has a variable that is 0 or 1.

    Attributes
    ----------
    upper
        The largest value of each further variable.
    whole
        Whether the solver keeps it a whole number.
    counts
        Whether it is a whole number for every bribery, even if the solver does not keep it so.
    """

    groups: int
    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    counts: list[bool] = field(default_factory=list)
    _rows: list[tuple[FloatArray, Mapping[int, float], float]] = field(default_factory=list)

    def variable(self, upper: float, *, whole: bool = False, counts: bool = False) -> int:
        """Return the number of a new variable."""
        self.upper.append(float(upper))
        self.whole.append(whole)
        self.counts.append(counts or whole)
        return len(self.upper) - 1

    def limit(self, terms: Terms, variable: int, *, times: float = 1.0, constant: float = 0.0) -> None:
        """Limit a variable, times a factor above 0, to some terms and a constant."""
        self.add(terms.plus(Terms(np.zeros(self.groups), {variable: -times})), -constant)

    def add(self, terms: Terms, least: float) -> None:
        """Let some terms be at least a number, at most 0."""
        numbers = np.array(list(terms.further.values()))
        largest = max(np.abs(terms.groups).max(initial=0.0), np.abs(numbers).max(initial=0.0))
        if not largest:
            return
        groups, spare = without_tiny(terms.groups / largest, np.ones(self.groups))
        upper = np.array([self.upper[number] for number in terms.further])
        kept, more = without_tiny(numbers / largest, upper)
        further = dict(zip(terms.further, kept.tolist(), strict=True))
        self._rows.append((groups, further, least / largest - spare - more - _ROUNDING))

    def matrix(self, start: int, width: int) -> tuple["csr_array", FloatArray]:
        """Return the rows among all variables of a program, and the least value of each.

        Parameters
        ----------
        start
            The place of the first further variable.
        width
            The number of variables; those of groups come first.
        """
        from scipy.sparse import csr_array

        values, columns, rows = [], [], []
        for row, (groups, further, _) in enumerate(self._rows):
            there = np.flatnonzero(groups)
            values += [groups[there], np.array(list(further.values()))]
            columns += [there, start + np.array(list(further), dtype=np.int64)]
            rows.append(np.full(len(there) + len(further), row))
        shape = (len(self._rows), width)
        if not self._rows:
            return csr_array(shape), np.zeros(0)
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
        return csr_array(entries, shape=shape), np.array([least for *_, least in self._rows])


def without_tiny(coefficients: FloatArray, upper: FloatArray) -> tuple[FloatArray, float]:
    """Return the coefficients of a row that a solver keeps, and the most that the others add.

    Examples
    --------
    >>> kept, spare = without_tiny(np.array([1.0, 2.0**-30, -(2.0**-30)]), np.array([1.0, 2.0, 1.0]))
    >>> kept.tolist(), spare == 2.0**-29
    ([1.0, 0.0, 0.0], True)
    """
    tiny: BoolArray = np.abs(coefficients) < _TINY
    spare = float((np.maximum(coefficients, 0) * upper)[tiny].sum())
    return np.where(tiny, 0.0, coefficients), spare
