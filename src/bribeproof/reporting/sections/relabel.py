"""Votes and labels: which items to label again, who could be asked, and what that costs."""

from functools import partial

import polars as pl

from bribeproof._text import count, format_amount, name_in_list, with_and
from bribeproof.frames.native import collect
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.reporting.document import Column, DataTable, Picture, Section, sentences
from bribeproof.reporting.material import Material
from bribeproof.reporting.sections.judged import reports_missing

_MOST_NAMED = 12
"""Of panels of up to so many reporters, those who could be asked are named."""
_MOST_ASKED = 1_000
"""For so many items at most it is listed who could be asked."""
_DRAWN = 15


def relabel(material: Material, table: pl.DataFrame) -> list[Section]:
    """Return the items to label again, the most fragile decisions first."""
    if not material.facts["k"]["most"]:
        return []
    order = {"could be changed": 0, "silent ones could change it": 1, "tie": 2, "too few reports": 3, "no reports": 4}
    rows = table.filter(~pl.col("safe")).with_row_index("_row")
    if rows.is_empty():
        return []
    needed = next(name for name in ("price_needed", "bribes_needed", "flips_needed") if name in rows.columns[2:])
    rows = rows.with_columns(_order=pl.col("why").replace_strict(order, return_dtype=pl.Int64)).sort(
        "_order", needed, "_row", nulls_last=True
    )
    names = rows.columns[1]
    frame = rows.select(pl.col(names).cast(pl.String), "leads", "why", "m", needed)
    to_turn = {
        "flips_needed": "Reports to rewrite", "bribes_needed": "Groups to bribe", "price_needed": "Price to change it",
    }[needed]  # fmt: skip
    columns = [Column("Item"), Column("Leads now"), Column("Why"), Column("Reports"), Column(to_turn)]
    lines: list[str] = []
    if material.counts_heads:
        frame = frame.with_columns(rows["needed"], _askable(material, rows.to_series(1), rows["needed"]))
        columns += [Column("More reports (at least)"), Column("Could be asked")]
        lines += _labelling_advice(material, rows)
    else:
        lines.append(
            "How many more reports an item needs depends on whose they are, where groups are bribed or silence counts; "
            "it is not said here."
        )
    lines.append(
        f"“{to_turn}” is the least that takes the win away from the label that leads, so that it is tied or behind."
    )
    listed = DataTable("Label again", "Items to label again, the most fragile decisions first", frame, tuple(columns))
    return [Section("again", "What to label again", (*sentences(lines), listed, *_picture(material, needed)))]


def _askable(material: Material, chosen: pl.Series, needed: pl.Series) -> pl.Series:
    """Return who has not reported on some items: by name where there are few reporters, else how many."""
    items, panel = material.items, material.facts["reporters"]
    if panel > _MOST_NAMED:
        name = items.columns[0]
        sizes = dict(zip(items[name].cast(pl.String), items["n"] - items["m"], strict=True))
        return pl.Series("askable", [f"{sizes[str(one)]:,} of {panel:,}" for one in chosen])
    reports = material.read.reports
    given = collect(reports.rows.select(ITEM, REPORTER, VALUE)).drop_nulls(VALUE)
    everybody = sorted(map(str, collect(reports.rows.select(REPORTER).unique()).to_series().drop_nulls()))
    first = chosen.head(_MOST_ASKED).cast(pl.String).to_list()
    of_items = given.select(pl.col(ITEM, REPORTER).cast(pl.String)).filter(pl.col(ITEM).is_in(first))
    asked = dict(of_items.group_by(ITEM).agg(pl.col(REPORTER)).iter_rows())
    names = []
    for item, number in zip(first, needed, strict=False):
        left = [name_in_list(one) for one in everybody if one not in asked.get(item, ())]
        names.append(with_and([*left, "new people"] if len(left) < number else left))
    return pl.Series("askable", names + [None] * (len(chosen) - len(first)), dtype=pl.String)


def _labelling_advice(material: Material, rows: pl.DataFrame) -> list[str]:
    """Return how many reports are needed, of whom, and what they cost."""
    reports = reports_missing(rows)
    each = material.question.cost_per_report
    cost = "" if each is None else f" At {format_amount(each)} each they cost at least {reports * each:,.2f}."
    k = material.question.k
    who = "one bribed reporter" if k == 1 else f"{k:,} bribed reporters"
    lines = [
        f"They need at least {count(reports, 'more report')}, from reporters who have not reported on the item: so "
        f"many if each agrees with the label that leads now (of a tie, with one of them), more if some do not. On each "
        f"item {who} in all {'is' if k == 1 else 'are'} reckoned with, new ones included.{cost}"
    ]
    short = int((rows["needed"] > rows["n"] - rows["m"]).sum())
    if short:
        lines.append(
            f"On {count(short, 'of these items', 'of these items')} fewer reporters are left than reports are needed: "
            f"new people have to be asked."
        )
    return lines


def _picture(material: Material, needed: str) -> list[Picture]:
    """Return the picture of the most fragile items."""
    items = material.items
    certified = items.filter((pl.col("status") == "ok") & ~pl.col("tie"))
    if certified.is_empty() or certified[needed].sort().head(_DRAWN).n_unique() < 2:
        return []  # a picture in which all are alike says nothing
    caption = "What takes each win away: the least first, ties left out."
    title = "The most fragile decisions"
    return [
        Picture(
            "fragile", title, caption, partial(_draw, certified, items.columns[0]), min(_DRAWN, certified.height)
        )
    ]  # fmt: skip


def _draw(items: pl.DataFrame, item: str, axes: object) -> object:
    """Draw the most fragile items."""
    from bribeproof import plots

    return plots.items(items, item=item, most=_DRAWN, ax=axes)  # type: ignore[arg-type]
