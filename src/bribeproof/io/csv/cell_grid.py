"""Cut delimited text into cells: regular text with polars, all other with the `csv` module."""

from __future__ import annotations

import codecs
import csv
from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from bribeproof._text import count
from bribeproof.errors import FileError
from bribeproof.io.csv.dialect import show_delimiter
from bribeproof.io.csv.records import Records, within_quotes
from bribeproof.io.grid.header import SAMPLE
from bribeproof.io.grid.row_filter import LEAST_COLUMNS
from bribeproof.io.grid.sheet_row import begins_as_note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHUNK = 100_000  # records that are converted to columns at a time, which bounds the memory of Python strings
OTHER_HEADER = ", or, if the header is on a line further down, that line with header_line= (--header-line)"
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


class MisfitError(FileError):
    """A row does not fit the header."""


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
                short[line] = ragged(part, line, len(cells), widths)
                row = [part.sep.join(cells)]
            else:
                if not first.row:
                    width = len(cells)
                    first = Widths(widths.header, line, width)
                if len(cells) != width:  # an additional empty field is allowed only if every row has one
                    bad = (line, len(cells)) if width == widths.header else (first.line, width)
                    error = ragged(part, *bad, widths)
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


def ragged(part: Records, line: int, fields: int, widths: Widths) -> FileError:
    """Return the error of a row with another number of fields than the header."""
    return MisfitError(
        f"{part.source}, line {line}: {count(fields, 'field')} where the header has {widths.header} "
        f"(delimiter {show_delimiter(part.sep)}); correct the line, or name another delimiter with sep= (--sep)"
        + (OTHER_HEADER if fields > widths.header or line <= SAMPLE else "")
    )
