"""Fractions in the columns of a table, as whole numbers: added, multiplied, rounded and compared without error."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 2**62
"""Whole numbers below this one are held by 64 bits; larger ones become Python's."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactColumns:
    """A table of fractions; those of a column have the same denominator.

    Parameters
    ----------
    numerators : array of shape (rows, columns)
        Whole numbers, of 64 bits or of Python.
    denominators : tuple of int
        One per column, at least 1.

    Examples
    --------
    >>> dives = ExactColumns(np.array([[51, 40]]), (6, 5))
    >>> total = dives.times([Fraction(3), Fraction("2.5")]).gathered([[0, 1]], "sum").rounded(1)
    >>> total.numerators.tolist(), total.denominators
    ([[455]], (10,))
    """

    numerators: NDArray[Any]
    denominators: tuple[int, ...]

    def times(self, factors: Sequence[Fraction]) -> "ExactColumns":
        """Return each column times its factor."""
        scaled = _scaled(self.numerators, [factor.numerator for factor in factors])
        pairs = zip(self.denominators, factors, strict=True)
        return ExactColumns(scaled, tuple(bottom * factor.denominator for bottom, factor in pairs))

    def rounded(self, decimals: int | None) -> "ExactColumns":
        """Return the fractions rounded half up, away from zero, to so many decimals; None leaves them."""
        if decimals is None:
            return self
        bottoms = np.array(self.denominators, dtype=object)
        doubled = _scaled(self.numerators, [2 * 10**decimals] * len(bottoms))
        if 2 * max(self.denominators, default=1) < _MOST and doubled.dtype != object:
            bottoms = bottoms.astype(np.int64)
        steps = (np.abs(doubled) + bottoms) // (2 * bottoms)
        return ExactColumns(np.where(doubled < 0, -steps, steps), (10**decimals,) * len(bottoms))

    def gathered(self, groups: Sequence[Sequence[int]], how: str) -> "ExactColumns":
        """Return a column per group: the ``"sum"``, the ``"max"`` or the ``"min"`` of its columns, at least one."""
        combine: Any = {"sum": np.sum, "max": np.max, "min": np.min}[how]
        found, bottoms = [], []
        for group in groups:
            bottom = lcm(*(self.denominators[column] for column in group))
            same = _scaled(
                self.numerators[:, list(group)], [bottom // self.denominators[column] for column in group], len(group)
            )
            found.append(combine(same, axis=1))
            bottoms.append(bottom)
        return ExactColumns(stacked(found, len(self.numerators)), tuple(bottoms))

    def minus(self, amounts: Sequence[Fraction]) -> "ExactColumns":
        """Return each column minus its amount."""
        bottoms = [lcm(bottom, amount.denominator) for bottom, amount in zip(self.denominators, amounts, strict=True)]
        tops = [int(amount * bottom) for amount, bottom in zip(amounts, bottoms, strict=True)]
        factors = [bottom // old for bottom, old in zip(bottoms, self.denominators, strict=True)]
        same = _scaled(self.numerators, factors, 2)
        if max(map(abs, tops), default=0) >= _MOST // 2:
            same = same.astype(object)
        return ExactColumns(same - np.array(tops, dtype=same.dtype).reshape(-1, len(tops)), tuple(bottoms))

    def over(self, denominator: int) -> NDArray[Any]:
        """Return the numerators over one denominator, a multiple of all."""
        return _scaled(self.numerators, [denominator // bottom for bottom in self.denominators])

    def fractions(self, row: int) -> list[Fraction]:
        """Return the fractions of a row."""
        tops = self.numerators[row].tolist()
        return [Fraction(top, bottom) for top, bottom in zip(tops, self.denominators, strict=True)]


def _scaled(numbers: NDArray[Any], factors: Sequence[int], terms: int = 1) -> NDArray[Any]:
    """Return columns times whole factors; in Python's numbers if sums of so many terms exceed 64 bits."""
    if all(factor == 1 for factor in factors) and terms == 1:
        return numbers
    largest = int(np.abs(numbers).max(initial=0)) if numbers.size else 0
    if numbers.dtype != object and largest * max(map(abs, factors), default=0) * terms >= _MOST:
        numbers = numbers.astype(object)
    scaled: NDArray[Any] = numbers * np.array(factors, dtype=numbers.dtype).reshape(-1, len(factors))
    return scaled


def stacked(columns: Sequence[NDArray[Any]], rows: int) -> NDArray[Any]:
    """Return columns side by side."""
    if not columns:
        return np.zeros((rows, 0), np.int64)
    return np.stack(columns, axis=1)
