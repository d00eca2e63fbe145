"""What starting up costs, as ratios against starting Python with numpy alone, in one run.

Run: ``python benchmarks/start_up.py``; ``--peer NAME`` adds an installed package to compare with.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = 7

BASE = [sys.executable, "-c", "import numpy"]
COMMAND = [sys.executable, "-m", "bribeproof"]
CASES = {
    "import bribeproof": [sys.executable, "-c", "import bribeproof"],
    "import all of bribeproof": [sys.executable, "-c", "from bribeproof import *"],
    "bribeproof --help": [*COMMAND, "--help"],
    "bribeproof aggregate (6 items)": [*COMMAND, "aggregate", str(ROOT / "examples" / "judges.csv"), "--k", "1"],
    "import polars": [sys.executable, "-c", "import polars"],
}


def seconds(command: list[str]) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Run all cases in turn, so that a drift of the machine falls on all of them, and print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", action="append", default=[], help="a package to import for comparison")
    cases = CASES | {f"import {peer}": [sys.executable, "-c", f"import {peer}"] for peer in parser.parse_args().peer}
    for command in (BASE, *cases.values()):
        seconds(command)
    ratios: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(RUNS):
        base = seconds(BASE)
        for name, command in cases.items():
            ratios[name].append(seconds(command) / base)
    print(f"wall time / python -c 'import numpy', median of {RUNS} (min to max)")
    for name, found in ratios.items():
        print(f"{name:32} {statistics.median(found):5.2f}  ({min(found):.2f} to {max(found):.2f})")


if __name__ == "__main__":
    main()
