"""Arrays of reports as sheets, and sheets' lies put back into arrays."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import IntArray
from bribeproof._validation import validate_k
from bribeproof.arrays.blocks import ReportArray, reporters_last
from bribeproof.arrays.vote_counts import count_votes
from bribeproof.attacks.report_matrix import ReportMatrix, scale_of
from bribeproof.attacks.strategies import ABSENT
from bribeproof.errors import DataError, ParameterError


def array_sheet(
    reports: ArrayLike,
    kind: str,
    *,
    truth: Any,
    gold_items: Iterable[Any] | None,
    positive: object,
    classes: Sequence[Any] | None,
    scale: Sequence[float] | None,
) -> tuple[ReportMatrix, ReportArray, ReportArray]:
    """Read an array: its sheet, the labels in class order, and the array itself."""
    array = reporters_last(reports, -1)
    if array.ndim != 2:
        raise ParameterError(f"reports have {array.ndim} axes: give items by reporters, two axes")
    try:
        numbers = array.astype(np.float64)
        true = np.full(len(array), np.nan) if truth is None else np.asarray(truth, np.float64)
    except (TypeError, ValueError):
        raise DataError("reports and truths are numbers, NaN where missing: give an array of numbers") from None
    if true.shape != numbers.shape[:1]:
        raise ParameterError(f"truth has shape {true.shape}: give one value for each of the {len(array)} items")
    known_gold = ~np.isnan(true)
    if gold_items is not None:
        rows = np.array([validate_k(row) for row in gold_items], np.int64)
        if rows.size and rows.max() >= len(array):
            raise ParameterError(f"gold item {rows.max()}: there are {len(array)} items, counted from 0")
        known_gold = np.isin(np.arange(len(array)), rows)
    if kind == "scores":
        if np.isinf(numbers).any():
            raise DataError("a score is infinite: correct it, or make it NaN where it is missing")
        return ReportMatrix(numbers, true, known_gold, scale=scale_of(numbers, scale)), np.empty(0), numbers
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
    places = [_places(given, labels, what) for given, what in ((numbers, "label"), (true, "truth"))]
    sheet = ReportMatrix(places[0], places[1], known_gold, len(labels), int(positive == 1) if kind == "votes" else 1)
    return sheet, labels, array


def _declared(classes: Sequence[Any]) -> ReportArray:
    """Return the classes that the user declared."""
    try:
        labels = np.asarray(classes, np.float64)
    except (TypeError, ValueError):
        labels = np.empty(0)
    if labels.ndim != 1 or not 0 < len(np.unique(labels)) == len(labels) or np.isnan(labels).any():
        raise ParameterError(f"classes={classes!r}: in an array classes are numbers, at least one, each once")
    return labels


def _places(given: ReportArray, labels: ReportArray, what: str) -> IntArray:
    """Return the places of labels in class order, ABSENT where NaN."""
    order = np.argsort(labels, kind="stable")
    found = order[np.searchsorted(labels[order], given).clip(max=len(labels) - 1)]
    missing = np.isnan(given)
    strange = ~missing & (labels[found] != given)
    if strange.any():
        listed = ", ".join(f"{label:g}" for label in labels[:10])
        raise DataError(
            f"{what} {given[strange][0]:g} is none of the classes ({listed}): correct it, or name all classes"
        )
    return np.where(missing, ABSENT, found)


def column_finder(sheet: ReportMatrix) -> Callable[[Any], int]:
    """Return what checks the number of a column."""
    width = sheet.reports.shape[1]

    def find(column: Any) -> int:
        if isinstance(column, bool) or not isinstance(column, int | np.integer) or not 0 <= column < width:
            raise ParameterError(f"reporter {column!r}: of an array reporters are columns, 0 to {width - 1}")
        return int(column)

    return find


def with_lies(array: ReportArray, columns: IntArray, said: ReportArray, labels: ReportArray) -> ReportArray:
    """Return the array with lies in some of its columns."""
    if not labels.size:
        lies = said
    else:
        lies = np.where(said == ABSENT, np.nan, labels[said])
        if array.dtype.kind in "biu":
            lies = np.where(said == ABSENT, 0, lies)
    result = array.copy()
    result[:, columns] = lies
    return result
