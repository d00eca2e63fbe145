"""The finals of Olympic diving: who could have won with bribed judges, by the package and by brute force."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import polars as pl
import pytest

from bribeproof.contests.cheapest_bribe import cheapest_contest_bribe
from bribeproof.contests.worst_bribe import worst_contest_bribe
from tests.contests.brute_force import Marks, places_if_others, places_over_all
from tests.paths import SHARED

DIVING = SHARED / "data" / "diving" / "marks.csv"
pytestmark = pytest.mark.skipif(not DIVING.is_file(), reason="the data packs are not beside the project")
READ: dict[str, Any] = {
    "item": ["diver", "dive"], "reporter": "judge", "value": "score", "factor": ["difficulty", 3],
    "total": "sum of dives", "scale": (0, 10),
}  # fmt: skip
SCALE = (Fraction(0), Fraction(10))
ONE = {"M3mSB": 1, "M10mPF": 0, "W3mSB": 0, "W10mPF": 0}
"""Rivals whom one judge could have made first, the same on all dives."""
ANOTHER = {"M3mSB": 2, "M10mPF": 1, "W3mSB": 1, "W10mPF": 0}
"""Rivals whom one judge could have made first, another one on each dive."""


@cache
def finals() -> pl.DataFrame:
    """Return the marks of the finals."""
    return pl.read_csv(DIVING).filter(pl.col("round") == "Final")


def final(event: str) -> pl.DataFrame:
    """Return the marks of a final."""
    return finals().filter(pl.col("event") == event)


@cache
def by_hand(event: str) -> tuple[Marks, Mapping[tuple[str, int], Fraction], list[str]]:
    """Return the marks and the difficulties of a final as fractions, and its judges."""
    marks: dict[str, dict[int, dict[str, Fraction]]] = {}
    difficulty = {}
    for row in final(event).iter_rows(named=True):
        marks.setdefault(row["diver"], {}).setdefault(row["dive"], {})[row["judge"]] = Fraction(str(row["score"]))
        difficulty[row["diver"], row["dive"]] = Fraction(str(row["difficulty"]))
    return marks, difficulty, sorted(final(event)["judge"].unique())


def first(found: Mapping[Any, tuple[int, int, int]]) -> int:
    """Return how many could be first who are not."""
    return sum(best == 1 < place for place, best, _ in found.values())


@pytest.mark.parametrize("event", ONE)
def test_rivals_who_could_take_gold(event: str) -> None:
    marks, difficulty, judges = by_hand(event)

    def rule(diver: str, dives: Mapping[int, Fraction]) -> Fraction:
        # Five marks are kept of seven; their sum times 0.6 is three times their mean.
        return sum((3 * difficulty[diver, dive] * score for dive, score in dives.items()), Fraction(0))

    for k, together, alone in ((1, ONE[event], ANOTHER[event]), (2, 11, 11)):
        found = worst_contest_bribe(final(event), k, trim=1, **READ)
        assert found.exact
        same = places_over_all(marks, rule, judges, k, SCALE, trim=1)
        others = places_if_others(marks, rule, judges, k, SCALE, trim=1)
        for one in found.entries.iter_rows(named=True):
            assert (one["place"], one["best_place"], one["worst_place"]) == same[one["diver"]]
            assert (one["place"], one["best_if_others"], one["worst_if_others"]) == others[one["diver"]]
        assert (first(same), first(others)) == (together, alone)
        rivals = found.entries.filter(pl.col("place") > 1)
        assert rivals.filter(pl.col("best_place") == 1).height == together
        assert rivals.filter(pl.col("best_if_others") == 1).height == alone
        assert found.winner_safe is (together == 0)


def test_the_fewest_judges_for_another_gold() -> None:
    for event, rivals in ONE.items():
        found = cheapest_contest_bribe(final(event), trim=1, **READ)
        assert found.exact
        assert found.price == (1 if rivals else 2)


def test_bribes_are_replayed() -> None:
    found = worst_contest_bribe(final("M3mSB"), 1, trim=1, **READ)
    checked = found.recheck()
    assert checked.ok
    assert (checked.replayed, checked.tried, checked.tried_all) == (24, 7, True)
    cheapest = cheapest_contest_bribe(final("W3mSB"), trim=1, **READ)
    checked = cheapest.recheck()
    assert checked.ok
    assert (checked.tried, checked.tried_all) == (7, True)
