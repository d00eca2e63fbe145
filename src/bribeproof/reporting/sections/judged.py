"""Votes and labels: which answers are safe, why others are not, and how many reports are missing."""

import polars as pl

from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.aggregation.summary import changeable, safe_decisions
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.criteria import JOINER
from bribeproof.reporting.material import Material


def judge(material: Material) -> pl.DataFrame:
    """Return the answers with what is made of them.

    Columns are added: ``leads``, the label that leads, also where it is not certified; ``lead``, by how many reports;
    ``safe``; ``why`` an item is not; ``needed``, the least number of further reports that make it safe; and ``of``, the
    item that these are reports on, which is another one where each label is voted on. Where groups are bribed, or
    silence counts, `lead` and `needed` are null.
    """
    items = material.items
    wide = bool(material.source.reading.columns.judges)
    safe = safe_decisions(items.lazy(), wide=wide)
    if material.counts_heads:
        known = to_polars(material.read.combine(0))
        items = items.with_columns(
            leads=known["decision"].cast(pl.String), lead=known["additions_needed"].fill_null(0).cast(pl.Int64)
        )
    else:
        items = items.with_columns(leads=pl.col("decision").cast(pl.String), lead=pl.lit(None, pl.Int64))
    why = (
        pl.when(pl.col("m") == 0)
        .then(pl.lit("no reports"))
        .when(pl.col("tie"))
        .then(pl.lit("tie"))
        .when(changeable(material.items.columns))
        .then(pl.lit("could be changed"))
        .when(pl.col("status") != "ok")
        .then(pl.lit("too few reports"))
        .otherwise(pl.lit("silent ones could change it"))
    )
    needed = (2 * pl.col("k") + 1 - pl.col("lead")).clip(lower_bound=1)
    return items.with_columns(safe=safe).with_columns(
        why=pl.when("safe").then(pl.lit("safe")).otherwise(why),
        needed=pl.when("safe").then(pl.lit(0)).otherwise(needed).cast(pl.Int64),
        of=_item_of(material),
    )


def _item_of(material: Material) -> pl.Expr:
    """Return the item that reports are on: where each label is voted on, a report votes on all labels of an item."""
    name = pl.first().cast(pl.String)
    if material.answer.bribed_on_each != LABELS_OF_ITEMS:
        return name
    return name.str.strip_suffix(JOINER + name.str.split(JOINER).list.last())


def reports_missing(table: pl.DataFrame, needed: pl.Expr | None = None) -> int:
    """Return how many more reports make all answers safe, at least; of all answers to an item the most count."""
    wanted = pl.col("needed") if needed is None else needed
    return int(table.group_by("of").agg(wanted.max().alias("_most"))["_most"].sum())


def items_again(table: pl.DataFrame) -> int:
    """Return how many items have an answer that is not safe."""
    return int(table.filter(~pl.col("safe"))["of"].n_unique())
