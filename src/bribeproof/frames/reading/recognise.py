"""Recognise how a table is read: names decide, and values only raise questions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from bribeproof._text import list_names, shorten
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.reading.columns import named, roles_of
from bribeproof.frames.reading.criteria import check_how, read_weights
from bribeproof.frames.reading.given import Given
from bribeproof.frames.reading.items import find_items, item_columns
from bribeproof.frames.reading.kinds import KINDS
from bribeproof.frames.reading.label_sets import given_sets
from bribeproof.frames.reading.long import read_long, read_rated
from bribeproof.frames.reading.reading import ONE_ITEM, ROW_NUMBER, OtherColumn, Reading, of_votes
from bribeproof.frames.reading.report_question import ask_reports, check_reports_of_items, ranks_of
from bribeproof.frames.reading.turned import read_turned, seems_turned
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.reading.wide import read_wide
from bribeproof.frames.reading.words import is_id, names_reports, words_of
from bribeproof.questions import Choice, QuestionError

_ROWS = frozenset({"response", "annotation", "reponse", "respuesta", "resposta", "risposta", "antwort"})
"""Words whose id, such as *response id*, is the number of a row; that of a *label* names a class."""


def recognise_columns(
    frame: pl.DataFrame,
    *,
    kind: str | None = None,
    item: str | Sequence[str] | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    asked: str | None = None,
    order: str | None = None,
    turned: bool | None = None,
    not_items: Sequence[str] | None = None,
    other: Mapping[str, Role] | None = None,
    criteria: str | None = None,
    criterion_weights: Mapping[str, object] | Sequence[str] | None = None,
    criterion: str | Sequence[str] | None = None,
    label_sets: str | None = None,
    label_separator: str | None = None,
    no_label: Sequence[str] | str | None = None,
    labels: Sequence[str] | str | None = None,
) -> Reading:
    """Recognise how a table is read, as far as the user has not said it.

    Parameters
    ----------
    frame
        The table; cells may be text.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``, if known.
    item
        The column that names the items, or several that name them together; ``"row number"`` if each row is an item,
        ``"one item"`` if all rows are about one.
    reporter, value, judges
        Columns of the reporters and their reports in long form; of one reporter each in wide form.
    missing
        Texts that stand for no report.
    asked
        The column of how many reporters each item was given to, if there is one.
    order
        The column by which one of several reports is the first or the last, if there is one.
    turned
        Whether the table has a row for each reporter and a column for each item; None to recognise it.
    not_items
        Names of rows that are no items, such as averages; ``("none",)`` if all rows are items; None to recognise them.
    other
        Columns that have another role, such as the truth, and their roles.
    criteria, criterion_weights, criterion
        Several scores of a reporter on an item, as in `aggregate`.
    label_sets, label_separator, no_label, labels
        Several labels in a report, as in `aggregate`.

    Raises
    ------
    ColumnError
        If a column that was named does not exist.
    ParameterError
        If columns of both forms are named.
    QuestionError
        If several readings are plausible; it holds the options that decide.
    DataError
        If no reading is plausible.

    Examples
    --------
    >>> recognise_columns(pl.DataFrame({"task": ["a"], "worker": ["w"], "label": ["cat"]})).kind
    'labels'
    >>> sheet = pl.DataFrame({"entry": ["E1", "E2"], "Anna": [7.5, 8], "Boris": [7.5, 8], "Mean": [7.5, 8]})
    >>> recognise_columns(sheet).columns.judges, recognise_columns(sheet).left_out
    (('Anna', 'Boris'), ('Mean',))
    """
    if kind is not None and kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
    existing = set(frame.columns)
    items, criterion_columns = item_columns(item, existing), item_columns(criterion, existing)
    named_items = () if items in ((ROW_NUMBER,), (ONE_ITEM,)) and items[0] not in existing else items
    for name in (*named_items, reporter, value, asked, order, *criterion_columns, *(judges or ()), *(other or ())):
        if name is not None and name not in existing:
            raise ColumnError(f"there is no column {shorten(name)}; the columns are: {list_names(frame.columns)}")
    sets = given_sets(label_sets, label_separator, no_label, labels)
    given = Given(
        kind, items, reporter, value, None if judges is None else tuple(judges), tuple(missing), turned,
        (not_items,) if isinstance(not_items, str) else None if not_items is None else tuple(not_items),
        check_how(criteria), read_weights(criterion_weights), criterion_columns, sets,
    )  # fmt: skip
    given.check_criteria()
    given.check_label_sets()
    used = {*named_items, reporter, value, *criterion_columns, *(judges or ())}
    for parameter, name in (("asked", asked), ("order", order)):
        if name is not None and name in used:
            raise ParameterError(f"{parameter}={name!r} is the column of the items, the reporters or their reports")
    beside = [name for name in (asked, order) if name is not None]
    apart = {name: role for name, role in (other or {}).items() if name not in used and name not in beside}
    found = _recognise(frame.drop(*apart, *beside), given)
    of_items = [name for name, role in apart.items() if role == "factor"]
    if found.turned and of_items:
        raise ParameterError(
            f"column {of_items[0]!r} cannot hold factors or deductions: in a turned table a row is a reporter, not an "
            f"item; leave it out, or give numbers as factors (--factor 3)"
        )
    columns = replace(found.columns, asked=asked or "", order=order or "")
    others = {other.name: other for other in found.others} | {name: OtherColumn(name, apart[name]) for name in apart}
    listed = tuple(others[name] for name in frame.columns if name in others)
    return of_votes(replace(found, columns=columns, missing=given.missing, others=listed))


def _recognise(frame: pl.DataFrame, given: Given) -> Reading:
    """Choose between the long, the wide and the turned form by what is named and by the names of the columns."""
    if given.judges is not None:
        if given.reporter or given.value:
            raise ParameterError(
                "--judges names the columns of a wide table, --reporter and --value those of a long one: use either"
            )
        return read_wide(frame, given, given.judges)
    roles = roles_of([name for name in frame.columns if name not in given.items])
    who = [given.reporter] if given.reporter else named(roles, "reporter")
    reports = [name for name in named(roles, "report") if not _numbers_rows(name)]
    what = [given.value] if given.value else [name for name in reports if not is_id(name)] or reports
    lone = [name for name, named in roles.items() if named.role == "one reporter"]
    if len(who) == 1 and not what and len(lone) == 1 and not roles[lone[0]].sure:
        lone = []  # beside a column of reporters, *speaker points* are reports, not a reporter
    if len(who) == 1 and not what:
        wordy = [
            name for name in roles if name not in (who[0], *lone) and names_reports(name) and not _numbers_rows(name)
        ]
        what = wordy if len(wordy) == 1 else ranks_of(roles, who[0])
    if given.criteria and len(given.criterion) > 1:
        return read_rated(frame, given, who)
    if given.criteria and not given.criterion and not (who and what) and not (given.reporter or given.value):
        return read_wide(frame, given, None)
    if given.turned and not given.value:
        return read_turned(frame, given, who)
    if len(who) == 1 and not (what or given.turned):
        check_reports_of_items(frame, roles, who[0], lone, given.items)
    if len(who) == len(what) == 1:
        if len(lone) > 1 and not (given.reporter or given.value):
            raise QuestionError(
                f"{who[0]!r} seems to hold the reporters, and {list_names(lone)} the reports of one reporter each",
                [Choice("a row for each report", {"reporter": who[0], "value": what[0]}),
                 Choice("a column for each reporter", {"judges": lone})],
            )  # fmt: skip
        return read_long(frame, given, who[0], what[0])
    if len(who) == 1 and not what and not lone and seems_turned(frame, given, roles, who[0]):
        return read_turned(frame, given, who)
    unknown = [name for name, named in roles.items() if named.role == "unknown"]
    if given.reporter or given.value or (who and not lone) or (what and not lone and len(unknown) < 2):
        part, option = ("reporters", "--reporter") if len(who) != 1 else ("reports", "--value")
        listed = who if len(who) > 1 and option == "--reporter" else what if len(what) > 1 else []
        if len(listed) > 1:
            raise QuestionError(
                f"which column holds the {part}", [Choice(f"in {name!r}", {option[2:]: name}) for name in listed]
            )
        if part == "reports" and not given.reporter and unknown:
            raise ask_reports(who[0], unknown, find_items(roles, [name for name in roles if name != who[0]]) or ())
        raise DataError(
            f"which column holds the {part}? Name it ({option} NAME), or, where every reporter has a column, "
            f"name those (--judges A,B,C); the columns are: {list_names(frame.columns)}"
        )
    return read_wide(frame, given, None)


def _numbers_rows(name: str) -> bool:
    """Return whether a column is the number of a report, such as *response id*."""
    return is_id(name) and _ROWS.issuperset(words_of(name))
