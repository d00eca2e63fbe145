"""Places of arrays of scores against replacing every k reports, of the same judges too."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from tests.arrays.exact import NAN, attainable, dense, eighths, trimmed
from tests.budgets import examples


def test_a_ranking_refuses_scores_that_would_become_equal() -> None:
    with pytest.raises(bp.DataError, match=r"score 9007199254740993 is beyond 2\*\*53 = 9007199254740992"):
        bp.safe_ranking(np.array([[2**53], [2**53 + 1]]), 0)
    assert bp.safe_ranking(np.array([[2**60], [2**60 + 256]]), 0).rank.tolist() == [2, 1]


def places(values: Sequence[Fraction]) -> list[int]:
    return [1 + sum(other > own for other in values) for own in values]


def check_ranking(sheet: list[list[Fraction | None]], k: int) -> None:
    """Compare the places with those of all combinations of what k rewritten reports make of each item."""
    ranking = bp.safe_ranking(dense(sheet), k, same_judges=False)
    present = [[score for score in row if score is not None] for row in sheet]
    certified = [i for i, row in enumerate(present) if len(row) > 2 * k]
    gone = len(sheet) - len(certified)
    estimates = [trimmed(present[i], k) for i in certified]
    # The least and the greatest mean of an item, and those that equal another item's, are all that matter for places.
    reached = [set(attainable(present[i], k)) for i in certified]
    ends = {end for means in reached for end in (min(means), max(means))}
    combinations_of_means = product(*(sorted(means & ends) for means in reached))
    seen = list(zip(*map(places, combinations_of_means), strict=True)) if certified else []
    assert [ranking.rank[i] for i in certified] == places(estimates)
    for index, i in enumerate(certified):
        assert ranking.best_rank[i] == min(seen[index])
        assert ranking.worst_rank[i] == max(seen[index]) + gone
    for i in set(range(len(sheet))) - set(certified):
        assert (ranking.rank[i], ranking.best_rank[i], ranking.worst_rank[i]) == (0, 1, len(sheet))
    for first in range(1, len(sheet) + 2):
        orders = {tuple(place if place <= first else 0 for place in outcome) for outcome in zip(*seen, strict=True)}
        assert ranking.safe_top(first) == (len(orders) == 1 and not gone and first <= len(certified))


@given(st.data())
def test_safe_ranking_against_replacing_k_reports(data: st.DataObject) -> None:
    k = data.draw(st.integers(0, 1))
    few = st.sampled_from([Fraction(7), Fraction(8), Fraction(8), Fraction(9), None])
    score = data.draw(st.sampled_from([few, eighths]))
    width = data.draw(st.integers(2 * k + 1, 5))
    check_ranking(data.draw(st.lists(st.lists(score, min_size=width, max_size=width), min_size=1, max_size=4)), k)


def test_items_that_cannot_move_have_one_place() -> None:
    """Neither of two equal items can be moved: each was told to be first or second."""
    eight = [Fraction(8)] * 3
    check_ranking([list(eight), list(eight)], 1)
    ranking = bp.safe_ranking([[8, 8, 8], [8, 8, 8]], k=1)
    assert ranking.worst_rank.tolist() == [1, 1]
    assert ranking.safe_top(1)
    check_ranking([list(eight), [Fraction(7), Fraction(8), Fraction(8)], [Fraction(1), None, None]], 1)


@given(st.data())
def test_the_lowest_score_is_the_best_as_the_highest_is_of_negated_scores(data: st.DataObject) -> None:
    k = data.draw(st.integers(0, 2))
    few = st.sampled_from([-1.5, 0.0, 2.0, 2.0, 7.25, NAN])
    sheet = np.array(data.draw(st.lists(st.lists(few, min_size=5, max_size=5), min_size=1, max_size=5)))
    low, mirrored = bp.safe_ranking(sheet, k, better="low"), bp.safe_ranking(-sheet, k)
    for name in ("rank", "best_rank", "worst_rank"):
        assert getattr(low, name).tolist() == getattr(mirrored, name).tolist()
    assert [low.safe_top(first) for first in range(1, 6)] == [mirrored.safe_top(first) for first in range(1, 6)]
    high = bp.safe_ranking(sheet, k)
    for name in ("estimate", "low", "high"):
        np.testing.assert_array_equal(getattr(low, name), getattr(high, name))


@settings(max_examples=examples(0.5))
@given(st.data())
def test_places_by_the_same_judges_against_every_set_of_them(data: st.DataObject) -> None:
    k = data.draw(st.integers(0, 2))
    few = st.sampled_from([Fraction(7), Fraction(8), Fraction(8), Fraction(9), None])
    width = data.draw(st.integers(2 * k + 1, 5))
    sheet = data.draw(st.lists(st.lists(few, min_size=width, max_size=width), min_size=1, max_size=4))
    better = data.draw(st.sampled_from(["high", "low"]))
    found = bp.safe_ranking(dense(sheet), k, better=better)
    assert found.same_judges
    assert found.exact
    certified = [i for i, row in enumerate(sheet) if sum(score is not None for score in row) > 2 * k]
    sign = 1 if better == "high" else -1
    best, worst = dict.fromkeys(certified, len(sheet)), dict.fromkeys(certified, 1)
    for bribed in combinations(range(width), k):
        ends = []
        for i in certified:
            written = [
                [mark if judge in bribed and score is not None else score for judge, score in enumerate(sheet[i])]
                for mark in (Fraction(-100), Fraction(100))
            ]
            means = [sign * trimmed([score for score in row if score is not None], k) for row in written]
            ends.append((min(means), max(means)))
        for own, (low, high) in zip(certified, ends, strict=True):
            others = [end for i, end in zip(certified, ends, strict=True) if i != own]
            best[own] = min(best[own], 1 + sum(least > high for least, _ in others))
            gone = len(sheet) - len(certified)
            worst[own] = max(worst[own], 1 + gone + sum(most > low for _, most in others))
    for i in certified:
        assert (found.best_rank[i], found.worst_rank[i]) == (best[i], worst[i])
    wide = bp.safe_ranking(dense(sheet), k, better=better, same_judges=False)
    assert (wide.best_rank <= found.best_rank).all()
    assert (wide.worst_rank >= found.worst_rank).all()


def test_the_same_judges_in_arrays_of_python_objects_and_of_large_integers() -> None:
    marks = np.array([[9, 9, 8, 8, None], [8, 8, 7, 7, 7]], dtype=object)
    plain = np.array([[9, 9, 8, 8, NAN], [8, 8, 7, 7, 7]])
    large = np.array(
        [[2**60 + 512, 2**60 + 512, 2**60, 2**60, None], [2**60, 2**60, 2**59, 2**59, 2**59]], dtype=object
    )
    for first, second in ((marks, plain), (large, np.where(plain == 9, 2, np.where(plain == 8, 1, plain * 0)))):
        mine, other = bp.safe_ranking(first, 1), bp.safe_ranking(second, 1)
        assert mine.best_rank.tolist() == other.best_rank.tolist()
        assert mine.worst_rank.tolist() == other.worst_rank.tolist()


def test_too_many_sets_of_judges_leave_bounds() -> None:
    sheet = np.random.default_rng(0).integers(0, 5, (30, 60)).astype(float)
    found = bp.safe_ranking(sheet, 12)
    alone = bp.safe_ranking(sheet, 12, same_judges=False)
    assert (found.exact, found.same_judges, alone.exact, alone.same_judges) == (False, True, True, False)
    assert found.best_rank.tolist() == alone.best_rank.tolist()
    assert "not known to be safe, whichever judges are bribed, the same on all items" in found.summary()
    with pytest.raises(bp.errors.ParameterTypeError, match="same_judges="):
        bp.safe_ranking(sheet, 1, same_judges="yes")  # type: ignore[arg-type]


def test_ranks_of_four_judges_are_ranked_with_the_least_first() -> None:
    ranks = [[1, 1, 2, 4, 1], [2, 3, 1, 1, 2], [3, 2, 4, 2, 3], [4, 4, 3, 3, 4]]
    found = bp.safe_ranking(ranks, 1, better="low", same_judges=False)
    assert found.estimate == pytest.approx([4 / 3, 5 / 3, 8 / 3, 11 / 3])
    assert found.rank.tolist() == [1, 2, 3, 4]
    assert (found.low.tolist(), found.high.tolist()) == ([1.0, 4 / 3, 7 / 3, 10 / 3], [7 / 3, 7 / 3, 10 / 3, 4.0])
    assert (found.best_rank.tolist(), found.worst_rank.tolist()) == ([1, 1, 1, 3], [2, 2, 3, 4])
    for better in ("lowest", None, -1):
        with pytest.raises(bp.errors.ParameterError, match="better="):
            bp.safe_ranking(ranks, 1, better=better)  # type: ignore[arg-type]
