"""Scores: the k-truncated mean, who was dropped, and how far k bribed reporters could have moved it."""

from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data.columns import ITEM, REPORTER, VALUE
from bribeproof.data.heads import HeadCount
from bribeproof.data.kernels.status import K, M, N, certified, status
from bribeproof.data.reports import Reports
from bribeproof.data.sums import BinarySums, DecimalSums

_RANK = "_rank"
SEPARATOR = "; "
"""Stands between the names of dropped reporters."""


def rank(reports: Reports, heads: HeadCount) -> nw.LazyFrame[Any]:
    """Rank the scores of each item, lowest first; equal scores by reporter, so that row order never matters.

    Returns
    -------
    One row per report: its rank, n, m and k; the rank of a missing report means nothing.
    """
    rows = reports.rows.with_columns((~nw.col(VALUE).is_null()).cast(nw.Int64).alias("_present"))
    rows = rows.with_columns(
        nw.col("_present").cum_sum().over(ITEM, order_by=[VALUE, REPORTER]).cast(nw.Int64).alias(_RANK),
        nw.col("_present").sum().over(ITEM).cast(nw.Int64).alias(M),
    )
    return rows.with_columns(
        heads.expression(nw.col(M)).cast(nw.Int64).alias(K), nw.lit(reports.panel, nw.Int64).alias(N)
    )


def summarise(
    ranked: nw.LazyFrame[Any],
    sums: DecimalSums | BinarySums,
    *,
    most_dropped: int,
    decimals: int | None,
    order: dict[str, nw.Expr],
) -> nw.LazyFrame[Any]:
    """Reduce ranked scores to one row per item.

    Parameters
    ----------
    ranked
        What `rank` returned.
    sums
        How scores are added up.
    most_dropped
        The largest k of all items.
    decimals
        Decimals to round to, half up; None for no rounding.
    order
        The aggregation that keeps the items' places.

    Returns
    -------
    One row per item: its id and place, n, m, k, estimate, manipulation range, names dropped, status.
    """
    place, m, k = nw.col(_RANK), nw.col(M), nw.col(K)
    reporter = nw.col(REPORTER).cast(nw.String)
    present = ~nw.col(VALUE).is_null()
    windows = {
        "estimate": present & (place > k) & (place <= m - k),
        "range_low": present & (place <= m - k * 2),
        "range_high": present & (place > k * 2),
    }
    low, high = ([f"_{end}{j}" for j in range(1, most_dropped + 1)] for end in ("low", "high"))
    ranked = sums.terms(ranked, windows)
    for j, (lowest, highest) in enumerate(zip(low, high, strict=True), 1):
        ranked = ranked.with_columns(
            nw.when(present & (place == j)).then(reporter).alias(lowest),
            nw.when(present & (place == m + 1 - j)).then(reporter).alias(highest),
        )
    items = ranked.group_by(ITEM).agg(
        *(nw.col(column).max() for column in (N, M, K, *low, *high, *sums.scales(windows))),
        *(nw.col(column).sum() for column in windows),
        **order,
    )
    counted = m - k * 2
    kept = nw.when(counted > 0).then(counted).otherwise(nw.lit(1))
    return items.with_columns(
        *(nw.when(certified()).then(sums.mean(name, kept, decimals)).alias(name) for name in windows),
        dropped_low=_names(low),
        dropped_high=_names(high),
        status=status(),
    )


def _names(columns: list[str]) -> nw.Expr:
    """Join the names of the first k of the columns; null where nothing is certified, empty where k is 0."""
    if not columns:
        return nw.when(certified()).then(nw.lit(""))
    used = [nw.when(nw.col(K) >= j).then(nw.col(column)) for j, column in enumerate(columns, 1)]
    return nw.when(certified()).then(nw.concat_str(used, separator=SEPARATOR, ignore_nulls=True))
