"""Means of the scores of many items without some of the lowest and the highest.

The scores that are kept are added up in sorted order, the upper half onto the lower until one is left; lower halves
are powers of two. This order and these scores alone decide the last bit of a mean: not the order of the reporters, the
other items, the type and layout of the array, or which of the two ways of sorting is taken.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.arrays.blocks import Block, ReportArray, items_in_block, map_blocks
from bribeproof.arrays.sorting_network import Exchange, exchange, selection_network
from bribeproof.arrays.vote_counts import add_ones

_WIDEST_NETWORK = 16
"""Up to so many reporters a network sorts faster than `numpy.sort`."""

_FEWEST_FOR_NETWORK = 2048
"""With fewer items the calls of a network cost more than they save."""

_WIDE = 64
"""Rows longer than this are halved as they lie; shorter ones column by column, which is faster."""

_CACHE_LINE = 64


def trimmed_means(reports: ReportArray, left_out: int, lowest: Sequence[int]) -> list[FloatArray]:
    """Average the scores that stay when some are left out, for each number of the lowest ones among these.

    The reporters are on the last axis. The means are NaN where nothing stays.
    """
    *items, width = reports.shape
    stay = width - left_out
    means = [np.empty(math.prod(items)) if stay > 0 else np.full(math.prod(items), np.nan) for _ in lowest]
    most = items_in_block(8 * (width + 1))
    exchanges = None
    if width <= _WIDEST_NETWORK and math.prod(items) >= _FEWEST_FOR_NETWORK:
        exchanges = selection_network(width, {first + place for first in lowest for place in range(stay)})

    # Infinities of both signs have no mean, nor has an item without scores: NaN.
    @np.errstate(invalid="ignore")
    def average(blocks: Iterator[Block]) -> None:
        network = _Network(width, exchanges, most) if exchanges is not None else None
        for place, block in blocks:
            if stay <= 0:
                continue
            size = place.stop - place.start
            scores = network.sort(block, size) if network and size >= _FEWEST_FOR_NETWORK else _sort(block, size)
            kept = np.maximum(scores.present - left_out, 0)
            for first, mean in zip(lowest, means, strict=True):
                total = _total(scores.columns(slice(first, first + stay), kept))
                # A zero of either sign is 0.
                np.divide(total + 0.0, kept, out=mean[place])

    map_blocks(reports, most, average)
    return [mean.reshape(items) for mean in means]


def _total(columns: list[FloatArray], start: int = 0, step: int = 1) -> FloatArray:
    """Add up every so many-th column. Zeros at the end change nothing."""
    if start + step >= len(columns):
        return columns[start]
    return _total(columns, start, 2 * step) + _total(columns, start + step, 2 * step)


@dataclass(frozen=True, slots=True, eq=False)
class _ColumnBlocks:
    """The sorted scores of a block of items, one vector for each place; and how many scores each item has."""

    scores: list[FloatArray]
    present: int | IntArray

    def columns(self, places: slice, kept: IntArray) -> list[FloatArray]:
        """Return the scores at some places, zeros beyond the number that is kept of each item."""
        scores = self.scores[places]
        if isinstance(self.present, int):
            return scores
        # All bits stay where the place is kept, none elsewhere: quicker than to choose item by item.
        return [(column.view(np.int64) & ((i - kept) >> 63)).view(np.float64) for i, column in enumerate(scores)]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The sorted scores of a block of items, one row for each item, NaN last; and how many scores each item has."""

    scores: FloatArray
    present: int | IntArray

    def columns(self, places: slice, kept: IntArray) -> list[FloatArray]:
        """Return the scores at some places, zeros beyond the number that is kept of each item; long rows halved."""
        rows = self.scores[:, places]
        if not isinstance(self.present, int):
            rows = np.where(np.arange(rows.shape[1]) < kept[:, np.newaxis], rows, 0.0)
        while (width := rows.shape[1]) > _WIDE:
            half = 1 << (width - 1).bit_length() - 1
            upper = rows[:, half:]
            rows = rows[:, :half].copy()
            rows[:, : upper.shape[1]] += upper
        return list(rows.T)


class _Network:
    """A sorting network and the memory that it works in."""

    def __init__(self, width: int, exchanges: list[Exchange], most: int) -> None:
        self._exchanges = exchanges
        # Rows that begin where a cache line does are read and written faster.
        line = _CACHE_LINE // 8
        length = -(-most // line) * line
        space = np.empty((width + 1) * length + line)
        start = -space.ctypes.data % _CACHE_LINE // 8
        self._space = space[start : start + (width + 1) * length].reshape(width + 1, length)

    def sort(self, block: ReportArray, size: int) -> _ColumnBlocks:
        """Sort a block of items; valid until the next is sorted."""
        columns, spare = self._space[:-1, :size], self._space[-1, :size]
        np.copyto(columns.reshape(-1, *block.shape[:-1]), np.moveaxis(block, -1, 0))
        present: int | IntArray = len(columns)
        if np.isnan(columns.min()):
            # Missing scores become infinities, which sort last as they must: the counts say which are scores.
            present = _count_present(columns.T)
            np.fmin(columns, np.inf, out=columns)
        return _ColumnBlocks(exchange(list(columns), spare, self._exchanges), present)


def _sort(block: ReportArray, size: int) -> _Rows:
    """Sort a block of items by `numpy.sort`."""
    scores = np.sort(block.reshape(size, -1).astype(np.float64, copy=False), axis=-1)
    return _Rows(scores, _count_present(scores) if np.isnan(scores[:, -1].max()) else scores.shape[1])


def _count_present(scores: FloatArray) -> IntArray:
    """Count the scores in each row that are not missing."""
    present = np.zeros(len(scores), np.int64)
    add_ones(~np.isnan(scores), present)
    return present
