"""What the same k reporters could change: five public crowds, and a table of 100,000 items and 1,000 reporters.

``python benchmarks/same_reporters.py`` prints the tables of docs/evidence/one_list.md; with ``--write`` it puts
them into the page.
Bounds of the crowds are computed anew by `recheck`, without the search. Seconds are of the processor.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import bribeproof as bp
from page_tables import replace_table

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "crowd"
PAGE = ROOT / "docs" / "evidence" / "one_list.md"
CROWDS = ("rte", "dog", "bluebird", "web", "trec")
KS = (1, 2, 3, 5, 8)
ITEMS, REPORTERS, REPORTS = 100_000, 1_000, 10


def most_table(limit: float) -> Iterator[str]:
    """Yield the lines of a table: how many decisions the same k reporters could change, and others on each item."""
    ks = " | ".join(f"k = {k}" if k == 1 else str(k) for k in KS)
    yield f"| crowd | reporters | decided items | {ks} | longest search |"
    yield f"|---|---:|---:|{'---:|' * len(KS)}---:|"
    for name in CROWDS:
        votes, cells, longest = bp.read_table(DATA / f"{name}.csv").frame, [], 0.0
        for k in KS:
            start = time.process_time()
            found = bp.worst_bribe(votes, k, repeats="first", time_limit=limit)
            longest = max(longest, time.process_time() - start)
            _check(name, k, ok=found.recheck().ok)
            most = f"{found.changed:,}" if found.exact else f"{found.changed:,} to {found.upper:,.0f}"
            cells.append(f"{most} ({found.each_alone:,})")
        size = f"{found.n_reporters:,} | {found.decided:,}"
        yield f"| {name} | {size} | {' | '.join(cells)} | {longest:.1f} s |"


def least_table(limit: float) -> Iterator[str]:
    """Yield the lines of a table: how few reporters are enough to change a share of all decisions."""
    shares = (0.05, 0.1, 0.25, 0.5)
    yield f"| crowd | {' | '.join(f'{100 * share:.0f} %' for share in shares)} |"
    yield f"|---|{'---:|' * len(shares)}"
    for name in CROWDS:
        votes, cells = bp.read_table(DATA / f"{name}.csv").frame, []
        decided = bp.worst_bribe(votes, 0, repeats="first").decided
        for share in shares:
            found = bp.cheapest_bribe(votes, int(np.ceil(share * decided)), repeats="first", time_limit=limit)
            _check(name, share, ok=found.recheck().ok)
            cells.append(f"{int(found.cost):,}" if found.exact else f"{int(found.least):,} to {int(found.cost):,}")
        yield f"| {name} | {' | '.join(cells)} |"


def large_table(limit: float) -> Iterator[str]:
    """Yield the lines of a table: bounds, seconds and memory on a large crowd, some of whom give many reports."""
    votes = _large_crowd()
    yield "| k | a list that changes | no list changes more than | seconds |"
    yield "|---:|---:|---:|---:|"
    for k in (1, 3, 8, 30):
        start = time.process_time()
        found = bp.worst_bribe(votes, k, time_limit=limit)
        yield f"| {k} | {found.changed:,} | {found.upper:,.0f} | {time.process_time() - start:.0f} |"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    yield ""
    yield f"{votes.height:,} reports, {found.decided:,} decided items; the process took {memory:.1f} GiB at most."


def _large_crowd() -> pl.DataFrame:
    """Return labels of 100,000 items by ten of 1,000 reporters each, the active ones more often."""
    rng = np.random.default_rng(20)
    active = np.log(rng.gamma(0.5, 1, REPORTERS) + 0.05)
    skill, truth = rng.uniform(0.55, 0.95, REPORTERS), rng.integers(0, 2, ITEMS)
    who = np.empty((ITEMS, REPORTS), dtype=np.int64)
    for block in np.array_split(np.arange(ITEMS), 50):
        keys = active + rng.gumbel(size=(len(block), REPORTERS))
        who[block] = np.argpartition(-keys, REPORTS - 1, axis=1)[:, :REPORTS]
    right = rng.random(who.shape) < skill[who] * rng.uniform(0.7, 1, ITEMS)[:, None]
    label = np.where(right, truth[:, None], rng.integers(0, 2, who.shape))
    return pl.DataFrame({"task": np.repeat(np.arange(ITEMS), REPORTS), "worker": who.ravel(), "label": label.ravel()})


def _check(name: str, what: float, *, ok: bool) -> None:
    """Raise an error unless a result was proven anew."""
    if not ok:
        raise RuntimeError(f"{name}, {what}: the recheck failed")


def main() -> None:
    """Print the tables, and put them into the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/evidence/one_list.md")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each search (default: 300)")
    options = parser.parse_args()
    tables = {
        "most": most_table(options.limit),
        "least": least_table(options.limit),
        "large": large_table(min(60.0, options.limit)),
    }
    for name, table in tables.items():
        lines = list(table)
        print(*lines, "", sep="\n", flush=True)
        if options.write:
            PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8"), name, ["", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
