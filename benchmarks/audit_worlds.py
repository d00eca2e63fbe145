"""Measure how often the audit finds something among honest reporters, and how often it finds what is there.

Run: ``python benchmarks/audit_worlds.py`` (100 panels a world, about ten minutes); ``--quick`` for 20 panels;
``--panels N``; names of worlds to run only these. It prints the tables of docs/evidence/audit.md.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
import polars as pl
from numpy.typing import NDArray

import bribeproof as bp
from bribeproof.theory.inference.confidence import clopper_pearson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Generator = np.random.Generator
EXPERT, NOVICE = (0.97, 0.95), (0.9, 0.3)
"""Probabilities of a right answer to plain items and to tempting ones."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Reports of a panel: one row per item, one column per reporter.

    Attributes
    ----------
    reports
        Labels or scores; NaN where missing.
    truth
        The true labels, if there are gold items.
    planted
        The pairs, or the reporters, that an audit should find.
    columns
        Further columns of the long form, for each item and reporter.
    """

    reports: Floats
    truth: Ints | None = None
    planted: frozenset[Any] = frozenset()
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)

    def frame(self, value: str) -> pl.DataFrame:
        """Return the long form."""
        item, reporter = np.nonzero(~np.isnan(self.reports))
        kept = self.reports[item, reporter]
        columns = {"task": item, "worker": reporter, value: kept.astype(np.int64) if value == "label" else kept}
        return pl.DataFrame(columns | {name: each[item, reporter] for name, each in self.columns.items()})


World = Callable[[Generator], Panel]


def pairs(reporters: range | list[int]) -> frozenset[tuple[int, int]]:
    """Return all pairs of some reporters."""
    return frozenset((i, j) for i in reporters for j in reporters if i < j)


# Labels: honest worlds.


def answers(rng: Generator, right: Floats, truth: Ints, classes: int, *, lure: bool | NDArray[np.bool_]) -> Floats:
    """Draw independent labels; a wrong one is the item's own where it lures, else any."""
    wrong = rng.integers(1, classes, right.shape)
    one = np.broadcast_to(rng.integers(1, classes, (len(truth), 1)), right.shape)
    wrong = (truth[:, None] + np.where(np.broadcast_to(lure, len(truth))[:, None], one, wrong)) % classes
    return np.where(rng.random(right.shape) < right, truth[:, None], wrong).astype(float)


def groups(
    *sizes: tuple[int, tuple[float, float]], items: int = 300, tempting: float = 0.0, classes: int = 2,
    positive: float | None = None, answered: float = 1.0,
) -> World:  # fmt: skip
    """Return a world of skill groups: how many reporters, and how often they are right on plain and tempting items."""

    def draw(rng: Generator) -> Panel:
        plain, hard = (np.repeat([rates[at] for _, rates in sizes], [n for n, _ in sizes]) for at in (0, 1))
        truth = rng.integers(0, classes, items) if positive is None else (rng.random(items) < positive).astype(int)
        lures = rng.random(items) < tempting
        reports = answers(rng, np.where(lures[:, None], hard, plain), truth, classes, lure=lures)
        reports[rng.random(reports.shape) >= answered] = np.nan
        return Panel(reports, truth)

    return draw


def skills(reporters: int, items: int, *, classes: int = 2, low: float = 0.55, high: float = 0.99) -> World:
    """Return a world in which every reporter has a skill of its own."""

    def draw(rng: Generator) -> Panel:
        truth = rng.integers(0, classes, items)
        right = np.broadcast_to(rng.uniform(low, high, reporters), (items, reporters))
        return Panel(answers(rng, right, truth, classes, lure=False), truth)

    return draw


def response(reporters: int, items: int, *, classes: int = 2, steep: float = 3.0, kinds: int = 1) -> World:
    """Return a world of hard items to which reporters react more or less strongly (two-parameter logistic)."""

    def draw(rng: Generator) -> Panel:
        ability, slope = rng.normal(1.2, 1, reporters), rng.uniform(0.3, steep, reporters)
        hard, kind = rng.normal(0, 1.5, (items, kinds)), rng.integers(0, kinds, reporters)
        truth = rng.integers(0, classes, items)
        right = 1 / (1 + np.exp(hard[:, kind] * slope - ability))
        return Panel(answers(rng, right, truth, classes, lure=True), truth)

    return draw


