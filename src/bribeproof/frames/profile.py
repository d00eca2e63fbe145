"""Profile all reports before the first item is aggregated: how many, from whom, and which labels."""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.frames.native import collect
from bribeproof.frames.schema import CLEANED, ITEM, REPORTER, ROW, VALUE

LONGEST_LISTING = 100_000
"""The most items, and for a lazy frame reporters, that are listed."""
_SMALL = 2 * LONGEST_LISTING
"""The number of rows in which all are looked at."""


@dataclass(frozen=True, slots=True)
class ReportProfile:
    """Numbers and lists about reports in long form; the profiles of two parts of a table can be added.

    Attributes
    ----------
    rows
        Number of rows.
    no_item, no_reporter, no_value
        Numbers of rows without an item, a reporter or a report.
    cleaned
        Number of names and reports that were written with outer white space, or with accents apart.
    panel
        Number of different reporters.
    reporters
        The reporters; None if a lazy frame has too many to list.
    items
        The items; None if they are not text, or too many to list.
    values
        The different labels; None for scores.
    """

    rows: int
    no_item: int
    no_reporter: int
    no_value: int
    cleaned: int
    panel: int
    reporters: pl.Series | None
    items: pl.Series | None
    values: pl.Series | None

    @classmethod
    def of(cls, rows: nw.LazyFrame[Any], *, scores: bool, in_memory: bool) -> "ReportProfile":
        """Return the profile of reports in long form."""
        cleaned = nw.col(CLEANED) if CLEANED in rows.collect_schema() else nw.lit(0, nw.Int64)
        missing = rows.select(
            *(nw.col(name).is_null().cast(nw.Int64).alias(name) for name in (ITEM, REPORTER, VALUE)),
            cleaned.cast(nw.Int64).alias(CLEANED),
        )
        counts = missing.select(nw.len().alias(ROW), *(nw.col(name).sum() for name in (ITEM, REPORTER, VALUE, CLEANED)))
        totals = collect(counts).row(0, named=True)
        reporters = _distinct(rows, REPORTER) if in_memory else _few_distinct(rows, REPORTER, in_memory=False)
        text = rows.collect_schema()[ITEM] == nw.String
        return cls(
            rows=int(totals[ROW]),
            no_item=int(totals[ITEM] or 0),
            no_reporter=int(totals[REPORTER] or 0),
            no_value=int(totals[VALUE] or 0),
            cleaned=int(totals[CLEANED] or 0),
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
            no_value=self.no_value + other.no_value,
            cleaned=self.cleaned + other.cleaned,
            panel=0 if reporters is None else len(reporters),
            reporters=reporters,
            items=items if items is not None and len(items) <= LONGEST_LISTING else None,
            values=_union(self.values, other.values),
        )


def _distinct(rows: nw.LazyFrame[Any], column: str) -> pl.Series:
    """Return the different values of a column, without null."""
    return collect(rows.select(column).unique())[column].drop_nulls()


def _few_distinct(rows: nw.LazyFrame[Any], column: str, *, in_memory: bool) -> pl.Series | None:
    """Return the different values of a column; None if there are too many, which the first rows often show."""
    if in_memory:
        cells = collect(rows.select(column))[column]
        return None if _few_texts(cells.head(_SMALL)) is None else _few_texts(cells)
    names = _distinct(rows.select(column).unique().head(LONGEST_LISTING + 1), column)
    return names if len(names) <= LONGEST_LISTING else None


def _few_texts(cells: pl.Series) -> pl.Series | None:
    """Return the different texts of a column, without null; None if there are too many.

    They are told apart by 64-bit hashes: two texts with one hash, of which there are almost never any, count once.
    """
    cells = cells.drop_nulls()
    first = cells.hash().arg_unique()
    return cells.gather(first) if len(first) <= LONGEST_LISTING else None


def _count_distinct(rows: nw.LazyFrame[Any], column: str) -> int:
    """Return the number of different values of a column."""
    return int(collect(rows.select(nw.col(column).n_unique()))[column][0])


def _union(one: pl.Series | None, other: pl.Series | None) -> pl.Series | None:
    """Return the union of two lists; None if one of them is unknown."""
    return None if one is None or other is None else pl.concat([one, other]).unique()
