"""The public function that says how a file or a frame is read."""

from collections.abc import Mapping, Sequence
from typing import Any

from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.open_read import open_read
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
    criterion: str | Sequence[str] | None = None,
    label_sets: str | None = None,
    label_separator: str | None = None,
    no_label: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    asked: str | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: str | None = None,
    decimal_mark: str | None = None,
    scale: Sequence[float] | None = None,
    better: str | None = None,
    total: str | None = None,
    factor: object = None,
    minus: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: int | str | None = None,
    sheet: int | str | None = None,
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
    repeats, order, decimal_mark, scale, better, total, factor, minus
        As in `aggregate`; the reading keeps them for it.
    sep, encoding, format, header_line, sheet
        Of a file: as in `read_table`; the reading keeps them for `aggregate`.

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
    given: dict[str, Any] = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "turned": turned,
        "label_sets": label_sets, "label_separator": label_separator, "no_label": no_label, "labels": labels,
        "not_items": not_items, "asked": asked, "missing": missing, "criteria": criteria, "order": order,
        "criterion_weights": criterion_weights, "criterion": criterion, "repeats": repeats, "scale": scale,
        "decimal_mark": decimal_mark, "better": better, "total": total, "factor": factor, "minus": minus, "sep": sep,
        "encoding": encoding, "format": format, "header_line": header_line, "sheet": sheet,
    }  # fmt: skip
    with open_read(frame, given) as table:
        return table.recognised
