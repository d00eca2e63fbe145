"""Read a file larger than memory in chunks, and keep its reports on disk until they are aggregated."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from bribeproof.errors import FileError
from bribeproof.frames.out_of_core.spill import PartitionedReports, SpilledAnswers
from bribeproof.io.chunks import SIZE, Chunk, Chunks
from bribeproof.io.read import Table, concat_chunks, read_table
from bribeproof.io.scratch import scratch_folder

if TYPE_CHECKING:
    from bribeproof.io.labelling.export import Export

Progress: TypeAlias = Callable[[str, float | None], None]
"""Function of the stage of the work and the share of it that is done, None if that is unknown."""

Reopen: TypeAlias = Callable[[Sequence[str]], Chunks]
"""Function that opens a file again for some of its columns."""

IN_MEMORY = 1 << 28
"""The largest table, in bytes, that is kept in memory."""

_PART = 1 << 21
"""About how many reports are aggregated at a time."""
_MOST_PARTS = 512
_PARTS_OF_A_STREAM = 64
"""The number of parts if the length of the input is unknown."""


class LargeTable:
    """A file that does not fit in memory; `scan_table` opens it, and the aggregate functions read it.

    Attributes
    ----------
    head : polars.DataFrame
        Its first rows.
    source : str
        The file, for messages.
    notes : tuple of str
        What was detected, such as "delimiter ';'", and which rows were skipped so far.
    report : callable
        Function that is called with the progress of the work.
    """

    def __init__(
        self, head: Sequence[Chunk], chunks: Chunks, reopen: Reopen | None, folder: Path, report: Progress
    ) -> None:
        self.head = concat_chunks(head)
        self.source = chunks.source
        self.report = report
        self._unread: Iterator[Chunk] = itertools.chain(head, chunks)
        self._chunks = chunks
        self._reopen = reopen
        self._folder = folder
        self._distinct: dict[tuple[str, ...], pl.DataFrame] = {}
        # Parquet can be read column by column; text has to be read completely.
        self._columnar = any(not (dtype == pl.String or dtype.is_nested()) for dtype in self.head.dtypes)
        done = head[-1].done
        self._rows = self.head.height / done if done else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was detected, and which rows were skipped so far."""
        return self._chunks.notes

    @property
    def header_line(self) -> str:
        """The line of the header, or its two lines, such as 1-2; empty in formats without one."""
        return self._chunks.header_line

    @property
    def export(self) -> Export | None:
        """What the rows so far hold, if the file is an export of a labelling tool."""
        return self._chunks.export

    def locate(self, row: int) -> str:
        """Return the place in the file, such as "line 7", of a row that has been read."""
        return self._chunks.places.locate(row)

    def partition(
        self, columns: Sequence[str], normalise: Callable[[pl.DataFrame, int], pl.DataFrame]
    ) -> PartitionedReports:
        """Read the whole file, and write its reports to disk in parts that hold all reports on their items.

        Parameters
        ----------
        columns
            The columns to read.
        normalise
            Function of a chunk and the number of its first row that returns reports in long form.
        """
        count = _PARTS_OF_A_STREAM
        if self._rows is not None:  # a row in long form has three columns and holds one report
            count = min(_MOST_PARTS, 1 + int(self._rows * (len(columns) - 2) / _PART))
        parts = PartitionedReports(self._subfolder(), count)
        for chunk in self._read(columns):
            parts.add(normalise(chunk.frame.select(columns), chunk.first_row))
            self.report(f"Reading {self.source}", chunk.done)
        return parts

    def distinct(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return the different rows of some columns, which have to fit in memory; the whole file is read for them.

        Parameters
        ----------
        columns
            The columns to read.
        """
        key = tuple(columns)
        if key not in self._distinct:
            rows = self.head.select(columns).clear()
            for chunk in self._read(columns):
                rows = pl.concat([rows, chunk.frame.select(columns).unique()]).unique()
                self.report(f"Reading {self.source}", chunk.done)
            self._distinct[key] = rows
        return self._distinct[key]

    def answers(self) -> SpilledAnswers:
        """Return an empty store for the answers."""
        return SpilledAnswers(self._subfolder())

    def _read(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """Return the chunks that have not been read yet, or all of them again."""
        unread, self._unread = self._unread, iter(())
        first = list(itertools.islice(unread, 1))
        if first and not (self._columnar and self._reopen):
            return itertools.chain(first, unread)
        if self._reopen is None:
            raise FileError(f"{self.source} can be read only once; save it to a file to aggregate it again")
        self._chunks.close()
        self._chunks = self._reopen(columns)
        return self._chunks

    def _subfolder(self) -> Path:
        """Create an empty folder for temporary files."""
        return Path(tempfile.mkdtemp(dir=self._folder))


@contextmanager
def scan_table(
    path: str | Path | Sequence[str | Path],
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: int | str | None = None,
    sheet: str | int | None = None,
    predictions: bool | None = None,
    report: Progress | None = None,
    in_memory: int = IN_MEMORY,
    size: int = SIZE,
) -> Iterator[Table | LargeTable]:
    r"""Open a file of reports that may be larger than memory.

    A small file is read completely, as by `read_table`. A large one is read in chunks when an aggregate function is
    called. Its reports are stored in the folder for temporary files (environment variable ``TMPDIR``), and so is the
    result, a polars LazyFrame, which can be written or collected until the file is closed. The reports on one item,
    and the ids of all reporters, have to fit in memory.

    Parameters
    ----------
    path, sep, encoding, format, header_line, sheet, predictions
        As in `read_table`; several files are read completely.
    report : callable, optional
        Function that is called with the stage of the work and the share of it that is done, in [0, 1], or None if
        that is unknown.
    in_memory : int, default 2²⁸
        The largest table, in bytes, that is read completely.
    size : int, default 2²⁵
        About how many bytes to read at a time.

    Yields
    ------
    Table or LargeTable
        For `aggregate_scores`, `aggregate_votes` and `aggregate_labels`.

    Raises
    ------
    FileError
        If the file cannot be read, is ambiguous, or changes while it is read.
    ParameterError
        If `sep`, `encoding` or `format` is unknown.

    Examples
    --------
    >>> import bribeproof as bp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "votes.csv")
    ...     _ = path.write_text("task,worker,label\nt1,a,1\nt1,b,1\nt1,c,1\nt2,a,0\nt2,b,0\nt2,c,1\n")
    ...     with scan_table(path, in_memory=8, size=20) as votes:
    ...         result = bp.aggregate_votes(votes, k=1)
    ...         result.select("task", "decision", "flips_needed").head(2).collect().rows()
    [('t1', '1', 2), ('t2', '0', 1)]
    """
    if not isinstance(path, str | os.PathLike):
        options: dict[str, Any] = {"sep": sep, "encoding": encoding, "format": format, "header_line": header_line}
        yield read_table(path, **options, sheet=sheet, predictions=bool(predictions))
        return
    options = {"sep": sep, "encoding": encoding, "format": format, "header_line": header_line}
    options |= {"sheet": sheet, "size": size, "predictions": bool(predictions)}
    chunks = Chunks(path, **options)
    head: list[Chunk] = []
    try:
        taken = 0
        for chunk in chunks:
            head.append(chunk)
            taken += int(chunk.frame.estimated_size())
            if taken > in_memory:
                break
        else:
            yield Table.of(chunks, head)
            return
        whole = chunks.export is not None  # whose columns are none of the file

        def reopen(columns: Sequence[str]) -> Chunks:
            return Chunks(path, columns=None if whole else columns, **options)

        again = reopen if Path(path).is_file() else None
        with scratch_folder() as folder:
            yield LargeTable(head, chunks, again, folder, report or _silent)
    finally:
        chunks.close()


def _silent(stage: str, done: float | None) -> None:
    """Ignore the progress."""
