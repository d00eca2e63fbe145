"""Write tables to an .xlsx workbook, in which text is never a formula."""

from __future__ import annotations

import datetime
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._optional import require
from bribeproof.errors import FileError
from bribeproof.io.scratch import scratch_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import BinaryIO

_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
_LONGEST_TEXT = 32_767
_NARROWEST, _WIDEST, _MEASURED = 8, 60, 100
"""Widths of columns in letters, and by how many cells they are chosen."""
_EXACT = 1 << 53
"""From here on neighbouring whole numbers would be stored as one."""
_CREATED = datetime.datetime(2000, 1, 1)  # noqa: DTZ001
"""The date in every workbook, so that equal tables give equal bytes."""


def write_workbook(frame: pl.DataFrame, file: BinaryIO, path: str | Path) -> None:
    """Write a table to the only sheet of an .xlsx workbook.

    Numbers are numbers, of which a workbook keeps 15 to 17 digits; longer whole numbers, infinities, dates and times
    are text. Null and NaN are empty cells.

    Parameters
    ----------
    frame : polars.DataFrame
        The table, without nested or binary columns.
    file : binary file
        The open file.
    path : str or Path
        Its name, for messages.

    Raises
    ------
    FileError
        If the table has more rows or columns, or a longer text, than a sheet can hold.
    MissingPackageError
        If XlsxWriter is not installed.
    """
    write_sheets({"bribeproof": frame}, file, path)


def write_sheets(sheets: Mapping[str, pl.DataFrame], file: BinaryIO, path: str | Path) -> None:
    """Write tables to the sheets of an .xlsx workbook, as `write_workbook` writes one.

    Parameters
    ----------
    sheets : mapping from str to polars.DataFrame
        The tables by the names of their sheets, of at most 31 characters.
    file, path
        As in `write_workbook`.
    """
    require("an .xlsx file", "xlsxwriter")
    import xlsxwriter

    for frame in sheets.values():
        _check_size(frame, path)
        _check_texts(frame, path)
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with scratch_folder() as folder:
        book = xlsxwriter.Workbook(file, {**options, "tmpdir": str(folder)})
        book.set_properties({"created": _CREATED})
        try:
            bold = book.add_format({"bold": True})
            for title, frame in sheets.items():
                sheet = book.add_worksheet(title)
                sheet.freeze_panes(1, 0)
                for column, name in enumerate(frame.columns):
                    sheet.set_column(column, column, _width(frame[name]))
                    sheet.write_string(0, column, name, bold)
                for row, values in enumerate(frame.iter_rows(), start=1):
                    for column, value in enumerate(values):
                        _write_cell(sheet, row, column, value)
            book.close()
        except OSError:
            _abandon(book)
            raise


def _abandon(book: Any) -> None:
    """Close the sheets of a workbook that failed: from Python 3.14 on, what cannot be flushed complains when freed."""
    for sheet in book.worksheets():
        with suppress(OSError):
            sheet.row_data_fh.close()


def _width(column: pl.Series) -> int:
    """Return the width of a column in letters: that of its name and of its first cells."""
    first = (len(str(value)) for value in column.head(_MEASURED) if not isinstance(value, float))
    return 2 + min(_WIDEST, max(_NARROWEST, len(column.name), *first))


def _check_size(frame: pl.DataFrame, path: str | Path) -> None:
    """Raise an error if a table has more rows or columns than a sheet can hold."""
    if frame.height >= _MOST_ROWS or frame.width > _MOST_COLUMNS:
        raise FileError(
            f"{path}: {frame.height:,} rows of {frame.width:,} columns, more than the {_MOST_ROWS - 1:,} and "
            f"{_MOST_COLUMNS:,} that a sheet can hold below its header; write .csv or .parquet"
        )


def _check_texts(frame: pl.DataFrame, path: str | Path) -> None:
    """Raise an error if a text is longer than a cell can hold."""
    texts = frame.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String).str.len_chars())
    longest = max((len(name) for name in frame.columns), default=0)
    for column in texts:
        longest = max(longest, int(column.max() or 0))  # type: ignore[arg-type]
    if longest > _LONGEST_TEXT:
        raise FileError(
            f"{path}: a text of {longest:,} characters, more than the {_LONGEST_TEXT:,} that a cell can hold; "
            "write .csv or .parquet"
        )


def _write_cell(sheet: Any, row: int, column: int, value: object) -> None:
    """Write a value to a cell, unless it is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float) and math.isfinite(value) and (isinstance(value, float) or abs(value) < _EXACT):
        sheet.write_number(row, column, value)
    else:
        sheet.write_string(row, column, str(value))