def habits(items: int, *, positive: float = 0.5) -> World:
    """Return a world in which every reporter has a true- and a false-positive rate of its own; two nearly say yes."""

    def draw(rng: Generator) -> Panel:
        truth = (rng.random(items) < positive).astype(int)
        yes = np.where(truth[:, None] == 1, rng.beta(2, 1, 12), rng.beta(1, 2, 12))
        yes[:, :2] = 0.98
        return Panel((rng.random(yes.shape) < yes).astype(float), truth)

    return draw


def confusion(rng: Generator) -> Panel:
    """Return a world in which two of ten read one rule otherwise: they call class 1 class 2."""
    truth = rng.integers(0, 4, 400)
    reports = answers(rng, np.full((400, 10), 0.85), truth, 4, lure=False)
    misread = (truth == 1)[:, None] & (rng.random((400, 2)) < 0.9)
    reports[:, :2] = np.where(misread, 2, reports[:, :2])
    return Panel(reports, truth)


def schools(*sizes: int, items: int = 300) -> World:
    """Return a world of schools, each of which errs on a fifth of the items of its own (60 %, elsewhere 5 %)."""

    def draw(rng: Generator) -> Panel:
        school, truth = np.repeat(np.arange(len(sizes)), sizes), rng.integers(0, 2, items)
        own = rng.random((items, len(sizes))) < 0.2
        right = 1 - np.where(own[:, school], 0.6, 0.05)
        return Panel(answers(rng, right, truth, 2, lure=True), truth)

    return draw


def exchangeable(rng: Generator) -> Panel:
    """Return a world of eight equally skilled reporters, items of different difficulty, and reports missing."""
    right, truth = np.broadcast_to(rng.uniform(0.4, 1, (150, 1)), (150, 8)), rng.integers(0, 3, 150)
    reports = answers(rng, right, truth, 3, lure=False)
    reports[rng.random(reports.shape) >= rng.uniform(0.3, 1, 8)] = np.nan
    return Panel(reports, truth)


