"""Trimmed means to the last bit: one order of addition, whatever the route, the layout and the company."""

import math
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import bribeproof as bp
from bribeproof.arrays import blocks as dense
from bribeproof.arrays import trimmed_means as windows

NAN, INF = float("nan"), float("inf")
Array = NDArray[np.float64]


def folded(scores: list[float]) -> float:
    """The sum in the order that is promised, number by number; a zero of either sign is 0."""
    while len(scores) > 1:
        half = 1 << (len(scores) - 1).bit_length() - 1
        scores = [low + high for low, high in zip(scores, [*scores[half:], *[0.0] * half], strict=False)][:half]
    return scores[0] + 0.0


def expected(row: list[float], k: int) -> tuple[float, float, float]:
    """Trimmed mean and range of one item."""
    present = sorted(score for score in row if score == score)
    stay = len(present) - 2 * k
    if stay <= 0:
        return NAN, NAN, NAN
    trimmed, low, high = (folded(present[first : first + stay]) / stay for first in (k, 0, 2 * k))
    return trimmed, low, high


def bits(*arrays: Array) -> list[bytes]:
    """The bits of arrays, with one NaN for all and the sign of zero as it is."""
    return [np.where(np.isnan(array), NAN, array).tobytes() for array in arrays]


ROUTES = {"network": (1, 64), "sort": (1, 0), "as measured": (2048, 16)}


@pytest.fixture(params=ROUTES)
def route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """One way of sorting, in blocks of a few items, so that small arrays go every way."""
    fewest, widest = ROUTES[request.param]
    monkeypatch.setattr(windows, "_FEWEST_FOR_NETWORK", fewest)
    monkeypatch.setattr(windows, "_WIDEST_NETWORK", widest)
    monkeypatch.setattr(windows, "_WIDE", 4)
    monkeypatch.setattr(dense, "_BLOCK_BYTES", 600)


awkward = st.sampled_from([NAN, NAN, INF, -INF, 0.0, -0.0, 0.1, 0.2, 0.3, -0.3, 1.0, 1e16, -1e16, 5e-324, 7.25])
sheets = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12), elements=awkward)


@pytest.mark.usefixtures("route")
@given(sheets, st.integers(0, 4), st.randoms(use_true_random=False))
def test_every_route_adds_in_the_same_order(sheet: Array, k: int, random: Random) -> None:
    rows = [expected(row, k) for row in sheet.tolist()]
    if any(
        np.isnan(row).any() and np.count_nonzero(~np.isnan(scores)) > 2 * k
        for row, scores in zip(rows, sheet, strict=True)
    ):
        with pytest.raises(bp.DataError, match="plus and of minus infinity"):
            (bp.trimmed_mean(sheet, k), bp.manipulation_range(sheet, k))
        return
    wanted = [np.array(column) for column in zip(*rows, strict=True)]
    assert bits(bp.trimmed_mean(sheet, k), *bp.manipulation_range(sheet, k)) == bits(*wanted)
    order = random.sample(range(sheet.shape[1]), sheet.shape[1])
    assert bits(bp.trimmed_mean(sheet[:, order], k)) == bits(wanted[0])
    padded = np.concatenate([sheet, np.full_like(sheet, NAN)], axis=1)
    assert bits(bp.trimmed_mean(padded, k)) == bits(wanted[0])


def gaps(scores: Array) -> Array:
    """The same scores, a fifth of them missing."""
    return np.where(np.random.default_rng(1).random(scores.shape) < 0.2, NAN, scores)


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "Fortran order": lambda scores: bp.trimmed_mean(np.asfortranarray(scores), 2),
    "axis 0": lambda scores: bp.trimmed_mean(np.ascontiguousarray(scores.T), 2, axis=0),
    "reporters shuffled": lambda scores: bp.trimmed_mean(np.random.default_rng(2).permuted(scores, axis=1), 2),
    "every second of a wider array": lambda scores: bp.trimmed_mean(np.repeat(scores, 2, axis=1)[:, ::2], 2),
    "backwards": lambda scores: bp.trimmed_mean(scores[::-1, ::-1], 2)[::-1],
    "three axes": lambda scores: bp.trimmed_mean(scores.reshape(30, -1, scores.shape[1]), 2).reshape(-1),
    "middle axis": lambda scores: bp.trimmed_mean(
        np.ascontiguousarray(scores.reshape(30, -1, scores.shape[1]).transpose(0, 2, 1)), 2, axis=1
    ).reshape(-1),
    "in pieces": lambda scores: np.concatenate([bp.trimmed_mean(part, 2) for part in np.array_split(scores, 7)]),
    "other byte order": lambda scores: bp.trimmed_mean(scores.astype(">f8"), 2),
    "objects": lambda scores: bp.trimmed_mean(scores.astype(object), 2),
    "ranking": lambda scores: bp.safe_ranking(scores, 2).estimate,
}


