"""Reduce scores in a lazy frame: each is ranked within its item by expressions that every engine supports."""

from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.exact_sums import BinarySums, DecimalSums
from bribeproof.aggregation.kernels.scores import HIGH, LOW, SEPARATOR
from bribeproof.aggregation.kernels.status import KEPT, SPAN, TRIM, K, M, certified, sizes, with_sizes
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import over_items
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE

_RANK = "_rank"


def reduce(reports: Reports, heads: AdversaryCount, sums: DecimalSums | BinarySums) -> nw.LazyFrame[Any]:
    """Return one row per item: its id and position, its sizes, the sum of each window and the dropped reporters."""
    ranked = _rank(reports, heads)
    most = _most_dropped(ranked, heads, reports.panel)
    rank, m, trim, kept, span = (nw.col(name) for name in (_RANK, M, TRIM, KEPT, SPAN))
    present = ~nw.col(VALUE).is_null()
    windows = {
        "estimate": present & (rank > trim) & (rank <= trim + kept),
        "range_low": present & (rank <= span),
        "range_high": present & (rank > m - span),
    }
    low, high = ([f"_{end}{j}" for j in range(1, most + 1)] for end in ("low", "high"))
    ranked = sums.terms(ranked, windows)
    for j, (lowest, highest) in enumerate(zip(low, high, strict=True), 1):
        ranked = ranked.with_columns(
            nw.when(present & (rank == j)).then(nw.col(REPORTER)).alias(lowest),
            nw.when(present & (rank == m + 1 - j)).then(nw.col(REPORTER)).alias(highest),
        )
    items = ranked.group_by(ITEM).agg(
        *(
            nw.col(column).max()
            for column in (*sizes(reports.schema), TRIM, KEPT, SPAN, *low, *high, *sums.scales(windows))
        ),
        *(nw.col(column).sum() for column in windows),
        **reports.first_row,
    )
    return items.with_columns(_names(low).alias(LOW), _names(high).alias(HIGH))


def _rank(reports: Reports, heads: AdversaryCount) -> nw.LazyFrame[Any]:
    """Add the rank of each score within its item, lowest first; equal scores by reporter, whatever the row order.

    The rank of a missing score is not defined.
    """
    rows = reports.rows.with_columns((~nw.col(VALUE).is_null()).cast(nw.Int64).alias("_present"))
    rows = rows.with_columns(
        nw.col("_present").cum_sum().over(ITEM, order_by=[VALUE, REPORTER]).cast(nw.Int64).alias(_RANK),
        nw.col("_present").sum().over(ITEM).cast(nw.Int64).alias(M),
    )
    return with_sizes(over_items(rows, reports.schema), reports, heads)


def _most_dropped(ranked: nw.LazyFrame[Any], heads: AdversaryCount, panel: int) -> int:
    """Return the largest k of the items that can be certified."""
    most = heads.k if heads.k is not None else int(collect(ranked.select(nw.col(K).max()))[K][0])
    return min(most, (panel - 1) // 2)


def _names(columns: list[str]) -> nw.Expr:
    """Join the names in the first k columns; null if the item is not certified, empty if k is 0."""
    if not columns:
        return nw.when(certified()).then(nw.lit(""))
    used = [nw.when(nw.col(TRIM) >= j).then(nw.col(column).cast(nw.String)) for j, column in enumerate(columns, 1)]
    return nw.when(certified()).then(nw.concat_str(used, separator=SEPARATOR, ignore_nulls=True))
