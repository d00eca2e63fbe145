"""The cheapest bribe of a contest, against every set of judges."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.contests.result import WorstContestBribe
from tests.contests.brute_force import places
from tests.contests.drawn import JUDGES, SEEDS, draw


def test_two_bounds_of_the_cheapest() -> None:
    found = replace(bp.cheapest_bribe(JUDGES, "winner", trim=1), price=3.0, exact=False)
    assert found.summary().endswith("\nFewer than 2 judges are not enough (proven).")
    assert replace(found, priced=True).summary().endswith("\nBribes for less than 2 are not enough (proven).")


def test_one_entry_may_be_given_as_a_list() -> None:
    one, listed = (bp.cheapest_bribe(JUDGES, items=items, trim=1) for items in ("Delta", ["Delta"]))
    assert one.facts() == listed.facts()
    for items in ([], ["Delta", "Ember"]):
        with pytest.raises(bp.ParameterError, match="name one entry"):
            bp.cheapest_bribe(JUDGES, items=items, trim=1)


def test_all_entries_that_the_cheapest_could_make_first_are_named() -> None:
    marks = {
        "J1": [1.5, 1.5, 2], "J2": [2, 2, 1.5], "J3": [1.5, 1, 1.5], "J4": [1.0, 0, 1], "J5": [2, 0.5, 1],
    }  # fmt: skip
    sheet = pl.DataFrame({"entry": ["Ann", "Bo", "Cy"]} | marks, strict=False)
    found = bp.cheapest_bribe(sheet, "winner", trim=1)
    assert (found.bribed, found.moved) == (("J5",), ("Bo", "Cy"))
    assert "1 judge is enough: J5, for any of Bo and Cy." in found.summary()


@pytest.mark.parametrize("seed", SEEDS[:4] + SEEDS[40:60])
def test_the_cheapest_against_every_set_of_judges(seed: int) -> None:
    drawn = draw(seed)
    for change, place in (("winner", 1), ("podium", 3)):
        found = bp.cheapest_bribe(pl.DataFrame(drawn.rows()), change, trim=drawn.trim, **drawn.options)
        could: dict[tuple[str, ...], set[str]] = {}
        for size in range(len(drawn.judges) + 1):
            for bribed in combinations(drawn.judges, size):
                ends = places(drawn.marks, drawn.rule, bribed, drawn.ends, drawn.trim)
                if there := {entry for entry, (now, best, _) in ends.items() if best <= place < now}:
                    could[bribed] = there
            if could:
                break
        assert found.exact
        assert found.price == (len(next(iter(could))) if could else None)
        assert set(found.moved) == could.get(tuple(sorted(found.bribed)), set())
        assert found.recheck()


def test_prices_of_one_are_prices() -> None:
    """Twice the prices and twice the budget are the same bribes, though some prices are all 1 then."""
    drawn = draw(3)
    options: dict[str, Any] = {"trim": drawn.trim, **drawn.options}
    once, twice = (
        bp.worst_bribe(
            pl.DataFrame(drawn.rows()), price=dict.fromkeys(drawn.judges, price), budget=1.5 * price, **options
        )
        for price in (1, 2)
    )
    assert isinstance(once, WorstContestBribe)
    assert isinstance(twice, WorstContestBribe)
    assert (once.k, once.budget, twice.k, twice.budget) == (None, 1.5, None, 3.0)
    assert once.entries.equals(twice.entries)
    assert once.summary().replace("1.5", "3") == twice.summary()
