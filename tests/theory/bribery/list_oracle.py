"""Random tables of votes with groups, prices, weights and values, and what lists change, by trying all."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes

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


@dataclass(frozen=True)
class AllLists:
    """All lists of groups: what each costs, and which decided items it changes, by the strongest rival of each item."""

    costs: list[Fraction]
    changed: BoolArray
    decided: BoolArray

    @classmethod
    def of(cls, case: Case) -> "AllLists":
        """All lists of a case at once, with weights in tenths."""
        size, table = len(case.prices), np.array(case.table)
        weights = np.rint(10 * np.array([float(weight) for weight in case.weights or ["1"] * len(case.groups)])).astype(
            int
        )
        lists = np.array(list(product([False, True], repeat=size)))
        prices = [Fraction(price) for price in case.prices]
        costs = [sum((price for price, one in zip(prices, who, strict=True) if one), Fraction(0)) for who in lists]
        bribed = lists[:, case.groups]
        cells = (table[:, :, None] == np.arange(case.classes + 1)) * weights[:, None]
        totals, left = cells.sum(axis=1), np.einsum("lw,twc->ltc", ~bribed, cells)
        taken = np.einsum("lw,tw->lt", bribed, cells.sum(axis=2))
        ordered = np.sort(totals, axis=1)
        winner, rows = totals.argmax(axis=1), np.arange(len(table))
        own = left[:, rows, winner]
        left[:, rows, winner] = -1
        decided = ordered[:, -1] > ordered[:, -2]
        return cls(costs, (own <= left.max(axis=2) + taken) & decided, decided)

    def most(self, case: Case) -> float:
        """The most value that a list within the budget changes."""
        within = np.array([cost <= Fraction(case.budget) for cost in self.costs])
        return float((self.changed[within] @ np.array(case.values)).max())

    def alone(self, case: Case) -> BoolArray:
        """Which items some list within the budget changes, another on each."""
        within = np.array([cost <= Fraction(case.budget) for cost in self.costs])
        changed: BoolArray = self.changed[within].any(axis=0)
        return changed

    def least(self, worth: list[float], enough: float) -> Fraction:
        """The least that a list costs which changes items worth enough."""
        values = self.changed @ np.array(worth)
        return min(cost for cost, value in zip(self.costs, values, strict=True) if value >= enough - 1e-9)
