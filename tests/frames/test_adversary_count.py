"""How many may be bribed: shares become head counts exactly, and whole numbers of any type are head counts."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.adversary_count import AdversaryCount, count_of

VOTES = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 0, 0]})


def test_a_float_that_stands_for_a_fraction_of_the_reporters_is_that_fraction() -> None:
    fractions = [(p, q) for q in range(1, 61) for p in range(q + 1)]
    assert [(p, q) for p, q in fractions if count_of(p / q, q) != p] == []
    assert [(p, q) for p, q in fractions if count_of(1 - p / q, q) != q - p] == []
    assert [(p, q) for p, q in fractions if count_of(str(p / q), q) != p] == []
    assert [(p, q) for p, q in fractions if count_of(np.float32(p / q), q) != p] == []
    assert [(p, q) for p, q in fractions if count_of(p / q, 7 * q + 1) != p * (7 * q + 1) // q] == []


@pytest.mark.parametrize(
    ("share", "reporters", "k"),
    [
        (1 / 3, 9, 3), (2 / 7, 7, 2), (1 - 0.8, 10, 2), ("1/3", 9, 3), ("10%", 20, 2), ("12.5 %", 8, 1),
        (0.29, 100, 29), ("0.333", 3, 0), (0.2999, 10, 2), (Fraction(2, 7), 14, 4),
        (Decimal("0.3"), 10, 3), (1e-17, 9, 0), (0, 5, 0),
    ],
)  # fmt: skip
def test_a_share_is_rounded_down_to_a_head_count(share: object, reporters: int, k: int) -> None:
    assert count_of(share, reporters) == k
    assert AdversaryCount.resolve(None, share, "item", reporters).for_item(reporters) == k


@pytest.mark.parametrize("share", [10, "10", 10.0, 1])
def test_ten_asks_whether_a_tenth_or_ten_reporters_were_meant(share: object) -> None:
    with pytest.raises(bp.ParameterError, match=rf"is it {share} % \(share=0\.\d+ or .* or \d+ reporters \(k="):
        bp.aggregate_votes(VOTES, share=share)


@pytest.mark.parametrize("share", [-0.1, "60%", "x", True, None, "1/0", "%", 1.5, float("nan")])
def test_what_is_no_share_below_one_half_is_refused(share: object) -> None:
    with pytest.raises(bp.ParameterError):
        bp.aggregate_votes(VOTES, share=share)


@pytest.mark.parametrize(
    "k", [1.0, np.float64(1.0), np.float32(1), np.int8(1), np.uint64(1), Fraction(1), Decimal("1.0")]
)
def test_a_whole_number_of_any_type_is_a_head_count(k: Any) -> None:
    assert bp.aggregate_votes(VOTES, k)["k"].to_list() == [1]
    assert bp.trimmed_mean([1, 2, 4], k) == 2
    assert bp.Panel(5, k) == bp.Panel(5, 1)


@pytest.mark.parametrize("k", [1.5, "1", True, np.True_, None, float("inf"), 1j])
def test_what_is_no_whole_number_is_no_head_count(k: Any) -> None:
    with pytest.raises(bp.ParameterError):
        bp.aggregate_votes(VOTES, k)
    with pytest.raises(bp.ParameterError):
        bp.trimmed_mean([1, 2, 4], k)
