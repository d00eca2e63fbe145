"""Bring a table into the form that its reading names: turned, without rows that are no items, one column of items."""

from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from bribeproof._text import list_names
from bribeproof.errors import ColumnError, DataError
from bribeproof.frames.native import collect, open_frame
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.reading.criteria import JOINER
from bribeproof.frames.reading.label_rows import as_ordinary, lists_as_text
from bribeproof.frames.reading.reading import ONE_ITEM, ROW_NUMBER, Reading, before_votes, has_sets
from bribeproof.frames.reading.rows import is_left_out
from bribeproof.frames.schema import ROW
from bribeproof.io.read import Table


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the rows of a table that was brought into another form stand in the original."""

    original: Table
    rows: pl.Series

    def locate(self, row: int) -> str:
        """Return the place of a row."""
        return self.original.locate(int(self.rows[row]))


def is_ordinary(reading: Reading) -> bool:
    """Return whether a table has the form already that its reading names."""
    return not (
        reading.turned
        or reading.left_out_rows
        or len(reading.items) > 1
        or _without_items(before_votes(reading))
        or _criterion(reading)
        or has_sets(reading)
    )


def _criterion(reading: Reading) -> str:
    """Return the column of the criteria in long form; empty if there is none."""
    return reading.criteria.column if reading.criteria else ""


def _without_items(reading: Reading) -> bool:
    """Return whether no column names the items."""
    return not reading.items and reading.columns.item in (ROW_NUMBER, ONE_ITEM)


def prepare(frame: Any, reading: Reading) -> Any:
    """Return a table in the form that its reading names: the same object if it has that form already.

    Parameters
    ----------
    frame
        A frame of any kind, or a table from a file.
    reading
        How it is read.

    Returns
    -------
    object
        The same frame, or a polars frame (of a `Table`, a `Table` whose rows know their lines) with the columns
        ``reading.columns``.

    Raises
    ------
    DataError
        If the table is too large for memory or lazy, and has to be brought into another form.
    """
    if is_ordinary(reading):
        return frame
    if isinstance(frame, LargeTable) and has_sets(reading):
        raise DataError(
            f"{frame.source}: it is larger than memory, and reports of several labels are read in memory only: give it "
            f"one label in each report (of sets, their labels in one order; of votes on labels, a row for each vote)"
        )
    if isinstance(frame, LargeTable):
        raise DataError(
            f"{frame.source}: it is larger than memory, and its form ({reading.describe()}) is read in memory only: "
            f"give it a column of items, a row for each report, and no rows of totals"
        )
    rows = frame.frame if isinstance(frame, Table) else _in_memory(frame)
    shaped = _shape(rows.with_row_index(ROW), before_votes(reading))
    if has_sets(reading):
        locate = frame.locate if isinstance(frame, Table) else lambda row: f"row {row} (counting from 0)"
        shaped = as_ordinary(lists_as_text(shaped, objects=True), reading, locate)
    places, shaped = shaped[ROW], shaped.drop(ROW)
    if isinstance(frame, Table):
        return replace(frame, frame=shaped, _places=_Places(frame, places))  # type: ignore[arg-type]
    return _like(frame, shaped)


def _like(frame: Any, rows: pl.DataFrame) -> Any:
    """Return rows as a frame of the library of another one; unchanged for engines that hold no rows in memory."""
    import narwhals.stable.v2 as nw

    original = nw.from_native(frame)
    if isinstance(frame, pl.DataFrame) or not isinstance(original, nw.DataFrame):
        return rows
    return nw.from_dict(rows.to_dict(as_series=False), backend=original.implementation).to_native()


def _in_memory(frame: Any) -> pl.DataFrame:
    """Return a frame of any kind as a polars frame."""
    if isinstance(frame, pl.DataFrame):
        return frame
    import narwhals.stable.v2 as nw

    names = nw.from_native(frame).collect_schema().names()
    return collect(open_frame(frame, names).frame).drop(ROW, strict=False)


def _shape(rows: pl.DataFrame, reading: Reading) -> pl.DataFrame:
    """Return rows in the form that their reading names, with the number of the original row in a column."""
    item = reading.columns.item
    if reading.left_out_rows:
        rows = rows.filter(~is_left_out(rows, reading.left_out_rows, reading.items, reading.others))
    if reading.criteria and reading.criteria.values:
        index = [name for name in rows.columns if name not in reading.criteria.values]
        named = {"variable_name": reading.criteria.column, "value_name": reading.columns.value}
        rows = rows.unpivot(reading.criteria.values, index=index, **named)
    if criterion := _criterion(reading):
        names = [pl.col(name).cast(pl.String).str.strip_chars() for name in (reading.columns.reporter, criterion)]
        rows = rows.with_columns(pl.concat_str(names, separator=JOINER).alias(reading.columns.reporter))
    if reading.turned:
        index = [ROW, *filter(None, (reading.columns.reporter, reading.columns.asked, reading.columns.order))]
        apart = {f"{ROW} {name}": name for name in (item, reading.columns.value)}  # an item may be called so, too
        long = rows.select(*index, *reading.turned).unpivot(
            reading.turned, index=index, variable_name=next(iter(apart)), value_name=list(apart)[1]
        )
        return long.rename(apart)
    if item in rows.columns and len(reading.items) > 1:
        raise ColumnError(
            f"column {item!r} has the name of the columns {list_names(reading.items)} together: rename it"
        )
    if len(reading.items) > 1:
        parts = [pl.col(name).cast(pl.String).str.strip_chars() for name in reading.items]
        return rows.with_columns(pl.concat_str(parts, separator=JOINER).alias(item))
    if item == ROW_NUMBER and not reading.items:
        return rows.with_columns((pl.col(ROW) + 1).alias(item))
    if item == ONE_ITEM and not reading.items:
        return rows.with_columns(pl.lit("all").alias(item))
    return rows