HONEST: dict[str, World] = {
    "ten of equal skill": groups((10, (0.8, 0.8))),
    "two of ten nearly perfect, eight near chance": groups((2, (0.99, 0.99)), (8, (0.55, 0.55))),
    "three of eleven nearly perfect": groups((3, (0.99, 0.99)), (8, (0.55, 0.55))),
    "two precise of twelve, five classes": groups((2, (0.97, 0.97)), (10, (0.6, 0.6)), classes=5),
    "two experts of thirty, tempting items": groups((2, (0.97, 0.9)), (28, (0.85, 0.4)), tempting=0.2),
    "two experts of ten, tempting items": groups((2, EXPERT), (8, NOVICE), tempting=0.3),
    "five experts, five novices, tempting items": groups((5, EXPERT), (5, NOVICE), tempting=0.3),
    "two novices of ten, tempting items": groups((8, (0.97, 0.9)), (2, NOVICE), tempting=0.3),
    "three novices of eleven, tempting items": groups((8, (0.97, 0.9)), (3, NOVICE), tempting=0.3),
    "two novices of thirty, tempting items, 1,000 items": groups(
        (28, (0.95, 0.9)), (2, NOVICE), tempting=0.3, items=1000
    ),
    "three skill groups, tempting items": groups((3, (0.98, 0.95)), (4, (0.9, 0.6)), (5, (0.8, 0.3)), tempting=0.3),
    "three skill groups, 1,000 items": groups(
        (2, (0.98, 0.95)), (2, NOVICE), (5, (0.8, 0.7)), tempting=0.2, items=1000
    ),
    "three groups of two": groups((2, (0.98, 0.95)), (2, NOVICE), (2, (0.8, 0.7)), tempting=0.2),
    "nearly all fall for tempting items": groups((2, (0.97, 0.9)), (8, (0.9, 0.05)), tempting=0.2),
    "a rare class (5 %)": groups((10, (0.85, 0.85)), positive=0.05),
    "a rare class, tempting items": groups((2, EXPERT), (8, NOVICE), tempting=0.3, positive=0.05),
    "ten items": groups((2, EXPERT), (8, NOVICE), tempting=0.3, items=10),
    "thirty items": groups((2, EXPERT), (8, NOVICE), tempting=0.3, items=30),
    "half of the reports missing": groups((2, EXPERT), (8, NOVICE), tempting=0.3, answered=0.5),
    "a tenth of the reports, sixty reporters": groups((20, EXPERT), (40, NOVICE), tempting=0.3, answered=0.1),
    "five classes, tempting items": groups((2, EXPERT), (8, (0.8, 0.3)), tempting=0.3, classes=5),
    "every reporter another skill": skills(12, 300),
    "every reporter another skill, three classes": skills(12, 300, classes=3),
    "thirty reporters, each another skill": skills(30, 200),
    "four reporters": skills(4, 200),
    "three reporters": skills(3, 200),
    "precise reporters (95 to 99.9 %)": skills(10, 300, low=0.95, high=0.999),
    "items hard for some more than for others": response(12, 300),
    "the same, 1,000 items": response(12, 1000),
    "the same, 25 reporters, 1,000 items": response(25, 1000),
    "the same, four classes": response(12, 300, classes=4),
    "steeper still": response(12, 300, steep=6.0),
    "habits: rates of their own, two who say yes": habits(300),
    "habits, a rare class": habits(300, positive=0.1),
    "two who misread a rule": confusion,
}
LIMITS: dict[str, World] = {
    "schools of 5 and 5": schools(5, 5),
    "schools of 3, 3 and 4": schools(3, 3, 4),
    "schools of 2, 2, 2 and 4": schools(2, 2, 2, 4),
    "two unrelated kinds of difficulty": response(12, 300, kinds=2),
    "three unrelated kinds of difficulty": response(12, 300, kinds=3),
}


# Labels: copies.


def copies(
    reporters: int, copying: int, accuracy: float, items: int, rate: float, *, classes: int = 2, gold: float = 1.0
) -> World:
    """Return a world in which the first few give the first one's label with some rate."""

    def draw(rng: Generator) -> Panel:
        truth = rng.integers(0, classes, items)
        reports = answers(rng, np.full((items, reporters), accuracy), truth, classes, lure=False)
        for who in range(1, copying):
            taken = rng.random(items) < rate
            reports[taken, who] = reports[taken, 0]
        return Panel(reports, np.where(rng.random(items) < gold, truth, -1), pairs(range(copying)))

    return draw


def copying_novices(rng: Generator) -> Panel:
    """Return a world of tempting items in which one of eight novices copies another."""
    panel = groups((2, EXPERT), (8, NOVICE), tempting=0.3)(rng)
    panel.reports[:, 9] = np.where(rng.random(300) < 0.95, panel.reports[:, 8], panel.reports[:, 9])
    return Panel(panel.reports, panel.truth, pairs([8, 9]))


COPIES: dict[str, World] = {
    "2 of 9 share 95 % of 200, 80 % right": copies(9, 2, 0.8, 200, 0.95),
    "3 of 9 share all of 200, 80 % right": copies(9, 3, 0.8, 200, 1.0),
    "4 of 9 share all of 200, 80 % right": copies(9, 4, 0.8, 200, 1.0),
    "5 of 9 share all of 200, 80 % right": copies(9, 5, 0.8, 200, 1.0),
    "2 of 12 share all of 60, 80 % right": copies(12, 2, 0.8, 60, 1.0),
    "2 of 20 share 80 % of 200, 90 % right": copies(20, 2, 0.9, 200, 0.8),
    "2 of 5 share all of 200, 80 % right": copies(5, 2, 0.8, 200, 1.0),
    "2 of 9 share 70 % of 200, 80 % right": copies(9, 2, 0.8, 200, 0.7),
    "2 of 9 share 50 % of 200, 70 % right": copies(9, 2, 0.7, 200, 0.5),
    "2 of 9 share 80 % of 200, 70 % right, four classes": copies(9, 2, 0.7, 200, 0.8, classes=4),
    "2 of 9 share all of 200, 95 % right": copies(9, 2, 0.95, 200, 1.0),
    "2 of 9 share 95 % of 50, 80 % right": copies(9, 2, 0.8, 50, 0.95),
    "2 of 9 share 95 % of 200, 80 % right, a third gold": copies(9, 2, 0.8, 200, 0.95, gold=1 / 3),
    "2 novices of 10 share 95 % of 300, tempting items": copying_novices,
}
"""Nobody else copies; who shares, and what part of how many items; the skill of everybody."""


