"""What gold items guarantee on two public crowds: by how many there are, and beside the rates of all plugged in.

Run: ``python benchmarks/calibrated_crowds.py [--draws 10]``; it prints a table of docs/evidence/calibration.md. The
crowds
are those of benchmarks/crowd_sets.py. Gold items are drawn at random; the guarantee is of the squared loss at 95 %
confidence.
"""

import argparse

import numpy as np
import polars as pl

import bribeproof as bp
from crowd_sets import DATA

CROWDS = {"rte": (0, 1, 2), "bluebird": (0, 1, 3, 5)}
SIZES = (100, 400)


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=10)
    draws = parser.parse_args().draws
    print("| crowd | k | 100 gold items | 400 | all | ten times all | in the limit | rates known |")
    print("|---|---|---|---|---|---|---|---|")
    for name, ks in CROWDS.items():
        votes, truth = (pl.read_csv(DATA / "crowd" / f"{name}{end}.csv", infer_schema=False) for end in ("", "_truth"))
        for k in ks:
            cells = []
            for size in SIZES:
                chosen = [truth.sample(size, seed=seed) for seed in range(draws)] if size < truth.height else []
                found = [bp.calibrate(votes, gold, k).guarantee().expected_loss for gold in chosen]
                cells.append(f"{np.mean(found):.4f}" if found else "–")
            everything = bp.calibrate(votes, truth, k)
            gold, panel, m = everything.gold, everything.panel, everything.usual_size
            more = everything.with_gold(10).guarantee().expected_loss
            limits = [
                bp.theory.pairwise_minimax(bp.Panel(m, k), gold.observed_interval(bp.Panel(panel.n, left_out))).upper
                for left_out in (k, 0)
            ]
            cells += [f"{value:.4f}" for value in (everything.guarantee().expected_loss, more, *limits)]
            print(f"| {name} | {k} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
