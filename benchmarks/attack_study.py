"""Measure accuracy, squared loss and time of our rules and crowd-kit's on real crowds, honest and under attack.

Run: ``python benchmarks/attack_study.py --runs runs.csv [--seeds 20] [--dear-seeds 3] [--processes 2]``, with crowd-kit
installed and the data packs beside the project, then ``python benchmarks/attack_report.py runs.csv``. Each run is added
to the file as soon as it is done, and what is in the file is not run again: stop it whenever you like and go on later.
"""

import argparse
import csv
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import polars as pl

from crowd_methods import DEAR, METHODS, score
from crowd_sets import CROWDS, PLANTED, STRATEGIES, Crowd, attacked, natural, planted, with_gold

SHARES = (0.15, 0.3, 0.45)
BINARY = ("bluebird", "rte", "trec", "temp")
COLUMNS = ("crowd", "strategy", "share", "draw", "method", "accuracy", "squared", "seconds")


@dataclass(frozen=True, slots=True)
class Case:
    """A crowd and an attack; the draw seeds the gold items, the adversaries and their random reports."""

    crowd: str
    strategy: str
    share: float
    draw: int

    def build(self) -> Crowd:
        """Return the votes, with lies in them."""
        if self.strategy == "natural":
            return _natural(self.crowd)
        if self.strategy == "planted":
            return with_gold(_planted(self.crowd)[self.share, self.draw], self.draw)
        return attacked(with_gold(_natural(self.crowd), self.draw), self.strategy, self.share, self.draw)


def cases(draws: int) -> Iterator[Case]:
    """Return all cases, ordered by draw."""
    yield from (Case(name, "natural", 0.0, 0) for name in CROWDS)
    for draw in range(draws):
        yield from (Case(name, "none", 0.0, draw) for name in CROWDS)
        for name in PLANTED:
            yield from (Case(name, "planted", share, found) for share, found in _planted(name) if found == draw)
        for strategy in STRATEGIES:
            for share in SHARES:
                crowds = BINARY if strategy == "worst" else CROWDS
                yield from (Case(name, strategy, share, draw) for name in crowds)


def run(case: Case, methods: list[str]) -> list[tuple[object, ...]]:
    """Return a row for each method, with missing numbers if it does not support the crowd."""
    crowd = case.build()
    rows: list[tuple[object, ...]] = []
    for name in methods:
        found = score(name, crowd)
        numbers = ("", "", "") if found is None else (found.accuracy, found.squared, found.seconds)
        rows.append((case.crowd, case.strategy, case.share, case.draw, name, *numbers))
    return rows


@lru_cache(maxsize=2)
def _natural(name: str) -> Crowd:
    """Return a crowd without adversaries."""
    return natural(name)


@lru_cache(maxsize=1)
def _planted(name: str) -> dict[tuple[float, int], Crowd]:
    """Return the shares of adversaries among the reporters, and the draws, of a crowd."""
    found: dict[tuple[float, int], Crowd] = {}
    for share, crowd in planted(name):
        share = round(share, 4)
        found[share, sum(known == share for known, _ in found)] = crowd
    return found


def main() -> None:
    """Run the cases that are missing in the file: first the fast methods, then the slow ones for fewer draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True, help="CSV file that rows are added to")
    parser.add_argument("--known", type=Path, help="earlier runs, as attack_report.py writes them, to begin with")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--dear-seeds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--crowds", nargs="*", default=list(dict.fromkeys((*CROWDS, *PLANTED))))
    every = ["natural", "none", "planted", *STRATEGIES]
    parser.add_argument("--attacks", nargs="*", default=every, choices=every)
    parser.add_argument("--shares", nargs="*", type=float, default=list(SHARES), help="of the bribed, of %(default)s")
    options = parser.parse_args()
    done: set[tuple[str, ...]] = set()
    if options.runs.exists():
        with options.runs.open(newline="") as file:
            done = {tuple(row[:5]) for row in csv.reader(file)}
    elif options.known is not None:
        pl.read_parquet(options.known).select(COLUMNS).write_csv(options.runs)
        done = {tuple(row[:5]) for row in csv.reader(options.runs.read_text().splitlines())}
    else:
        options.runs.write_text(",".join(COLUMNS) + "\n")
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    jobs = []
    for dear, draws in ((False, options.seeds), (True, options.dear_seeds)):
        for case in cases(draws):
            key = (case.crowd, case.strategy, str(case.share), str(case.draw))
            left = [name for name in options.methods if (name in DEAR) is dear and (*key, name) not in done]
            wanted = case.strategy not in STRATEGIES or case.share in options.shares
            if left and wanted and case.strategy in options.attacks and case.crowd in options.crowds:
                jobs.append((case, left))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as pool, options.runs.open("a", newline="") as file:
        writer = csv.writer(file)
        try:
            for place, future in enumerate(as_completed([pool.submit(run, *job) for job in jobs]), 1):
                writer.writerows(future.result())
                file.flush()
                if place % 100 == 0:
                    print(f"{place:,} of {len(jobs):,}", flush=True)
        finally:
            pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
