"""The first rows of a file, with the role of each column above it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.roles import ROLES
from bribeproof.frames.reading.words import ROLE_NAMES, role_of
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_ROWS, _COLUMNS = 10, 30
"""The rows and columns that are shown."""
_NAME = 40
PREFIX = "as."
"""What the fields of roles are called, before the place of their column."""


def preview_context(table: Table, query: DataQuery, roles: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables of the preview.

    Parameters
    ----------
    table, query
        The table in the file, and how it is read.
    roles
        The role of each column.
    """
    names = table.frame.columns
    rows = table.frame[:_ROWS, :_COLUMNS]
    return {
        "columns": [
            {
                "field": f"{PREFIX}{place}", "name": shown(name, _NAME), "role": roles[name],
                "hint": "" if role_of(name).role == "unknown" else ROLE_NAMES[role_of(name).role],
            }
            for place, name in enumerate(rows.columns)
        ],
        "rows": [["" if cell is None else shown(str(cell), _NAME) for cell in row] for row in rows.iter_rows()],
        "height": table.frame.height,
        "more": len(names) - rows.width,
        "roles": list(ROLES.items()),
        "fields": [(name, value) for name, value in asdict(query).items() if value],
    }  # fmt: skip
