"""Read an array into a matrix of reports, and write the reports of adversaries into it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import IntArray
from bribeproof._validation import validate_k
from bribeproof.arrays.blocks import ReportArray, reporters_last, unmasked
from bribeproof.arrays.vote_counts import count_votes
from bribeproof.attacks.report_matrix import ReportMatrix, scale_of
from bribeproof.attacks.strategies import ABSENT
from bribeproof.errors import DataError, ParameterError


def matrix_from_array(
    reports: ArrayLike,
    kind: str,
    *,
    truth: Any,
    gold_items: Iterable[Any] | None,
    positive: object,
    classes: Sequence[Any] | None,
    scale: Sequence[float] | None,
) -> tuple[ReportMatrix, ReportArray, ReportArray]:
    """Return the matrix of an array, the labels in class order (none for scores), and the array itself."""
    array = reporters_last(reports, -1)
    if array.ndim != 2:
        raise ParameterError(f"reports have {array.ndim} axes: give items by reporters, two axes")
    try:
        numbers = array.astype(np.float64)
        true = np.full(len(array), np.nan) if truth is None else unmasked(truth).astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("reports and truths are numbers, NaN where missing: give an array of numbers") from None
    if true.shape != numbers.shape[:1]:
        raise ParameterError(f"truth has shape {true.shape}: give one value for each of the {len(array)} items")
    is_gold = ~np.isnan(true)
    if gold_items is not None:
        rows = np.array([validate_k(row) for row in gold_items], np.int64)
        if rows.size and rows.max() >= len(array):
            raise ParameterError(f"gold item {rows.max()}: there are {len(array)} items, counted from 0")
        is_gold = np.isin(np.arange(len(array)), rows)
    if kind == "scores":
        if np.isinf(numbers).any():
            raise DataError("a score is infinite: correct it, or make it NaN where it is missing")
        return ReportMatrix(numbers, true, is_gold, scale=scale_of(numbers, scale)), np.empty(0), numbers
    if kind == "votes":
        if positive not in (0, 1):
            raise ParameterError(f"positive={positive!r}: in an array the votes are 0 and 1")
        count_votes(array)
        labels = np.array([0.0, 1.0])
    elif classes is None:
        labels = np.unique(numbers[~np.isnan(numbers)])
    else:
        labels = _declared(classes)
    if not labels.size:
        raise DataError("there is no label at all: every report is NaN")
    indices = [_class_indices(given, labels, what) for given, what in ((numbers, "label"), (true, "truth"))]
    matrix = ReportMatrix(indices[0], indices[1], is_gold, len(labels), int(positive == 1) if kind == "votes" else 1)
    return matrix, labels, array


def _declared(classes: Sequence[Any]) -> ReportArray:
    """Return the declared classes as numbers."""
    try:
        labels = unmasked(classes).astype(np.float64)
    except (TypeError, ValueError):
        labels = np.empty(0)
    if labels.ndim != 1 or not 0 < len(np.unique(labels)) == len(labels) or np.isnan(labels).any():
        raise ParameterError(f"classes={classes!r}: in an array classes are numbers, at least one, each once")
    return labels


def _class_indices(given: ReportArray, labels: ReportArray, what: str) -> IntArray:
    """Return the class indices of labels, ABSENT where NaN."""
    order = np.argsort(labels, kind="stable")
    index = order[np.searchsorted(labels[order], given).clip(max=len(labels) - 1)]
    missing = np.isnan(given)
    strange = ~missing & (labels[index] != given)
    if strange.any():
        listed = ", ".join(f"{label:g}" for label in labels[:10])
        raise DataError(
            f"{what} {given[strange][0]:g} is none of the classes ({listed}): correct it, or name all classes"
        )
    return np.where(missing, ABSENT, index)


def column_finder(matrix: ReportMatrix) -> Callable[[Any], int]:
    """Return a function that checks the index of a column."""
    width = matrix.reports.shape[1]

    def find(column: Any) -> int:
        if isinstance(column, bool) or not isinstance(column, int | np.integer) or not 0 <= column < width:
            raise ParameterError(f"reporter {column!r}: of an array reporters are columns, 0 to {width - 1}")
        return int(column)

    return find


def rewrite_array(array: ReportArray, columns: IntArray, lies: ReportArray, labels: ReportArray) -> ReportArray:
    """Return the array with the reports of adversaries in some of its columns."""
    values = lies
    if labels.size:
        empty = 0 if array.dtype.kind in "biu" else np.nan  # an array of integers has no missing reports
        values = np.where(lies == ABSENT, empty, labels[lies])
    result = array.copy()
    result[:, columns] = values
    return result
