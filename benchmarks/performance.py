"""Measure time and memory of the library against its peers in one run, and write ``docs/evidence/performance.md``.

Run: ``python benchmarks/performance.py [--rows 10000000] [--items 1000000] [--write docs/evidence/performance.md]``,
with the extra ``benchmark`` and, for the attacks' trimmed mean, byzfl. About eight minutes on two cores.
"""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import arrays
import tables
from contest import RUNS, Case, Ratios, peak, ratios, seconds

OURS = "bribeproof"
JUDGES = Path(__file__).resolve().parents[1] / "examples" / "judges.csv"
PACKAGES = ("bribeproof", "numpy", "polars", "narwhals", "scipy", "pandas", "crowd-kit", "byzfl", "scikit-learn")
STARTS = {
    "import bribeproof": ["-c", "import bribeproof"],
    "bribeproof --help": ["-m", "bribeproof", "--help"],
    "bribeproof aggregate, 6 items": ["-m", "bribeproof", "aggregate", str(JUDGES), "--k", "1"],
    "import crowdkit.aggregation": ["-c", "import crowdkit.aggregation"],
    "import sklearn.ensemble": ["-c", "import sklearn.ensemble"],
}


def cases(items: int, rows: int) -> dict[str, Callable[[], Case]]:
    """Return functions that create the cases, so that only one input is in memory at a time."""
    return {
        "marks k=1": partial(arrays.dense_scores, items, 1),
        "marks k=3": partial(arrays.dense_scores, items, 3),
        "floats k=1": partial(arrays.dense_scores, items, 1, quarters=False),
        "bool counts": partial(arrays.dense_votes, items, np.bool_, forecasts=False),
        "bool forecasts": partial(arrays.dense_votes, items, np.bool_, forecasts=True),
        "uint8 counts": partial(arrays.dense_votes, items, np.uint8, forecasts=False),
        "uint8 forecasts": partial(arrays.dense_votes, items, np.uint8, forecasts=True),
        "votes": partial(tables.votes, rows),
        "labels": partial(tables.labels, rows),
        "scores": partial(tables.scores, rows),
    }


def contest(case: Case, peaks: dict[str, int]) -> list[str]:
    """Return the rows of the page for one case."""
    lines = []
    for name, found in ratios(case).items():
        goal = case.peers[name].goal
        met = "" if found.median <= goal else " (missed)"
        lines.append(
            f"| {case.name} | {name} | {found} | {goal:.3g}{met} | {_mib(peaks[OURS])} | {_mib(peaks[name])} |"
        )
    return lines


def peaks_of(key: str, names: Sequence[str], sizes: list[str]) -> dict[str, int]:
    """Measure the memory of each function besides the input, each in its own process."""
    command = [sys.executable, __file__, *sizes, "--peak", key]
    return {
        name: int(subprocess.run([*command, name], check=True, capture_output=True, text=True).stdout)
        for name in (OURS, *names)
    }


def starts() -> list[str]:
    """Return the rows of the page about start-up: time and memory beyond those of plain Python."""
    bare = [sys.executable, "-c", "pass"]
    times: dict[str, list[float]] = {name: [] for name in STARTS}
    memory = {}
    for run in range(-1, RUNS):
        base = seconds(partial(subprocess.run, bare, check=True))
        for name, arguments in STARTS.items():
            work = partial(subprocess.run, [sys.executable, *arguments], check=True, capture_output=True)
            if run >= 0:
                times[name].append(seconds(work) / base)
            else:
                work()
                memory[name] = _size_of([sys.executable, *arguments])
    return [f"| {name} | {Ratios(tuple(found))} | {_mib(memory[name])} |" for name, found in times.items()]


def _size_of(command: list[str]) -> int:
    """Return the peak size of a process in bytes; a small process starts it, since a fork is as large as its parent."""
    watch = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", watch, *command], check=True, capture_output=True, text=True)
    return int(done.stdout) * 1024


def _mib(size: int) -> str:
    """Return a size as text."""
    return f"{size / 2**20:,.0f} MiB"


def machine() -> str:
    """Return a description of the machine and the versions of packages."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    installed = ", ".join(
        f"{name} {version(name)}" for name in PACKAGES if find_spec(name.replace("-", "")) or name == "scikit-learn"
    )
    return f"{os.cpu_count()} cores ({model}), Python {platform.python_version()}, {installed}"


def main() -> None:
    """Run all cases and write the page, or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    makers = cases(given.items, given.rows)
    if given.peak:
        key, name = given.peak
        case = makers[key]()
        print(peak(case.ours if name == OURS else case.peers[name].work))
        return
    sizes = ["--items", str(given.items), "--rows", str(given.rows)]
    lines = [
        "| work | peer | our time / the peer's | goal | our memory | the peer's |",
        "|---|---|---|---|---|---|",
    ]
    for key, make in makers.items():
        case = make()
        names = list(case.peers)
        rows = contest(case, peaks_of(key, names, sizes))
        del case
        print(*rows, sep="\n", flush=True)
        lines += rows
    lines += ["", "| start-up | time / a bare Python's | memory |", "|---|---|---|", *starts()]
    print(*lines[-4:], sep="\n")
    page = [
        f"Measured on {machine()}; {given.items:,} dense items, {given.rows:,} long rows; medians of {RUNS} runs "
        f"(least to most; pandas groupby-apply ran once), all in turn in one run. Memory is what is taken beside the "
        f"input at most; of a start, all of it.",
        "",
        *lines,
    ]
    if given.write:
        before, _, rest = given.write.read_text(encoding="utf-8").partition("<!-- measured -->\n")
        after = rest.partition("<!-- end -->\n")[2]
        text = f"{before}<!-- measured -->\n{chr(10).join(page)}\n<!-- end -->\n{after}"
        given.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