@pytest.mark.parametrize("width", [5, 9, 16, 17, 70])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_changes_a_bit(width: int, layout: str) -> None:
    scores = np.random.default_rng(width).normal(size=(6000, width))
    for sheet in (scores, gaps(scores)):
        assert bits(LAYOUTS[layout](sheet)) == bits(bp.trimmed_mean(sheet, 2))
    mixed = scores.copy()
    mixed[5000:] = gaps(scores)[5000:]
    assert bits(LAYOUTS[layout](mixed)[:5000]) == bits(bp.trimmed_mean(scores, 2)[:5000])


@pytest.mark.parametrize("width", [5, 9, 16, 17, 70])
def test_one_by_one_no_bit_changes(width: int) -> None:
    scores = np.random.default_rng(width).normal(size=(6000, width))
    for sheet in (scores, gaps(scores)):
        alone = np.array([bp.trimmed_mean(row, 2).item() for row in sheet[::30]])
        assert bits(alone) == bits(bp.trimmed_mean(sheet, 2)[::30])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int64", "uint64", "float16", "float32", "longdouble"])
def test_types_are_read_as_their_numbers(dtype: str) -> None:
    scores = np.random.default_rng(0).integers(0, 100, (5000, 7)).astype(dtype)
    assert bits(bp.trimmed_mean(scores, 1)) == bits(bp.trimmed_mean(scores.astype(np.float64), 1))


@pytest.mark.parametrize(("items", "width"), [(4000, 9), (40, 9), (3, 1000), (1, 100_000)])
def test_the_error_grows_with_the_logarithm_of_the_number_of_scores(items: int, width: int) -> None:
    scores = np.random.default_rng(0).random((items, width)) ** 4
    k = width // 9
    found = bp.trimmed_mean(scores, k)
    for row, mean in zip(np.sort(scores, axis=1)[:200], found, strict=False):
        exact = sum(map(Fraction, row[k : width - k].tolist()), Fraction(0)) / (width - 2 * k)
        assert abs(Fraction(float(mean)) - exact) <= exact * Fraction(2) ** -53 * (2 + math.ceil(math.log2(width)))


@pytest.mark.parametrize("shape", [(0, 9), (5, 0), (0, 0), (3, 0, 4), (3, 4, 0), (0,)])
def test_nothing_to_average(shape: tuple[int, ...]) -> None:
    for k in (0, 1):
        for mean in (bp.trimmed_mean(np.empty(shape), k), *bp.manipulation_range(np.empty(shape), k)):
            assert mean.shape == shape[:-1]
            assert np.isnan(mean).all()


def test_numbers_are_asked_for_where_nothing_could_stay_too() -> None:
    with pytest.raises(bp.DataError, match="no array of numbers"):
        bp.trimmed_mean(np.array([[1.0, "x"]], dtype=object), 3)


def test_a_ranking_needs_a_table() -> None:
    with pytest.raises(bp.DataError, match="no array of numbers"):
        bp.safe_ranking([[1.0, 2.0], [3.0]], 0)
    with pytest.raises(bp.ParameterError, match="scores have 3 axes"):
        bp.safe_ranking(np.zeros((2, 2, 2)), 0)


@pytest.mark.parametrize("dtype", ["float64", "int32", "float32"])
def test_less_memory_than_a_copy(dtype: str) -> None:
    scores = np.random.default_rng(0).integers(0, 40, (400_000, 9)).astype(dtype)
    tracemalloc.start()
    try:
        bp.trimmed_mean(scores, 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * len(scores) + 4 * 2**20


@pytest.mark.parametrize("cores", [1, 2, 3, 7])
def test_the_number_of_cores_changes_nothing(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    scores = np.where(rng.random((50_000, 7)) < 0.1, np.nan, rng.normal(size=(50_000, 7)))
    votes = rng.integers(0, 2, (300_000, 21), dtype=np.uint8)
    expected = bp.trimmed_mean(scores, 1), bp.manipulation_range(scores, 1), bp.vote_counts(votes)
    monkeypatch.setattr(dense, "_cores", lambda: cores)
    found = bp.trimmed_mean(scores, 1), bp.manipulation_range(scores, 1), bp.vote_counts(votes)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)
    votes[[30_000, 290_000], 4] = 7, 9
    with pytest.raises(bp.DataError, match=r"vote 7 at \(30000, 4\)"):
        bp.vote_counts(votes)


@given(
    hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=6),
    st.integers(1, 40),
    st.randoms(use_true_random=False),
)
def test_blocks_hold_every_item_once_in_order(shape: tuple[int, ...], most: int, random: Random) -> None:
    whole = np.arange(math.prod(shape)).reshape(shape).transpose(random.sample(range(len(shape)), len(shape)))
    items = whole.reshape(math.prod(whole.shape[:-1]), whole.shape[-1])
    found: list[dense.Block] = []
    dense.map_blocks(whole, most, found.extend)
    found.sort(key=lambda block: block[0].start)
    for place, block in found:
        assert np.shares_memory(block, whole)
        assert 0 < place.stop - place.start <= most
        np.testing.assert_array_equal(block.reshape(-1, whole.shape[-1]), items[place])
    if whole.size:
        assert [place.start for place, _ in found] == [0, *(place.stop for place, _ in found)][:-1]
        assert found[-1][0].stop == len(items)
