"""Show the values of a table as text: numbers of a column have the same decimals, and bounds still hold."""

import math
from collections.abc import Sequence

import polars as pl

from bribeproof._text import format_bound, format_name
from bribeproof.reporting.document import Column, DataTable

_MOST_DECIMALS = 3


def cells_of(table: DataTable, most: int) -> tuple[list[tuple[str, ...]], list[bool]]:
    """Return the first rows of a table as text, and for each column whether it is text rather than numbers.

    Examples
    --------
    >>> frame = pl.DataFrame({"entry": ["A", "B"], "score": [7.25, None], "n": [1200, 3]})
    >>> columns = Column("Entry"), Column("Score"), Column("Marks")
    >>> cells_of(DataTable("t", "Entries", frame, columns), 10)
    ([('A', '7.25', '1,200'), ('B', '–', '3')], [True, False, False])
    """
    frame = table.frame.head(most)
    texts = [not dtype.is_numeric() for dtype in frame.dtypes]
    shown = [_column(series, column) for series, column in zip(frame.iter_columns(), table.columns, strict=True)]
    return list(zip(*shown, strict=True)) if frame.height else [], texts


def _column(series: pl.Series, column: Column) -> list[str]:
    """Return the cells of a column."""
    if series.dtype.is_float():
        decimals = least_decimals(series.to_list()) if column.decimals is None else column.decimals
        return ["–" if value is None or math.isnan(value) else _number(value, decimals, column) for value in series]
    if series.dtype.is_integer():
        return ["–" if value is None else f"{value:,}" for value in series]
    return ["–" if value is None else format_name(value) if len(str(value)) > 200 else str(value) for value in series]


def _number(value: float, decimals: int, column: Column) -> str:
    """Return a number; a bound such that it holds."""
    if column.bound:
        return format_bound(value, decimals, upper=column.bound == "upper")
    return f"{value:,.{decimals}f}"


def least_decimals(values: Sequence[float | None]) -> int:
    """Return the decimals, up to three, that numbers have.

    Examples
    --------
    >>> least_decimals([7.25, 8.0, None]), least_decimals([1 / 3]), least_decimals([4.0])
    (2, 3, 0)
    """
    known = [value for value in values if value is not None and math.isfinite(value)]
    for decimals in range(_MOST_DECIMALS):
        if all(abs(round(value, decimals) - value) < 1e-9 for value in known):
            return decimals
    return _MOST_DECIMALS
