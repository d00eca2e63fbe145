"""Read batches of Amazon Mechanical Turk and Toloka: a row for each assignment or task of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import as_cell, labels_cell, parsed
from bribeproof.io.labelling.export import Export, ExportFile, Question
from bribeproof.io.labelling.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_ANSWER = "Answer."
_ALL_ANSWERS = "Answer.taskAnswers"
_OUTPUT, _GOLDEN = "OUTPUT:", "GOLDEN:"
_BOOLEANS = {"true": True, "false": False}


class _BatchReader:
    """What both have in common: answers of an assignment that does not count are missing reports."""

    tool, _item, _reporter, status = "", "", "", ""
    lost: tuple[str, ...] = ()
    reject = ""
    """The column of what was rejected when a batch was reviewed."""

    def __init__(self, file: ExportFile) -> None:
        self._file = file
        self._tally = Tally(self.tool)
        self._questions: tuple[Question, ...] = ()

    @property
    def export(self) -> Export:
        """What the rows so far hold."""
        return Export(self.tool, self._item, self._reporter, self._questions)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out so far."""
        return (self._tally.note,)

    def _without_lost(self, frame: pl.DataFrame, *lost: pl.Expr) -> pl.DataFrame:
        """Empty the answers of rows that do not count, and count both."""
        answers = [one.column for one in self._questions]
        state = pl.lit(None, pl.String)
        if self.status in frame.columns:
            status = pl.col(self.status).str.strip_chars().str.to_lowercase()
            state = pl.when(status.is_in(self.lost)).then(status)
        for one in lost:
            state = pl.coalesce(state, pl.when(one).then(pl.lit("rejected")))
        if answers:
            empty = pl.all_horizontal(pl.col(answers).is_null())
            state = pl.coalesce(state, pl.when(empty).then(pl.lit("without an answer")))
        states = frame.select(state.alias("state")).to_series()
        for name, number in states.drop_nulls().value_counts(sort=True).sort("state").iter_rows():
            self._tally.absent(name, number)
        self._tally.add("report", int(states.null_count()))
        return frame.with_columns(pl.when(~states.is_not_null()).then(pl.col(answers)))


class MturkReader(_BatchReader):
    """Reads batch results of Amazon Mechanical Turk; see `ExportReader`."""

    tool, _item, _reporter, status = "Amazon Mechanical Turk", "HITId", "WorkerId", "AssignmentStatus"
    lost = ("rejected",)
    reject = "Reject"

    def __init__(self, file: ExportFile) -> None:
        super().__init__(file)
        self._boxes: dict[str, dict[str, str]] | None = None

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are assignments."""
        names = frame.columns
        return {"HITId", "WorkerId", "AssignmentStatus"} <= set(names) and any(one.startswith(_ANSWER) for one in names)

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the same rows, with a column for each question, and without the answers that were rejected."""
        if _ALL_ANSWERS in frame.columns:
            frame = self._spread(frame, places)
        if self._boxes is None:
            self._boxes = _boxes(frame)
        for name, boxes in self._boxes.items():
            ticked = [self._ticked(row, boxes, place) for row, place in zip(
                frame.select(boxes.keys()).iter_rows(named=True), places, strict=True)]  # fmt: skip
            frame = frame.with_columns(pl.Series(name, ticked, pl.String)).drop(boxes.keys())
        columns = [name for name in frame.columns if name.startswith(_ANSWER)]
        self._questions = tuple(Question(name, _question_name(name)) for name in columns)
        lost = [pl.col(self.reject).is_not_null()] if self.reject in frame.columns else []
        return self._without_lost(frame, *lost), places

    def _ticked(self, row: Mapping[str, str | None], boxes: Mapping[str, str], place: int) -> str | None:
        """Return the options that are ticked in a row."""
        chosen = []
        for column, option in boxes.items():
            cell = row[column]
            if cell is not None and cell.lower() not in _BOOLEANS:
                raise FileError(f"{self._file.locate(place)}: {column!r} is {cell!r}, and above it true or false")
            if cell is not None and _BOOLEANS[cell.lower()]:
                chosen.append(option)
        return labels_cell(chosen)

    def _spread(self, frame: pl.DataFrame, places: Sequence[int]) -> pl.DataFrame:
        """Return a frame with a column for each question in the JSON of all answers."""
        found: dict[str, list[str | None]] = {}
        for row, (cell, place) in enumerate(zip(frame[_ALL_ANSWERS].to_list(), places, strict=True)):
            answers = parsed(cell)
            answers = answers[0] if isinstance(answers, list) and answers else answers
            if cell is not None and not isinstance(answers, dict):
                raise FileError(
                    f"{self._file.locate(place)}: {_ALL_ANSWERS} is no JSON object of answers: {cell[:40]!r}"
                )
            for name, value in (answers or {}).items():
                column = found.setdefault(_ANSWER + name, [])
                column += [None] * (row - len(column)) + [_given(value)]
        for name, one in self._known(found):
            one += [None] * (frame.height - len(one))
            frame = frame.with_columns(pl.Series(name, one, pl.String))
        return frame.drop(_ALL_ANSWERS)

    def _known(self, found: dict[str, list[str | None]]) -> list[tuple[str, list[str | None]]]:
        """Return the columns of all questions so far."""
        return list(({one.column: [] for one in self._questions} | found).items())


