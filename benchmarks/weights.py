"""Learned weights against crowd-kit's worker models on one large crowd: time as a ratio, and the share of right labels.

Run: ``python benchmarks/weights.py [--items 100000]`` with crowd-kit installed. Ten reports an item, four classes, a
thousand workers whose skill is drawn between .4 and .95, rows in no order. Ten rounds of learning for all.
"""

import argparse
from importlib import import_module

import numpy as np
import pandas as pd
import polars as pl

import bribeproof as bp
from contest import Case, Peer, ratios

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


def main() -> None:
    """Print a row per method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    frame, truth = crowd(parser.parse_args().items)
    pandas = frame.to_pandas()
    kit = import_module("crowdkit.aggregation")
    peers = {
        "crowd-kit Wawa": lambda: kit.Wawa(n_iter=ROUNDS).fit(pandas),
        "crowd-kit DawidSkene": lambda: kit.DawidSkene(n_iter=ROUNDS).fit_predict(pandas),
        "our aggregate_labels": lambda: bp.aggregate_labels(frame, 1),
    }
    case = Case("weigh", lambda: bp.weigh(frame, 1), {name: Peer(work, goal=1) for name, work in peers.items()})
    print("| time of `weigh` over that of | median (range) | right labels |\n|---|---|---|")
    ours = bp.weigh(frame, 1).answers.select("task", "decision").to_pandas().set_index("task")["decision"]
    plain = bp.aggregate_labels(frame, 1).to_pandas().set_index("task")["decision"]
    right = {
        "our aggregate_labels": (plain == truth).mean(),
        "crowd-kit DawidSkene": (peers["crowd-kit DawidSkene"]() == truth).mean(),
    }
    for name, found in ratios(case).items():
        print(f"| {name} | {found} | {right.get(name, float('nan')):.4f} |")
    print(f"| weigh | 1 | {(ours == truth).mean():.4f} |")


if __name__ == "__main__":
    main()
