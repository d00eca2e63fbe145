"""Read the export of a labelling tool: its columns are known, and where it has several questions, ask for one."""

from collections.abc import Mapping, Sequence
from typing import Any

from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.reading.words import role_of
from bribeproof.io.labelling.export import SCORED, Export, Form, Question
from bribeproof.questions import Choice, QuestionError

_MOST = 10
"""The most questions of an export that are offered."""
_CHOSEN: tuple[Form, ...] = ("choice", "taxonomy", "pairwise comparison")
"""The forms of questions whose answers are labels, though they may be written as numbers."""
_BESIDE: tuple[Role, ...] = ("note", "item", "number", "order", "person", "group")
"""Roles of columns beside the questions of an export that does not tell their form, such as a comment."""


def options_of_export(
    export: Export | None, columns: Sequence[str], named: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Role]]:
    """Return the options that the export of a labelling tool implies where none are given, and columns of the truth.

    Parameters
    ----------
    export
        What the table is an export of; None if it is none.
    columns
        The columns of the table.
    named
        The options of `recognise_columns` that are given; None where nothing is.

    Raises
    ------
    QuestionError
        If the export has several questions, and none is named.

    Examples
    --------
    >>> stars = Export("Label Studio", "task", "annotator", (Question("stars", "stars", "rating"),))
    >>> options_of_export(stars, ["task", "annotator", "stars"], {"kind": None})[0]
    {'kind': 'scores', 'item': 'task', 'reporter': 'annotator', 'value': 'stars'}
    """
    options = dict(named)
    if (
        export is None
        or named.get("judges")
        or named.get("turned")
        or not {export.item, export.reporter} <= set(columns)
    ):
        return options, {}
    options["item"] = named.get("item") or _item(export, columns)
    options["reporter"] = named.get("reporter") or export.reporter
    if not named.get("criteria"):
        value = named.get("value") or _question(export).column
        asked = next((one for one in export.questions if value in (one.column, one.name)), None)
        options["value"] = value if asked is None or value in columns else asked.column
        kind = (
            None if asked is None else "scores" if asked.form in SCORED else "labels" if asked.form in _CHOSEN else None
        )
        options["kind"] = named.get("kind") or kind
    return options, {one.gold: "gold" for one in export.questions if one.gold in columns}


def _item(export: Export, columns: Sequence[str]) -> str:
    """Return the column of the items."""
    asked = {one.column for one in export.questions if one.certain}
    called = [name for name in columns if role_of(name).role == "item" and name not in asked]
    return called[0] if export.data_may_name_items and len(called) == 1 else export.item


def _question(export: Export) -> Question:
    """Return the question of an export if there is one."""
    asked = [one for one in export.questions if one.certain] or list(export.questions)
    if len(asked) > 1:
        asked = [one for one in asked if one.form != "answer" or role_of(one.name).role not in _BESIDE] or asked
    if len(asked) == 1:
        return asked[0]
    raise QuestionError(
        f"this export of {export.tool} has {len(asked)} questions, which are aggregated one by one",
        [Choice(_meaning(one), {"value": one.column}) for one in asked[:_MOST]],
    )


def _meaning(question: Question) -> str:
    """Return what a question asks for, in words."""
    scores = ", whose scores are averaged" if question.form in SCORED else ""
    return f"the {question.form} {question.name!r}{scores}"
