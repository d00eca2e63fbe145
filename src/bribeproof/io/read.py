"""Read a file of reports: CSV, TSV, JSON, NDJSON or Parquet, with the place of every row."""

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
    """What a file held: its columns and where each row stood.

    Parameters
    ----------
    frame : polars.DataFrame
        CSV, TSV, JSON and NDJSON: every column is text with the cells as written, an empty cell is null.
        Parquet: typed as stored.
    source : str
        The file, for messages.
    notes : tuple of str
        What was guessed, such as "delimiter ';'" or "UTF-16".
    """

    frame: pl.DataFrame
    source: str
    notes: tuple[str, ...] = ()
    _places: LineIndex = field(default_factory=LineIndex, repr=False, compare=False)

    def locate(self, row: int) -> str:
        """Say where a row stood in the file.

        Parameters
        ----------
        row : int
            The row of the frame, from 0.

        Returns
        -------
        str
            "line 7" in CSV, TSV and NDJSON, "record 7" in JSON, "row 7" in Parquet, all counted from 1.
        """
        return self._places.locate(row)


def read_table(
    path: str | Path,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Table:
    r"""Read a file of reports.

    Nothing is dropped or repaired in silence: a ragged row, a broken quote, an unknown encoding or a
    column without a name is an error that names the line. Blank lines are skipped, and a delimiter at
    the end of every row is no column. Of several errors the first in the file is raised; the first 50 lines,
    which decide the delimiter, must be text before any of them is judged.

    Parameters
    ----------
    path : str or Path
        The file; "-" is standard input, read as CSV unless `format` says otherwise.
    sep : str, optional
        The delimiter of a CSV file, one ASCII character or the word "tab"; by default the one of
        comma, semicolon, tab and bar that fits.
    encoding : str, optional
        The Python name of the encoding of a text file; by default a byte order mark decides, else UTF-8.
    format : {"csv", "tsv", "json", "ndjson", "parquet"}, optional
        The format; by default the ending of the file name decides.

    Returns
    -------
    Table
        The columns as text (Parquet: as stored), with the line of each row and what was guessed.

    Raises
    ------
    FileError
        If the file cannot be read, or not without guessing, or changes while it is read.
    ParameterError
        If `sep`, `encoding` or `format` is unknown.

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
    pieces = Chunks(path, sep=sep, encoding=encoding, format=format)
    frame = together(pieces)
    return Table(frame, pieces.source, pieces.notes, pieces.places)


def together(pieces: Iterable[Chunk]) -> pl.DataFrame:
    """Put pieces one after the other; a later one may have more columns."""
    return pl.concat([piece.frame for piece in pieces], how="diagonal")
