"""Sorting networks, by the zero-one principle."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bribeproof.arrays.sorting_network import exchange, merge_exchange, selection_network

# Knuth, The Art of Computer Programming 3, section 5.3.4, table 1: merge exchange for 1 to 16 elements.
SIZES = [0, 1, 3, 5, 9, 12, 16, 19, 26, 31, 37, 41, 48, 53, 59, 63]


def zeros_and_ones(width: int) -> NDArray[np.float64]:
    """All columns of zeros and ones; of many rows the sorted ones with a few changes, and random ones."""
    if width <= 12:
        return np.array(list(product((0.0, 1.0), repeat=width))).reshape(2**width, width).T.copy()
    rng = np.random.default_rng(width)
    return (rng.random((width, 4000)) < rng.random(4000)).astype(float)


@pytest.mark.parametrize(("width", "size"), [*enumerate(SIZES, start=1)])
def test_the_number_of_comparisons_is_that_of_the_book(width: int, size: int) -> None:
    assert len(merge_exchange(width)) == size


@pytest.mark.parametrize("width", [*range(13), 16, 17, 31, 64])
def test_the_wanted_places_are_right(width: int) -> None:
    columns = zeros_and_ones(width)
    before = columns.copy()
    for first, stop in {(0, width), (1, width - 1), (0, 1), (width // 2, width // 2 + 1), (width - 2, width)}:
        wanted = range(max(first, 0), min(stop, width))
        rows = exchange(list(columns.copy()), np.empty(columns.shape[1]), selection_network(width, wanted))
        for place in wanted:
            np.testing.assert_array_equal(rows[place], np.sort(before, axis=0)[place])


def test_a_missing_score_is_not_lost() -> None:
    columns = np.random.default_rng(0).random((9, 9))
    np.fill_diagonal(columns, np.nan)
    rows = exchange(list(columns), np.empty(9), selection_network(9, range(9)))
    assert np.isnan(rows).all()
