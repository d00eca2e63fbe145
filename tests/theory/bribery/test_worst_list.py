"""The worst list of bribed reporters: against all lists and all rewritings, and the values of real crowds."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import BribeproofError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.worst_list import worst_list
from tests.effort import seeds
from tests.paths import SHARED
from tests.theory.bribery.list_oracle import AllLists, Case, changed_by_hand, most_by_hand, random_case

CROWD = SHARED / "data" / "crowd"


def check(case: Case) -> None:
    """Compare the search with trying all lists."""
    found, best = worst_list(case.ballots, case.bribes, values=case.values), most_by_hand(case)
    assert found.exact
    assert found.lower == pytest.approx(best, abs=1e-7)
    assert best - 1e-9 <= found.upper <= best + 1e-7
    assert AllLists.of(case).most(case) == pytest.approx(best, abs=1e-9)
    assert found.cost <= case.bribes.budget
    assert found.changed.tolist() == changed_by_hand(case, set(found.members))
    alone = AllLists.of(case).alone(case)
    assert not (alone & ~found.possible).any()
    if set(case.prices) == {"1"}:
        assert found.possible.tolist() == alone.tolist()
    recheck = found.recheck()
    assert recheck.ok
    assert recheck.turned.tolist() == found.changed.tolist()
    if found.bound:
        assert not replace(found, bound=found.bound - 1).recheck().ok


@pytest.mark.parametrize("seed", [*range(40), 2960])
def test_no_list_changes_more(seed: int) -> None:
    check(random_case(np.random.default_rng(seed)))


@pytest.mark.slow
def test_no_list_changes_more_in_many_tables() -> None:
    for seed in seeds(1000, 11_000):
        case = random_case(np.random.default_rng(seed))
        found, best = worst_list(case.ballots, case.bribes, values=case.values), AllLists.of(case).most(case)
        assert found.exact
        assert found.lower == pytest.approx(best, abs=1e-7)
        assert best - 1e-9 <= found.upper <= best + 1e-7
        assert found.recheck().ok
        if set(case.prices) == {"1"}:
            assert found.possible.tolist() == AllLists.of(case).alone(case).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_without_time_the_bounds_hold(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    found = worst_list(case.ballots, case.bribes, values=case.values, time_limit=1e-9)
    assert found.recheck().ok
    assert found.lower - 1e-7 <= most_by_hand(case) <= found.upper + 1e-9


@given(st.integers(0, 10**6), st.integers(0, 100))
def test_names_and_order_do_not_matter(seed: int, other: int) -> None:
    case, rng = random_case(np.random.default_rng(seed)), np.random.default_rng(other)
    who, items = rng.permutation(len(case.groups)), rng.permutation(len(case.table))
    renamed = replace(
        case,
        table=np.array(case.table)[items][:, who].tolist(),
        weights=None if case.weights is None else [case.weights[one] for one in who],
        groups=np.array(case.groups)[who].tolist(),
        values=np.array(case.values)[items].tolist(),
    )
    one, two = (worst_list(each.ballots, each.bribes, values=each.values) for each in (case, renamed))
    assert one.upper == pytest.approx(two.upper, rel=1e-9)


@given(st.integers(0, 10**6))
def test_more_money_changes_no_less(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    more = replace(case, budget=str(Fraction(case.budget) + Fraction(1, 2)))
    one, two = (worst_list(each.ballots, each.bribes, values=each.values) for each in (case, more))
    assert one.upper <= two.upper + 1e-9


def test_items_that_lists_might_change_need_those_who_gain_most() -> None:
    """Two can take 4.5 of 10 from the winner and give it to another, which is not enough; three can take 5."""
    weights = [4.0, *[0.5] * 12]
    ballots = Ballots([0] * 13, range(13), [0] * 13, items=1, reporters=13, classes=2, weights=weights)  # type: ignore[arg-type]
    assert [worst_list(ballots, k).possible.tolist() for k in (1, 2, 3)] == [[False], [False], [True]]


def test_weights_without_a_common_unit() -> None:
    """A third and three times a third: what the rounding leaves open counts for the bound, not for the list."""
    third = 1 / 3
    ballots = Ballots([0] * 4, [0, 1, 2, 3], [0, 1, 1, 1], 1, 4, 2, [1.0, third, third, third])  # type: ignore[arg-type]
    assert ballots.winner.tolist() == [-1]
    ballots = Ballots([0] * 4, [0, 1, 2, 3], [0, 1, 1, 1], 1, 4, 2, [2.0, third, third, third])  # type: ignore[arg-type]
    found = worst_list(ballots, Bribes([0, 1, 1, 1], (Fraction(1), Fraction(1)), Fraction(1)))  # type: ignore[arg-type]
    assert (found.groups, found.lower, found.upper) == ((0,), 1.0, 1.0)


def crowd(name: str) -> Ballots:
    import polars as pl

    votes = pl.read_csv(CROWD / f"{name}.csv").unique(["task", "worker"], maintain_order=True)
    item, reporter, choice = (
        votes[column].rank("dense").to_numpy().astype(int) - 1 for column in ("task", "worker", "label")
    )
    return Ballots(item, reporter, choice, item.max() + 1, reporter.max() + 1, choice.max() + 1)


@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
@pytest.mark.parametrize(
    ("name", "decided", "changed"),
    [
        ("rte", 735, {1: 64, 2: 137, 3: 220, 5: 431, 8: 552}),
        ("dog", 757, {1: 38, 2: 78, 3: 123, 5: 236}),
        ("bluebird", 108, {3: 12}),
        ("web", 2096, {2: 763, 3: 1089, 5: 1605, 8: 2047}),
        ("trec", 17763, {1: 2029, 2: 3799}),
    ],
)
def test_the_values_of_real_crowds(name: str, decided: int, changed: dict[int, int]) -> None:
    """Against docs/theory.md, section 14, whose values were found by counting lists or by an integer program."""
    ballots = crowd(name)
    assert (ballots.winner >= 0).sum() == decided
    for k, number in changed.items():
        found = worst_list(ballots, k)
        assert (found.lower, found.upper, found.exact) == (number, number, True)
        assert ballots.changed_by(found.members).sum() == number
        recheck = found.recheck()
        assert recheck.ok
        assert recheck.turned.sum() == number


@pytest.mark.slow
@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
def test_eight_of_a_crowd_in_which_everybody_answers_everything() -> None:
    ballots = crowd("bluebird")
    assert [worst_list(ballots, k, time_limit=300).upper for k in (5, 8)] == [24, 52]
    start = time.process_time()
    found = worst_list(ballots, 8, time_limit=0.5)
    assert time.process_time() - start < 5
    assert found.lower <= 52 <= found.upper
    assert not found.exact


def test_a_recheck_finds_what_is_wrong() -> None:
    """A list that changes less than it says, or costs too much, and lists that the search has left out."""
    case = next(case for case in map(random_case, map(np.random.default_rng, range(200))) if many_lists(case))
    found = worst_list(case.ballots, case.bribes, values=case.values)
    assert found.recheck().ok
    assert not replace(found, groups=()).recheck().ok
    assert not replace(found, changed=np.ones_like(found.changed)).recheck().ok
    assert not replace(found, bribes=replace(found.bribes, budget=found.cost - Fraction(1, 100))).recheck().affordable
    cut = {members: groups[:-1] for members, groups in found.tree.items()}
    assert not replace(found, tree=cut).recheck().ok


def many_lists(case: Case) -> bool:
    """Whether the search has to look at several lists, all of which it needs."""
    found = worst_list(case.ballots, case.bribes, values=case.values)
    cut = {members: groups[:-1] for members, groups in found.tree.items()}
    changed = 0 < found.changed.sum() < len(found.changed)
    return bool(cut) and bool(changed) and found.cost > 0 and not replace(found, tree=cut).recheck().ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"item": [0, 2]},
        {"reporter": [0, 0], "item": [0, 0]},
        {"choice": [0]},
        {"classes": 0},
        {"choice": [0, 5]},
        {"reporter": [-1, 0]},
        {"weights": [1.0]},
    ],
)
def test_tables_that_are_none(wrong: dict[str, object]) -> None:
    fine = {"item": [0, 1], "reporter": [0, 1], "choice": [0, 1], "items": 2, "reporters": 2, "classes": 2}
    assert worst_list(Ballots(**fine), 1).lower == 1  # type: ignore[arg-type]
    with pytest.raises(BribeproofError):
        Ballots(**fine | wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"bribes": -1},
        {"bribes": Bribes.heads(3, 1)},
        {"values": [1]},
        {"values": [-1, 0]},
        {"values": ["a", "b"]},
        {"time_limit": 0},
    ],
)
def test_questions_that_are_none(wrong: dict[str, object]) -> None:
    ballots = Ballots([0, 1], [0, 1], [0, 1], items=2, reporters=2, classes=2)  # type: ignore[arg-type]
    with pytest.raises(BribeproofError):
        worst_list(ballots, **{"bribes": 1} | wrong)  # type: ignore[arg-type]
