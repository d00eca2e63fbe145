"""The roles of the columns of a file: shown above its rows, and changed there by one click."""

from collections.abc import Mapping
from dataclasses import replace

from bribeproof._text import join_list, split_lists
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.truth import detected_column
from bribeproof.frames.reading.from_frame import match_columns
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.words import role_of

ROLES: Mapping[str, str] = {
    "": "left out", "item": "item", "part": "part of the item", "reporter": "reporter", "report": "report",
    "judge": "one reporter", "truth": "truth", "group": "bribed group", "order": "time or order", "factor": "factor",
    "minus": "deduction",
}  # fmt: skip
"""The roles that a column can have, and what they are called on the page."""
_ONE = ("item", "reporter", "report", "truth", "group", "order", "minus")
"""Roles of one column only."""
_LONG, _WIDE = frozenset({"reporter", "report"}), frozenset({"judge"})
_BY_NAME = {"item": "item", "reporter": "reporter", "report": "report", "one reporter": "judge", "gold": "truth"}


def can_change(reading: Reading | None) -> bool:
    """Return whether roles can be changed one by one: not where a table is turned, or a report has several parts."""
    if reading is None:
        return True
    sets = reading.label_sets
    return not (reading.turned or reading.criteria or (sets is not None and sets.separator == "rows"))


def roles_of(names: list[str], query: DataQuery, reading: Reading | None) -> dict[str, str]:
    """Return the role of each column: as the file is read, or, if it cannot be read, by the fields and the names.

    Parameters
    ----------
    names
        The columns of the file.
    query
        The fields of the page.
    reading
        How the file is read; None if it cannot be read.

    Examples
    --------
    >>> roles_of(["entry", "Judge 1", "Judge 2", "truth"], DataQuery(), None)
    {'entry': 'item', 'Judge 1': 'judge', 'Judge 2': 'judge', 'truth': 'truth'}
    """
    if reading is not None:
        where = before_votes(reading).columns
        items = reading.items or (where.item,)
        given = {where.reporter: "reporter", where.value: "report"} if not where.judges else {}
        given |= dict.fromkeys(where.judges, "judge") | {where.order: "order"}
        gold = query.gold if query.gold and not query.truth else detected_column(reading)
        given |= {gold: "truth"}
    else:
        items = split_lists([query.item])
        given = {name: _BY_NAME.get(role_of(name).role, "") for name in names}
        if query.judges:
            chosen = match_columns(split_lists([query.judges]), names)
            given = {name: "" if role == "judge" else role for name, role in given.items()}
            given |= dict.fromkeys(chosen, "judge")
        if items:
            given = {name: "" if role == "item" else role for name, role in given.items()}
        given |= {query.reporter: "reporter", query.value: "report", query.order: "order", query.gold: "truth"}
    given |= dict.fromkeys(items, "item" if len(items) == 1 else "part")
    given |= {query.group: "group", query.minus: "minus"} | dict.fromkeys(split_lists([query.factor]), "factor")
    return {name: given.get(name, "") for name in names}


def with_roles(query: DataQuery, before: Mapping[str, str], chosen: Mapping[str, str]) -> DataQuery:
    """Return a query that reads the columns in other roles.

    A column that takes a role of one column replaces the one that had it, and columns of judges and those of a long
    table replace each other.

    Parameters
    ----------
    query
        The query so far.
    before
        The role of each column so far.
    chosen
        The roles that were chosen; those of other columns stay.

    Examples
    --------
    >>> before = {"entry": "item", "Ann": "judge", "Ben": "judge", "Total": "judge"}
    >>> with_roles(DataQuery(), before, {"Total": ""}).judges
    'Ann, Ben'
    >>> changed = with_roles(DataQuery(), {"a": "item", "b": "reporter", "c": "report"}, {"a": "reporter", "b": "item"})
    >>> changed.item, changed.reporter, changed.value
    ('b', 'a', 'c')
    """
    changed = {name: role for name, role in chosen.items() if name in before and before[name] != role}
    if not changed:
        return query
    taken = set(changed.values())
    gone = {role for role in _ONE if role in taken}
    gone |= _LONG if taken & _WIDE else set()
    gone |= _WIDE if taken & _LONG else set()
    gone |= {"part"} if "item" in taken else set()
    roles = {name: "" if role in gone else role for name, role in before.items()} | changed

    def having(*wanted: str) -> list[str]:
        return [name for name, role in roles.items() if role in wanted]

    def one(role: str) -> str:
        return "".join(having(role)[:1])

    items, judges, long = having("item", "part"), having("judge"), not having("judge")
    numbers = [factor for factor in split_lists([query.factor]) if factor not in before]
    return replace(
        query, item=items[0] if len(items) == 1 else join_list(items), judges=join_list(judges),
        reporter=one("reporter") * long, value=one("report") * long, gold=query.gold if query.truth else one("truth"),
        group=one("group"), order=one("order"), minus=one("minus"), factor=join_list([*having("factor"), *numbers]),
        page="", find="", show="",
    )  # fmt: skip
