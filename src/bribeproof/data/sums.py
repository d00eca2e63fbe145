"""Sums that are the same bits on every engine and in every order of the rows: sums of whole numbers.

Sums of floats change in the last bit with the order of their terms. Here each term is a whole number of steps:
of a decimal grid where all scores have few decimals, as judges' marks do, so that even half-way roundings are exact;
otherwise of a binary grid that fits the largest term of each sum, so that a huge score costs the others no digits
unless it is averaged with them.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from bribeproof.data.columns import ITEM, VALUE
from bribeproof.data.frames import collect
from bribeproof.errors import ParameterError

Windows: TypeAlias = Mapping[str, nw.Expr]
"""For each mean, its name and which scores of an item go into it."""

MOST_DECIMALS = 12
_BITS = 60
"""No sum exceeds 2^60, so that twice a sum fits a signed 64-bit integer."""


@dataclass(frozen=True, slots=True)
class DecimalSums:
    """Exact sums of scores that have at most so many decimals."""

    decimals: int

    def terms(self, rows: nw.LazyFrame[Any], windows: Windows) -> nw.LazyFrame[Any]:
        """Add one column of whole numbers per window; null outside it."""
        steps = _scaled(nw.col(VALUE), self.decimals).round().cast(nw.Int64)
        return rows.with_columns(nw.when(window).then(steps).alias(name) for name, window in windows.items())

    def scales(self, windows: Iterable[str]) -> list[str]:
        """Name the columns, beside those of the terms, that the means need; one value per item."""
        del windows
        return []

    def mean(self, name: str, count: nw.Expr, decimals: int | None) -> nw.Expr:
        """Return the mean of a window from the sum of its terms, rounded half up where decimals are given."""
        total = nw.col(name).fill_null(0).cast(nw.Int64)
        if decimals is None:
            return total.cast(nw.Float64) / (count.cast(nw.Float64) * 10.0**self.decimals)
        unit = count * 10 ** (self.decimals - decimals)
        size = (total.abs() * 2 + unit) // (unit * 2)
        return _scaled(_signed(size.cast(nw.Float64), total), -decimals)


@dataclass(frozen=True, slots=True)
class BinarySums:
    """Sums of any finite scores, with a relative error of about 2^-52, of at most 2^spare terms."""

    spare: int

    def terms(self, rows: nw.LazyFrame[Any], windows: Windows) -> nw.LazyFrame[Any]:
        """Add one column of whole numbers per window, null outside it, and one with the scale of each."""
        value = nw.col(VALUE)
        rows = rows.with_columns(nw.when(window).then(value.abs()).alias(name) for name, window in windows.items())
        rows = rows.with_columns(nw.col(name).max().over(ITEM).alias(_scale(name)) for name in windows)
        rows = rows.with_columns(self._power(nw.col(_scale(name))).alias(_scale(name)) for name in windows)
        # Outside its window a term may be too large for an integer, so it is left out before the cast.
        return rows.with_columns(
            nw.when(window).then(value * nw.col(_scale(name))).round().cast(nw.Int64).alias(name)
            for name, window in windows.items()
        )

    def scales(self, windows: Iterable[str]) -> list[str]:
        """Name the columns, beside those of the terms, that the means need; one value per item."""
        return [_scale(name) for name in windows]

    def mean(self, name: str, count: nw.Expr, decimals: int | None) -> nw.Expr:
        """Return the mean of a window from the sum of its terms, rounded half up where decimals are given."""
        total = nw.col(name).fill_null(0).cast(nw.Float64)
        mean = total / count.cast(nw.Float64) / nw.col(_scale(name))
        if decimals is None:
            return mean
        # Scores that stand half-way in decimals are not quite half-way in binary: a billionth closes the gap.
        size = (_scaled(mean.abs(), decimals) + (0.5 + 1e-9)).floor()
        rounded = _scaled(_signed(size, mean), -decimals)
        return nw.when(mean.abs() < 2.0**52 / 10.0**decimals).then(rounded).otherwise(mean)

    def _power(self, largest: nw.Expr) -> nw.Expr:
        """Return the power of two that takes terms up to this size to just below 2^(60 - spare)."""
        # The margin keeps powers of two, which are common, away from where engines may round a logarithm apart.
        exponent = (largest.log(2) + 1e-9).floor()
        power = (_BITS - self.spare - 1 - exponent).clip(-1000, 1000)
        return nw.when(largest > 0).then(nw.lit(2.0) ** power).otherwise(nw.lit(1.0))


def find_sums(rows: nw.LazyFrame[Any], panel: int, decimals: int | None) -> DecimalSums | BinarySums:
    """Choose how scores are added up: in decimals where they all fit, else in binary.

    Parameters
    ----------
    rows
        Scores, finite or null.
    panel
        The largest number of scores that are ever added up.
    decimals
        Decimals that means will be rounded to, 0 to 12; or None.

    Raises
    ------
    ParameterError
        If ``decimals`` is outside its range.
    """
    if decimals is not None and not (isinstance(decimals, int) and 0 <= decimals <= MOST_DECIMALS):
        raise ParameterError(f"decimals={decimals!r}: round to 0 to {MOST_DECIMALS} decimals")
    present = rows.filter(~nw.col(VALUE).is_null()).select(VALUE)
    largest = collect(present.select(nw.col(VALUE).abs().max()))[VALUE][0] or 0.0
    needed = _decimals_needed(present)
    if needed is not None:
        needed = max(needed, decimals or 0)
        if largest * 10.0**needed < 2.0**_BITS / panel:
            return DecimalSums(needed)
    return BinarySums(math.ceil(math.log2(panel)))


def _decimals_needed(present: nw.LazyFrame[Any]) -> int | None:
    """Return how many decimals the scores have, or None where they have more than 12."""
    score = nw.col(VALUE)
    for places in (range(4), range(4, MOST_DECIMALS + 1)):
        checks = {f"d{d}": (_scaled(_scaled(score, d).round(), -d) == score).all() for d in places}
        found = collect(present.select(**checks)).row(0, named=True)
        for d in places:
            if found[f"d{d}"] is not False:
                return d
    return None


def _scaled(value: nw.Expr, decimals: int) -> nw.Expr:
    """Multiply by 10^decimals with one rounding.

    Powers of ten below one are no floats, so these divide; and by a column, since polars turns a division by a
    constant into a multiplication by its reciprocal, which may be off by a bit.
    """
    factor = 10.0 ** abs(decimals)
    return value * factor if decimals >= 0 else value / (value * 0.0 + factor)


def _signed(size: nw.Expr, like: nw.Expr) -> nw.Expr:
    """Give a size the sign of another number."""
    return nw.when(like < 0).then(-size).otherwise(size)


def _scale(name: str) -> str:
    """Name the column with the scale of a window's terms."""
    return f"_scale_{name}"
