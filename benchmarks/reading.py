"""Measure the time of reading NDJSON against the `json` module and polars, which lose digits of numbers.

Run: ``python benchmarks/reading.py [--rows 400000]``; half a minute on two cores.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import process_time

import polars as pl

from bribeproof.io.json_reader import read_ndjson

RUNS = 5
BLOCK = 1 << 25


def votes(rows: int) -> Iterator[dict[str, object]]:
    """Yield votes in long form."""
    for row in range(rows):
        yield {"task": f"t{row // 5}", "worker": f"w{row % 97}", "label": "cat" if row % 3 else "dog"}


def scores(rows: int) -> Iterator[dict[str, object]]:
    """Yield scores in long form."""
    draw = random.Random(1)  # noqa: S311
    for row in range(rows):
        yield {"task": f"t{row // 5}", "worker": f"w{row % 97}", "score": round(draw.uniform(0, 10), 2)}


def sheet(rows: int) -> Iterator[dict[str, object]]:
    """Yield a score sheet of 30 judges with as many scores."""
    draw = random.Random(2)  # noqa: S311
    for row in range(rows // 30):
        yield {"entry": f"E{row}"} | {f"judge_{judge}": round(draw.uniform(0, 10), 2) for judge in range(30)}


def read_all(blocks: Sequence[bytes]) -> int:
    """Read blocks of NDJSON; return the number of rows."""
    return sum(frame.height for frame, _ in read_ndjson(blocks, "file"))


def parse_all(data: bytes) -> int:
    """Parse each line with the `json` module; return the number of rows."""
    return len([json.loads(line) for line in data.splitlines()])


def seconds(work: Callable[[], object]) -> float:
    """Return the median processor time of some runs."""
    times = []
    for _ in range(RUNS):
        before = process_time()
        work()
        times.append(process_time() - before)
    return median(times)


def main() -> None:
    """Print the times of each reader, and how many times as long as ours the others take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=400_000)
    rows = parser.parse_args().rows
    print(f"{'seconds':<8}{'bribeproof':>12}{'json':>16}{'polars':>16}")
    for make in (votes, scores, sheet):
        data = "".join(json.dumps(record) + "\n" for record in make(rows)).encode()
        schema = dict.fromkeys(next(make(30)), pl.String)
        blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
        ours = seconds(partial(read_all, blocks))
        others = seconds(partial(parse_all, data)), seconds(partial(pl.read_ndjson, data, schema=schema))
        shown = "".join(f"{time:>8.3f} ({time / ours:4.2f}x)" for time in others)
        print(f"{make.__name__:<8}{ours:>12.3f}{shown}")


if __name__ == "__main__":
    main()
