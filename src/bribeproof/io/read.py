"""Read a file of reports (text, JSON, Parquet or a workbook) completely, with the line of every row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from bribeproof.io.chunks import Chunks
from bribeproof.io.line_index import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bribeproof.io.chunks import Chunk


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a file, and the line of each row.

    Parameters
    ----------
    frame : polars.DataFrame
        CSV, TSV, JSON and NDJSON: every column is text with the cells as written, an empty cell is null.
        Workbooks: every column is text, as their export to CSV: 7.0 is 7, dates are 2024-05-05, 0.85 shown as a
        percentage is 85%, errors are their codes, such as #N/A.
        Parquet: typed as stored.
    source : str
        The file, for messages.
    notes : tuple of str
        What was detected, such as "delimiter ';'" or "UTF-16", and which rows were skipped.
    """

    frame: pl.DataFrame
    source: str
    notes: tuple[str, ...] = ()
    _places: LineIndex = field(default_factory=LineIndex, repr=False, compare=False)

    def locate(self, row: int) -> str:
        """Return the place of a row in the file.

        Parameters
        ----------
        row : int
            The row of the frame, from 0.

        Returns
        -------
        str
            "line 7" in CSV, TSV and NDJSON, "record 7" in JSON, "row 7" in Parquet and workbooks, all counted from 1.
        """
        return self._places.locate(row)


def read_table(
    path: str | Path,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: int | str | None = None,
    sheet: str | int | None = None,
) -> Table:
    r"""Read a file of reports.

    Nothing is dropped or repaired silently: a ragged row, a broken quote, an unknown encoding or a column without
    a name is an error that names the line. Blank lines are skipped, and a delimiter at the end of every row adds no
    column. Of CSV and workbooks, titles above the header, rows of only delimiters, repeated headers, and notes below
    the data are skipped, which the notes of the table say; a header may have two lines, such as
    ``Judge 1,,Judge 2,`` above ``tech,art,tech,art``. Where the header is not certain, an error asks for
    `header_line`. Of several errors the first in the file is raised, except that the first 50 lines, which determine
    the delimiter and the header, are decoded before any of them is parsed.

    Parameters
    ----------
    path : str or Path
        The file; "-" is standard input, read as CSV unless `format` says otherwise.
    sep : str, optional
        The delimiter of a CSV file, one ASCII character or the word "tab"; by default the one of
        comma, semicolon, tab and bar that fits the first lines.
    encoding : str, optional
        The Python name of the encoding of a text file; by default that of a byte order mark, else UTF-8.
    format : {"csv", "tsv", "json", "ndjson", "parquet", "xlsx", "xls", "ods"}, optional
        The format; by default that of the ending of the file name.
    header_line : int or str, optional
        CSV and workbooks: the line of the header, from 1, or "1-2", two lines that are one header; by default it is
        found.
    sheet : str or int, optional
        Workbooks: the name of a sheet, or its number, from 1; by default the only visible one that holds data.

    Returns
    -------
    Table
        The columns as text (Parquet: as stored), the line of each row, and what was detected.

    Raises
    ------
    FileError
        If the file cannot be read, is ambiguous, or changes while it is read.
    MissingPackageError
        If python-calamine is needed and not installed.
    ParameterError
        If `sep`, `encoding` or `format` is unknown, `header_line` is no line, or `sheet` no sheet.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "marks.csv")
    ...     _ = path.write_text("skater;j1;j2\nS1;7,25;\n")
    ...     table = read_table(path)
    >>> table.frame.rows(), table.notes, table.locate(0)
    ([('S1', '7,25', None)], ("delimiter ';'",), 'line 2')
    """
    chunks = Chunks(path, sep=sep, encoding=encoding, format=format, header_line=header_line, sheet=sheet)
    frame = concat_chunks(chunks)
    return Table(frame, chunks.source, chunks.notes, chunks.places)


def concat_chunks(chunks: Iterable[Chunk]) -> pl.DataFrame:
    """Concatenate chunks; a later one may have additional columns."""
    return pl.concat([chunk.frame for chunk in chunks], how="diagonal")
