"""Open reports whose columns are named, or else recognised, for the functions that take a schema and a truth."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import polars as pl

from bribeproof._text import list_names
from bribeproof._warnings import note, record_notes
from bribeproof.errors import ColumnError, DataError, ParameterError, ParameterTypeError
from bribeproof.frames.gold_labels import read_truths
from bribeproof.frames.native import column_names
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.known_truth import is_truth_file, known_truth, truth_of_export
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.open_read import ReadTable, open_read
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.frames.reading.stated import TOTAL_OPTIONS, Stated
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.questions import QuestionError

READ_OPTIONS = (
    "turned", "not_items", "label_sets", "label_separator", "no_label", "labels", "sep", "encoding", "format",
    "header_line", "sheet",
)  # fmt: skip
"""The options of `aggregate` that say how a table is read, beside the names of columns."""
_USUAL = {"item": "task", "reporter": "worker"}
"""The columns of frames that need not be recognised, beside that of the reports."""


@dataclass(frozen=True, slots=True)
class OpenedReports:
    """Reports of a file or a frame, and the truth of some items.

    Attributes
    ----------
    table
        The reports, in the form that the columns name.
    columns
        The arguments of `ReportSchema` that say where they are.
    truth, truth_column
        The truth, as `read_truths` takes it, and its column in a frame of its own; None if it is not known.
    beside
        Whether the truth is beside the reports, in their own table.
    read
        How the table was recognised; None where its columns were named, or are the usual ones.
    """

    table: Any
    columns: Mapping[str, Any]
    truth: object
    truth_column: str
    beside: bool
    read: ReadTable | None
    _done: list[str] = field(default_factory=list)

    @property
    def kind(self) -> Kind | None:
        """The kind that was recognised; None where nothing was."""
        return None if self.read is None else self.read.recognised.kind

    @property
    def stated(self) -> Stated:
        """What a reading states beside the columns, such as the scale; nothing where nothing was recognised."""
        return Stated() if self.read is None else self.read.recognised.stated

    @property
    def notes(self) -> tuple[str, ...]:
        """How the table was read, and what was done to reports, one sentence each."""
        return (*(self.read.notes if self.read else ()), *self._done)

    def truths(self, item: str) -> pl.DataFrame:
        """Return the known truths, as `read_truths` does, given the column of the items."""
        return read_truths(self.truth, self.table, item, self.truth_column)

    def refuse_scores(self, done: str, remedy: str = "leave the reading out") -> None:
        """Raise an error if scores were recognised, where labels are needed."""
        if self.kind == "scores":
            raise ParameterError(f"these are read as scores, and labels are {done}: {remedy}")

    def refuse_dependent(self, what: str) -> None:
        """Raise an error if the votes on several labels of one item would be counted as independent."""
        if self.read is not None:
            refuse_dependent(self.read.recognised, what)

    def returned(self, results: Any) -> Any:
        """Return a table of results as a frame of the kind that was given; polars of a file."""
        return results if self.read is None else self.read.returned(results)


@contextmanager
def open_reports(
    frame: Any,
    given: Mapping[str, Any],
    options: Mapping[str, Any],
    reading: Reading | str | PathLike[str] | None = None,
    *,
    named: str = "value",
    values: Sequence[str] = ("label",),
    implied: Kind | None = None,
    truth: object = None,
    truth_column: object = None,
    needs_truth: bool = False,
    other: Mapping[str, Role] | None = None,
) -> Iterator[OpenedReports]:
    """Open a file, or take a frame, and recognise its columns unless they are named or are the usual ones.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind.
    given
        ``item``, ``reporter``, ``value``, ``judges``, ``missing``, ``repeats``, ``order`` and further options of
        `recognise` that do not need it; None or empty where nothing is given.
    options
        Those of `READ_OPTIONS` that are given, all of which need it.
    reading
        As in `aggregate`.
    named
        The name of the parameter for the column of the reports, for questions.
    values
        The usual columns of the reports: the first one that exists.
    implied
        The kind of reports, if the function is about one.
    truth, truth_column
        As in `known_truth`.
    needs_truth
        Whether the truth is looked for in the export of a labelling tool, and has to be known.
    other
        Columns that another option names, and their roles.

    Yields
    ------
    OpenedReports
        The reports and the truth.

    Raises
    ------
    ParameterTypeError
        If an option is unknown.
    QuestionError
        If two readings are plausible.
    ParameterError
        If the truth is needed and not known, or a reading combines several criteria.
    """
    if unknown := options.keys() - set(READ_OPTIONS):
        raise ParameterTypeError(
            f"option {min(unknown)!r} is unknown; those that say how a table is read are: {', '.join(READ_OPTIONS)}"
        )
    is_file = isinstance(frame, str | PathLike)
    names = [] if is_file else column_names(frame)
    stated = {name: value for name, value in options.items() if value not in (None, (), [])}
    columns = None if is_file or stated or reading is not None else _usual_columns(names, given, values)
    if columns is not None:
        if needs_truth and truth is None:
            raise no_truth()
        schema = ReportSchema(**columns)
        item = Columns.find(names, schema).item
        known, column = known_truth(truth, truth_column, item, str(schema.value), columns=names)
        beside = isinstance(known, str) or (known is not None and known is frame)
        with record_notes() as done:
            yield OpenedReports(frame, columns, known, column, beside, None, done)
    else:
        given = {name: _as_text(name, value) for name, value in given.items()} | stated
        roles: dict[str, Role] = dict(other or {})
        if isinstance(truth, str) and not is_truth_file(truth, names):
            roles[truth] = "gold"
        try:
            with (
                open_read(frame, given, reading, implied=implied, other=roles) as read,
                record_notes() as done,
                asking_about_repeats(read.table, read.recognised, criteria=False),
            ):
                yield _recognised(read, truth, truth_column, names, done, needs_truth=needs_truth)
        except QuestionError as question:
            raise _in_words_of(question, named) from None
    for message in done:  # whoever records the notes of a larger whole hears them too
        note(message)


def refuse_dependent(reading: Reading, what: str) -> None:
    """Raise an error if the votes on several labels of one item would be counted as independent.

    Parameters
    ----------
    reading
        How they are read.
    what
        What needs independent votes, such as "the bounds of a certificate".
    """
    sets = reading.label_sets
    if sets and sets.how == "each" and len(sets.labels) != 1:
        raise ParameterError(
            f"{what} need items that are independent, and the votes on several labels of one item are not: name one "
            f"label at a time with labels=['A'] (--labels A)"
        )


def report_columns(reading: Reading, missing: Sequence[object]) -> dict[str, Any]:
    """Return the arguments of `ReportSchema` that a reading decides, for a table in the form that it names."""
    where = reading.columns
    return {
        "item": where.item, "reporter": where.reporter, "value": where.value or "label", "judges": where.judges or None,
        "repeats": reading.stated.repeats or "error", "order": where.order or None,
        **ordinary_options(reading.label_sets, {"missing": missing}),
    }  # fmt: skip


def _usual_columns(names: Sequence[str], given: Mapping[str, Any], values: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of `ReportSchema` for a frame that has the named or the usual columns; else None."""
    usual = _USUAL | {"value": next((name for name in values if name in names), values[-1])}
    columns: dict[str, Any] = {name: default if given[name] is None else given[name] for name, default in usual.items()}
    columns |= {
        "judges": given["judges"] or None, "missing": given["missing"], "repeats": given["repeats"] or "error",
        "order": given["order"],
    }  # fmt: skip
    try:
        Columns.find(names, ReportSchema(**columns))
    except ColumnError:
        return None
    return columns


