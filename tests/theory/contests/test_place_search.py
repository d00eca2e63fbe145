"""Places that are searched by integer programs, against trying every set of judges."""

import time
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.bribe_sets import largest_sets, membership
from bribeproof.theory.contests.cheapest_upset import ON_PODIUM, WINNER, cheapest_upset
from bribeproof.theory.contests.contest import Contest, JudgedPart, Step
from bribeproof.theory.contests.place_search import PlaceSearch, SearchedPlaces, searched_places
from bribeproof.theory.contests.places import Places, places_of, places_together
from bribeproof.theory.contests.raised_totals import RaisedTotals, mirrored
from tests.theory.contests.contest_oracle import draw


def panel(random: Random, *, entries: int, judges: int, marks: int, trim: int, scale: bool = True) -> Contest:
    """Return a contest in which each entry is marked by some of the judges, in halves from 0 to 10."""
    parts = []
    for _ in range(entries):
        quality, own = random.gauss(13, 2), sorted(random.sample(range(judges), marks))
        given = [min(20, max(0, round(quality + random.gauss(0, 2)))) for _ in own]
        parts.append(JudgedPart(np.array(own), np.array(given), trim))
    return Contest(tuple(parts), judges, Fraction(1, 2), scale=(Fraction(0), Fraction(10)) if scale else None)


def check(contest: Contest, bribes: Bribes, *, uncertified: int = 0) -> tuple[Places, SearchedPlaces]:
    """Search the places, and check whatever holds even if the search is not exact."""
    every = places_together(contest, bribes, uncertified=uncertified)
    searched = searched_places(contest, bribes, uncertified=uncertified)
    assert (searched.bound.best <= every.best).all()
    assert (searched.bound.worst >= every.worst).all()
    for entry in range(contest.entries):
        for extreme, (groups, place) in enumerate(
            (
                (searched.found.best_set[entry], searched.found.best[entry]),
                (searched.found.worst_set[entry], searched.found.worst[entry]),
            )
        ):
            assert bribes.affordable(groups)
            members = np.isin(bribes.groups, list(groups))[None]
            assert places_of(contest.ends(members), contest.better, uncertified=uncertified)[extreme][0, entry] == place
    return every, searched


def assert_exact(every: Places, searched: SearchedPlaces) -> None:
    for found in searched:
        assert (found.best.tolist(), found.worst.tolist()) == (every.best.tolist(), every.worst.tolist())


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 300))])
def test_small_contests_of_every_kind(seed: int) -> None:
    sheet = draw(Random(seed), heads=seed % 3 == 0)  # noqa: S311
    contest = sheet.contest()
    every, searched = check(contest, sheet.bribes)
    # A tie of numbers below 0 may be rounded up in a program: the bound is one place too far then.
    if sheet.decimals is None or min(every.low) >= 0:
        assert_exact(every, searched)


