"""Labels of any number of classes: shares after k of each are ignored, the decision, the random dictator."""

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data.classes import Classes
from bribeproof.data.columns import ITEM, VALUE
from bribeproof.data.engines import with_tickets
from bribeproof.data.heads import HeadCount
from bribeproof.data.kernels.status import NO_CLASS_LEFT, K, M, N, certified, flips, status
from bribeproof.data.reports import Reports

_COUNT, _LEFT, _TOTAL, _TOP, _LEADS, _LEADERS, _WINNER = (
    "_count", "_left", "_total", "_top", "_leads", "_leaders", "_winner"
)  # fmt: skip


def tally(reports: Reports, heads: HeadCount) -> nw.LazyFrame[Any]:
    """Count each class on each item; labels are places in class order, null where an item has none.

    Returns
    -------
    One row per item and class that was reported: its count, m, k, what is left of it after k are ignored, and
    the total that is left on the item.
    """
    counts = reports.rows.group_by(ITEM, VALUE).agg(nw.len().alias(_COUNT), **reports.first_row)
    count = nw.when(~nw.col(VALUE).is_null()).then(nw.col(_COUNT).cast(nw.Int64)).otherwise(nw.lit(0))
    counts = counts.with_columns(count.cast(nw.Int64).alias(_COUNT))
    counts = counts.with_columns(_total(_COUNT).alias(M))
    counts = counts.with_columns(heads.expression(nw.col(M)).cast(nw.Int64).alias(K))
    left = nw.when(nw.col(_COUNT) > nw.col(K)).then(nw.col(_COUNT) - nw.col(K)).otherwise(nw.lit(0))
    counts = counts.with_columns(left.cast(nw.Int64).alias(_LEFT))
    return counts.with_columns(_total(_LEFT).alias(_TOTAL), nw.lit(reports.panel, nw.Int64).alias(N))


def decide(
    counts: nw.LazyFrame[Any],
    classes: Classes,
    *,
    shares: Sequence[str],
    ties: str,
    seed: int | None,
    order: dict[str, nw.Expr],
) -> nw.LazyFrame[Any]:
    """Reduce the counts to one row per item.

    Returns
    -------
    One row per item: its id and place, n, m, k, decision and draw (as places in class order), estimate, tie flag,
    flips needed, status, and the shares, named in class order.
    """
    counts = _with_winner(counts, ties, seed)
    if seed is not None:
        counts = with_tickets(counts, ITEM, seed, "draw", "_ticket")
        counts = counts.with_columns((nw.col("_ticket") % _at_least_one(_TOTAL)).alias("_held"))
    counts = counts.with_columns(_flips(ties, classes).alias("flips_needed"))
    place, left = nw.col(VALUE), nw.col(_LEFT)
    counts = counts.with_columns(
        nw.when(place == nw.col(_WINNER)).then(left).alias("estimate"),
        *([] if seed is None else [_drawn().alias("draw")]),
        *(nw.when(place == index).then(left).alias(name) for index, name in enumerate(shares)),
    )
    kept = [
        N,
        M,
        K,
        _TOTAL,
        _LEADERS,
        "flips_needed",
        "estimate",
        *shares,
        *([] if seed is None else ["draw"]),
    ]
    items = counts.group_by(ITEM).agg(
        *(nw.col(name).max() for name in kept), nw.col(_WINNER).max().alias("decision"), **order
    )
    return _finish(items, shares, drawn=seed is not None)


def _total(name: str) -> nw.Expr:
    """Add a column up over each item."""
    return nw.col(name).sum().over(ITEM).cast(nw.Int64)


def _at_least_one(name: str) -> nw.Expr:
    """Return a count to divide by; where there is nothing to draw from, nothing is drawn."""
    return nw.when(nw.col(name) > 0).then(nw.col(name)).otherwise(nw.lit(1))


