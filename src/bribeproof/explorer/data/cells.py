"""Cells of tables as text."""

import math
from dataclasses import dataclass

import polars as pl

from bribeproof.plots.names import shown

MAX_NAME_LENGTH = 60
"""Longest name that is shown in full."""
_HUNDREDS = 2
"""The power of ten up to which scores have two decimals."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table.

    Attributes
    ----------
    text
        The text of the cell.
    kind
        ``"text"`` or ``"number"``; ``"good"`` or ``"bad"`` for a coloured verdict.
    """

    text: str
    kind: str = "number"


def text(value: object) -> TableCell:
    """Return a cell with a name or a label."""
    return TableCell("" if value is None else shown(value, MAX_NAME_LENGTH), "text")


def number(value: float | None, digits: int) -> TableCell:
    """Return a cell with a number; an empty one for None and NaN."""
    return TableCell("" if value is None or math.isnan(value) else f"{value:,.{digits}f}")


def decimals(values: pl.Series) -> int:
    """Return how many decimals of values are shown: two, as scores are announced, and more where that is too little.

    Small values have three significant digits, large ones fewer decimals, and where different values would look the
    same there are up to five significant digits. Downloads have all of them.

    Examples
    --------
    >>> decimals(pl.Series([91.25, 7.5])), decimals(pl.Series([91.251, 91.252])), decimals(pl.Series([0.125]))
    (2, 3, 3)
    """
    largest = values.abs().max()
    if not isinstance(largest, float) or not 0 < largest < math.inf:
        return 3
    size = math.floor(math.log10(largest))
    least, most = min(12, max(2 - size, 0 if size > _HUNDREDS else 2)), min(12, max(0, 4 - size))
    known = values.drop_nans().drop_nulls()
    different = known.round(most).n_unique()
    return next(
        (number for number in range(least, most) if known.round(number).n_unique() == different), max(least, most)
    )
