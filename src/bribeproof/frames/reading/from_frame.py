"""Recognise what a frame of any kind holds, by its rows or its first rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import polars as pl

from bribeproof.frames.native import collect, column_names, open_frame
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.reading.exports import options_of_export
from bribeproof.frames.reading.kinds import DECIMAL_COMMA
from bribeproof.frames.reading.label_rows import lists_as_text
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.frames.reading.stated import Stated
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.schema import ROW, check_name_list
from bribeproof.io.read import Table

_NOTHING = Stated()
_FIRST_ROWS = 1000
"""The number of rows by which frames outside memory are recognised."""


def recognise_frame(
    frame: Any,
    *,
    judges: Sequence[str] = (),
    asked: object = None,
    missing: Sequence[object] = (),
    stated: Stated = _NOTHING,
    other: Mapping[str, Role] | None = None,
    **named: Any,
) -> tuple[Reading, tuple[str, ...]]:
    """Recognise how a frame of any kind is read, as far as the user has not named it.

    Parameters
    ----------
    frame
        A frame of any kind, or a table from a file.
    judges
        Wide form: the columns of the reporters, by name or by pattern, such as ``judge_*``.
    asked
        The column of how many reporters each item was given to, or the count itself.
    missing
        Values that stand for no report.
    stated
        What the user states beside the columns.
    other
        Columns that have another role, such as the truth, and their roles.
    **named
        The other options of `recognise_columns`; None where nothing is named.

    Returns
    -------
    Reading
        The kind and the columns of its reports.
    tuple of str
        How it was read, one sentence each.

    Raises
    ------
    ColumnError
        If a named column does not exist.
    DataError
        If two readings are plausible; the message asks which one is meant.

    Examples
    --------
    >>> sheet = pl.LazyFrame({"entry": ["A"], "judge_1": [7.0], "judge_2": [8.5], "judge_3": [9.0]})
    >>> reading, notes = recognise_frame(sheet)
    >>> reading.kind, notes
    ('scores', ("read as scores, wide form: items in 'entry', 3 reporters: 'judge_1', 'judge_2', 'judge_3'",))
    """
    rows, complete = first_rows(frame)
    export = frame.export if isinstance(frame, Table | LargeTable) else None
    named, gold = options_of_export(
        export, rows.columns, {**named, "judges": match_columns(judges, rows.columns) or None}
    )
    reading = recognise_columns(
        lists_as_text(rows, objects=named.get("label_sets") in ("whole", "each")),
        missing=[str(token) for token in missing],
        asked=asked if isinstance(asked, str) else None,
        other={**gold, **stated.roles(rows.columns), **(other or {})},
        **named,
    )
    header_line = frame.header_line if isinstance(frame, Table | LargeTable) else ""
    reading = replace(reading, stated=stated, header_line=header_line, notation=_notation(reading, stated, rows))
    return reading, reading_notes(frame, reading, None if complete else rows.height)


def _notation(reading: Reading, stated: Stated, rows: pl.DataFrame) -> tuple[str, ...]:
    """Return how scores are written, with the decimal mark that is stated for scores in text."""
    columns = {*reading.columns.judges, *reading.turned, reading.columns.value}
    text = any(dtype == pl.String for name, dtype in rows.schema.items() if name in columns)
    if stated.decimal_mark is None or reading.kind != "scores" or not text:
        return reading.notation
    rest = [text for text in reading.notation if text != DECIMAL_COMMA]
    return (*[DECIMAL_COMMA] * (stated.decimal_mark == ","), *rest)


def reading_notes(frame: Any, reading: Reading, rows: int | None = None) -> tuple[str, ...]:
    """Return how a frame was read, one sentence each; `rows` is the number of rows looked at, None for all."""
    by_first = "" if rows is None else f" (by its first {rows:,} rows)"
    notes = frame.notes if isinstance(frame, Table | LargeTable) else ()
    return (*notes, f"read as {reading.describe()}{by_first}")


def first_rows(frame: Any, columns: Sequence[str] | None = None) -> tuple[pl.DataFrame, bool]:
    """Return the rows of a frame in memory, and the first rows of another; and whether these are all rows.

    Examples
    --------
    >>> rows, complete = first_rows(pl.LazyFrame({"task": range(2000)}))
    >>> rows.height, complete
    (1000, False)
    """
    if isinstance(frame, LargeTable):
        return frame.head if columns is None else frame.head.select(columns), False
    if columns is None:
        columns = [name for name in column_names(frame) if name != ROW]  # the library's own name for row numbers
    opened = open_frame(frame, columns)
    if opened.eager:
        return collect(opened.frame).drop(ROW), True
    rows = collect(opened.frame.head(_FIRST_ROWS)).drop(ROW, strict=False)
    return rows, rows.height < _FIRST_ROWS


def match_columns(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that have a name or match a pattern, in the order of the patterns.

    Examples
    --------
    >>> match_columns(["judge_*", "chair"], ["entry", "judge_1", "judge_2", "chair"])
    ['judge_1', 'judge_2', 'chair']
    """
    check_name_list("judges", patterns)
    existing = set(names)
    chosen: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in existing else [name for name in names if fnmatchcase(name, pattern)]
        chosen |= dict.fromkeys(matches or [pattern])
    return list(chosen)
