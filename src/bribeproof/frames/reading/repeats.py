"""Ask what two different reports of a reporter on an item are, where another column tells them apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bribeproof._text import shorten
from bribeproof.errors import ConflictError
from bribeproof.frames.reading.from_frame import first_rows
from bribeproof.frames.reading.kinds import as_text
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.vocabulary import CRITERIA
from bribeproof.frames.reading.words import words_of
from bribeproof.questions import Choice, QuestionError

_PARTS = ("group", "number", "unknown", "item")
"""Roles of columns that may name the part of an item that a report is about: its round, run or criterion."""
_SPANS = frozenset({
    "sec", "secs", "seconds", "minutes", "hours", "ms", "duration", "elapsed", "lead", "leadtime", "worktime",
    "responsetime", "dauer", "duree", "duracion", "durata", "duracao", "duur",
})  # fmt: skip
"""Words for how long a report took, which does not say which one is the last."""
_TOLD = 3
"""The most readings between which a question asks."""


@contextmanager
def asking_about_repeats(frame: Any, reading: Reading, *, criteria: bool = True) -> Iterator[None]:
    """Turn the error of different reports into a question, where a column that is not used tells them apart.

    Parameters
    ----------
    frame
        The table in its original form.
    reading
        How it is read.
    criteria
        Whether several criteria of one reporter can be combined.

    Raises
    ------
    QuestionError
        If a column such as the round, the criterion or the time of an edit tells the reports apart.
    ConflictError
        If none does.
    """
    try:
        yield
    except ConflictError as error:
        if choices := _choices(frame, reading, criteria=criteria):
            raise QuestionError(error.conflict, choices) from None
        where = reading.columns
        if reading.kind != "labels" or where.judges or reading.turned or reading.label_sets:
            raise
        rows = (
            "or, if such rows are the labels of one report, label_sets='whole' or 'each' with label_separator='rows' "
            "(--label-sets whole --label-separator rows)"
        )
        raise ConflictError(error.conflict, f"{error.remedy}; {rows}") from None


def _choices(frame: Any, reading: Reading, *, criteria: bool) -> list[Choice]:
    """Return the readings by which reports on one item by one reporter are not in conflict."""
    where = reading.columns
    if reading.criteria or not reading.items or where.order:
        return []
    choices = [
        choice
        for name in ([] if reading.turned else _telling(frame, reading))
        for choice in _readings(name, reading, criteria=criteria)
    ]  # fmt: skip
    times = [
        other.name for other in reading.others if other.role == "order" and _SPANS.isdisjoint(words_of(other.name))
    ]
    if len(times) == 1 and _tells_order(frame, times[0]):
        last = Choice(f"the last by {times[0]!r} counts", {"repeats": "last", "order": times[0]})
    else:
        last = Choice("the last row counts", {"repeats": "last"})
    if choices:
        return [*choices[: _TOLD - 1], last]
    return [last, Choice("neither counts", {"repeats": "drop"})] if len(times) == 1 else []


def _tells_order(frame: Any, name: str) -> bool:
    """Return whether a column holds numbers or times from the year on; 3/4/2026 may be in March or in April."""
    text = as_text(first_rows(frame)[0].select(name))
    return name not in text.columns or bool(
        text[name].drop_nulls().str.contains(r"^\s*(\d{4}-\d|\d+([.,]\d*)?\s*$)").all()
    )


def _readings(name: str, reading: Reading, *, criteria: bool) -> list[Choice]:
    """Return what a column may be by which reports are told apart."""
    together = Choice(f"each {shorten(name)} is an item of its own", {"item": [*reading.items, name]})
    if criteria and reading.kind == "scores" and not reading.columns.judges and not CRITERIA.isdisjoint(words_of(name)):
        options = {"criteria": "judge first", "criterion": name}
        return [Choice(f"{shorten(name)} names the criteria, combined for each reporter first", options), together]
    return [together]


def _telling(frame: Any, reading: Reading) -> list[str]:
    """Return the columns, few values of many rows, by which no reporter has two reports on one item."""
    rows, _ = first_rows(frame)
    where = reading.columns
    names = [other.name for other in reading.others if other.role in _PARTS and other.name in rows.columns]
    pair = [*reading.items, *([] if where.judges else [where.reporter])]
    text = as_text(rows.select(*dict.fromkeys([*pair, *names])))
    return [
        name for name in names
        if name in text.columns and 2 <= text[name].n_unique() <= text.height // 2
        and text[name].null_count() == 0
        and not text.select(*pair, name).is_duplicated().any()
    ]  # fmt: skip
