"""The worst list of bribed reporters: against all lists and all rewritings, and the values of real crowds."""

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import BribeproofError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.worst_list import worst_list
from tests.paths import SHARED

CROWD = SHARED / "data" / "crowd"
WEIGHTS = ("0", "0.1", "0.2", "0.3", "0.5", "1", "1", "2.5")
PRICES = ("0", "0.1", "0.3", "0.5", "1", "2", "1/3")
VALUES = (0.0, 1.0, 1.0, 2.0, 3.5, 0.1, 1 / 7)


@dataclass(frozen=True)
class Case:
    """A table as rows of labels, −1 where there is none, and what is stated of reporters and items, as text."""

    table: list[list[int]]
    classes: int
    weights: list[str] | None
    groups: list[int]
    prices: list[str]
    budget: str
    values: list[float]

    @property
    def ballots(self) -> Ballots:
        cells = np.array(self.table)
        item, reporter = np.nonzero(cells >= 0)
        weights = None if self.weights is None else [float(weight) for weight in self.weights]
        items, reporters = cells.shape
        return Ballots(item, reporter, cells[cells >= 0], items, reporters, self.classes, weights)

    @property
    def bribes(self) -> Bribes:
        return Bribes(np.array(self.groups), tuple(map(Fraction, self.prices)), Fraction(self.budget))


def random_case(rng: np.random.Generator) -> Case:
    """Few items with many ties, some reporters with little, groups of any size, prices of nothing and of too much."""
    items, reporters, classes = (int(rng.integers(1, most)) for most in (8, 8, 4))
    table = rng.integers(-1 if rng.random() < 0.7 else 0, classes, (items, reporters))
    if rng.random() < 0.5:
        table[rng.random(table.shape) < 0.5] = 0
    groups = rng.integers(0, reporters, reporters) if rng.random() < 0.5 else np.arange(reporters)
    groups = np.unique(groups, return_inverse=True)[1]
    size, priced = int(groups.max()) + 1, rng.random() < 0.5
    return Case(
        table.tolist(),
        classes,
        rng.choice(WEIGHTS, reporters).tolist() if rng.random() < 0.5 else None,
        groups.tolist(),
        rng.choice(PRICES, size).tolist() if priced else ["1"] * size,
        str(rng.choice(["0", "0.3", "0.4", "1", "1.3", "2", "5"])) if priced else str(rng.integers(0, 5)),
        rng.choice(VALUES, items).tolist() if rng.random() < 0.5 else [1.0] * items,
    )


def outright(weight: list[Fraction]) -> int | None:
    """The class with more weight than any other."""
    best = max(weight)
    return weight.index(best) if weight.count(best) == 1 else None


def changed_by_hand(case: Case, bribed: set[int]) -> list[bool]:
    """Which decided items some rewriting of the reports of some reporters leaves without their outright winner.

    Whoever is bribed may write one class more than there are; all ways of rewriting are tried.
    """
    weights = [Fraction(weight) for weight in case.weights or ["1"] * len(case.groups)]

    def total(row: list[int]) -> list[Fraction]:
        sums = [Fraction(0)] * (case.classes + 1)
        for label, weight in zip(row, weights, strict=True):
            if label >= 0:
                sums[label] += weight
        return sums

    found = []
    for row in case.table:
        winner, theirs = outright(total(row)), [who for who in bribed if row[who] >= 0]
        written = (dict(zip(theirs, new, strict=True)) for new in product(range(case.classes + 1), repeat=len(theirs)))
        found.append(
            winner is not None
            and any(outright(total([new.get(who, old) for who, old in enumerate(row)])) != winner for new in written)
        )
    return found


def most_by_hand(case: Case) -> float:
    """The most that any list within the budget changes, by trying all."""
    best, size = 0.0, len(case.prices)
    for chosen in (list(one) for count in range(size + 1) for one in combinations(range(size), count)):
        if sum((Fraction(case.prices[group]) for group in chosen), Fraction(0)) <= Fraction(case.budget):
            bribed = {who for who, group in enumerate(case.groups) if group in chosen}
            changed = changed_by_hand(case, bribed)
            best = max(best, sum(value for value, one in zip(case.values, changed, strict=True) if one))
    return best


def check(case: Case) -> None:
    """Compare the search with trying all lists."""
    found, best = worst_list(case.ballots, case.bribes, values=case.values), most_by_hand(case)
    assert found.exact
    assert found.lower == pytest.approx(best, abs=1e-7)
    assert best - 1e-9 <= found.upper <= best + 1e-7
    assert most_of_all_lists(case) == pytest.approx(best, abs=1e-9)
    assert found.cost <= case.bribes.budget
    assert found.changed.tolist() == changed_by_hand(case, set(found.members))
    assert not (found.changed & ~found.possible).any()


@pytest.mark.parametrize("seed", range(40))
def test_no_list_changes_more(seed: int) -> None:
    check(random_case(np.random.default_rng(seed)))


def most_of_all_lists(case: Case) -> float:
    """The same from the strongest rival, for all lists at once, in tenths of a weight."""
    size, table = len(case.prices), np.array(case.table)
    weights = np.rint(10 * np.array([float(weight) for weight in case.weights or ["1"] * len(case.groups)])).astype(int)
    lists = np.array(list(product([False, True], repeat=size)))
    costs = [sum((Fraction(price) for price, one in zip(case.prices, who, strict=True) if one), 0) for who in lists]
    bribed = lists[np.array(costs) <= Fraction(case.budget)][:, case.groups]
    cells = (table[:, :, None] == np.arange(case.classes + 1)) * weights[:, None]
    totals, left = cells.sum(axis=1), np.einsum("lw,twc->ltc", ~bribed, cells)
    taken = np.einsum("lw,tw->lt", bribed, cells.sum(axis=2))
    ordered = np.sort(totals, axis=1)
    winner, rows = totals.argmax(axis=1), np.arange(len(table))
    own = left[:, rows, winner]
    left[:, rows, winner] = -1
    changed = (own <= left.max(axis=2) + taken) & (ordered[:, -1] > ordered[:, -2])
    return float((changed @ np.array(case.values)).max())


@pytest.mark.slow
def test_no_list_changes_more_in_many_tables() -> None:
    for seed in range(1000, 11_000):
        case = random_case(np.random.default_rng(seed))
        found, best = worst_list(case.ballots, case.bribes, values=case.values), most_of_all_lists(case)
        assert found.exact
        assert found.lower == pytest.approx(best, abs=1e-7)
        assert best - 1e-9 <= found.upper <= best + 1e-7


@pytest.mark.parametrize("seed", range(40))
def test_without_time_the_bounds_hold(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    found = worst_list(case.ballots, case.bribes, values=case.values, time_limit=1e-9)
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


@pytest.mark.slow
@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
def test_eight_of_a_crowd_in_which_everybody_answers_everything() -> None:
    ballots = crowd("bluebird")
    assert [worst_list(ballots, k).upper for k in (5, 8)] == [24, 52]
    start = time.monotonic()
    found = worst_list(ballots, 8, time_limit=0.5)
    assert time.monotonic() - start < 2
    assert found.lower <= 52 <= found.upper
    assert not found.exact


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
