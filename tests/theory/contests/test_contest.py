"""Contests against trying every set of judges and every extreme rewriting, in plain Python."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.bribe_sets import largest_sets
from bribeproof.theory.contests.cheapest_upset import ON_PODIUM, WINNER, Upset, cheapest_upset
from bribeproof.theory.contests.contest import Contest, JudgedPart
from bribeproof.theory.contests.exact_columns import ExactColumns
from bribeproof.theory.contests.places import places_alone, places_of, places_together, rank_of
from tests.theory.contests.contest_oracle import COMBINE, FAR, Sheet, draw, oracle_ends, oracle_places, rounded


def mine_clipped(total: Fraction, contest: Contest) -> Fraction:
    """Return a total of the package, or a number that stands for one without bound."""
    return total if not contest.is_unbounded(total) else Fraction(FAR if total > 0 else -FAR)


def clipped(total: Fraction, sheet: Sheet) -> Fraction:
    """Return a total, or a number that stands for one without bound."""
    if sheet.scale is None and abs(total) > 1000:
        return Fraction(FAR if total > 0 else -FAR)
    return total


@pytest.mark.parametrize("seed", [*range(15), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(15, 400))])
def test_against_every_set_and_every_extreme_mark(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    sheet = draw(random, heads=seed % 3 == 0)
    contest = sheet.contest()
    entries = range(len(sheet.parts))
    now = [sheet.total(entry, sheet.parts[entry]) for entry in entries]
    assert [total * contest.total_unit for total in contest.totals.tolist()] == now
    best, worst = [len(now) + 1] * len(now), [0] * len(now)
    lows, highs = list(now), list(now)
    for bribed in sheet.affordable():
        ends = [oracle_ends(sheet, entry, [[bribed]] * len(sheet.parts[entry])) for entry in entries]
        members = np.isin(np.arange(sheet.judges), list(bribed))[None]
        mine = contest.ends(members)
        for end, column in zip(zip(*ends, strict=True), mine, strict=True):
            own = [mine_clipped(total * contest.total_unit, contest) for total in column[0].tolist()]
            assert own == [clipped(total, sheet) for total in end]
        for entry, (least, most) in enumerate(oracle_places(sheet, ends)):
            best[entry], worst[entry] = min(best[entry], least), max(worst[entry], most)
        lows = [min(old, low) for old, (low, _) in zip(lows, ends, strict=True)]
        highs = [max(old, high) for old, (_, high) in zip(highs, ends, strict=True)]
    found = places_together(contest, sheet.bribes)
    assert found.exact
    assert (found.best.tolist(), found.worst.tolist()) == (best, worst)
    assert [mine_clipped(total, contest) for total in found.low] == [clipped(total, sheet) for total in lows]
    assert [mine_clipped(total, contest) for total in found.high] == [clipped(total, sheet) for total in highs]
    # The witnesses give the places that they are named for, and fit the budget.
    for entry in entries:
        for groups, place, extreme in (
            (found.best_set[entry], found.best[entry], 0),
            (found.worst_set[entry], found.worst[entry], 1),
        ):
            assert sheet.bribes.affordable(groups)
            bribed = set(sheet.bribes.members(groups).tolist())
            ends = [oracle_ends(sheet, one, [[bribed]] * len(sheet.parts[one])) for one in entries]
            assert oracle_places(sheet, ends)[entry][extreme] == place
    # Others on each part: every set of the budget on each of them.
    ends = [oracle_ends(sheet, entry, [sheet.affordable()] * len(sheet.parts[entry])) for entry in entries]
    wide = places_alone(contest, sheet.bribes)
    assert list(zip(wide.best.tolist(), wide.worst.tolist(), strict=True)) == oracle_places(sheet, ends)
    assert (wide.best <= found.best).all()
    assert (wide.worst >= found.worst).all()


@pytest.mark.parametrize("seed", range(200, 210))
def test_no_rewriting_leaves_the_places(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    sheet = draw(random)
    contest, sign = sheet.contest(), 1 if sheet.better == "high" else -1
    found = places_together(contest, sheet.bribes)
    sets = sheet.affordable()
    for _ in range(60):
        bribed = random.choice(sets)
        totals = []
        for entry, row in enumerate(sheet.parts):
            written = [
                {j: Fraction(random.randint(0, 300), 100) if j in bribed else mark for j, mark in marks.items()}
                for marks in row
            ]
            totals.append(sheet.total(entry, written))
        for entry, own in enumerate(totals):
            place = 1 + sum(sign * other > sign * own for other in totals)
            assert found.best[entry] <= place <= found.worst[entry]
            assert found.low[entry] <= own <= found.high[entry]


def test_nothing_can_move_equal_marks_of_three_judges_with_one_bribed() -> None:
    parts = tuple(JudgedPart(np.arange(3), np.array([8, 8, 8]), 1) for _ in range(2))
    found = places_together(Contest(parts, 3, Fraction(1)), Bribes.heads(3, 1))
    assert (found.best.tolist(), found.worst.tolist(), found.best_set) == ([1, 1], [1, 1], ((), ()))


def test_renaming_judges_and_adding_to_every_mark_change_no_place() -> None:
    random = Random(7)  # noqa: S311
    for _ in range(20):
        sheet = draw(random, heads=True)
        order = random.sample(range(sheet.judges), sheet.judges)
        other = Sheet(**vars(sheet))
        other.parts = [[{order[judge]: mark for judge, mark in marks.items()} for marks in row] for row in sheet.parts]
        first, second = (places_together(one.contest(), sheet.bribes) for one in (sheet, other))
        assert (first.best.tolist(), first.worst.tolist()) == (second.best.tolist(), second.worst.tolist())


def test_an_entry_without_a_total_may_be_above_every_other() -> None:
    parts = tuple(JudgedPart(np.arange(3), np.array(row), 1) for row in ([9, 9, 9], [5, 5, 5]))
    found = places_together(Contest(parts, 3, Fraction(1)), Bribes.heads(3, 1), uncertified=2)
    assert (found.best.tolist(), found.worst.tolist()) == ([1, 2], [3, 4])


def test_too_many_sets_leave_bounds_that_hold() -> None:
    random = Random(3)  # noqa: S311
    for _ in range(30):
        sheet = draw(random)
        contest = sheet.contest()
        exact, bound = (places_together(contest, sheet.bribes, most=most) for most in (10**9, 0))
        assert not bound.exact
        assert (bound.best <= exact.best).all()
        assert (bound.worst >= exact.worst).all()


def test_marks_beyond_64_bits_are_exact() -> None:
    huge = 10**25
    parts = tuple(JudgedPart(np.arange(3), np.array(row, dtype=object), 1) for row in ([huge, huge + 1, huge + 3],))
    contest = Contest(parts, 3, Fraction(1, 7))
    found = places_together(contest, Bribes.heads(3, 1))
    assert (found.low, found.high) == ((Fraction(huge, 7),), (Fraction(huge + 3, 7),))
    assert contest.totals.tolist() == [huge + 1]


def test_a_part_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(ParameterError, match="part 0 has 2 marks"):
        Contest((JudgedPart(np.arange(2), np.array([1, 2]), 1),), 2, Fraction(1))


@pytest.mark.parametrize("seed", range(12))
def test_largest_sets_are_the_affordable_ones_that_no_other_contains(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    groups = random.randint(1, 6)
    prices = tuple(Fraction(random.randint(0, 6), random.randint(1, 3)) for _ in range(groups))
    bribes = Bribes(np.arange(groups), prices, Fraction(random.randint(0, 12), 2))
    everything = [set(one) for size in range(groups + 1) for one in combinations(range(groups), size)]
    fitting = [one for one in everything if bribes.affordable(one)]
    largest = sorted(tuple(sorted(one)) for one in fitting if not any(one < other for other in fitting))
    assert largest_sets(bribes, 1000) == largest
    assert (largest_sets(bribes, len(largest) - 1) is None) == (len(largest) > 0)


@pytest.mark.parametrize("seed", range(12))
def test_exact_columns_are_fractions(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    size = 10 ** random.choice([1, 6, 17, 30])
    rows = [[random.randint(-size, size) for _ in range(4)] for _ in range(3)]
    numbers = np.array(rows, dtype=object if size > 10**18 else np.int64)
    bottoms = tuple(random.randint(1, 9) for _ in range(4))
    factors = [Fraction(random.randint(0, 9), random.randint(1, 9)) for _ in range(4)]
    amounts = [Fraction(random.randint(-9, 9), random.randint(1, 9)) for _ in range(2)]
    decimals, how = random.choice([None, 0, 2]), random.choice(["sum", "max", "min"])
    columns = ExactColumns(numbers, bottoms).times(factors).rounded(decimals)
    found = columns.gathered([[0, 2], [3, 1]], how).minus(amounts).rounded(decimals)
    combine = COMBINE[how]
    for place, row in enumerate(rows):
        one = [rounded(Fraction(top, b) * f, decimals) for top, b, f in zip(row, bottoms, factors, strict=True)]
        total = [combine([one[0], one[2]]) - amounts[0], combine([one[3], one[1]]) - amounts[1]]
        assert found.fractions(place) == [rounded(number, decimals) for number in total]


@pytest.mark.parametrize("seed", range(300, 312))
def test_the_cheapest_upset_against_every_set(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    sheet = draw(random, heads=seed % 3 == 0)
    contest = sheet.contest()
    names = range(len(sheet.bribes.prices))
    sets = [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]
    rank = rank_of(contest)
    last = int(rank.argmax())
    reached: dict[Upset, list[Fraction]] = {WINNER: [], ON_PODIUM: [], Upset(0, None): []}
    if rank[last] > 1:
        reached[Upset(last, 1)] = []
    for chosen in sets:
        ends = contest.ends(np.isin(sheet.bribes.groups, list(chosen))[None])
        (best,), (worst,) = places_of(ends, contest.better)
        for upset, prices in reached.items():
            entries = range(len(rank)) if upset.entry is None else [upset.entry]
            place = upset.place
            if any(
                best[e] != rank[e] or worst[e] != rank[e] if place is None else best[e] <= place < rank[e]
                for e in entries
            ):
                prices.append(sheet.bribes.cost(chosen))
    for upset, prices in reached.items():
        found = cheapest_upset(contest, sheet.bribes, upset)
        assert found.price == found.safe_below == (min(prices) if prices else None)
        assert bool(found.moved) == bool(prices)
        if found.price is not None:
            assert sheet.bribes.cost(found.groups) == found.price
            members = np.isin(sheet.bribes.groups, list(found.groups))[None]
            (best,), (worst,) = places_of(contest.ends(members), contest.better)
            place, own = upset.place, upset.entry
            assert found.moved == tuple(
                e
                for e in range(len(rank))
                if own in (None, e)
                and (best[e] <= place < rank[e] if place else best[e] < rank[e] or worst[e] > rank[e])
            )
        # By integer programs instead of trying all sets, and in no time, when the least price is between two bounds.
        solved, rough = (cheapest_upset(contest, sheet.bribes, upset, most=1, time_limit=limit) for limit in (60, 1e-9))
        assert solved.price == solved.safe_below == found.price
        if prices:
            assert rough.safe_below is not None
            assert rough.safe_below <= min(prices) <= (rough.price or min(prices))


def test_the_strongest_set_makes_most_entries_first() -> None:
    for seed in range(320, 340):
        sheet = draw(Random(seed), heads=True)  # noqa: S311
        contest, rank = sheet.contest(), rank_of(sheet.contest())
        found = places_together(contest, sheet.bribes)
        most = (0, 0)
        for bribed in sheet.affordable():
            (best,), _ = places_of(contest.ends(np.isin(np.arange(sheet.judges), list(bribed))[None]), sheet.better)
            most = max(most, tuple(int(((best <= place) & (rank > place)).sum()) for place in (1, 3)))  # type: ignore[assignment]
        members = np.isin(np.arange(sheet.judges), sheet.bribes.members(found.strongest))[None]
        (best,), _ = places_of(contest.ends(members), sheet.better)
        assert tuple(int(((best <= place) & (rank > place)).sum()) for place in (1, 3)) == most


@pytest.mark.parametrize("seed", range(500, 506))
def test_a_part_with_its_own_scale(seed: int) -> None:
    contest = draw(Random(seed), heads=True).contest()  # noqa: S311
    sets = np.eye(contest.judges, dtype=bool)
    ends = (Fraction(-3), Fraction(7))
    whole = (int(ends[0] / contest.unit), int(ends[1] / contest.unit))
    everywhere = replace(contest, scale=ends).ends(sets)
    own = replace(contest, parts=tuple(replace(part, scale=whole) for part in contest.parts)).ends(sets)
    assert (everywhere.low == own.low).all()
    assert (everywhere.high == own.high).all()
    fixed = tuple(replace(part, scale=(int(min(part.marks)), int(max(part.marks)))) for part in contest.parts)
    narrow = replace(contest, parts=fixed).ends(sets)
    assert (own.low <= narrow.low).all()
    assert (narrow.high <= own.high).all()
