"""Process dense arrays of reports in blocks that fit in the cache, on all cores."""

import itertools
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._typing import BoolArray
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.values.float_limit import LIMIT, float_holds

ReportArray = NDArray[Any]
Block: TypeAlias = tuple[slice, ReportArray]

_BLOCK_BYTES = 1 << 20
"""The size of a block and its working memory: about half of the cache of one core."""

_FEWEST_BLOCKS = 4
"""The smallest number of blocks for which another core is used."""

_IS_MISSING = np.vectorize(
    lambda value: value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"), otypes=[bool]
)


def reporters_last(values: ArrayLike, axis: int) -> ReportArray:
    """Return an array of numbers with the reporters on its last axis, a view where nothing is masked.

    Masked values of a masked array are missing: NaN, or None among Python objects and integers that are no floats.

    Raises
    ------
    DataError
        If the values are not an array of numbers.
    ParameterError
        If the axis does not exist.
    """
    try:
        array = unmasked(values)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None
    if array.dtype.kind not in "biufO":
        raise _no_numbers()
    if not -array.ndim <= axis < array.ndim:
        raise ParameterError(f"axis={axis}: the array has {array.ndim} axes")
    return np.moveaxis(array, axis, -1)


def unmasked(values: ArrayLike) -> ReportArray:
    """Return values as an array without a mask; what was masked is missing, as in `reporters_last`."""
    if isinstance(values, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in values):
        values = np.ma.array(list(values))
    if not isinstance(values, np.ma.MaskedArray) or not np.ma.is_masked(values):
        return _exact(values)
    hidden, data = np.ma.getmaskarray(values), np.ma.getdata(values)
    exact = data.dtype.kind == "O" or holds_large_integers(data)
    plain: ReportArray = data.astype(object if exact else np.float64)
    plain[hidden] = None if exact else np.nan
    return plain


def _exact(values: ArrayLike) -> ReportArray:
    """Return values as an array, of Python objects if it would otherwise round large integers to floats."""
    array = np.asarray(values)
    if isinstance(values, np.ndarray) or array.dtype.kind != "f" or not (np.abs(array) >= LIMIT).any():
        return array
    objects = np.asarray(values.to_list() if hasattr(values, "to_list") else values, dtype=object)
    return objects if objects.shape == array.shape and holds_large_integers(objects) else array


def holds_large_integers(array: ReportArray) -> bool:
    """Return whether some numbers of an array may not be floats, so that they have to be compared exactly."""
    if array.dtype.kind == "O":
        return any(_is_large(value) for value in array.flat)
    wide = array.dtype.kind in "iu" and array.itemsize == 8 and array.size > 0
    return wide and bool(array.max() > LIMIT or array.min() < -LIMIT)


def _is_large(value: Any) -> bool:
    """Return whether a number is beyond 2^53, and not rounded to a float."""
    exact = isinstance(value, int | np.integer | Fraction | Decimal)
    return exact and value == value and bool(abs(value) > LIMIT)


def find_rounded(array: ReportArray) -> str | None:
    """Return the first number that is another one as a float, as text; None if there is none."""
    if not holds_large_integers(array):
        return None
    whole = (str(int(value)) for value in array.flat if _is_large(value) and value == value // 1)
    return next((number for number in whole if not float_holds(number)), None)


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
        work((slice(ends[index], ends[index + 1]), plain_numbers(reports[boxes[index]])) for index in run)

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


def plain_numbers(block: ReportArray) -> ReportArray:
    """Return a block of Python objects as floats, None, NA and masked as NaN; other blocks unchanged."""
    if block.dtype != object:
        return block
    try:
        return np.where(is_missing(block), np.nan, block).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers() from None


def is_missing(block: ArrayLike) -> BoolArray:
    """Return which Python objects stand for a missing report."""
    return np.asarray(_IS_MISSING(block), dtype=bool)


def _no_numbers() -> DataError:
    """Return the error for values that are not an array of numbers."""
    return DataError("this is no array of numbers: give real numbers, rows of one length, NaN where missing")
