"""Contests with panels that are too large to try all sets of judges: what is known within a time limit.

``python benchmarks/large_panels.py`` prints the table of docs/evidence/contests.md; with ``--write`` it puts it into
the page.
Marks are simulated from a seed: an entry has a quality, a judge an error on each entry, and marks are halves from 0 to
10. Each entry is marked by judges that are drawn for it.
"""

import argparse
import time
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

import bribeproof as bp
from bribeproof.theory.contests.places import PODIUM
from page_tables import replace_table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "evidence" / "contests.md"


class Panel(NamedTuple):
    """A contest: its size, how many marks are dropped at each end, and how many judges are bribed."""

    entries: int
    judges: int
    marks: int
    trim: int
    k: int


PANELS = (
    Panel(30, 40, 40, 5, 8),
    Panel(100, 100, 100, 5, 5),
    Panel(100, 100, 7, 1, 5),
    Panel(200, 150, 15, 2, 4),
    Panel(1000, 300, 5, 1, 2),
)


def sheet(panel: Panel, seed: int = 1) -> pl.DataFrame:
    """Return the marks in long form."""
    random = np.random.default_rng(seed)
    quality = random.normal(6.5, 1.0, panel.entries)
    judges = np.array([np.sort(random.choice(panel.judges, panel.marks, replace=False)) for _ in quality])
    marks = np.clip(np.rint(2 * (quality[:, None] + random.normal(0, 0.7, judges.shape))) / 2, 0, 10)
    entry = np.repeat(np.arange(panel.entries), panel.marks)
    return pl.DataFrame(
        {
            "entry": [f"E{number + 1}" for number in entry],
            "judge": [f"J{number + 1}" for number in judges.ravel()],
            "mark": marks.ravel(),
        }
    )


def table(limit: float) -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        "| entries | judges | marks of an entry | dropped at each end | bribed | sets of judges | best and worst "
        "places known | podium not known of | seconds | fewest for another winner, on the podium |"
    )
    yield f"|{'---:|' * 10}"
    for panel in PANELS:
        marks = sheet(panel)
        given = {"item": "entry", "reporter": "judge", "value": "mark", "trim": panel.trim, "scale": (0, 10)}
        start = time.perf_counter()
        found = bp.worst_bribe(marks, panel.k, kind="scores", time_limit=limit, **given)
        seconds = time.perf_counter() - start
        if not found.recheck(most_sets=20).ok:
            raise SystemExit(f"{panel}: the recheck found differences")
        known = sum(
            int((found.entries[f"{end}_place"] == found.entries[f"{end}_bound"]).sum()) for end in ("best", "worst")
        )
        perhaps = found.entries.filter((pl.col("best_bound") <= PODIUM) & (pl.col("best_place") > PODIUM)).height
        fewest = []
        for change in ("winner", "podium"):
            least = bp.cheapest_bribe(marks, change, kind="scores", time_limit=limit, **given)
            fewest.append(f"{least.price:g}" if least.exact else f"{least.lower:g} to {least.price:g}")
        size = f"{panel.entries:,} | {panel.judges} | {panel.marks} | {panel.trim} | {panel.k}"
        yield (
            f"| {size} | {comb(panel.judges, panel.k):,} | {known:,} of {2 * panel.entries:,} | "
            f"{perhaps or 'nobody'} | {seconds:.0f} | {', '.join(fewest)} |"
        )


def main() -> None:
    """Print the table, or put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--write", action="store_true", help="put the table into docs/evidence/contests.md")
    options = parser.parse_args()
    lines = []
    for line in table(options.limit):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        PAGE.write_text(replace_table(PAGE.read_text(), "large panels", lines))


if __name__ == "__main__":
    main()
