"""Crowds whose reports are weighed."""

from typing import Any

import numpy as np
import polars as pl

from bribeproof.weighting.learn import Ballots

COLUMNS = ("task", "worker", "label")
Row = tuple[Any, ...]


def frame_of(rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(COLUMNS), orient="row")


def crowd(seed: int, items: int = 80, skills: tuple[float, ...] = (0.9, 0.9, 0.8, 0.7, 0.5, 0.5, 0.5)) -> list[Row]:
    """Workers of different skill on items of two classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=items)
    return [
        (task, f"w{worker}", int(truth[task] if rng.random() < skill else 1 - truth[task]))
        for task in range(items)
        for worker, skill in enumerate(skills)
    ]


def ballots_of(rows: list[tuple[int, int, int]], classes: int) -> Ballots:
    item, reporter, label = (np.array([row[place] for row in sorted(rows)], np.int64) for place in range(3))
    return Ballots(item, reporter, label, int(item.max()) + 1, int(reporter.max()) + 1, classes)
