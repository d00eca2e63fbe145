"""Measure what our rules promise, and what they then lose, on real crowds, honest and under attack.

Run: ``python benchmarks/promise_study.py --runs promises.csv [--draws 1] [--processes 2]`` with the data packs beside
the project, then ``python benchmarks/promise_report.py promises.csv``. What is in the file is not run again.
"""

import argparse
import csv
import multiprocessing
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from itertools import product
from pathlib import Path

from attack_study import BINARY, SHARES
from crowd_pairs import Found, Table, Weighed, calibrated, under_pairs
from crowd_sets import STRATEGIES, Crowd, attacked, natural, with_gold

ORDER = ("bluebird", "rte", "temp", "dog", "wsd", "adult2", "web", "trec")
"""The quick ones first."""
GOLD = (20, 50, 100, 0)
"""Numbers of gold items; 0 stands for all."""
LEAST = 50
"""Where fewer items are not gold, losses are measured on all items."""
COLUMNS = (
    "crowd",
    "strategy",
    "share",
    "bribed",
    "draw",
    "gold",
    "rule",
    "k",
    "confidence",
    "promise",
    "loss",
    "worst",
)
Case = tuple[str, str, float, int, int]


def cases(draws: int) -> Iterator[Case]:
    """Return crowds, strategies, shares, draws and numbers of gold items; the largest share last."""
    for draw in range(draws):
        for shares in ((0.0, *SHARES[:2]), SHARES[2:]):
            for crowd, strategy in product(ORDER, ("none", *STRATEGIES)):
                if strategy == "worst" and crowd not in BINARY:
                    continue
                for share, gold in product(shares, GOLD):
                    # whoever is honest on all gold items, and these are all, is honest
                    if (share == 0) == (strategy == "none") and (gold or strategy != "sleeper"):
                        yield crowd, strategy, share, draw, gold


@lru_cache(maxsize=2)
def _natural(name: str) -> Crowd:
    return natural(name)


def run(case: Case) -> list[tuple[object, ...]]:
    """Return a row for each rule, k and confidence."""
    warnings.simplefilter("ignore")
    name, strategy, share, draw, gold = case
    known = len(set(_natural(name).truth) & set(_natural(name).votes["task"].to_list()))
    number = min(gold or known, known)
    crowd = with_gold(_natural(name), draw, number)
    if strategy != "none":
        crowd = attacked(crowd, strategy, share, draw)
    table, bribed = Table.of(crowd), round(share * crowd.votes["worker"].n_unique())
    rows: list[tuple[object, ...]] = []

    def add(rule: str, k: int, confidence: float, found: Found) -> None:
        promise = "" if found.promise is None else round(found.promise, 5)
        rows.append((*case[:3], bribed, draw, gold, rule, k, confidence, promise, *_losses(table, found)))

    if name in BINARY:
        add("calibrated", 1, 0.95, calibrated(crowd, 1, 0.95))
    for k in (0, 1):
        weighed = Weighed.of(crowd, k)
        for level in (0.5, 0.95):
            add("weighed under pairs", k, level, under_pairs(weighed, level))
    return rows


def _losses(table: Table, found: Found) -> tuple[object, object]:
    """Return the loss on the items that a promise is for, and that where the one reporter lies who can harm most."""
    known = table.truth >= 0
    measured = found.counted & (known & ~table.gold if (known & ~table.gold).sum() >= LEAST else known)
    if not measured.any():
        return "", ""
    return round(found.loss(table, measured), 5), round(found.worst(table, measured), 5)


def main() -> None:
    """Run the cases that are missing in the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True, help="CSV file that rows are added to")
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    done: set[tuple[str, ...]] = set()
    if options.runs.exists():
        with options.runs.open(newline="") as file:
            done = {(*row[:3], *row[4:6]) for row in csv.reader(file)}
    else:
        options.runs.write_text(",".join(COLUMNS) + "\n")
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    jobs = [case for case in cases(options.draws) if tuple(map(str, case)) not in done]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as pool, options.runs.open("a", newline="") as file:
        writer = csv.writer(file)
        try:
            for future in as_completed([pool.submit(run, job) for job in jobs]):
                writer.writerows(future.result())
                file.flush()
        finally:
            pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
