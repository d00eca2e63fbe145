"""Histograms against enumeration of report vectors."""

import math
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory.model.histograms import histogram_index, histograms, reachable

sizes = st.tuples(st.integers(0, 5), st.integers(1, 4))


def counted(votes: tuple[int, ...], labels: int) -> tuple[int, ...]:
    return tuple(votes.count(label) for label in range(labels))


@given(sizes)
def test_histograms_are_those_of_all_report_vectors(size: tuple[int, int]) -> None:
    total, labels = size
    expected = sorted({counted(votes, labels) for votes in product(range(labels), repeat=total)})
    assert [tuple(row) for row in histograms(total, labels).tolist()] == expected
    assert len(expected) == math.comb(total + labels - 1, labels - 1)


@given(sizes)
def test_index_finds_each_row(size: tuple[int, int]) -> None:
    rows = histograms(*size)
    assert histogram_index(rows).tolist() == list(range(len(rows)))


@given(sizes, st.integers(0, 3))
def test_reach_adds_every_vector_of_k_reports(size: tuple[int, int], k: int) -> None:
    total, labels = size
    after = [tuple(row) for row in histograms(total + k, labels).tolist()]
    for start, row in zip(histograms(total, labels).tolist(), reachable(total, labels, k).tolist(), strict=True):
        votes = combinations_with_replacement(range(labels), k)
        expected = {tuple(x + y for x, y in zip(start, counted(more, labels), strict=True)) for more in votes}
        assert {after[index] for index in row} == expected
        assert len(row) == len(expected)


def test_no_more_reports_reach_the_same_histogram() -> None:
    assert reachable(3, 3, 0)[:, 0].tolist() == list(range(10))


def test_index_of_many_labels_does_not_overflow() -> None:
    first, last = np.zeros(40, dtype=np.int64), np.zeros(40, dtype=np.int64)
    first[-1], last[0] = 3, 3
    assert histogram_index([first, last]).tolist() == [0, math.comb(42, 39) - 1]
    assert int(histogram_index([0] * 39 + [200])) == 0


@pytest.mark.parametrize(("total", "labels"), [(-1, 2), (2, 0), (1.5, 2), (2, True), (None, 2)])
def test_bad_sizes(total: Any, labels: Any) -> None:
    with pytest.raises(ParameterError, match="give a whole number"):
        histograms(total, labels)


def test_too_many_histograms() -> None:
    with pytest.raises(ParameterError, match="at most 1000000"):
        histograms(50, 12)
    with pytest.raises(ParameterError, match="pairs of histograms"):
        reachable(40, 4, 40)


@pytest.mark.parametrize("histogram", [3, [-1, 2], [1.5, 2.0], [[1], [2, 3]], np.zeros((2, 0), dtype=np.int64)])
def test_bad_histograms(histogram: Any) -> None:
    with pytest.raises(ParameterError, match="histogram"):
        histogram_index(histogram)
