"""Sorting networks: sort the few reports of each of many items by vector operations."""

from collections.abc import Container
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray


class Exchange(NamedTuple):
    """Two rows: the lower one gets the minimum and the upper one the maximum, as far as they are needed later."""

    lower: int
    upper: int
    keep_minimum: bool
    keep_maximum: bool


def merge_exchange(width: int) -> list[tuple[int, int]]:
    """Return the pairs of rows that Batcher's merge exchange compares, for any number of rows.

    Notes
    -----
    Knuth, *The Art of Computer Programming* 3, section 5.2.2, algorithm M.

    Examples
    --------
    >>> merge_exchange(4)
    [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)]
    """
    pairs = []
    top = 1 << (width - 1).bit_length() >> 1 if width > 1 else 0
    span = top
    while span:
        step, offset, distance = top, 0, span
        while True:
            pairs += [(low, low + distance) for low in range(width - distance) if low & span == offset]
            if step == span:
                break
            distance, offset, step = step - span, span, step >> 1
        span >>= 1
    return pairs


def selection_network(width: int, wanted: Container[int]) -> list[Exchange]:
    """Return the exchanges that sort the values of the wanted ranks into place; other rows hold any values.

    Examples
    --------
    >>> selection_network(3, wanted=[0])[-1]
    Exchange(lower=0, upper=1, keep_minimum=True, keep_maximum=False)
    """
    needed = [rank in wanted for rank in range(width)]
    exchanges = []
    for lower, upper in reversed(merge_exchange(width)):
        if needed[lower] or needed[upper]:
            exchanges.append(Exchange(lower, upper, needed[lower], needed[upper]))
            needed[lower] = needed[upper] = True
    return exchanges[::-1]


def exchange(rows: list[FloatArray], spare: FloatArray, exchanges: list[Exchange]) -> list[FloatArray]:
    """Return rows sorted element by element, in their own memory and that of a spare row."""
    rows = list(rows)
    for lower, upper, keep_minimum, keep_maximum in exchanges:
        one, two = rows[lower], rows[upper]
        if keep_minimum and keep_maximum:
            np.minimum(one, two, out=spare)
            np.maximum(one, two, out=two)
            rows[lower], spare = spare, one
        elif keep_minimum:
            np.minimum(one, two, out=one)
        else:
            np.maximum(one, two, out=two)
    return rows
