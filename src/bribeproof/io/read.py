"""Read a file of reports (text, JSON, Parquet or a workbook) completely, with the line of every row."""

from __future__ import annotations

import bisect
import itertools
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import polars as pl

from bribeproof._text import list_names, shorten
from bribeproof._validation import check_type
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.chunks import Chunks
from bribeproof.io.json_reader import OBJECT, as_object
from bribeproof.io.line_index import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bribeproof.io.chunks import Chunk
    from bribeproof.io.labelling.export import Export, Question


_JSON = pl.Field(OBJECT, pl.String())


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a file, and the line of each row.

    Parameters
    ----------
    frame : polars.DataFrame
        CSV, TSV, JSON and NDJSON: every column is text with the cells as written, an empty cell is null. A list in
        JSON is the text of its JSON, and a column of objects is one of structs, which holds no reports.
        Workbooks: every column is text, as their export to CSV: 7.0 is 7, dates are 2024-05-05, 0.85 shown as a
        percentage is 85%, errors are their codes, such as #N/A.
        Parquet: typed as stored.
    source : str
        The file, for messages.
    notes : tuple of str
        What was detected, such as "delimiter ';'" or "UTF-16", and which rows were skipped.
    header_line : str
        The line of the header, or its two lines, such as 1-2; empty in formats without one.
    export : Export, optional
        If the file is an export of a labelling tool: who reports on what, and the questions that were asked.
    """

    frame: pl.DataFrame
    source: str
    notes: tuple[str, ...] = ()
    _places: LineIndex | _StackedPlaces = field(default_factory=LineIndex, repr=False, compare=False)
    header_line: str = field(default="", compare=False)
    export: Export | None = field(default=None, compare=False)

    @classmethod
    def of(cls, chunks: Chunks, read: Sequence[Chunk] | None = None) -> Table:
        """Return the whole table of a file: the chunks that have been read, by default all of them."""
        frame = concat_chunks(chunks if read is None else read)
        return cls(frame, chunks.source, chunks.notes, chunks.places, chunks.header_line, chunks.export)

    def locate(self, row: int) -> str:
        """Return the place of a row in the file.

        Parameters
        ----------
        row : int
            The row of the frame, from 0.

        Returns
        -------
        str
            "line 7" in CSV, TSV and NDJSON, "record 7" in JSON, "row 7" in Parquet and workbooks, all counted from 1;
            "line 7 of part2.csv" of several files.
        """
        return self._places.locate(row)


def read_table(
    path: str | Path | Sequence[str | Path],
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: int | str | None = None,
    sheet: str | int | None = None,
    predictions: bool = False,
) -> Table:
    r"""Read a file of reports.

    Nothing is dropped or repaired silently: a ragged row, a broken quote or a column without a name is an error that
    names the line. Blank lines are skipped, and a delimiter at the end of every row adds no column. Of CSV and
    workbooks, titles above the header, rows of only delimiters, repeated headers, and notes below the data are skipped,
    which the notes of the table say; a header may have two lines, such as ``Judge 1,,Judge 2,`` above
    ``tech,art,tech,art``. What a labelling tool exports becomes a row for each report (docs/howto/labelling_tools.md).
    Where the
    header, the sheet, the delimiter, the encoding or the format is not certain, a `QuestionError` has the options that
    decide. Of several errors the first in the file is raised, except that the first 50 lines, which determine the
    delimiter and the header, are decoded before any of them is parsed.

    Parameters
    ----------
    path : str or Path or sequence of these
        The file; "-" is standard input, read as CSV unless `format` says otherwise. Several files with the same
        columns, in any order, are one table, in which the rows of each follow those of the one before.
    sep : str, optional
        The delimiter of a CSV file, one ASCII character or the word "tab"; by default the one of
        comma, semicolon, tab and bar that fits the first lines.
    encoding : str, optional
        The Python name of the encoding of a text file; by default that of a byte order mark, else UTF-8.
    format : {"csv", "tsv", "json", "ndjson", "parquet", "xlsx", "xls", "ods", "xml"}, optional
        The format; by default that of the ending of the file name. The only XML that is read is that of CVAT.
    header_line : int or str, optional
        CSV and workbooks: the line of the header, from 1, or "1-2", two lines that are one header; by default it is
        found.
    sheet : str or int, optional
        Workbooks: the name of a sheet, or its number, from 1; by default the only visible one that holds data.
    predictions : bool, default False
        Exports of labelling tools: whether models whose predictions the file holds are reporters, too.

    Returns
    -------
    Table
        The columns as text (Parquet: as stored), the line of each row, and what was detected.

    Raises
    ------
    FileError
        If the file cannot be read, or changes while it is read.
    QuestionError
        If it can be read in several ways; its choices hold the options that decide.
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
    tables = []
    for one in [path] if isinstance(path, str | os.PathLike) else _check_paths(path):
        chunks = Chunks(
            one,
            sep=sep,
            encoding=encoding,
            format=format,
            header_line=header_line,
            sheet=sheet,
            predictions=predictions,
        )
        tables.append(Table.of(chunks))
    return tables[0] if len(tables) == 1 else _stack(tables)


