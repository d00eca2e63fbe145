"""Parse plain decimal numbers with a decimal point or comma, and percentages."""

import re
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import collect

# The engines do not agree on what \d is: some take the digits of every script, and convert only those from 0 to 9.
_DOT = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_COMMA = r"^[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?$"
_GROUPED = r"^[+-]?[0-9]{1,3}(,[0-9]{3})+$"


@dataclass(frozen=True, slots=True)
class Notation:
    """The way in which a text column writes numbers."""

    decimal_mark: str
    percent: bool

    def describe(self) -> str:
        """Return in words how a number has to be written."""
        return "with % like the others" if self.percent else f"(decimal mark {self.decimal_mark!r})"

    def valid(self, text: nw.Expr) -> nw.Expr:
        """Return an expression of whether cells are numbers in this notation."""
        shape = _DOT if self.decimal_mark == "." else _COMMA
        return text.str.contains(shape.replace("$", " *%$") if self.percent else shape)

    def parse(self, text: nw.Expr) -> nw.Expr:
        """Return an expression of valid cells as floats; a percentage keeps its number: 85% is 85."""
        body = text.str.strip_chars(" %") if self.percent else text
        if self.decimal_mark == ",":
            body = body.str.replace_all(",", ".", literal=True)
        return nw.when(self.valid(text)).then(body).cast(nw.Float64)

    def plain(self, cell: str) -> str:
        """Return a valid cell as a plain number: digits, a decimal point and an exponent."""
        return (cell.strip(" %") if self.percent else cell).replace(self.decimal_mark, ".")


def read_number(text: str, decimal_mark: str = ".") -> float | None:
    """Return the number that clean text writes in the notation of a column of scores; None for any other text.

    Examples
    --------
    >>> read_number("1e3"), read_number("1,5", decimal_mark=","), read_number("1_000"), read_number("nan")
    (1000.0, 1.5, None, None)
    """
    shape = _DOT if decimal_mark == "." else _COMMA
    return float(text.replace(decimal_mark, ".")) if re.fullmatch(shape, text) else None


def find_notation(
    frame: nw.LazyFrame[Any], value: str, decimal_mark: str | None, *, voter: str | None = None
) -> Notation:
    """Detect whether a text column writes numbers with a decimal point or comma, and as percentages.

    Parameters
    ----------
    frame
        The cells, as text.
    value
        Their column.
    decimal_mark
        The decimal mark, if it is known.
    voter
        The column of who wrote them, if most of these people decide, so that a few bribed ones cannot choose how the
        numbers of the others are read.

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
    flags = {
        "dot": bare.str.contains(_DOT),
        "comma": bare.str.contains(_COMMA),
        "marked": bare.str.contains(",", literal=True),
        "grouped": bare.str.contains(_GROUPED),
        "percent": cell.str.ends_with("%"),
    }
    cells = frame.filter(~cell.is_null())
    sums = [nw.col(name).cast(nw.Int64).sum() for name in flags]
    if voter is not None:
        people = cells.select(nw.col(voter), **flags).group_by(voter).agg(*sums, nw.len().alias("cells"))
        return _by_majority(collect(people), decimal_mark)
    counts = collect(cells.select(**flags).select(*sums)).row(0, named=True)
    # One percentage makes the column one of percentages, so that a plain 0.8 in it is an error.
    percent = bool(counts["percent"])
    if decimal_mark is not None:
        return Notation(decimal_mark, percent)
    if not counts["marked"] or (counts["comma"] or 0) <= (counts["dot"] or 0):
        return Notation(".", percent)
    if counts["grouped"] == counts["marked"]:
        raise _ambiguous()
    return Notation(",", percent)


def _by_majority(people: pl.DataFrame, decimal_mark: str | None) -> Notation:
    """Return the notation that most people write, from the numbers of their cells of each form."""
    percents, commas = pl.col("percent") * 2 > pl.col("cells"), pl.col("comma") > pl.col("dot")
    found = people.select(
        percents=percents.sum(),
        commas=commas.sum(),
        dots=(pl.col("dot") > pl.col("comma")).sum(),
        thousands=(commas & (pl.col("grouped") == pl.col("marked"))).sum(),
    ).row(0, named=True)
    percent = found["percents"] * 2 > people.height
    if decimal_mark is not None or found["commas"] <= found["dots"]:
        return Notation(decimal_mark or ".", percent)
    if found["thousands"] < found["commas"]:
        return Notation(",", percent)
    if found["thousands"] * 2 <= people.height:
        return Notation(".", percent)
    raise _ambiguous()


def _ambiguous() -> DataError:
    """Return the error for numbers with a comma that may be a decimal mark or a thousands mark."""
    return DataError(
        "scores such as 1,234 may be 1.234 or 1234: give decimal_mark=',' (--decimal ,), or write them without commas"
    )
