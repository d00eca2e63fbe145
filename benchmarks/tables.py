"""Tables and arrays against what people use for the same today, as ratios of wall time on the same input in one run.

Run: ``python benchmarks/tables.py [--rows 1000000]``. Peers that are not installed are left out and said so.
A ratio below 1 means that we are faster. Our results carry more than the peers': repeats are checked, names cleaned,
and each item has its manipulation range or flips needed, dropped reporters and status.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
from scipy import stats

import bribeproof as bp

RUNS = 5
PER_ITEM = 10


def reports(rows: int, rng: np.random.Generator) -> dict[str, pl.DataFrame]:
    """Random long tables of ten reporters: binary votes, ten classes, and marks in quarter steps."""
    items = rows // PER_ITEM
    who = {"task": np.repeat(np.arange(items), PER_ITEM), "worker": np.tile(np.arange(PER_ITEM), items)}
    return {
        "votes": pl.DataFrame({**who, "label": rng.integers(0, 2, items * PER_ITEM)}),
        "labels": pl.DataFrame({**who, "label": rng.integers(0, 10, items * PER_ITEM)}),
        "scores": pl.DataFrame({**who, "score": rng.integers(0, 40, items * PER_ITEM) / 4}),
    }


def trimmed_by_polars(scores: pl.DataFrame) -> pl.DataFrame:
    """Compute the bare trimmed mean as a polars user writes it."""
    kept = pl.col("score").sort().slice(1, pl.len() - 2).mean()
    return scores.lazy().group_by("task").agg(kept).collect()


def trimmed_by_pandas(scores: pd.DataFrame) -> "pd.Series[float]":
    """Compute the bare trimmed mean as a pandas user writes it."""
    kept: pd.Series[float] = scores.groupby("task")["score"].apply(lambda marks: float(np.sort(marks)[1:-1].mean()))
    return kept


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(name: str, ours: Callable[[], object], peer: Callable[[], object]) -> None:
    """Run both in turn and print the median ratio."""
    seconds(ours), seconds(peer)
    ratios = [seconds(ours) / seconds(peer) for _ in range(RUNS)]
    print(f"{name:58} {statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})")


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    rng = np.random.default_rng(0)
    tables = reports(rows, rng)
    votes, labels, scores = tables["votes"], tables["labels"], tables["scores"]
    dense = rng.integers(0, 40, (rows // 9, 9)) / 4
    counted = [pl.col("label").sum(), pl.len()]
    marks = scores.to_pandas()
    print(f"{rows:,} rows; our time / the peer's, median of {RUNS} (min to max)")
    compare(
        "votes / polars, bare count", lambda: bp.aggregate_votes(votes, 1), lambda: votes.group_by("task").agg(counted)
    )
    compare("scores, k = 1 / polars, bare", lambda: bp.aggregate_scores(scores, 1), lambda: trimmed_by_polars(scores))
    compare(
        "scores, k = 1 / pandas groupby-apply, bare",
        lambda: bp.aggregate_scores(marks, 1),
        lambda: trimmed_by_pandas(marks),
    )
    compare(
        "array n x 9, k = 1 / scipy trim_mean",
        lambda: bp.trimmed_mean(dense, 1),
        lambda: stats.trim_mean(dense, 0.12, axis=1),
    )
    compare(
        "array n x 9, k = 1 / numpy sort and slice",
        lambda: bp.trimmed_mean(dense, 1),
        lambda: np.sort(dense, axis=1)[:, 1:-1].mean(axis=1),
    )
    try:
        from crowdkit.aggregation import MajorityVote
    except ImportError:
        print("crowd-kit is not installed: its MajorityVote is left out")
        return
    frames = {name: tables[name].to_pandas() for name in ("votes", "labels")}
    compare(
        "votes / crowd-kit MajorityVote",
        lambda: bp.aggregate_votes(votes, 1),
        lambda: MajorityVote().fit_predict(frames["votes"]),
    )
    compare(
        "labels / crowd-kit MajorityVote",
        lambda: bp.aggregate_labels(labels, 1),
        lambda: MajorityVote().fit_predict(frames["labels"]),
    )


if __name__ == "__main__":
    main()
