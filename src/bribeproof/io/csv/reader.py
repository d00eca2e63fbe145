"""Read delimited text into columns of text: regular text with polars, all other with the `csv` module."""

from __future__ import annotations

import codecs
import csv
from array import array
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from bribeproof._text import count, shorten
from bribeproof.errors import FileError
from bribeproof.io.byte_stream import peek
from bribeproof.io.csv.dialect import Delimited, show_delimiter
from bribeproof.io.csv.records import Records, within_quotes
from bribeproof.io.encoding import empty_file, has_lines
from bribeproof.io.grid.header import SAMPLE, Header, find_header, parse_header_line
from bribeproof.io.grid.row_filter import LEAST_COLUMNS, RowFilter
from bribeproof.io.grid.sheet_row import begins_as_note
from bribeproof.io.limits import LONGEST_RECORD, NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_CHUNK = 100_000  # records that are converted to columns at a time, which bounds the memory of Python strings
_OTHER_HEADER = ", or, if the header is on a line further down, that line with header_line= (--header-line)"
_UNIT = "\x1f"  # the ASCII unit separator, which replaces a delimiter that may be part of cells


class Widths(NamedTuple):
    """The numbers of fields of the header and of the first row.

    Parameters
    ----------
    header : int
        The number of fields of the header.
    line, row : int
        The line of the first row, and its number of fields; 0 before there is one.
    """

    header: int
    line: int = 0
    row: int = 0


class CellGrid(NamedTuple):
    """The cells of some records, as in the file.

    Parameters
    ----------
    cells : polars.DataFrame
        The cells, as text.
    lines : sequence of int
        The line on which each record begins.
    error : FileError or None
        The error of the record after them, if it is invalid.
    short : dict of int to FileError
        The lines of records with fewer fields that may be notes below the data, and the error of each if it is none.
    """

    cells: pl.DataFrame
    lines: Sequence[int]
    error: FileError | None = None
    short: Mapping[int, FileError] = MappingProxyType({})


