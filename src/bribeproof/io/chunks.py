"""Read a file of reports in chunks, so that it may be larger than memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof._process import check_not_forked
from bribeproof._validation import check_type
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.byte_stream import open_source
from bribeproof.io.csv.dialect import read_dialect
from bribeproof.io.csv.reader import CsvReader
from bribeproof.io.encoding import HEAD, decode, empty_file, first_bytes
from bribeproof.io.excel.reader import ExcelReader
from bribeproof.io.format_question import check_format
from bribeproof.io.formats import RECORDS, WORKBOOKS, file_format
from bribeproof.io.json_reader import read_json, read_ndjson
from bribeproof.io.labelling.cvat import read_cvat
from bribeproof.io.labelling.export import ExportFile
from bribeproof.io.labelling.registry import find_export
from bribeproof.io.limits import NO_CELL_LIMIT, Limits
from bribeproof.io.line_index import LineIndex
from bribeproof.io.parquet_reader import read_parquet

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Sequence
    from pathlib import Path

    import polars as pl

    from bribeproof.io.byte_stream import ByteSource
    from bribeproof.io.labelling.export import Export, ExportReader

SIZE = 1 << 25
"""The default number of bytes in a chunk."""

_UNITS = {"parquet": "row", "json": "record", "xlsx": "row", "xls": "row", "ods": "row", "xml": "image"}


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file.

    Parameters
    ----------
    frame : polars.DataFrame
        The rows, as in a `Table`. NDJSON: the columns are those of all rows so far, so a later chunk may have
        additional ones at its end.
    first_row : int
        The number of the first row in the whole table, from 0.
    done : float or None
        The share of the bytes (Parquet: rows) read so far, in [0, 1]; None if the length is unknown.
    """

    frame: pl.DataFrame
    first_row: int
    done: float | None


