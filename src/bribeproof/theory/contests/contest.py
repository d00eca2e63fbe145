"""Scores of the entries of a contest, and what a given set of judges could have made of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory.contests.exact_columns import ExactColumns, stacked

_BLOCK = 2_000_000
"""So many numbers are computed at once."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPart:
    """The marks of one part of an entry, such as a dive, a run or a criterion.

    Parameters
    ----------
    judges : int array
        The numbers of the judges who marked it.
    marks : array
        Their marks, as whole numbers of the contest's unit.
    trim : int
        How many of the lowest and of the highest marks are dropped; fewer than half of the marks.
    scale : tuple of int, optional
        The least and the greatest mark of this part in the contest's unit, where it has its own.
    """

    judges: IntArray
    marks: NDArray[Any]
    trim: int
    scale: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """How columns, of parts at first, become fewer columns, of entries in the end.

    Parameters
    ----------
    groups : tuple of tuple of int
        The columns of each result.
    factors : tuple of Fraction
        What each column is multiplied by first, at least 0.
    how : str
        ``"sum"``, ``"max"`` or ``"min"`` of the columns of a result.
    minus : tuple of Fraction
        What is subtracted from each result.
    decimals : int or None
        How many decimals products and results are rounded to, half up.
    """

    groups: tuple[tuple[int, ...], ...]
    factors: tuple[Fraction, ...]
    how: str
    minus: tuple[Fraction, ...]
    decimals: int | None


