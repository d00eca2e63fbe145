"""The cheapest bribes: equal to trying every ranking of every list of judges, and to counting where there are many."""

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.rankings.changes import ChangeSearch
from bribeproof.rankings.clipped_sum import ClippedSum, lead
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.least_bribe import least_bribe
from bribeproof.rankings.least_price import least_price
from bribeproof.rankings.prices import with_prices
from bribeproof.rankings.rank import find_bribes
from bribeproof.rankings.rules import make_rule
from tests.cli.command import call
from tests.rankings.brute_force import cheapest
from tests.rankings.test_changes import POINTS, RULES, contest, enough, random_places
from tests.rankings.test_rank import LONG, SHEET


def check(rng: np.random.Generator, name: str) -> bool:
    """Compare a random contest with prices, and perhaps with groups, ties and gaps; return whether it was one."""
    judges = 3 if rng.random() < 0.8 else 4
    places = random_places(rng, judges, 3, missing=0.12 if rng.random() < 0.4 else 0)
    if not enough(places, RULES[name]):
        return False
    groups = [f"G{one}" for one in rng.integers(judges - 1, size=judges)] if rng.random() < 0.5 else None
    unpriced = contest(places, groups)
    prices = [Fraction(int(rng.integers(5)), int(rng.integers(1, 4))) for _ in unpriced.groups]
    tried = with_prices(unpriced, dict(zip(unpriced.groups, prices, strict=True)))
    members = [np.flatnonzero(tried.group_of == group).tolist() for group in range(len(prices))]
    shared, other = find_bribes(ChangeSearch(tried, RULES[name]))
    rule, k = ("trimmed_mean", 0) if name == "mean" else (name, 1)
    for (change, first), (bribes, ahead) in itertools.product(
        (("winner", 1), ("order", 2)), ((shared, False), (other, True))
    ):
        ordered, bribe = change == "order", bribes[change]
        expected = cheapest(
            places, rule, first, members, prices, ahead=ahead, ordered=ordered, k=k, points=POINTS
        )  # fmt: skip
        assert bribe.upper == expected
        assert bribe.exact
        assert bribe.recheck().ok
        if expected:
            assert replace(bribe, lower=expected + Fraction(1, 1000)).recheck().refuted
    return True