class TolokaReader(_BatchReader):
    """Reads assignments of Toloka; see `ExportReader`."""

    tool, _item, _reporter, status = "Toloka", "ASSIGNMENT:task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"
    lost = ("rejected", "skipped", "expired", "active")

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are tasks of assignments."""
        names = frame.columns
        return TolokaReader._reporter in names and any(name.startswith(_OUTPUT) for name in names)

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return the same rows without the answers of assignments that were rejected, skipped or not completed."""
        self._questions = tuple(
            Question(name, bare, gold=_GOLDEN + bare if _GOLDEN + bare in frame.columns else "")
            for name in frame.columns
            if (bare := name.removeprefix(_OUTPUT)) != name
        )
        if self._item not in frame.columns:
            inputs = [name for name in frame.columns if name.startswith("INPUT:")]
            if len(inputs) != 1:
                raise FileError(
                    f"{self._file.name}: no column {self._item!r}; download the assignments with the id of tasks"
                )
            self._item = inputs[0]
        return self._without_lost(frame), places


def _question_name(column: str) -> str:
    """Return what a question of a batch is called.

    Examples
    --------
    >>> _question_name("Answer.sentiment.label"), _question_name("Answer.sentiment")
    ('sentiment', 'sentiment')
    """
    return column.removeprefix(_ANSWER).removesuffix(".label").removesuffix(".labels")


def _boxes(frame: pl.DataFrame) -> dict[str, dict[str, str]]:
    """Return the columns of options that are ticked or not, by the column of their question."""
    boxes: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        found = re.fullmatch(rf"({re.escape(_ANSWER)}.+?)\.(.+)", name)
        if found and found[1] not in frame.columns:
            cells = frame[name].drop_nulls().str.to_lowercase().unique()
            if cells.is_in(list(_BOOLEANS)).all():
                boxes.setdefault(found[1], {})[name] = found[2]
    return {name: options for name, options in boxes.items() if len(options) > 1}


def _given(value: Any) -> str | None:
    """Return an answer of a form as a cell.

    Examples
    --------
    >>> _given({"yes": True, "no": False}), _given({"label": "cat"}), _given(["a", "b"]), _given(" ")
    ('yes', 'cat', '["a", "b"]', None)
    """
    if isinstance(value, dict) and value and all(isinstance(ticked, bool) for ticked in value.values()):
        return labels_cell([option for option, ticked in value.items() if ticked])
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, list):
        return labels_cell(value)
    return None if isinstance(value, dict) else as_cell(value)
