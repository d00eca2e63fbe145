"""Decide labels of many classes: as `labels`, from one row per item and class that was reported."""

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.labels import TOTAL, finish, left_over
from bribeproof.aggregation.kernels.plurality import LEADERS, TOP, WINNER, Compare, at_least_one, reports_needed
from bribeproof.aggregation.kernels.status import KEPT, M, sizes, with_sizes
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import over_items, per_item
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native.backends import with_draw_numbers
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, VALUE, ReportSchema

_COUNT, _LEFT, _LEADS = "_count", "_left", "_leads"


def tally(reports: Reports, heads: AdversaryCount) -> nw.LazyFrame[Any]:
    """Return the number of reports of each class on each item; labels are class indices, null if an item has none.

    Returns
    -------
    One row per item and class that was reported: its count, the sizes of the item, what is left of the count after
    some are ignored, and the total that is left on the item.
    """
    kept = reports.first_row | per_item(reports.schema)
    counts = over_items(reports.rows.group_by(ITEM, VALUE).agg(nw.len().alias(_COUNT), **kept), reports.schema)
    count = nw.when(~nw.col(VALUE).is_null()).then(nw.col(_COUNT).cast(nw.Int64)).otherwise(nw.lit(0))
    counts = counts.with_columns(count.cast(nw.Int64).alias(_COUNT))
    counts = with_sizes(counts.with_columns(_total(_COUNT).alias(M)), reports, heads)
    counts = counts.with_columns(left_over(_COUNT).alias(_LEFT))
    return counts.with_columns(_total(_LEFT).alias(TOTAL))


def decide(
    counts: nw.LazyFrame[Any],
    classes: Classes,
    schema: ReportSchema,
    *,
    shares: Sequence[str],
    ties: str,
    seed: int | None,
    order: dict[str, nw.Expr],
) -> nw.LazyFrame[Any]:
    """Return one row per item from the counts.

    Returns
    -------
    One row per item: its id and place, its sizes, decision and draw (as class indices), estimate, tie flag,
    flips and additions needed, status, and the shares, named in class order.
    """
    counts = _with_winner(counts, ties, seed)
    if seed is not None:
        counts = with_draw_numbers(counts, ITEM, seed, "draw", "_ticket")
        counts = counts.with_columns((nw.col("_ticket") % at_least_one(nw.col(TOTAL))).alias("_held"))
    counts = counts.with_columns(**reports_needed(_margin, ties, classes))
    place, left = nw.col(VALUE), nw.col(_LEFT)
    counts = counts.with_columns(
        nw.when(place == nw.col(WINNER)).then(left).alias("estimate"),
        *([] if seed is None else [_drawn().alias("draw")]),
        *(nw.when(place == index).then(left).alias(name) for index, name in enumerate(shares)),
    )
    kept = [
        *sizes(schema),
        KEPT,
        TOTAL,
        LEADERS,
        "flips_needed",
        "additions_needed",
        "estimate",
        *shares,
        *([] if seed is None else ["draw"]),
    ]
    items = counts.group_by(ITEM).agg(
        *(nw.col(name).max() for name in kept), nw.col(WINNER).max().alias("decision"), **order
    )
    return finish(items, shares, drawn=seed is not None)


def _total(name: str) -> nw.Expr:
    """Return the sum of a column over each item."""
    return nw.col(name).sum().over(ITEM).cast(nw.Int64)


def _with_winner(counts: nw.LazyFrame[Any], ties: str, seed: int | None) -> nw.LazyFrame[Any]:
    """Add the largest count of each item, how many classes have it, and the winner by the tie rule."""
    counts = counts.with_columns(nw.col(_COUNT).max().over(ITEM).alias(TOP))
    leads = (nw.col(_COUNT) == nw.col(TOP)) & (nw.col(_COUNT) > 0)
    counts = counts.with_columns(leads.cast(nw.Int64).alias(_LEADS))
    counts = counts.with_columns(_total(_LEADS).alias(LEADERS))
    leader = nw.when(nw.col(_LEADS) == 1).then(nw.col(VALUE))
    alone = nw.when(nw.col(LEADERS) == 1).then(leader)
    if ties == "none":
        return counts.with_columns(alone.max().over(ITEM).alias(WINNER))
    if ties in ("first", "last"):
        end = leader.min() if ties == "first" else leader.max()
        return counts.with_columns(end.over(ITEM).alias(WINNER))
    counts = with_draw_numbers(counts, ITEM, seed or 0, "tie", "_tie")
    counts = counts.with_columns(nw.col(_LEADS).cum_sum().over(ITEM, order_by=VALUE).cast(nw.Int64).alias("_rank"))
    lucky = (nw.col("_rank") - 1 == nw.col("_tie") % at_least_one(nw.col(LEADERS))) & (nw.col(_LEADS) == 1)
    return counts.with_columns(nw.when(lucky).then(nw.col(VALUE)).alias("_lucky")).with_columns(
        nw.col("_lucky").max().over(ITEM).alias(WINNER)
    )


def _margin(compare: Compare) -> nw.Expr:
    """Return the lead of the winner over the classes whose index compares so with its own."""
    rival = nw.when(compare(nw.col(VALUE), nw.col(WINNER))).then(nw.col(_COUNT)).otherwise(nw.lit(0))
    return nw.col(TOP) - rival.max().over(ITEM).cast(nw.Int64)


def _drawn() -> nw.Expr:
    """Return the class that the random dictator follows: the one whose remaining reports hold the item's ticket."""
    left = nw.col(_LEFT)
    upto = left.cum_sum().over(ITEM, order_by=VALUE).cast(nw.Int64)
    held = (upto > nw.col("_held")) & (upto - left <= nw.col("_held"))
    return nw.when(held).then(nw.col(VALUE))