class Chunks:
    r"""Iterator over the chunks of a file.

    Cells, notes, lines and errors do not depend on the size of a chunk. An error is raised after the chunks before
    it. JSON, which is one list, workbooks, and Parquet from a pipe are read into memory completely.

    Parameters
    ----------
    path, sep, encoding, format, header_line, sheet
        As in `read_table`.
    columns : collection of str, optional
        Parquet: the columns to read, if the file has them; by default all. Text is read with all columns.
    size : int, default 2²⁵
        About how many bytes of the file a chunk holds, at least 1; a record is never divided.
    limits : Limits, optional
        The largest table; by default any number of rows, and 2¹⁷ columns.
    predictions : bool, default False
        As in `read_table`.
    name : str, optional
        What the user calls the file; by default its path.

    Attributes
    ----------
    source : str
        The file, for messages.
    notes : tuple of str
        What was detected, and which rows above the rows read so far, or at the end, were skipped.
    places : LineIndex
        The lines of the rows read so far.

    Raises
    ------
    FileError
        If the file cannot be read, is too large, or changes while it is read.
    QuestionError
        If it can be read in several ways.
    ParameterError
        If `sep`, `encoding` or `format` is unknown, or `size` below 1.
    ParameterTypeError
        If `path` is no path.
    ForkError
        If this process was forked from one that had used tables.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "votes.csv")
    ...     _ = path.write_text("task;label\nt1;a\nt2;b\n")
    ...     chunks = Chunks(path, size=16)
    ...     [(chunk.first_row, chunk.frame.rows()) for chunk in chunks]
    [(0, [('t1', 'a')]), (1, [('t2', 'b')])]
    >>> chunks.notes, chunks.places.locate(1)
    (("delimiter ';'",), 'line 3')
    """

    def __init__(
        self,
        path: str | Path,
        *,
        sep: str | None = None,
        encoding: str | None = None,
        format: str | None = None,  # noqa: A002
        header_line: int | str | None = None,
        sheet: str | int | None = None,
        columns: Collection[str] | None = None,
        size: int = SIZE,
        limits: Limits = NO_CELL_LIMIT,
        predictions: bool = False,
        name: str | None = None,
    ) -> None:
        check_not_forked()
        check_type("path", path, (str, os.PathLike), "the path of a file, such as 'votes.csv'")
        if size < 1:
            raise ParameterError(f"size={size} is not a number of bytes; give at least 1")
        self.source = "standard input" if str(path) == "-" else str(path)
        self.places = LineIndex()
        self._detected: tuple[str, ...] = ()
        self._reader: CsvReader | ExcelReader | None = None
        self._path = path
        self._sep = sep
        self._encoding = encoding
        self._format = format
        self._header_line = header_line
        self._sheet = sheet
        self._columns = columns
        self._size = size
        self._limits = limits
        self._predictions = predictions
        self._name = name or self.source
        self._export: ExportReader | None = None
        self._chunks = self._read()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was detected and skipped so far."""
        readers = (self._reader, self._export)
        return (*self._detected, *(note for reader in readers if reader for note in reader.notes))

    @property
    def export(self) -> Export | None:
        """What the rows so far hold, if the file is an export of a labelling tool."""
        return self._export.export if self._export else None

    @property
    def header_line(self) -> str:
        """The line of the header, or its two lines, such as 1-2; empty in formats without one."""
        return self._reader.header_line if self._reader else ""

    def __iter__(self) -> Iterator[Chunk]:
        return self

    def __next__(self) -> Chunk:
        return next(self._chunks)

    def close(self) -> None:
        """Close the file, also before its end."""
        self._chunks.close()

    def _read(self) -> Generator[Chunk, None, None]:
        """Yield the chunks; closing the generator closes the file."""
        with open_source(self._path) as source:
            for frame, places in self._reports(self._rows(source)):
                row = len(self.places)
                self.places.extend(places)
                self._limits.check(self.source, rows=len(self.places), columns=frame.width)
                yield Chunk(frame, row, source.done)
        if self._export and not (self._export.export.questions and len(self.places)):
            raise FileError(
                f"{self.source}: no report in it, so there is nothing to aggregate ({self._export.notes[0]})"
            )
        if not len(self.places):
            raise FileError(f"{self.source}: there are columns but no rows, so there is nothing to aggregate")

    def _reports(
        self, rows: Iterator[tuple[pl.DataFrame, Sequence[int]]]
    ) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Yield the rows of a file; of an export of a labelling tool, a row for each report."""
        for number, (frame, places) in enumerate(rows):
            if number == 0:
                is_named = str(self._path) != "-"
                file = ExportFile(self._name, self.places.unit, self._limits, self._predictions, is_named)
                self._export = find_export(frame, file)
            yield self._export.convert(frame, places) if self._export else (frame, places)

    def _rows(self, source: ByteSource) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Return rows and their lines, read according to the format."""
        kind = "csv" if str(self._path) == "-" and self._format is None else file_format(self._path, self._format)
        self._refuse_other_formats(kind)
        self.places = LineIndex(_UNITS.get(kind, "line"))
        if kind in WORKBOOKS:
            data = b"".join(source.blocks(self._size))
            if not data:
                raise empty_file(source.name)
            self._check_format(data[:HEAD], kind)
            self._reader = ExcelReader(
                data, source.name, kind, sheet=self._sheet, header_line=self._header_line, limits=self._limits
            )
            return iter(self._reader)
        head, blocks = first_bytes(source.blocks(self._size), source.name)
        self._check_format(head, kind)
        if kind == "parquet":
            return read_parquet(source, blocks, size=self._size, columns=self._columns, limits=self._limits)
        if kind == "xml":
            text, self._detected = decode(blocks, source.name, self._encoding)
            return iter([read_cvat(text, source.name)])
        if kind in ("json", "ndjson"):
            text, self._detected = decode(blocks, source.name, self._encoding)
            return (read_ndjson if kind == "ndjson" else read_json)(text, source.name, self._limits)
        sep = "tab" if kind == "tsv" and self._sep is None else self._sep
        delimited = read_dialect(blocks, source.name, sep=sep, encoding=self._encoding)
        self._detected = delimited.notes
        self._reader = CsvReader(delimited, self._limits, self._header_line)
        return iter(self._reader)

    def _check_format(self, head: bytes, kind: str) -> None:
        """Ask for the format if the first bytes belong to another one than the name of the file says."""
        if self._format is None and self._encoding is None:
            check_format(head, kind, self.source)

    def _refuse_other_formats(self, kind: str) -> None:
        """Raise an error if an option does not apply to the format."""
        if self._header_line is not None and kind in RECORDS:
            raise ParameterError(f"header_line does not apply to {kind}, which has no header; leave it out")
        if self._sheet is not None and kind not in WORKBOOKS:
            raise ParameterError(f"sheet does not apply to {kind}, only to .xlsx, .xls and .ods; leave it out")
