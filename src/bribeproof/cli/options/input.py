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
from bribeproof.cli.options.common import Kind
from bribeproof.cli.options.converters import Flag, Names, convert_file, parse_names
from bribeproof.cli.options.groups import COLUMNS, FORMAT, REPORTS
from bribeproof.cli.options.label_sets import LabelSetOptions
from bribeproof.cli.options.values import CriteriaOptions, TotalOptions

if TYPE_CHECKING:
    from bribeproof.frames.out_of_core import LargeTable, Progress
    from bribeproof.frames.reading.reading import Reading
    from bribeproof.frames.reading.vocabulary import Role
    from bribeproof.io.read import Table

File = Annotated[Path, Parameter(allow_leading_hyphen=True, converter=convert_file, n_tokens=1)]
_Format = Literal["csv", "tsv", "parquet", "ndjson", "json", "xlsx", "xls", "ods", "xml"]
_ONE_LABEL = LabelSetOptions()
_MORE = Parameter(group=COLUMNS)


@Parameter(name="*", group=FORMAT)
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
    predictions: Flag = False
    """Of an export of a labelling tool: models whose predictions it holds are reporters, too."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {
            "sep": self.sep,
            "encoding": self.encoding,
            "format": self.format_,
            "header_line": self.header_line,
            "sheet": self.sheet,
            "predictions": self.predictions or None,
        }


@Parameter(name="*", group=REPORTS)
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
    turned: Annotated[Flag, _MORE] = False
    """The table has a row for each reporter and a column for each item (default: inferred)."""
    not_items: Annotated[Names, _MORE] = ()
    """Names of rows that are no items, such as Average,Total; none if all are (default: inferred)."""
    reading: Annotated[Path | None, _MORE] = None
    """A file of options, as bribeproof read --save-reading writes it; options on the command line win."""
    missing: Annotated[Names, _MORE] = ()
    """Texts that mean a missing report, besides empty cells, such as absent,NA."""
    repeats: Annotated[Literal["error", "first", "last", "drop"] | None, _MORE] = None
    """What to do if a reporter gives different reports on the same item (default: error)."""
    order: Annotated[str | None, _MORE] = None
    """Column of the time or number by which a report is the first or the last (default: the order of rows)."""
    sets: LabelSetOptions = _ONE_LABEL

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {
            "item": self.item, "turned": self.turned or None, "reporter": self.reporter, "value": self.value,
            "judges": parse_names(self.judges), "not_items": parse_names(self.not_items),
            "missing": parse_names(self.missing), "repeats": self.repeats, "order": self.order, **self.sets.given,
        }  # fmt: skip


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
    kind: Kind | None = None,
    asked: object = None,
    other: "Mapping[str, Role] | None" = None,
    *,
    implied: Kind | None = None,
    criteria: CriteriaOptions | None = None,
    scores: Mapping[str, Any] | None = None,
    after: TotalOptions | None = None,
) -> Iterator[OpenInput]:
    """Open a file or several, recognise the columns, and record the warnings of the library while it is open.

    Parameters
    ----------
    file, reading
        The files, and the options for their format.
    where
        The options for the columns.
    kind, asked
        The kind of the reports, and how many reporters each item was given to, if they are given.
    other
        Columns that another option names, such as that of the truth, and their roles.
    implied
        The kind that other options imply, if none is given.
    criteria, scores, after
        The options for several criteria, the values of scores and totals; None in commands without them. A saved
        reading with criteria is refused by these; the others are told that they are not used.
    """
    from bribeproof.cli.output.progress import progress
    from bribeproof.frames.out_of_core import scan_table
    from bribeproof.frames.reading.from_frame import recognise_frame
    from bribeproof.frames.reading.open_read import drop_unused, merge_options, split_stated
    from bribeproof.frames.reading.open_reports import report_columns
    from bribeproof.frames.reading.prepare import prepare
    from bribeproof.frames.reading.repeats import asking_about_repeats
    from bribeproof.questions import QuestionError

    files = [file] if isinstance(file, Path) else file
    saved, unused = _saved(where, criteria, scores, after)
    given = {"kind": kind, "asked": asked, **where.given, **reading.given, **(scores or {})}
    given |= (criteria.given if criteria else {}) | (after.given if after else {})
    options = merge_options(given, saved)
    for one in files:
        refuse_text_options(one, reading.given | {"format": options.get("format")})
    options, notes = drop_unused(options, given, files[0])
    named, stated = split_stated(options)
    named["kind"] = named.get("kind") or implied
    if hasattr(signal, "siginterrupt"):
        # polars restarts interrupted reads, which would make reading from standard input uninterruptible.
        signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003
    shown, path = ", ".join(map(str, files)), files[0] if len(files) == 1 else files
    with (
        progress(f"Reading {shown}") as report,
        record_warnings() as messages,
        scan_table(path, **stated.file, report=report) as table,
    ):
        try:
            recognised, read_as = recognise_frame(table, stated=stated, other=other, **named)
        except QuestionError as question:
            choices = [choice for choice in question.choices if criteria or "criteria" not in choice.options]
            raise QuestionError(question.question, choices) from None
        columns = report_columns(recognised, named.get("missing", ()))
        del columns["value"]  # which has a name of its own in each function
        read_as = (*read_as, *notes, *unused)
        with asking_about_repeats(table, recognised, criteria=criteria is not None):
            yield OpenInput(prepare(table, recognised), table, recognised, columns, report, read_as, messages, [])


def _saved(
    where: ColumnOptions,
    criteria: CriteriaOptions | None,
    scores: Mapping[str, Any] | None,
    after: TotalOptions | None,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the options of a saved reading that a command uses, and a note on the others."""
    from bribeproof.errors import ParameterError
    from bribeproof.frames.reading.saved import load_reading
    from bribeproof.frames.reading.stated import TOTAL_OPTIONS

    if where.reading is None:
        return {}, ()
    saved = load_reading(where.reading)
    if criteria is None and "criteria" in saved:
        raise ParameterError(
            f"{where.reading}: it has several criteria, which bribeproof aggregate and sweep combine; for one of them, "
            f"name its columns (--judges), without --reading"
        )
    unused = [name for name in TOTAL_OPTIONS if after is None and name in saved]
    unused += [name for name in ("better", "scale", "decimal_mark") if name not in (scores or {}) and name in saved]
    if not unused:
        return saved, ()
    # Columns of factors and deductions hold no reports either way: the columns of the reporters are named.
    return {name: value for name, value in saved.items() if name not in unused}, (
        f"of {where.reading}, {', '.join(unused)} {'has' if len(unused) == 1 else 'have'} no effect here",
    )
