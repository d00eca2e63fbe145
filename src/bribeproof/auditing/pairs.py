"""Count how often two reporters agree, and what agreement reporters of equal skill would have."""

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array, triu
from scipy.special import betainc

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.auditing.deviation_tests import holm

MOST_LISTED = 100
"""The largest number of pairs in a list."""


def sparse(row: IntArray, column: IntArray, values: NDArray[np.generic], shape: tuple[int, int]) -> csr_array:
    """Return a sparse matrix of numbers at rows and columns."""
    return csr_array((values.astype(np.float64), (row, column)), shape=shape)


def pairs_with_common(present: csr_array) -> tuple[IntArray, IntArray, IntArray]:
    """Return the pairs of rows that share a column (the smaller index first), and how many columns they share.

    Examples
    --------
    >>> present = csr_array(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0]]))
    >>> [part.tolist() for part in pairs_with_common(present)]
    [[0, 1], [1, 2], [2, 1]]
    """
    shared = triu(present @ present.T, 1, format="csr").tocoo()
    first, second = (part.astype(np.int64) for part in shared.coords)
    return first, second, np.rint(shared.data).astype(np.int64)


def entries(matrix: csr_array, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return the values of a sparse matrix at rows and columns; it is sorted first, for binary search."""
    if not len(rows):
        return np.zeros(0)
    matrix.sum_duplicates()
    return np.asarray(matrix[rows, columns], np.float64).ravel()


def tail_bound(count: IntArray, trials: IntArray, mean: FloatArray) -> FloatArray:
    """Bound the probability that at least so many independent events happen, of unequal probabilities.

    Parameters
    ----------
    count, trials
        How many happened, of how many.
    mean
        The sum of the probabilities.

    Returns
    -------
    numpy.ndarray
        The upper tail of the binomial distribution with the same mean; 1 where `count` is less than `mean` + 1.

    Notes
    -----
    W. Hoeffding, *On the distribution of the number of successes in independent trials*, 1956: from one above the mean
    on, no unequal probabilities with this mean have a larger tail.

    Examples
    --------
    >>> tail_bound(np.array([2, 2]), np.array([2, 2]), np.array([1.0, 1.5])).tolist()
    [0.25, 1.0]
    """
    chance = np.clip(mean / np.maximum(trials, 1), 0.0, 1.0)
    tail = betainc(np.maximum(count, 1), np.maximum(trials - count, 0) + 1, chance)
    return np.where((count > 0) & (count >= mean + 1), tail, 1.0)


def agreements(
    item: IntArray, reporter: IntArray, code: IntArray, minority: BoolArray | None, *, test: bool
) -> pl.DataFrame:
    """List the pairs of reporters that agree most, beyond what reporters of equal skill would.

    Parameters
    ----------
    item, reporter, code
        The reports, as codes from 0; at most one per item and reporter.
    minority
        Per report: whether it is against the majority of the others; None if that means nothing.
    test
        Whether to add p-values, which hold if all reporters are equally skilled.

    Returns
    -------
    polars.DataFrame
        At most MOST_LISTED pairs that agree more often than expected, the largest excess, in standard deviations,
        first: the indices ``first`` and ``second``; ``common`` items; ``same`` and ``different`` reports on them;
        ``same_minority``, how many of the same ones are both against the majority of the others; ``expected``, the
        number of same reports if on each item every reporter were as likely as any other to have given each of its
        reports. With `test` also ``p_value``, an upper bound of the probability of agreeing as often then, and
        ``p_adjusted``, the same adjusted for all pairs (Holm).

    Notes
    -----
    Given the reports of an item, c of one kind of m in all, two equally skilled reporters gave the same with
    probability Σ c (c − 1) / (m (m − 1)); the items are independent.

    Examples
    --------
    >>> votes = np.random.default_rng(1).integers(0, 2, (200, 6))
    >>> votes[:, 4] = votes[:, 3]
    >>> listed = agreements(*np.indices(votes.shape).reshape(2, -1), votes.ravel(), None, test=False)
    >>> listed.select("first", "second", "common", "same", "different").row(0)
    (3, 4, 200, 200, 0)
    """
    panel, items, codes = (int(part.max(initial=-1)) + 1 for part in (reporter, item, code))
    cell = item * codes + code
    count, size = np.bincount(cell, minlength=items * codes), np.bincount(item, minlength=items)
    same_pairs = (count * (count - 1)).reshape(items, codes).sum(axis=1) if len(item) else np.zeros(0)
    chance = (same_pairs / np.maximum(size * (size - 1), 1))[item]
    present = sparse(reporter, item, np.ones(len(item)), (panel, items))
    first, second, common = pairs_with_common(present)

    def both(column: IntArray, values: NDArray[np.generic], width: int, other: csr_array | None = None) -> FloatArray:
        """Return for each pair the sum over common columns."""
        matrix = sparse(reporter, column, values, (panel, width))
        return entries((matrix @ (matrix if other is None else other).T).tocsr(), first, second)

    same = np.rint(both(cell, np.ones(len(item)), items * codes)).astype(np.int64)
    expected = both(item, chance, items, present)
    spread = np.sqrt(np.maximum(both(item, chance * (1 - chance), items, present), 0.0))
    columns = {"first": first, "second": second, "common": common, "same": same, "different": common - same}
    if minority is not None:
        columns["same_minority"] = np.rint(both(cell, minority, items * codes)).astype(np.int64)
    table = pl.DataFrame(columns | {"expected": expected})
    if test:
        p_value = tail_bound(same, common, expected)
        table = table.with_columns(p_value=p_value, p_adjusted=holm(p_value))
    excess = np.where(spread > 0, (same - expected) / np.where(spread > 0, spread, 1.0), 0.0)
    ranked = table.with_columns(_excess=np.round(excess, 9)).filter(pl.col("_excess") > 0)
    order = ["p_value"] * test + ["_excess", "first", "second"]
    descending = [False] * test + [True, False, False]
    return ranked.sort(order, descending=descending).head(MOST_LISTED).drop("_excess")
