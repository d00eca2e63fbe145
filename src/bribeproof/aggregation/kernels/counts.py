"""Count the reports of each class on each item, for few classes: one column of counts per class."""

from collections.abc import Iterable
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.status import M, with_sizes
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import per_item
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, VALUE

FEW = 32
"""The largest number of classes with a column of counts each; expressions over them grow quadratically."""

_BITS = 52
"""The bits of an integer that counts share; every engine divides such integers exactly, also as floats."""


def columns(classes: Classes) -> list[str]:
    """Return the names of the columns of counts, in class order."""
    return [f"_count{place}" for place in range(len(classes.labels))]


def tally(reports: Reports, classes: Classes, heads: AdversaryCount) -> nw.LazyFrame[Any]:
    """Return the number of reports of each class on each item.

    Several counts are summed at once as digits of one integer: no item has more reports than there are reporters, so
    that no digit overflows into the next.

    Returns
    -------
    One row per item: its id and place, its sizes and the counts.
    """
    bits = reports.panel.bit_length()
    digits = max(1, _BITS // bits)
    words = [f"_word{index}" for index in range(max(1, -(-len(classes.labels) // digits)))]
    rows = reports.rows.with_columns(
        _word(classes, range(index * digits, (index + 1) * digits), bits).alias(word)
        for index, word in enumerate(words)
    )
    kept = reports.first_row | per_item(reports.schema)
    items = rows.group_by(ITEM).agg(*(nw.col(word).sum() for word in words), **kept)
    items = items.with_columns(nw.col(word).fill_null(0).cast(nw.Int64) for word in words)
    items = items.with_columns(
        _digit(nw.col(words[place // digits]), place % digits, bits).alias(name)
        for place, name in enumerate(columns(classes))
    )
    items = items.with_columns(total(map(nw.col, columns(classes))).alias(M))
    return with_sizes(items, reports, heads)


def total(counts: Iterable[nw.Expr]) -> nw.Expr:
    """Return the sum of counts."""
    return nw.sum_horizontal(nw.lit(0, nw.Int64), *counts)


def largest(counts: Iterable[nw.Expr]) -> nw.Expr:
    """Return the largest of some counts, 0 if there are none."""
    return nw.max_horizontal(nw.lit(0, nw.Int64), *counts)


def _word(classes: Classes, places: Iterable[int], bits: int) -> nw.Expr:
    """Return what a report adds to the integer that counts some of the classes."""
    word = nw.lit(0, nw.Int64)
    for slot, label in enumerate(classes.labels[place] for place in places if place < len(classes.labels)):
        word = nw.when(nw.col(VALUE) == label).then(nw.lit(1 << bits * slot, nw.Int64)).otherwise(word)
    return word


def _digit(word: nw.Expr, slot: int, bits: int) -> nw.Expr:
    """Return one of the counts that share an integer."""
    return (word // (1 << bits * slot)) % (1 << bits)
