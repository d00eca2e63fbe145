"""The options that say how a file is read and which of its columns hold what, and the reading itself."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof._warnings import record_warnings
from bribeproof.cli.options.checks import refuse_untextual
from bribeproof.cli.options.converters import Names, file_of, parse_names

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from bribeproof.frames.inference import Recognised
    from bribeproof.frames.out_of_core import LargeTable, Progress
    from bribeproof.io.read import Table

File = Annotated[Path, Parameter(allow_leading_hyphen=True, converter=file_of, n_tokens=1)]
Kind = Literal["scores", "votes", "labels"]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class FileOptions:
    """How a file is read."""

    sep: str | None = None
    """The delimiter: one character, or tab."""
    encoding: str | None = None
    """The encoding of the file, such as cp1252."""
    format_: Annotated[Literal["csv", "tsv", "parquet", "ndjson", "json"] | None, Parameter(name="--format")] = None
    """The format of the file, where its ending does not say it."""

    def open(self, file: Path, report: "Progress") -> "AbstractContextManager[Table | LargeTable]":
        """Open a file, however large."""
        from bribeproof.frames.out_of_core import scan_table

        refuse_untextual(file, {"sep": self.sep, "encoding": self.encoding, "format": self.format_})
        if hasattr(signal, "siginterrupt"):
            # polars has a read that was interrupted begin again, so that standard input could not be left.
            signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003
        return scan_table(file, sep=self.sep, encoding=self.encoding, format=self.format_, report=report)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Which columns of a file hold what; what is not said is recognised."""

    item: str | None = None
    """The column of the items."""
    reporter: str | None = None
    """The column of the reporters, in long form."""
    value: str | None = None
    """The column of the reports, in long form."""
    judges: Names = ()
    """The columns of the reporters, in wide form: A,B,C or a pattern such as judge_*; a name with a comma in quotes."""
    missing: Names = ()
    """Texts that stand for no report, beside empty cells: absent,NA."""
    repeats: Literal["error", "first", "last", "drop"] = "error"
    """If a reporter reports twice on an item, differently."""

    def find(self, table: "Table | LargeTable", kind: Kind | None) -> "tuple[Recognised, tuple[str, ...]]":
        """Recognise what a table holds, and return notes on how it was read."""
        from bribeproof.frames.recognition import recognise_frame

        return recognise_frame(
            table,
            kind=kind,
            item=self.item,
            reporter=self.reporter,
            value=self.value,
            judges=parse_names(self.judges),
            missing=parse_names(self.missing),
        )

    def options(self, found: "Recognised") -> dict[str, Any]:
        """Return the options of a table function that say so, but for the name of its column of reports."""
        return {
            "item": found.columns.item,
            "reporter": found.columns.reporter,
            "judges": found.columns.judges or None,
            "missing": parse_names(self.missing),
            "repeats": self.repeats,
        }


@dataclass(frozen=True, slots=True)
class OpenInput:
    """A file that is open.

    Attributes
    ----------
    table
        What is in it.
    found
        Which columns hold what.
    options
        The options of a table function that say so, but for the name of its column of reports.
    report
        Told how far the work is.
    reading_notes
        How the table was read.
    """

    table: "Table | LargeTable"
    found: "Recognised"
    options: dict[str, Any]
    report: "Progress"
    reading_notes: tuple[str, ...]
    _warnings: list[str]
    _more: list[str]

    def note(self, note: str) -> None:
        """Add a note."""
        self._more.append(note)

    @property
    def notes(self) -> list[str]:
        """How the table was read, the warnings of the library so far, and the notes that were added."""
        return [*self.reading_notes, *self._warnings, *self._more]


@contextmanager
def opened(file: Path, reading: FileOptions, where: ColumnOptions, kind: Kind | None) -> Iterator[OpenInput]:
    """Open a file, find its columns, and catch what the library warns about while it is open."""
    from bribeproof.cli.output.progress import progress

    with progress(f"Reading {file}") as report, record_warnings() as messages, reading.open(file, report) as table:
        found, notes = where.find(table, kind)
        yield OpenInput(table, found, where.options(found), report, notes, messages, [])
