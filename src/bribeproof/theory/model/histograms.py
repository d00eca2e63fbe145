"""Histograms of reports: list them, number them, and add further reports to them."""

import math
from itertools import chain, combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError

_MAX_ROWS = 1_000_000


def histograms(total: int, labels: int) -> NDArray[np.int64]:
    """Return all histograms of a number of reports over the labels.

    Parameters
    ----------
    total : int
        Number of reports, at least 0.
    labels : int
        Number m of labels, at least 1.

    Returns
    -------
    int64 array of shape (C(total + m - 1, m - 1), m)
        One histogram a row, in ascending lexicographic order.

    Raises
    ------
    ParameterError
        A number that is not an integer or is too small, or more than a million histograms.

    Notes
    -----
    A histogram is a row of `total` stars with m − 1 bars between them (stars and bars).

    Examples
    --------
    >>> histograms(total=2, labels=2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    total, labels = whole_number("total", total), whole_number("labels", labels, minimum=1)
    places, bars = total + labels - 1, labels - 1
    if (number := math.comb(places, bars)) > _MAX_ROWS:
        raise ParameterError(f"{total} reports over {labels} labels have {number} histograms; give at most {_MAX_ROWS}")
    flat = np.fromiter(chain.from_iterable(combinations(range(places), bars)), dtype=np.int64, count=number * bars)
    edges = np.pad(flat.reshape(number, bars), ((0, 0), (1, 1)), constant_values=((0, 0), (-1, places)))
    return np.diff(edges, axis=1) - 1


def histogram_index(histogram: ArrayLike) -> NDArray[np.int64]:
    """Return the row of a histogram in `histograms` of as many reports and labels.

    Parameters
    ----------
    histogram : integer array of shape (..., m)
        Number of reports of each label.

    Returns
    -------
    int64 array of shape (...)
        Row in `histograms(total, m)`, where `total` is the sum of the histogram.

    Raises
    ------
    ParameterError
        A histogram that does not consist of integers of at least 0.

    Notes
    -----
    The histograms that come earlier share the first labels and have fewer reports of the next one. With r
    reports left for that label and the p labels behind it, C(r + p, p) − C(r − x + p, p) have fewer than x.

    Examples
    --------
    >>> histogram_index([[0, 2], [2, 0]]).tolist()
    [0, 2]
    """
    counts = whole_numbers("histogram", histogram)
    if counts.ndim == 0 or counts.shape[-1] == 0:
        raise ParameterError(f"histogram has shape {counts.shape}; give one count per label, at least 1 label")
    left = np.flip(np.cumsum(np.flip(counts, axis=-1), axis=-1), axis=-1)
    labels = counts.shape[-1]
    ways = [[math.comb(r + behind, behind) for r in range(left.max(initial=0) + 1)] for behind in range(labels)]
    table = np.array(ways, dtype=object if ways[-1][-1] > np.iinfo(np.int64).max else np.int64)
    behind = np.arange(labels)[::-1]
    rank: NDArray[np.int64] = (table[behind, left] - table[behind, left - counts]).sum(axis=-1, dtype=table.dtype)
    return np.asarray(rank, dtype=np.int64)


def reachable(truthful: int, labels: int, k: int) -> NDArray[np.int64]:
    """Return which histograms k further reports can turn each histogram of truthful reports into.

    Parameters
    ----------
    truthful : int
        Number N of truthful reports, at least 0.
    labels : int
        Number m of labels, at least 1.
    k : int
        Number of reports that are added, at least 0.

    Returns
    -------
    int64 array of shape (C(N + m - 1, m - 1), C(k + m - 1, m - 1))
        Row i holds the rows of `histograms(N + k, m)` that can follow row i of `histograms(N, m)`.

    Raises
    ------
    ParameterError
        A number that is not an integer or is too small, or more than a million pairs.

    Notes
    -----
    The columns follow the order of `histograms(k, m)`.

    Examples
    --------
    >>> reachable(truthful=1, labels=2, k=1).tolist()
    [[0, 1], [1, 2]]
    """
    before, more = histograms(truthful, labels), histograms(whole_number("k", k), labels)
    if (number := len(before) * len(more)) > _MAX_ROWS:
        raise ParameterError(
            f"{truthful} truthful reports over {labels} labels and k = {k} more make {number} pairs of histograms; "
            f"give at most {_MAX_ROWS}"
        )
    return histogram_index(before[:, None, :] + more)
