"""Read records of Argilla, as its versions 1 and 2 export them: nested, flat, or a column for each question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import as_cell, as_list, as_object, is_nested, labels_cell, parsed
from bribeproof.io.labelling.record_reader import RecordReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl


_TOOL = "Argilla"
_ITEM, _REPORTER = "record", "user"
_IDS = ("id", "external_id", "_server_id")
_FLAT, _USERS, _STATUS = ".responses", ".responses.users", ".responses.status"
_SUGGESTED = "-suggestion"
_MODEL = "model:"
_UNSENT = ("discarded", "draft")
_Answer = tuple[str, object, object, object]


class ArgillaReader(RecordReader):
    """Reads records; see `ExportReader`."""

    tool = _TOOL
    item, reporter = _ITEM, _REPORTER

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are records."""
        names = frame.columns
        nested = {"fields", "responses"} <= set(names) and is_nested(frame["fields"]) and is_nested(frame["responses"])
        flat = any(name.endswith(_USERS) for name in names)
        return nested or flat or ("external_id" in names and any(name.endswith(_SUGGESTED) for name in names))

    def _add(self, place: int, record: Mapping[str, Any]) -> None:
        """Add the responses to a record."""
        where = self._file.locate(place)
        number = next((text for name in _IDS if (text := as_cell(record.get(name)))), None) or str(place)
        where = f"{where} (id {number})"
        self._tally.add("record")
        by_user: dict[str, dict[str, str | None]] = {}
        for name, value, user, status in _answers(record, where):
            who = as_cell(user)
            if who is None:
                raise FileError(f"{where}: a response to {name!r} has no user, so that it is not known who reports")
            cells = by_user.setdefault(who, {})
            if status in _UNSENT:
                self._tally.absent(str(status))
            elif parsed(value) is None:
                self._tally.absent("without a value")
            elif (cell := self._cell(name, value)) is not None:
                self._tally.add("response")
                column = self._rows.question(name, "answer").column
                if column in cells:
                    raise FileError(f"{where}: user {who} has two responses to {name!r}; keep one")
                cells[column] = cell
        if not by_user:
            self._tally.beside("record", "without a response")
        for name, suggestion in _suggestions(record):
            if not self._file.predictions:
                self._tally.beside("suggestion", "not read, as no reporter's")
            elif (cell := self._cell(name, suggestion.get("value"))) is not None:
                agent = _MODEL + (as_cell(suggestion.get("agent")) or "unknown")
                by_user.setdefault(agent, {})[self._rows.question(name, "answer").column] = cell
                self._tally.add("suggestion")
        data: dict[str, str] = {}
        for kept in ("fields", "metadata"):
            shown = parsed(record.get(kept))
            data |= self._rows.data(shown if isinstance(shown, dict) else {}, f"{kept}.")
        for who, cells in by_user.items():
            self._rows.add(place, {_ITEM: number, _REPORTER: who, **cells, **data})

    def _cell(self, name: str, value: object) -> str | None:
        """Return an answer as a cell; None of a missing one, and of one that is no label or rating."""
        answer = parsed(value)
        if isinstance(answer, list) and not any(isinstance(one, dict | list) for one in answer):
            return labels_cell(answer, several=True)
        if isinstance(answer, dict | list):
            self._tally.beside("response", f"to {name!r}, a ranking or about parts of a text: not read")
            return None
        return as_cell(answer)


def _answers(record: Mapping[str, Any], where: str) -> Iterator[_Answer]:
    """Yield the question, the value, the user and the status of each response to a record."""
    responses = parsed(record.get("responses"))
    if isinstance(responses, dict):  # version 2: a list for each question
        for name, given in responses.items():
            for one in as_list(given, where, f"the responses to {name!r}"):
                response = as_object(one, where, f"a response to {name!r}")
                yield name, response.get("value"), response.get("user_id"), response.get("status")
        return
    for one in as_list(responses, where, "responses"):  # version 1: a response of each user to all questions
        response = as_object(one, where, "a response")
        values = as_object(response.get("values") or {}, where, "the values of a response")
        for name, given in values.items():
            value = given.get("value") if isinstance(given, dict) else given
            yield name, value, response.get("user_id"), response.get("status")
        if not values:
            yield "", None, response.get("user_id"), response.get("status")
    for column, cell in record.items():
        name = column.removesuffix(_FLAT)
        if name != column and name + _USERS in record:  # version 2, flat: lists of values, users and states
            given, users = (as_list(record.get(one), where, one) for one in (column, name + _USERS))
            states = as_list(record.get(name + _STATUS), where, name + _STATUS) or [None] * len(users)
            if not len(given) == len(users) == len(states):
                raise FileError(
                    f"{where}: {column!r} holds {len(given)} responses of {len(users)} users and {len(states)} states"
                )
            yield from ((name, *one) for one in zip(given, users, states, strict=True))
        elif column + _SUGGESTED in record or (isinstance(cell, list) and _is_responses(cell)):
            for one in as_list(cell, where, column) if isinstance(parsed(cell), list) else []:
                response = as_object(one, where, f"a response to {column!r}")  # version 1, as a data set
                yield column, response.get("value"), response.get("user_id"), response.get("status")


def _is_responses(cell: Sequence[object]) -> bool:
    """Return whether a list holds responses of users."""
    return bool(cell) and all(isinstance(one, dict) and {"user_id", "value"} <= one.keys() for one in cell)


def _suggestions(record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the question and the suggestion of each suggestion for a record."""
    found: object = parsed(record.get("suggestions"))
    if isinstance(found, dict):
        yield from ((name, one) for name, one in found.items() if isinstance(one, dict))
    elif isinstance(found, list):
        yield from ((str(one.get("question_name")), one) for one in found if isinstance(one, dict))
    for column, value in record.items():
        name = column.removesuffix(_SUGGESTED).removesuffix(".suggestion")
        if name != column and parsed(value) is not None:
            agent = record.get(f"{column}.agent", record.get(f"{column}-metadata", None))
            yield name, {"value": value, "agent": agent if isinstance(agent, str) else None}
