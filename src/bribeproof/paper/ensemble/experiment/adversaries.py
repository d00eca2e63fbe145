"""Compute the mean costs of rules when adversaries join an ensemble, for each strategy of the adversaries.

Each function takes the costs of the rules and the tally of the images, and returns the mean costs over the images: an
array of rules × measures × outcomes, with one outcome for each draw of the adversaries.
"""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bribeproof._typing import FloatArray, IntArray

_WORD = 64


def extreme(costs: FloatArray, tally: IntArray, k: int) -> FloatArray:
    """Return the costs if all adversaries say the opposite of most truthful models, and no at a tie.

    Examples
    --------
    >>> square = np.array([[[[0.0, 0.25, 1.0], [1.0, 0.25, 0.0]]]])
    >>> extreme(square, tally=np.array([[1, 0], [0, 3]]), k=1)
    array([[[0.25]]])
    """
    truthful = tally.shape[1] - 1
    seen = np.zeros((1, 2, truthful + k + 1), np.int64)
    outvoted = np.arange(truthful + 1) * 2 < truthful
    seen[0][:, : truthful + 1] = np.where(outvoted, 0, tally)
    seen[0][:, k:] += np.where(outvoted, tally, 0)
    return _mean_costs(costs, seen)


def random(costs: FloatArray, tally: IntArray, k: int, groups: int, rng: np.random.Generator) -> FloatArray:
    """Return the costs if each adversary says yes with probability 1/2 on each image, for several groups of k of them.

    Examples
    --------
    >>> square = np.array([[[[0.0, 0.25, 1.0], [1.0, 0.25, 0.0]]]])
    >>> random(square, np.array([[0, 0], [0, 4]]), k=1, groups=3, rng=np.random.default_rng(0)).shape
    (1, 1, 3)
    """
    _, counts = tally.shape
    width = counts + k
    cells = width * np.arange(2)[:, None] + np.arange(counts)
    truthful = np.repeat(cells.ravel(), tally.ravel())
    seen = [
        np.bincount(truthful + _fair_votes(k, truthful.size, rng), minlength=2 * width).reshape(2, width)
        for _ in range(groups)
    ]
    return _mean_costs(costs, np.stack(seen))


def random_expectation(costs: FloatArray, tally: IntArray, k: int) -> FloatArray:
    """Return the exact expectation of `random`, from the binomial distribution.

    Examples
    --------
    >>> square = np.array([[[[0.0, 0.25, 1.0], [1.0, 0.25, 0.0]]]])
    >>> random_expectation(square, tally=np.array([[0, 0], [0, 4]]), k=1)
    array([[[0.125]]])
    """
    chances = np.array([math.comb(k, yes) / 2**k for yes in range(k + 1)])
    seen = np.stack([np.convolve(row, chances) for row in tally])
    return _mean_costs(costs, seen[None])


def worst(costs: FloatArray, tally: IntArray, k: int) -> FloatArray:
    """Return the costs if for each image, rule and measure the number of adversaries that say yes is the worst one.

    Examples
    --------
    >>> square = np.array([[[[0.0, 0.25, 1.0], [1.0, 0.25, 0.0]]]])
    >>> worst(square, tally=np.array([[1, 0], [0, 3]]), k=1)
    array([[[0.25]]])
    """
    return _mean_costs(sliding_window_view(costs, k + 1, axis=-1).max(axis=-1), tally[None])


def least_worst(tally: IntArray, k: int) -> float:
    """Return the least mean squared loss to the worst strategy of any monotone rule, chosen for these very images.

    The worst adversaries say no to a monotone rule where the truth is yes, and yes where it is no, so that the rule is
    the isotonic regression of the truth on these numbers of reports.

    Examples
    --------
    >>> least_worst(np.array([[1, 0], [0, 3]]), k=1), least_worst(np.array([[1, 0], [0, 3]]), k=0)
    (0.1875, 0.0)
    """
    from scipy.optimize import isotonic_regression

    reports = np.zeros((2, tally.shape[1] + k))
    reports[1, : tally.shape[1]], reports[0, k:] = tally[1], tally[0]
    seen = reports.any(axis=0)
    images = reports[:, seen].sum(axis=0)
    rule = isotonic_regression(reports[1, seen] / images, weights=images).x
    return float((reports[1, seen] @ (1 - rule) ** 2 + reports[0, seen] @ rule**2) / images.sum())


def _mean_costs(costs: FloatArray, seen: FloatArray | IntArray) -> FloatArray:
    """Return the mean costs, given the numbers of images: an array of outcomes × truths × numbers of yes."""
    means: FloatArray = np.tensordot(costs, seen, axes=((2, 3), (1, 2))) / seen[0].sum()
    return means


def _fair_votes(k: int, images: int, rng: np.random.Generator) -> IntArray:
    """Draw for each image how many of k adversaries say yes: the number of ones among k random bits."""
    yes = np.zeros(images, np.int64)
    for width in (*[_WORD] * (k // _WORD), k % _WORD):
        yes += np.bitwise_count(rng.integers(1 << width, size=images, dtype=np.uint64))
    return yes
