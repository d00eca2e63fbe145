"""The public function `report`: one page or workbook from a file or a frame."""

import datetime
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from bribeproof._validation import check_type
from bribeproof.aggregation.recognised import inapplicable_option
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.bribed_groups import GivenBribes, column_roles
from bribeproof.frames.native import column_names
from bribeproof.frames.reading.kinds import Kind, implied_kind
from bribeproof.frames.reading.known_truth import is_truth_file, known_truth
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.questions import QuestionError
from bribeproof.rankings.preflib import is_preflib
from bribeproof.reporting.build import build_report
from bribeproof.reporting.document import Report
from bribeproof.reporting.material import SECONDS, FileFacts, Origin, Question, Source
from bribeproof.reporting.ranked.build import (
    ONLY,
    check_options,
    open_rankings,
    ranked_report,
    ranking_options,
    read_rankings,
)
from bribeproof.reporting.ranked.detect import RANKINGS, asked_of_rankings
from bribeproof.reporting.snippets import InFile, Snippets

READ = frozenset(
    {
        "item", "reporter", "value", "judges", "turned", "not_items", "criteria", "criterion_weights", "criterion",
        "label_sets", "label_separator", "no_label", "labels", "total", "factor", "minus", "missing", "repeats",
        "order", "asked", "decimal_mark", "better", "scale", "sep", "encoding", "format", "header_line", "sheet",
    }
)  # fmt: skip
"""The options of `aggregate` that say how a table is read."""
TITLES: Mapping[Kind, str] = {"scores": "A contest", "votes": "A vote", "labels": "Labels"}
"""The titles of reports that have no file."""
MAY_BE_RANKED = frozenset(
    {"judges", "turned", "missing", "group", "title", "sep", "encoding", "format", "header_line", "sheet"}
)
"""What may be stated of a table that holds rankings, if nobody says so."""
COMBINED = frozenset({"asked", "faulty", "decimals", "positive", "classes"})
"""The options of `aggregate` that say how its reports are combined."""


def report(
    frame: Any,
    k: int | None = None,
    *,
    truth: Any = None,
    truth_column: str | None = None,
    kind: Kind | Literal["rankings"] | None = None,
    group: Any = None,
    price: Any = None,
    budget: Any = None,
    reading: Reading | str | PathLike[str] | None = None,
    confidence: float = 0.95,
    cost_per_report: float | None = None,
    title: str | None = None,
    date: datetime.date | None = None,
    time_limit: float = SECONDS,
    **options: Any,
) -> Report:
    """Report what the answers in a file or a frame are worth, and what to do about it, on one page.

    Of scores it says who won and whether bribed judges could have changed that; of votes and labels which answers can
    be trusted, and which items to label again; of judges' rankings who won, how many judges it takes to change that,
    and what other rules say. Further sections say what the same bribed people could have changed on all items, who
    deviates from the others, how the file was read, what is assumed, and how to repeat the report.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
    k
        How many reporters may be bribed, or groups, at least 0; by default 1, which the report says.
    truth
        Of votes and labels, the truth of some items, as in `certify`: the path of a file, a frame, a mapping from items
        to labels, or the name of a column of the frame. The report then says how often answers are right.
    truth_column
        The column of the truth in a file or a frame of its own; by default the one named like that of the reports, or
        the only one beside the items.
    kind
        ``"scores"``, ``"votes"``, ``"labels"``, or ``"rankings"`` of judges' places; None to recognise it. A table with
        a row for each judge and entry and a column that is called like places, and a file of PrefLib, hold rankings.
    group, price, budget
        What one bribe buys together, what it costs, and how much is spent, instead of k; as in `aggregate`. Of rankings
        a price is enough: the least money is found.
    reading
        How the table is read, as in `aggregate`.
    confidence
        The least probability that each bound holds that rests on the truth or on chance, in (0, 1).
    cost_per_report
        What one more report costs, at least 0, for the costs of labelling again.
    title
        The title; by default the name of the file.
    date
        The date of the report; by default today's. With the same date the same input gives the same page, unless a
        search was ended by `time_limit`.
    time_limit
        Seconds to search for one list of reporters who could have changed most, above 0.
    **options
        The other options of `aggregate` that say how a table is read and combined, such as ``item``, ``judges``,
        ``missing``, ``total``, ``scale``, ``decimals``, ``classes``. Of rankings those of `rank`: ``rule``, ``points``,
        ``entry``, ``judge``, ``place``, ``contest``, ``unranked`` and others; k is also how many places the trimmed
        mean, the rule if none is given, leaves out at either end.

    Returns
    -------
    Report
        The report: `save` writes it as .html or .xlsx, and a notebook shows it.

    Raises
    ------
    FileError
        If the file cannot be read.
    DataError
        If two readings are plausible, or the reports cannot be read.
    ParameterError
        If a parameter is outside its range, k leaves no honest majority, or a truth is given for scores.
    ParameterTypeError
        If an option is unknown.

    Notes
    -----
    docs/howto/report.md says what each section means. docs/theory.md §8, §10, §13 and §14.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame(
    ...     {"entry": ["Ann", "Bo"], "J1": [9.0, 7], "J2": [9.5, 7], "J3": [9.0, 7.5], "J4": [8.5, 6], "J5": [9.0, 7]}
    ... )
    >>> made = report(sheet, k=1, title="Final")
    >>> made
    Report('Final', date='...')
    >>> print(made.summary())
    Ann is first with 9, before Bo (7).
    One bribed judge, the same on every entry, could not have changed the winner by rewriting marks.
    To change the winner it takes 2 bribed judges, the same throughout; fewer are proven not to be enough.
    """
    path = Path(frame) if isinstance(frame, str | PathLike) else None
    return report_from(
        frame, None if path is None else Origin((FileFacts.of(path),), (path.name,)), k, truth=truth,
        truth_column=truth_column, kind=kind, group=group, price=price, budget=budget, reading=reading,
        confidence=confidence, cost_per_report=cost_per_report, title=title, date=date, time_limit=time_limit,
        **options,
    )  # fmt: skip


