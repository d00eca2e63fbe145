"""The fewest groups, or the least money, that take the win away from the decision of each item."""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, IntArray
from bribeproof.frames.bribed_groups import GROUP, BribedGroups
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.theory.bribery.item_groups import ItemGroups

BRIBES_NEEDED, PRICE_NEEDED = "bribes_needed", "price_needed"
_CLASS, _PAIR, _COUNT = "_class", "_pair", "_count"


def with_bribes_needed(
    items: nw.LazyFrame[Any], reports: Reports, groups: BribedGroups, classes: Classes, ties: str | None
) -> nw.LazyFrame[Any]:
    """Add ``bribes_needed``, or where groups have prices ``price_needed``.

    Parameters
    ----------
    items
        The results, in memory, with decisions as class indices and ``flips_needed``: null where this is, and 0 where
        it is.
    reports
        The reports, in memory.
    groups
        The groups of the reporters.
    classes
        The classes.
    ties
        The tie rule. None for two classes: then so many reports for the decision as ``flips_needed`` says have to be
        rewritten, whatever they decide by.
    """
    rows = collect(reports.rows.with_columns(classes.encode(nw.col(VALUE)).alias(_CLASS)))
    cells = groups.cells(rows)
    answers = collect(items.select(ITEM, "decision", "flips_needed"))
    known = cells.select(pl.col(ITEM).unique(maintain_order=True))
    known = known.join(answers, on=ITEM, how="left", maintain_order="left")
    winner, flips = (known[name].cast(pl.Int64).fill_null(-1).to_numpy() for name in ("decision", "flips_needed"))
    counts = (
        rows.lazy()
        .filter(pl.col(VALUE).is_not_null())
        .join(groups.of_reporters.lazy(), on=REPORTER)
        .join(cells.lazy().select(ITEM, GROUP).with_row_index(_PAIR), on=[ITEM, GROUP])
        .group_by(_PAIR, _CLASS)
        .agg(pl.len().cast(pl.Int64).alias(_COUNT))
        .sort(_PAIR, _CLASS)
        .cast(pl.Int64)
        .collect()
    )
    tally = _Tally(groups.groups_of(cells), *(counts[name].to_numpy() for name in (_PAIR, _CLASS, _COUNT)))
    needed = tally.of_decision(winner, flips) if ties is None else tally.of_rivals(winner, classes, ties)
    needed = np.where(flips == 0, 0, np.where(flips < 0, -1, needed))
    if groups.counted is not None:
        column = pl.Series(BRIBES_NEEDED, [None if one < 0 else one for one in needed.tolist()], dtype=pl.Int64)
    else:
        unit = tally.groups.unit
        prices = [None if one < 0 else float(one * unit) for one in needed.tolist()]
        column = pl.Series(PRICE_NEEDED, prices, dtype=pl.Float64)
    table = known.select(ITEM, column)
    return nw.from_native(collect(items).join(table, on=ITEM, how="left", maintain_order="left").lazy())


@dataclass(frozen=True, slots=True)
class _Tally:
    """How many reports of each class a group has on an item.

    Attributes
    ----------
    groups
        The pairs of an item and a group that reports on it.
    pair, label, count
        The number of a pair, a class, and how many reports of it the group has on the item.
    """

    groups: ItemGroups
    pair: IntArray
    label: IntArray
    count: IntArray

    def of_decision(self, winner: IntArray, flips: IntArray) -> IntArray:
        """Return the least price of groups that hold so many reports for the winner."""
        return self.groups.least(self._for(winner), np.maximum(flips, 0))

    def of_rivals(self, winner: IntArray, classes: Classes, ties: str) -> IntArray:
        """Return the least price of groups that bring some rival level with the winner, or ahead if ties favour it.

        Every report of theirs is given to the rival: one for the winner counts twice, one for the rival not at all.
        """
        item = self.groups.item[self.pair]
        every, own = self._sums(np.ones(len(self.pair), bool)), self._for(winner)
        totals = pl.DataFrame({"item": item, "label": self.label, "count": self.count})
        totals = totals.group_by("item", "label").agg(pl.col("count").sum()).sort("item", "label")
        of, label, total = (totals[name].to_numpy() for name in ("item", "label", "count"))
        top = np.zeros(self.groups.items, np.int64)
        top[of[label == winner[of]]] = total[label == winner[of]]
        # A class without reports can win as well; the tie rule may treat those before and after the winner differently.
        first, last = winner > 0, winner < len(classes.labels) - 1
        before = first if classes.declared else np.ones_like(first)
        after = last | ~first if classes.declared else np.ones_like(first)
        favours_before, favours_after = ties == "last", ties == "first"
        extra = np.minimum(np.where(before, favours_before, 1), np.where(after, favours_after, 1))
        fewest = self.groups.least(every + own, top + extra)
        starts = np.searchsorted(of, np.arange(self.groups.items))
        rank = np.arange(len(of)) - starts[of]
        for place in range(int(rank.max(initial=-1)) + 1):
            rival, votes = np.full(self.groups.items, -1), np.zeros(self.groups.items, np.int64)
            here = (rank == place) & (label != winner[of])
            rival[of[here]], votes[of[here]] = label[here], total[here]
            extra = np.where(rival < winner, favours_before, favours_after)
            needed = self.groups.least(every + own - self._for(rival), top - votes + extra)
            better = (rival >= 0) & (needed >= 0) & ((needed < fewest) | (fewest < 0))
            fewest = np.where(better, needed, fewest)
        return fewest

    def _for(self, label: IntArray) -> IntArray:
        """Return how many reports for a class of its item each pair has."""
        return self._sums(self.label == label[self.groups.item[self.pair]])

    def _sums(self, counted: BoolArray) -> IntArray:
        """Return how many reports of some classes each pair has."""
        return np.bincount(self.pair, np.where(counted, self.count, 0), len(self.groups.item)).astype(np.int64)
