"""Find the truth of some items: in a file, a frame, a mapping, a column of the reports, or an export that holds it."""

from collections.abc import Collection, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from bribeproof.frames.gold_labels import find_truth_column
from bribeproof.frames.native import column_names, to_polars
from bribeproof.frames.reading.label_rows import lists_as_text, ordinary_truth
from bribeproof.frames.reading.reading import Reading, has_sets
from bribeproof.io.formats import FORMATS
from bribeproof.io.read import Table, read_table


def is_truth_file(truth: object, columns: Collection[str] = ()) -> bool:
    """Return whether the truth is the path of a file: text that ends like one, and is no column, is one.

    Examples
    --------
    >>> is_truth_file("gold.csv"), is_truth_file("gold"), is_truth_file("gold.csv", ["task", "gold.csv"])
    (True, False, False)
    """
    if isinstance(truth, str):
        return truth not in columns and Path(truth).suffix.lower() in FORMATS
    return isinstance(truth, PathLike)


def known_truth(
    truth: Any,
    column: object,
    item: str,
    value: str,
    *,
    reading: Reading | None = None,
    columns: Collection[str] = (),
    named: str = "truth_column=",
) -> tuple[object, str]:
    """Return the truth and its column, as `read_truths` takes them.

    Parameters
    ----------
    truth
        The path of a file, a frame, a mapping from items, or the name of a column of the reports; None if unknown.
    column
        The column of the truth in a file or frame of its own; None for the one named like that of the reports, or the
        only one beside the items.
    item, value
        The columns of the items and of the reports.
    reading
        How the reports are read, if they may hold several labels.
    columns
        The columns of the reports.
    named
        How the column is named, for errors.

    Raises
    ------
    FileError
        If the file cannot be read.
    ParameterError
        If several columns may hold the truth.

    Examples
    --------
    >>> known_truth(pl.DataFrame({"task": ["t1"], "answer": ["cat"]}), None, "task", "label")[1]
    'answer'
    """
    is_file = is_truth_file(truth, columns)
    stated = None if column is None else str(column)
    if truth is None or (isinstance(truth, str) and not is_file):
        return truth, stated or value
    if isinstance(truth, Mapping):
        if reading is None or not has_sets(reading):
            return truth, stated or value
        items, answers = pl.Series(list(map(str, truth))), pl.Series(list(truth.values()), strict=False)
        return ordinary_truth(lists_as_text(pl.DataFrame({item: items, value: answers})), value, reading), value
    table = read_table(truth) if is_file else truth
    names = column_names(table)
    found = find_truth_column(names, item, value, named=named) if stated is None else stated
    if reading is None or not has_sets(reading) or not {item, found} <= set(names):
        return table, found
    rows = table.frame if isinstance(table, Table) else to_polars(table)
    return ordinary_truth(lists_as_text(rows), found, reading), found


def truth_of_export(table: Any, value: str) -> str | None:
    """Return the column of the truth that the export of a labelling tool holds; None if it holds none.

    Parameters
    ----------
    table
        The table as it stands.
    value
        The column of the reports.
    """
    export = getattr(table, "export", None)
    asked = export.questions if export else ()
    return next((one.gold for one in asked if one.gold and one.column == value), None)
