"""The truth of some items, in whatever form it is given."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.label_classes import UNKNOWN, Classes
from bribeproof.frames.native import collect, column_names, open_frame
from bribeproof.frames.schema import ITEM, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports

_WHO = "_who"


def read_truths(truth: object, frame: Any, item: str, column: object) -> pl.DataFrame:
    """Read truths as text.

    Parameters
    ----------
    truth
        A mapping from items to truths, the name of a column of ``frame``, or a frame of its own.
    frame
        The reports.
    item, column
        The columns of the items and, in a frame of its own, of the truth.

    Returns
    -------
    polars.DataFrame
        ITEM and VALUE, one row for each item with a known truth.

    Raises
    ------
    DataError
        If an item has two truths.
    ColumnError
        If a column does not exist.

    Examples
    --------
    >>> read_truths({"t1": "cat", "t2": None}, None, "task", "label").rows()
    [('t1', 'cat')]
    """
    column = str(column)
    if isinstance(truth, Mapping):
        table: Any = pl.DataFrame({item: list(truth), column: list(truth.values())}, strict=False)
    elif isinstance(truth, str):
        column, table = truth, frame
    else:
        table = truth
    absent = [name for name in (item, column) if name not in column_names(table)]
    if absent:
        raise ColumnError(
            f"the truth: there is no column {absent[0]!r}; the columns are: "
            f"{', '.join(map(repr, column_names(table)))}. Name that of the truth: gold=... (--gold)"
        )
    found = collect(open_frame(table, [item, column]).frame.select(item, column).unique())
    found = found.with_columns(pl.lit("gold").alias(_WHO))
    read = validate_reports(found, ReportSchema(item, _WHO, column), scores=False)
    return collect(read.rows.select(ITEM, VALUE)).drop_nulls()


def true_classes(truths: pl.DataFrame, items: Sequence[Any], known: Classes) -> IntArray:
    """Find the class of each item.

    Parameters
    ----------
    truths
        What `read_truths` returns; items without reports are passed over.
    items
        The items, in the order of the result.
    known
        The classes.

    Returns
    -------
    numpy.ndarray
        Places in class order, shape (items,); UNKNOWN where no truth is given.

    Raises
    ------
    DataError
        If the truth of an item is none of the classes.

    Examples
    --------
    >>> truths = read_truths({"t2": "dog"}, None, "task", "label")
    >>> true_classes(truths, ["t1", "t2"], Classes(("cat", "dog"), declared=False))
    array([-1,  1])
    """
    names = {str(name): index for index, name in enumerate(items)}
    found = np.full(len(items), UNKNOWN, np.int64)
    for name, label in truths.select(ITEM, VALUE).iter_rows():
        if str(name) not in names:
            continue
        place = known.place(label)
        if place is None:
            raise DataError(
                f"the truth of item {name!r} is {label!r}, which is none of the classes ({', '.join(known.shown())}): "
                f"correct it, or name all classes (--classes)"
            )
        found[names[str(name)]] = place
    return found


def find_truth_column(columns: Sequence[str], item: str, value: str, named: str) -> str:
    """Find the column of the truth in a table of truths: named like that of the reports, or the only other one.

    Parameters
    ----------
    columns
        The columns of the table.
    item, value
        The columns of the items and of the reports.
    named
        How a user names the column, such as ``--gold``.

    Raises
    ------
    ParameterError
        If there are several, or none.

    Examples
    --------
    >>> find_truth_column(["task", "answer"], "task", "label", named="--gold")
    'answer'
    """
    others = [name for name in columns if name != item]
    if value in others:
        return value
    if len(others) != 1:
        raise ParameterError(f"which column holds the truth? Name it: {named}, one of {', '.join(others) or 'none'}")
    return others[0]
