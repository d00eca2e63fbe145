"""Rank items by trimmed mean, with the places that bribed reporters could have given them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count
from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import check_better, validate_k
from bribeproof.arrays.blocks import (
    ReportArray,
    find_rounded,
    holds_large_integers,
    is_missing,
    plain_numbers,
    reporters_last,
)
from bribeproof.arrays.trimmed_means import trimmed_means
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.values.float_limit import LIMIT

_MOST_WORK = 200_000_000
"""All sets of reporters are tried if no more reports than this have to be rewritten."""
_BLOCK = 500_000
_MOST_DECIMALS = 15


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SafeRanking:
    """A ranking of items by score, and the places that k bribed reporters could have given them.

    Attributes
    ----------
    estimate
        The trimmed means.
    low, high
        The manipulation ranges.
    rank
        The place of each item by estimate, 1 for the best; equal items share the better place. 0 if not certified.
    best_rank, worst_rank
        The best and the worst place that each item could have if k reporters rewrite their reports; both occur. An item
        that is not certified could have any place, so that it may be above every other.
    better
        ``"high"`` if the highest score is the best, ``"low"`` if the lowest is.
    same_judges
        Whether the same k reporters are bribed on all items, whoever they are; else they may be others on each item.
    exact
        Whether these places occur. If not, there were too many sets of reporters to try, and they are those that others
        on each item could have caused: the same reporters could have caused no further ones.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    rank: IntArray
    best_rank: IntArray
    worst_rank: IntArray
    better: str = field(default="high", kw_only=True)
    same_judges: bool = field(default=False, kw_only=True)
    exact: bool = field(default=True, kw_only=True)

    def safe_top(self, places: int) -> bool:
        """Return whether the same items take the first places, in the same order, whatever any k reporters do.

        Items that share a place whatever happens are safe in it.

        Examples
        --------
        >>> safe_ranking([[9, 9, 9], [7, 7, 8], [1, 2, 2]], k=1).safe_top(1)
        True
        >>> safe_ranking([[8, 8, 8], [8, 8, 8]], k=1).safe_top(2)
        True
        """
        certain = self.best_rank == self.worst_rank
        enough = places <= np.count_nonzero(self.rank)
        return bool(enough and np.all(certain | (self.best_rank > places)))

    def summary(self) -> str:
        """Return how many items are certified, and how many of the first three places are safe, one sentence a line.

        Examples
        --------
        >>> print(safe_ranking([[9, 9, 9], [7, 7, 8], [1, 2, 2]], k=1).summary())
        3 items, 3 of them certified.
        The first 3 places are safe, whichever judges are bribed, the same on all items.
        """
        items, certified = len(self.rank), int(np.count_nonzero(self.rank))
        safe = next((places for places in range(min(3, certified), 0, -1) if self.safe_top(places)), 0)
        places = "The first place is" if safe < 2 else f"The first {safe} places are"
        found = "safe" if safe else "not safe" if self.exact else "not known to be safe"
        where = "the same on all items" if self.same_judges else "perhaps others on each item"
        return (
            f"{count(items, 'item')}, {certified:,} of them certified.\n"
            f"{places} {found}, whichever judges are bribed, {where}."
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return f"{type(self).__name__}(n_items={len(self.rank)}, n_certified={np.count_nonzero(self.rank)})"

    def _repr_html_(self) -> str:
        """Return the summary, the first places and their picture for a notebook; items are numbered from 0."""
        columns = ("rank", "estimate", "low", "high", "best_rank", "worst_rank")
        table = pl.DataFrame({"item": np.arange(len(self.rank))} | {name: getattr(self, name) for name in columns})
        first = table.filter(pl.col("rank") > 0).sort("rank", maintain_order=True)
        names = table["item"].to_list()
        return render_html(
            self.summary(),
            first,
            lambda plots, axes: plots.ranking(self, names, most=ROWS, ax=axes),
            bars=first.height,
        )


def safe_ranking(scores: ArrayLike, k: int, *, better: str = "high", same_judges: bool = True) -> SafeRanking:
    """Rank items by trimmed mean, and find the places that bribed reporters could have given each item.

    Parameters
    ----------
    scores
        Items on the first axis, reporters on the second; else as in `trimmed_mean`.
    k
        How many reporters may be bribed.
    better : {"high", "low"}
        Whether the highest or the lowest score is the best; the lowest of ranks, times and penalties.
    same_judges : bool, default True
        Whether the same k reporters are bribed on all items: all sets of k are tried. If not, they may be others on
        each item, so that more places are possible.

    Returns
    -------
    SafeRanking
        Estimates, manipulation ranges and places.

    Raises
    ------
    ParameterError, DataError
        As in `trimmed_mean`; if `better` is another word; and if a whole number beyond 2^53 is no float.

    Notes
    -----
    docs/theory.md, Proposition 14.3 for the same reporters on all items, Proposition 10.2 for others on each.

    Means of decimal scores, such as 0.1, are compared exactly, so that equal ones share a place, if no score needs more
    than about 13 digits of ten reporters, or 11 of a hundred. Of others, such as 1/3, they are compared as floats.

    Examples
    --------
    >>> ranking = safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1)
    >>> ranking.rank, ranking.worst_rank
    (array([1, 2, 3]), array([1, 2, 3]))
    >>> safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1, better="low").rank
    array([3, 2, 1])
    >>> [safe_ranking([[9, 9, 8, 8], [8, 8, 7.5, 7.5]], k=1, same_judges=same).safe_top(1) for same in (True, False)]
    [True, False]
    """
    reports = reporters_last(scores, axis=-1)
    if reports.ndim != 2:
        raise ParameterError(f"scores have {reports.ndim} axes: give items by reporters, two axes")
    k = validate_k(k)
    if (rounded := find_rounded(reports)) is not None:
        raise DataError(
            f"score {rounded} is beyond 2**53 = {LIMIT}, and would be rounded to {float(rounded)!r}, so that different "
            f"items could become equal: subtract a common offset from all scores"
        )
    if not isinstance(same_judges, bool):
        raise ParameterTypeError(f"same_judges={same_judges!r}: give True or False")
    means, compared = trimmed_means(reports, 2 * k, lowest=[k, 0, 2 * k]), reports
    ranked = rank_ranges(*means, better=better)
    if (whole := _as_whole_numbers(reports)) is not None:
        ranked, compared = rank_ranges(*trimmed_means(whole, 2 * k, lowest=[k, 0, 2 * k]), better=better), whole
    if same_judges:
        ranked = _same_judges(ranked, compared, k)
    estimate, low, high = means
    return replace(ranked, estimate=estimate, low=low, high=high)


def _as_whole_numbers(reports: ReportArray) -> FloatArray | None:
    """Return decimal scores as multiples of a power of ten; None if they have too many digits to be compared exactly.

    Sums of whole numbers are exact, and equal quotients of them are equal floats, whatever was divided.
    """
    if holds_large_integers(reports):
        return None
    numbers = plain_numbers(reports).astype(np.float64)
    there = np.abs(numbers[~np.isnan(numbers)])
    # Different quotients are different floats if they are below 2^51 / reporters².
    room = 2.0**51 / (max(1.0, float(there.max(initial=0))) * max(1, reports.shape[-1]) ** 2)
    decimals = min(_MOST_DECIMALS, math.floor(math.log10(room))) if room >= 1 else -1
    if decimals < 0:
        return None
    whole: FloatArray = np.round(numbers * 10.0**decimals)
    return whole if np.array_equal(whole / 10.0**decimals, numbers, equal_nan=True) else None


def _same_judges(alone: SafeRanking, reports: ReportArray, k: int) -> SafeRanking:
    """Return the ranking with the places that the same k reporters could have caused, every set of them being tried."""
    items, reporters = reports.shape
    sets = comb(reporters, k)
    if k == 0 or not alone.rank.any():
        return replace(alone, same_judges=True)
    if k < reporters and sets * reports.size > _MOST_WORK:
        return replace(alone, same_judges=True, exact=False)
    large = holds_large_integers(reports)
    numbers = reports.astype(object) if large else plain_numbers(reports).astype(np.float64)
    absent = is_missing(numbers) | (numbers != numbers) if large else np.isnan(numbers)
    # Below (above) all other reports of an item, k of which are dropped, its own least (greatest) report is as good.
    ends = [_ends_of(numbers, absent, pick) for pick in (min, max)]
    best, worst = np.full(items, items), np.ones(items, np.int64)
    chosen = combinations(range(reporters), min(k, reporters))
    size = max(1, _BLOCK // max(1, reports.size))
    while block := list(islice(chosen, size)):
        bribed = np.zeros((len(block), 1, reporters), dtype=bool)
        for row, members in enumerate(block):
            bribed[row, 0, list(members)] = True
        low, high = (
            trimmed_means(np.where(bribed & ~absent, end[:, np.newaxis], numbers), 2 * k, lowest=[k])[0] for end in ends
        )
        for one in range(len(block)):
            found = rank_ranges(alone.estimate, low[one], high[one], better=alone.better)
            best, worst = np.minimum(best, found.best_rank), np.maximum(worst, found.worst_rank)
    return replace(alone, best_rank=best, worst_rank=worst, same_judges=True)


def _ends_of(numbers: ReportArray, absent: BoolArray, pick: Callable[..., Any]) -> ReportArray:
    """Return the least or the greatest report of each item; of an item without any, one that is missing."""
    if numbers.dtype != object:
        with np.errstate(invalid="ignore"):
            ends: ReportArray = (np.fmin if pick is min else np.fmax).reduce(numbers, axis=1)
        return ends
    rows = [numbers[row][~absent[row]] for row in range(len(numbers))]
    return np.array([pick(row) if len(row) else None for row in rows], dtype=object)


def rank_ranges(estimate: FloatArray, low: FloatArray, high: FloatArray, *, better: str = "high") -> SafeRanking:
    """Rank items by their estimates and manipulation ranges, NaN if not certified.

    Examples
    --------
    >>> rank_ranges(np.array([9.0, 5.0]), np.array([8.0, 4.0]), np.array([9.5, 6.0])).safe_top(2)
    True
    """
    check_better(better)
    if better == "low":
        mirrored = rank_ranges(-estimate, -high, -low)
        return replace(mirrored, estimate=estimate, low=low, high=high, better=better)
    certified = ~np.isnan(estimate)
    items = len(estimate)
    beaten_by = np.count_nonzero(certified) - np.searchsorted(np.sort(low[certified]), high, side="right")
    # Equal items share the better place, so what never exceeds an item's least score does not push it down.
    never_above = np.searchsorted(np.sort(high[certified]), low, side="right") + (low < high)
    above = np.count_nonzero(certified) - np.searchsorted(np.sort(estimate[certified]), estimate, side="right")
    return SafeRanking(
        estimate,
        low,
        high,
        rank=np.where(certified, 1 + above, 0),
        best_rank=np.where(certified, 1 + beaten_by, 1),
        worst_rank=np.where(certified, items + 1 - never_above, items),
    )
