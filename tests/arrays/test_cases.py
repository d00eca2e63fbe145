"""Small arrays that naive tools get wrong (S01 to S33), and the dense functions against exact oracles."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from tests.arrays.exact import INF, NAN, attainable, dense, eighths, trimmed

TRIMMED = {
    "S02": ([2, 4, 6, 7, 10, 10, NAN, NAN], 2, 6.5, (3, 10)),
    "S03": ([0, 7, 8, 8, NAN], 1, 7.5, (3.5, 8)),
    "S17": ([5, 6, 9.5, 9.5], 1, 7.75, (5.5, 9.5)),
    "S18": ([4, 9, NAN], 1, NAN, (NAN, NAN)),
    "S19": ([6, 6.5, 6, 7, 6.5, 6, 6.5, 7, 10], 1, 6.5, (44.5 / 7, 49.5 / 7)),
    "S20 a": ([5, 6, 7, INF], 1, 6.5, (5.5, INF)),
    "S20 b": ([1, 1, 1, 1e16], 1, 1.0, (1, (1 + 1e16) / 2)),
    "S22": ([4, 5, 5, 6, 6, 6, 7], 1, 5.6, (5.2, 6)),
    "S22 bribed": ([4, 5, 5, 6, 6, 7, 7], 1, 5.8, (5.2, 6.2)),
    "S28": ([1, 6, 7, 7, 10], 0, 6.2, (6.2, 6.2)),
    "S33": ([7], 0, 7, (7, 7)),
    "S33 k=1": ([7], 1, NAN, (NAN, NAN)),
    "both infinities": ([-INF, 3, 5, INF], 1, 4, (-INF, INF)),
    "both infinities, one kept": ([-INF, 3, 4, INF, INF], 1, INF, (-INF, INF)),
    "infinite": ([5, 6, INF], 0, INF, (INF, INF)),
    "nobody": ([NAN, NAN], 0, NAN, (NAN, NAN)),
    "no place": ([], 0, NAN, (NAN, NAN)),
}


@pytest.mark.parametrize(("scores", "k", "estimate", "interval"), TRIMMED.values(), ids=TRIMMED)
def test_scores(scores: list[float], k: int, estimate: float, interval: tuple[float, float]) -> None:
    for order in (scores, scores[::-1]):
        assert bp.trimmed_mean(order, k) == pytest.approx(estimate, rel=1e-13, nan_ok=True)
        assert bp.manipulation_range(order, k) == pytest.approx(interval, rel=1e-13, nan_ok=True)


@pytest.mark.parametrize(("scores", "k"), [([-INF, 3, 4, INF, INF], 0), ([-INF, -INF, 4, INF, INF], 1)])
def test_a_mean_of_infinities_of_both_signs_is_refused(scores: list[float], k: int) -> None:
    for values in (scores, np.array(scores, dtype=object), np.array(scores, dtype=np.float16)):
        with pytest.raises(bp.DataError, match="the item keeps scores of plus and of minus infinity"):
            bp.trimmed_mean(values, k)
    sheet = np.tile([1.0, 2.0, 3.0, 4.0, 5.0], (3000, 1))
    sheet[1234] = scores
    with pytest.raises(bp.DataError, match=r"the item at \(1234,\) keeps"):
        bp.trimmed_mean(sheet, k)
    with pytest.raises(bp.DataError, match=r"the item at \(0, 1234\) keeps"):
        bp.trimmed_mean(sheet[np.newaxis], k)


NINE_HIDDEN = np.ma.masked_greater([[1, 2, 3, 4, 9]], 8)
MASKED: dict[str, Any] = {
    "integers": NINE_HIDDEN,
    "floats": NINE_HIDDEN.astype(np.float32),
    "objects": NINE_HIDDEN.astype(object),
    "other byte order": NINE_HIDDEN.astype(">i2"),
    "not contiguous": np.ma.masked_greater(np.repeat([[1, 2, 3, 4, 9]], 2, axis=1), 8)[:, ::2],
    "a list of masked rows": [NINE_HIDDEN[0]],
    "masked elements": np.array([[1, 2, 3, 4, np.ma.masked]], dtype=object),
    "None": [[1, 2, 3, 4, None]],
    "NaN": np.array([[1, 2, 3, 4, NAN]], dtype=">f4"),
    "pandas, nullable": pd.DataFrame([[1, 2, 3, 4, None]], dtype="Int64"),
    "pandas, objects": pd.DataFrame([[1, 2, 3, 4, pd.NA]], dtype=object),
    "pyarrow": pa.table([[1], [2], [3], [4], pa.array([None], pa.int64())], names=list("abcde")),
    "polars": pl.DataFrame([[1], [2], [3], [4], [None]], schema=list("abcde")),
}


@pytest.mark.parametrize("scores", MASKED.values(), ids=MASKED)
def test_masked_and_null_values_are_missing(scores: Any) -> None:
    assert bp.trimmed_mean(scores, 1).tolist() == [2.5]
    assert [end.tolist() for end in bp.manipulation_range(scores, 1)] == [[1.5], [3.5]]
    assert bp.safe_ranking(scores, 1).estimate.tolist() == [2.5]


@pytest.mark.parametrize("kind", [bool, np.int8, np.float64, object])
def test_masked_votes_are_missing(kind: Any) -> None:
    votes = np.ma.array(
        np.array([[1, 1, 1, 0], [0, 0, 0, 1]], dtype=kind), mask=np.array([[1, 0, 0, 0], [0, 0, 0, 1]], bool)
    )
    positive, present = bp.vote_counts(votes)
    assert (positive.tolist(), present.tolist()) == ([2, 0], [3, 3])
    assert bp.flips_needed(votes).tolist() == [1, 2]
    told = np.asarray(bp.corrupt(votes, adversaries=[3]), dtype=float)
    assert np.isnan(told).tolist() == np.ma.getmaskarray(votes).tolist()


@pytest.mark.parametrize("base", [10**18, -(10**18), 2**62])
def test_integers_that_are_no_floats_are_compared_and_added_exactly(base: int) -> None:
    scores = [base + 3, base + 1, base + 2, base + 2]
    exact = float(base + 2)
    for values in (
        np.array([scores]),
        [scores],
        np.array([scores], dtype=object),
        np.ma.array([[*scores, 5]], mask=np.array([[0] * 4 + [1]], bool)),
    ):
        assert bp.trimmed_mean(values, 1).tolist() == [exact]
        low, high = bp.manipulation_range(values, 1)
        assert (low.tolist(), high.tolist()) == ([float(Fraction(2 * base + 3, 2))], [float(Fraction(2 * base + 5, 2))])
    near = np.array([2**53 + 1, 2**53 + 1, -(2**53), -(2**53)])
    assert bp.trimmed_mean(near, 0) == 0.5
    low, high = bp.manipulation_range(np.array([2**64 - 1, 2**63, 0], dtype=np.uint64), 1)
    assert (low.item(), high.item()) == (0.0, float(2**64 - 1))


NEAR = [2**53 + 1, 2**53 + 1, -(2**53), -(2**53)]
"""Their mean is 1/2, and 0 if each is rounded to a float first."""


@pytest.mark.parametrize(
    "values",
    [
        np.array([Decimal(value) for value in NEAR]),
        np.array([Fraction(value) for value in NEAR]),
        np.array([np.int64(value) for value in NEAR], dtype=object),
        [Decimal(NEAR[0]), Fraction(NEAR[1]), NEAR[2], float(NEAR[3])],
        [*NEAR[:3], float(NEAR[3])],
        [*NEAR, NAN],
        [*NEAR, None],
        pd.Series(NEAR),
        pd.array([*NEAR, None], dtype="Int64"),
        pl.Series([*NEAR, None]),
    ],
)
def test_exact_numbers_are_added_exactly_in_every_container(values: Any) -> None:
    assert bp.trimmed_mean(values, 0) == 0.5


def test_numbers_that_are_no_floats_beside_infinities() -> None:
    assert bp.trimmed_mean([2**53 + 1, INF, -INF, 2**53 + 1], 1) == 2**53
    assert bp.trimmed_mean([2**53 + 1, INF, 0], 0) == INF
    with pytest.raises(bp.DataError, match="scores of plus and of minus infinity"):
        bp.trimmed_mean([2**53 + 1, INF, -INF], 0)
    assert bp.trimmed_mean([10**400, 10**400], 0) == INF


def test_s05_different_numbers_of_reports() -> None:
    scores = np.array([[1, 6, 7, 7, 10], [6, 7, 10, NAN, NAN], [6, 10, NAN, NAN, NAN]])
    expected = np.array([20 / 3, 7, NAN])
    np.testing.assert_allclose(bp.trimmed_mean(scores, 1), expected, rtol=1e-15)
    np.testing.assert_allclose(bp.trimmed_mean(scores.T, 1, axis=0), expected, rtol=1e-15)
    low, high = bp.manipulation_range(scores.T, 1, axis=0)
    np.testing.assert_allclose([low, high], [[14 / 3, 6, NAN], [8, 10, NAN]], rtol=1e-15)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int64", "float16", "float32", "bool"])
def test_s21_small_types_do_not_wrap(dtype: str) -> None:
    many = np.ones(300, dtype=dtype)
    assert bp.trimmed_mean(many, 100) == 1
    assert bp.flips_needed(many) == 150
    if dtype != "bool":
        full = np.full(300, 100, dtype=dtype)
        assert bp.trimmed_mean(full, 10) == 100
        assert [end.item() for end in bp.manipulation_range(full, 10)] == [100, 100]


def test_the_input_is_left_as_it_was() -> None:
    scores = np.array([[3.0, NAN, 1.0, 2.0, 9.0]])
    kept = scores.copy()
    bp.trimmed_mean(scores, 1), bp.manipulation_range(scores, 1), bp.safe_ranking(scores, 1)
    np.testing.assert_array_equal(scores, kept)


FLIPS = {
    "S01": ([1, NAN, 0], 0),
    "S06": ([0, 1, 1], 1),
    "S10": ([1, 0], 0),
    "S15": ([1, 1, 1, 1, 0, 0], 1),
    "S16": ([1, 1, 0, 0], 0),
    "S21 b": ([1, 0, 0], 1),
    "S04": ([NAN, NAN], 0),
    "one": ([1, NAN], 1),
    "five": ([0, 0, 0, 0, 0], 3),
}


@pytest.mark.parametrize(("votes", "flips"), FLIPS.values(), ids=FLIPS)
def test_flips(votes: list[float], flips: int) -> None:
    assert bp.flips_needed(votes) == flips
    assert bp.flips_needed([votes, votes[::-1]]).tolist() == [flips, flips]
    assert np.issubdtype(np.asarray(bp.flips_needed(votes)).dtype, np.integer)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[list[list[Fraction | None]], int]:
    """A small matrix of exact scores with gaps, and k."""
    k = draw(st.integers(0, 2))
    width = draw(st.integers(2 * k + 1, 6))
    row = st.lists(eighths, max_size=width)
    padded = row.map(lambda scores: [*scores, *[None] * (width - len(scores))]).flatmap(st.permutations)
    return draw(st.lists(padded, min_size=1, max_size=4)), k


@given(sheets())
def test_trimmed_mean_and_range_against_replacing_k_reports(
    case: tuple[list[list[Fraction | None]], int],
) -> None:
    sheet, k = case
    estimates, (lows, highs) = bp.trimmed_mean(dense(sheet), k), bp.manipulation_range(dense(sheet), k)
    for i, row in enumerate(sheet):
        present = [score for score in row if score is not None]
        found = (estimates[i], lows[i], highs[i])
        if len(present) <= 2 * k:
            assert np.isnan(found).all()
            continue
        reached = attainable(present, k)
        assert found == pytest.approx([float(trimmed(present, k)), float(min(reached)), float(max(reached))], rel=1e-14)


@given(st.lists(st.sampled_from([0.0, 1.0, NAN]), max_size=8))
def test_flips_against_every_rewrite(votes: list[float]) -> None:
    present = [int(vote) for vote in votes if vote == vote]
    margin = 2 * sum(present) - len(present)
    winner = int(margin > 0)

    def wins(held: list[int]) -> bool:
        return margin != 0 and held.count(winner) > held.count(1 - winner)

    rewrites = ([v ^ (i in chosen) for i, v in enumerate(present)] for size in range(len(present) + 1)
                for chosen in combinations(range(len(present)), size))  # fmt: skip
    fewest = min(sum(a != b for a, b in zip(held, present, strict=True)) for held in rewrites if not wins(held))
    assert bp.flips_needed(np.array(votes)) == fewest


@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, -1.0, NAN, INF]), min_size=1, max_size=5),
    st.sampled_from([-1, 1.5, NAN, "2", None, 10**30, 0, 1]),
    st.sampled_from([-1, 0, 1, 7]),
)
def test_only_our_errors_come_out(scores: list[float], k: object, axis: int) -> None:
    for call in (bp.trimmed_mean, bp.manipulation_range):
        try:
            call(scores, k, axis=axis)  # type: ignore[arg-type]
        except bp.BribeproofError:
            assert k not in (0, 1) or axis > 0 or INF in scores
        else:
            assert k in (0, 1, 10**30)
            assert axis < 1
    try:
        bp.flips_needed(scores)
    except bp.BribeproofError:
        assert {2.0, -1.0, INF} & set(scores)
    else:
        assert not {2.0, -1.0, INF} & set(scores)


@pytest.mark.parametrize("scores", [["a", "b"], [1j], [[1, 2], [3]], 5.0], ids=repr)
def test_what_is_no_array_of_numbers_is_refused(scores: object) -> None:
    with pytest.raises(bp.BribeproofError):
        bp.trimmed_mean(scores, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("reporters", [3, 9, 40, 300])
@pytest.mark.parametrize("holes", [False, True])
def test_an_item_has_the_same_mean_to_the_bit_alone_and_among_others(reporters: int, *, holes: bool) -> None:
    rng = np.random.default_rng(reporters)
    scores = rng.normal(size=(50, reporters))
    if holes:
        scores[rng.random(scores.shape) < 0.2] = np.nan
    together = bp.trimmed_mean(scores, 1)
    alone = [bp.trimmed_mean(row, 1) for row in scores]
    assert np.array_equal(together, alone, equal_nan=True)
    assert np.array_equal(together, bp.trimmed_mean(scores.T.copy(), 1, axis=0), equal_nan=True)
    assert np.array_equal(together[:7], bp.trimmed_mean(scores[:7], 1), equal_nan=True)
    low, high = bp.manipulation_range(scores, 1)
    assert np.array_equal(low, [bp.manipulation_range(row, 1)[0] for row in scores], equal_nan=True)
    assert np.array_equal(high, bp.manipulation_range(scores[:, rng.permutation(reporters)], 1)[1], equal_nan=True)
