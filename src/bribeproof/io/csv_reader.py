"""Read delimited text into columns of text: regular text with polars, all other with the `csv` module."""

from __future__ import annotations

import codecs
import csv
from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from bribeproof._text import count, shorten
from bribeproof.errors import FileError
from bribeproof.io.csv_dialect import Delimited, clean_header, show_delimiter
from bribeproof.io.csv_records import Records, within_quotes
from bribeproof.io.encoding import empty_file
from bribeproof.io.limits import NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CHUNK = 100_000  # records that are converted to columns at a time, which bounds the memory of Python strings
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
    """

    cells: pl.DataFrame
    lines: Sequence[int]
    error: FileError | None = None


def read_columns(text: Delimited, limits: Limits = NO_CELL_LIMIT) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
    r"""Read delimited text into columns of text.

    Fields beyond the named columns must be empty in every row.

    Parameters
    ----------
    text : Delimited
        The text with its delimiter.
    limits : Limits, optional
        The largest table.

    Yields
    ------
    tuple of (polars.DataFrame, sequence of int)
        Some rows of the columns, all text, with null for an empty cell; and the line of each row, from 1.

    Raises
    ------
    FileError
        If a row has another number of fields than the header, a quote is broken, a column has no name or that of
        another one, or there are too many columns. Of several errors the first in the file is raised, wherever the
        text is cut.

    Examples
    --------
    >>> blocks = iter([b"entry,anna,boris\nE1,7,,\nE2,5,6,\n"])
    >>> [(frame, lines)] = read_columns(Delimited(blocks, ",", "marks.csv"))
    >>> frame.rows(), list(lines)
    ([('E1', '7', None), ('E2', '5', '6')], [2, 3])
    """
    names: list[str] = []
    widths = Widths(0)
    for part in text.parts():
        body = part
        if not names:
            split = part.split_header()
            if split is None:
                continue
            line, header, body = split
            named = max((position for position, cell in enumerate(header, start=1) if cell.strip()), default=1)
            limits.check(text.source, rows=0, columns=len(header))
            names = clean_header(header[:named], f"{text.source}, line {line}")
            widths = Widths(len(header))
        grid = plain_grid(body, widths) or record_grid(body, widths)
        if not widths.row and grid.lines:
            widths = Widths(widths.header, grid.lines[0], grid.cells.width)
            if widths.row not in (widths.header, widths.header + 1):
                raise _ragged(body, widths.line, widths.row, widths)
        frame = blank_to_null(grid.cells)
        _check_unnamed(frame[:, len(names) :], grid.lines, body, widths)
        if grid.error:
            raise grid.error
        if grid.lines:
            frame = frame[:, : len(names)]
            frame.columns = names
            yield frame, grid.lines
    if not names:
        raise empty_file(text.source)


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
    if width == 1 or widths.row not in (0, width) or body.startswith(codecs.BOM_UTF8):  # polars drops it
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
    """Read any delimited text record by record, up to the first one with another width than the first row."""
    first = widths
    width = widths.row or widths.header
    lines = array("q")
    rows: list[list[str]] = []
    frames: list[pl.DataFrame] = []
    error = None
    try:
        for line, cells in part.walk(widths.header):
            if not first.row:
                width = len(cells)
                first = Widths(widths.header, line, width)
            if len(cells) != width:  # an additional empty field is allowed only if every row has one
                bad = (line, len(cells)) if width == widths.header else (first.line, width)
                error = _ragged(part, *bad, widths)
                break
            lines.append(line)
            rows.append(cells)
            if len(rows) == _CHUNK:
                frames.append(pl.DataFrame(rows, _text_columns(width), orient="row"))
                rows = []
    except FileError as broken:
        error = broken
    frames.append(pl.DataFrame(rows, _text_columns(width), orient="row"))
    return CellGrid(pl.concat(frames), lines, error)


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
        "column without a name; name the column in the header or empty the cell"
    )


def _ragged(part: Records, line: int, fields: int, widths: Widths) -> FileError:
    """Return the error of a row with another number of fields than the header."""
    return FileError(
        f"{part.source}, line {line}: {count(fields, 'field')} where the header has {widths.header} "
        f"(delimiter {show_delimiter(part.sep)}); correct the line, or name another delimiter with sep= (--sep)"
    )
