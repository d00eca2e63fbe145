"""Contests: what bribed judges could have made of one, the scores they could move most, and the plain mean."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof._text import count, name_in_list, with_and
from bribeproof.aggregation.summary import rank_result
from bribeproof.contests.result import WorstContestBribe
from bribeproof.frames.native import to_polars
from bribeproof.reporting.cells import least_decimals
from bribeproof.reporting.contest import ContestFindings
from bribeproof.reporting.document import Block, Column, DataTable, Picture, Section, sentences
from bribeproof.reporting.material import Material

_DRAWN = 15


def could_have_changed(material: Material, found: ContestFindings) -> list[Section]:
    """Return what the same bribed judges could have made of the contest."""
    if not material.facts["k"]["most"]:
        return []
    blocks: list[Block] = []
    if (table := found.table()) is not None:
        blocks.append(table)
    blocks += sentences([*found.lines])
    if found.worst is not None and found.worst.entries.height > 1:
        rows = min(_DRAWN, found.worst.entries.height)
        caption = "Dots: the places as the marks are; bars: the places that bribed judges could have caused."
        blocks.append(
            Picture(
                "places",
                "The places that bribed judges could have caused",
                caption,
                partial(_draw_places, found.worst),
                rows,
            )
        )
    blocks += sentences(
        ["A name in this list is no accusation: it says whose marks matter, not what anybody did."]
        if found.names_somebody
        else []
    )
    return [Section("bribes", f"Could {material.bribed_nouns[1]} have changed it?", tuple(blocks))]


def _draw_places(found: WorstContestBribe, axes: Any) -> object:
    """Draw the places that judges could have caused."""
    from bribeproof import plots

    return plots.contest(found, most=_DRAWN, ax=axes)


def most_movable(material: Material, table: pl.DataFrame) -> list[Section]:
    """Return the scores that bribes could move furthest."""
    if not material.facts["k"]["most"]:
        return []
    width = (pl.col("high") - pl.col("low")).alias("width")
    moved = table.filter(pl.col("status") == "ok").select("entry", "total", "low", "high", width)
    moved = moved.filter(pl.col("width") > 0).sort("width", descending=True, maintain_order=True)
    if moved.is_empty():
        return []
    digits = material.answer.decimals
    if digits is None:
        digits = least_decimals([one for name in ("total", "low", "high") for one in moved[name]])
    columns = (
        Column("Entry"), Column("Score", digits), Column("Lowest", digits, "lower"),
        Column("Highest", digits, "upper"), Column("Apart", digits, "upper"),
    )  # fmt: skip
    caption = f"Scores that {material.any_of_them}, could have moved furthest"
    return [Section("fragile", "The most movable scores", (DataTable("Movable", caption, moved, columns, most=10),))]


def without_dropping(material: Material, table: pl.DataFrame) -> list[Section]:
    """Return which places would differ if no marks were dropped."""
    if not material.facts["k"]["most"] or not material.counts_heads:
        return []
    plain = to_polars(material.read.combine(0))
    ranking = rank_result(plain, material.answer.better)
    before = pl.DataFrame(
        {
            "entry": plain.to_series().cast(pl.String),
            "place_mean": pl.Series(ranking.rank, dtype=pl.Int64),
            "mean": plain["estimate"],
        }
    )
    if before["entry"].n_unique() != before.height:
        return []
    both = table.join(before, on="entry", how="left", maintain_order="left").filter(pl.col("place") > 0)
    moved = both.filter(pl.col("place") != pl.col("place_mean"))
    k = material.question.k or 0
    what = "the lowest and the highest mark" if k == 1 else f"the {k:,} lowest and the {k:,} highest marks"
    if moved.is_empty():
        lines = [f"The plain mean of all marks gives every entry the same place: dropping {what} moves nobody."]
        return [Section("mean", "What dropping marks changes", sentences(lines))]
    first = both.filter(pl.col("place_mean") == 1)["entry"].to_list()
    winner = (
        ""
        if both.filter(pl.col("place") == 1)["entry"].to_list() == first
        else (f" The plain mean would put {with_and([name_in_list(one) for one in first], 5)} first.")
    )
    lines = [
        f"Dropping {what} gives {count(moved.height, 'entry', 'entries')} another place than the plain mean of all "
        f"marks, which a single mark can move as far as the scale allows.{winner}"
    ]
    columns = (Column("Entry"), Column("Place"), Column("By plain mean"), Column("Score"), Column("Plain mean"))
    frame = moved.select("entry", "place", "place_mean", "total", "mean")
    caption = "Entries that would have another place"
    blocks: tuple[Block, ...] = (*sentences(lines), DataTable("Plain mean", caption, frame, columns, most=10))
    return [Section("mean", "What dropping marks changes", blocks)]
