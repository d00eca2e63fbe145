"""Process dense arrays of reports in blocks that fit in the cache, on all cores."""

import itertools
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof.errors import DataError, ParameterError

ReportArray = NDArray[Any]
Block: TypeAlias = tuple[slice, ReportArray]

_BLOCK_BYTES = 1 << 20
"""The size of a block and its working memory: about half of the cache of one core."""

_FEWEST_BLOCKS = 4
"""The smallest number of blocks for which another core is used."""

_IS_NONE = np.vectorize(lambda value: value is None, otypes=[bool])


def reporters_last(values: ArrayLike, axis: int) -> ReportArray:
    """Return a view of an array of numbers with the reporters on its last axis.

    Raises
    ------
    DataError
        If the values are not an array of numbers.
    ParameterError
        If the axis does not exist.
    """
    try:
        array: ReportArray = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None
    if array.dtype.kind not in "biufO":
        raise _no_numbers()
    if not -array.ndim <= axis < array.ndim:
        raise ParameterError(f"axis={axis}: the array has {array.ndim} axes")
    return np.moveaxis(array, axis, -1)


def items_in_block(item_bytes: int) -> int:
    """Return the number of items in a block, given the bytes that one takes."""
    return max(1, _BLOCK_BYTES // max(1, item_bytes))


def map_blocks(reports: ReportArray, most: int, work: Callable[[Iterator[Block]], None]) -> None:
    """Call a function with the blocks of an array: views of at most some number of items.

    Each block is preceded by the slice of its items among all items in C order; none is empty, and Python objects are
    converted to floats. The blocks of large arrays are divided among the cores; of several errors, that of the first
    block is raised.
    """
    if reports.size == 0:
        return
    if reports.ndim == 1:
        reports = reports[np.newaxis]
    boxes = list(_boxes(reports.shape[:-1], most))
    ends = list(itertools.accumulate((math.prod(reports[box].shape[:-1]) for box in boxes), initial=0))
    cores = max(1, min(_cores(), len(boxes) // _FEWEST_BLOCKS))

    def share(core: int) -> None:
        run = range(core * len(boxes) // cores, (core + 1) * len(boxes) // cores)
        work((slice(ends[index], ends[index + 1]), _plain(reports[boxes[index]])) for index in run)

    if cores == 1:
        share(0)
        return
    with ThreadPoolExecutor(cores) as pool:
        for _ in pool.map(share, range(cores)):
            pass


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _boxes(shape: tuple[int, ...], most: int) -> Iterator[tuple[slice, ...]]:
    """Yield the index of each box of at most `most` cells of an array, in C order."""
    if not shape:
        yield ()
        return
    step = max(1, most // math.prod(shape[1:]))
    for start in range(0, shape[0], step):
        for rest in _boxes(shape[1:], most):
            yield slice(start, start + step), *rest


def _plain(block: ReportArray) -> ReportArray:
    """Return a block of Python objects as floats, None as NaN; other blocks unchanged."""
    if block.dtype != object:
        return block
    try:
        return np.where(_IS_NONE(block), np.nan, block).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None


def _no_numbers() -> DataError:
    """Return the error for values that are not an array of numbers."""
    return DataError("this is no array of numbers: give real numbers, rows of one length, NaN where missing")
