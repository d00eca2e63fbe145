"""Small contests in plain Python, and what every set of judges could make of them by every extreme rewriting."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import numpy as np

from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.contest import Contest, JudgedPart, Step

FAR = 10**6
COMBINE: dict[str, Any] = {"sum": sum, "max": max, "min": min}
Marks = dict[int, Fraction]


@dataclass
class Sheet:
    """A small contest: the marks of each part of each entry, and what follows."""

    parts: list[list[Marks]]
    trims: list[list[int]]
    factors: list[list[Fraction]]
    minus: list[Fraction]
    how: str
    decimals: int | None
    scale: tuple[int, int] | None
    better: str
    judges: int
    bribes: Bribes

    def contest(self) -> Contest:
        unit = Fraction(1, 4)
        parts = tuple(
            JudgedPart(np.array(list(marks)), np.array([int(mark / unit) for mark in marks.values()]), trim)
            for row, trims in zip(self.parts, self.trims, strict=True)
            for marks, trim in zip(row, trims, strict=True)
        )
        ends = np.cumsum([0, *map(len, self.parts)]).tolist()
        groups = tuple(tuple(range(*pair)) for pair in pairwise(ends))
        factors = tuple(factor for row in self.factors for factor in row)
        step = Step(groups, factors, self.how, tuple(self.minus), self.decimals)
        scale = None if self.scale is None else (Fraction(self.scale[0]), Fraction(self.scale[1]))
        return Contest(parts, self.judges, unit, self.decimals, (step,), scale, self.better)

    def total(self, entry: int, marks: list[Marks]) -> Fraction:
        scores = []
        for own, trim, factor in zip(marks, self.trims[entry], self.factors[entry], strict=True):
            kept = sorted(own.values())[trim : len(own) - trim]
            scores.append(rounded(rounded(sum(kept) / Fraction(len(kept)), self.decimals) * factor, self.decimals))
        whole = COMBINE[self.how](scores)
        return rounded(whole - self.minus[entry], self.decimals)

    def affordable(self) -> list[set[int]]:
        names = range(len(self.bribes.prices))
        sets = [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]
        return [set(self.bribes.members(one).tolist()) for one in sets if self.bribes.affordable(one)]

    @property
    def extremes(self) -> tuple[int, int]:
        return self.scale or (-FAR, FAR)


def rounded(number: Fraction, decimals: int | None) -> Fraction:
    if decimals is None:
        return number
    steps = (abs(number) * 10**decimals + Fraction(1, 2)) // 1
    return Fraction(steps if number >= 0 else -steps, 10**decimals)


def draw(random: Random, *, heads: bool = False) -> Sheet:
    judges = random.randint(3, 5)
    entries = random.randint(1, 4)
    scale = random.choice([None, (0, 3)])
    counts = [random.randint(1, 2) for _ in range(entries)]
    parts = []
    for parts_of in counts:
        row = []
        for _ in range(parts_of):
            there = random.sample(range(judges), random.randint(3, judges))
            row.append({judge: Fraction(random.randint(0, 12), 4) for judge in sorted(there)})
        parts.append(row)
    groups = list(range(judges)) if heads else [random.randrange(judges) for _ in range(judges)]
    number = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    prices = tuple(Fraction(1) if heads else Fraction(random.randint(0, 4), random.randint(1, 2)) for _ in number)
    return Sheet(
        parts,
        [[random.randint(0, (len(marks) - 1) // 2) for marks in row] for row in parts],
        [[Fraction(random.choice([0, 1, 1, 2, 3]), random.choice([1, 2])) for _ in row] for row in parts],
        [Fraction(random.choice([0, 0, 1, -1]), 2) for _ in parts],
        random.choice(["sum", "max", "min"]),
        random.choice([None, None, 0, 1]),
        scale,
        random.choice(["high", "low"]),
        judges,
        Bribes(np.array([number[name] for name in groups]), prices, Fraction(random.randint(0, 3))),
    )


def oracle_ends(sheet: Sheet, entry: int, chosen: list[list[set[int]]]) -> tuple[Fraction, Fraction]:
    """Return the ends of an entry's total over all extreme marks by the sets that are allowed on each of its parts."""
    options = []
    for marks, sets in zip(sheet.parts[entry], chosen, strict=True):
        written = [
            marks | {judge: Fraction(value) for judge, value in zip(own, values, strict=True)}
            for bribed in sets
            for own in [[judge for judge in marks if judge in bribed]]
            for values in product(sheet.extremes, repeat=len(own))
        ]
        # Of equal multisets one is enough.
        options.append(list({tuple(sorted(one.values())): one for one in written}.values()))
    totals = [sheet.total(entry, list(marks)) for marks in product(*options)]
    return min(totals), max(totals)


def oracle_places(sheet: Sheet, ends: list[tuple[Fraction, Fraction]]) -> list[tuple[int, int]]:
    """Return the best and the worst place of each entry over all choices of an end for each."""
    sign = 1 if sheet.better == "high" else -1
    found = [(len(ends), 1)] * len(ends)
    for totals in product(*ends):
        for entry, own in enumerate(totals):
            place = 1 + sum(sign * other > sign * own for other in totals)
            found[entry] = (min(found[entry][0], place), max(found[entry][1], place))
    return found
