"""Cases of `performance.py` that compare the aggregation of long tables with crowd-kit, pandas and polars.

Rows are shuffled, with ten reports per item and a hundred reporters. Ours also detect repeats, clean names, and give
each item its manipulation range or flips needed, dropped reporters and status. Run: ``python
benchmarks/performance.py``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import bribeproof as bp
from contest import Case, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

PER_ITEM = 10
REPORTERS = 100


def long(rows: int, name: str, values: "Callable[[np.random.Generator, int], NDArray[np.generic]]") -> pl.DataFrame:
    """Draw a table with numbers as ids, consecutive for reporters and with gaps for items."""
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(rows // PER_ITEM), PER_ITEM)
    reporters = (rng.integers(0, REPORTERS, (rows // PER_ITEM, 1)) + 7 * np.arange(PER_ITEM)) % REPORTERS
    order = rng.permutation(len(items))
    return pl.DataFrame(
        {"task": items[order] * 7919, "worker": reporters.ravel()[order], name: values(rng, len(items))}
    )


def votes(rows: int) -> Case:
    """Return the case of binary votes."""
    frame = long(rows, "label", lambda rng, count: rng.integers(0, 2, count))
    pandas = frame.to_pandas()
    crowd = import_module("crowdkit.aggregation").MajorityVote
    bare = frame.lazy().group_by("task").agg(pl.col("label").sum(), pl.len())
    return Case(
        "long votes",
        lambda: bp.aggregate_votes(frame, 1),
        {
            "crowd-kit MajorityVote": Peer(lambda: crowd().fit_predict(pandas), goal=1 / 8),
            "polars, bare count": Peer(bare.collect, goal=15 / 8),
        },
    )


def labels(rows: int) -> Case:
    """Return the case of labels of ten classes."""
    frame = long(rows, "label", lambda rng, count: rng.integers(0, 10, count))
    pandas = frame.to_pandas()
    crowd = import_module("crowdkit.aggregation").MajorityVote
    return Case(
        "long labels, 10 classes",
        lambda: bp.aggregate_labels(frame, 1),
        {"crowd-kit MajorityVote": Peer(lambda: crowd().fit_predict(pandas), goal=1 / 6)},
    )


def scores(rows: int) -> Case:
    """Return the case of scores in quarter steps, k = 1."""
    frame = long(rows, "score", lambda rng, count: rng.integers(0, 40, count) / 4)
    pandas = frame.to_pandas()
    trimmed = frame.lazy().group_by("task").agg(pl.col("score").sort().slice(1, pl.len() - 2).mean())

    def apply() -> "pd.Series[float]":
        kept: pd.Series[float] = pandas.groupby("task")["score"].apply(lambda marks: float(np.sort(marks)[1:-1].mean()))
        return kept

    return Case(
        "long scores, k = 1",
        lambda: bp.aggregate_scores(frame, 1),
        {
            "polars by hand, bare mean": Peer(trimmed.collect, goal=1.3),
            "pandas groupby-apply, bare mean": Peer(apply, goal=1 / 50, runs=1),
        },
    )
