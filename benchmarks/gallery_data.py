"""Write the tables of examples/gallery/data, for which the published data themselves may not be passed on.

Run: ``python benchmarks/gallery_data.py``. The marks and rankings are in folders beside the project.
"""

from pathlib import Path

import polars as pl

import bribeproof as bp
from contests_page import DIVES, EVENTS, dives_of
from rankings import TRIMMED, compare_finals

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "gallery" / "data"
_PLACES = ["diver", "total", "place", "best_place", "worst_place", "best_if_others", "worst_if_others"]


def diving_finals() -> pl.DataFrame:
    """Return the places that one bribed judge could have given each finalist of Olympic diving in 2000."""
    finals = []
    for event, name in EVENTS.items():
        found = bp.worst_bribe(dives_of(event, "Final"), 1, kind="scores", **DIVES)
        finals.append(found.entries.select(pl.lit(name).alias("final"), *_PLACES))
    return pl.concat(finals).with_columns(pl.col("total").round(2))


def song_contest_finals() -> pl.DataFrame:
    """Return how many juries had to be bought for another winner of a song contest's finals, by rule."""
    found = compare_finals(["points", "borda", "trimmed_mean", "median", "copeland"], TRIMMED).table
    needed: pl.DataFrame = found.select("contest", "rule", "winner", "shared_winner", "other_winner")
    return needed.sort("contest", maintain_order=True)


def main() -> None:
    """Write both tables."""
    diving_finals().write_csv(FOLDER / "diving_finals.csv")
    song_contest_finals().write_csv(FOLDER / "song_contest_finals.csv")


if __name__ == "__main__":
    main()
