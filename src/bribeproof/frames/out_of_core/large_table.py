"""Files larger than memory: read piece by piece, the reports kept on disk until their items are answered."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from bribeproof.errors import FileError
from bribeproof.frames.spill import PartitionedReports, SpilledAnswers
from bribeproof.io.chunks import SIZE, Chunk, Chunks
from bribeproof.io.read import Table, together

Progress: TypeAlias = Callable[[str, float | None], None]
"""Told the stage of the work and the share of it that is done; None where nobody knows."""

Reopen: TypeAlias = Callable[[Sequence[str]], Chunks]
"""Opens a file again for some of its columns."""

IN_MEMORY = 1 << 28
"""Tables of up to so many bytes are kept in memory."""

_PART = 1 << 21
"""About so many reports are answered at a time."""
_MOST_PARTS = 512
_PARTS_OF_A_STREAM = 64
"""Where nobody knows how long the input is."""


class LargeTable:
    """A file that does not fit in memory, for the table functions; `scan_table` opens it.

    Attributes
    ----------
    head : polars.DataFrame
        Its first rows.
    source : str
        The file, for messages.
    notes : tuple of str
        What was guessed, such as "delimiter ';'".
    report : callable
        Told how far the work is.
    """

    def __init__(
        self, head: Sequence[Chunk], pieces: Chunks, reopen: Reopen | None, folder: Path, report: Progress
    ) -> None:
        self.head = together(head)
        self.source = pieces.source
        self.notes = pieces.notes
        self.report = report
        self._unread: Iterator[Chunk] = itertools.chain(head, pieces)
        self._pieces = pieces
        self._reopen = reopen
        self._folder = folder
        # Text is read whole for any of its columns, Parquet is not.
        self._columnar = any(dtype != pl.String for dtype in self.head.dtypes)
        done = head[-1].done
        self._rows = self.head.height / done if done else None

    def locate(self, row: int) -> str:
        """Say where a row that has been read stood in the file, such as "line 7"."""
        return self._pieces.places.locate(row)

    def parts(self, columns: Sequence[str], tidy: Callable[[pl.DataFrame, int], pl.DataFrame]) -> PartitionedReports:
        """Read the file to its end and keep its reports on disk, in parts that hold all reports on their items.

        Parameters
        ----------
        columns
            The columns to read.
        tidy
            Turns a piece and the number of its first row into reports in long form.
        """
        count = _PARTS_OF_A_STREAM
        if self._rows is not None:  # in long form a row holds one report in three columns
            count = min(_MOST_PARTS, 1 + int(self._rows * (len(columns) - 2) / _PART))
        parts = PartitionedReports(self._subfolder(), count)
        for piece in self._read(columns):
            parts.add(tidy(piece.frame.select(columns), piece.first_row))
            self.report(f"Reading {self.source}", piece.done)
        return parts

    def answers(self) -> SpilledAnswers:
        """Return a place for the answers."""
        return SpilledAnswers(self._subfolder())

    def _read(self, columns: Sequence[str]) -> Iterator[Chunk]:
        """Return the pieces: those that were not read yet, or all of them again."""
        unread, self._unread = self._unread, iter(())
        first = list(itertools.islice(unread, 1))
        if first and not (self._columnar and self._reopen):
            return itertools.chain(first, unread)
        if self._reopen is None:
            raise FileError(f"{self.source} can be read once only; keep it in a file to aggregate it again")
        self._pieces.close()
        self._pieces = self._reopen(columns)
        return self._pieces

    def _subfolder(self) -> Path:
        """Make a new folder for files."""
        return Path(tempfile.mkdtemp(dir=self._folder))


@contextmanager
def scan_table(
    path: str | Path,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    report: Progress | None = None,
    in_memory: int = IN_MEMORY,
    size: int = SIZE,
) -> Iterator[Table | LargeTable]:
    r"""Open a file of reports that may be larger than memory, for the table functions.

    A small file is read whole, as by `read_table`. A large one is read piece by piece when a table function is
    called: its reports wait in the folder for temporary files (environment variable ``TMPDIR``), and so does the
    result, a polars LazyFrame, which can be written or collected until the file is closed. Each item's reports
    together, and the ids of the reporters, have to fit in memory.

    Parameters
    ----------
    path, sep, encoding, format
        As in `read_table`.
    report : callable, optional
        Called with the stage of the work and the share of it that is done, in [0, 1], or None where nobody knows.
    in_memory : int, default 2²⁸
        Tables of up to so many bytes are read whole.
    size : int, default 2²⁵
        About how many bytes are read at a time.

    Yields
    ------
    Table or LargeTable
        For `aggregate_scores`, `aggregate_votes` and `aggregate_labels`.

    Raises
    ------
    FileError
        If the file cannot be read, or not without guessing, or changes while it is read.
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
    options: dict[str, Any] = {"sep": sep, "encoding": encoding, "format": format, "size": size}
    pieces = Chunks(path, **options)
    head: list[Chunk] = []
    try:
        taken = 0
        for piece in pieces:
            head.append(piece)
            taken += int(piece.frame.estimated_size())
            if taken > in_memory:
                break
        else:
            yield Table(together(head), pieces.source, pieces.notes, pieces.places)
            return
        again = (lambda columns: Chunks(path, columns=columns, **options)) if Path(path).is_file() else None
        with tempfile.TemporaryDirectory(prefix="bribeproof-") as folder:
            yield LargeTable(head, pieces, again, Path(folder), report or _silent)
    finally:
        pieces.close()


def _silent(stage: str, done: float | None) -> None:
    """Report to nobody."""
