"""Read exports of Prodigy: a line for each answer, accepted, rejected or ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import as_cell, as_list, labels_cell, parsed
from bribeproof.io.labelling.record_reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Mapping


_TOOL = "Prodigy"
_ITEM, _REPORTER, _ORDER = "task", "annotator", "_timestamp"
_HASHES = ("_task_hash", "_input_hash")
_PEOPLE = ("_annotator_id", "_session_id")
_CHOICE, _VOTE = "choice", "vote"
_VOTES = {"accept": "1", "reject": "0"}
_ANSWERS = ("accept", "reject", "ignore")


class ProdigyReader(RecordReader):
    """Reads answers; see `ExportReader`.

    A line with options is a choice: its answer is the list ``accept``. One without is a vote on what it shows: 1 if it
    was accepted, 0 if it was rejected.
    """

    tool = _TOOL
    item, reporter = _ITEM, _REPORTER

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are answers."""
        if "answer" not in frame.columns or set(_HASHES).isdisjoint(frame.columns):
            return False
        answers = frame["answer"]
        known = not set(_PEOPLE).isdisjoint(frame.columns) or answers.dtype != pl.String
        return known or bool(answers.is_in(_ANSWERS).any())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out so far."""
        votes = any(one.form == "vote" for one in self.export.questions)
        return (self._tally.note + "; an accepted task is a vote of 1, a rejected one of 0" * votes,)

    def _add(self, place: int, line: Mapping[str, Any]) -> None:
        """Add an answer."""
        where = self._file.locate(place)
        number = next((text for name in _HASHES if (text := as_cell(line.get(name)))), None)
        if number is None:
            raise FileError(
                f"{where}: the answer has neither {_HASHES[0]} nor {_HASHES[1]}: export with prodigy db-out"
            )
        where = f"{where} (task {number})"
        who = next((text for name in _PEOPLE if (text := as_cell(line.get(name)))), None)
        if who is None:
            raise FileError(
                f"{where}: neither _annotator_id nor _session_id, so that it is not known who answers; give every "
                "annotator a session (?session=NAME)"
            )
        answer = as_cell(line.get("answer"))
        if answer not in _ANSWERS:
            shown = "missing" if answer is None else shorten(answer)
            raise FileError(f"{where}: the answer is {shown}; it should be {', '.join(_ANSWERS[:2])} or {_ANSWERS[2]}")
        cells = {_ITEM: number, _REPORTER: who, _ORDER: as_cell(line.get(_ORDER))}
        if "options" in line or "accept" in line:
            cells[self._rows.question(_CHOICE, "choice").column] = self._choice(line, answer, where)
        elif str(line.get("_view_id", "")).endswith("manual") or "relations" in line:
            self._tally.beside("answer", "not read, as it marks parts of a text or image")
            return
        else:
            cells[self._rows.question(_VOTE, "vote").column] = self._vote(answer)
        data = {name: value for name, value in line.items() if name[:1] != "_" and name not in ("answer", "accept")}
        self._rows.add(place, cells | self._rows.data(data, "field."))

    def _choice(self, line: Mapping[str, Any], answer: str, where: str) -> str | None:
        """Return the options that were chosen."""
        if answer != "accept":
            self._tally.absent("ignored" if answer == "ignore" else "rejected")
            return None
        config = parsed(line.get("config"))
        several = isinstance(config, dict) and config.get("choice_style") == "multiple"
        cell = labels_cell(as_list(line.get("accept"), where, "accept"), several=several)
        if cell is None:
            self._tally.absent("without a choice")
        else:
            self._tally.add("report")
        return cell

    def _vote(self, answer: str) -> str | None:
        """Return the vote of an answer."""
        if answer == "ignore":
            self._tally.absent("ignored")
        else:
            self._tally.add("report")
        return _VOTES.get(answer)