def _as_text(name: str, value: Any) -> Any:
    """Return the name of a column as text, as recognition takes it, and several names as a list of text."""
    if name not in ("item", "reporter", "value", "judges", "order") or value is None or isinstance(value, str):
        return value
    return list(map(str, value)) if isinstance(value, Sequence) else str(value)


def _recognised(
    read: ReadTable,
    truth: object,
    truth_column: object,
    names: Sequence[str],
    done: list[str],
    *,
    needs_truth: bool,
) -> OpenedReports:
    """Return the reports of a table that was recognised."""
    recognised = read.recognised
    if recognised.criteria:
        raise ParameterError(
            "the reading has several criteria, which aggregate and sweep combine; for one of them, name its columns "
            "(judges), without a reading"
        )
    if unused := [name for name in TOTAL_OPTIONS if name in recognised.stated.given]:
        note(f"of the reading, {list_names(unused)} {'has' if len(unused) == 1 else 'have'} no effect here")
    columns = report_columns(recognised, read.missing)
    if needs_truth and truth is None:
        truth = truth_of_export(read.table, columns["value"])
        if truth is None:
            raise no_truth(recognised.gold)
        note(f"the truth is that of the export, in {truth!r}")
    item = before_votes(recognised).columns.item
    known, column = known_truth(truth, truth_column, item, columns["value"], reading=recognised, columns=names)
    beside = isinstance(known, str) or (truth is not None and truth is read.given)
    return OpenedReports(read.prepared, columns, known, column, beside, read, done)


def no_truth(columns: Sequence[str] = ()) -> ParameterError:
    """Return the error where the truth of no item is given, though columns may hold it by their names."""
    likely = f", such as truth={columns[0]!r}" if columns else ""
    return ParameterError(
        f"the truth of some items is needed: give truth, the path of a file, a frame, a mapping from items, or the "
        f"name of a column of the reports{likely}"
    )


def _in_words_of(question: QuestionError, named: str) -> DataError:
    """Return a question with the parameters of a function that combines no criteria."""
    choices = [
        replace(one, options={named if name == "value" else name: given for name, given in one.options.items()})
        for one in question.choices
        if "criteria" not in one.options
    ]
    if not choices:
        return DataError(f"{question.question}, and one at a time is read here: name its columns (judges)")
    return QuestionError(question.question, choices, question.rows)
