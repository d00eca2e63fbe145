"""The public function that says how a file or a frame is read."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from bribeproof.frames.out_of_core import scan_table
from bribeproof.frames.reading.from_frame import recognise_frame
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.reading import Reading


def recognise(
    frame: Any,
    *,
    kind: Kind | None = None,
    item: str | Sequence[str] | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] = (),
    turned: bool | None = None,
    not_items: Sequence[str] | None = None,
    criteria: str | None = None,
    criterion_weights: Mapping[str, object] | Sequence[str] | None = None,
    criterion: str | None = None,
    label_sets: str | None = None,
    label_separator: str | None = None,
    no_label: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    asked: str | None = None,
    missing: Sequence[object] = (),
) -> Reading:
    r"""Recognise how a file or a frame is read, as far as it is not said.

    The names of columns decide who reports and what the other columns hold; the reports never do. Where two readings
    are plausible, the error asks which one is meant.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
    kind, item, reporter, value, judges, turned, not_items, criteria, criterion_weights, criterion, missing
        As in `aggregate`.
    label_sets, label_separator, no_label, labels
        As in `aggregate`.
    asked
        The column of how many reporters each item was given to.

    Returns
    -------
    Reading
        The kind of reports, their columns, and what every other column and row is; `aggregate` takes it as ``reading``.

    Raises
    ------
    FileError
        If the file cannot be read.
    ColumnError
        If a named column does not exist.
    QuestionError
        If several readings are plausible; ``choices`` holds the options that decide.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"Bib": [31], "Skier": ["Aurora"], "Anna": [8.2], "Boris": [8.5], "Std Dev": [0.15]})
    >>> reading = recognise(sheet)
    >>> reading.columns.item, reading.columns.judges, [str(other) for other in reading.others]
    ('Skier', ('Anna', 'Boris'), ["'Bib' (a number of the item)", "'Std Dev' (a statistic)"])
    """
    named: dict[str, Any] = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "turned": turned,
        "not_items": not_items, "asked": asked, "missing": missing, "criteria": criteria,
        "criterion_weights": criterion_weights, "criterion": criterion,
        "label_sets": label_sets, "label_separator": label_separator, "no_label": no_label, "labels": labels,
    }  # fmt: skip
    if isinstance(frame, str | PathLike):
        with scan_table(Path(frame)) as table:
            return recognise_frame(table, **named)[0]
    return recognise_frame(frame, **named)[0]
