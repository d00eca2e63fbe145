"""Sheets of reports as long frames, and what is expected of them."""

from typing import Any

import numpy as np
import polars as pl

import bribeproof as bp
from bribeproof.attacks.strategies import STRATEGIES

NAN = np.nan
OF_SCORES = tuple(name for name in STRATEGIES if name not in ("close", "worst"))
EXPERT = bp.Expert(0.4, 0.8, 0.2)


def long_of(sheet: Any, value: str = "label") -> dict[str, list[Any]]:
    """Long form with names whose order is that of the rows and columns; missing cells are no rows."""
    cells = [(i, j) for i, row in enumerate(sheet) for j, said in enumerate(row) if said == said]
    return {
        "task": [f"t{i:02}" for i, _ in cells],
        "worker": [f"w{j:02}" for _, j in cells],
        value: [sheet[i][j] for i, j in cells],
    }


VOTES = pl.DataFrame(long_of([["1", "0", "1"], ["0", "0", "1"]]))


def crowd(kind: str) -> tuple[pl.DataFrame, dict[str, int]]:
    """Forty items with five to nine reports each by reporters of several skills, and the truth of thirty."""
    rng = np.random.default_rng(5)
    classes = 2 if kind == "votes" else 4
    truth = rng.integers(classes, size=40)
    rows = [
        (f"t{i:02}", f"w{j}", int(truth[i]) if rng.random() < 0.5 + j / 30 else int(rng.integers(classes)))
        for i in range(40)
        for j in range(9)
        if j < 5 or (i + j) % 3
    ]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    return frame.sample(fraction=1, shuffle=True, seed=1), {f"t{i:02}": int(truth[i]) for i in range(30)}
