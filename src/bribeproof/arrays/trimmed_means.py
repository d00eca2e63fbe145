"""Compute trimmed means of the scores of many items.

The sorted scores of an item are added pairwise: the upper half onto the lower, whose length is a power of two, until
one is left. The last bit of a mean therefore depends only on the scores that are kept: not on the order of reporters,
other items, the type or layout of the array, or the way of sorting.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.arrays.blocks import (
    Block,
    ReportArray,
    holds_large_integers,
    is_missing,
    items_in_block,
    map_blocks,
)
from bribeproof.arrays.sorting_network import Exchange, exchange, selection_network
from bribeproof.arrays.vote_counts import add_ones
from bribeproof.errors import DataError

_WIDEST_NETWORK = 16
"""The largest number of reporters that a network sorts faster than `numpy.sort`."""

_FEWEST_FOR_NETWORK = 2048
"""The smallest number of items for which a network is worth its calls."""

_WIDE = 64
"""Longer rows are halved in place; shorter ones are added column by column, which is faster."""

_CACHE_LINE = 64


def trimmed_means(reports: ReportArray, left_out: int, lowest: Sequence[int]) -> list[FloatArray]:
    """Return the mean of each item's scores without `left_out` of them, for each number of lowest ones among these.

    Parameters
    ----------
    reports
        Scores, reporters on the last axis; NaN is missing.
    left_out
        How many scores of each item are left out.
    lowest
        How many of those are the lowest scores; the others are the highest.

    Returns
    -------
    list of float64 arrays
        The means for each number in `lowest`; NaN where no score is left.

    Raises
    ------
    DataError
        If a mean would contain infinities of both signs.
    """
    if holds_large_integers(reports):
        return _means_of_large_integers(reports, left_out, lowest)
    *items, width = reports.shape
    stay = width - left_out
    means = [np.empty(math.prod(items)) if stay > 0 else np.full(math.prod(items), np.nan) for _ in lowest]
    most = items_in_block(8 * (width + 1))
    exchanges = None
    if width <= _WIDEST_NETWORK and math.prod(items) >= _FEWEST_FOR_NETWORK:
        exchanges = selection_network(width, {first + rank for first in lowest for rank in range(stay)})

    # The mean of no scores is NaN.
    @np.errstate(invalid="ignore")
    def average(blocks: Iterator[Block]) -> None:
        network = _Network(width, exchanges, most) if exchanges is not None else None
        for items_slice, block in blocks:
            if stay <= 0:
                continue
            size = items_slice.stop - items_slice.start
            scores = network.sort(block, size) if network and size >= _FEWEST_FOR_NETWORK else _sort(block, size)
            kept = np.maximum(scores.present - left_out, 0)
            for first, mean in zip(lowest, means, strict=True):
                total = _total(scores.columns(slice(first, first + stay), kept))
                # Adding 0 makes -0 a 0.
                np.divide(total + 0.0, kept, out=mean[items_slice])
                undefined = np.isnan(mean[items_slice]) & (kept > 0)
                if undefined.any():
                    raise _undefined_mean(items_slice.start + int(np.argmax(undefined)), tuple(items))

    map_blocks(reports, most, average)
    return [mean.reshape(items) for mean in means]


def _means_of_large_integers(reports: ReportArray, left_out: int, lowest: Sequence[int]) -> list[FloatArray]:
    """Return trimmed means of numbers that are no floats: compared and added exactly, and divided at the end."""
    *items, width = reports.shape
    rows = reports.reshape(-1, width)
    if rows.dtype.kind == "O":
        present = ~is_missing(rows)
        scores = [
            sorted(_exact(score) for score in row[here] if score == score)
            for row, here in zip(rows, present, strict=True)
        ]
    else:
        scores = [[Fraction(int(score)) for score in row] for row in np.sort(rows, axis=-1)]
    means = []
    for first in lowest:
        kept = [row[first : first + len(row) - left_out] if len(row) > left_out else [] for row in scores]
        mean = np.array([_mean(row) if row else math.nan for row in kept], dtype=np.float64)
        undefined = np.isnan(mean) & np.array([bool(row) for row in kept], dtype=bool)
        if undefined.any():
            raise _undefined_mean(int(np.argmax(undefined)), tuple(items))
        means.append(mean.reshape(items))
    return means


def _exact(score: Any) -> Fraction | float:
    """Return a score as a fraction, infinities as floats."""
    if isinstance(score, Fraction | Decimal):
        return float(score) if isinstance(score, Decimal) and score.is_infinite() else Fraction(score)
    return Fraction(int(score)) if isinstance(score, int | np.integer) else _finite(float(score))


def _finite(score: float) -> Fraction | float:
    """Return a float as a fraction, unless it is infinite."""
    return Fraction(score) if math.isfinite(score) else score


def _mean(scores: Sequence[Fraction | float]) -> float:
    """Return the mean of fractions, rounded once; infinities make it infinite, or undefined."""
    endless = [score for score in scores if isinstance(score, float)]
    if endless:
        return sum(endless)
    mean = sum((Fraction(score) for score in scores), start=Fraction(0)) / len(scores)
    try:
        return float(mean)
    except OverflowError:
        return math.inf if mean > 0 else -math.inf


def _undefined_mean(position: int, items: tuple[int, ...]) -> DataError:
    """Return the error for an item whose scores include infinities of both signs."""
    place = tuple(int(index) for index in np.unravel_index(position, items)) if items else ()
    item = f"the item at {place}" if place else "the item"
    return DataError(
        f"{item} keeps scores of plus and of minus infinity, which have no mean: correct them, or make them NaN "
        f"where they are missing"
    )


def _total(columns: list[FloatArray], start: int = 0, step: int = 1) -> FloatArray:
    """Return the pairwise sum of every `step`-th column; zeros at the end do not change it."""
    if start + step >= len(columns):
        return columns[start]
    return _total(columns, start, 2 * step) + _total(columns, start + step, 2 * step)


@dataclass(frozen=True, slots=True, eq=False)
class _ColumnBlocks:
    """Sorted scores of a block of items, one vector per rank, and the number of scores of each item."""

    scores: list[FloatArray]
    present: int | IntArray

    def columns(self, ranks: slice, kept: IntArray) -> list[FloatArray]:
        """Return the scores of some ranks, 0 beyond the number of scores that each item keeps."""
        scores = self.scores[ranks]
        if isinstance(self.present, int):
            return scores
        # The mask has all bits set where the rank is kept, none elsewhere; faster than np.where.
        return [(column.view(np.int64) & ((i - kept) >> 63)).view(np.float64) for i, column in enumerate(scores)]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Sorted scores of a block of items, one row per item, NaN last, and the number of scores of each item."""

    scores: FloatArray
    present: int | IntArray

    def columns(self, ranks: slice, kept: IntArray) -> list[FloatArray]:
        """Return the scores of some ranks, 0 beyond the number that each item keeps; long rows are halved first."""
        rows = self.scores[:, ranks]
        if not isinstance(self.present, int):
            rows = np.where(np.arange(rows.shape[1]) < kept[:, np.newaxis], rows, 0.0)
        while (width := rows.shape[1]) > _WIDE:
            half = 1 << (width - 1).bit_length() - 1
            upper = rows[:, half:]
            rows = rows[:, :half].copy()
            rows[:, : upper.shape[1]] += upper
        return list(rows.T)


