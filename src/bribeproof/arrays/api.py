"""Aggregate dense arrays of reports: trimmed means, manipulation ranges, vote counts, flips needed."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import exact_fraction, validate_k
from bribeproof.arrays.blocks import reporters_last
from bribeproof.arrays.trimmed_means import trimmed_means
from bribeproof.arrays.vote_counts import count_votes
from bribeproof.errors import ParameterError

_MOST_EXACT = 2**62
"""Integers below this one can be added and subtracted as int64."""


def trimmed_mean(scores: ArrayLike, k: int, axis: int = -1) -> FloatArray:
    """Return the mean of each item's scores without the k lowest and the k highest.

    Parameters
    ----------
    scores
        Real scores of any numeric type. NaN, None, NA and masked values are missing; an infinity is a report, beyond
        all numbers. Integers beyond 2⁵³ are compared and added exactly.
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
        If k is not a head count, or the axis does not exist.
    DataError
        If the scores are not numbers, or a mean would contain infinities of both signs.

    Notes
    -----
    docs/theory.md §10; the k-trimmed mean. Scores are cut by position, so ties do not matter. To the last bit a mean
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
    docs/theory.md §10: the worst that k bribed reporters can do is to leave the m - 2k lowest, or the m - 2k highest,
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


def vote_counts(votes: ArrayLike, axis: int = -1) -> tuple[IntArray, IntArray]:
    """Return the number of positive votes of each item, and of all its votes.

    Parameters
    ----------
    votes
        0 or 1 (or false and true) of any numeric type; NaN, None, NA and masked values are missing.
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
        If the axis does not exist.

    Notes
    -----
    docs/theory.md §1: rules forecast from the number of positive votes, so that ``rule(positive)`` is the forecast for
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
        0 or 1 (or false and true); NaN, None, NA and masked values are missing.
    axis
        The axis of the reporters.
    threshold
        The share of positive votes above which an item is positive and below which it is negative, in (0, 1);
        read exactly: 0.29 is 29/100, and the float 1 / 3 is 1/3.

    Returns
    -------
    int64 array
        One count per item; 0 where the share is the threshold itself, and where there are no votes.

    Raises
    ------
    DataError
        If a vote is neither 0 nor 1.
    ParameterError
        If the threshold is outside (0, 1) or the axis does not exist.

    Notes
    -----
    docs/theory.md §10. A tie counts as lost, so ceil(margin / 2) votes are enough at the threshold 1/2.

    Examples
    --------
    >>> flips_needed([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, np.nan, np.nan]])
    array([1, 0])
    """
    reports = reporters_last(votes, axis)
    positive, present = count_votes(reports)
    cut = exact_fraction("threshold", threshold, "(0, 1)", most=reports.shape[-1])
    if not 0 < cut < 1:
        raise ParameterError(f"threshold={threshold!r}: use a share between 0 and 1, such as 0.5")
    if reports.shape[-1] * cut.denominator >= _MOST_EXACT:
        positive, present = positive.astype(object), present.astype(object)
    lead = np.abs(positive * cut.denominator - present * cut.numerator)
    return np.asarray(-(-lead // cut.denominator), dtype=np.int64)
