"""Where each reporter stands against the others, over all items."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.auditing.deviation_tests import compare_labels, compare_scores, mean_on_item, upper_tails


@dataclass(frozen=True, slots=True)
class IndexedReports:
    """The reports, by number: on which item, and by which reporter of the panel."""

    item: IntArray
    reporter: IntArray
    panel: int

    def count(self, flags: BoolArray | None = None) -> IntArray:
        """Count reports for each reporter, those that are flagged or all."""
        chosen = self.reporter if flags is None else self.reporter[flags]
        return np.bincount(chosen, minlength=self.panel)

    def total(self, values: FloatArray) -> FloatArray:
        """Add up a value of the reports for each reporter."""
        return np.asarray(np.bincount(self.reporter, values, self.panel), np.float64)

    def chance(self, apart: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return for each reporter how often it is apart by chance, on average, and how likely it is so often."""
        chances = mean_on_item(self.item, apart)
        possible = chances > 0
        return self.total(chances), upper_tails(self.reporter[possible], chances[possible], self.count(apart))


@dataclass(frozen=True, slots=True)
class ReporterStats:
    """What the reports are, against the others.

    Attributes
    ----------
    known
        Per report: whether it could be compared.
    side
        Per report: what reporters may have in common, as a number.
    distance
        Per report: its deviation.
    event
        Per report: what the group effect counts.
    columns
        Per reporter: what there is to say.
    compared, apart, expected, p_value
        Per reporter: how many reports were compared; how many are apart; how many would be; and how likely that is.
    """

    known: BoolArray
    side: IntArray
    distance: FloatArray
    event: BoolArray
    columns: dict[str, Any]
    compared: IntArray
    apart: IntArray
    expected: FloatArray
    p_value: FloatArray


def compare_to_consensus(seen: IndexedReports, score: FloatArray, k: int) -> ReporterStats:
    """Compare scores."""
    to_others = compare_scores(seen.item, seen.reporter, score, k)
    deviation, known = to_others.deviation, to_others.known
    above, below = deviation > 0, deviation < 0
    compared = seen.count(known)
    mean = share(seen.total(deviation), compared)
    squares = seen.total(np.where(known, (deviation - mean[seen.reporter]) ** 2, 0.0))
    counts, expected = (seen.count(above), seen.count(below)), (seen.chance(above), seen.chance(below))
    upward = counts[0] - expected[0][0] >= counts[1] - expected[1][0]
    columns = {
        "compared": compared,
        "dropped_low": seen.count(to_others.low),
        "dropped_high": seen.count(to_others.high),
        "drop_expected": seen.total(to_others.drop_chance),
        "deviation": mean,
        "deviation_se": np.sqrt(share(share(squares, compared - 1), compared)),
        "side": [None if not count else "above" if up else "below" for count, up in zip(compared, upward, strict=True)],
    }
    return ReporterStats(
        known,
        1 + np.sign(deviation).astype(np.int64),
        deviation,
        above,
        columns,
        compared,
        apart=np.where(upward, *counts),
        expected=np.where(upward, expected[0][0], expected[1][0]),
        p_value=np.minimum(2 * np.where(upward, expected[0][1], expected[1][1]), 1.0),
    )


def compare_to_plurality(seen: IndexedReports, label: IntArray, k: int) -> ReporterStats:
    """Compare labels."""
    to_others = compare_labels(seen.item, label, k)
    known, agreement = to_others.known, to_others.agreement
    apart = known & (agreement == 0)
    compared = seen.count(known)
    expected, p_value = seen.chance(apart)
    columns = {
        "compared": compared,
        "agreement": share(seen.total(agreement), compared),
        "agreement_expected": share(seen.total(mean_on_item(seen.item, agreement)), compared),
    }
    return ReporterStats(
        known, label, apart.astype(float), apart, columns, compared, seen.count(apart), expected, p_value
    )


def share(part: NDArray[Any], whole: IntArray) -> FloatArray:
    """Divide; NaN where there is nothing."""
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)
