"""Read a data frame into a matrix of reports."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.report_matrix import ReportMatrix, check_kind, scale_of
from bribeproof.attacks.strategies import ABSENT
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.gold_labels import read_truths, true_classes
from bribeproof.frames.label_classes import UNKNOWN, Classes, binary_classes, find_classes
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.frames.values.float_limit import LIMIT, float_holds
from bribeproof.frames.values.number_format import read_number

_MOST_CELLS = 2**28


@dataclass(frozen=True, slots=True, eq=False)
class NamedReportMatrix:
    """A matrix that was read from a frame, and where its cells come from.

    Attributes
    ----------
    matrix
        The reports; items and reporters are sorted by name, so that the order of rows does not matter.
    items, reporters
        The names of its rows and columns.
    rows
        The row of the frame that holds each cell; -1 if there is none, or if rows have no order.
    labels
        The labels in class order; empty for scores.
    source
        The validated reports of the frame.
    """

    matrix: ReportMatrix
    items: list[Any]
    reporters: list[Any]
    rows: IntArray
    labels: tuple[Any, ...]
    source: Reports

    def column(self, name: object) -> int:
        """Return the column of a reporter."""
        names = [str(reporter) for reporter in self.reporters]
        if str(name) not in names:
            shown = ", ".join(names[:5]) + ", …" * (len(names) > 5)
            raise ParameterError(f"there is no reporter {str(name)!r}; the {len(names):,} reporters are: {shown}")
        return names.index(str(name))


def read_matrix(
    frame: Any,
    kind: str,
    schema: ReportSchema,
    *,
    truth: object,
    gold_items: Iterable[object] | None,
    truth_column: object = None,
    scale: Sequence[float] | None = None,
) -> NamedReportMatrix:
    """Read a frame of any kind into a matrix.

    Parameters
    ----------
    frame, kind, truth, gold_items, truth_column, scale
        As in `attack`.
    schema
        The columns of the frame, its missing values, duplicates and classes.

    Raises
    ------
    DataError
        If reports or truths cannot be read, or the matrix would not fit in memory.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.
    """
    check_kind(kind)
    scores = kind == "scores"
    reports = validate_reports(frame, schema, scores=scores)
    classes, positive = Classes((), declared=True), 1
    if kind == "votes":
        classes, positive = binary_classes(reports)
    elif kind == "labels":
        classes = find_classes(reports)
    if not scores and not classes.labels:
        raise DataError("there is no label at all: every report is missing")
    columns = [ITEM, REPORTER, VALUE, *([ROW] if reports.source.has_order else [])]
    rows = pl.concat([collect(part.select(columns)) for part in reports.parts])
    items, reporters = (sorted(rows[name].unique().to_list(), key=str) for name in (ITEM, REPORTER))
    if len(items) * len(reporters) > _MOST_CELLS:
        raise DataError(
            f"{len(items):,} items by {len(reporters):,} reporters are too many to attack: take a sample of the items"
        )
    cells, row_of_cell = _fill_cells(rows, items, reporters, None if scores else classes)
    true, is_gold = _read_truth(truth, frame, reports, truth_column or schema.value, items, None if scores else classes)
    if gold_items is not None:
        index_of = {str(name): index for index, name in enumerate(items)}
        is_gold[:] = False
        is_gold[[_index(item, index_of) for item in gold_items]] = True
    if scores:
        matrix = ReportMatrix(cells, true, is_gold, scale=scale_of(cells, scale))
    else:
        matrix = ReportMatrix(cells, true, is_gold, len(classes.labels), positive)
    return NamedReportMatrix(matrix, items, reporters, row_of_cell, classes.labels, reports)


def _fill_cells(
    rows: pl.DataFrame, items: list[Any], reporters: list[Any], classes: Classes | None
) -> tuple[ReportArray, IntArray]:
    """Return the reports, items by reporters, and the row of each cell; classes are None for scores."""
    item, reporter = (
        rows[name].replace_strict(names, range(len(names))).cast(pl.Int64).to_numpy()
        for name, names in ((ITEM, items), (REPORTER, reporters))
    )
    shape = len(items), len(reporters)
    present = rows[VALUE].is_not_null().to_numpy()
    values = rows[VALUE].drop_nulls()
    if classes is None:
        cells: ReportArray = np.full(shape, np.nan)
    else:
        cells = np.full(shape, ABSENT, np.int64)
        values = values.replace_strict(list(classes.labels), range(len(classes.labels)))
    cells[item[present], reporter[present]] = values.to_numpy()
    row_of_cell = np.full(shape, -1, np.int64)
    if ROW in rows.columns:
        for part in (~present, present):  # a report counts where a reporter has an empty row for the item as well
            row_of_cell[item[part], reporter[part]] = rows[ROW].to_numpy()[part]
    return cells, row_of_cell


def _read_truth(
    truth: object, frame: Any, reports: Reports, column: object, items: list[Any], classes: Classes | None
) -> tuple[ReportArray, BoolArray]:
    """Return the truth of each item, coded like the reports, and whether it is known; classes are None for scores."""
    if truth is None:
        return np.full(len(items), np.nan if classes is None else UNKNOWN), np.zeros(len(items), bool)
    truths = read_truths(truth, frame, reports.columns.item, column)
    if classes is None:
        scores = _true_scores(truths, items)
        return scores, ~np.isnan(scores)
    labels = true_classes(truths, items, classes)
    return labels, labels != UNKNOWN


def _index(item: object, index_of: dict[str, int]) -> int:
    """Return the index of a gold item."""
    if str(item) not in index_of:
        raise ParameterError(f"gold item {str(item)!r} has no report: the ids of the items have to be the same")
    return index_of[str(item)]


def _true_scores(truths: pl.DataFrame, items: Sequence[Any]) -> FloatArray:
    """Return the true score of each item, NaN if it is unknown."""
    index_of = {str(name): index for index, name in enumerate(items)}
    scores: FloatArray = np.full(len(items), np.nan)
    for name, score in truths.select(ITEM, VALUE).iter_rows():
        if str(name) not in index_of:
            continue
        number = read_number(score) if isinstance(score, str) else float(score)
        if number is None or not np.isfinite(number):
            raise DataError(f"the truth of item {name!r} is {score!r}, which is no finite number: correct it")
        if not float_holds(str(score)):
            raise DataError(
                f"the truth of item {name!r} is {score!r}, which is beyond 2**53 = {LIMIT} and would be rounded to "
                f"{number!r}: subtract a common offset from the truth and all scores"
            )
        scores[index_of[str(name)]] = number
    return scores
