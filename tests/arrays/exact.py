"""Trimmed means in fractions, and sheets of them as arrays."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

NAN, INF = float("nan"), float("inf")


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def trimmed(scores: list[Fraction], k: int) -> Fraction:
    return mean(sorted(scores)[k : len(scores) - k])


def attainable(scores: list[Fraction], k: int) -> list[Fraction]:
    """Every trimmed mean that k replaced reports can give; the replacements run over a wide grid."""
    grid = [min(scores) - 50, *set(scores), max(scores) + 50]
    found = []
    for bribed in combinations(range(len(scores)), k):
        honest = [score for i, score in enumerate(scores) if i not in bribed]
        found += [trimmed([*honest, *bought], k) for bought in product(grid, repeat=k)]
    return found


eighths = st.integers(-40, 40).map(lambda n: Fraction(n, 8))


def dense(sheet: list[list[Fraction | None]]) -> NDArray[np.float64]:
    return np.array([[NAN if score is None else float(score) for score in row] for row in sheet])
