"""Read a table with a column for each reporter."""

from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof._text import list_names
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.reading.columns import other_columns, roles_of
from bribeproof.frames.reading.criteria import find_criteria
from bribeproof.frames.reading.given import Given
from bribeproof.frames.reading.items import check_first, check_questions, check_rows, find_items, with_items
from bribeproof.frames.reading.kinds import as_text, different_reports, kind_of, notation
from bribeproof.frames.reading.label_sets import find_sets
from bribeproof.frames.reading.panel import find_panel
from bribeproof.frames.reading.reading import ROW_NUMBER, Reading
from bribeproof.frames.reading.rows import is_left_out, rows_without_items
from bribeproof.frames.reading.words import NamedRole, words_of
from bribeproof.frames.schema import ReportSchema
from bribeproof.questions import Choice, QuestionError


def read_wide(frame: pl.DataFrame, given: Given, judges: Sequence[str] | None) -> Reading:
    """Read a table with one column per reporter."""
    if given.criterion:
        raise ParameterError(
            f"criterion={given.criterion[0]!r} names the criteria of a table with a row for each report, and here a "
            f"reporter has columns: leave it out (--criterion)"
        )
    text = as_text(frame)
    names = [name for name in frame.columns if name not in given.items]
    roles = roles_of(names)
    if judges is None:
        items, panel = _find_panel(text, given, names, roles)
    else:
        items, panel = _items_beside(judges, given, names, roles), list(judges)
    if items is None or items[0] in panel:
        raise _which_items(text, names, panel, roles)
    columns, names_of_items = with_items(frame, items, ReportSchema(judges=panel))
    common = set.intersection(*(set(words_of(name)) for name in columns.judges))
    rows = rows_without_items(text, items[0], panel, given.not_items)
    others = other_columns(frame, roles, {*panel, *items})
    counted = frame.filter(~is_left_out(frame, rows, names_of_items, others)) if rows else frame
    cells = different_reports(counted, columns.judges, given.missing)
    kind = kind_of(given.known_kind, cells, common)
    sets = find_sets(given.label_sets, cells, kind)
    criteria = find_criteria(panel, given.criteria, given.criterion_weights) if given.criteria else None
    return Reading(
        kind, columns, others, notation(kind, cells), names_of_items, rows, criteria=criteria, label_sets=sets
    )


def _find_panel(
    text: pl.DataFrame, given: Given, names: Sequence[str], roles: Mapping[str, NamedRole]
) -> tuple[tuple[str, ...] | None, list[str]]:
    """Return the columns of the items, if there are some, and those of the reporters, by their names."""
    items = given.items or find_items(roles, names)
    if items is None:
        first = names[0]
        items = (first,) if roles[first].role == "unknown" and not first[-1:].isdigit() else None
        check_first(text, names, roles, first)
    if not given.items:
        check_questions(names, roles, items)
    panel = find_panel(
        text,
        [name for name in names if name not in (items or ())],
        roles,
        is_scores=given.kind == "scores",
        criteria=given.criteria is not None,
        sets=given.has_sets,
    )
    if not panel:
        raise DataError(
            f"no columns of reports among {list_names(names)}: name them "
            f"(--judges A,B,C), or those of a long table (--item, --reporter, --value)"
        )
    if not given.items:
        check_rows(text, items, panel, roles)
    return items, panel


def _items_beside(
    judges: Sequence[str], given: Given, names: Sequence[str], roles: Mapping[str, NamedRole]
) -> tuple[str, ...] | None:
    """Return the columns of the items beside those of reporters that are named; None if there are none."""
    reporters = set(judges)
    rest = {name: roles[name] for name in names if name not in reporters}
    items = given.items or find_items(rest, list(rest))
    if items is None and (candidates := [name for name in rest if rest[name].role == "unknown"] or list(rest)):
        items = (candidates[0],)
    return items


def _which_items(
    text: pl.DataFrame, names: Sequence[str], panel: Sequence[str], roles: Mapping[str, NamedRole]
) -> QuestionError:
    """Return the question what names the items."""
    named_once = [
        name for name in names
        if name not in panel and roles[name].role in ("group", "order", "note") and name in text.columns
        and not text[name].is_duplicated().any()
    ]  # fmt: skip
    return QuestionError(
        f"no column names the items, and the reporters are {list_names(panel)}",
        [*(Choice(f"{name!r} names them", {"item": name}) for name in named_once[:2]),
         Choice("each row is an item", {"item": ROW_NUMBER})],
    )  # fmt: skip
