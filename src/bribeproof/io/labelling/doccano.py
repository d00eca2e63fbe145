"""Read exports of doccano: labels with the number of their user, or a file of each annotator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import as_cell, as_list, as_object, is_nested, labels_cell
from bribeproof.io.labelling.record_reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from bribeproof.io.labelling.export import ExportFile

_TOOL = "doccano"
_ITEM, _REPORTER, _ANSWER = "example", "annotator", "label"
_SHOWN = ("text", "filename", "data")
_TOGETHER = ("all", "unknown")
"""The files of projects whose annotators share their labels."""
_PEOPLE = ("annotator", "labeler", "labeller", "rater", "reporter", "user", "username", "worker")
"""Columns of tables that others made, which say themselves who reports."""


class DoccanoReader(RecordReader):
    """Reads examples; see `ExportReader`.

    Since version 1.2 each annotator has a file, which is called after them: several files are read as one table.
    """

    tool = _TOOL
    item, reporter = _ITEM, _REPORTER

    def __init__(self, file: ExportFile) -> None:
        super().__init__(file)
        self._rows.question(_ANSWER, "choice")

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are examples."""
        names = set(frame.columns)
        if not {"id", "doc_id"}.isdisjoint(names) and {"labels", "username"} <= names:
            return is_nested(frame["labels"])
        if {"id", "annotations"} <= names and "data" not in names and not names.isdisjoint(_SHOWN):
            return is_nested(frame["annotations"])
        if not {"id", "label"} <= names or names.isdisjoint(_SHOWN):
            return False
        if names <= {"id", "label", "Comments", *_SHOWN}:
            return "Comments" in names or is_nested(frame["label"])
        named = {name.lower() for name in names}  # with data about the examples, but not with people
        return "Comments" in names and is_nested(frame["label"]) and named.isdisjoint(_PEOPLE)

    def _add(self, place: int, example: Mapping[str, Any]) -> None:
        """Add the labels of each annotator of an example."""
        number = as_cell(example.get("id")) or as_cell(example.get("doc_id"))
        where = self._file.locate(place)
        if number is None:
            raise FileError(f"{where}: the example has no id; export it again, as JSONL")
        shown = {name: value for name, value in example.items() if name in _SHOWN}
        data = self._rows.data(shown, "field.")
        self._tally.add("example")
        for who, labels in self._labels(example, f"{where} (example {number})").items():
            cell = labels_cell(labels)
            if cell is None:
                self._tally.absent("without a label")
            else:
                self._tally.add("report")
            self._rows.add(place, {_ITEM: number, _REPORTER: who, _ANSWER: cell, **data})

    def _labels(self, example: Mapping[str, Any], where: str) -> dict[str, list[object]]:
        """Return the labels of an example by annotator."""
        if "annotations" in example:
            found: dict[str, list[object]] = {}
            for one in as_list(example["annotations"], where, "annotations"):
                annotation = as_object(one, where, "an annotation")
                if "label" not in annotation or "start_offset" in annotation:
                    raise FileError(
                        f"{where}: an annotation is no label of the whole example; only classifications are read"
                    )
                found.setdefault(self._known(annotation.get("user"), where), []).append(annotation["label"])
            if not found:
                self._tally.beside("example", "without an annotation")
            return found
        if "username" in example:
            return {self._known(example["username"], where): as_list(example.get("labels"), where, "labels")}
        label = example.get("label")
        lists = label is None or isinstance(label, list) or str(label).startswith("[")
        labels: list[object] = (
            as_list(label, where, "label") if lists else [*str(label).split("#")]
        )  # as CSV joins them
        if any(isinstance(one, list | dict) for one in labels):
            raise FileError(f"{where}: the label marks parts of the example; only classifications are read")
        return {self._owner(): labels}

    def _known(self, who: object, where: str) -> str:
        """Return the name of an annotator."""
        name = as_cell(who)
        if name is None:
            raise FileError(f"{where}: an annotation has no user, so that it is not known who reports")
        return name

    def _owner(self) -> str:
        """Return the annotator after whom the file is called."""
        name = Path(self._file.name).stem
        if name in _TOGETHER or not self._file.is_named:
            raise FileError(
                f"{self._file.name}: an export of doccano that does not say who labelled: annotators share their "
                "labels in this project, or the file was renamed; give the file of each annotator, such as alice.jsonl "
                "bob.jsonl, of a project in which they do not"
            )
        return name
