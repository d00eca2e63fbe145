"""Compute trimmed means and manipulation ranges from the sums of each item."""

from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.exact_sums import BinarySums, DecimalSums
from bribeproof.aggregation.kernels.status import K, M, certified, status

WINDOWS = ("estimate", "range_low", "range_high")
"""The sorted scores that are averaged: all but the k lowest and k highest; the m - 2k lowest; the m - 2k highest."""

LOW, HIGH = "dropped_low", "dropped_high"
SEPARATOR = "; "
"""The separator of the names of dropped reporters."""


def finish(items: nw.LazyFrame[Any], sums: DecimalSums | BinarySums, decimals: int | None) -> nw.LazyFrame[Any]:
    """Turn sums into means, rounded half up to decimals if given, and add the status.

    Parameters
    ----------
    items
        One row per item: m, k, and the sum of each window.
    sums
        How the scores were summed.
    decimals
        Decimals to round to; None for no rounding.
    """
    counted = nw.col(M) - nw.col(K) * 2
    kept = nw.when(counted > 0).then(counted).otherwise(nw.lit(1))
    return items.with_columns(
        *(nw.when(certified()).then(sums.mean(name, kept, decimals)).alias(name) for name in WINDOWS),
        status=status(),
    )
