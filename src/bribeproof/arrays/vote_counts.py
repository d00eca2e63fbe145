"""Count votes in dense arrays, four bytes at a time."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import IntArray
from bribeproof.arrays.blocks import Block, ReportArray, items_in_block, map_blocks
from bribeproof.errors import DataError

_BLOCKS_OF_BOOLEANS = 8
_MOST_IN_A_BYTE = 255
_ONE_IN_EACH_BYTE = np.uint32(0x01010101)
_ALL_BUT_ONE_BYTE = np.uint32(24)


def count_votes(reports: ReportArray) -> tuple[IntArray, IntArray]:
    """Return the number of positive votes and of all votes of each item, reporters on the last axis.

    Only floats can be missing: for other types, the second array is a read-only view of one number.
    """
    *items, width = reports.shape
    kind = reports.dtype.kind
    positive = np.zeros(math.prod(items), np.int64)
    present: IntArray = np.zeros_like(positive) if kind in "fO" else np.broadcast_to(np.int64(width), positive.shape)
    # Booleans are read only once, so that their blocks need not stay in the cache.
    most = items_in_block(width * reports.itemsize) * (_BLOCKS_OF_BOOLEANS if kind == "b" else 1)

    def count(blocks: Iterator[Block]) -> None:
        for items_slice, block in blocks:
            if kind in "iu" and (block.max() > 1 or (kind == "i" and block.min() < 0)):
                raise _invalid_vote(block, items_slice.start, tuple(items))
            ones = block if block.itemsize == 1 else block == 1
            add_ones(ones, positive[items_slice])
            if kind in "fO":
                votes = ones | (block == 0)
                add_ones(votes, present[items_slice])
                if not (votes.all() or (votes | np.isnan(block)).all()):
                    raise _invalid_vote(block, items_slice.start, tuple(items))

    map_blocks(reports, most, count)
    return positive.reshape(items), present.reshape(items)


def add_ones(flags: NDArray[Any], counts: IntArray) -> None:
    """Add the number of ones in each row of bytes, which are 0 or 1, to the counts of the items in C order."""
    for words in _words(flags.view(np.uint8)):
        # Each byte of a sum is a count below 256, and so is their total, the highest byte of the product.
        sums = np.einsum("...i->...", words)
        if words.itemsize > 1:
            sums *= _ONE_IN_EACH_BYTE
            sums >>= _ALL_BUT_ONE_BYTE
        counts += sums.reshape(-1)


def _words(flags: NDArray[np.uint8]) -> Iterator[NDArray[Any]]:
    """Yield pieces of at most 255 bytes of the rows, as four-byte words where they are aligned."""
    width = flags.shape[-1]
    start = 0
    while start < width:
        piece: NDArray[Any] = flags[..., start : start + _MOST_IN_A_BYTE]
        whole = piece.shape[-1] // 4 * 4
        if whole and piece.strides[-1] == 1:
            words = piece[..., :whole].view(np.uint32)
            piece = words if words.flags.aligned else piece
        yield piece
        start += piece.shape[-1] * piece.itemsize


def _invalid_vote(block: ReportArray, start: int, items: tuple[int, ...]) -> DataError:
    """Return the error for the first invalid vote of a block."""
    votes = block.reshape(-1, block.shape[-1])
    item, reporter = np.argwhere((votes != 0) & (votes != 1) & (votes == votes))[0].tolist()
    position = (*(int(index) for index in np.unravel_index(start + item, items)), reporter)
    return DataError(
        f"vote {float(votes[item, reporter]):g} at {position} (reporters last): votes are 0, 1 or NaN for missing"
    )
