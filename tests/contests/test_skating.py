"""A short program of skating: factors, deductions and rounding as in the official total, and places by brute force."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from bribeproof.contests.cheapest_bribe import cheapest_contest_bribe
from bribeproof.contests.worst_bribe import worst_contest_bribe
from tests.contests.brute_force import places_if_others, places_over_all
from tests.paths import FIXTURES

SHEET = FIXTURES / "skating" / "ladies_short_2017.csv"
SEATS = [f"J{seat}" for seat in range(1, 10)]
OFFICIAL = {"S034": 77.04, "S035": 76.27, "S036": 74.61, "S032": 74.00, "S033": 73.26, "S031": 72.82}
READ: dict[str, Any] = {
    "item": ["skater", "component"], "judges": SEATS, "factor": "factor", "minus": "minus",
    "total": "sum of component", "decimals": 2, "scale": (0.25, 10), "trim": 1,
}  # fmt: skip


def rounded(number: Fraction) -> Fraction:
    """Return a number of at least 0 rounded half up to hundredths."""
    return Fraction((200 * number + 1) // 2, 100)


def by_hand() -> tuple[dict[str, dict[str, dict[str, Fraction]]], dict[str, Fraction], dict[str, Fraction]]:
    """Return the marks, and of each skater the factor and what is subtracted."""
    marks: dict[str, dict[str, dict[str, Fraction]]] = defaultdict(dict)
    factor, minus = {}, {}
    for row in pl.read_csv(SHEET, infer_schema_length=0).iter_rows(named=True):
        marks[row["skater"]][row["component"]] = {seat: Fraction(row[seat]) for seat in SEATS}
        factor[row["skater"]], minus[row["skater"]] = Fraction(row["factor"]), Fraction(row["minus"])
    return dict(marks), factor, minus


@pytest.mark.parametrize("k", [1, 2, 3])
def test_places_against_brute_force(k: int) -> None:
    marks, factor, minus = by_hand()

    def rule(skater: str, components: Mapping[str, Fraction]) -> Fraction:
        points = (rounded(rounded(score) * factor[skater]) for score in components.values())
        return sum(points, Fraction(0)) - minus[skater]

    found = worst_contest_bribe(SHEET, k, **READ)
    assert found.exact
    assert dict(found.entries.select("skater", pl.col("total").round(2)).iter_rows()) == OFFICIAL
    scale = (Fraction(1, 4), Fraction(10))
    same = places_over_all(marks, rule, SEATS, k, scale, trim=1)
    others = places_if_others(marks, rule, SEATS, k, scale, trim=1)
    for row in found.entries.iter_rows(named=True):
        assert (row["place"], row["best_place"], row["worst_place"]) == same[row["skater"]]
        assert (row["place"], row["best_if_others"], row["worst_if_others"]) == others[row["skater"]]
        assert (row["best_bound"], row["worst_bound"]) == (row["best_place"], row["worst_place"])


def test_the_fewest_judges_are_those_of_the_places() -> None:
    for skater, place in (("S035", 1), ("S036", 1), ("S031", 3)):
        found = cheapest_contest_bribe(SHEET, entry=skater, place=place, **READ)
        assert found.exact
        assert found.price is not None
        reached = {}
        for k in (int(found.price) - 1, int(found.price)):
            places = dict(worst_contest_bribe(SHEET, k, **READ).entries.select("skater", "best_place").iter_rows())
            reached[k] = places[skater] <= place
        assert list(reached.values()) == [False, True]
        assert found.recheck()
