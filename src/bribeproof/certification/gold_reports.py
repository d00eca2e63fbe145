"""The reports on gold items as arrays, whatever frame they came in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import FloatArray, IntArray
from bribeproof.errors import DataError
from bribeproof.frames.label_classes import UNKNOWN, Classes, find_classes, numbers_first
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE

SILENT = -1
"""The label of a reporter without a report on the item."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldReports:
    """The reports on gold items.

    Attributes
    ----------
    truth
        The true class of each gold item, UNKNOWN for one that nobody ever reported.
    item, reporter, label
        The index of the item, the reporter and the class of each report, sorted by item and reporter.
    reporters
        The names of the reporters that appear in the frame, on gold items or others, sorted.
    classes
        The classes.
    """

    truth: IntArray
    item: IntArray
    reporter: IntArray
    label: IntArray
    reporters: Sequence[Any]
    classes: Classes

    @property
    def sizes(self) -> IntArray:
        """The number of reports on each gold item."""
        return np.bincount(self.item, minlength=len(self.truth)).astype(np.int64)

    @property
    def right(self) -> FloatArray:
        """Whether each report is right, 1 or 0."""
        right: FloatArray = (self.label == self.truth[self.item]).astype(np.float64)
        return right

    def counts(self) -> IntArray:
        """Return the number of reports by item and class, with one class more, which nobody reported."""
        cells = np.zeros((len(self.truth), len(self.classes.labels) + 1), np.int64)
        np.add.at(cells, (self.item, self.label), 1)
        return cells

    def sheets(self) -> IntArray:
        """Return the class that each reporter reports on each item, SILENT without a report."""
        cells = np.full((len(self.truth), len(self.reporters)), SILENT, np.int64)
        cells[self.item, self.reporter] = self.label
        return cells

    def take(self, items: IntArray) -> "GoldReports":
        """Return the reports on some of the items."""
        position = np.full(len(self.truth), -1, np.int64)
        position[items] = np.arange(len(items))
        kept = position[self.item] >= 0
        return replace(
            self, truth=self.truth[items], item=position[self.item[kept]], reporter=self.reporter[kept],
            label=self.label[kept],
        )  # fmt: skip


def gold_reports(reports: Reports, truths: pl.DataFrame) -> GoldReports:
    """Return the reports on the items with a known truth, those that nobody reported on included.

    Parameters
    ----------
    reports
        All reports.
    truths
        Result of `read_truths`.

    Raises
    ------
    DataError
        If no gold item has a report, or a truth is none of two or more declared classes.
    """
    classes = find_classes(reports)
    truths = truths.with_columns(pl.col(ITEM).cast(pl.String)).sort(ITEM)
    kept = [collect(part.select(ITEM, REPORTER, VALUE)) for part in reports.parts]
    rows = pl.concat(kept).with_columns(pl.col(ITEM).cast(pl.String))
    names = sorted(rows[REPORTER].unique().to_list(), key=numbers_first)
    rows = rows.drop_nulls(VALUE).join(truths.select(ITEM), on=ITEM, how="semi")
    if rows.is_empty():
        raise DataError(
            f"none of the {truths.height} items with a known truth has a report: the ids of the items have to be the "
            f"same"
        )

    def indices(series: pl.Series, values: Sequence[Any]) -> IntArray:
        return series.replace_strict(values, range(len(values)), return_dtype=pl.Int64).to_numpy()

    item = indices(rows[ITEM], truths[ITEM].to_list())
    reporter, label = indices(rows[REPORTER], names), indices(rows[VALUE], list(classes.labels))
    order = np.lexsort((reporter, item))
    return GoldReports(_true_classes(truths, classes), item[order], reporter[order], label[order], names, classes)


def _true_classes(truths: pl.DataFrame, classes: Classes) -> IntArray:
    """Return the class of each gold item."""
    places: dict[Any, int] = {}
    for value in truths[VALUE].unique().to_list():
        place = classes.place(value)
        if place is None and (classes.declared or len(classes.labels) == 2):
            wrong = truths.filter(pl.col(VALUE) == value)[ITEM][0]
            raise DataError(
                f"the truth of item {wrong!r} is {value!r}, which is none of the classes "
                f"({', '.join(classes.shown())}): correct it, or name all classes (--classes)"
            )
        places[value] = UNKNOWN if place is None else place
    if set(places.values()) == {UNKNOWN}:
        raise DataError(
            f"no truth is one of the classes ({', '.join(classes.shown())}): write the truths as the reports are "
            f"written"
        )
    return np.array([places[value] for value in truths[VALUE].to_list()], np.int64)
