"""The fewest bribed judges: equal to trying every ranking of every list of judges."""

import itertools

import numpy as np
import pytest

from bribeproof.rankings.changes import ChangeSearch
from bribeproof.rankings.clipped_sum import ClippedSum, lead
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.least_bribe import least_bribe
from bribeproof.rankings.rank import find_bribes
from bribeproof.rankings.rules import Rule, make_rule
from tests.rankings.brute_force import fewest, merits, weak_orders

POINTS = (3, 1)
RULES = {
    "trimmed_mean": make_rule("trimmed_mean", 1),
    "mean": make_rule("trimmed_mean", 0),
    "median": make_rule("median"),
    "borda": make_rule("borda"),
    "copeland": make_rule("copeland"),
    "points": make_rule("points", points=POINTS),
}


def contest(places: np.ndarray, groups: list[str] | None = None) -> Contest:
    judges, entries = ([f"{letter}{i}" for i in range(size)] for letter, size in zip("JE", places.shape, strict=True))
    return Contest.from_places(entries, judges, places, groups=groups)


def random_places(rng: np.random.Generator, judges: int, entries: int, missing: float = 0.0) -> np.ndarray:
    orders = weak_orders(entries) if entries < 5 else [rng.permutation(entries) + 1 for _ in range(judges)]
    places = np.array([orders[i] for i in rng.integers(len(orders), size=judges)], dtype=float)
    places[rng.random(places.shape) < missing] = np.nan
    return places


def oracle(places: np.ndarray, name: str, first: int, **given: object) -> int | None:
    rule, k = ("trimmed_mean", 0) if name == "mean" else (name, 1)
    return fewest(places, rule, first, k=k, points=POINTS, **given)  # type: ignore[arg-type]


def enough(places: np.ndarray, rule: Rule) -> bool:
    least = 3 if rule.name == "trimmed_mean" and rule.k else 1
    return bool(((~np.isnan(places)).sum(axis=0) >= least).all() and (~np.isnan(places)).any(axis=1).all())


def check(places: np.ndarray, name: str, groups: list[list[int]] | None = None) -> None:
    names = None
    if groups is not None:
        names = [next(f"G{i}" for i, group in enumerate(groups) if judge in group) for judge in range(len(places))]
    tried = contest(places, names)
    search = ChangeSearch(tried, RULES[name])
    for first, ahead in itertools.product((1, 2), (False, True)):
        found = search.change(first, ahead=ahead)
        expected = oracle(places, name, first, ahead=ahead, groups=groups)
        assert found is not None
        assert (found.least.upper, found.least.lower) == (
            expected,
            expected if expected is not None else len(tried.groups) + 1,
        )
        if expected is not None:
            after = RULES[name].merits(tried.with_bribed(found.least.bribed, found.gainer, found.loser))
            assert after[found.gainer] - after[found.loser] >= 0
            assert after[found.gainer] > after[found.loser] or not ahead