@pytest.mark.parametrize("name", RULES)
def test_small_contests_are_those_of_brute_force(name: str) -> None:
    rng = np.random.default_rng(20)
    assert sum(check(rng, name) for _ in range(15)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_more_small_contests(name: str) -> None:
    rng = np.random.default_rng(21)
    assert sum(check(rng, name) for _ in range(250)) > 150


@pytest.mark.parametrize("name", RULES)
def test_larger_panels_by_all_lists(name: str) -> None:
    rng = np.random.default_rng(22)
    for _ in range(6):
        function = lead(contest(np.array([rng.permutation(6) + 1 for _ in range(11)], dtype=float)), RULES[name], 0, 1)
        costs = rng.integers(0, 30, size=11)
        counted, solved = (least_price(function, 0, costs, counted=limit) for limit in (10**6, 0))
        assert counted.lower == counted.upper == solved.lower == solved.upper
        assert int(function.at(function.gains[:, solved.bribed].sum(axis=1))) >= 0
        assert int(costs[list(solved.bribed)].sum()) == solved.upper
        ones = np.ones(11, dtype=np.int64)
        assert least_price(function, 0, ones, counted=0).upper == least_bribe(function, 0).upper


def test_random_sums_by_all_lists() -> None:
    rng, programs = np.random.default_rng(23), 0
    for _ in range(100):
        forms, groups = int(rng.integers(1, 6)), 8
        low = rng.integers(-2, 3, size=forms)
        gains = rng.integers(0, 3, size=(forms, groups)) * rng.integers(0, 2, size=(forms, groups))
        weight, base, high = rng.integers(1, 4, size=forms), rng.integers(-4, 5, size=forms), low + 3
        function = ClippedSum(0, weight, base, gains, low, high)
        costs, lists = rng.integers(0, 9, size=groups), np.array(list(itertools.product((False, True), repeat=groups)))
        values = function.of(lists)
        target = int(rng.integers(values.min(), values.max() + 1))
        expected = int((lists @ costs)[values >= target].min())
        for counted in (0, 10**6):
            found = least_price(function, target, costs, counted=counted)
            assert (found.lower, found.upper) == (expected, expected)
            programs += found.proof == "program"
        assert least_price(function, target, costs, enough=expected).lower <= expected
    assert programs > 20


def test_prices_of_one_are_numbers_of_bribes() -> None:
    one = {f"judge_{number}": 1 for number in range(1, 8)}
    for rule in ("borda", "copeland", "median", "trimmed_mean"):
        counted, priced = bp.rank(SHEET, rule), bp.rank(SHEET, rule, price=one)
        for name in ("shared", "other"):
            numbers = [[bribe.upper for bribe in getattr(found, name).values()] for found in (counted, priced)]
            assert numbers[0] == numbers[1]
        assert priced.entries["ahead"].to_list() == counted.entries["ahead"].to_list()
        assert priced.priced
        assert not counted.priced


def test_columns_files_and_mappings_state_the_same_prices(tmp_path: Path) -> None:
    price = {f"judge_{number}": f"{number}.5" for number in range(1, 8)}
    expected = bp.rank(SHEET, "copeland", price=price)
    bribe = expected.other["winner"]
    assert (bribe.upper, bribe.bribed) == (Fraction(15, 2), ("judge_1", "judge_2", "judge_3"))
    assert "Another winner costs 7.5, and less does not bring about a tie at the first place." in expected.summary()
    assert "7.5" in repr(bribe)
    assert bribe.facts()["upper"] == 7.5
    long = LONG.with_columns(pl.col("judge").replace_strict(price).alias("fee"))
    assert bp.rank(long, "copeland", price="fee").entries.equals(expected.entries)
    compared = bp.compare_rules(long, ["copeland"], price="fee")
    assert compared.table["other_winner"].to_list() == [7.5]
    assert "Another winner costs 7.5" in compared.summary()
    turned = SHEET.transpose(include_header=True, header_name="judge", column_names="entry")
    turned = turned.with_columns(pl.col("judge").replace_strict(price).alias("fee"))
    assert bp.rank(turned, "copeland", price="fee").other["winner"].upper == bribe.upper
    SHEET.write_csv(tmp_path / "places.csv")
    file = tmp_path / "prices.csv"
    file.write_text("judge,price\n" + "".join(f"{one},{price[one]}\n" for one in price), encoding="utf-8")
    shown = call("rank", tmp_path / "places.csv", "--rule", "copeland", "--price", file).out
    assert "Another winner costs 7.5" in shown
    assert "10.5" in shown


def test_groups_have_one_price() -> None:
    nations = {f"judge_{number}": "north" if number < 4 else f"n{number}" for number in range(1, 8)}
    cost = {"north": 100, **{f"n{number}": 10 for number in range(4, 8)}}
    found = bp.rank(SHEET, "copeland", group=nations, price=cost)
    assert found.other["winner"].bribed == ("n5", "n6", "n7")
    assert found.other["winner"].upper == 30
    long = LONG.with_columns(nation=pl.col("judge").replace_strict(nations))
    long = long.with_columns(fee=pl.col("nation").replace_strict(cost))
    assert bp.rank(long, "copeland", group="nation", price="fee").entries.equals(found.entries)
    different = long.with_columns(fee=pl.col("judge"))
    with pytest.raises(bp.DataError, match="group 'north' has two prices, judge_1 and judge_2"):
        bp.rank(different, "copeland", group="nation", price="fee")


def test_mistakes_are_told() -> None:
    with pytest.raises(bp.ParameterError, match="price has no amount for 'judge_2', 'judge_3'"):
        bp.rank(SHEET, "borda", price={"judge_1": 1})
    with pytest.raises(bp.ParameterError, match="price = -1: give a number of at least 0"):
        bp.rank(SHEET, "borda", price=dict.fromkeys(SHEET.columns[1:], -1))
    with pytest.raises(bp.ColumnError, match="there is no column 'fee'"):
        bp.rank(LONG, "borda", price="fee")
    with pytest.raises(bp.ColumnError, match="no column can say what each costs: give a mapping"):
        bp.rank(SHEET.with_columns(fee=1), "borda", price="fee")
    with pytest.raises(bp.DataError, match="judge 'judge_1' has two prices, 1 and 2"):
        bp.rank(LONG.with_row_index("fee", offset=1), "borda", price="fee")
    with pytest.raises(bp.ParameterError, match="round them"):
        bp.rank(SHEET, "borda", price={name: f"{at}.{10**13 + at}" for at, name in enumerate(SHEET.columns[1:])})


def test_a_free_bribe_is_no_tie() -> None:
    """A judge who costs nothing may change the winner for nothing: that is not a first place shared already."""
    tried = with_prices(
        Contest.from_places(["a", "b"], ["J1", "J2", "J3"], np.array([[1.0, 2], [1, 2], [2, 1]])),
        {"J1": 0, "J2": 1, "J3": 1},
    )
    shared, other = find_bribes(ChangeSearch(tried, make_rule("borda")))
    assert (shared["winner"].upper, shared["winner"].bribed, shared["winner"].is_so_already) == (0, ("J1",), False)
    assert other["winner"].upper == 0
    frame = pl.DataFrame({"entry": ["a", "b"], "J1": [1, 2], "J2": [1, 2], "J3": [2, 1]})
    said = bp.rank(frame, "borda", price={"J1": 0, "J2": 1, "J3": 1}).summary()
    assert "Another winner costs 0, and less does not" not in said
    assert "Another winner costs 0" in said
    assert "Another wins if J1 puts b first and a last." in said