# Groups.


def nations(
    judges: str, items: int, *, favour: float = 0.0, kind: str = "scores", weaker: bool = True, slopes: float = 0.25,
    rates: tuple[float, float] = (0.8, 0.8),
) -> World:  # fmt: skip
    """Return a world of judges, by a letter each for their nation, in which nation A's entries are weaker or harder.

    The first judge adds `favour` to the own nation's scores, or is wrong that much less often on its entries. Labels:
    each judge's rate on plain items is one of `rates`.
    """

    def draw(rng: Generator) -> Panel:
        letters = sorted(set(judges))
        home, nation = np.array(list(judges)), np.array(letters)[rng.integers(0, len(letters), items)]
        same = home[None, :] == nation[:, None]
        shape, bad = same.shape, (nation == "A") & weaker
        truth = None
        if kind == "scores":
            quality = rng.normal(np.where(bad, 6, 8), 0.5)
            reports = 7 + (quality[:, None] - 7) * rng.uniform(1 - slopes, 1 + slopes, shape[1])
            reports = reports + rng.normal(0, 0.4, shape) + favour * (same & (np.arange(shape[1]) == 0))
            reports = np.round(reports, 1)
        else:
            truth = rng.integers(0, 2, items)
            plain = np.where(np.arange(shape[1]) % 2 == 0, *rates)
            right = np.where(bad[:, None], 0.5 + 0.35 * (plain - 0.5) / 0.5, plain)
            reports = answers(rng, right, truth, 2, lure=False)
            biased = same & (np.arange(shape[1]) == 0) & (rng.random(shape) < favour)
            reports = np.where(biased, 1.0, reports)
        columns = {"home": np.broadcast_to(home, shape), "nation": np.broadcast_to(nation[:, None], shape)}
        return Panel(reports, truth, frozenset({0}) if favour else frozenset(), columns)

    return draw


GROUPS: dict[str, World] = {
    "scores, two nations, one weaker, own use of the scale": nations("ABABABAB", 120),
    "the same, no slopes": nations("ABABABAB", 120, slopes=0.0),
    "scores, seven nations, one weaker": nations("ABCDEFG", 120),
    "scores, four nations, steeper slopes": nations("AABBCCDD", 120, slopes=0.5),
    "scores, 24 items": nations("ABCDEFG", 24),
    "labels, two nations, one harder": nations("ABABABAB", 120, kind="labels", rates=(0.92, 0.92)),
    "labels, two nations, one harder, two skills": nations("AABBAABB", 120, kind="labels", rates=(0.98, 0.7)),
    "labels, four nations, one harder, two skills": nations("ABCDABCD", 200, kind="labels", rates=(0.95, 0.65)),
    "labels, four nations, one harder, 1,000 items": nations("ABCDABCD", 1000, kind="labels", rates=(0.98, 0.7)),
}
FAVOURS: dict[str, World] = {
    "scores, seven nations, +0.5 points": nations("ABCDEFG", 120, favour=0.5),
    "scores, seven nations, +1 point": nations("ABCDEFG", 120, favour=1.0),
    "scores, two nations, +1 point": nations("ABABABAB", 120, favour=1.0),
    "scores, four nations, +0.5 points": nations("AABBCCDD", 200, favour=0.5),
    "labels, four nations, yes on half of the own": nations(
        "BACDABCD", 300, favour=0.5, kind="labels", rates=(0.92, 0.92)
    ),
    "labels, four nations, yes on all of the own": nations(
        "BACDABCD", 300, favour=1.0, kind="labels", rates=(0.92, 0.92)
    ),
}
"""The first judge favours the own nation."""


