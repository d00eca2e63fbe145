"""Read the CSV, TSV and JSON-MIN exports of Label Studio: a row for each annotation, a column for each question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof.io.json_reader import OBJECT
from bribeproof.io.labelling.cells import parsed, without_empty
from bribeproof.io.labelling.export import Export, ExportFile, Form, Question
from bribeproof.io.labelling.label_studio import FORMS, TOOL, answer_cell
from bribeproof.io.labelling.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence


_ITEM, _REPORTER = "id", "annotator"
_MARKS = {_ITEM, _REPORTER, "annotation_id", "lead_time"}
_OTHERS = _MARKS | {"created_at", "updated_at", "agreement", "history"}
_DATA = "_data_"
_KEYS = dict(FORMS.values())


class LabelStudioTableReader:
    """Reads rows of annotations; see `ExportReader`.

    The export does not mark which columns are questions. Data about a task are equal in all of its rows, so a column
    that differs within a task is a question, and so is one of answers that are not plain text.
    """

    tool = TOOL

    def __init__(self, file: ExportFile) -> None:
        self._file = file
        self._tally = Tally(TOOL)
        self._forms: dict[str, Form] = {}
        self._certain: dict[str, bool] = {}

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are annotations."""
        return set(frame.columns) >= _MARKS

    @property
    def export(self) -> Export:
        """What the rows so far hold."""
        asked = [
            Question(name, name, self._forms.get(name, "answer"), certain=certain)
            for name, certain in self._certain.items()
        ]
        return Export(TOOL, _ITEM, _REPORTER, tuple(asked), data_may_name_items=True)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read so far."""
        return (
            f"{self._tally.note}; skipped annotations are not in this form of export, and ground truths, which it does "
            "not mark, count as reports: the JSON export tells both",
        )

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the same rows, with the answers as text."""
        self._tally.add("annotation", frame.height)
        names = [name for name in frame.columns if name not in _OTHERS and not name.startswith(_DATA)]
        for name in names:
            column = frame[name]
            if column.dtype == pl.String and not column.str.contains(r"^\s*[\[{]").any():
                self._certain.setdefault(name, False)
                continue
            cells = [self._cell(value, name, place) for value, place in zip(_values(column), places, strict=True)]
            if name in self._forms:
                frame = frame.with_columns(pl.Series(name, cells, pl.String))
                self._certain[name] = True
        for name in self._certain:
            if name in frame.columns and not self._certain[name]:
                different = frame.group_by(_ITEM).agg(pl.col(name).drop_nulls().n_unique())[name]
                self._certain[name] = bool((different > 1).any())
        return frame, places

    def _cell(self, value: object, name: str, place: int) -> str | None:
        """Return the text of an answer; what is no answer about a whole task stays as it is."""
        found = parsed(value)
        results = [found] if isinstance(found, dict) else found
        if isinstance(results, list) and len(results) == 1 and isinstance(results[0], dict):
            key = next((key for key in _KEYS if key in results[0]), None)
            if key is not None:
                form = self._forms.setdefault(name, _KEYS[key])
                return answer_cell(results[0][key], form, f"{self._file.locate(place)}, {name!r}")
        return value if isinstance(value, str) else None


def _values(column: pl.Series) -> list[Any]:
    """Return the cells of a column, objects as their JSON."""
    cells = [without_empty(value) for value in column.to_list()]
    return [value[OBJECT] if isinstance(value, dict) and [*value] == [OBJECT] else value for value in cells]
