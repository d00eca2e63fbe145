"""Dense arrays of reports: trimmed means, manipulation ranges, safe rankings, vote counts, flips needed."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count
from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import exact_fraction, validate_k
from bribeproof.arrays.blocks import reporters_last
from bribeproof.arrays.trimmed_means import trimmed_means
from bribeproof.arrays.vote_counts import count_votes
from bribeproof.errors import ParameterError

_MOST_EXACT = 2**62
"""Integers below this one can be added and subtracted as int64."""


def trimmed_mean(scores: ArrayLike, k: int, axis: int = -1) -> FloatArray:
    """Average the scores of each item without the k lowest and the k highest.

    Parameters
    ----------
    scores
        Real scores of any numeric type; NaN is missing, an infinity is a report.
    k
        How many reporters may be bribed: a head count, at least 0. It does not shrink where scores are missing.
    axis
        The axis of the reporters.

    Returns
    -------
    float64 array
        One mean per item; NaN where an item has 2k scores or fewer.

    Raises
    ------
    ParameterError
        If k is no head count or there is no such axis.
    DataError
        If the scores are not numbers.

    Notes
    -----
    theory.md §10; the k-trimmed mean. Scores are cut by position, so ties do not matter. To the last bit a mean
    depends on the scores of its item alone, in whatever order, array or layout they come.

    Examples
    --------
    >>> trimmed_mean([[5, 6, 9.5, 9.5], [0, 7, 8, np.nan]], k=1)
    array([7.75, 7.  ])
    """
    reports = reporters_last(scores, axis)
    k = validate_k(k)
    (estimate,) = trimmed_means(reports, 2 * k, lowest=[k])
    return estimate


def manipulation_range(scores: ArrayLike, k: int, axis: int = -1) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and highest trimmed mean that any k of the reporters could have caused.

    Parameters
    ----------
    scores, k, axis
        As in `trimmed_mean`.

    Returns
    -------
    (low, high)
        Two float64 arrays, one value per item; NaN where an item has 2k scores or fewer.

    Raises
    ------
    ParameterError, DataError
        As in `trimmed_mean`.

    Notes
    -----
    theory.md §10: the worst that k bribed reporters can do is to leave the m - 2k lowest, or the m - 2k highest,
    of the scores as they stand in the average.

    Examples
    --------
    >>> low, high = manipulation_range([4, 5, 5, 6, 6, 6, 7], k=1)
    >>> float(low), float(high)
    (5.2, 6.0)
    """
    reports = reporters_last(scores, axis)
    k = validate_k(k)
    low, high = trimmed_means(reports, 2 * k, lowest=[0, 2 * k])
    return low, high


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SafeRanking:
    """A ranking of items by score, and what is certain about it whatever k reporters per item do.

    Attributes
    ----------
    estimate
        The trimmed means.
    low, high
        The manipulation ranges.
    rank
        Places by estimate, 1 for the highest; equal items share the better place. 0 where not certified.
    best_rank, worst_rank
        The places that an item can be sure not to beat and not to fall below: an item certainly beats another
        where its low exceeds the other's high. Items that are not certified could be anywhere.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    rank: IntArray
    best_rank: IntArray
    worst_rank: IntArray

    def safe_top(self, places: int) -> bool:
        """Say whether the same items take the first places, in the same order, whatever k reporters do.

        Examples
        --------
        >>> safe_ranking([[9, 9, 9], [7, 7, 8], [1, 2, 2]], k=1).safe_top(1)
        True
        """
        certain = (self.best_rank == self.rank) & (self.worst_rank == self.rank)
        return all(bool(np.any(certain & (self.rank == place))) for place in range(1, places + 1))

    def summary(self) -> str:
        """Return how many items are certified, and how many of the first three places are safe, one sentence a line.

        Examples
        --------
        >>> print(safe_ranking([[9, 9, 9], [7, 7, 8], [1, 2, 2]], k=1).summary())
        3 items, 3 of them certified.
        The first 3 places are safe.
        """
        items, certified = len(self.rank), int(np.count_nonzero(self.rank))
        safe = next((places for places in range(min(3, certified), 0, -1) if self.safe_top(places)), 0)
        top = {0: "The first place is not safe.", 1: "The first place is safe."}
        return (
            f"{count(items, 'item')}, {certified:,} of them certified.\n"
            f"{top.get(safe, f'The first {safe} places are safe.')}"
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


def safe_ranking(scores: ArrayLike, k: int) -> SafeRanking:
    """Rank items by trimmed mean and say which places k bribed reporters could not have changed.

    Parameters
    ----------
    scores
        Items on the first axis, reporters on the second; else as in `trimmed_mean`.
    k
        How many reporters may be bribed, on each item.

    Returns
    -------
    SafeRanking
        Estimates, ranges and places.

    Raises
    ------
    ParameterError, DataError
        As in `trimmed_mean`.

    Notes
    -----
    theory.md §10, *Safe ranking*.

    Examples
    --------
    >>> ranking = safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1)
    >>> ranking.rank, ranking.worst_rank
    (array([1, 2, 3]), array([2, 2, 3]))
    """
    reports = reporters_last(scores, axis=-1)
    if reports.ndim != 2:
        raise ParameterError(f"scores have {reports.ndim} axes: give items by reporters, two axes")
    k = validate_k(k)
    return rank_ranges(*trimmed_means(reports, 2 * k, lowest=[k, 0, 2 * k]))


def rank_ranges(estimate: FloatArray, low: FloatArray, high: FloatArray) -> SafeRanking:
    """Rank items whose estimates and manipulation ranges are known; NaN where not certified.

    Examples
    --------
    >>> rank_ranges(np.array([9.0, 5.0]), np.array([8.0, 4.0]), np.array([9.5, 6.0])).safe_top(2)
    True
    """
    known = ~np.isnan(estimate)
    items = len(estimate)
    beaten_by = np.count_nonzero(known) - np.searchsorted(np.sort(low[known]), high, side="right")
    beats = np.searchsorted(np.sort(high[known]), low, side="left")
    above = np.count_nonzero(known) - np.searchsorted(np.sort(estimate[known]), estimate, side="right")
    return SafeRanking(
        estimate,
        low,
        high,
        rank=np.where(known, 1 + above, 0),
        best_rank=np.where(known, 1 + beaten_by, 1),
        worst_rank=np.where(known, items - beats, items),
    )


def vote_counts(votes: ArrayLike, axis: int = -1) -> tuple[IntArray, IntArray]:
    """Count the positive votes of each item, and all its votes.

    Parameters
    ----------
    votes
        0 or 1 (or false and true) of any numeric type; NaN is missing.
    axis
        The axis of the reporters.

    Returns
    -------
    (positive, present)
        Two int64 arrays, one count per item. Where no vote can be missing, because the votes are booleans or
        integers, `present` is one number seen as a read-only array.

    Raises
    ------
    DataError
        If a vote is neither 0 nor 1.
    ParameterError
        If there is no such axis.

    Notes
    -----
    theory.md §1: rules forecast from the number of positive votes, so that ``rule(positive)`` is the forecast for
    each item on which all reporters voted.

    Examples
    --------
    >>> positive, present = vote_counts([[1, 1, 0, 1], [0, 0, np.nan, 1]])
    >>> positive, present
    (array([3, 1]), array([4, 3]))
    """
    return count_votes(reporters_last(votes, axis))


def flips_needed(votes: ArrayLike, axis: int = -1, threshold: float | str | Fraction = Fraction(1, 2)) -> IntArray:
    """Return the fewest votes to rewrite so that the winner of each item no longer wins outright.

    Parameters
    ----------
    votes
        0 or 1 (or false and true); NaN is missing.
    axis
        The axis of the reporters.
    threshold
        The share of positive votes above which an item is positive and below which it is negative, in (0, 1);
        read exactly, as it is written.

    Returns
    -------
    int64 array
        One count per item; 0 where the share is the threshold itself, and where there are no votes.

    Raises
    ------
    DataError
        If a vote is neither 0 nor 1.
    ParameterError
        If the threshold is outside (0, 1) or there is no such axis.

    Notes
    -----
    theory.md §10. A tie counts as lost, so ceil(margin / 2) votes are enough at the threshold 1/2.

    Examples
    --------
    >>> flips_needed([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, np.nan, np.nan]])
    array([1, 0])
    """
    reports = reporters_last(votes, axis)
    positive, present = count_votes(reports)
    cut = exact_fraction("threshold", threshold, "(0, 1)")
    if not 0 < cut < 1:
        raise ParameterError(f"threshold={threshold!r}: use a share between 0 and 1, such as 0.5")
    if reports.shape[-1] * cut.denominator >= _MOST_EXACT:
        positive, present = positive.astype(object), present.astype(object)
    lead = np.abs(positive * cut.denominator - present * cut.numerator)
    return np.asarray(-(-lead // cut.denominator), dtype=np.int64)
