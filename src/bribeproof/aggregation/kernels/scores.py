"""Compute trimmed means and manipulation ranges from the sums of each item."""

from collections.abc import Collection
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.exact_sums import BinarySums, DecimalSums
from bribeproof.aggregation.kernels.status import KEPT, SPAN, certified, status

WINDOWS = ("estimate", "range_low", "range_high")
"""The sorted scores that are averaged: all but those that are trimmed at either end; the lowest; the highest."""

LOW, HIGH = "dropped_low", "dropped_high"
SEPARATOR = "; "
"""The separator of the names of dropped reporters."""


def finish(items: nw.LazyFrame[Any], sums: DecimalSums | BinarySums, decimals: int | None) -> nw.LazyFrame[Any]:
    """Turn sums into means, rounded half up to decimals if given, and add the status.

    Parameters
    ----------
    items
        One row per item: its sizes, and the sum of each window.
    sums
        How the scores were summed.
    decimals
        Decimals to round to; None for no rounding.
    """
    kept = nw.when(nw.col(KEPT) > 0).then(nw.col(KEPT)).otherwise(nw.lit(1))
    counted = dict(zip(WINDOWS, (kept, nw.col(SPAN), nw.col(SPAN)), strict=True))
    return items.with_columns(
        *(nw.when(certified()).then(sums.mean(name, size, decimals)).alias(name) for name, size in counted.items()),
        status=status(),
    )


def split_names(joined: str, names: Collection[str]) -> list[str] | None:
    """Split joined names, even if a name contains the separator.

    Examples
    --------
    >>> split_names("Lee; C; Ann", ["Ann", "Lee; C"])
    ['Lee; C', 'Ann']
    """
    if joined in names:
        return [joined]
    for name in names:
        if joined.startswith(name + SEPARATOR):
            rest = split_names(joined[len(name) + len(SEPARATOR) :], names)
            if rest is not None:
                return [name, *rest]
    return None
