"""Parse plain decimal numbers with a decimal point or comma, and percentages."""

import re
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

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


def find_notation(frame: nw.LazyFrame[Any], value: str, decimal_mark: str | None) -> Notation:
    """Detect whether a text column writes numbers with a decimal point or comma, and as percentages.

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
    # One percentage makes the column one of percentages, so that a plain 0.8 in it is an error.
    percent = bool(counts["percent"])
    if decimal_mark is not None:
        return Notation(decimal_mark, percent)
    if not counts["marked"] or (counts["comma"] or 0) <= (counts["dot"] or 0):
        return Notation(".", percent)
    if counts["grouped"] == counts["marked"]:
        raise DataError(
            "scores such as 1,234 may be 1.234 or 1234: "
            "give decimal_mark=',' (--decimal ,), or write them without commas"
        )
    return Notation(",", percent)
