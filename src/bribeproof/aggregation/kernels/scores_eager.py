"""Reduce scores in memory: they are sorted once, so that every window of an item is a slice.

Item, score and reporter are packed as digits of one integer, which sorts several times faster than three columns.
"""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._text import count
from bribeproof._typing import BoolArray, IntArray
from bribeproof._warnings import note
from bribeproof.aggregation.exact_sums import BinarySums, DecimalSums, IntegerScale
from bribeproof.aggregation.kernels.group_ranges import MOST_UNIONS, worst_windows
from bribeproof.aggregation.kernels.scores import HIGH, LOW, SEPARATOR, WINDOWS
from bribeproof.aggregation.kernels.status import DESIGN, KEPT, SPAN, TRIM, M, with_sizes
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import per_item
from bribeproof.frames.bribed_groups import GROUP, BribedGroups
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE

_FIRST, _SCORE, _CODE, _INDEX, _NAMES = "_first", "_score", "_code", "_index", "_names"
_BITS = 63


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Scores sorted by the first row of their item, then by score (missing ones last), then by reporter.

    Attributes
    ----------
    first
        Per item: the position of its first row.
    start, stop
        Per item: the positions of its first score and after its last one; missing scores follow.
    scores
        Per report: the code of its score.
    reporters
        Per report: the index of its reporter in `names`.
    names
        The names of all reporters.
    """

    first: IntArray
    start: IntArray
    stop: IntArray
    scores: IntArray
    reporters: IntArray
    names: pl.Series


def reduce(reports: Reports, heads: AdversaryCount, sums: DecimalSums | BinarySums) -> nw.LazyFrame[Any]:
    """Return one row per item: its id and position, its sizes, the sum of each window and the dropped reporters."""
    rows = collect(reports.rows.with_columns(nw.col(ROW).min().over(ITEM).alias(_FIRST)))
    grid = sums.grid(rows[VALUE])
    ordered = _sort(rows, grid.codes, grid.size)
    items = pl.DataFrame({ROW: ordered.first, M: ordered.stop - ordered.start})
    if kept := per_item(reports.schema):
        stated = nw.from_native(rows.lazy()).group_by(_FIRST).agg(**kept)
        items = items.hstack(collect(stated.sort(_FIRST)).drop(_FIRST))
    items = collect(with_sizes(nw.from_native(items.lazy()), reports, heads))
    trim, counted, span = (items[name].to_numpy() for name in (TRIM, KEPT, SPAN))
    span = np.where(counted > 0, span, 0)
    items = items.with_columns(
        _names(ordered, ordered.start, 1, trim, counted).alias(LOW),
        _names(ordered, ordered.stop - 1, -1, trim, counted).alias(HIGH),
    )
    low = ordered.start + np.where(counted > 0, trim, 0)
    slices = ((low, low + counted), (ordered.start, ordered.start + span), (ordered.stop - span, ordered.stop))
    items = sums.over_slices(items, grid.terms(ordered.scores), dict(zip(WINDOWS, slices, strict=True)))
    if heads.groups is not None and reports.schema.asked is None:
        certain = (counted > 0) & (items[DESIGN] == items[M]).to_numpy()
        items = _with_group_ranges(items, ordered, grid, sums, heads.groups, trim, certain)
    ids = rows.lazy().filter(pl.col(ROW) == pl.col(_FIRST)).select(ROW, ITEM)
    if reports.columns.judges:
        ids = ids.unique(ROW)
    return nw.from_native(items.with_columns(ids.sort(ROW).collect()[ITEM]).lazy())


def _with_group_ranges(
    items: pl.DataFrame,
    ordered: _Sorted,
    grid: IntegerScale,
    sums: DecimalSums | BinarySums,
    groups: BribedGroups,
    trim: IntArray,
    chosen: BoolArray,
) -> pl.DataFrame:
    """Replace the sums of the ends of ranges by those that groups which are bribed together can cause."""
    known = groups.of_reporters.select(pl.col(REPORTER).cast(pl.String), GROUP)
    numbers = ordered.names.to_frame(REPORTER).join(known, on=REPORTER, how="left", maintain_order="left")
    group = numbers[GROUP].to_numpy()[ordered.reporters]
    terms = grid.terms(ordered.scores) if (ordered.stop - ordered.start).any() else np.zeros(0)
    tried, windows = worst_windows(terms, group, ordered.start, ordered.stop, trim, chosen, groups.named.bribes)
    if len(tried) < chosen.sum():
        note(
            f"the ranges of {count(int(chosen.sum()) - len(tried), 'item')} are those of any k reporters, which may be "
            f"wider: more than {MOST_UNIONS:,} unions of groups could be bribed there"
        )
    if not len(tried):
        return items
    worst = pl.DataFrame({_INDEX: tried})
    for name, places in windows.items():
        inside = places >= 0
        stop = np.cumsum(inside.sum(axis=1))
        slices = {name: (stop - inside.sum(axis=1), stop)}
        worst = sums.over_slices(worst, grid.terms(ordered.scores[places[inside]]), slices)
    worst = worst.with_columns(pl.col(_INDEX).cast(pl.Int64))
    numbered = items.with_row_index(_INDEX).with_columns(pl.col(_INDEX).cast(pl.Int64))
    return numbered.update(worst, on=_INDEX).sort(_INDEX).drop(_INDEX)


def _sort(rows: pl.DataFrame, score_codes: IntArray, size: int) -> _Sorted:
    """Sort scores by the first row of their item, then by their code, then by reporter."""
    names = rows.lazy().select(pl.col(REPORTER).unique()).collect().to_series().sort()
    codes = pl.LazyFrame({REPORTER: names, _CODE: np.arange(len(names))})
    # The join keeps no order, which is faster; the rows are sorted afterwards.
    coded = rows.lazy().select(_FIRST, REPORTER, pl.Series(_SCORE, score_codes)).join(codes, on=REPORTER)
    code_bits, score_bits = (len(names) - 1).bit_length(), size.bit_length()
    # A part of a large file has few rows, but their positions are those in the whole file.
    if int(rows[_FIRST].to_numpy().max()).bit_length() + score_bits + code_bits <= _BITS:
        digits = (pl.col(_FIRST) * (1 << score_bits) + pl.col(_SCORE)) * (1 << code_bits) + pl.col(_CODE)
        packed = np.sort(coded.select(digits).collect().to_series().to_numpy())
        reporter = packed & ((1 << code_bits) - 1)
        packed >>= code_bits
        score = packed & ((1 << score_bits) - 1)
        packed >>= score_bits
        first = packed
    else:
        columns = coded.collect()
        first, score, reporter = (columns[name].to_numpy() for name in (_FIRST, _SCORE, _CODE))
        order = np.lexsort((reporter, score, first))
        first, score, reporter = first[order], score[order], reporter[order]
    start = np.append(0, 1 + np.flatnonzero(first[1:] != first[:-1]))
    stop = np.append(start[1:], len(first))
    missing = score == size
    if missing.any():
        stop = stop - np.add.reduceat(missing, start, dtype=np.int64)
    return _Sorted(first[start], start, stop, score, reporter, names.cast(pl.String))


def _names(ordered: _Sorted, end: IntArray, step: int, k: IntArray, counted: IntArray) -> pl.Series:
    """Join the names of the k reporters at one end; null if the item is not certified, empty if k is 0."""
    certified = counted > 0
    joined = [pl.DataFrame({_INDEX: np.flatnonzero(~certified)}).with_columns(pl.lit(None, pl.String).alias(_NAMES))]
    for most in np.unique(k[certified]).tolist():
        some = np.flatnonzero(certified & (k == most))
        dropped = ordered.reporters[end[some, np.newaxis] + step * np.arange(most)]
        names = ordered.names.gather(dropped.ravel())
        if most != 1:
            names = names.reshape((-1, most)).arr.join(SEPARATOR) if most else pl.repeat("", len(some), eager=True)
        joined.append(pl.DataFrame({_INDEX: some, _NAMES: names}))
    return pl.concat(joined).sort(_INDEX)[_NAMES]
