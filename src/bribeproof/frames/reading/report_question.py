"""Ask which columns hold the reports of a column of reporters."""

from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof._text import count
from bribeproof.frames.reading.columns import named
from bribeproof.frames.reading.doubts import column_types
from bribeproof.frames.reading.kinds import as_text
from bribeproof.frames.reading.vocabulary import LOWEST_FIRST, Role
from bribeproof.frames.reading.words import NamedRole, has_digit, words_of
from bribeproof.questions import Choice, QuestionError

_MOST_VALUES = 5
"""The most columns of reports between which a question asks."""
_RATED: tuple[Role, ...] = ("unknown", "one reporter", "note", "report")
"""Roles of columns of numbers that may be criteria, such as the *body* of a coffee."""
_FEW = 3
"""Fewer columns than this may hold the reports of a column of reporters, more may be reporters or items."""


def ask_reports(who: str, unknown: Sequence[str], items: Sequence[str]) -> QuestionError:
    """Return the question where the reports of a table with a column of reporters are."""
    question = f"{who!r} is named like the reporters, and no column like their reports"
    each = Choice(
        f"a column for each reporter: {count(len(unknown), 'reporter')}",
        {"item": [*items, who], "judges": list(unknown)},
    )
    if len(unknown) < _FEW:
        values = [Choice(f"the reports are in {name!r}", {"reporter": who, "value": name}) for name in unknown]
        return QuestionError(question, [*values, each] if len(unknown) > 1 else values)
    turned = Choice("a row for each reporter, a column for each item", {"turned": True, "reporter": who})
    return QuestionError(question, [turned, each])


def ranks_of(roles: Mapping[str, NamedRole], who: str) -> list[str]:
    """Return the one column of ranks, times or penalties beside items and a column of reporters, if it is alone."""
    others = {name: roles[name].role for name in roles if name != who}
    ranks = [name for name in others if not LOWEST_FIRST.isdisjoint(words_of(name)) and others[name] != "item"]
    alone = not {"unknown", "one reporter"} & set(others.values()) - {others[name] for name in ranks}
    return ranks if len(ranks) == 1 and alone and {"item", "number"} & set(others.values()) else []


def check_reports_of_items(
    frame: pl.DataFrame, roles: Mapping[str, NamedRole], who: str, lone: Sequence[str], given_items: Sequence[str]
) -> None:
    """Ask which column holds the reports, where several of a column of reporters are about one item.

    Parameters
    ----------
    frame, roles
        The table, and the role of each column by its name.
    who
        The column of the reporters.
    lone
        Columns that are named like those of one reporter each.
    given_items
        The columns of the items, if they are given.

    Raises
    ------
    QuestionError
        If rows of one item differ in the reporter, and in a column that may hold the reports.
    """
    items = list(given_items) or [name for name in roles if roles[name].role == "item" and not has_digit(name)]
    if not items and frame[who].is_duplicated().any():
        items = named(roles, "number")
    text, unnamed = as_text(frame), False
    if not items:
        types = column_types(text, [name for name in text.columns if name in roles and roles[name].role == "unknown"])
        words = [name for name, kind in types.items() if kind == "words"]
        unnamed = len(words) == 1 and "numbers" in types.values()
        items = words if unnamed else []
    differing = _differing(text, items, who) if items else []
    values = [name for name in differing if name in roles and roles[name].role in ("unknown", "result", "one reporter")]
    panel = list(lone) or [name for name in roles if roles[name].role == "unknown" and name not in items]
    if not values or not panel:
        return
    about: dict[str, str] = {}
    if unnamed:
        about["item"] = items[0]
    longs = [Choice(f"the reports are in {name!r}", {**about, "reporter": who, "value": name}) for name in values]
    each = Choice(
        f"a column for each reporter: {count(len(panel), 'reporter')}", {"item": [*items, who], "judges": panel}
    )
    criteria: list[Choice] = []
    rated = [name for name in differing if name in roles and roles[name].role in _RATED]
    rated = [name for name, kind in column_types(text, rated).items() if kind == "numbers"]
    if len(rated) > 1:
        together = {**about, "reporter": who, "criterion": rated}
        ways = {"judge first": "they are criteria: each reporter's mean of them is one score",
                "each": "they are criteria, each aggregated by itself, and then their mean is taken"}  # fmt: skip
        criteria = [Choice(meaning, {"criteria": how, **together}) for how, meaning in ways.items()]
    raise QuestionError(
        f"{who!r} is named like the reporters, several of whom are about one item, and no column like their reports",
        [*longs[:_MOST_VALUES], *criteria, each],
    )


def _differing(text: pl.DataFrame, items: Sequence[str], who: str) -> list[str]:
    """Return the columns that differ within an item, where rows of one item differ in the reporter."""
    if not {who, *items} <= set(text.columns):
        return []
    several = text.filter(pl.struct(items).is_duplicated())
    if not several.height or several.select(who, *items).is_duplicated().any():
        return []
    found = several.group_by(items).agg(pl.exclude(items).drop_nulls().n_unique())
    return [name for name in text.columns if name not in (who, *items) and found[name].max() not in (0, 1)]
