"""What has to be known about all reports before any item can be answered, found in one look at the rows."""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.frames.native import collect
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE

LONGEST_LISTING = 100_000
"""So many items, and of a lazy frame so many reporters, are listed at most."""


@dataclass(frozen=True, slots=True)
class ReportProfile:
    """Facts about reports in long form; those of two parts of a table in memory add up to those of both.

    Attributes
    ----------
    rows
        How many rows there are.
    no_item, no_reporter
        In how many the item or the reporter is missing.
    panel
        How many reporters there are.
    reporters
        All of them; None where a lazy frame has too many to list.
    items
        All items, where they are text; None where they are too many to list.
    values
        All different reports; None of scores.
    """

    rows: int
    no_item: int
    no_reporter: int
    panel: int
    reporters: pl.Series | None
    items: pl.Series | None
    values: pl.Series | None

    @classmethod
    def of(cls, rows: nw.LazyFrame[Any], *, scores: bool, in_memory: bool) -> "ReportProfile":
        """Look at reports in long form."""
        missing = rows.select(nw.col(name).is_null().cast(nw.Int64).alias(name) for name in (ITEM, REPORTER))
        counts = missing.select(nw.len().alias(ROW), nw.col(ITEM).sum(), nw.col(REPORTER).sum())
        found = collect(counts).row(0, named=True)
        reporters = _distinct(rows, REPORTER) if in_memory else _few_distinct(rows, REPORTER, in_memory=False)
        text = rows.collect_schema()[ITEM] == nw.String
        return cls(
            rows=int(found[ROW]),
            no_item=int(found[ITEM] or 0),
            no_reporter=int(found[REPORTER] or 0),
            panel=_count_distinct(rows, REPORTER) if reporters is None else len(reporters),
            reporters=reporters,
            items=_few_distinct(rows, ITEM, in_memory=in_memory) if text else None,
            values=None if scores else _distinct(rows, VALUE),
        )

    def __add__(self, other: "ReportProfile") -> "ReportProfile":
        reporters = _union(self.reporters, other.reporters)
        items = _union(self.items, other.items)
        return ReportProfile(
            rows=self.rows + other.rows,
            no_item=self.no_item + other.no_item,
            no_reporter=self.no_reporter + other.no_reporter,
            panel=0 if reporters is None else len(reporters),
            reporters=reporters,
            items=items if items is not None and len(items) <= LONGEST_LISTING else None,
            values=_union(self.values, other.values),
        )


def _distinct(rows: nw.LazyFrame[Any], column: str) -> pl.Series:
    """List what stands in a column, each once, missing ones left out."""
    return collect(rows.select(column).unique())[column].drop_nulls()


def _few_distinct(rows: nw.LazyFrame[Any], column: str, *, in_memory: bool) -> pl.Series | None:
    """List what stands in a column unless it is too much to list, which the first rows in memory often show."""
    for some in (rows.head(4 * LONGEST_LISTING), rows) if in_memory else (rows,):
        names = _distinct(some.select(column).unique().head(LONGEST_LISTING + 1), column)
        if len(names) > LONGEST_LISTING:
            return None
    return names


def _count_distinct(rows: nw.LazyFrame[Any], column: str) -> int:
    """Count what stands in a column, each once."""
    return int(collect(rows.select(nw.col(column).n_unique()))[column][0])


def _union(one: pl.Series | None, other: pl.Series | None) -> pl.Series | None:
    """Put two lists together, each member once; None where one of them is unknown."""
    return None if one is None or other is None else pl.concat([one, other]).unique()