def report_from(
    frame: Any,
    origin: Origin | None,
    k: int | None,
    *,
    truth: Any = None,
    truth_column: str | None = None,
    kind: Kind | Literal["rankings"] | None = None,
    group: Any = None,
    price: Any = None,
    budget: Any = None,
    reading: Reading | str | PathLike[str] | None = None,
    confidence: float = 0.95,
    cost_per_report: float | None = None,
    title: str | None = None,
    date: datetime.date | None = None,
    time_limit: float = SECONDS,
    shown: Mapping[str, Any] | None = None,
    **options: Any,
) -> Report:
    """Return a report of a file or a frame that came from somewhere.

    Parameters
    ----------
    frame, k, truth, truth_column, kind, group, price, budget, reading, confidence, cost_per_report, title, date
        As in `report`.
    time_limit
        As in `report`.
    origin
        The files and how they were read; None for a frame.
    shown
        How some of what is given is written in the command and in Python.
    **options
        As in `report`.
    """
    check_numbers(cost_per_report, time_limit)
    if date is not None:
        check_type("date", date, datetime.date, "a date")
    origin = Origin() if origin is None else origin
    written = truth
    if truth is not None and is_truth_file(truth, _columns(frame)):
        written = InFile(Path(truth).name, repr(Path(truth).name))
    named = {
        "truth": written, "truth_column": truth_column, "group": group, "price": price, "budget": budget,
        "reading": reading, "confidence": None if confidence == 0.95 else confidence,
        "cost_per_report": cost_per_report, "title": title,
    }  # fmt: skip
    stated = stated_only({**named, "kind": kind, **origin.options, **options, **(shown or {})})
    ranked = partial(_of_rankings, k=k, stated=stated, origin=origin, date=date, time_limit=time_limit)
    of_rankings = options.keys() & ONLY or (isinstance(frame, str | PathLike) and is_preflib(frame))
    if kind == RANKINGS or (kind is None and of_rankings):
        return ranked(_rankings_in(frame, options), {**named, **options})
    if unknown := options.keys() - READ - COMBINED:
        known = ", ".join(sorted(READ | COMBINED))
        hint = "the column of the truth is truth='NAME' (in the command --gold NAME); " * ("gold" in unknown)
        raise ParameterTypeError(f"option {min(unknown)!r} is none of a report: {hint}give {known}")
    is_default = k is None and budget is None
    question = Question(
        1 if is_default else k, is_default, None, {}, truth, truth_column, confidence, cost_per_report, time_limit
    )
    try:
        return _of_reports(frame, origin, question, kind, (group, price, budget), reading, options, stated, title, date)
    except QuestionError as asked:
        if stated.keys() - MAY_BE_RANKED:
            raise
        table = _rankings_in(frame, options)
        if (better := asked_of_rankings(table, asked, ranking_options({**named, **options}))) is not None:
            raise better from None
    return ranked(table, {**named, **options})