# What an audit finds in a panel.


def found_errors(panel: Panel) -> set[Any]:
    """Return the pairs whose shared errors are unexplained."""
    known = np.zeros(0, np.int64) if panel.truth is None else panel.truth
    truth = {item: int(label) for item, label in enumerate(known) if label >= 0}
    labels = range(int(max(known.max(), np.nanmax(panel.reports))) + 1)
    found = bp.audit(panel.frame("label"), 1, kind="labels", truth=truth, classes=list(labels)).pairs
    return set(found.filter("unexplained").select("first", "second").iter_rows())


def found_equal(panel: Panel) -> set[Any]:
    """Return the pairs that agree more often than reporters of equal skill would."""
    found = bp.audit(panel.frame("label"), 1, kind="labels", equal_skill=True).pairs
    return set(found.filter(pl.col("p_adjusted") <= 0.05).select("first", "second").iter_rows())


def found_deviations(panel: Panel) -> set[Any]:
    """Return the reporters who deviate more than reporters of equal skill would."""
    found = bp.audit(panel.frame("label"), 1, kind="labels").reporters
    return set(found.filter(pl.col("stands_out").fill_null(value=False))["reporter"])


def found_groups(panel: Panel) -> set[Any]:
    """Return the reporters who treat their own group otherwise than others do."""
    kind = "scores" if panel.truth is None else "labels"
    value = kind[:-1]
    found = bp.audit(panel.frame(value), 1, kind=kind, value=value, same=("home", "nation")).reporters
    return set(found.filter(pl.col("same_p_adjusted") <= 0.05)["reporter"])


TABLES: dict[str, tuple[Callable[[Panel], set[Any]], dict[str, World]]] = {
    "Shared errors, honest worlds": (found_errors, HONEST),
    "Shared errors, copies": (found_errors, COPIES),
    "Shared errors, limits": (found_errors, LIMITS),
    "Equal skill assumed: agreement of pairs": (
        found_equal, {"equal skill, items of different difficulty": exchangeable} | dict(list(COPIES.items())[:8]),
    ),
    "Equal skill assumed, and wrong: agreement of pairs": (found_equal, dict(list(HONEST.items())[1:6])),
    "Reporters who deviate": (
        found_deviations,
        {"equal skill, items of different difficulty": exchangeable} | dict(list(HONEST.items())[1:2]),
    ),
    "Groups, honest worlds": (found_groups, GROUPS),
    "Groups, a judge who favours the own": (found_groups, FAVOURS),
}  # fmt: skip


def measure(find: Callable[[Panel], set[Any]], name: str, world: World, panels: int) -> tuple[int, int | None]:
    """Return in how many panels something false was found, and in how many what was planted; None if nothing was."""
    false = hits = 0
    planted = False
    for seed in range(panels):
        panel = world(np.random.default_rng([crc32(name.encode()), seed]))
        found = find(panel)
        planted = bool(panel.planted)
        hits += bool(found & panel.planted)
        false += bool(found - panel.planted)
    return false, hits if planted else None


def row(name: str, false: int, hits: int | None, panels: int) -> str:
    """Return a row of a table, with exact bounds (95 %) of each rate."""
    cells = []
    for number in (false, hits):
        if number is None:
            cells.append("")
            continue
        low, high = clopper_pearson(np.array([number]), np.array([panels]), 0.95)
        cells.append(f"{number} of {panels} ({100 * low[0]:.1f} to {100 * high[0]:.1f} %)")
    return f"| {name} | {cells[0]} | {cells[1]} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panels", type=int, default=100)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("worlds", nargs="*")
    options = parser.parse_args()
    panels = 20 if options.quick else options.panels
    for title, (find, worlds) in TABLES.items():
        chosen = {name: world for name, world in worlds.items() if not options.worlds or name in options.worlds}
        if not chosen:
            continue
        print(f"\n{title}:\n\n| world | something false found | what is there found |\n|---|---|---|")
        for name, world in chosen.items():
            print(row(name, *measure(find, name, world, panels), panels), flush=True)


if __name__ == "__main__":
    main()
