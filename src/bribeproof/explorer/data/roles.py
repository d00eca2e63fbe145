"""The roles of the columns of a file: shown above its rows, and changed there by one click."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bribeproof._text import join_list, split_lists
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.truth import detected_column
from bribeproof.frames.reading.criteria import Criteria
from bribeproof.frames.reading.from_frame import match_columns
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.words import role_of

ROLES: Mapping[str, str] = {
    "": "left out", "item": "item", "part": "part of the item", "reporter": "reporter", "report": "report",
    "judge": "one reporter", "answers": "one item", "criterion": "criterion", "rating": "scores of a criterion",
    "truth": "truth", "group": "bribed group", "order": "time or order", "factor": "factor", "minus": "deduction",
}  # fmt: skip
"""The roles that a column can have, and what they are called on the page."""
_ONE = ("item", "reporter", "report", "criterion", "truth", "group", "order", "minus")
"""Roles of one column only."""
_REPLACES: Mapping[str, frozenset[str]] = {
    "item": frozenset({"part", "answers"}), "part": frozenset({"answers"}), "reporter": frozenset({"judge"}),
    "report": frozenset({"judge", "answers", "rating"}),
    "judge": frozenset({"reporter", "report", "answers", "criterion", "rating"}),
    "answers": frozenset({"item", "part", "report", "judge", "criterion", "rating"}),
    "criterion": frozenset({"judge", "answers", "rating"}),
    "rating": frozenset({"report", "judge", "answers", "criterion"}),
}  # fmt: skip
"""Roles that no column keeps beside one that takes another: they belong to tables of another form."""
_BY_NAME = {"item": "item", "reporter": "reporter", "report": "report", "one reporter": "judge", "gold": "truth"}


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
    >>> roles_of(["judge", "Q1", "Q2"], DataQuery(turned="yes", item="Q1, Q2", reporter="judge"), None)
    {'judge': 'reporter', 'Q1': 'answers', 'Q2': 'answers'}
    """
    given = _as_read(reading, query) if reading is not None else _as_named(names, query)
    given |= {query.group: "group", query.minus: "minus"} | dict.fromkeys(split_lists([query.factor]), "factor")
    return {name: given.get(name, "") for name in names}


def _as_read(reading: Reading, query: DataQuery) -> dict[str, str]:
    """Return the roles of columns as they are read."""
    where, criteria = before_votes(reading).columns, reading.criteria
    items = [] if reading.turned else list(reading.items or (where.item,))
    given = dict.fromkeys(reading.turned, "answers") | {where.order: "order"}
    if where.judges:
        given |= dict.fromkeys(where.judges, "judge")
    else:
        given |= {where.reporter: "reporter"} | ({} if reading.turned else {where.value: "report"})
    if criteria is not None:
        given |= {criteria.column: "criterion"} | dict.fromkeys(criteria.values, "rating")
    gold = query.gold if query.gold and not query.truth else detected_column(reading)
    return given | {gold: "truth"} | _of_items(items)


def _as_named(names: list[str], query: DataQuery) -> dict[str, str]:
    """Return the roles of columns by the fields of the page and the names."""
    items, turned = split_lists([query.item]), query.turned == "yes"
    given = {name: _BY_NAME.get(role_of(name).role, "") for name in names}
    criteria = split_lists([query.criterion])
    if query.judges or turned:
        given = {name: "" if role == "judge" else role for name, role in given.items()}
        given |= dict.fromkeys(match_columns(split_lists([query.judges]), names), "judge") if query.judges else {}
    if items:
        given = {name: "" if role == "item" else role for name, role in given.items()}
    named = {"reporter": query.reporter, "report": query.value, "order": query.order, "truth": query.gold}
    given = {name: "" if named.get(role) else role for name, role in given.items()}
    given |= {name: role for role, name in named.items()}
    given |= dict.fromkeys(criteria, "criterion" if len(criteria) == 1 else "rating")
    return given | (dict.fromkeys(items, "answers") if turned else _of_items(items))


def _of_items(items: Sequence[str]) -> dict[str, str]:
    """Return the roles of the columns that name an item."""
    return dict.fromkeys(items, "item" if len(items) == 1 else "part")


