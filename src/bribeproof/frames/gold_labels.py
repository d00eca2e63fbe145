"""Read the known truth of gold items, in any of the forms in which it can be given."""

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import list_names
from bribeproof._typing import IntArray
from bribeproof.errors import ColumnError, ConflictError, DataError, ParameterError
from bribeproof.frames.label_classes import UNKNOWN, Classes
from bribeproof.frames.native import collect, column_names, distinct_rows
from bribeproof.frames.native.pandas_frames import typed_series
from bribeproof.frames.schema import ITEM, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports

_WHO = "_who"


def read_truths(truth: object, frame: Any, item: str, column: object) -> pl.DataFrame:
    """Return the known truths of items.

    Parameters
    ----------
    truth
        A mapping from items to truths, the name of a column of ``frame``, or a separate frame.
    frame
        The reports.
    item, column
        The columns of the items and, in a separate frame, of the truth.

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
        table: Any = pl.DataFrame([_series(item, list(truth)), _series(column, list(truth.values()))])
    elif isinstance(truth, str):
        column, table = truth, frame
    else:
        table = truth
    absent = [name for name in (item, column) if name not in column_names(table)]
    if absent:
        remedy = (
            "Rename the one that holds the names of the items as in the reports"
            if absent[0] == item
            else "Name the column of the truth, with truth_column if it is not in the reports (--gold)"
        )
        raise ColumnError(_no_column(absent[0], column_names(table), remedy))
    truths = distinct_rows(table, [item, column])
    truths = truths.with_columns(pl.lit("gold").alias(_WHO))
    try:
        reports = validate_reports(truths, ReportSchema(item, _WHO, column), scores=False)
    except ConflictError:
        raise _two_truths(truths, item, column) from None
    return collect(reports.rows.select(ITEM, VALUE)).drop_nulls()


def _no_column(name: str, columns: Sequence[str], remedy: str) -> str:
    """Return what is said of a column that a table of the truth lacks."""
    return f"the truth: there is no column {name!r}; the columns are: {list_names(columns)}. {remedy}"


def _two_truths(truths: pl.DataFrame, item: str, column: str) -> DataError:
    """Return the error for the first item with several truths."""
    known = truths.select(pl.col(item, column).cast(pl.String)).drop_nulls().sort(item, column)
    several = known.group_by(item, maintain_order=True).agg(pl.col(column).unique(maintain_order=True))
    name, given = several.filter(pl.col(column).list.len() > 1).row(0)
    return DataError(
        f"item {name!r} has {len(given)} truths, {list_names(given)} (column {column!r} of the truth): give it one"
    )


def _series(name: str, values: list[Any]) -> pl.Series:
    """Return ids or labels as a series; numbers keep their digits, and mixed types become text."""
    numbers = all(value is None or (isinstance(value, Number) and not isinstance(value, bool)) for value in values)
    return typed_series(name, values) if numbers else pl.Series(name, values, strict=False)


def true_classes(truths: pl.DataFrame, items: Sequence[Any], known: Classes) -> IntArray:
    """Return the true class of each item.

    Parameters
    ----------
    truths
        Result of `read_truths`; items without reports are ignored.
    items
        The items, in the order of the result.
    known
        The classes.

    Returns
    -------
    numpy.ndarray
        Indices in class order, shape (items,); UNKNOWN if no truth is given.

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
    indices = np.full(len(items), UNKNOWN, np.int64)
    for name, label in truths.select(ITEM, VALUE).iter_rows():
        if str(name) not in names:
            continue
        place = known.place(label)
        if place is None:
            raise DataError(
                f"the truth of item {name!r} is {label!r}, which is none of the classes ({', '.join(known.shown())}): "
                f"correct it, or name all classes (--classes)"
            )
        indices[names[str(name)]] = place
    return indices


def find_truth_column(columns: Sequence[str], item: str, value: str, named: str) -> str:
    """Return the column of the truth: the one named like that of the reports, or the only one besides the items.

    Parameters
    ----------
    columns
        The columns of the table.
    item, value
        The columns of the items and of the reports.
    named
        The option with which a user names the column, such as ``--gold``.

    Raises
    ------
    ColumnError
        If there is no column of the items.
    ParameterError
        If several columns are possible, or none.

    Examples
    --------
    >>> find_truth_column(["task", "answer"], "task", "label", named="--gold")
    'answer'
    """
    if item not in columns:
        raise ColumnError(
            _no_column(item, columns, "Rename the one that holds the names of the items as in the reports")
        )
    others = [name for name in columns if name != item]
    if value in others:
        return value
    if len(others) != 1:
        raise ParameterError(f"which column holds the truth? Name it: {named}, one of {', '.join(others) or 'none'}")
    return others[0]
