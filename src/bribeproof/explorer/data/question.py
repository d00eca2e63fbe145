"""Template variables of a question about a file: its answers as links, and the first rows of the file."""

from typing import Any

from bribeproof.explorer.data.query import READ_FIELDS, DataQuery, field_of
from bribeproof.frames.reading.words import ROLE_NAMES, role_of
from bribeproof.io.read import Table
from bribeproof.plots.names import shown
from bribeproof.questions import QuestionError

_ROWS, _COLUMNS = 10, 30
"""The rows and columns that are shown."""
_NAME, _LINE = 40, 400
"""Longest names, and longest sentences."""


def question_context(error: QuestionError, table: Table, query: DataQuery) -> dict[str, Any]:
    """Return the variables of a question, where each choice is the same page with further fields."""
    choices = []
    for choice in error.choices:
        given = dict(zip(map(field_of, choice.options), choice.flag_values, strict=True))
        if set(given) <= set(READ_FIELDS):
            choices.append((shown(choice.meaning, _LINE), query.address(**given)))
    rows = table.frame[:_ROWS, :_COLUMNS]
    preview = {
        "columns": [(shown(name, _NAME), ROLE_NAMES[role_of(name).role]) for name in rows.columns],
        "rows": [["" if cell is None else shown(str(cell), _NAME) for cell in row] for row in rows.iter_rows()],
    }
    question = shown(error.question, _LINE)
    asked = f"{question}?" if question.startswith("which") else f"{question}. Which is meant?"
    return {"error": asked if len(choices) > 1 else question, "choices": choices, "preview": preview}
