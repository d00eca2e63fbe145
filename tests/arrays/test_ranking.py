"""Places of arrays of decimal scores against trimmed means in fractions, of every set of bribed reporters."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import bribeproof as bp

FAR = Fraction(10**6)


def mean(scores: list[Fraction], k: int) -> Fraction | None:
    """Return the mean without the k lowest and the k highest."""
    kept = sorted(scores)[k : len(scores) - k]
    return sum(kept, Fraction(0)) / len(kept) if kept else None


def rewritten(row: list[str | None], bribed: tuple[int, ...], k: int, mark: Fraction) -> Fraction:
    """Return the score of an item if some reporters write one mark."""
    found = mean([mark if j in bribed else Fraction(text) for j, text in enumerate(row) if text is not None], k)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(60))
def test_equal_means_of_decimals_share_a_place(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    k, reporters = rng.randint(0, 1), rng.randint(3, 6)
    texts = rng.choice([["0.1", "0.2", "0.3", "0.4", "0.7"], ["8.05", "8.1", "8.15"], ["1", "2.5", "3"]])
    rows: list[list[str | None]] = [[rng.choice(texts) for _ in range(reporters)] for _ in range(4)]
    if reporters > 3:
        rows[0][rng.randrange(reporters)] = None
    scores = np.array([[np.nan if text is None else float(text) for text in row] for row in rows])
    sign = rng.choice([1, -1])
    found = bp.safe_ranking(scores, k, better="high" if sign > 0 else "low")
    best, worst = [len(rows)] * len(rows), [1] * len(rows)
    for bribed in combinations(range(reporters), k):
        ends = [sorted(sign * rewritten(row, bribed, k, mark) for mark in (-FAR, FAR)) for row in rows]
        for item, (low, high) in enumerate(ends):
            others = [end for other, end in enumerate(ends) if other != item]
            best[item] = min(best[item], 1 + sum(end[0] > high for end in others))
            worst[item] = max(worst[item], 1 + sum(end[1] > low for end in others))
    totals = [sign * rewritten(row, (), k, FAR) for row in rows]
    assert found.rank.tolist() == [1 + sum(other > total for other in totals) for total in totals]
    assert (found.best_rank.tolist(), found.worst_rank.tolist()) == (best, worst)
    np.testing.assert_array_equal(found.estimate, bp.trimmed_mean(scores, k))


def test_two_ways_to_the_same_mean() -> None:
    scores = [[0.2, 0.2, 0.4, 0.7], [0.3, 0.3, 0.3, 0.3], [0.1, 0.1, 0.1, 0.1]]
    for same in (True, False):
        assert bp.safe_ranking(scores, 1, better="low", same_judges=same).rank.tolist() == [2, 2, 1]


@pytest.mark.parametrize("size", [1e-14, 1.0, 1e9, 1e15, np.inf])
def test_scores_with_many_digits_are_compared_as_floats(size: float) -> None:
    scores = size * np.array([[1 / 3, 1, 2], [1 / 7, 1, 1], [1, 1, 3]])
    assert bp.safe_ranking(scores, 1).rank.tolist() == [1, 1, 1]
    assert bp.safe_ranking(scores[:, :1], 0).rank.tolist() == ([1, 1, 1] if size == np.inf else [2, 3, 1])
