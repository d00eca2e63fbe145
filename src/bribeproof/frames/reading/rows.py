"""Rows of a wide sheet that are no items: averages and totals of the others."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import FloatArray
from bribeproof.frames.reading.kinds import as_numbers
from bribeproof.frames.reading.words import has_digit, role_of
from bribeproof.questions import Choice, QuestionError

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
        The columns of the items and of the reporters.
    named
        Names of such rows, if the user has given them.

    Raises
    ------
    QuestionError
        If a row is named like a summary, and its numbers are none.
    """
    if named is not None:
        return () if list(named) == [KEEP_ALL] else tuple(named)
    if item not in text.columns or not set(judges) <= set(text.columns):
        return ()
    names = text[item]
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
                    [
                        Choice("it is no item", {"not_items": by_name}),
                        Choice("it is an item", {"not_items": [KEEP_ALL]}),
                    ],
                )
    return tuple(by_name)


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
