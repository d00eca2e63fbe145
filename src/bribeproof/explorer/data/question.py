"""Template variables of a question about a file: its answers as links, and the first rows of the file."""

from collections.abc import Callable, Collection
from typing import Any

from bribeproof.explorer.data.query import READ_FIELDS, field_of
from bribeproof.frames.reading.words import ROLE_NAMES, role_of
from bribeproof.io.read import Table
from bribeproof.plots.names import shown
from bribeproof.questions import QuestionError

_ROWS, _COLUMNS = 10, 30
"""The rows and columns that are shown."""
_NAME, _LINE = 40, 400
"""Longest names, and longest sentences."""


def question_context(
    error: QuestionError, table: Table | None, address: Callable[..., str], fields: Collection[str] = READ_FIELDS
) -> dict[str, Any]:
    """Return the variables of a question.

    Parameters
    ----------
    error
        The question.
    table
        The table that it is about; None if none is read yet: then the rows are shown that the question is about.
    address
        Function that returns the address of the same page with further fields.
    fields
        The fields that the page has; choices of others are left out.
    """
    choices = []
    for choice in error.choices:
        given = dict(zip(map(field_of, choice.options), choice.flag_values, strict=True))
        if set(given) <= set(fields):
            choices.append((shown(choice.meaning, _LINE), address(**given)))
    preview: dict[str, Any] = {
        "columns": [],
        "rows": [(shown(place, _NAME), [shown(cell, _NAME) for cell in cells]) for place, cells in error.rows],
    }
    if table is not None:
        rows = table.frame[:_ROWS, :_COLUMNS]
        cells = [["" if cell is None else shown(str(cell), _NAME) for cell in row] for row in rows.iter_rows()]
        preview["columns"] = [(shown(name, _NAME), ROLE_NAMES[role_of(name).role]) for name in rows.columns]
        preview["rows"] = [("", row) for row in cells]
    question = shown(error.question, _LINE)
    asked = f"{question}?" if question.startswith("which") else f"{question}. Which is meant?"
    return {"error": asked if len(choices) > 1 else question, "choices": choices, "preview": preview}
