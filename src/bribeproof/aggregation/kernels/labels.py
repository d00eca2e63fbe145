"""Decide labels of few classes: shares after k reports of each class are ignored, decision, random dictator."""

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.counts import columns, total
from bribeproof.aggregation.kernels.plurality import (
    LEADERS,
    TOP,
    WINNER,
    at_least_one,
    first_place,
    margin_of,
    reports_needed,
    with_winner,
)
from bribeproof.aggregation.kernels.status import NO_CLASS_LEFT, TRIM, certified, status
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native.backends import with_draw_numbers
from bribeproof.frames.schema import ITEM

TOTAL = "_total"


def decide(
    items: nw.LazyFrame[Any], classes: Classes, *, shares: Sequence[str], ties: str, seed: int | None
) -> nw.LazyFrame[Any]:
    """Add the decision and draw (as class indices), estimate, tie flag, flips and additions needed, status and shares.

    Parameters
    ----------
    items
        Items with their `counts` of the classes.
    classes
        The classes.
    shares
        The names of the columns of shares, in class order.
    ties, seed
        The tie rule; with a seed the random dictator is drawn.
    """
    counts = columns(classes)
    items = with_winner(items, counts, ties, seed)
    items = items.with_columns(left_over(count).alias(name) for count, name in zip(counts, shares, strict=True))
    items = items.with_columns(
        total(map(nw.col, shares)).alias(TOTAL), **reports_needed(margin_of(counts), ties, classes)
    )
    # The winner has the most reports, so its share is the largest.
    items = items.with_columns(left_over(TOP).alias("estimate"), nw.col(WINNER).alias("decision"))
    if seed is not None:
        items = with_draw_numbers(items, ITEM, seed, "draw", "_ticket")
        items = items.with_columns((nw.col("_ticket") % at_least_one(nw.col(TOTAL))).alias("_held"))
        upto = accumulate(map(nw.col, shares), add)
        drawn = first_place([(place, reach > nw.col("_held")) for place, reach in enumerate(upto)])
        items = items.with_columns(drawn.alias("draw"))
    return finish(items, shares, drawn=seed is not None)


def left_over(count: str) -> nw.Expr:
    """Return a count minus the reports that are trimmed, at least 0."""
    left = nw.col(count) - nw.col(TRIM)
    return nw.when(left > 0).then(left).otherwise(nw.lit(0)).cast(nw.Int64)


def finish(items: nw.LazyFrame[Any], shares: Sequence[str], *, drawn: bool) -> nw.LazyFrame[Any]:
    """Turn the remaining counts into shares, and set numbers to null where nothing is certified."""
    whole = nw.col(TOTAL)
    sound = certified() & (whole > 0)

    def share(name: str) -> nw.Expr:
        return nw.when(sound).then(nw.col(name).fill_null(0).cast(nw.Float64) / whole.cast(nw.Float64)).alias(name)

    kept = ["decision", "flips_needed", "additions_needed", *(["draw"] if drawn else [])]
    return items.with_columns(
        (nw.col(LEADERS) > 1).alias("tie"),
        *(nw.when(sound).then(nw.col(name)).alias(name) for name in kept),
        nw.when(sound & ~nw.col("decision").is_null()).then(share("estimate")).alias("estimate"),
        *(share(name) for name in shares),
        status=nw.when(certified() & (whole == 0)).then(nw.lit(NO_CLASS_LEFT)).otherwise(status()),
    )
