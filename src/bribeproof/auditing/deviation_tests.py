"""Compare each report with the others on its item, and test exactly how often a reporter deviates."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, xlog1py, xlogy

from bribeproof._typing import BoolArray, FloatArray, IntArray

_ROUNDING = 1e-9
"""Scores within this share of the item's largest score of a mean are equal to it."""
_MOST_EXACT = 5000
"""Tails of sums of more probabilities than this are approximated by a normal distribution."""


@dataclass(frozen=True, slots=True)
class ScoreDeviations:
    """Deviations of scores from the others, one element per score.

    Attributes
    ----------
    comparable
        Whether the k-trimmed mean of the others exists.
    deviation
        The score minus that mean; 0 where it does not exist.
    low, high
        Whether the score is among the k lowest, or the k highest, of its item.
    drop_chance
        The share of the item's scores that is dropped.
    """

    comparable: BoolArray
    deviation: FloatArray
    low: BoolArray
    high: BoolArray
    drop_chance: FloatArray


@dataclass(frozen=True, slots=True)
class LabelDeviations:
    """Agreement of labels with the others, one element per label.

    Attributes
    ----------
    comparable
        Whether some label of the others has more than k reports, whichever report of the item is left out.
    agreement
        1 over the number of most frequent labels of the others if this is one of them, else 0.
    """

    comparable: BoolArray
    agreement: FloatArray


def compare_scores(item: IntArray, reporter: IntArray, score: FloatArray, k: int) -> ScoreDeviations:
    """Compare each score with the k-trimmed mean of the others on its item.

    Parameters
    ----------
    item, reporter, score
        The reports; equal scores are dropped in the order of the reporters.
    k
        How many of the others are dropped at each end, at least 0.

    Notes
    -----
    docs/theory.md §10. The window of the others is that of the item without the score that moves into it.

    Examples
    --------
    >>> compare_scores(np.zeros(4, int), np.arange(4), np.array([5.0, 6.0, 7.0, 10.0]), k=1).deviation.tolist()
    [-2.0, -1.0, 1.0, 4.0]
    """
    order = np.lexsort((reporter, score, item))
    items, sizes = item[order], np.bincount(item)
    start = (np.cumsum(sizes) - sizes)[items]
    position, m = np.arange(len(item)) - start, sizes[items]
    comparable, certified = m - 1 > 2 * k, m > 2 * k
    # Relative to the middle score, equal scores are exactly equal to their mean.
    middle = score[order][start + m // 2]
    ordered = score[order] - middle
    windows = (comparable & (position >= k) & (position < m - k)).astype(np.float64)
    total = np.bincount(items, ordered * windows, minlength=len(sizes))[items]
    left_out = ordered[start + np.clip(position, np.minimum(k, m - 1), np.maximum(m - k - 1, 0))]
    deviation = ordered - (total - left_out) / np.maximum(m - 1 - 2 * k, 1)
    largest = np.zeros(len(sizes))
    np.maximum.at(largest, items, np.abs(score[order]))
    deviation[~comparable | (np.abs(deviation) <= _ROUNDING * largest[items])] = 0.0
    back = np.empty(len(item), np.int64)
    back[order] = np.arange(len(item))
    low, high = certified & (position < k), certified & (position >= m - k)
    return ScoreDeviations(
        comparable[back], deviation[back], low[back], high[back], np.where(certified, 2 * k / m, 0.0)[back]
    )


def compare_labels(item: IntArray, label: IntArray, k: int) -> LabelDeviations:
    """Compare each label with the most frequent label of the others on its item.

    Parameters
    ----------
    item, label
        The reports.
    k
        How many reports of each label are ignored, at least 0.

    Notes
    -----
    docs/theory.md §8. Ignoring k of each label does not change which comes first, only whether one is left.

    Examples
    --------
    >>> compare_labels(np.zeros(5, int), np.array([0, 0, 0, 1, 1]), k=1).agreement.tolist()
    [0.5, 0.5, 0.5, 0.0, 0.0]
    """
    classes, items = int(label.max(initial=0)) + 1, int(item.max(initial=-1)) + 1
    cells, cell, count = np.unique(item * classes + label, return_inverse=True, return_counts=True)
    of_cell = cells // classes

    def most(counts: IntArray) -> tuple[IntArray, IntArray]:
        """Return the largest count of each item, and how many labels have it."""
        largest = np.zeros(items, np.int64)
        np.maximum.at(largest, of_cell, counts)
        return largest, np.bincount(of_cell, (counts == largest[of_cell]) & (counts > 0), minlength=items)

    top, tops = most(count)
    second, seconds = most(np.where(count < top[of_cell], count, 0))
    own, top, tops, second, seconds = count[cell], top[item], tops[item], second[item], seconds[item]
    comparable = np.where(tops == 1, top - 1, top) > k
    shared = np.where(own - 1 > second, 1.0, 1.0 / (1.0 + seconds))
    return LabelDeviations(comparable, np.where(comparable & (own == top) & (tops == 1), shared, 0.0))


def mean_on_item(item: IntArray, values: NDArray[np.generic]) -> FloatArray:
    """Return the mean of a value over all reports on the item of each report."""
    means: FloatArray = np.bincount(item, values) / np.maximum(np.bincount(item), 1)
    return means[item]


def upper_tails(reporter: IntArray, chances: FloatArray, counts: IntArray) -> FloatArray:
    """Return the probability that at least so many independent events happen, for each reporter.

    Parameters
    ----------
    reporter, chances
        Per event: its reporter, and its probability.
    counts
        Per reporter: how many happened.

    Examples
    --------
    >>> upper_tails(np.array([0, 0, 1]), np.array([0.5, 0.25, 0.25]), np.array([1, 1])).tolist()
    [0.625, 0.25]
    """
    order = np.argsort(reporter, kind="stable")
    stops = np.cumsum(np.bincount(reporter, minlength=len(counts)))
    parts = np.split(chances[order], stops[:-1])
    return np.array([_upper_tail(part, int(count)) for part, count in zip(parts, counts, strict=True)])


def holm(p_values: FloatArray) -> FloatArray:
    """Adjust p-values by Holm's method, which bounds the probability of even one false rejection.

    Parameters
    ----------
    p_values
        In [0, 1]; arbitrarily dependent.

    Notes
    -----
    S. Holm, *A simple sequentially rejective multiple test procedure*, 1979.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * steps), 1.0)
    return adjusted


def _upper_tail(chances: FloatArray, count: int) -> float:
    """Return the probability that at least so many independent events happen."""
    if count <= 0:
        return 1.0
    if len(chances) > _MOST_EXACT:
        spread = np.sqrt((chances * (1 - chances)).sum())
        away = count - 0.5 - chances.sum()
        return float(ndtr(-away / spread)) if spread > 0 else float(away < 0)
    chance_of = np.ones(1)
    for chance, times in zip(*np.unique(chances, return_counts=True), strict=True):
        happened = np.arange(times + 1)
        ways = gammaln(times + 1) - gammaln(happened + 1) - gammaln(times - happened + 1)
        chance_of = np.convolve(chance_of, np.exp(ways + xlogy(happened, chance) + xlog1py(times - happened, -chance)))
    return float(min(chance_of[count:].sum(), 1.0))
