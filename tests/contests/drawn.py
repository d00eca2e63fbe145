"""Contests drawn by chance, and the one of the examples."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp

FAR = Fraction(10**6)
JUDGES = Path(__file__).parents[2] / "examples" / "judges.csv"
ROUNDS = ("r1", "r2")


@dataclass(frozen=True)
class Drawn:
    """A random contest: its marks, how they become totals, and who can be bribed."""

    marks: dict[str, dict[str, dict[str, Fraction]]]
    factors: dict[tuple[str, str], Fraction]
    minus: dict[str, Fraction]
    how: str
    better: str
    scale: tuple[int, int] | None
    trim: int
    k: int

    @property
    def judges(self) -> list[str]:
        """All judges."""
        return sorted({judge for rounds in self.marks.values() for row in rounds.values() for judge in row})

    def rule(self, entry: str, scores: Mapping[str, Fraction]) -> Fraction:
        """Return the total of an entry, higher ones being better."""
        best: Callable[..., Fraction] = max if self.better == "high" else min
        products = [self.factors[entry, part] * score for part, score in scores.items()]
        total = sum(products, Fraction(0)) if self.how == "sum" else best(products)
        return (total - self.minus[entry]) * (1 if self.better == "high" else -1)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The worst and the best mark."""
        low, high = (-FAR, FAR) if self.scale is None else map(Fraction, self.scale)
        return (low, high) if self.better == "high" else (high, low)

    def rows(self) -> list[dict[str, Any]]:
        """Return the marks in long form."""
        return [
            {
                "entry": entry, "round": part, "judge": judge, "score": float(mark),
                "factor": float(self.factors[entry, part]), "minus": float(self.minus[entry]),
            }
            for entry, rounds in self.marks.items()
            for part, row in rounds.items()
            for judge, mark in row.items()
        ]  # fmt: skip

    @property
    def options(self) -> dict[str, Any]:
        """How the marks are read."""
        return {
            "item": ["entry", "round"], "reporter": "judge", "value": "score", "factor": "factor", "minus": "minus",
            "total": f"{self.how} of rounds", "better": self.better, "scale": self.scale, "kind": "scores",
        }  # fmt: skip

    def places(self, **options: Any) -> dict[Any, tuple[int, ...]]:
        """Return what is found: place, best and worst one, and those if others are bribed on each round."""
        found = bp.worst_bribe(pl.DataFrame(self.rows()), self.k, trim=self.trim, **self.options, **options)
        assert found.exact
        return {row[0]: row[1:] for row in found.entries.select("entry", *PLACES).iter_rows()}


PLACES = ("place", "best_place", "worst_place", "best_if_others", "worst_if_others")


def draw(seed: int) -> Drawn:
    """Return a random contest: marks tie often, and some are missing."""
    rng = random.Random(seed)  # noqa: S311
    trim, k, how = rng.randint(0, 1), rng.randint(1, 2), rng.choice(["sum", "best"])
    judges = [f"J{seat}" for seat in range(rng.randint(2 * trim + k + 1, 5))]
    marks: dict[str, dict[str, dict[str, Fraction]]] = {}
    for entry in "ABCDE"[: rng.randint(2, 5)]:
        for part in ROUNDS:
            there = rng.sample(judges, rng.randint(2 * trim + 1, len(judges)))
            marks.setdefault(entry, {})[part] = {
                judge: Fraction(rng.randint(6, 14), 2) for judge in judges if judge in there
            }
    factors = {(entry, part): Fraction(rng.randint(1, 4), 2) for entry in marks for part in ROUNDS}
    minus = {entry: Fraction(rng.randint(0, 4), 4) for entry in marks}
    scale = (0, 10) if rng.random() < 0.6 else None
    return Drawn(marks, factors, minus, how, rng.choice(["high", "low"]), scale, trim, k)


SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 120))]
