"""Read JSON exports of Label Studio: tasks with the annotations of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import as_cell, as_list, as_object, is_nested, is_true, labels_cell
from bribeproof.io.labelling.record_reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from bribeproof.io.labelling.export import ExportFile, Form

TOOL = "Label Studio"
ITEM, REPORTER, _ORDER = "task", "annotator", "updated_at"
FORMS: dict[str, tuple[str, Form]] = {
    "choices": ("choices", "choice"),
    "taxonomy": ("taxonomy", "taxonomy"),
    "rating": ("rating", "rating"),
    "number": ("number", "number"),
    "pairwise": ("selected", "pairwise comparison"),
}
"""The types of results that are answers about a whole task: the key of their value, and the form of the question."""
PATH = " > "
"""What stands between the levels of a taxonomy."""
_REGION = frozenset({"x", "y", "start", "end", "points", "ranges", "globalOffsets"})
"""Keys of results about a part of a task."""
_MODEL = "model:"


class LabelStudioReader(RecordReader):
    """Reads tasks; see `ExportReader`."""

    tool = TOOL
    item, reporter = ITEM, REPORTER

    def __init__(self, file: ExportFile) -> None:
        super().__init__(file)
        self._named_by: dict[str, str] = {}

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are tasks."""
        written = [name for name in ("annotations", "completions") if name in frame.columns]
        return bool(written) and "data" in frame.columns and all(is_nested(frame[one]) for one in ("data", *written))

    def _add(self, place: int, task: Mapping[str, Any]) -> None:
        """Add the annotations of a task."""
        number = as_cell(task.get("id"))
        where = self._file.locate(place)
        if number is None:
            raise FileError(f"{where}: the task has no id; export the project as JSON, with the ids of its tasks")
        where = f"{where} (task {number})"
        self._tally.add("task")
        reports: list[dict[str, str | None]] = []
        gold: dict[str, str | None] = {}
        written = task["annotations"] if "annotations" in task else task.get("completions")
        for position, one in enumerate(as_list(written, where, "annotations"), start=1):
            annotation = as_object(one, where, f"annotation {position}")
            spot = f"{where}, annotation {as_cell(annotation.get('id')) or position}"
            if is_true(annotation.get("ground_truth")):
                found = {column: cell for column, cell in self._gold(annotation, spot).items() if cell is not None}
                clash = next((name for name in found if gold.get(name, found[name]) != found[name]), None)
                if clash is not None:
                    raise FileError(f"{spot}: two ground truths of this task differ in {clash!r}; keep one")
                gold |= found
                continue
            reports.append(self._report(annotation, spot))
        if not reports:
            self._tally.beside("task", "without a report")
        reports += self._predicted(task, where)
        data = self._rows.data(as_object(task["data"], where, "data") if "data" in task else {}, "field.")
        for report in reports:
            self._rows.add(place, {ITEM: number, **report, **gold, **data})

    def _report(self, annotation: Mapping[str, Any], where: str) -> dict[str, str | None]:
        """Return the cells of an annotation; those of one that was skipped are empty."""
        report: dict[str, str | None] = {REPORTER: self._reporter(annotation, where)}
        report[_ORDER] = as_cell(annotation.get("updated_at") or annotation.get("created_at"))
        if is_true(annotation.get("was_cancelled")) or is_true(annotation.get("skipped")):
            self._tally.absent("skipped")
            return report
        answers = {
            self._rows.question(name, form).column: cell for name, form, cell in self._answers(annotation, where)
        }
        if any(cell is not None for cell in answers.values()):
            self._tally.add("report")
        else:
            self._tally.absent("without an answer about a whole task")
        return report | answers

    def _gold(self, annotation: Mapping[str, Any], where: str) -> dict[str, str | None]:
        """Return the true answers of an annotation."""
        self._tally.beside("ground truth", "the truth, not a report")
        answers = self._answers(annotation, where)
        return {self._rows.question(name, form, gold=True).gold: cell for name, form, cell in answers}

    def _predicted(self, task: Mapping[str, Any], where: str) -> Iterator[dict[str, str | None]]:
        """Yield the reports of models."""
        for position, one in enumerate(as_list(task.get("predictions"), where, "predictions"), start=1):
            if isinstance(one, dict):
                if not self._file.predictions:
                    self._tally.beside("prediction", "not read, as no reporter's")
                    continue
                spot = f"{where}, prediction {as_cell(one.get('id')) or position}"
                found = {self._rows.question(name, form).column: cell for name, form, cell in self._answers(one, spot)}
                self._tally.add("prediction")
                yield {REPORTER: _MODEL + (as_cell(one.get("model_version")) or "undefined"), **found}

    def _reporter(self, annotation: Mapping[str, Any], where: str) -> str:
        """Return who made an annotation: by e-mail address where the export has it, else by number."""
        who = annotation.get("completed_by")
        kind = "e-mail address" if isinstance(who, dict) and who.get("email") else "number"
        name = as_cell((who.get("email") or who.get("id")) if isinstance(who, dict) else who)
        if name is None:
            raise FileError(
                f"{where}: completed_by is missing, so that it is not known who reports (a deleted user?); write who "
                "it was, or take the annotation out"
            )
        self._named_by.setdefault(kind, where)
        if len(self._named_by) > 1:
            raise FileError(
                f"{where}: completed_by is an annotator's {kind}, and another one's "
                f"{next(iter(self._named_by))} at {next(iter(self._named_by.values()))}, so that one person may be "
                "two reporters; export the project again"
            )
        return name

    def _answers(self, annotation: Mapping[str, Any], where: str) -> list[tuple[str, Form, str | None]]:
        """Return the questions that an annotation answers about the whole task, the form and the answer of each."""
        found: dict[str, tuple[str, Form, str | None]] = {}
        for position, one in enumerate(as_list(annotation.get("result"), where, "result"), start=1):
            result = as_object(one, where, f"result {position}")
            kind, value = str(result.get("type", "")).lower(), result.get("value")
            name = as_cell(result.get("from_name"))
            if kind not in FORMS or name is None or (isinstance(value, dict) and not _REGION.isdisjoint(value)):
                if kind != "relation":
                    self._tally.beside("result", f"of type {kind or 'unknown'}, not about a whole task: not read")
                continue
            if name in found:
                raise FileError(
                    f"{where}: {name!r} has two answers; answers about parts of a task are not read: leave them out"
                )
            key, form = FORMS[kind]
            if not isinstance(value, dict) or key not in value:
                raise FileError(
                    f"{where}: the result of {name!r} has the type {kind!r}, and no {key!r} in its value "
                    f"{shorten(str(value))}; export the project again, or correct it"
                )
            found[name] = (name, form, answer_cell(value[key], form, f"{where}, {name!r}"))
        return list(found.values())


def answer_cell(answer: object, form: Form, where: str) -> str | None:
    """Return an answer as a cell of the table.

    Parameters
    ----------
    answer
        What the value of a result holds.
    form
        What the question asks for.
    where
        Its place, for messages.

    Raises
    ------
    FileError
        If it does not have this form.

    Examples
    --------
    >>> answer_cell([["Animal", "Cat"]], "taxonomy", ""), answer_cell(["a", "b"], "choice", "")
    ('Animal > Cat', '["a", "b"]')
    """
    if form == "choice":
        return labels_cell(as_list(answer, where, "choices") if not isinstance(answer, str) else [answer])
    if form == "taxonomy":
        paths = as_list(answer, where, "taxonomy")
        return labels_cell([PATH.join(map(str, as_list(path, where, "a path"))) for path in paths])
    if isinstance(answer, dict | list):
        raise FileError(f"{where}: the answer is {shorten(str(answer))}, not a single value; correct it")
    return as_cell(answer)
