"""Measure long votes and labels of several sizes against crowd-kit and a bare count, for ids of numbers and of text.

Run: ``python benchmarks/long_votes.py [--rows 1000000 5000000 10000000] [--write docs/evidence/performance.md]``, with
the extra
``benchmark`` and crowd-kit installed. Each case has its own process, in which ours and the peers run in turns.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import product
from pathlib import Path

import polars as pl

import bribeproof as bp
from contest import RUNS, Case, Peer, ratios
from tables import long

CLASSES = {"votes": 2, "labels": 10}
CROWD_KIT, BARE = "crowd-kit MajorityVote", "polars, bare count"
GOALS = {CROWD_KIT: 1 / 5, BARE: 2.0}
"""Either is enough: a fifth of crowd-kit's time, or twice that of the bare count."""
START, END = "<!-- long votes -->\n", "<!-- end of long votes -->\n"


def case(rows: int, ids: str, kind: str) -> Case:
    """Return the case of reports of some kind, with numbers or short texts as ids."""
    frame = long(rows, "label", lambda rng, count: rng.integers(0, CLASSES[kind], count))
    if ids == "text":
        frame = frame.with_columns(pl.format("t{}", "task").alias("task"), pl.format("w{}", "worker").alias("worker"))
    pandas = frame.to_pandas()
    crowd = import_module("crowdkit.aggregation").MajorityVote
    aggregate = bp.aggregate_votes if kind == "votes" else bp.aggregate_labels
    bare = frame.lazy().group_by("task", "label").len()
    return Case(
        kind,
        lambda: aggregate(frame, 1),
        {
            CROWD_KIT: Peer(lambda: crowd().fit_predict(pandas), GOALS[CROWD_KIT]),
            BARE: Peer(bare.collect, GOALS[BARE]),
        },
    )


def measure(rows: int, ids: str, kind: str) -> str:
    """Return the line of the page about one case."""
    found = ratios(case(rows, ids, kind))
    met = any(found[name].median <= goal for name, goal in GOALS.items())
    return f"| {rows:,} | {ids} | {kind} | {found[CROWD_KIT]} | {found[BARE]} | {'yes' if met else 'no'} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each case in a process of its own, and write the table, or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 5 * 10**6, 10**7])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.case:
        print(measure(given.rows[0], *given.case))
        return
    lines = [
        "| rows | ids | reports | our time / crowd-kit's | our time / the bare count's | goal met |",
        "|---|---|---|---|---|---|",
    ]
    print(*lines, sep="\n")
    for rows, ids, kind in product(given.rows, ("numbers", "text"), CLASSES):
        command = [sys.executable, __file__, "--rows", str(rows), "--case", ids, kind]
        lines.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        print(lines[-1], flush=True)
    if given.write:
        before, _, rest = given.write.read_text(encoding="utf-8").partition(START)
        table = "\n".join([f"Medians of {RUNS} runs (least to most).", "", *lines])
        after = rest.partition(END)[2]
        given.write.write_text(f"{before}{START}{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
