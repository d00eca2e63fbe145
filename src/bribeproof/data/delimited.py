"""Delimited text to columns of text: with polars where it cannot misread, else record by record."""

from __future__ import annotations

import itertools
from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from bribeproof.data.dialect import Delimited, clean_header, spell
from bribeproof.data.encoding import empty_file, shorten
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 100_000  # records that become columns at a time, which bounds the memory that Python strings take


class Grid(NamedTuple):
    """All cells of a delimited file as written, before its header is judged.

    Parameters
    ----------
    header : list of str
        The cells of the first record.
    header_line : int
        The line of the header, from 1.
    cells : polars.DataFrame
        The cells of all other records, as text.
    lines : sequence of int
        The line on which each of them begins.
    """

    header: list[str]
    header_line: int
    cells: pl.DataFrame
    lines: Sequence[int]


def read_columns(text: Delimited) -> tuple[pl.DataFrame, Sequence[int]]:
    r"""Read delimited text; whatever stands beyond the named columns must be empty in every row.

    Parameters
    ----------
    text : Delimited
        The text with its delimiter.

    Returns
    -------
    tuple of (polars.DataFrame, sequence of int)
        The columns, all text, with null for an empty cell; and the line of each row, from 1.

    Raises
    ------
    FileError
        If a row is not as wide as the header, a quote is broken or a column has no name of its own.

    Examples
    --------
    >>> frame, lines = read_columns(Delimited(b"entry,anna,boris\nE1,7,,\nE2,5,6,\n", ",", "marks.csv"))
    >>> frame.rows(), list(lines)
    ([('E1', '7', None), ('E2', '5', '6')], [2, 3])
    """
    grid = plain_grid(text) or record_grid(text)
    header, width = grid.header, grid.cells.width
    if width not in (len(header), len(header) + 1):
        raise _ragged(text, grid.lines[0], width, len(header))
    frame = blank_to_null(grid.cells)
    named = max((position for position, cell in enumerate(header, start=1) if cell.strip()), default=1)
    for extra in frame[:, named:].iter_columns():
        filled = extra.is_not_null().arg_true()
        if len(filled) and width > len(header):
            raise _ragged(text, grid.lines[filled[0]], width, len(header))
        if len(filled):
            raise FileError(
                f"{text.source}, line {grid.lines[filled[0]]}: {shorten(extra[filled[0]])} stands in a "
                "column without a name; name the column in the header or empty the cell"
            )
    frame = frame[:, :named]
    frame.columns = clean_header(header[:named], f"{text.source}, line {grid.header_line}")
    return frame, grid.lines


def blank_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """Make text cells with nothing but white space null."""
    text = pl.col(pl.String)
    return frame.lazy().with_columns(pl.when(text.str.strip_chars() != "").then(text)).collect()


def plain_grid(text: Delimited) -> Grid | None:
    """Read with polars if nothing can be misread: no quotes, no blank lines, every row equally wide."""
    data, sep = text.data, text.sep.encode()
    if b'"' in data:
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    header, _, body = data.lstrip(b"\n").partition(b"\n")
    body = body.rstrip(b"\n") + b"\n"
    width = body.count(sep, 0, body.index(b"\n")) + 1
    if width == 1 or not header.strip():
        return None
    characters = np.frombuffer(body, np.uint8)
    marks = characters[(characters == ord(sep)) | (characters == ord("\n"))]
    if marks.size % width:
        return None
    line_ends = marks.reshape(-1, width) == ord("\n")
    if line_ends[:, :-1].any() or not line_ends[:, -1].all():
        return None
    cells = pl.read_csv(body, separator=text.sep, has_header=False, quote_char=None, schema=_text_columns(width))
    line = 1 + len(data) - len(data.lstrip(b"\n"))
    return Grid(header.decode().split(text.sep), line, cells, range(line + 1, line + 1 + cells.height))


def record_grid(text: Delimited) -> Grid:
    """Read any delimited text, record by record."""
    records = text.records()
    header_line, header = next(records, (0, []))
    if not header:
        raise empty_file(text.source)
    first = next(records, None)
    first_line, width = (first[0], len(first[1])) if first else (0, len(header))
    lines = array("q")
    rows: list[list[str]] = []
    frames: list[pl.DataFrame] = []
    for line, cells in itertools.chain([first] if first else [], records):
        if len(cells) != width:  # an empty field too many is fine only if every row has one
            bad_line, fields = (line, len(cells)) if width == len(header) else (first_line, width)
            raise _ragged(text, bad_line, fields, len(header))
        lines.append(line)
        rows.append(cells)
        if len(rows) == _CHUNK:
            frames.append(pl.DataFrame(rows, _text_columns(width), orient="row"))
            rows = []
    frames.append(pl.DataFrame(rows, _text_columns(width), orient="row"))
    return Grid(header, header_line, pl.concat(frames), lines)


def _text_columns(width: int) -> dict[str, pl.DataType]:
    return {str(position): pl.String() for position in range(width)}


def _ragged(text: Delimited, line: int, fields: int, named: int) -> FileError:
    """Say that a row is not as wide as the header."""
    return FileError(
        f"{text.source}, line {line}: {fields} field{'s' * (fields != 1)} where the header has {named} "
        f"(delimiter {spell(text.sep)}); correct the line, or name another delimiter with sep= (--sep)"
    )