def _with_winner(counts: nw.LazyFrame[Any], ties: str, seed: int | None) -> nw.LazyFrame[Any]:
    """Add who leads each item, how many lead, and the winner by the tie rule."""
    counts = counts.with_columns(nw.col(_COUNT).max().over(ITEM).alias(_TOP))
    leads = (nw.col(_COUNT) == nw.col(_TOP)) & (nw.col(_COUNT) > 0)
    counts = counts.with_columns(leads.cast(nw.Int64).alias(_LEADS))
    counts = counts.with_columns(_total(_LEADS).alias(_LEADERS))
    leader = nw.when(nw.col(_LEADS) == 1).then(nw.col(VALUE))
    alone = nw.when(nw.col(_LEADERS) == 1).then(leader)
    if ties == "none":
        return counts.with_columns(alone.max().over(ITEM).alias(_WINNER))
    if ties in ("first", "last"):
        end = leader.min() if ties == "first" else leader.max()
        return counts.with_columns(end.over(ITEM).alias(_WINNER))
    counts = with_tickets(counts, ITEM, seed or 0, "tie", "_tie")
    counts = counts.with_columns(nw.col(_LEADS).cum_sum().over(ITEM, order_by=VALUE).cast(nw.Int64).alias("_rank"))
    lucky = (nw.col("_rank") - 1 == nw.col("_tie") % _at_least_one(_LEADERS)) & (nw.col(_LEADS) == 1)
    return counts.with_columns(nw.when(lucky).then(nw.col(VALUE)).alias("_lucky")).with_columns(
        nw.col("_lucky").max().over(ITEM).alias(_WINNER)
    )


def _flips(ties: str, classes: Classes) -> nw.Expr:
    """Return the fewest rewrites after which the winner no longer wins; a class without votes is a rival too."""
    place, winner, top = nw.col(VALUE), nw.col(_WINNER), nw.col(_TOP)

    def margin(rival: nw.Expr) -> nw.Expr:
        return top - nw.when(rival).then(nw.col(_COUNT)).otherwise(nw.lit(0)).max().over(ITEM).cast(nw.Int64)

    no, yes = nw.lit(0) == 1, nw.lit(0) == 0
    if ties in ("first", "last"):
        # Undeclared classes may sort before or after all others, so both kinds of rival exist.
        before = flips(margin(place < winner), favoured=yes if ties == "last" else no)
        after = flips(margin(place > winner), favoured=yes if ties == "first" else no)
        if classes.declared:
            last = len(classes.labels) - 1
            before = nw.when(winner > 0).then(before).otherwise(after)
            after = nw.when(winner < last).then(after).otherwise(before)
        needed = nw.when(before < after).then(before).otherwise(after)
    else:
        needed = flips(margin(place != winner), favoured=no)
    return nw.when(nw.col(_LEADERS) == 1).then(needed).otherwise(nw.lit(0)).cast(nw.Int64)


def _drawn() -> nw.Expr:
    """Return the class that the random dictator follows: the one whose survivors hold the item's ticket."""
    left = nw.col(_LEFT)
    upto = left.cum_sum().over(ITEM, order_by=VALUE).cast(nw.Int64)
    held = (upto > nw.col("_held")) & (upto - left <= nw.col("_held"))
    return nw.when(held).then(nw.col(VALUE))


def _finish(items: nw.LazyFrame[Any], shares: Sequence[str], *, drawn: bool) -> nw.LazyFrame[Any]:
    """Turn what is left into shares, and leave numbers out where nothing is certified."""
    total = nw.col(_TOTAL)
    sound = certified() & (total > 0)

    def share(name: str) -> nw.Expr:
        return nw.when(sound).then(nw.col(name).fill_null(0).cast(nw.Float64) / total.cast(nw.Float64)).alias(name)

    kept = ["decision", "flips_needed", *(["draw"] if drawn else [])]
    said = status()
    return items.with_columns(
        (nw.col(_LEADERS) > 1).alias("tie"),
        *(nw.when(sound).then(nw.col(name)).alias(name) for name in kept),
        nw.when(sound & ~nw.col("decision").is_null()).then(share("estimate")).alias("estimate"),
        *(share(name) for name in shares),
        status=nw.when(certified() & (total == 0)).then(nw.lit(NO_CLASS_LEFT)).otherwise(said),
    )
