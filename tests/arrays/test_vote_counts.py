"""Counts of dense votes: any type, width and layout, exactly; and what is no vote."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import bribeproof as bp
from bribeproof.arrays import blocks as dense

NAN, INF = float("nan"), float("inf")
TYPES = [
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    ">i2",
]
WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 99, 100, 251, 252, 253, 255, 256, 257, 260, 511, 1020, 1021, 2048]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("share", [0.5, 0.97, 1.0])
def test_every_width_and_layout(width: int, share: float) -> None:
    votes = np.random.default_rng(width).random((300, width)) < share
    expected = [sum(row) for row in votes.tolist()]
    wider = np.zeros((300, width + 3), bool)
    wider[:, 1:-2] = votes
    layouts = {
        "as it is": (votes, -1),
        "Fortran": (np.asfortranarray(votes), 1),
        "axis 0": (np.ascontiguousarray(votes.T), 0),
        "off the boundaries": (wider[:, 1:-2], -1),
        "every second": (np.repeat(votes, 2, axis=1)[:, ::2], -1),
        "backwards": (votes[:, ::-1], -1),
        "three axes": (votes.reshape(10, 30, width), 2),
        "middle axis": (np.ascontiguousarray(votes.reshape(10, 30, width).transpose(0, 2, 1)), 1),
    }
    for name, (array, axis) in layouts.items():
        for typed in (array, array.view(np.uint8), array.astype(np.float32)):
            positive, present = bp.vote_counts(typed, axis=axis)
            assert positive.dtype == present.dtype == np.int64
            assert positive.reshape(-1).tolist() == expected, name
            assert present.shape == positive.shape
            assert (present == width).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type(dtype: str) -> None:
    votes = np.random.default_rng(0).integers(0, 2, (40_000, 6))
    positive, present = bp.vote_counts(votes.astype(dtype))
    np.testing.assert_array_equal(positive, votes.sum(axis=1))
    np.testing.assert_array_equal(present, 6)
    assert bp.flips_needed(votes.astype(dtype)).tolist() == [abs(count - 3) for count in positive]


@given(
    votes=hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=9),
        elements=st.sampled_from([0.0, -0.0, 1.0, NAN]),
    ),
    data=st.data(),
)
def test_missing_votes(votes: NDArray[np.float64], data: st.DataObject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "_BLOCK_BYTES", 200)
    axis = data.draw(st.integers(-votes.ndim, votes.ndim - 1))
    rows = np.moveaxis(votes, axis, -1)
    expected = (np.nansum(rows, axis=-1), (~np.isnan(rows)).sum(axis=-1))
    objects = np.where(np.isnan(votes), None, votes)  # type: ignore[call-overload]
    for given_votes in (votes, objects):
        for found, count in zip(bp.vote_counts(given_votes, axis=axis), expected, strict=True):
            np.testing.assert_array_equal(found, count)
            assert found.shape == rows.shape[:-1]


def test_a_list_of_votes() -> None:
    positive, present = bp.vote_counts([1, None, 0, True])  # type: ignore[arg-type]
    assert [positive.item(), present.item()] == [2, 3]


@pytest.mark.parametrize(("dtype", "wrong", "shown"), [
    ("uint8", 2, "2"), ("uint8", 255, "255"), ("int8", -1, "-1"), ("int64", -1, "-1"), ("int64", 257, "257"),
    ("uint16", 256, "256"), ("float64", 0.5, "0.5"), ("float64", INF, "inf"), ("float64", 2**-1074, "4.94066e-324"),
    ("object", -INF, "-inf"), ("float16", 3, "3"),
])  # fmt: skip
@pytest.mark.parametrize("call", [bp.vote_counts, bp.flips_needed])
def test_the_first_wrong_vote_is_named(dtype: str, wrong: float, shown: str, call: object) -> None:
    votes = np.zeros((2, 70_000, 4), dtype)
    votes[1, 69_000, 3] = votes[1, 69_001, 0] = wrong
    message = rf"vote {shown} at \(1, 69000, 3\) \(reporters last\): votes are 0, 1 or NaN for missing"
    with pytest.raises(bp.DataError, match=message):
        call(votes)  # type: ignore[operator]
    with pytest.raises(bp.DataError, match=message):
        call(np.ascontiguousarray(votes.transpose(2, 0, 1)), axis=0)  # type: ignore[operator]
    with pytest.raises(bp.DataError, match=rf"vote {shown} at \(3,\)"):
        call(votes[1, 69_000])  # type: ignore[operator]


@pytest.mark.parametrize(
    "votes", [["a", "b"], [1j], [[1, 0], [1]], [object()]], ids=["words", "complex", "ragged", "object"]
)
def test_what_is_no_array_of_numbers_is_refused(votes: object) -> None:
    with pytest.raises(bp.DataError, match="no array of numbers"):
        bp.vote_counts(votes)  # type: ignore[arg-type]


def test_no_such_axis() -> None:
    with pytest.raises(bp.ParameterError, match="axis=2: the array has 2 axes"):
        bp.vote_counts([[1, 0]], axis=2)


@pytest.mark.parametrize("threshold", [Fraction(1, 3), 1 / 3, "0.123456789012345678901", 1e-9])
def test_flips_are_exact_for_many_votes_and_digits(threshold: Fraction | float | str) -> None:
    votes = np.zeros((3, 3000), np.uint8)
    votes[1, :1700] = votes[2] = 1
    share = Fraction(1, 3) if threshold == 1 / 3 else Fraction(str(threshold))
    # To lose, an item must come down (or up) to the threshold itself.
    expected = [-(-abs(count - 3000 * share) // 1) for count in (0, 1700, 3000)]
    assert bp.flips_needed(votes, threshold=threshold).tolist() == expected


def test_counts_and_a_rule_give_the_forecasts() -> None:
    rule = bp.rules.optimal_aggregator(bp.Panel(100, 10), bp.Expert(0.5, 0.8, 0.1), "squared")
    votes = np.random.default_rng(0).integers(0, 2, (5000, 100), dtype=np.uint8)
    positive, _ = bp.vote_counts(votes)
    forecasts = rule(positive)
    assert forecasts.tolist() == [rule(sum(row)) for row in votes.tolist()]
    assert forecasts.flags.writeable
    for kind in (np.uint8, np.int32, np.uint64):
        np.testing.assert_array_equal(rule(positive.astype(kind)), forecasts)


@pytest.mark.parametrize("counts", [[-1, *range(101)], [101, *range(101)], [*range(101), -(2**63)]])
@pytest.mark.parametrize("build", ["optimal", "majority"])
def test_a_rule_refuses_counts_outside_the_panel_however_many(counts: list[int], build: str) -> None:
    panel = bp.Panel(100, 10)
    rule = bp.rules.majority(panel) if build == "majority" else bp.rules.clipped_linear(panel, 0.2, 0.8)
    with pytest.raises(bp.ParameterError, match="count of H reports"):
        rule(np.array(counts))
    with pytest.raises(bp.ParameterError, match="count of H reports"):
        rule(np.array([0.0, 1.0]))
