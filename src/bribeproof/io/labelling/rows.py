"""Collect the reports of a nested export as rows of a table."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof.io.csv.reader import blank_to_null
from bribeproof.io.grid.column_names import clean_name
from bribeproof.io.labelling.cells import as_cell
from bribeproof.io.labelling.export import Export, ExportFile, Form, Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_GOLD = "gold:"
"""What the name of a column of true answers begins with."""
_LONGEST, _MOST = 200, 30
"""The longest data about an item, in characters, and the most columns of it, that are kept with its reports."""


class ReportRows:
    """Rows of reports, and their columns: item, reporter, questions, their gold answers, and data about the items.

    Parameters
    ----------
    tool : str
        The labelling tool.
    item, reporter : str
        The columns of the items and the reporters.
    file : ExportFile
        The file.
    """

    def __init__(self, tool: str, item: str, reporter: str, file: ExportFile) -> None:
        self._names = dict.fromkeys((item, reporter))
        self._export = Export(tool, item, reporter, ())
        self._questions: dict[str, Question] = {}
        self._data: dict[str, None] = {}
        self._file = file
        self._rows: list[dict[str, str | None]] = []
        self._places = array("q")

    @property
    def export(self) -> Export:
        """How the table is read."""
        return replace(self._export, questions=tuple(self._questions.values()))

    def question(self, name: str, form: Form, *, gold: bool = False) -> Question:
        """Return a question by its name; it becomes a column, and so does its gold answer if there is one."""
        found = self._questions.get(name)
        if found is None:
            column = clean_name(name) or "answer"
            if column in self._names:
                column = f"{column} (question)"
            found = Question(column, name, form)
            self._names[column] = None
        if gold and not found.gold:
            found = replace(found, gold=_GOLD + found.column)
            self._names[found.gold] = None
        self._questions[name] = found
        return found

    def data(self, fields: Mapping[str, Any], prefix: str) -> dict[str, str]:
        """Return short single values about an item as cells, each named with a prefix; they become columns."""
        cells = {}
        for name, value in fields.items():
            text = None if isinstance(value, dict | list) else as_cell(value)
            column = prefix + clean_name(str(name))
            room = column in self._data or (len(self._data) < _MOST and column not in self._names)
            if text is not None and len(text) <= _LONGEST and room:
                self._data[column] = None
                cells[column] = text
        return cells

    def add(self, place: int, cells: Mapping[str, str | None]) -> None:
        """Add a report, which stands at a place in the file."""
        self._names |= dict.fromkeys(cells)
        self._rows.append(dict(cells))
        self._places.append(place)
        if len(self._rows) % 1000 == 0:
            self._file.limits.check(self._file.name, rows=len(self._rows), columns=len(self._names))

    def take(self) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the reports since the last time, with the columns of all so far, and their places."""
        self._file.limits.check(self._file.name, rows=len(self._rows), columns=len(self._names))
        columns = {name: pl.Series([row.get(name) for row in self._rows], dtype=pl.String) for name in self._names}
        places, self._places, self._rows = self._places, array("q"), []
        return blank_to_null(pl.DataFrame(columns)), places
