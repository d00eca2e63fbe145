"""Dense arrays of reports of any type, shape and layout, read in blocks that stay in the cache."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof.errors import DataError, ParameterError

Reports = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK_BYTES = 1 << 20
"""What a block and the work on it may take: about half of the cache that a core has to itself."""

_IS_NONE = np.vectorize(lambda value: value is None, otypes=[bool])


def reporters_last(values: ArrayLike, axis: int) -> Reports:
    """Return a view of an array of numbers with the reporters on its last axis.

    Raises
    ------
    DataError
        If this is no array of numbers.
    ParameterError
        If there is no such axis.
    """
    try:
        array: Reports = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None
    if array.dtype.kind not in "biufO":
        raise _no_numbers()
    if not -array.ndim <= axis < array.ndim:
        raise ParameterError(f"axis={axis}: the array has {array.ndim} axes")
    return np.moveaxis(array, axis, -1)


def items_in_block(item_bytes: int) -> int:
    """Return how many items to work on at once if each takes so many bytes."""
    return max(1, _BLOCK_BYTES // max(1, item_bytes))


def blocks(reports: Reports, most: int) -> Iterator[tuple[slice, Reports]]:
    """Cut an array into views of at most some number of items, each with its place in the flat list of all items.

    Python objects come as floats. No block is empty.
    """
    if reports.size == 0:
        return
    if reports.ndim == 1:
        reports = reports[np.newaxis]
    start = 0
    for box in _boxes(reports.shape[:-1], most):
        block = reports[box]
        stop = start + math.prod(block.shape[:-1])
        yield slice(start, stop), _plain(block)
        start = stop


def _boxes(shape: tuple[int, ...], most: int) -> Iterator[tuple[slice, ...]]:
    """Cut an array into boxes of at most some number of cells, in the order of the cells."""
    if not shape:
        yield ()
        return
    step = max(1, most // math.prod(shape[1:]))
    for start in range(0, shape[0], step):
        for rest in _boxes(shape[1:], most):
            yield slice(start, start + step), *rest


def _plain(block: Reports) -> Reports:
    """Return Python objects as floats, None as NaN; numbers as they are."""
    if block.dtype != object:
        return block
    try:
        return np.where(_IS_NONE(block), np.nan, block).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None


def _no_numbers() -> DataError:
    return DataError("this is no array of numbers: give real numbers, rows of one length, NaN where missing")