class _Network:
    """A sorting network and its working memory."""

    def __init__(self, width: int, exchanges: list[Exchange], most: int) -> None:
        self._exchanges = exchanges
        # Rows are aligned to cache lines, which makes them faster to read and write.
        line = _CACHE_LINE // 8
        length = -(-most // line) * line
        space = np.empty((width + 1) * length + line)
        start = -space.ctypes.data % _CACHE_LINE // 8
        self._space = space[start : start + (width + 1) * length].reshape(width + 1, length)

    def sort(self, block: ReportArray, size: int) -> _ColumnBlocks:
        """Return the sorted scores of a block of items; the next call overwrites them."""
        columns, spare = self._space[:-1, :size], self._space[-1, :size]
        np.copyto(columns.reshape(-1, *block.shape[:-1]), np.moveaxis(block, -1, 0))
        present: int | IntArray = len(columns)
        if np.isnan(columns.min()):
            # Missing scores become infinities, which sort last; the counts tell them from scores.
            present = _count_present(columns.T)
            np.fmin(columns, np.inf, out=columns)
        return _ColumnBlocks(exchange(list(columns), spare, self._exchanges), present)


def _sort(block: ReportArray, size: int) -> _Rows:
    """Return the sorted scores of a block of items, by `numpy.sort`."""
    scores = np.sort(block.reshape(size, -1).astype(np.float64, copy=False), axis=-1)
    return _Rows(scores, _count_present(scores) if np.isnan(scores[:, -1].max()) else scores.shape[1])


def _count_present(scores: FloatArray) -> IntArray:
    """Return the number of scores in each row that are not missing."""
    present = np.zeros(len(scores), np.int64)
    add_ones(~np.isnan(scores), present)
    return present