@pytest.mark.parametrize("name", RULES)
def test_small_contests_are_those_of_brute_force(name: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        check(random_places(rng, 3, 3), name)


def check_podium(places: np.ndarray, name: str) -> None:
    shared, other = find_bribes(ChangeSearch(contest(places), RULES[name]))
    for change, first, ordered in (("winner", 1, False), ("podium", 3, False), ("order", 3, True)):
        for bribes, ahead in ((shared, False), (other, True)):
            bribe = bribes[change]
            assert bribe.lower == bribe.upper == oracle(places, name, first, ahead=ahead, ordered=ordered)
            assert bribe.recheck().ok
            rewritten = {judge: list(ranking.values()) for judge, ranking in bribe.rankings.items()}
            after = np.array([rewritten.get(f"J{i}", list(row)) for i, row in enumerate(places)], dtype=float)
            scores = merits(after, *(("trimmed_mean", 0) if name == "mean" else (name, 1)), POINTS)
            gain = scores[int(bribe.gainer[1:])] - scores[int(bribe.loser[1:])]
            assert gain > 1e-9 or (not ahead and gain > -1e-9)


@pytest.mark.parametrize("name", RULES)
def test_podiums_of_four_entries(name: str) -> None:
    rng, judges = np.random.default_rng(10), 3 if name == "trimmed_mean" else 2
    for _ in range(1 if judges == 3 else 6):
        check_podium(random_places(rng, judges, 4), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_more_podiums_of_four_entries(name: str) -> None:
    rng = np.random.default_rng(11)
    for _ in range(5):
        check_podium(random_places(rng, 3, 4), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_more_small_contests(name: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        check(random_places(rng, 3, 3), name)
    for _ in range(10):
        check(random_places(rng, int(rng.integers(3, 5)), 3), name)
    for _ in range(3):
        check(random_places(rng, 3, 4), name)


@pytest.mark.parametrize("name", RULES)
def test_judges_who_do_not_rank_all(name: str) -> None:
    rng, done = np.random.default_rng(3), 0
    while done < 8:
        places = random_places(rng, 4, 3, missing=0.15)
        if np.isnan(places).any() and enough(places, RULES[name]):
            check(places, name)
            done += 1


@pytest.mark.parametrize("name", RULES)
def test_groups(name: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        check(random_places(rng, 4, 3), name, [[0, 2], [1], [3]])


@pytest.mark.parametrize("name", RULES)
def test_scores_are_those_of_brute_force(name: str) -> None:
    rng, rule = np.random.default_rng(5), RULES[name]
    for _ in range(50):
        places = random_places(rng, 6, 5, missing=0.1)
        if enough(places, rule):
            given = [float(one) for one in rule.merits(contest(places))]
            expected = merits(places, rule.name, rule.k, POINTS)
            if name == "copeland":
                expected = (expected + 4) / 2
            assert given == pytest.approx(expected.tolist())


def test_the_mean_of_places_ranks_as_borda_does() -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        tried = contest(random_places(rng, 7, 4))
        mean, borda = RULES["mean"].merits(tried), RULES["borda"].merits(tried)
        assert [4 + one for one in mean] == [total / 7 for total in borda]
        for ahead in (False, True):
            changes = [ChangeSearch(tried, RULES[name]).change(1, ahead=ahead) for name in ("mean", "borda")]
            assert changes[0] is not None
            assert changes[1] is not None
            assert changes[0].least.upper == changes[1].least.upper


def test_the_integer_program_finds_what_counting_finds() -> None:
    rng, programs = np.random.default_rng(7), 0
    for _ in range(150):
        forms, groups = int(rng.integers(2, 7)), 8
        low = rng.integers(-2, 3, size=forms)
        gains = rng.integers(0, 3, size=(forms, groups)) * rng.integers(0, 2, size=(forms, groups))
        function = ClippedSum(
            0,
            rng.integers(1, 4, size=forms),
            rng.integers(-4, 5, size=forms),
            gains,
            low,
            low + rng.integers(1, 5, size=forms),
        )
        subsets = np.array(list(itertools.product((False, True), repeat=groups)))
        values, sizes = function.of(subsets), subsets.sum(axis=1)
        target = int(rng.integers(values.min(), values.max() + 1))
        expected = int(sizes[values >= target].min())
        for counted in (0, 10**6):
            found = least_bribe(function, target, counted=counted)
            assert (found.lower, found.upper, len(found.bribed)) == (expected, expected, expected)
            assert int(function.at(gains[:, found.bribed].sum(axis=1))) >= target
            programs += found.proof == "program"
    assert programs > 20


@pytest.mark.parametrize("name", RULES)
def test_larger_panels_by_all_lists(name: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(5):
        tried = contest(np.array([rng.permutation(6) + 1 for _ in range(11)], dtype=float))
        function = lead(tried, RULES[name], 0, 1)
        subsets = np.array(list(itertools.product((False, True), repeat=11)))
        best = subsets.sum(axis=1)[function.of(subsets) >= 0].min()
        assert least_bribe(function, 0, counted=0).upper == best


def test_a_bribe_is_the_best_of_all_rankings_for_the_pair() -> None:
    rng = np.random.default_rng(8)
    places = random_places(rng, 3, 4)
    for name, rule in RULES.items():
        tried = contest(places)
        for gainer, loser in itertools.permutations(range(4), 2):
            best = max(
                (values := merits(np.vstack([places[:2], [order]]), rule.name, rule.k, POINTS))[gainer] - values[loser]
                for order in weak_orders(4)
            )
            after = rule.merits(tried.with_bribed([2], gainer, loser))
            assert float(after[gainer] - after[loser]) == pytest.approx(best * (0.5 if name == "copeland" else 1))