class Ends(NamedTuple):
    """The least and the greatest total of each entry, one row per set of judges, as whole numbers of one unit."""

    low: NDArray[Any]
    high: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Contest:
    """The marks of judges, and how they become one total per entry.

    Parameters
    ----------
    parts : tuple of JudgedPart
        The parts of all entries; the score of a part is its trimmed mean.
    judges : int
        How many judges there are.
    unit : Fraction
        The unit of the marks, above 0.
    decimals : int or None
        How many decimals the score of a part is rounded to, half up.
    steps : tuple of Step
        What follows; without any, each part is an entry.
    scale : tuple of Fraction, optional
        The least and the greatest mark. Without a scale any number can be written.
    better : str
        ``"high"`` or ``"low"``: which total is the best.

    Raises
    ------
    ParameterError
        A part of which nothing is left.

    Notes
    -----
    docs/theory.md §14. Whatever the bribed judges write on a part, its score only depends on their marks on it, so that
    all parts move independently, and totals are nondecreasing in each: factors are at least 0.

    Examples
    --------
    >>> marks = [[8, 9, 9], [7, 8, 9], [2, 3, 4]]
    >>> parts = tuple(JudgedPart(np.arange(3), np.array(row), trim=1) for row in marks)
    >>> ends = Contest(parts, judges=3, unit=Fraction(1)).ends(np.eye(3, dtype=bool)[:1])
    >>> ends.low.tolist(), ends.high.tolist()
    ([[9, 8, 3]], [[9, 9, 4]])
    """

    parts: tuple[JudgedPart, ...]
    judges: int
    unit: Fraction
    decimals: int | None = None
    steps: tuple[Step, ...] = ()
    scale: tuple[Fraction, Fraction] | None = None
    better: str = "high"

    def __post_init__(self) -> None:
        for place, part in enumerate(self.parts):
            if len(part.marks) <= 2 * part.trim:
                raise ParameterError(
                    f"part {place} has {len(part.marks)} marks, and {part.trim} are dropped at each end"
                )

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return len(self.steps[-1].groups) if self.steps else len(self.parts)

    @property
    def work(self) -> int:
        """How many numbers are looked at for one set of judges."""
        return 2 * sum(len(part.marks) + 2 for part in self.parts) + self.entries

    @cached_property
    def totals(self) -> NDArray[Any]:
        """The totals of the marks as they are, in whole numbers of `total_unit`."""
        totals: NDArray[Any] = self.ends(np.zeros((1, self.judges), dtype=bool)).low[0]
        return totals

    @cached_property
    def total_unit(self) -> Fraction:
        """The unit of totals."""
        return Fraction(1, self._ends_of(np.zeros((1, self.judges), dtype=bool))[2])

    def ends(self, sets: BoolArray) -> Ends:
        """Return the least and the greatest total of each entry, if the judges of a set write what they like.

        Parameters
        ----------
        sets : bool array of shape (sets, judges)
            Who is bribed, the same on all parts.

        Returns
        -------
        Ends
            Beyond all marks where too many are bribed and there is no scale: `is_unbounded` of these.
        """
        low, high, _ = self._ends_of(sets)
        return Ends(low, high)

    def ends_alone(self, chosen: Sequence[BoolArray]) -> Ends:
        """Return the ends if the bribed judges may be others on each part.

        Parameters
        ----------
        chosen : sequence of bool arrays of shape (sets, judges)
            For each part, the sets that may be bribed on it.
        """
        pairs = [self._part_ends(part, sets) for part, sets in zip(self.parts, chosen, strict=True)]
        low = np.array([[int(low.min()) for low, _ in pairs]], dtype=object)
        high = np.array([[int(high.max()) for _, high in pairs]], dtype=object)
        return Ends(*self._totals(low, high)[:2])

    def is_unbounded(self, total: Fraction) -> bool:
        """Return whether a total stands for one without bound: beyond what marks could make of it."""
        return self.scale is None and abs(total) > self._finite

    def blocks(self, sets: int) -> Iterator[slice]:
        """Yield slices of sets that are computed at once."""
        size = max(1, _BLOCK // max(1, len(self.parts) * 2))
        for start in range(0, sets, size):
            yield slice(start, min(sets, start + size))

    def _ends_of(self, sets: BoolArray) -> tuple[NDArray[Any], NDArray[Any], int]:
        """Return the ends of totals, and the denominator of their unit."""
        pairs = [self._part_ends(part, sets) for part in self.parts]
        return self._totals(*(stacked([pair[end] for pair in pairs], len(sets)) for end in (0, 1)))

    def _totals(self, low: NDArray[Any], high: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], int]:
        """Return totals from the sums of the marks that each part keeps."""
        kept = tuple(len(part.marks) - 2 * part.trim for part in self.parts)
        found = []
        for sums in (low, high):
            columns = ExactColumns(sums, kept).times([self.unit] * len(kept)).rounded(self.decimals)
            for step in self.steps:
                columns = columns.times(step.factors).rounded(step.decimals)
                columns = columns.gathered(step.groups, step.how).minus(step.minus).rounded(step.decimals)
            found.append(columns)
        bottom = lcm(1, *found[0].denominators)
        return found[0].over(bottom), found[1].over(bottom), bottom

    def _part_ends(self, part: JudgedPart, sets: BoolArray) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the least and the greatest sum of the marks that a part keeps, for each set.

        The bribed judges go below (above) all others; of these, some are dropped at either end.
        """
        order = np.argsort(part.marks, kind="stable")
        marks, others = part.marks[order], ~sets[:, part.judges[order]]
        size, trim = len(marks), part.trim
        rank = np.cumsum(others, axis=1)  # of each other one among the others, from 1
        bribed = (size - rank[:, -1])[:, None]
        own: NDArray[Any] = np.minimum(np.maximum(bribed[:, 0] - trim, 0), size - 2 * trim)  # of the bribed, kept
        lowest, highest = (part.scale or self.extremes) if own.any() else (0, 0)
        if max(abs(lowest), abs(highest), *(abs(int(mark)) for mark in marks[[0, -1]])) * size >= 2**62:
            marks, own = marks.astype(object), own.astype(object)
        low = (others & (rank > trim - bribed) & (rank <= size - trim - bribed)) @ marks + own * lowest
        high = (others & (rank > trim) & (rank <= size - trim)) @ marks + own * highest
        return low, high

    @property
    def extremes(self) -> tuple[int, int]:
        """The least and the greatest mark that can be written, in units."""
        if self.scale is None:
            return -self._endless, self._endless
        return int(self.scale[0] / self.unit), int(self.scale[1] / self.unit)

    @cached_property
    def _largest(self) -> int:
        """The largest absolute mark, in units."""
        return max((abs(int(mark)) for part in self.parts for mark in part.marks), default=0)

    @cached_property
    def _finite(self) -> Fraction:
        """No total of marks as they are is larger in absolute value."""
        most = self._largest * self.unit + 1
        for step in self.steps:
            most = (most * max(Fraction(1), *step.factors) + 1) * max(map(len, step.groups))
            most += max(map(abs, step.minus)) + 1
        return most

    @cached_property
    def _endless(self) -> int:
        """A mark that takes every total it is kept in beyond all others, as one without bound would."""
        least, size = Fraction(1), max(len(part.marks) for part in self.parts)
        for step in self.steps:
            least *= min((factor for factor in step.factors if 0 < factor < 1), default=Fraction(1))
        return ceil(size * (self._largest + 4 * self._finite / (self.unit * least)))
