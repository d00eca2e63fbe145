"""Scores as exact numbers: text to numbers, numbers to whole steps of a decimal grid.

Sums of floats change in the last bit with the order of the rows; sums of whole numbers do not. Judges' marks
have few decimals, so on a decimal grid their sums, their means and even half-way roundings are exact.
"""

import math
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data.frames import collect
from bribeproof.errors import DataError, ParameterError

_DOT = r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_COMMA = r"^[+-]?(\d+(,\d*)?|,\d+)([eE][+-]?\d+)?$"
_GROUPED = r"^[+-]?\d{1,3}(,\d{3})+$"
_FINEST = 12
_ROOM = 2.0**60
"""No sum may exceed this, so that it fits a 64-bit integer twice over."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A decimal grid: a score is held as a whole number of steps of 10^-decimals.

    Examples
    --------
    >>> Grid(2).step
    0.01
    """

    decimals: int
    exact: bool = True

    @property
    def step(self) -> float:
        """The distance between neighbouring grid points."""
        return 10.0**-self.decimals

    def steps(self, value: nw.Expr) -> nw.Expr:
        """Return scores as whole numbers of steps."""
        return _scaled(value, self.decimals).round().cast(nw.Int64)

    def mean(self, total: nw.Expr, count: nw.Expr, decimals: int | None) -> nw.Expr:
        """Return total / count in the unit of the scores, rounded half up where decimals are given."""
        if decimals is None:
            finer, coarser = 10.0 ** max(self.decimals, 0), 10.0 ** max(-self.decimals, 0)
            return total.cast(nw.Float64) / (count.cast(nw.Float64) * finer) * coarser
        unit = count * 10 ** (self.decimals - decimals)
        size = (total.abs() * 2 + unit) // (unit * 2)
        signed = nw.when(total < 0).then(-size).otherwise(size)
        return _scaled(signed.cast(nw.Float64), -decimals)


def _scaled(value: nw.Expr, decimals: int) -> nw.Expr:
    """Multiply by 10^decimals with one rounding.

    Powers of ten below one are no floats, so these divide; and by a column, since polars turns a division by a
    constant into a multiplication by its reciprocal, which may be off by a bit.
    """
    factor = 10.0 ** abs(decimals)
    return value * factor if decimals >= 0 else value / (value * 0.0 + factor)


def find_grid(frame: nw.LazyFrame[Any], value: str, panel: int, decimals: int | None) -> Grid:
    """Choose the coarsest decimal grid that holds every score exactly, or else the finest that has room.

    Parameters
    ----------
    frame
        Scores in the column ``value``; null where missing, finite elsewhere.
    value
        The name of that column.
    panel
        The largest number of scores that are ever added up.
    decimals
        Decimals that results will be rounded to; the grid is at least as fine.

    Raises
    ------
    DataError
        If the scores differ so much in size that no 64-bit sum can hold them.
    """
    score = nw.col(value)
    extent = collect(frame.select(largest=score.abs().max(), typical=score.abs().median())).row(0, named=True)
    largest, typical = extent["largest"] or 0.0, extent["typical"] or 0.0
    if decimals is not None and not 0 <= decimals <= _FINEST:
        raise ParameterError(f"decimals={decimals}: round to 0 to {_FINEST} decimals")
    needed = _decimals_needed(frame, score)
    finest = math.floor(math.log10(_ROOM / (panel * largest))) if largest else _FINEST
    if needed is not None:
        grid = Grid(max(needed, decimals or 0))
    else:
        grid = Grid(min(finest, math.floor(math.log10(2.0**52 / largest))), exact=False)
    too_coarse = not grid.exact and (grid.step > 1e-9 * typical > 0 or grid.decimals < (decimals or 0))
    if grid.decimals > finest or too_coarse:
        raise DataError(
            f"the largest score, {largest:g}, is too large beside the others to be added up exactly: "
            f"correct it, or list it as missing"
        )
    return grid


def _decimals_needed(frame: nw.LazyFrame[Any], score: nw.Expr) -> int | None:
    """Return how many decimals the scores have, or None where they have more than the finest grid."""
    for places in (range(4), range(4, _FINEST + 1)):
        checks = {f"d{d}": (_scaled(_scaled(score, d).round(), -d) == score).all() for d in places}
        found = collect(frame.filter(~score.is_null()).select(**checks)).row(0, named=True)
        for d in places:
            if found[f"d{d}"] is not False:
                return d
    return None


@dataclass(frozen=True, slots=True)
class Notation:
    """How numbers are written in a text column."""

    decimal_mark: str
    percent: bool

    def describe(self) -> str:
        """Say how a number has to be written."""
        return "with % like the others" if self.percent else f"(decimal mark {self.decimal_mark!r})"

    def valid(self, text: nw.Expr) -> nw.Expr:
        """Say which cells are numbers in this notation."""
        body = text.str.strip_chars(" %") if self.percent else text
        shaped = body.str.contains(_DOT if self.decimal_mark == "." else _COMMA)
        return shaped & text.str.ends_with("%") if self.percent else shaped

    def parse(self, text: nw.Expr) -> nw.Expr:
        """Turn valid cells into floats; a percentage keeps its number, 85% is 85."""
        body = text.str.strip_chars(" %") if self.percent else text
        if self.decimal_mark == ",":
            body = body.str.replace_all(",", ".", literal=True)
        return nw.when(self.valid(text)).then(body).cast(nw.Float64)


def find_notation(frame: nw.LazyFrame[Any], value: str, decimal_mark: str | None) -> Notation:
    """Find out whether a text column writes its numbers with a point or a comma, and as percentages.

    Raises
    ------
    ParameterError
        If ``decimal_mark`` is neither ``"."`` nor ``","``.
    DataError
        If a comma may be a decimal mark or a thousands mark.
    """
    if decimal_mark not in (None, ".", ","):
        raise ParameterError(f"decimal_mark={decimal_mark!r}: use '.' or ','")
    cell = nw.col(value)
    bare = cell.str.strip_chars(" %")
    counts = collect(
        frame.filter(~cell.is_null())
        .select(
            dot=bare.str.contains(_DOT),
            comma=bare.str.contains(_COMMA),
            marked=bare.str.contains(",", literal=True),
            grouped=bare.str.contains(_GROUPED),
            percent=cell.str.ends_with("%"),
        )
        .select(nw.col(name).cast(nw.Int64).sum() for name in ("dot", "comma", "marked", "grouped", "percent"))
    ).row(0, named=True)
    # A column with one percentage is read as percentages, so that a plain 0.8 among them is refused, not mixed in.
    percent = bool(counts["percent"])
    if decimal_mark is not None:
        return Notation(decimal_mark, percent)
    if not counts["marked"] or (counts["comma"] or 0) <= (counts["dot"] or 0):
        return Notation(".", percent)
    if counts["grouped"] == counts["marked"]:
        raise DataError(
            "scores such as 1,234 may be 1.234 or 1234: "
            "say decimal_mark=',' (--decimal ,), or write them without commas"
        )
    return Notation(",", percent)
