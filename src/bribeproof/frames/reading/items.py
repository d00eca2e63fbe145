"""Find the columns that name the items, by their names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from bribeproof._text import list_names, shorten, split_lists
from bribeproof.errors import DataError
from bribeproof.frames.reading.doubts import alike
from bribeproof.frames.reading.kinds import as_text
from bribeproof.frames.reading.reading import ONE_ITEM, ROW_NUMBER
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.reading.words import NamedRole, has_digit, is_sentence, role_of, words_of
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.questions import Choice, QuestionError

_OFFERED = 3
"""The most columns between which a question asks."""
_ABOUT_REPORTS: frozenset[Role] = frozenset({"order", "note", "weight", "person"})
"""Roles of columns that may be about the reports, where all are about one item."""
_FEWEST = 2
"""The fewest questions by which a table is that of a survey."""
_LOOKED_AT = 100
"""The most rows whose names are looked at."""


def item_columns(item: str | Sequence[str] | None, existing: set[str]) -> tuple[str, ...]:
    """Return the columns that name the items; text that is no column is a list of them, such as ``task,round``."""
    if not isinstance(item, str):
        return tuple(item or ())
    listed = (item,) if item in existing else split_lists([item])
    return listed if existing.issuperset(listed) else (item,)


def find_items(roles: Mapping[str, NamedRole], names: Sequence[str]) -> tuple[str, ...] | None:
    """Return the column of the items by its name: that of an item, else that of a number; None if none is named so."""
    for role in ("item", "number"):
        found = [
            name for name in names
            if roles[name].role == role and roles[name].sure and not has_digit(name)
        ]  # fmt: skip
        if len(found) > 1:
            choices = [Choice(f"{name!r} names them", {"item": name}) for name in found]
            together = Choice("they name them together", {"item": found})
            raise QuestionError("which column holds the items", [*choices[:3], together])
        if found:
            return (found[0],)
    return None


def other_items(
    frame: pl.DataFrame, roles: Mapping[str, NamedRole], names: Sequence[str], reporter: str
) -> tuple[str, ...]:
    """Return what the items of a long table are, whose names tell it not.

    Parameters
    ----------
    frame, roles
        The table, and the role of each column by its name.
    names
        The columns beside those of the reporters and the reports.
    reporter
        The column of the reporters.

    Raises
    ------
    QuestionError
        If two or three columns may name them, or all reports may be about one item.
    DataError
        If more columns may name them.
    """
    unknown = [name for name in names if roles[name].role == "unknown"]
    if not names:
        return (ONE_ITEM,)
    if len(unknown) == 1:
        return (unknown[0],)
    if _ABOUT_REPORTS.issuperset(roles[name].role for name in names) and frame.height > 1:
        text = as_text(frame)
        full = [name for name in names if name in text.columns and not text[name].null_count()]
        several = [name for name in full if text[name].is_duplicated().any()]
        if not several and full and not frame[reporter].is_duplicated().any():
            likely = [name for name in full if roles[name].role != "order"] or full
            raise QuestionError(
                "no column is named like one of items, and everybody reports once",
                [Choice("all reports are about one item", {"item": ONE_ITEM}),
                 *(Choice(f"{name!r} names the items", {"item": name}) for name in likely[:2])],
            )  # fmt: skip
    if len(names) == 1:
        return (names[0],)
    candidates = [name for name in names if roles[name].role in ("unknown", "group")] if unknown else list(names)
    if len(candidates) > _OFFERED:
        raise DataError(f"which column holds the items? Name it (--item NAME); the others are: {list_names(names)}")
    raise QuestionError(
        "which column holds the items", [Choice(f"{name!r} names them", {"item": name}) for name in candidates]
    )


def check_runs(frame: pl.DataFrame, roles: Mapping[str, NamedRole], items: Sequence[str], reporter: str) -> None:
    """Ask whether a column called *run* names the items, where a column of ids tells more of them apart.

    A run may be that of a skier, or one of several of a model that is asked about the item with this id.
    """
    ids = [name for name, named in roles.items() if named.role == "number" and name not in items]
    if not ids or words_of(items[0]) not in (["run"], ["runs"]) or len(items) > 1:
        return
    text = as_text(frame.select(ids[0], items[0], reporter))
    if (
        ids[0] not in text.columns
        or not text[ids[0]].is_duplicated().any()
        or not text.drop(ids[0]).is_duplicated().any()
    ):
        return
    raise QuestionError(
        f"{ids[0]!r} may name the items, and {items[0]!r} their runs",
        [Choice(f"each {items[0]} of each {ids[0]} is an item", {"item": [ids[0], items[0]]}),
         Choice(f"each {ids[0]} is an item", {"item": ids[0]}),
         Choice(f"each {items[0]} is an item", {"item": items[0]})],
    )  # fmt: skip


def with_items(frame: pl.DataFrame, items: Sequence[str], schema: ReportSchema) -> tuple[Columns, tuple[str, ...]]:
    """Return the columns of a table, and the columns of its items, which may be several or none."""
    joined = ", ".join(items)
    existing = set(frame.columns)
    names = [*frame.columns, *([] if joined in existing else [joined])]
    columns = Columns.find(names, replace(schema, item=joined))
    return columns, tuple(name for name in items if name in existing)


def check_first(text: pl.DataFrame, names: Sequence[str], roles: Mapping[str, NamedRole], first: str) -> None:
    """Ask whether a first column of an unknown name, with decimals like the others, names the items."""
    others = [name for name in names[1:] if roles[name].role == "unknown"]
    if roles[first].role != "unknown" or not others or first not in text.columns:
        return
    if text[first].str.contains(r"^[0-9]*[.,][0-9]+$").any() and alike(text, [first], others):
        raise QuestionError(
            f"{first!r} may name the items, or be a reporter: it holds numbers like the others'",
            [Choice("it names the items", {"item": first}), Choice("each row is an item", {"item": ROW_NUMBER})],
        )


def check_questions(names: Sequence[str], roles: Mapping[str, NamedRole], items: Sequence[str] | None) -> None:
    """Ask whether rows are reporters', where most columns are questions, or rows of a grid of questions."""
    others = [name for name in names if name not in (items or ())]
    questions = [name for name in others if is_sentence(name) and (roles[name].role == "unknown" or not _is_note(name))]
    answered = {*questions, *(name for name in others if roles[name].role == "unknown" and words_of(name) != ["name"])}
    named = [name for name in names if name not in answered]
    if not named or len(questions) < _FEWEST or 2 * len(questions) <= len(answered):
        return
    who = next((name for name in named if words_of(name) == ["name"]), named[0])
    raise QuestionError(
        f"columns such as {shorten(questions[0])} are questions",
        [Choice("a row for each reporter, a column for each item",
                {"turned": True, "reporter": who, "item": questions}),
         Choice("a row for each item, a column for each reporter",
                {"item": items[0] if items else ROW_NUMBER, "judges": questions})],
    )  # fmt: skip


def _is_note(name: str) -> bool:
    """Return whether a column is named as one of remarks."""
    return role_of(name).role == "note"


def check_rows(
    text: pl.DataFrame,
    items: Sequence[str] | None,
    panel: Sequence[str],
    roles: Mapping[str, NamedRole],
) -> None:
    """Ask whether rows are reporters', where most are named like that, or columns are questions, and no column is."""
    if any(roles[name].role != "unknown" for name in panel):
        return
    if not items:
        return
    names = text[items[0]].drop_nulls().to_list() if items[0] in text.columns else []
    if 2 * sum(role_of(name).role in ("reporter", "one reporter") for name in names[:_LOOKED_AT]) > len(
        names[:_LOOKED_AT]
    ):
        raise QuestionError(
            f"rows such as {shorten(names[0])} are named like reporters",
            [Choice("a row for each reporter", {"turned": True, "reporter": items[0]}),
             Choice("a row for each item", {"item": items[0]})],
        )  # fmt: skip
