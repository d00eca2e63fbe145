"""Options for reading a file and finding its columns, and the open file itself."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof._warnings import record_warnings
from bribeproof.cli.options.checks import refuse_text_options
from bribeproof.cli.options.converters import Flag, Names, convert_file, parse_names
from bribeproof.cli.options.label_sets import LabelSetOptions

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from bribeproof.aggregation.total_rule import TotalRule
    from bribeproof.frames.out_of_core import LargeTable, Progress
    from bribeproof.frames.reading.reading import Reading
    from bribeproof.frames.reading.vocabulary import Role
    from bribeproof.io.read import Table

File = Annotated[Path, Parameter(allow_leading_hyphen=True, converter=convert_file, n_tokens=1)]
_Format = Literal["csv", "tsv", "parquet", "ndjson", "json", "xlsx", "xls", "ods"]
Kind = Literal["scores", "votes", "labels"]
Better = Literal["high", "low"]
_ONE_LABEL = LabelSetOptions()


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class FileOptions:
    """Options for the format of a file."""

    sep: str | None = None
    """Delimiter: one character, or tab (default: inferred)."""
    encoding: str | None = None
    """Encoding of the file, such as cp1252 (default: UTF-8)."""
    format_: Annotated[_Format | None, Parameter(name="--format")] = None
    """Format of the file (default: from its ending)."""
    header_line: str | None = None
    """Line of the header, such as 3; 1-2 for two lines that are one header (default: inferred)."""
    sheet: str | None = None
    """Sheet of a workbook: its name, or its number from 1 (default: the only visible one that holds data)."""

    def open(self, files: Sequence[Path], report: "Progress") -> "AbstractContextManager[Table | LargeTable]":
        """Open a file of any size, or several files."""
        from bribeproof.frames.out_of_core import scan_table

        for file in files:
            refuse_text_options(file, self._given)
        if hasattr(signal, "siginterrupt"):
            # polars restarts interrupted reads, which would make reading from standard input uninterruptible.
            signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003
        return scan_table(files[0] if len(files) == 1 else files, **self._given, report=report)

    @property
    def _given(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {
            "sep": self.sep,
            "encoding": self.encoding,
            "format": self.format_,
            "header_line": self.header_line,
            "sheet": self.sheet,
        }


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Options for the columns of a file; columns that are not named are inferred."""

    item: str | None = None
    """Column of the items, or several that name them together: task,round."""
    reporter: str | None = None
    """Column of the reporters, in long form."""
    value: str | None = None
    """Column of the reports, in long form."""
    judges: Names = ()
    """Columns of the reporters, in wide form: A,B,C or a pattern such as judge_*; names with commas are quoted."""
    turned: Flag = False
    """The table has a row for each reporter and a column for each item (default: inferred)."""
    not_items: Names = ()
    """Names of rows that are no items, such as Average,Total; none if all are (default: inferred)."""
    reading: Path | None = None
    """A file of these options, as bribeproof read --save-reading writes it; options on the command line win."""
    missing: Names = ()
    """Texts that mean a missing report, besides empty cells, such as absent,NA."""
    repeats: Literal["error", "first", "last", "drop"] = "error"
    """What to do if a reporter gives different reports on the same item."""
    order: str | None = None
    """Column of the time or number by which a report is the first or the last (default: the order of rows)."""
    sets: LabelSetOptions = _ONE_LABEL

    def find(
        self,
        table: "Table | LargeTable",
        kind: Kind | None,
        asked: object = None,
        other: "Mapping[str, Role] | None" = None,
        criteria: "CriteriaOptions | None" = None,
    ) -> "tuple[Reading, tuple[str, ...]]":
        """Recognise the kind of reports in a table and their columns; return notes on how it was read, too."""
        from bribeproof.errors import ParameterError
        from bribeproof.frames.reading.from_frame import recognise_frame
        from bribeproof.frames.reading.saved import load_reading
        from bribeproof.questions import QuestionError

        named = {
            "kind": kind, "item": self.item, "turned": self.turned or None, "reporter": self.reporter,
            "not_items": parse_names(self.not_items), "value": self.value, "judges": parse_names(self.judges),
            "missing": parse_names(self.missing), "asked": asked, "order": self.order, "other": other,
            **self.sets.given, **(criteria.given if criteria else {}),
        }  # fmt: skip
        saved = {} if self.reading is None else load_reading(self.reading)
        if criteria is None and "criteria" in saved:
            raise ParameterError(f"{self.reading}: it has several criteria, which bribeproof aggregate combines")
        try:
            return recognise_frame(table, **saved | {name: value for name, value in named.items() if value})
        except QuestionError as question:
            choices = [choice for choice in question.choices if criteria or "criteria" not in choice.options]
            raise QuestionError(question.question, choices) from None

    def options(self, recognised: "Reading") -> dict[str, Any]:
        """Return the column arguments of a table function, except for the column of the reports."""
        from bribeproof.frames.reading.label_sets import ordinary_options

        return {
            "item": recognised.columns.item,
            "reporter": recognised.columns.reporter,
            "judges": recognised.columns.judges or None,
            "repeats": self.repeats,
            "order": self.order,
            **ordinary_options(recognised.label_sets, {"missing": parse_names(self.missing)}),
        }


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class CriteriaOptions:
    """Options for several scores of each reporter on an item."""

    criteria: Literal["judge-first", "each"] | None = None
    """Each reporter gives a score for each criterion: combine each one's first, or aggregate each criterion first."""
    criterion_weights: Names = ()
    """Weights of the criteria, whose weighted sum is taken: tech=2,art=1 (default: their mean)."""
    criterion: str | None = None
    """Column of the criteria, in long form; in wide form columns are called J1_tech."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        weights = parse_names(self.criterion_weights) or None
        return {"criteria": self.criteria, "criterion_weights": weights, "criterion": self.criterion}


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class TotalOptions:
    """Options for what follows the aggregation of scores."""

    total: str | None = None
    """One result from several items: 'sum of round' or 'best of run', with --item diver,round."""
    factor: Names = ()
    """What the score of each item is multiplied by: columns and numbers, such as difficulty,3."""
    minus: str | None = None
    """Column of what is subtracted from the result."""

    @property
    def rule(self) -> "TotalRule":
        """The rule of the library."""
        from bribeproof.aggregation.total_rule import TotalRule

        return TotalRule(self.total, parse_names(self.factor), self.minus)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class HonestyOptions:
    """Statements of the user's about honest reporters."""

    asked: str | None = None
    """Each item was given to so many reporters, and honest ones answer: a number, or a column (default: not stated)."""
    faulty: Literal["error", "set-aside"] = "error"
    """What to do with reports that no honest reporter sends: two different ones, no number, off the scale, no class."""

    @property
    def given(self) -> dict[str, Any]:
        """The two arguments of the library."""
        from bribeproof.frames.asked import count_or_column

        return {"asked": count_or_column(self.asked), "faulty": self.faulty.replace("-", " ")}


