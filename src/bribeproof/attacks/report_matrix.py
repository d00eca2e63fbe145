"""Reports as a dense sheet, items by reporters, and the lies that some of its reporters would tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.strategies import ABSENT, LabelKnowledge, ScoreKnowledge, Target
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.gold_labels import read_truths, true_classes
from bribeproof.frames.label_classes import UNKNOWN, Classes, find_classes, two_sides
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports

KINDS = ("votes", "labels", "scores")
_MOST_CELLS = 2**28


@dataclass(frozen=True, slots=True, eq=False)
class ReportMatrix:
    """Reports, items by reporters, and what is known of the items.

    Attributes
    ----------
    reports
        Labels as int64 places in class order, ABSENT where missing; or scores as float64, NaN where missing.
    truth
        The truth of each item, in the same notation.
    gold
        Which items are known to be gold.
    classes
        The number of classes; 0 of scores.
    positive
        The place of the class that counts as 1.
    scale
        The lowest and the highest score.
    """

    reports: ReportArray
    truth: ReportArray
    gold: BoolArray
    classes: int = 0
    positive: int = 1
    scale: tuple[float, float] = (0.0, 1.0)

    @property
    def present(self) -> BoolArray:
        """Where there is a report."""
        return ~np.isnan(self.reports) if self.classes == 0 else self.reports != ABSENT

    def lies(
        self,
        adversaries: IntArray,
        strategy: str,
        rng: np.random.Generator,
        *,
        counts: IntArray | None = None,
        copied: int | None = None,
        target: Target | None = None,
        answer_all: bool = False,
    ) -> ReportArray:
        """Return what some reporters would say as adversaries, items by adversaries.

        Parameters
        ----------
        adversaries
            Their columns.
        strategy
            One of `STRATEGIES`.
        rng
            Source of the randomness.
        counts
            How many reporters chose each class of each item, where it is known already.
        copied
            The column of the reporter that is copied.
        target
            The rule to hurt.
        answer_all
            Whether adversaries answer items that they did not answer honestly.
        """
        if (strategy == "copy") != (copied is not None):
            raise ParameterError("copy=..., the reporter that is copied, goes with strategy='copy' and no other")
        own = self.reports[:, adversaries]
        answers = np.ones(own.shape, bool) if answer_all else self.present[:, adversaries]
        example = np.full(len(own), ABSENT) if copied is None else self.reports[:, copied]
        if self.classes == 0:
            return ScoreKnowledge(
                own=own,
                answers=answers,
                honest=_means(np.delete(self.reports, adversaries, axis=1)),
                truth=self.truth,
                gold=self.gold,
                copied=example,
                rng=rng,
                scale=self.scale,
            ).lies(strategy)
        total = histograms(self.reports, self.classes) if counts is None else counts
        return LabelKnowledge(
            own=own,
            answers=answers,
            honest=total - histograms(own, self.classes),
            truth=self.truth,
            gold=self.gold,
            copied=example,
            rng=rng,
            positive=self.positive,
            target=target,
        ).lies(strategy)


@dataclass(frozen=True, slots=True, eq=False)
class NamedReportMatrix:
    """A sheet that was read from a frame.

    Attributes
    ----------
    sheet
        The reports; items and reporters sorted by name, so that the order of rows changes nothing.
    items, reporters
        Their names.
    rows
        The row of the frame that holds each cell, -1 where none does and where rows have no order.
    labels
        The labels in class order; none of scores.
    source
        The validated reports of the frame.
    """

    sheet: ReportMatrix
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


def histograms(labels: IntArray, classes: int) -> IntArray:
    """Count the labels of each item by class, items by classes.

    Examples
    --------
    >>> histograms(np.array([[0, 2, 2], [1, ABSENT, 1]]), classes=3)
    array([[1, 0, 2],
           [0, 2, 0]])
    """
    items = len(labels)
    place = labels + 1 + (classes + 1) * np.arange(items)[:, None]
    counted = np.bincount(place.ravel(), minlength=items * (classes + 1))
    return counted.reshape(items, classes + 1)[:, 1:]


def scale_of(scores: FloatArray, scale: Sequence[float] | None) -> tuple[float, float]:
    """Return the ends of the scale: as given, else the lowest and the highest score.

    Raises
    ------
    ParameterError
        If it is no scale, or a score lies outside.
    """
    known = scores[~np.isnan(scores)]
    if scale is None:
        return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    try:
        low, high = (float(end) for end in scale)
    except (TypeError, ValueError):
        low, high = 0.0, 0.0
    if not -np.inf < low < high < np.inf:
        raise ParameterError(f"scale={scale!r}: give the lowest and the highest score, such as (0, 10)")
    if known.size and not low <= known.min() <= known.max() <= high:
        raise ParameterError(f"scale=({low:g}, {high:g}): there are scores from {known.min():g} to {known.max():g}")
    return low, high


def read_sheet(
    frame: Any,
    kind: str,
    schema: ReportSchema,
    *,
    truth: object,
    gold_items: Iterable[object] | None,
    truth_column: object = None,
    scale: Sequence[float] | None = None,
) -> NamedReportMatrix:
    """Read a frame of any kind into a sheet.

    Parameters
    ----------
    frame, kind, truth, gold_items, truth_column, scale
        As in `attack`.
    schema
        The columns of the frame, its missing values, duplicates and classes.

    Raises
    ------
    DataError
        If reports or truths cannot be read, or the sheet would not fit in memory.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.
    """
    check_kind(kind)
    scores = kind == "scores"
    reports = validate_reports(frame, schema, scores=scores)
    known, place = Classes((), declared=True), 1
    if kind == "votes":
        known, place = two_sides(reports)
    elif kind == "labels":
        known = find_classes(reports)
    if not scores and not known.labels:
        raise DataError("there is no label at all: every report is missing")
    columns = [ITEM, REPORTER, VALUE, *([ROW] if reports.source.has_order else [])]
    rows = pl.concat([collect(part.select(columns)) for part in reports.parts])
    items, reporters = (sorted(rows[name].unique().to_list(), key=str) for name in (ITEM, REPORTER))
    if len(items) * len(reporters) > _MOST_CELLS:
        raise DataError(
            f"{len(items):,} items by {len(reporters):,} reporters are too many to attack: take a sample of the items"
        )
    places = [
        rows[name].replace_strict(names, range(len(names))) for name, names in ((ITEM, items), (REPORTER, reporters))
    ]
    cells = tuple(column.cast(pl.Int64).to_numpy() for column in places)
    shape = len(items), len(reporters)
    sheet: ReportArray = np.full(shape, np.nan) if scores else np.full(shape, ABSENT, np.int64)
    held = rows[VALUE].is_not_null().to_numpy()
    said = rows[VALUE].drop_nulls()
    sheet[cells[0][held], cells[1][held]] = (
        said if scores else said.replace_strict(list(known.labels), range(len(known.labels)))
    ).to_numpy()
    where = np.full(shape, -1, np.int64)
    if reports.source.has_order:
        for part in (~held, held):
            where[cells[0][part], cells[1][part]] = rows[ROW].to_numpy()[part]
    true, known_gold = np.full(len(items), np.nan if scores else UNKNOWN), np.zeros(len(items), bool)
    if truth is not None:
        truths = read_truths(truth, frame, reports.columns.item, truth_column or schema.value)
        true = _true_scores(truths, items) if scores else true_classes(truths, items, known)
        known_gold = ~np.isnan(true) if scores else true != UNKNOWN
    if gold_items is not None:
        names = {str(name): index for index, name in enumerate(items)}
        known_gold[:] = False
        known_gold[[_place(one, names) for one in gold_items]] = True
    if scores:
        matrix = ReportMatrix(sheet, true, known_gold, scale=scale_of(sheet, scale))
    else:
        matrix = ReportMatrix(sheet, true, known_gold, len(known.labels), place)
    return NamedReportMatrix(matrix, items, reporters, where, known.labels, reports)


def check_kind(kind: object) -> None:
    """Check that there is such a kind of report."""
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(KINDS)}")


def _place(item: object, names: dict[str, int]) -> int:
    """Return the place of a gold item."""
    if str(item) not in names:
        raise ParameterError(f"gold item {str(item)!r} has no report: the ids of the items have to be the same")
    return names[str(item)]


def _true_scores(truths: pl.DataFrame, items: Sequence[Any]) -> FloatArray:
    """Return the true score of each item, NaN where it is not known."""
    names = {str(name): index for index, name in enumerate(items)}
    found: FloatArray = np.full(len(items), np.nan)
    for name, score in truths.select(ITEM, VALUE).iter_rows():
        if str(name) not in names:
            continue
        try:
            number = float(score)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise DataError(f"the truth of item {name!r} is {score!r}, which is no finite number: correct it")
        found[names[str(name)]] = number
    return found


def _means(scores: FloatArray) -> FloatArray:
    """Return the mean of each row without its NaN; NaN where nothing is left."""
    known = ~np.isnan(scores)
    count = known.sum(axis=1)
    total = np.where(known, scores, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