class CsvReader:
    r"""Iterator over the rows of delimited text, as columns of text.

    Fields beyond the named columns must be empty in every row.

    Parameters
    ----------
    text : Delimited
        The text with its delimiter.
    limits : Limits, optional
        The largest table.
    header_line : int or str, optional
        The line of the header, or two lines such as "1-2"; by default they are found.

    Yields
    ------
    tuple of (polars.DataFrame, sequence of int)
        Some rows of the columns, all text, with null for an empty cell; and the line of each row, from 1.

    Raises
    ------
    FileError
        If the header is not certain, a row has another number of fields than it, a quote is broken, a column has no
        name or that of another one, or there are too many columns. Of several errors below the header the first in
        the file is raised, wherever the text is cut.
    ParameterError
        If `header_line` is no line.

    Examples
    --------
    >>> blocks = iter([b"Spring Cup\n\nentry,anna,boris\nE1,7,,\nE2,5,6,\n"])
    >>> reader = CsvReader(Delimited(blocks, ",", "marks.csv"))
    >>> [(frame, lines)] = reader
    >>> frame.rows(), list(lines), reader.notes
    ([('E1', '7', None), ('E2', '5', '6')], [4, 5], ("skipped line 1 above the header: 'Spring Cup'",))
    """

    def __init__(self, text: Delimited, limits: Limits = NO_CELL_LIMIT, header_line: int | str | None = None) -> None:
        self._text = text
        self._limits = limits
        self._chosen = parse_header_line(header_line)
        self._header: Header | None = None
        self._filter: RowFilter | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was skipped so far."""
        return (*(self._header.notes if self._header else ()), *(self._filter.notes if self._filter else ()))

    def __iter__(self) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        text = self._text
        lines = SAMPLE + max(self._chosen, default=0)
        head, blocks = peek(text.blocks, lambda head: has_lines(head, lines) or len(head) > LONGEST_RECORD)
        rows = Records(head, text.sep, text.source).first_rows(lines)
        if not rows:
            raise empty_file(text.source)
        self._limits.check(text.source, rows=0, columns=max(len(row.cells) for row in rows))
        self._header = header = find_header(rows, text.source, self._chosen)
        self._filter = row_filter = RowFilter(header)
        widths = Widths(header.width)
        for part in replace(text, blocks=blocks).parts():
            body = part.after(header.last)
            grid = plain_grid(body, widths) or record_grid(body, widths)
            cells = blank_to_null(grid.cells)
            first = None if widths.row else _first_row(cells, grid, widths)
            if first is not None:
                widths = Widths(widths.header, grid.lines[first], cells.width)
                if widths.row not in (widths.header, widths.header + 1):
                    raise _ragged(body, widths.line, widths.row, widths)
            _check_unnamed(cells[:, len(header.names) :], grid.lines, body, widths)
            yield from row_filter.add(cells[:, : len(header.names)], grid.lines, grid.short)
            if grid.error:
                raise row_filter.fail(grid.error)
        yield from row_filter.finish()


def blank_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """Replace text cells of only white space by null."""
    text = pl.col(pl.String)
    return frame.lazy().with_columns(pl.when(text.str.strip_chars() != "").then(text)).collect()


def plain_grid(part: Records, widths: Widths) -> CellGrid | None:
    """Read regular text with polars: no blank lines, rows of equal width, quotes only around whole cells; else None."""
    data, sep = part.data, part.sep
    if widths.header == 1:
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    body = data.strip(b"\n") + b"\n"
    line = part.first_line
    if data.startswith(b"\n"):
        line += len(data) - len(data.lstrip(b"\n"))
    if b'"' in body:
        bare = _without_quotes(body, sep)
        if bare is None:
            return None
        body, sep = bare, _UNIT
    width = body.count(sep.encode(), 0, body.index(b"\n")) + 1
    if width == 1 or width not in ((widths.row,) if widths.row else (widths.header, widths.header + 1)):
        return None
    if body.startswith(codecs.BOM_UTF8):  # polars drops it
        return None
    if _may_hold_long_cells(body, sep):
        return None
    characters = np.frombuffer(body, np.uint8)
    marks = characters[(characters == ord(sep)) | (characters == ord("\n"))]
    if marks.size % width:
        return None
    line_ends = marks.reshape(-1, width) == ord("\n")
    if line_ends[:, :-1].any() or not line_ends[:, -1].all():
        return None
    # Without the mark, which polars drops, it would take text that begins with "x^" for compressed data.
    marked = codecs.BOM_UTF8 + body
    cells = pl.read_csv(marked, separator=sep, has_header=False, quote_char=None, schema=_text_columns(width))
    return CellGrid(cells, range(line, line + cells.height))


def record_grid(part: Records, widths: Widths) -> CellGrid:
    """Read any delimited text record by record, up to the first one with another width than the first row.

    Blank records of any width become blank rows, and a short record that may be a note becomes one cell.
    """
    first = widths
    width = widths.row or widths.header
    lines = array("q")
    rows: list[list[str]] = []
    frames: list[pl.DataFrame] = []
    short: dict[int, FileError] = {}
    error = None
    try:
        for line, cells in part.walk(widths.header):
            if widths.header > 1 and not any(map(str.strip, cells)):
                row: list[str] = []
            elif _may_be_note(cells, widths.header):
                short[line] = _ragged(part, line, len(cells), widths)
                row = [part.sep.join(cells)]
            else:
                if not first.row:
                    width = len(cells)
                    first = Widths(widths.header, line, width)
                if len(cells) != width:  # an additional empty field is allowed only if every row has one
                    bad = (line, len(cells)) if width == widths.header else (first.line, width)
                    error = _ragged(part, *bad, widths)
                    break
                row = cells
            lines.append(line)
            rows.append(row)
            if len(rows) >= _CHUNK and first.row:
                frames.append(_to_frame(rows, width))
                rows = []
    except FileError as broken:
        error = broken
    frames.append(_to_frame(rows, width))
    return CellGrid(pl.concat(frames), lines, error, short)


def _to_frame(rows: list[list[str]], width: int) -> pl.DataFrame:
    """Return a frame of rows, of which some may be short."""
    whole = [row if len(row) == width else row + [""] * (width - len(row)) for row in rows]
    return pl.DataFrame(whole, _text_columns(width), orient="row")


def _may_be_note(cells: list[str], width: int) -> bool:
    """Return whether a record with fewer fields than the header may be a note below the data."""
    if len(cells) >= width or width < LEAST_COLUMNS:
        return False
    return sum(bool(cell.strip()) for cell in cells) == 1 or begins_as_note(cells[0])


def _first_row(cells: pl.DataFrame, grid: CellGrid, widths: Widths) -> int | None:
    """Return the position of the first row that tells the number of fields; None if there is none."""
    for row, line in enumerate(grid.lines):
        if line not in grid.short and (widths.header == 1 or any(cell is not None for cell in cells.row(row))):
            return row
    return None


def _without_quotes(body: bytes, sep: str) -> bytes | None:
    """Remove quotes and replace delimiters by unit separators; None if that could change cells."""
    characters = np.frombuffer(body, np.uint8)
    within = within_quotes(characters, sep)
    if within is None or within[-1] or _UNIT.encode() in body or (within & (characters == ord("\n"))).any():
        return None
    units = characters.copy()
    units[~within & (characters == ord(sep))] = ord(_UNIT)
    return units.tobytes().replace(b'"', b"")


def _may_hold_long_cells(body: bytes, sep: str) -> bool:
    """Return whether a cell may exceed the limit of the csv module: then half that length has no delimiter."""
    half = csv.field_size_limit() // 2
    return any(body.find(sep.encode(), at, at + half) < 0 for at in range(0, len(body) - half, half))


def _text_columns(width: int) -> dict[str, pl.DataType]:
    """Return the schema of numbered text columns."""
    return {str(position): pl.String() for position in range(width)}


def _check_unnamed(beyond: pl.DataFrame, lines: Sequence[int], part: Records, widths: Widths) -> None:
    """Raise an error if a cell beyond the named columns is not empty."""
    if not beyond.width:
        return
    filled = beyond.select(pl.any_horizontal(pl.all().is_not_null())).to_series().arg_true()
    if filled.is_empty():
        return
    row = filled[0]
    if widths.row > widths.header:
        raise _ragged(part, lines[row], widths.row, widths)
    cell = next(cell for cell in beyond.row(row) if cell is not None)
    raise FileError(
        f"{part.source}, line {lines[row]}: {shorten(cell)} stands in a "
        "column without a name; name the column in the header or empty the cell" + _OTHER_HEADER
    )


def _ragged(part: Records, line: int, fields: int, widths: Widths) -> FileError:
    """Return the error of a row with another number of fields than the header."""
    return FileError(
        f"{part.source}, line {line}: {count(fields, 'field')} where the header has {widths.header} "
        f"(delimiter {show_delimiter(part.sep)}); correct the line, or name another delimiter with sep= (--sep)"
        + (_OTHER_HEADER if fields > widths.header or line <= SAMPLE else "")
    )
