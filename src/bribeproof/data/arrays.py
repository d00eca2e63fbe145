"""Dense arrays of reports: trimmed means, manipulation ranges, safe rankings, flips needed."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof.data.heads import check_k
from bribeproof.errors import DataError, ParameterError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_IS_NONE = np.vectorize(lambda value: value is None, otypes=[bool])


def trimmed_mean(scores: ArrayLike, k: int, axis: int = -1) -> Floats:
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
    theory.md §10; the k-truncated mean. Scores are cut by position, so ties do not matter.

    Examples
    --------
    >>> trimmed_mean([[5, 6, 9.5, 9.5], [0, 7, 8, np.nan]], k=1)
    array([7.75, 7.  ])
    """
    ordered, present = _sorted(scores, axis)
    k = check_k(k)
    return _window_mean(ordered, k, present - k)


def manipulation_range(scores: ArrayLike, k: int, axis: int = -1) -> tuple[Floats, Floats]:
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
    ordered, present = _sorted(scores, axis)
    k = check_k(k)
    low = _window_mean(ordered, 0, present - 2 * k)
    high = _window_mean(ordered, 2 * k, present)
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
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

    estimate: Floats
    low: Floats
    high: Floats
    rank: Ints
    best_rank: Ints
    worst_rank: Ints

    def safe_top(self, places: int) -> bool:
        """Say whether the same items take the first places, in the same order, whatever k reporters do.

        Examples
        --------
        >>> safe_ranking([[9, 9, 9], [7, 7, 8], [1, 2, 2]], k=1).safe_top(1)
        True
        """
        certain = (self.best_rank == self.rank) & (self.worst_rank == self.rank)
        return all(bool(np.any(certain & (self.rank == place))) for place in range(1, places + 1))


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
    values = np.asarray(scores)
    if values.ndim != 2:
        raise ParameterError(f"scores have {values.ndim} axes: give items by reporters, two axes")
    return rank_ranges(trimmed_mean(values, k), *manipulation_range(values, k))


def rank_ranges(estimate: Floats, low: Floats, high: Floats) -> SafeRanking:
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


def flips_needed(votes: ArrayLike, axis: int = -1, threshold: float | str | Fraction = Fraction(1, 2)) -> Ints:
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
    values = np.moveaxis(_numbers(votes, axis), axis, -1)
    present = ~np.isnan(values)
    odd = present & (values != 0) & (values != 1)
    if odd.any():
        place = tuple(int(index) for index in np.argwhere(odd)[0])
        raise DataError(f"vote {values[place]:g} at {place} (reporters last): votes are 0, 1 or NaN for missing")
    try:
        cut = Fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        cut = Fraction(0)
    if not 0 < cut < 1:
        raise ParameterError(f"threshold={threshold!r}: use a share between 0 and 1, such as 0.5")
    positive = np.count_nonzero(values == 1, axis=-1).astype(np.int64)
    counted = np.count_nonzero(present, axis=-1).astype(np.int64)
    lead = np.abs(positive * cut.denominator - counted * cut.numerator)
    return np.asarray(-(-lead // cut.denominator), dtype=np.int64)


def _numbers(values: ArrayLike, axis: int) -> Floats:
    """Return values as floats, whatever numeric type they have, so that nothing wraps round."""
    try:
        array: NDArray[Any] = np.asarray(values)
        if array.dtype == object:
            array = np.where(_IS_NONE(array), np.nan, array)
        numbers = array.astype(np.float64) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None:
        raise DataError("this is no array of numbers: give real numbers, rows of one length, NaN where missing")
    if not -numbers.ndim <= axis < numbers.ndim:
        raise ParameterError(f"axis={axis}: the array has {numbers.ndim} axes")
    return numbers


def _sorted(scores: ArrayLike, axis: int) -> tuple[Floats, Ints]:
    """Sort scores along an axis, moved last, missing ones at the end; and count those that are present."""
    values = np.sort(np.ascontiguousarray(np.moveaxis(_numbers(scores, axis), axis, -1)), axis=-1)
    return values, np.count_nonzero(~np.isnan(values), axis=-1).astype(np.int64)


def _window_mean(ordered: Floats, start: int, stop: Ints) -> Floats:
    """Average the sorted scores in [start, stop) of each item, none of them missing; NaN where that is empty.

    Zeros stand for all others, so that the order of the additions, and with it the last bit of a mean, depends on
    the item alone and not on what it was computed together with.
    """
    counted = np.maximum(stop - start, 0)
    if stop.size and (stop == stop.flat[0]).all():
        kept = np.zeros_like(ordered)
        inside = slice(start, max(start, int(stop.flat[0])))
        kept[..., inside] = ordered[..., inside]
    else:
        place = np.arange(ordered.shape[-1])
        kept = np.where((place >= start) & (place < stop[..., np.newaxis]), ordered, 0.0)
    # Infinities of both signs inside one window have no mean: NaN, as in any mean of theirs.
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(counted > 0, kept.sum(axis=-1) / counted, np.nan), dtype=np.float64)
