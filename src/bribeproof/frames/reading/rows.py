"""Rows of a wide sheet that are no items: averages and totals of the others."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import count
from bribeproof._typing import FloatArray
from bribeproof.errors import DataError
from bribeproof.frames.reading.kinds import SINGLE_VALUES, as_numbers, as_text
from bribeproof.frames.reading.reading import OtherColumn
from bribeproof.frames.reading.words import has_digit, role_of
from bribeproof.frames.values.text import WHITE_SPACE
from bribeproof.questions import Choice, QuestionError

_LONGEST = 100_000
"""Longer tables with a row for each report are no sheets with totals."""
_COLUMNS = 3
KEEP_ALL = "none"
"""The name of rows by which none is left out."""
_SUMMARIES: tuple[Callable[[FloatArray], Any], ...] = (
    lambda cells: np.nanmean(cells, axis=0),
    lambda cells: np.nanmedian(cells, axis=0),
    lambda cells: np.nansum(cells, axis=0),
    lambda cells: np.nanmin(cells, axis=0),
    lambda cells: np.nanmax(cells, axis=0),
    lambda cells: np.nanstd(cells, axis=0),
    lambda cells: np.nanstd(cells, axis=0, ddof=1),
    lambda cells: (~np.isnan(cells)).sum(axis=0),
)


def rows_without_items(
    text: pl.DataFrame, item: str, judges: Sequence[str], named: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the names of rows that summarise the others.

    Parameters
    ----------
    text
        The table as text.
    item, judges
        The columns of the items and of the reporters; without a column of items, rows are named by their numbers.
    named
        Names of such rows, if the user has given them.

    Returns
    -------
    tuple of str
        Names in the column of the items, or numbers of rows, counted from 1.

    Raises
    ------
    QuestionError
        If a row is named like a summary, and its numbers are none.
    DataError
        If rows have no names, and none has the number that was given.
    """
    columns, reporters = set(text.columns), set(judges)
    if list(named or ()) == [KEEP_ALL] or not reporters <= columns:
        return ()
    numbered = item not in columns
    others = [name for name in text.columns if name not in reporters and name != item]
    if numbered and not others:
        return _numbers(named, text.height)
    # Rows without an item, as a total has none, are named by the first of the other columns that holds a name.
    names = text.select(_name_of_row(others if numbered else [item, *others])).to_series()
    if named is not None:
        return _numbers(named, text.height, names) if numbered else tuple(named)
    by_name = [name for name in names.drop_nulls().unique(maintain_order=True) if _is_summary(name)]
    if not by_name or names.is_in(by_name).all():
        return ()
    cells = as_numbers(text, judges)
    is_item = ~names.is_in(by_name).fill_null(value=False).to_numpy()
    tolerance = 0.51 * 10.0 ** -_decimals(text.filter(pl.Series(~is_item)).select(judges))
    for name in by_name:
        for row in cells[(names == name).fill_null(value=False).to_numpy()]:
            if not _summarises(row, cells[is_item], tolerance):
                raise QuestionError(
                    f"the row {name!r} is named like a summary of the others, but is none of their mean, median, sum, "
                    f"least or largest value",
                    _summaries_or_items(by_name),
                )
    return _numbers(by_name, text.height, names) if numbered else tuple(by_name)


def _summaries_or_items(names: Sequence[str]) -> list[Choice]:
    """Return the answers to the question whether rows of some names are items."""
    return [Choice("it is no item", {"not_items": list(names)}), Choice("it is an item", {"not_items": [KEEP_ALL]})]


def long_rows_without_items(
    frame: pl.DataFrame, item: str, reporter: str, value: str, kind: str, named: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the names of items of a long table that summarise the others, as in a wide one that was melted.

    Parameters
    ----------
    frame
        The table.
    item, reporter, value
        Its columns.
    kind
        The kind of reports: those that are no scores have no summaries.
    named
        Names of such items, if the user has given them.

    Raises
    ------
    QuestionError
        If an item is named like a summary, and its numbers are none.
    """
    if named is not None:
        return () if list(named) == [KEEP_ALL] else tuple(named)
    if frame.height > _LONGEST or frame.schema[item] != pl.String or len({item, reporter, value}) < _COLUMNS:
        return ()
    names = [name for name in frame[item].drop_nulls().unique(maintain_order=True) if _is_summary(name.strip())]
    if not names:
        return ()
    if kind != "scores":
        raise QuestionError(f"the item {names[0]!r} is named like a summary of the others", _summaries_or_items(names))
    text = as_text(frame.select(item, reporter, value)).drop_nulls([item, reporter])
    wide = text.pivot(on=reporter, index=item, values=value, aggregate_function="first")
    return rows_without_items(wide, item, [name for name in wide.columns if name != item], None)


def is_left_out(
    frame: pl.DataFrame, rows: Sequence[str], items: Sequence[str], others: Sequence[OtherColumn]
) -> pl.Expr:
    """Return whether a row is one of those that are no items, by its name or, without a column of items, its number."""
    if not items:
        return pl.int_range(1, pl.len() + 1).cast(pl.String).is_in(rows)
    plain = set(frame.select(SINGLE_VALUES).columns)
    names = [name for name in (items[0], *(other.name for other in others)) if name in plain]
    return _name_of_row(names).is_in(rows).fill_null(value=False)


def _name_of_row(names: Sequence[str]) -> pl.Expr:
    """Return the name of each row: that of its item, or else the first cell that is not empty."""
    return pl.coalesce(pl.col(name).cast(pl.String).str.strip_chars(WHITE_SPACE).replace("", None) for name in names)


def _numbers(named: Sequence[str] | None, height: int, names: pl.Series | None = None) -> tuple[str, ...]:
    """Return the numbers of rows that have a name or a number; raise an error if no row has it."""
    numbers = {str(row): [str(row)] for row in range(1, height + 1)}
    for row, name in enumerate(names if names is not None else (), 1):
        if name is not None:
            numbers.setdefault(name, []).append(str(row))
    if absent := [name for name in named or () if name not in numbers]:
        raise DataError(f"not_items: no row has the number or the name {absent[0]!r}; there are {count(height, 'row')}")
    return tuple(dict.fromkeys(row for name in named or () for row in numbers[name]))


def _is_summary(name: str) -> bool:
    """Return whether the name of a row says that it summarises the others."""
    return role_of(name).role in ("result", "spread") and not has_digit(name)


def _summarises(row: FloatArray, items: FloatArray, tolerance: float) -> bool:
    """Return whether each number of a row is the same summary of the numbers above it; a row without any is one."""
    used = ~np.isnan(row) & ~np.isnan(items).all(axis=0)
    if not used.any():
        return True
    return any((np.abs(summary(items[:, used]) - row[used]) <= tolerance).all() for summary in _SUMMARIES)


def _decimals(text: pl.DataFrame) -> int:
    """Return the largest number of decimals with which cells are written, at most 9."""
    written = text.select(pl.all().str.extract(r"[.,](\d+)\s*%?$").str.len_chars().max()).row(0)
    return min(9, max((count for count in written if count is not None), default=0))