def _columns(frame: Any) -> list[str]:
    """Return the columns of a frame; none of a file, which is not read yet."""
    return [] if isinstance(frame, str | PathLike) else column_names(frame)


def _rankings_in(frame: Any, options: Mapping[str, Any]) -> Any:
    """Return the table in a file of rankings, or the frame."""
    return open_rankings([Path(frame)], options) if isinstance(frame, str | PathLike) else frame


def _of_rankings(
    table: Any,
    options: Mapping[str, Any],
    *,
    k: int | None,
    stated: Mapping[str, Any],
    origin: Origin,
    date: datetime.date | None,
    time_limit: float,
) -> Report:
    """Return the report of rankings."""
    check_options(stated)
    material = read_rankings(table, k, options, origin, stated, time_limit)
    return ranked_report(material, stated.get("title"), date)


def _of_reports(
    frame: Any,
    origin: Origin,
    question: Question,
    kind: Any,
    bought: tuple[Any, Any, Any],
    reading: Reading | str | PathLike[str] | None,
    options: Mapping[str, Any],
    stated: Mapping[str, Any],
    title: str | None,
    date: datetime.date | None,
) -> Report:
    """Return the report of scores, votes or labels."""
    group, price, budget = bought
    truth = question.truth
    columns = _columns(frame)
    of_truth = {truth: "gold"} if isinstance(truth, str) and not is_truth_file(truth, columns) else {}
    other: dict[str, Any] = {**column_roles(group, price), **of_truth}
    given = {"kind": kind} | {name: value for name, value in options.items() if name in READ}
    implied = implied_kind(None, options.get("classes"), is_vote=options.get("positive") is not None)
    with open_read(frame, given, reading, implied=implied, other=other) as table:
        source = Source(table.prepared, table.table, table.recognised, table.notes, table.missing, origin.files)
        combined = {name: value for name, value in options.items() if name in COMBINED}
        if name := inapplicable_option(table.recognised.kind, combined):
            raise ParameterError(f"{name} does not apply to {table.recognised.kind}; leave it out")
        bribes = GivenBribes.of(table.table, table.recognised.columns.reporter, group, price, budget)
        asked = replace(question, bribes=bribes, options=combined)
        if truth is not None and table.recognised.kind != "scores":
            item, value = before_votes(table.recognised).columns.item, table.recognised.columns.value or "label"
            known, column = known_truth(
                truth, question.truth_column, item, value, reading=table.recognised, columns=columns
            )
            asked = replace(asked, truth=known, truth_column=column)
        snippets = Snippets(origin.names, stated)
        name = title or (origin.files[0].name if origin.files else TITLES[table.recognised.kind])
        with asking_about_repeats(table.table, table.recognised):
            return build_report(source, asked, snippets, title=name, date=date)


def stated_only(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was stated, without what was not."""
    return {
        name: value
        for name, value in stated.items()
        if value is not None and value is not False and not (isinstance(value, str | tuple | list) and not value)
    }


def check_numbers(
    cost_per_report: float | None, time_limit: float, names: tuple[str, str] = ("cost_per_report=", "time_limit=")
) -> None:
    """Raise an error if the cost of a report is below 0, or there is no time to search; `names` stand in errors."""
    for name, value, least in zip(names, (cost_per_report, time_limit), ("at least 0", "above 0"), strict=True):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ParameterTypeError(f"{name}{value!r}: give a number {least}")
        if not 0 <= value < float("inf") or (least == "above 0" and not value):
            raise ParameterError(f"{name}{value:g}: give a number {least}")