@dataclass(frozen=True, slots=True)
class OpenInput:
    """An open file.

    Attributes
    ----------
    table
        The table in the file, in the form that its reading names.
    original
        The table as it stands in the file.
    recognised
        The kind of reports and their columns.
    options
        The column arguments of a table function, except for the column of the reports.
    report
        Function that shows the progress.
    reading_notes
        How the table was read.
    """

    table: "Table | LargeTable"
    original: "Table | LargeTable"
    recognised: "Reading"
    options: dict[str, Any]
    report: "Progress"
    reading_notes: tuple[str, ...]
    _warnings: list[str]
    _added: list[str]

    def note(self, note: str) -> None:
        """Add a note for the user."""
        self._added.append(note)

    @property
    def notes(self) -> list[str]:
        """How the table was read, the warnings of the library so far, and the notes that were added."""
        later = [note for note in self.original.notes if note not in self.reading_notes]  # of a large file
        return [*self.reading_notes, *later, *self._warnings, *self._added]


@contextmanager
def open_input(
    file: Path | Sequence[Path],
    reading: FileOptions,
    where: ColumnOptions,
    kind: Kind | None,
    asked: object = None,
    other: "Mapping[str, Role] | None" = None,
    criteria: "CriteriaOptions | None" = None,
    rule: "TotalRule | None" = None,
) -> Iterator[OpenInput]:
    """Open a file or several, recognise the columns, and record the warnings of the library while it is open.

    Columns that another option names, such as that of the truth, are `other`; `criteria` is None in commands that take
    one report of each reporter on an item; the columns of a `rule` hold no reports.
    """
    from bribeproof.cli.output.progress import progress
    from bribeproof.frames.reading.prepare import prepare
    from bribeproof.frames.reading.repeats import asking_about_repeats

    files = [file] if isinstance(file, Path) else file
    shown = ", ".join(map(str, files))
    with progress(f"Reading {shown}") as report, record_warnings() as messages, reading.open(files, report) as table:
        other = rule.roles(table) if rule else other
        recognised, notes = where.find(table, kind, asked, other, criteria)
        with asking_about_repeats(table, recognised, criteria=criteria is not None):
            yield OpenInput(
                prepare(table, recognised), table, recognised, where.options(recognised), report, notes, messages, []
            )
