"""Decide binary votes: the k-trimmed share, the decision and the flips needed to change it."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.counts import columns
from bribeproof.aggregation.kernels.plurality import LEADERS, WINNER, flips_needed, margin_of, with_winner
from bribeproof.aggregation.kernels.status import K, M, certified, status
from bribeproof.frames.label_classes import Classes

POSITIVE = "positive"


def decide(
    items: nw.LazyFrame[Any], sides: Classes, *, positive: int, ties: str, seed: int | None
) -> nw.LazyFrame[Any]:
    """Add the estimate, the decision (as a class index), the tie flag, flips needed and the status.

    Parameters
    ----------
    items
        Items with their `counts` of the two classes.
    sides
        The two classes.
    positive
        The index of the positive one.
    ties, seed
        The tie rule.
    """
    counts = columns(sides)
    items = with_winner(items, counts, ties, seed)
    yes, m, k = nw.col(counts[positive]), nw.col(M), nw.col(K)
    spread = (yes - k).cast(nw.Float64) / (m - k * 2).cast(nw.Float64)
    share = nw.when(yes <= k).then(nw.lit(0.0)).otherwise(nw.when(yes >= m - k).then(nw.lit(1.0)).otherwise(spread))
    return items.with_columns(
        yes.alias(POSITIVE),
        (nw.col(LEADERS) > 1).alias("tie"),
        nw.when(certified()).then(share).alias("estimate"),
        nw.when(certified()).then(nw.col(WINNER)).alias("decision"),
        nw.when(certified()).then(flips_needed(margin_of(counts), ties, sides)).alias("flips_needed"),
        status=status(),
    )


def forecast(counts: nw.LazyFrame[Any], rules: Mapping[int, tuple[float, float, float]]) -> nw.LazyFrame[Any]:
    """Add the optimal forecast and its guarantee.

    Parameters
    ----------
    counts
        The result of `decide`.
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
