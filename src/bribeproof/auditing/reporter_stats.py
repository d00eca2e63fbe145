"""Compare the reports of each reporter with the others over all items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.auditing.deviation_tests import compare_labels, compare_scores, mean_on_item, upper_tails


@dataclass(frozen=True, slots=True)
class IndexedReports:
    """Reports by the indices of their item and reporter; `panel` is the number of reporters."""

    item: IntArray
    reporter: IntArray
    panel: int

    def count(self, flags: BoolArray | None = None) -> IntArray:
        """Return the number of flagged reports of each reporter, or of all reports."""
        chosen = self.reporter if flags is None else self.reporter[flags]
        return np.bincount(chosen, minlength=self.panel)

    def total(self, values: FloatArray) -> FloatArray:
        """Return the sum of a value over the reports of each reporter."""
        return np.asarray(np.bincount(self.reporter, values, self.panel), np.float64)

    def test(self, apart: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return the expected number of deviations of each reporter under the null, and its upper-tail p-value."""
        chances = mean_on_item(self.item, apart)
        possible = chances > 0
        return self.total(chances), upper_tails(self.reporter[possible], chances[possible], self.count(apart))


@dataclass(frozen=True, slots=True)
class ReporterStats:
    """How the reports deviate from the others.

    Attributes
    ----------
    compared_reports
        Per report: whether it could be compared.
    side
        Per report: the code by which reporters are compared in pairs, the label or the side of the mean.
    distance
        Per report: its deviation.
    value, usual
        Per report: what the test of a group compares, and what the others on the item have of it; NaN if nothing.
    minority
        Per report: whether it is against the majority of the others; None for scores.
    columns
        Per reporter: the columns that only scores, or only labels, have.
    compared, apart, expected, p_value
        Per reporter: the number of compared reports; of deviating ones; the expected number of those; the p-value.
    """

    compared_reports: BoolArray
    side: IntArray
    distance: FloatArray
    value: FloatArray
    usual: FloatArray
    minority: BoolArray | None
    columns: dict[str, Any]
    compared: IntArray
    apart: IntArray
    expected: FloatArray
    p_value: FloatArray


def compare_to_consensus(indexed: IndexedReports, score: FloatArray, k: int) -> ReporterStats:
    """Compare scores with the trimmed mean of the others on the item."""
    others = compare_scores(indexed.item, indexed.reporter, score, k)
    deviation, comparable = others.deviation, others.comparable
    above, below = deviation > 0, deviation < 0
    compared = indexed.count(comparable)
    mean = share(indexed.total(deviation), compared)
    squares = indexed.total(np.where(comparable, (deviation - mean[indexed.reporter]) ** 2, 0.0))
    counts, expected = (indexed.count(above), indexed.count(below)), (indexed.test(above), indexed.test(below))
    upward = counts[0] - expected[0][0] >= counts[1] - expected[1][0]
    columns = {
        "compared": compared,
        "dropped_low": indexed.count(others.low),
        "dropped_high": indexed.count(others.high),
        "drop_expected": indexed.total(others.drop_chance),
        "deviation": mean,
        "deviation_se": np.sqrt(share(share(squares, compared - 1), compared)),
        "side": [None if not count else "above" if up else "below" for count, up in zip(compared, upward, strict=True)],
    }
    return ReporterStats(
        comparable,
        1 + np.sign(deviation).astype(np.int64),
        deviation,
        score,
        np.where(comparable, score - deviation, np.nan),
        None,
        columns,
        compared,
        apart=np.where(upward, *counts),
        expected=np.where(upward, expected[0][0], expected[1][0]),
        p_value=np.minimum(2 * np.where(upward, expected[0][1], expected[1][1]), 1.0),
    )


def compare_to_plurality(indexed: IndexedReports, label: IntArray, k: int) -> ReporterStats:
    """Compare labels with the most frequent label of the others on the item."""
    others = compare_labels(indexed.item, label, k)
    comparable, agreement = others.comparable, others.agreement
    apart = comparable & (agreement == 0)
    compared = indexed.count(comparable)
    expected, p_value = indexed.test(apart)
    columns = {
        "compared": compared,
        "agreement": share(indexed.total(agreement), compared),
        "agreement_expected": share(indexed.total(mean_on_item(indexed.item, agreement)), compared),
    }
    value, size = apart.astype(np.float64), np.bincount(indexed.item)[indexed.item]
    usual = share(mean_on_item(indexed.item, apart) * size - value, size - 1)
    return ReporterStats(
        comparable, label, value, value, usual, apart, columns, compared, indexed.count(apart), expected, p_value
    )


def share(part: NDArray[Any], whole: IntArray) -> FloatArray:
    """Return quotients, NaN where the divisor is 0."""
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)
