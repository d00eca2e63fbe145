"""Find the columns of a wide table that hold one reporter's reports each, by their names."""

import re
from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof._text import count, list_names
from bribeproof.frames.reading.criterion_names import ask_criteria, names_criteria_first, split_names
from bribeproof.frames.reading.doubts import alike, column_types, doubtful
from bribeproof.frames.reading.vocabulary import LABELS, SCORES
from bribeproof.frames.reading.words import NamedRole, words_of
from bribeproof.questions import Choice, QuestionError

_MOST_CRITERIA = 3
"""The most criteria that a question offers alone."""


def find_panel(
    text: pl.DataFrame,
    names: Sequence[str],
    roles: Mapping[str, NamedRole],
    *,
    is_scores: bool,
    criteria: bool = False,
    sets: bool = False,
) -> list[str]:
    """Return the columns of the reporters; empty if there are none.

    Parameters
    ----------
    text
        The table as text.
    names
        The columns except those of the items.
    roles
        The role of each column by its name.
    is_scores
        Whether the reports are known to be scores, so that a single column of them is enough.
    criteria
        Whether each reporter may have several columns.
    sets
        Whether cells are known to hold several labels.

    Raises
    ------
    QuestionError
        If a column may be a reporter's or not.
    """
    named = [name for name in names if roles[name].role == "one reporter" and roles[name].sure]
    if criteria:
        panel = named or [name for group in _groups(names, roles) for name in group]
    else:
        panel = _one_criterion(named) if named else _numbered(names, roles)
    found = set(panel)
    unclear = [name for name in names if name not in found and _may_be_reporter(roles[name])]
    if panel:
        unclear = [name for name in unclear if roles[name].role in ("unknown", "report") or len(words_of(name)) > 1]
        return _ask(text, panel, alike(text, unclear, panel), "reports like theirs")
    existing = set(text.columns)
    people = [name for name in unclear if roles[name].role == "unknown" and name in existing]
    if not people:
        return []
    if unsure := alike(text, [name for name in unclear if roles[name].role != "unknown"], people):
        reason = "reports like the others', and the name may be a person's"
        if doubt := doubtful(text, people, sets=sets):
            doubted = set(doubt[1])
            rest = [name for name in people if name not in doubted]
            return _ask(text, rest, [*doubt[1], *unsure], f"{doubt[0]}, or {reason}") if rest else []
        return _ask(text, people, unsure, reason)
    if criteria:
        return people
    if doubt := doubtful(text, people, sets=sets):
        reason, columns = doubt
        doubted = set(columns)
        return _ask(text, [name for name in people if name not in doubted], columns, reason)
    _check_criteria(people)
    single = len(people) == 1 and column_types(text, people)[people[0]] != "numbers" and not is_scores
    return [] if single else people


def _may_be_reporter(named: NamedRole) -> bool:
    """Return whether the name of a column does not rule out that it is a reporter's."""
    return named.role == "unknown" or not named.sure


def _ask(text: pl.DataFrame, panel: list[str], unclear: list[str], reason: str) -> list[str]:
    """Return the panel, or ask whether further columns belong to it."""
    if not unclear:
        return panel
    members = {*panel, *unclear}
    everybody = [name for name in text.columns if name in members]
    is_one = len(unclear) == 1
    raise QuestionError(
        f"{list_names(unclear)} may be {'a reporter' if is_one else 'reporters'} or not: "
        f"{'it holds' if is_one else 'they hold'} {reason}",
        [Choice(f"without {list_names(unclear, most=3)}: {count(len(panel), 'reporter')}", {"judges": panel}),
         Choice(f"with {list_names(unclear, most=3)}: {count(len(everybody), 'reporter')}", {"judges": everybody})],
    )  # fmt: skip


def _one_criterion(named: list[str]) -> list[str]:
    """Return the columns of one criterion, where each reporter has several, such as judge1_land and judge1_score."""
    parts = {name: _split(name) for name in named}
    reporters = [reporter for reporter, _ in parts.values()]
    if len(set(reporters)) == len(reporters):
        if names_criteria_first(named):
            _check_criteria(named)
        return named
    criteria: dict[str, list[str]] = {}
    for name in named:
        criteria.setdefault(parts[name][1], []).append(name)
    reports = [criterion for criterion in criteria if not (SCORES | LABELS).isdisjoint(words_of(criterion))]
    if len(reports) == 1:
        return criteria[reports[0]]
    only = [Choice(f"only {criterion.strip(' _-.')!r}", {"judges": columns}) for criterion, columns in criteria.items()]
    raise ask_criteria(named, only[:_MOST_CRITERIA]) or QuestionError(
        f"each reporter has {len(criteria):,} columns ({list_names([name.strip(' _-.') for name in criteria])})",
        only,
    )


def _check_criteria(people: Sequence[str]) -> None:
    """Ask whether columns such as *taste Anna*, *look Anna*, *taste Boris*, *look Boris* are several of each person."""
    parts = split_names(people)
    if parts is None:
        return
    groups: list[Choice] = []
    for side in (0,) if names_criteria_first(people) else (0, 1):
        named: dict[str, list[str]] = {}
        for name, pair in parts.items():
            named.setdefault(pair[side], []).append(name)
        if len(named) <= len(people) / len(named):
            groups += [Choice(f"only {part!r}: {count(len(group), 'reporter')}", {"judges": group})
                       for part, group in named.items()]  # fmt: skip
    everybody = Choice(f"each column is a reporter: {count(len(people), 'reporter')}", {"judges": list(people)})
    if question := ask_criteria(people, [*groups[:4], everybody]):
        raise question


def _split(name: str) -> tuple[str, str]:
    """Return the reporter and the criterion in the name of a column; the criterion stands behind the first number."""
    found = re.match(r"(\D*\d+)(.*)", name)
    return (found[1].casefold(), found[2].casefold()) if found else (name.casefold(), "")


def _numbered(names: Sequence[str], roles: Mapping[str, NamedRole]) -> list[str]:
    """Return columns whose names differ in a number only, such as a1 and a2; empty if there are none."""
    several = _groups(names, roles)
    if len(several) > 1:
        choices = [Choice(f"{len(group):,} reporters", {"judges": group}) for group in several[:3]]
        criteria = ask_criteria([name for group in several for name in group], choices)
        raise criteria or QuestionError("there are several groups of numbered columns", choices)
    return several[0] if several else []


def _groups(names: Sequence[str], roles: Mapping[str, NamedRole]) -> list[list[str]]:
    """Return the groups of columns whose names differ in a number only."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if roles[name].role == "unknown" and (alike := re.sub(r"\d+", "#", name.casefold())) != name.casefold():
            groups.setdefault(alike, []).append(name)
    return [group for group in groups.values() if len(group) > 1]
