"""Read delimited text into columns of text, below its header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.byte_stream import peek
from bribeproof.io.csv.cell_grid import OTHER_HEADER, CellGrid, MisfitError, Widths, plain_grid, ragged, record_grid
from bribeproof.io.csv.records import Records
from bribeproof.io.encoding import empty_file, has_lines
from bribeproof.io.grid.header import SAMPLE, Header, find_header, other_header, parse_header_line
from bribeproof.io.grid.row_filter import RowFilter
from bribeproof.io.limits import LONGEST_RECORD, NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bribeproof.io.csv.dialect import Delimited


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
        If a row has another number of fields than the header, a quote is broken, a column has no name or that of
        another one, or there are too many columns. Of several errors below the header the first in the file is
        raised, wherever the text is cut.
    QuestionError
        If the header is not certain.
    ParameterError
        If `header_line` is no line.

    Examples
    --------
    >>> from bribeproof.io.csv.dialect import Delimited
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

    @property
    def header_line(self) -> str:
        """The line of the header, or its two lines, such as 1-2; empty before it is found."""
        return self._header.where if self._header else ""

    def __iter__(self) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        text = self._text
        lines = SAMPLE + max(self._chosen, default=0)
        head, blocks = peek(text.blocks, lambda head: has_lines(head, lines) or len(head) > LONGEST_RECORD)
        rows = Records(head, text.sep, text.source).first_rows(lines)
        if not rows:
            raise empty_file(text.source)
        self._limits.check(text.source, rows=0, columns=max(len(row.cells) for row in rows))
        self._header = header = find_header(rows, text.source, self._chosen)
        try:
            yield from self._body(header, replace(text, blocks=blocks))
        except MisfitError as error:
            raise FileError(str(error)) if self._chosen else other_header(rows, text.source, header, error) from None

    def _body(self, header: Header, text: Delimited) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Yield the rows below the header."""
        self._filter = row_filter = RowFilter(header, source=text.source)
        widths = Widths(header.width)
        for part in text.parts():
            body = part.after(header.last)
            grid = plain_grid(body, widths) or record_grid(body, widths)
            cells = blank_to_null(grid.cells)
            first = None if widths.row else _first_row(cells, grid, widths)
            if first is not None:
                widths = Widths(widths.header, grid.lines[first], cells.width)
                if widths.row not in (widths.header, widths.header + 1):
                    above = {line: error for line, error in grid.short.items() if line < widths.line}
                    raise row_filter.fail(ragged(body, widths.line, widths.row, widths), above)
            _check_unnamed(cells[:, len(header.names) :], grid.lines, body, widths)
            yield from row_filter.add(cells[:, : len(header.names)], grid.lines, grid.short)
            if grid.error:
                raise row_filter.fail(grid.error)
        yield from row_filter.finish()


def blank_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """Replace text cells of only white space by null."""
    text = pl.col(pl.String)
    return frame.lazy().with_columns(pl.when(text.str.strip_chars() != "").then(text)).collect()


def _first_row(cells: pl.DataFrame, grid: CellGrid, widths: Widths) -> int | None:
    """Return the position of the first row that tells the number of fields; None if there is none."""
    for row, line in enumerate(grid.lines):
        if line not in grid.short and (widths.header == 1 or any(cell is not None for cell in cells.row(row))):
            return row
    return None


def _check_unnamed(beyond: pl.DataFrame, lines: Sequence[int], part: Records, widths: Widths) -> None:
    """Raise an error if a cell beyond the named columns is not empty."""
    if not beyond.width:
        return
    filled = beyond.select(pl.any_horizontal(pl.all().is_not_null())).to_series().arg_true()
    if filled.is_empty():
        return
    row = filled[0]
    if widths.row > widths.header:
        raise ragged(part, lines[row], widths.row, widths)
    cell = next(cell for cell in beyond.row(row) if cell is not None)
    raise MisfitError(
        f"{part.source}, line {lines[row]}: {shorten(cell)} stands in a "
        "column without a name; name the column in the header or empty the cell" + OTHER_HEADER
    )
