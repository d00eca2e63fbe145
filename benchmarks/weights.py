"""Measure the time and accuracy of learned weights against crowd-kit's worker models on one large crowd.

Run: ``python benchmarks/weights.py [--items 100000]`` with crowd-kit installed. Ten reports per item, four
classes, a thousand reporters with skills drawn between .4 and .95, shuffled rows, ten rounds of learning.
"""

import argparse
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl

import bribeproof as bp
from contest import Case, Peer, ratios

Decide = Callable[[], "pd.Series[int]"]
PER_ITEM, CLASSES, WORKERS, ROUNDS = 10, 4, 1000, 10


def crowd(items: int) -> tuple[pl.DataFrame, "pd.Series[int]"]:
    """Draw reports and the truth of the items."""
    rng = np.random.default_rng(0)
    truth, skill = rng.integers(CLASSES, size=items), rng.uniform(0.4, 0.95, WORKERS)
    workers = (rng.integers(WORKERS, size=(items, 1)) + 7 * np.arange(PER_ITEM)) % WORKERS
    right = rng.random((items, PER_ITEM)) < skill[workers]
    labels = np.where(right, truth[:, None], rng.integers(CLASSES, size=(items, PER_ITEM)))
    order = rng.permutation(items * PER_ITEM)
    columns = {"task": np.repeat(np.arange(items), PER_ITEM), "worker": workers.ravel(), "label": labels.ravel()}
    return pl.DataFrame({name: values[order] for name, values in columns.items()}), pd.Series(truth)


def right(labels: "pd.Series[int]", truth: "pd.Series[int]") -> float:
    """Return the share of items with the right label."""
    return float((labels.reindex(truth.index) == truth).mean())


def main() -> None:
    """Print a row for each method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    frame, truth = crowd(parser.parse_args().items)
    pandas, kit = frame.to_pandas(), import_module("crowdkit.aggregation")

    def decided(answers: pl.DataFrame) -> "pd.Series[int]":
        return answers.to_pandas().set_index("task")["decision"]

    methods: dict[str, Decide] = {
        "weigh": lambda: decided(bp.weigh(frame, 1).items),
        "aggregate_labels": lambda: decided(bp.aggregate_labels(frame, 1, ties="first")),
        "crowd-kit MajorityVote": lambda: kit.MajorityVote().fit_predict(pandas),
        "crowd-kit DawidSkene": lambda: kit.DawidSkene(n_iter=ROUNDS).fit_predict(pandas),
    }
    ours = methods["weigh"]
    case = Case("weigh", ours, {name: Peer(work, goal=1, runs=3) for name, work in methods.items() if work is not ours})
    found = ratios(case)
    print("| method | right labels | time of weigh over its time, median (range) |\n|---|---|---|")
    for name, work in methods.items():
        print(f"| {name} | {right(work(), truth):.4f} | {found.get(name, 1)} |")


if __name__ == "__main__":
    main()