@pytest.mark.parametrize(
    ("seed", "judges", "marks", "trim", "k"),
    [
        (1, 12, 12, 3, 4), (2, 12, 7, 1, 3), (3, 15, 5, 0, 3), (4, 14, 14, 1, 3),
        *(pytest.param(seed, 16, 9, seed % 4, 4, marks=pytest.mark.slow) for seed in range(5, 25)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("scale", [True, False])
def test_panels_of_more_judges(seed: int, judges: int, marks: int, trim: int, k: int, *, scale: bool) -> None:
    contest = panel(Random(seed), entries=12, judges=judges, marks=marks, trim=trim, scale=scale)  # noqa: S311
    assert_exact(*check(contest, Bribes.heads(judges, k), uncertified=seed % 2))


def test_nations_with_prices_on_a_panel() -> None:
    random = Random(11)  # noqa: S311
    contest = panel(random, entries=10, judges=16, marks=10, trim=2)
    groups = np.array([*range(8), *(random.randrange(8) for _ in range(8))])
    prices = tuple(Fraction(random.randint(1, 7), 3) for _ in range(8))
    assert_exact(*check(contest, Bribes(groups, prices, Fraction(5))))


def test_the_lowest_total_is_best_where_that_is_said() -> None:
    contest = panel(Random(12), entries=8, judges=10, marks=8, trim=1)  # noqa: S311
    high, low = (
        searched_places(one, Bribes.heads(10, 3)).found for one in (contest, replace(mirrored(contest), better="low"))
    )
    assert (high.best.tolist(), high.worst.tolist()) == (low.best.tolist(), low.worst.tolist())


def test_without_time_the_bounds_are_those_of_others_on_each_part() -> None:
    contest = panel(Random(13), entries=10, judges=14, marks=9, trim=1)  # noqa: S311
    bribes = Bribes.heads(14, 4)
    every, rough = places_together(contest, bribes), searched_places(contest, bribes, time_limit=1e-9)
    assert (rough.bound.best <= every.best).all()
    assert (every.best <= rough.found.best).all()
    assert (rough.found.worst <= every.worst).all()
    assert (every.worst <= rough.bound.worst).all()
    assert (rough.found.best == rough.found.rank).all()


def test_progress_counts_known_places_to_all_of_them() -> None:
    contest = panel(Random(14), entries=6, judges=8, marks=6, trim=1)  # noqa: S311
    seen: list[tuple[int, int]] = []
    searched_places(contest, Bribes.heads(8, 2), progress=lambda known, places: seen.append((known, places)))
    assert seen == sorted(seen)
    assert seen[-1] == (12, 12)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_judges_and_entries_does_not_matter(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    contest = panel(random, entries=7, judges=9, marks=7, trim=1)
    order, names = random.sample(range(7), 7), np.array(random.sample(range(9), 9))
    other = replace(
        contest, parts=tuple(replace(contest.parts[i], judges=names[contest.parts[i].judges]) for i in order)
    )
    first, second = (searched_places(one, Bribes.heads(9, 3)).bound for one in (contest, other))
    assert first.best[order].tolist() == second.best.tolist()
    assert first.worst[order].tolist() == second.worst.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_raised_totals_are_the_ends_where_all_are_bribed(seed: int) -> None:
    sheet = draw(Random(seed), heads=True)  # noqa: S311
    contest = sheet.contest()
    raised = RaisedTotals(contest, replace(sheet.bribes, budget=Fraction(contest.judges)))
    ends = contest.ends(np.ones((1, contest.judges), dtype=bool))
    beyond = (max(contest.totals) - min(contest.totals)) * contest.total_unit
    for entry in range(contest.entries):
        own = contest.totals[entry] * contest.total_unit
        for total, most, now in (
            (ends.high[0, entry] * contest.total_unit, raised.of(entry), own),
            (-ends.low[0, entry] * contest.total_unit, raised.lowered.of(entry), -own),
        ):
            assert most.constant == now
            # A total is followed up to where it passes all others.
            assert most.most == total or (most.most <= total and most.most > now + beyond)


@pytest.mark.parametrize("seed", range(20))
def test_totals_are_at_most_the_simpler_functions(seed: int) -> None:
    sheet = draw(Random(seed), heads=seed % 3 == 0)  # noqa: S311
    contest, raised = sheet.contest(), RaisedTotals(sheet.contest(), sheet.bribes)
    sets = largest_sets(sheet.bribes, 1000) or []
    for groups in sets:
        ends = contest.ends(membership(sheet.bribes, [groups]))
        for entry in range(contest.entries):
            for total, most in (
                (ends.high[0, entry] * contest.total_unit, raised.of(entry)),
                (-ends.low[0, entry] * contest.total_unit, raised.lowered.of(entry)),
            ):
                above = float(most.constant + most.spare) + most.shares[list(groups)].sum()
                beyond = float(most.constant + (max(contest.totals) - min(contest.totals)) * contest.total_unit)
                assert min(total, beyond) <= above + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_bounds_without_a_solver_hold(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    contest = panel(random, entries=8, judges=9, marks=random.randint(4, 9), trim=random.randint(0, 1))
    bribes = Bribes.heads(9, random.randint(1, 4))
    every, search = places_together(contest, bribes), PlaceSearch(contest, bribes)
    for entry in range(8):
        search.narrow(entry, upwards=True, seconds=10)
        search.narrow(entry, upwards=False, seconds=10)
    assert (search.best <= every.best).all()
    assert (search.worst >= every.worst).all()
    if bribes.budget == 1:  # shares of one judge are what the judge adds
        assert (search.best.tolist(), search.worst.tolist()) == (every.best.tolist(), every.worst.tolist())


@pytest.mark.parametrize("upset", [WINNER, ON_PODIUM])
@pytest.mark.parametrize("seed", range(3))
def test_the_fewest_on_a_panel_by_programs_and_by_trying_all(seed: int, upset: object) -> None:
    contest = panel(Random(seed), entries=8, judges=12, marks=10, trim=3)  # noqa: S311
    by_all, by_programs = (
        cheapest_upset(contest, Bribes.heads(12, 0), upset, most=most)  # type: ignore[arg-type]
        for most in (10**9, 0)
    )
    assert by_programs.price == by_programs.safe_below == by_all.price


def two_entries(
    parts: list[tuple[list[int], int]], factors: list[str], minus: list[str], decimals: int | None, **others: Any
) -> Contest:
    """Return a contest of one part each, or of several parts of the second entry; judges are numbered anew on each."""
    made = tuple(JudgedPart(np.arange(len(marks)), np.array(marks), trim) for marks, trim in parts)
    groups = ((0,), tuple(range(1, len(parts))))
    step = Step(groups, tuple(map(Fraction, factors)), others.pop("how", "sum"), tuple(map(Fraction, minus)), decimals)
    return Contest(
        made, max(len(marks) for marks, _ in parts), others.pop("unit", Fraction(1)), None, (step,), **others
    )


@pytest.mark.parametrize(
    ("contest", "k"),
    [
        # Totals of so many units that a coefficient vanishes beside the others.
        (two_entries([([592] * 3, 0), ([0, 0, 0, 405, 405], 1)], ["2.7", "3.8"], ["0", "0"], 6,
                     scale=(Fraction(0), Fraction(1000)), better="low"), 2),
        (two_entries([([0], 0), ([0], 0), ([0] * 3, 1)], ["1"] * 3, ["0", "2500000002.499"], None, how="min",
                     unit=Fraction(1, 1000), scale=(Fraction(0), Fraction(3000000005)), better="low"), 2),
        # Without a scale, small factors and large deductions.
        (two_entries([([0], 0), ([1], 0)], ["0.000001", "1"], ["1000000000", "1000000000"], None), 1),
        # A scale, and a deduction, far beyond all marks.
        (two_entries([([7], 0), ([0], 0)], ["1", "1"], ["0", "90000000008"], 0, unit=Fraction(1, 1000),
                     scale=(Fraction(-10), Fraction(9 * 10**10)), better="low"), 1),
        (two_entries([([1000010, 0, 999994], 1), ([0, 0, 0], 1)], ["3.3", "1.2"], ["0", "0"], 3), 2),
    ],
)  # fmt: skip
def test_numbers_of_very_different_size_prove_nothing_false(contest: Contest, k: int) -> None:
    bribes = Bribes.heads(contest.judges, k)
    every, searched = check(contest, bribes)
    assert_exact(every, searched)
    by_all, by_programs = (cheapest_upset(contest, bribes, most=most) for most in (10**9, 0))
    assert by_programs.price == by_all.price
    assert by_programs.safe_below is not None
    assert by_all.price is not None
    assert by_programs.safe_below <= by_all.price


def test_a_large_panel_keeps_its_time_limit() -> None:
    contest = panel(Random(15), entries=150, judges=150, marks=150, trim=4)  # noqa: S311
    start = time.monotonic()
    searched_places(contest, Bribes.heads(150, 5), time_limit=1.0)
    assert time.monotonic() - start < 30  # on a busy machine


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "x"])
def test_a_time_limit_is_above_0(limit: object) -> None:
    contest = panel(Random(1), entries=3, judges=4, marks=3, trim=0)  # noqa: S311
    with pytest.raises((ParameterError, TypeError), match="time_limit"):
        searched_places(contest, Bribes.heads(4, 1), time_limit=limit)  # type: ignore[arg-type]
    with pytest.raises((ParameterError, TypeError), match="time_limit"):
        cheapest_upset(contest, Bribes.heads(4, 1), time_limit=limit)  # type: ignore[arg-type]