def with_roles(
    query: DataQuery, before: Mapping[str, str], chosen: Mapping[str, str], criteria: Criteria | None = None
) -> DataQuery:
    """Return a query that reads the columns in other roles.

    A column that takes a role of one column replaces the one that had it, and roles of a table of another form give
    way: columns of judges, those of a long table, and those of a turned one. Beside the scores of a criterion, the
    column of the reports holds those of another one. Where the column that names the rows is
    told to hold reporters instead of items, or items instead of reporters, the columns of reports become those of
    items, or of reporters.

    Parameters
    ----------
    query
        The query so far.
    before
        The role of each column so far.
    chosen
        The roles that were chosen; those of other columns stay.
    criteria
        Where the criteria are so far; None if each judge gives one report on an item. In wide form all columns of a
        judge go and come together.

    Examples
    --------
    >>> before = {"entry": "item", "Ann": "judge", "Ben": "judge", "Total": "judge"}
    >>> with_roles(DataQuery(), before, {"Total": ""}).judges
    'Ann, Ben'
    >>> changed = with_roles(DataQuery(), {"a": "item", "b": "reporter", "c": "report"}, {"a": "reporter", "b": "item"})
    >>> changed.item, changed.reporter, changed.value
    ('b', 'a', 'c')
    >>> changed = with_roles(DataQuery(), {"a": "item", "b": "reporter", "c": "report", "d": ""}, {"d": "rating"})
    >>> changed.criterion, changed.value
    ('c, d', '')
    >>> changed = with_roles(DataQuery(), before, {"entry": "reporter"})
    >>> changed.turned, changed.reporter, changed.item, changed.judges
    ('yes', 'entry', 'Ann, Ben, Total', '')
    """
    changed = {name: role for name, role in chosen.items() if name in before and before[name] != role}
    if not changed:
        return query
    changed = _turning(before, changed) | changed
    if "rating" in changed.values() and "criterion" not in before.values():
        changed = {name: "rating" for name, role in before.items() if role == "report"} | changed
    if criteria is not None and criteria.columns:
        changed = _with_their_judge(changed, before, criteria)
    taken = set(changed.values())
    gone = {role for role in _ONE if role in taken}.union(*(_REPLACES.get(role, ()) for role in taken)) - (
        {"part"} if "part" in taken else set()
    )
    roles = {name: "" if role in gone else role for name, role in before.items()} | changed

    def having(*wanted: str) -> list[str]:
        return [name for name, role in roles.items() if role in wanted]

    def one(role: str) -> str:
        return "".join(having(role)[:1])

    items, judges, answers, ratings = having("item", "part"), having("judge"), having("answers"), having("rating")
    criterion = join_list(ratings) if len(ratings) > 1 else one("criterion")
    value = one("report") or (ratings[0] if len(ratings) == 1 else "")  # of one criterion these are the reports
    numbers = [factor for factor in split_lists([query.factor]) if factor not in before]
    combined = len(ratings) != 1 and not answers
    return replace(
        query, item=join_list(answers or items) if len(answers or items) > 1 else "".join(answers or items),
        turned="yes" if answers else "", judges=join_list(judges), reporter=one("reporter") * (not judges),
        value=value * (not judges), criterion=criterion,
        criteria=query.criteria * combined, criterion_weights=_weights(query, ratings) * combined,
        gold=query.gold if query.truth else one("truth"), group=one("group"), order=one("order"), minus=one("minus"),
        factor=join_list([*having("factor"), *numbers]), page="", find="", show="",
    )  # fmt: skip


def _turning(before: Mapping[str, str], changed: Mapping[str, str]) -> dict[str, str]:
    """Return the roles of the columns of reports, where the column that names the rows names reporters or items now."""
    for of_rows, becomes, of_reports, turned in (
        ("item", "reporter", "judge", "answers"),
        ("reporter", "item", "answers", "judge"),
    ):
        columns = [name for name, role in before.items() if role == of_reports]
        if columns and any(before[name] == of_rows and role == becomes for name, role in changed.items()):
            return dict.fromkeys(columns, turned)
    return {}


def _with_their_judge(changed: Mapping[str, str], before: Mapping[str, str], criteria: Criteria) -> dict[str, str]:
    """Return changed roles with those of the other columns of the same judges, who are read or left out as a whole."""
    found: dict[str, str] = {}
    judge_of = {name: judge for name, (judge, _) in criteria.names.items()}
    for name, role in changed.items():
        if before[name] == "judge":
            found |= {other: "" for other, judge in judge_of.items() if judge == judge_of.get(name)}
        elif role == "judge":
            found |= dict.fromkeys((other for other in _columns_like(name, criteria) if other in before), role)
    return found | dict(changed)


def _columns_like(name: str, criteria: Criteria) -> list[str]:
    """Return the columns of another judge, of whom one is known.

    Examples
    --------
    >>> from bribeproof.frames.reading.criteria import find_criteria
    >>> _columns_like("J3_art", find_criteria(["J1_tech", "J1_art", "J2_tech", "J2_art"], "each", {}))
    ['J3_tech', 'J3_art']
    """
    judge, columns = criteria.reporters[0], criteria.columns[0]
    for column in columns:
        start, found, end = column.partition(judge)
        if found and name.startswith(start) and name.endswith(end) and len(name) > len(start) + len(end):
            other = name[len(start) : len(name) - len(end)]
            return [one.replace(judge, other, 1) for one in columns]
    return []


def _weights(query: DataQuery, ratings: Sequence[str]) -> str:
    """Return the weights of the criteria that are left, where each has a column of scores."""
    weights = split_lists([query.criterion_weights])
    left = [one for one in weights if one.rpartition("=")[0].strip() in ratings]
    return query.criterion_weights if not ratings or left == list(weights) else join_list(left)
