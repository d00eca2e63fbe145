"""The cheapest list that changes enough: against all lists, with a proof that less is not enough."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bribeproof.errors import BribeproofError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.cheapest_list import CheapestList, cheapest_list
from bribeproof.theory.bribery.worst_list import worst_list
from tests.effort import seeds
from tests.theory.bribery.list_oracle import AllLists, Case, random_case
from tests.theory.bribery.test_worst_list import CROWD, crowd


def question(seed: int) -> tuple[Case, list[float], float] | None:
    """A table, what its items count, and how much is to be changed; None if nothing is decided."""
    rng = np.random.default_rng(seed)
    case = random_case(rng)
    decided = AllLists.of(case).decided
    if not decided.any():
        return None
    kind = rng.integers(3)
    if kind == 0:  # so many items
        return case, [1.0] * len(decided), float(rng.integers(1, decided.sum() + 1))
    if kind == 1:  # all of some items
        named = decided & (rng.random(len(decided)) < 0.5)
        named[np.flatnonzero(decided)[0]] = True
        return case, named.astype(float).tolist(), float(named.sum())
    worth = np.where(decided, rng.choice([0.5, 1.0, 1.5], len(decided)), 1.0)
    return case, worth.tolist(), float(rng.choice(np.arange(0.5, worth[decided].sum() + 0.1, 0.5)))


def check(seed: int, time_limit: float = 60.0) -> CheapestList | None:
    """Compare the search with all lists."""
    if (asked := question(seed)) is None:
        return None
    case, worth, enough = asked
    found = cheapest_list(case.ballots, case.bribes, values=worth, enough=enough, time_limit=time_limit)
    assert found.least <= AllLists.of(case).least(worth, enough) <= found.cost
    assert found.found.changed @ np.array(worth) >= enough - 1e-9
    return found


@pytest.mark.parametrize("seed", range(60))
def test_no_list_costs_less(seed: int) -> None:
    if (found := check(seed)) is not None:
        assert found.exact
        assert found.recheck()


@pytest.mark.slow
def test_no_list_costs_less_in_many_tables() -> None:
    for seed in seeds(1000, 11_000):
        if (found := check(seed)) is not None:
            assert found.exact


@pytest.mark.parametrize("seed", range(20))
def test_without_time_the_bounds_hold(seed: int) -> None:
    if (found := check(seed, time_limit=1e-9)) is not None:
        assert found.recheck()


def test_items_that_count_for_nothing_are_not_bought() -> None:
    """The one item of value takes the first reporter, and what is left of the money buys nobody who is dear."""
    found = check(5154)
    assert found is not None
    assert found.exact


def test_a_recheck_finds_what_is_wrong() -> None:
    ballots = Ballots(np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4), np.zeros(12, int), 4, 3, 2)
    found = cheapest_list(ballots, enough=4)
    assert found.cost == found.least == 2
    assert found.recheck()
    assert not replace(found, least=Fraction(3)).recheck()
    assert not replace(found, refuted=None).recheck()
    assert not replace(found, enough=Fraction(5)).recheck()
    assert found.refuted is not None
    assert not replace(found, refuted=replace(found.refuted, bribes=Bribes.heads(3, 2))).recheck()
    assert not replace(found, found=replace(found.found, groups=(0,))).recheck().ok


@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
@pytest.mark.parametrize(("name", "most"), [("rte", {2: 137, 3: 220, 5: 431}), ("dog", {2: 78, 3: 123})])
def test_it_is_the_other_way_round_of_the_worst_list(name: str, most: dict[int, int]) -> None:
    ballots = crowd(name)
    for k, number in most.items():
        for enough, least in ((number, k), (number + 1, k + 1)):
            found = cheapest_list(ballots, enough=enough)
            assert found.cost == found.least == least
            assert found.recheck()
        assert worst_list(ballots, k).upper == number


@pytest.mark.parametrize(
    "wrong", [{"enough": 0}, {"enough": 3}, {"enough": "x"}, {"enough": -1}, {"time_limit": 0}, {"values": [1]}]
)
def test_questions_that_are_none(wrong: dict[str, object]) -> None:
    ballots = Ballots(np.array([0, 1]), np.array([0, 1]), np.array([0, 1]), items=2, reporters=2, classes=2)
    with pytest.raises(BribeproofError):
        cheapest_list(ballots, **{"enough": 1} | wrong)  # type: ignore[arg-type]
