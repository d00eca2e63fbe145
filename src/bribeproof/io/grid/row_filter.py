"""Leave out the rows of a sheet that are no data: blank ones, repeated headers, and notes below the data."""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.grid.sheet_row import SheetRow, follows, is_note, show_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bribeproof.io.grid.header import Header

_MOST_NOTES = 50
"""More rows with a single cell at the end of a sheet are items without reports."""
LEAST_COLUMNS = 3
"""In a sheet of fewer columns a row with a single cell is an item without a report."""


class RowFilter:
    """Filter of the rows of a sheet, which come in parts.

    Rows with a single filled cell at the end of a part are held back until it is clear whether they end the sheet.

    Parameters
    ----------
    header : Header
        The header of the sheet.
    unit : {"line", "row"}
        What is counted in the file.
    source : str
        The file, for messages.
    """

    def __init__(self, header: Header, unit: str = "line", source: str = "") -> None:
        self._names = header.names
        self._source = source
        self._line_before = header.last.line
        self._unit = unit
        width = len(header.names)
        self._patterns = [row for row in header.rows if len(row.filled) > 1 and row.extent <= width]
        self._last = header.last
        self._held = pl.DataFrame(schema=dict.fromkeys(map(str, range(width)), pl.String()))
        self._held_lines: Sequence[int] = ()
        self._is_item_list = False
        self._short: dict[int, FileError] = {}
        self._blank = array("q")
        self._repeated = array("q")
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out so far."""
        notes = [f"skipped {show_lines(self._blank, self._unit)} without any text"] if self._blank else []
        if self._repeated:
            verb = "repeat" if len(self._repeated) > 1 else "repeats"
            notes.append(f"skipped {show_lines(self._repeated, self._unit)}, which {verb} the header")
        return (*notes, *self._notes)

    def add(
        self, cells: pl.DataFrame, lines: Sequence[int], short: Mapping[int, FileError]
    ) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Take some rows.

        Parameters
        ----------
        cells : polars.DataFrame
            The cells of the named columns, null where blank; the columns are numbered.
        lines : sequence of int
            The line of each row.
        short : mapping of int to FileError
            The lines of rows with fewer fields than the header, each with its error if it is no note.

        Yields
        ------
        tuple of (polars.DataFrame, sequence of int)
            The rows that are certainly data, if there are any, with the names of the header.

        Raises
        ------
        FileError
            If a short row is no note.
        """
        self._short.update(short)
        cells, lines = self._without_blank(cells, lines)
        self._check_one_table(cells, lines)
        cells, lines = self._without_repeated(cells, lines)
        if self._held.height:
            cells = pl.concat([self._held, cells])
            lines = array("q", [*self._held_lines, *lines])
        data = self._count_data(cells)
        if data:
            self._check_short(lines[data - 1])
            self._last = _row(cells, lines, data - 1)
            yield self._named(cells[:data]), lines[:data]
        self._held, self._held_lines = cells[data:], lines[data:]

    def finish(self) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Take the end of the sheet: yield the rows held back that are no notes, if there are any.

        Raises
        ------
        FileError
            If a short row is no note.
        """
        data = self._held.height
        before, apart = self._last, False
        for at, line in enumerate(self._held_lines):
            row = _row(self._held, self._held_lines, at)
            apart = apart or not follows(row, before)
            text = row.cell(row.filled[0])
            if is_note(text, apart=apart, short=line in self._short):
                data = at
                break
            before = row
        for at in range(data, self._held.height):
            row = _row(self._held, self._held_lines, at)
            text = shorten(row.cell(row.filled[0]))
            self._notes.append(f"skipped {self._unit} {row.line}, a note below the data: {text}")
        if data:
            self._check_short(self._held_lines[data - 1])
            yield self._named(self._held[:data]), self._held_lines[:data]

    def fail(self, error: FileError, short: Mapping[int, FileError] = MappingProxyType({})) -> FileError:
        """Return the error of the first short row, if there is one, else another error, of a row below."""
        self._short.update(short)
        return self._short[min(self._short)] if self._short else error

    def _count_data(self, cells: pl.DataFrame) -> int:
        """Return how many rows are before those with a single filled cell at the end; too many of these are data."""
        data = cells.height
        if cells.width < LEAST_COLUMNS:
            return data
        while data and cells.height - data <= _MOST_NOTES and _is_single(cells, data - 1):
            data -= 1
        self._is_item_list = cells.height - data > _MOST_NOTES or (self._is_item_list and not data)
        return cells.height if self._is_item_list else data

    def _check_short(self, line: int) -> None:
        """Raise the error of a short row up to this line, which is data."""
        if self._short and min(self._short) <= line:
            raise self._short[min(self._short)]

    def _without_blank(self, cells: pl.DataFrame, lines: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the rows that hold anything; a sheet of one column may have empty cells."""
        if cells.width == 1 or not all(column.null_count() for column in cells):
            return cells, lines
        filled = cells.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
        return self._filtered(cells, lines, filled, self._blank)

    def _without_repeated(self, cells: pl.DataFrame, lines: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the rows that do not repeat a row of the header."""
        for pattern in self._patterns:
            first = pattern.filled[0]
            alike = cells.to_series(first) == pattern.cells[first]
            if alike.any():
                equal = [
                    pl.col(name).eq_missing(pl.lit(pattern.cells[at] if pattern.cell(at) else None, pl.String))
                    for at, name in enumerate(cells.columns)
                ]
                alike = cells.select(pl.all_horizontal(equal)).to_series()
                cells, lines = self._filtered(cells, lines, ~alike, self._repeated)
        return cells, lines

    def _check_one_table(self, cells: pl.DataFrame, lines: Sequence[int]) -> None:
        """Raise an error if, below a gap, a row of words begins as the header does, and goes on with other names."""
        before, self._line_before = self._line_before, lines[-1] if len(lines) else self._line_before
        if len(self._names) < LEAST_COLUMNS:
            return
        for at in (cells.to_series(0).str.strip_chars() == self._names[0]).arg_true():
            row = _row(cells, lines, at)
            apart = row.line > (lines[at - 1] if at else before) + 1
            texts = [row.cell(position) for position in row.filled]
            are_names = len(set(texts)) == len(texts) >= LEAST_COLUMNS and not row.numbers
            if apart and are_names and not set(texts) <= set(self._names):
                raise FileError(
                    f"{self._source}, {self._unit} {row.line}: a second table seems to begin here ({row.show()}); "
                    "put each table in a file or a sheet of its own"
                )

    def _filtered(
        self, cells: pl.DataFrame, lines: Sequence[int], keep: pl.Series, skipped: array[int]
    ) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the rows to keep, and record the lines of the others."""
        if keep.all():
            return cells, lines
        mask = keep.to_numpy()
        places = np.asarray(lines, np.int64)
        skipped.frombytes(places[~mask].tobytes())
        kept = array("q")
        kept.frombytes(places[mask].tobytes())
        return cells.filter(keep), kept

    def _named(self, cells: pl.DataFrame) -> pl.DataFrame:
        """Return rows with the names of the header."""
        cells.columns = self._names
        return cells


def _is_single(cells: pl.DataFrame, at: int) -> bool:
    """Return whether a row has a single filled cell."""
    return sum(cell is not None for cell in cells.row(at)) == 1


def _row(cells: pl.DataFrame, lines: Sequence[int], at: int) -> SheetRow:
    """Return a row of a frame."""
    return SheetRow(lines[at], ["" if cell is None else cell for cell in cells.row(at)])
