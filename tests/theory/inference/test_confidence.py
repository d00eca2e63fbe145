"""Confidence bounds: exact tails, worked values, and coverage counted on distributions of every shape."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bribeproof.errors import ParameterError
from bribeproof.theory.inference.confidence import clopper_pearson, least_probability, mean_lower_bound


def tail(successes: int, trials: int, chance: float) -> float:
    """Probability of at least so many successes, term by term, in exact arithmetic."""
    p = Fraction(chance)
    terms = (math.comb(trials, x) * p**x * (1 - p) ** (trials - x) for x in range(successes, trials + 1))
    return float(sum(terms, Fraction(0)))


@given(st.integers(1, 40), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_each_bound_leaves_exactly_its_tail(trials: int, data: st.DataObject, confidence: float) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = map(float, clopper_pearson(successes, trials, confidence))
    assert low <= successes / trials <= high
    if successes:
        assert tail(successes, trials, low) == pytest.approx((1 - confidence) / 2, rel=1e-9)
    else:
        assert low == 0
    if successes < trials:
        assert 1 - tail(successes + 1, trials, high) == pytest.approx((1 - confidence) / 2, rel=1e-9)
    else:
        assert high == 1


def test_the_bounds_are_those_of_scipy() -> None:
    found = stats.binomtest(17, 60).proportion_ci(0.9, method="exact")
    assert [float(end) for end in clopper_pearson(17, 60, 0.9)] == pytest.approx([found.low, found.high], rel=1e-12)
    assert [float(end) for end in clopper_pearson(0, 0)] == [0.0, 1.0]


@pytest.mark.parametrize("statements", [1, 7, 10**6, math.comb(762, 3), 10**40])
def test_each_of_many_statements_has_its_part_of_the_risk(statements: int) -> None:
    low = least_probability(30, 40, statements=statements)
    assert tail(30, 40, low) == pytest.approx(0.05 / statements, rel=1e-6)


def test_beyond_all_floats_nothing_is_known() -> None:
    assert least_probability(30, 40, statements=math.comb(3000, 1500)) == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([3], [2]), "more than the trials"),
        (([-1], [2]), "integers from 0"),
        (([1.5], [2]), "give integers"),
        (([1], [2], 1.0), "not between 0 and 1"),
        (([1], [2], float("nan")), "not a finite number"),
    ],
)
def test_counts_that_are_none(arguments: tuple[list[float], ...], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        clopper_pearson(*arguments)  # type: ignore[arg-type]


def all_samples(values: list[float], chances: list[float], size: int) -> dict[tuple[int, ...], float]:
    """Probability of each histogram of a sample."""
    found: dict[tuple[int, ...], float] = {}
    for counts in product(range(size + 1), repeat=len(values)):
        if sum(counts) == size:
            ways = math.factorial(size) / math.prod(map(math.factorial, counts))
            found[counts] = ways * math.prod(chance**count for chance, count in zip(chances, counts, strict=True))
    return found


@pytest.mark.parametrize(
    ("values", "chances"),
    [([0, 1], [0.3, 0.7]), ([0, 1], [0.02, 0.98]), ([0, 0.5, 1], [0.2, 0.5, 0.3]), ([0.1, 0.9], [0.9, 0.1])],
)
@pytest.mark.parametrize("size", [1, 5, 12])
def test_the_bound_of_a_mean_fails_no_more_often_than_it_may(
    values: list[float], chances: list[float], size: int
) -> None:
    mean = float(np.dot(values, chances))
    failing = sum(
        chance
        for counts, chance in all_samples(values, chances, size).items()
        if mean_lower_bound(counts, values, 0.1) > mean
    )
    assert failing <= 0.1


@given(st.lists(st.tuples(st.integers(0, 30), st.floats(0, 1)), min_size=1, max_size=6), st.sampled_from([0.01, 0.2]))
def test_the_bound_of_a_mean_lies_below_it_and_rises_with_the_sample(
    pairs: list[tuple[int, float]], risk: float
) -> None:
    counts, values = map(list, zip(*pairs, strict=True))
    bound = mean_lower_bound(counts, values, risk)
    total = sum(counts)
    mean = sum(count * value for count, value in pairs) / total if total else 0.0
    assert 0 <= bound <= mean
    assert mean_lower_bound(counts[::-1], values[::-1], risk) == pytest.approx(bound, rel=1e-12)
    assert mean_lower_bound([4 * count for count in counts], values, risk) >= bound * (1 - 1e-12)
    assert mean_lower_bound(counts, values, risk / 2) <= bound * (1 + 1e-12)


def test_little_spread_is_worth_much() -> None:
    spread = mean_lower_bound([100, 100], [0, 1], 0.05)
    narrow = mean_lower_bound([100, 100], [0.45, 0.55], 0.05)
    exact = float(clopper_pearson(100, 200, 0.9)[0])
    assert exact - 0.06 < spread < exact < 0.45 < narrow < 0.5


@given(st.sampled_from([([1], [1.5]), ([1, 2], [0.5]), ([-1], [0.5]), ([0.5], [0.5])]))
def test_observations_that_are_none(given_: tuple[list[float], list[float]]) -> None:
    with pytest.raises(ParameterError):
        mean_lower_bound(*given_, risk=0.05)
    with pytest.raises(ParameterError, match="not between 0 and 1"):
        mean_lower_bound([1], [0.5], risk=1)
