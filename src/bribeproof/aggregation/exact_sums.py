"""Sum scores reproducibly: the same bits on every engine and in every order of the rows.

The last bit of a sum of floats depends on the order of its terms. Here each term is an integer number of steps: of a
decimal grid if all scores have few decimals, as judges' marks do, so that rounding half up is exact; otherwise of a
binary grid that fits the largest term of the sum, so that a huge score costs other sums no digits.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import IntArray
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.native import collect
from bribeproof.frames.schema import ITEM, VALUE

Windows: TypeAlias = Mapping[str, nw.Expr]
"""The scores of an item that each mean contains, by the name of the mean."""

MOST_DECIMALS = 12
_BITS = 60
"""Binary sums are at most 2^60, so that they fit a signed 64-bit integer."""
_DECIMAL_BITS = 51
"""Decimal sums are at most 2^51, so that twice a sum is an exact float; some engines divide integers as floats."""
_NUMBER = "_number"
"""The column of the number of terms of a sum."""

Slices: TypeAlias = Mapping[str, tuple[IntArray, IntArray]]
"""The first and last position of the terms of each mean among the sorted ones, one slice per item, by its name."""


@dataclass(frozen=True, slots=True)
class IntegerScale:
    """Scores as integers of the same order.

    Attributes
    ----------
    codes
        One integer per report, from 0; ``size`` if the score is missing.
    size
        A number larger than every code.
    terms
        Returns the terms of the sums, steps or scores, from codes.
    """

    codes: IntArray
    size: int
    terms: Callable[[IntArray], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class DecimalSums:
    """Exact sums of scores with at most `decimals` decimals."""

    decimals: int

    def terms(self, rows: nw.LazyFrame[Any], windows: Windows) -> nw.LazyFrame[Any]:
        """Add one column of integer terms per window, null outside it."""
        steps = self._steps(nw.col(VALUE))
        return rows.with_columns(nw.when(window).then(steps).alias(name) for name, window in windows.items())

    def scales(self, windows: Iterable[str]) -> list[str]:
        """Return the names of the columns that `mean` needs beside the sums, one value per item."""
        del windows
        return []

    def mean(self, name: str, count: nw.Expr, decimals: int | None) -> nw.Expr:
        """Return the mean of a window from the sum of its terms, rounded half up to decimals if given."""
        total = nw.col(name).fill_null(0).cast(nw.Int64)
        if decimals is None:
            return _divided(total.cast(nw.Float64), count.cast(nw.Float64) * 10.0**self.decimals)
        unit = count * 10 ** (self.decimals - decimals)
        size = (total.abs() * 2 + unit) // (unit * 2)
        return _scaled(_signed(size.cast(nw.Float64), total), -decimals)

    def grid(self, scores: pl.Series) -> IntegerScale:
        """Return scores as steps of the decimal grid."""
        steps = _computed(scores.to_frame(VALUE), self._steps)
        present = steps.drop_nulls().to_numpy()
        least, most = (int(present.min()), int(present.max())) if present.size else (0, 0)
        size = most - least + 1
        return IntegerScale((steps.fill_null(most + 1) - least).to_numpy(), size, lambda codes: codes + least)

    def over_slices(self, items: pl.DataFrame, terms: NDArray[Any], windows: Slices) -> pl.DataFrame:
        """Add the column of the sum of each window to items."""
        upto = _running(terms)
        return items.with_columns(pl.Series(name, upto[stop] - upto[start]) for name, (start, stop) in windows.items())

    def _steps(self, score: nw.Expr) -> nw.Expr:
        """Return scores as numbers of steps."""
        return _whole(_scaled(score, self.decimals))


@dataclass(frozen=True, slots=True)
class BinarySums:
    """Sums of finite scores, with a relative error of about 2^-52; each depends on its own terms alone."""

    def terms(self, rows: nw.LazyFrame[Any], windows: Windows) -> nw.LazyFrame[Any]:
        """Add one column of integer terms per window, null outside it, and one with its scale."""
        value = nw.col(VALUE)
        rows = rows.with_columns(nw.when(window).then(value.abs()).alias(name) for name, window in windows.items())
        rows = rows.with_columns(
            column
            for name in windows
            for column in (
                nw.col(name).max().over(ITEM).alias(_scale(name)),
                nw.col(name).count().over(ITEM).alias(_NUMBER + name),
            )
        )
        rows = rows.with_columns(
            self._power(nw.col(_scale(name)), nw.col(_NUMBER + name)).alias(_scale(name)) for name in windows
        )
        # Outside its window a term may be too large for an integer: it is dropped before the cast.
        return rows.with_columns(
            _whole(nw.when(window).then(value * nw.col(_scale(name)))).alias(name) for name, window in windows.items()
        )

    def scales(self, windows: Iterable[str]) -> list[str]:
        """Return the names of the columns that `mean` needs beside the sums, one value per item."""
        return [_scale(name) for name in windows]

    def mean(self, name: str, count: nw.Expr, decimals: int | None) -> nw.Expr:
        """Return the mean of a window from the sum of its terms, rounded half up to decimals if given."""
        total = nw.col(name).fill_null(0).cast(nw.Float64)
        mean = _divided(total, count.cast(nw.Float64)) / nw.col(_scale(name))
        if decimals is None:
            return mean
        # A decimal half is not always a binary half: a billionth makes up for the difference.
        size = (_scaled(mean.abs(), decimals) + (0.5 + 1e-9)).floor()
        rounded = _scaled(_signed(size, mean), -decimals)
        return nw.when(mean.abs() < 2.0**52 / 10.0**decimals).then(rounded).otherwise(mean)

    def grid(self, scores: pl.Series) -> IntegerScale:
        """Return scores as ranks among the distinct ones."""
        values, codes = np.unique(scores.fill_null(np.nan).to_numpy(), return_inverse=True)
        return IntegerScale(codes, len(values) - scores.has_nulls(), values.__getitem__)

    def over_slices(self, items: pl.DataFrame, terms: NDArray[Any], windows: Slices) -> pl.DataFrame:
        """Add the columns of the sum and the scale of each window to items."""
        for name, (start, stop) in windows.items():
            counted = stop - start
            ends = (terms[np.minimum(start, len(terms) - 1)], terms[stop - 1])
            largest = np.where(counted > 0, np.maximum(*np.abs(ends)), 0.0)
            terms_of = pl.DataFrame({VALUE: largest, _NUMBER: counted})
            scale = _computed(terms_of, lambda largest: self._power(largest, nw.col(_NUMBER)))
            upto = np.append(0, np.cumsum(counted))
            inside = np.arange(upto[-1]) + np.repeat(start - upto[:-1], counted)
            scaled = pl.DataFrame({VALUE: terms[inside] * np.repeat(scale.to_numpy(), counted)})
            steps = _computed(scaled, _whole)
            sums = _running(steps.to_numpy())[upto]
            items = items.with_columns(pl.Series(name, sums[1:] - sums[:-1]), scale.alias(_scale(name)))
        return items

    def _power(self, largest: nw.Expr, number: nw.Expr) -> nw.Expr:
        """Return the power of two that scales a sum of so many terms, of which one is the largest, to below 2^60."""
        # With the margin, engines that round logarithms differently agree at powers of two, which are common.
        exponent = (largest.log(2) + 1e-9).floor()
        spare = (number.cast(nw.Float64).log(2) - 1e-9).ceil()
        power = (_BITS - 1 - spare - exponent).clip(-1000, 1000)
        return nw.when(largest > 0).then(nw.lit(2.0) ** power).otherwise(nw.lit(1.0))


def find_sums(rows: nw.LazyFrame[Any], panel: int, decimals: int | None) -> DecimalSums | BinarySums:
    """Choose how to sum scores: by a decimal grid if all scores fit, else by a binary one.

    Parameters
    ----------
    rows
        Scores, finite or null.
    panel
        The largest number of terms of a sum.
    decimals
        The decimals that means are rounded to, 0 to 12; None for no rounding.

    Raises
    ------
    ParameterError
        If ``decimals`` is outside its range.
    """
    allowed = f"round to 0 to {MOST_DECIMALS} decimals"
    if decimals is not None and (isinstance(decimals, bool) or not isinstance(decimals, int)):
        raise ParameterTypeError(f"decimals={decimals!r}: {allowed}")
    if decimals is not None and not 0 <= decimals <= MOST_DECIMALS:
        raise ParameterError(f"decimals={decimals!r}: {allowed}")
    largest, needed = _size_and_decimals(rows.filter(~nw.col(VALUE).is_null()).select(VALUE))
    if needed is not None:
        needed = max(needed, decimals or 0)
        if fits_decimals(largest, needed, panel):
            return DecimalSums(needed)
    return BinarySums()


def fits_decimals(largest: Any, decimals: Any, panel: Any) -> Any:
    """Return whether sums of up to `panel` scores fit a decimal grid; numbers, arrays or expressions.

    Examples
    --------
    >>> fits_decimals(100.0, 2, 9), fits_decimals(100.0, 12, 30)
    (True, False)
    """
    return largest * 10.0**decimals < 2.0**_DECIMAL_BITS / panel


def decimals_of(score: nw.Expr) -> nw.Expr:
    """Return the number of decimals of each score, null if it has more than 12 or is missing."""
    least = nw.lit(None, nw.Int64)
    for d in range(MOST_DECIMALS, -1, -1):
        least = nw.when(_has_decimals(score, d)).then(nw.lit(d, nw.Int64)).otherwise(least)
    return least


def _size_and_decimals(present: nw.LazyFrame[Any]) -> tuple[float, int | None]:
    """Return the largest absolute score, and the number of decimals of the scores, None if more than 12."""
    score = nw.col(VALUE)
    largest = 0.0
    for candidates in (range(4), range(4, MOST_DECIMALS + 1)):
        fits = {f"d{d}": _has_decimals(score, d).all() for d in candidates}
        row = collect(present.select(score.abs().max(), **fits)).row(0, named=True)
        largest = float(row[VALUE] or 0.0)
        for d in candidates:
            if row[f"d{d}"] is not False:
                return largest, d
    return largest, None


def _has_decimals(score: nw.Expr, decimals: int) -> nw.Expr:
    """Return whether a score has at most so many decimals."""
    return _scaled(_scaled(score, decimals).round(), -decimals) == score


def _scaled(value: nw.Expr, decimals: int) -> nw.Expr:
    """Return a value times 10^decimals, rounded once; powers of ten below one are no floats, so these divide."""
    factor = 10.0 ** abs(decimals)
    return value * factor if decimals >= 0 else _divided(value, nw.lit(factor))


def _divided(value: nw.Expr, divisor: nw.Expr) -> nw.Expr:
    """Return a finite value divided by another one, rounded once.

    The divisor becomes a column that varies, as far as the engine knows: polars turns a division by a constant, and by
    a column that it knows to be constant, into a multiplication by the reciprocal, which may be off by a bit.
    """
    return value / (divisor + value * 0.0)


def _whole(value: nw.Expr) -> nw.Expr:
    """Return a value rounded to an integer, half away from zero; the engines' own rounding differs."""
    rounded = _signed((value.abs() + 0.5).floor().cast(nw.Float64), value)
    return nw.when(value.abs() < 2.0**52).then(rounded).otherwise(value).cast(nw.Int64)


def _computed(values: pl.DataFrame, expression: Callable[[nw.Expr], nw.Expr]) -> pl.Series:
    """Return an expression of the column VALUE of a frame."""
    frame: pl.DataFrame = nw.from_native(values).select(expression(nw.col(VALUE))).to_native()
    return frame.to_series()


def _running(steps: IntArray) -> IntArray:
    """Return the sums of the first 0, 1, 2, … integers; their differences are right even if they overflow."""
    upto = np.zeros(len(steps) + 1, np.int64)
    np.cumsum(steps, out=upto[1:])
    return upto


def _signed(size: nw.Expr, like: nw.Expr) -> nw.Expr:
    """Return a value with the sign of another one."""
    return nw.when(like < 0).then(-size).otherwise(size)


def _scale(name: str) -> str:
    """Return the name of the column with the scale of a window."""
    return f"_scale_{name}"