def _check_paths(paths: Sequence[str | Path]) -> Sequence[str | Path]:
    """Return the paths of several files, or raise an error if these are none."""
    if not isinstance(paths, list | tuple):
        check_type("path", paths, (str, os.PathLike), "the path of a file, such as 'votes.csv', or a list of paths")
    if not paths:
        raise ParameterError("path=[] names no file; give at least one")
    if [str(path) for path in paths].count("-") > 1:
        raise ParameterError("standard input (-) is given twice; it can be read once")
    return paths


def _stack(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables as one.

    Raises
    ------
    FileError
        If a table has not the columns of the first one, or not of the same types.
    """
    exports = _stack_exports(tables)
    if exports is not None:  # what one of them does not have, such as a question, has no answer in it
        whole = pl.concat([table.frame.clear() for table in tables], how="diagonal")
        tables = [replace(one, frame=pl.concat([whole, one.frame], how="diagonal")) for one in tables]
    first = tables[0]
    notes = [f"{table.source}: {note}" for table in tables for note in table.notes]
    for at, table in enumerate(tables[1:], start=1):
        for one, other in ((table, first), (first, table)):
            lacking = [name for name in other.frame.columns if name not in one.frame.columns]
            if lacking:
                columns = f"column{'s' * (len(lacking) > 1)} {list_names(lacking)}"
                raise FileError(
                    f"{one.source} lacks the {columns} of {other.source}; files that are read together must have the "
                    "same columns"
                )
        for name, dtype in first.frame.schema.items():
            if table.frame.schema[name] != dtype:
                raise FileError(
                    f"column {shorten(name)} is {dtype} in {first.source} and {table.frame.schema[name]} in "
                    f"{table.source}; files that are read together must have the same types"
                )
        twin = next((one for one in tables[:at] if one.frame.equals(table.frame.select(one.frame.columns))), None)
        if twin is not None:
            notes.append(f"{table.source} holds the same rows as {twin.source}")
    frame = pl.concat([table.frame.select(first.frame.columns) for table in tables])
    source = f"{len(tables)} files ({first.source} to {tables[-1].source})"
    return Table(frame, source, tuple(notes), _StackedPlaces(tables), first.header_line, exports)


def _stack_exports(tables: Sequence[Table]) -> Export | None:
    """Return what several tables hold together; None unless all are exports of one tool in one form."""
    exports = [table.export for table in tables]
    first = exports[0]
    questions: dict[str, Question] = {}
    for one in exports:
        if first is None or one is None or (one.tool, one.item) != (first.tool, first.item):
            return None
        for question in one.questions:
            known = questions.get(question.name, question)
            questions[question.name] = max(known, question, key=lambda asked: (asked.certain, asked.gold))
    return None if first is None else replace(first, questions=tuple(questions.values()))


class _StackedPlaces:
    """The place of each row of several tables."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._ends = list(itertools.accumulate(table.frame.height for table in tables))

    def locate(self, row: int) -> str:
        """Return the place of a row, such as "line 7 of part2.csv"."""
        at = min(bisect.bisect_right(self._ends, row), len(self._tables) - 1)
        table = self._tables[at]
        return f"{table.locate(row - self._ends[at] + table.frame.height)} of {table.source}"


def concat_chunks(chunks: Iterable[Chunk]) -> pl.DataFrame:
    """Concatenate chunks; a later one may have additional columns, and objects where there was text."""
    frames = [chunk.frame for chunk in chunks]
    objects = {name for frame in frames for name, dtype in frame.schema.items() if dtype == pl.Struct([_JSON])}
    if objects:
        texts = [[name for name in objects if frame.schema.get(name) == pl.String] for frame in frames]
        frames = [frame.with_columns(map(as_object, names)) for frame, names in zip(frames, texts, strict=True)]
    return pl.concat(frames, how="diagonal")
