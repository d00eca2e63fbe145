"""Binary votes: counts, the k-truncated share, the decision and what it takes to change it."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data.columns import ITEM, VALUE
from bribeproof.data.engines import with_tickets
from bribeproof.data.heads import HeadCount
from bribeproof.data.kernels.status import K, M, N, certified, flips, status
from bribeproof.data.reports import Reports

POSITIVE = "positive"


def tally(reports: Reports, heads: HeadCount, *, positive: int) -> nw.LazyFrame[Any]:
    """Count the votes of each item; votes are places in class order.

    Returns
    -------
    One row per item: its id and place, n, m, k and the number of positive votes.
    """
    vote = nw.col(VALUE)
    rows = reports.rows.with_columns((vote == positive).cast(nw.Int64).alias(POSITIVE))
    counted = rows.group_by(ITEM).agg(nw.col(POSITIVE).sum(), vote.count().alias(M), **reports.first_row)
    counted = counted.with_columns(
        nw.col(POSITIVE).fill_null(0).cast(nw.Int64),
        nw.col(M).cast(nw.Int64),
        nw.lit(reports.panel, nw.Int64).alias(N),
    )
    return counted.with_columns(heads.expression(nw.col(M)).cast(nw.Int64).alias(K))


def decide(counts: nw.LazyFrame[Any], *, positive: int, ties: str, seed: int | None) -> nw.LazyFrame[Any]:
    """Add the estimate, the decision (as a place in class order), the tie flag, flips needed and the status."""
    yes, m, k = nw.col(POSITIVE), nw.col(M), nw.col(K)
    lead = yes * 2 - m
    spread = (yes - k).cast(nw.Float64) / (m - k * 2).cast(nw.Float64)
    share = nw.when(yes <= k).then(nw.lit(0.0)).otherwise(nw.when(yes >= m - k).then(nw.lit(1.0)).otherwise(spread))
    counts = counts.with_columns(tie=(lead == 0) & (m > 0))
    favourite = {"first": 0, "last": 1}.get(ties)
    if ties == "random" and seed is not None:
        counts = with_tickets(counts, ITEM, seed, "tie", "_ticket")
        broken = nw.col("_ticket") - nw.col("_ticket") // 2 * 2
    else:
        broken = nw.lit(favourite, nw.Int64)
    winner = nw.when(lead > 0).then(nw.lit(positive)).otherwise(nw.lit(1 - positive))
    decision = nw.when(nw.col("tie")).then(broken).otherwise(winner)
    favoured = winner == favourite if favourite is not None else nw.lit(False)  # noqa: FBT003
    needed = nw.when(nw.col("tie")).then(nw.lit(0)).otherwise(flips(lead.abs(), favoured=favoured))
    return counts.with_columns(
        estimate=nw.when(certified()).then(share),
        decision=nw.when(certified()).then(decision),
        flips_needed=nw.when(certified()).then(needed).cast(nw.Int64),
        status=status(),
    )


def forecast(counts: nw.LazyFrame[Any], rules: Mapping[int, tuple[float, float, float]]) -> nw.LazyFrame[Any]:
    """Add the optimal forecast and its guarantee.

    Parameters
    ----------
    counts
        What `decide` returned.
    rules
        Per number of reports m: the forecasts at k and at m - k positive votes, and the guarantee.
    """
    sizes = list(rules)

    def per_size(place: int) -> nw.Expr:
        values = [rules[size][place] for size in sizes]
        return nw.col(M).replace_strict(sizes, values, default=None, return_dtype=nw.Float64)

    if not sizes:
        return counts.with_columns(forecast=nw.lit(None, nw.Float64), guarantee=nw.lit(None, nw.Float64))
    low, high = per_size(0), per_size(1)
    return counts.with_columns(forecast=low + (high - low) * nw.col("estimate"), guarantee=per_size(2))
