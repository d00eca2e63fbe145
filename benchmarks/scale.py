"""Measure time and memory of the command against the number of rows in Parquet files, and plot them.

Run: ``python benchmarks/scale.py [--plot docs/images/scale.svg]``, with the extra ``benchmark``. The largest takes a
few GB in the folder for temporary files.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from bribeproof.plots import write_figure
from bribeproof.plots.palette import PALE, line_styles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {"votes": ["--kind", "votes"], "labels": ["--kind", "labels"], "scores": ["--kind", "scores"]}
PER_ITEM = 10
BLOCK = 5_000_000
STRIDE = 982_451_653
"""A large prime: row i holds report i × STRIDE, so that reports on an item lie far apart."""


def write(kind: str, rows: int, path: Path) -> None:
    """Write a file of reports, block by block."""
    rng = np.random.default_rng(0)
    blocks = []
    for index, start in enumerate(range(0, rows, BLOCK)):
        report = np.arange(start, min(rows, start + BLOCK), dtype=np.int64) * STRIDE % rows
        item = report // PER_ITEM
        values = (
            rng.integers(0, 40, len(report)) / 4
            if kind == "scores"
            else rng.integers(0, 2 if kind == "votes" else 10, len(report), dtype=np.int8)
        )
        block = path.with_name(f"{index:04}.parquet")
        reporter = ((item * 31 % 997 + report % PER_ITEM * 7) % 1000).astype(np.int32)
        pl.DataFrame({"task": item, "worker": reporter, "label": values}).write_parquet(block, row_group_size=1_000_000)
        blocks.append(block)
    pl.scan_parquet(blocks).sink_parquet(path, row_group_size=1_000_000)
    for block in blocks:
        block.unlink()


def run(kind: str, path: Path) -> tuple[float, int]:
    """Run the command as a user would, and return its time in seconds and its peak size in bytes."""
    target = path.with_name("answer.parquet")
    options = ["--k", "1", *KINDS[kind], "--rows", "0", "-o", str(target)]
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "bribeproof", "aggregate", str(path), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{path}: the command ended with {status}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def draw(found: dict[str, list[tuple[int, float, int]]], path: Path) -> None:
    """Plot the time per row, relative to that of the smallest file of votes, and the memory."""
    write_figure(partial(_draw, found), path, (7.5, 3.4))


def _draw(found: dict[str, list[tuple[int, float, int]]], figure: "Figure") -> None:
    """Draw both plots, with one legend below them."""
    cost, memory = figure.subplots(1, 2)
    unit = found["votes"][0][1] / found["votes"][0][0]
    for (kind, line), style in zip(found.items(), line_styles(found), strict=True):
        rows = [size for size, _, _ in line]
        cost.plot(rows, [spent / size / unit for size, spent, _ in line], label=kind, **style)
        memory.plot(rows, [taken / 2**30 for _, _, taken in line], **style)
    cost.set(xscale="log", yscale="log", xlabel="Rows", ylabel="Time for a row (votes, first size = 1)")
    memory.set(xscale="log", ylim=(0, None), xlabel="Rows", ylabel="Largest size of the process (GiB)")
    for axes in (cost, memory):
        axes.grid(color=PALE, linewidth=0.5)
        axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=len(found))


def report(found: dict[str, list[tuple[int, float, int]]]) -> None:
    """Print a table in Markdown."""
    unit = found["votes"][0][1]
    print("| rows | " + " | ".join(f"{kind}, time | memory" for kind in found) + " |")
    print("|---|" + "---|---|" * len(found))
    for lines in zip(*found.values(), strict=True):
        cells = [f"{spent / unit:,.1f} | {taken / 2**30:.2f} GiB" for _, spent, taken in lines]
        print(f"| {lines[0][0]:,} | " + " | ".join(cells) + " |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every size of every kind once, and the small ones, which vary more, three times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[10**5, 10**6, 10**7, 10**8])
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args(arguments)
    found: dict[str, list[tuple[int, float, int]]] = {kind: [] for kind in KINDS}
    for rows in given.rows:
        for kind in KINDS:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "reports.parquet"
                write(kind, rows, path)
                runs = sorted(run(kind, path) for _ in range(3 if rows <= 10**6 else 1))
                found[kind].append((rows, *runs[len(runs) // 2]))
                print(kind, *found[kind][-1], file=sys.stderr, flush=True)
    report(found)
    if given.plot:
        draw(found, given.plot)


if __name__ == "__main__":
    main()
