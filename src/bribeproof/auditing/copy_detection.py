"""Reporters whose reports are alike beyond what independent reporters would show."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, triu
from scipy.special import betainc, expit, logit, ndtr, ndtri_exp

from bribeproof._typing import FloatArray, IntArray

_ROUNDS, _LEARNING, _FITTING, _HALVINGS = 5, 5, 30, 40
_ENOUGH = 50_000
"""So many pairs are enough for a median."""
_WEIGHTS = (0.3, 1.5)
"""Reporters count by the log-odds of agreeing with the others, within these bounds, so that no clique takes over."""
_CLIP, _REACH = 2.0, 3.0
"""A pair, and a reporter, counts for no more than so many times a typical one where a common factor is fitted."""
_QUARTILE = 0.6745
"""Half of a normal distribution lies within so many standard deviations."""
_FURTHEST = 40.0
"""The largest log-odds that a reporter is given."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of reporters, one per place of each array.

    Attributes
    ----------
    first, second
        The reporters, by number; the first is the smaller.
    common
        Items on which both reported and others did as well.
    same
        Those of them on which both reported the same.
    expected
        How many that would be on average, if the two were independent.
    p_value
        The chance that independent reporters agree so often, at most.
    p_adjusted
        The same, with regard to all pairs that were looked at (Holm).
    """

    first: IntArray
    second: IntArray
    common: IntArray
    same: IntArray
    expected: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray

    def at(self, places: NDArray[np.bool_]) -> "Pairs":
        """Return some of the pairs."""
        return Pairs(*(getattr(self, name)[places] for name in self.__slots__))


def holm(p_values: FloatArray) -> FloatArray:
    """Adjust p-values so that those at most α hold no false one with a probability of at least 1 − α.

    Parameters
    ----------
    p_values
        In [0, 1]; they may depend on one another in any way.

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


def near_identical(item: IntArray, reporter: IntArray, label: IntArray, risk: float) -> Pairs:
    """Find the pairs of reporters that agree more often than independent reporters would.

    Parameters
    ----------
    item, reporter, label
        The reports, each as numbers from 0; at most one per item and reporter.
    risk
        Probability in (0, 1) of naming even one pair wrongly, at most.

    Returns
    -------
    Pairs
        Those found.

    Notes
    -----
    Independent means: given the item. On each item the others' most frequent label says where a reporter would stand,
    and the others' disagreement how hard the item is; each reporter has, for each such label, an own log-odds of
    deviating that is added to the item's, so that as many deviations are expected as there are, and an own taste for
    labels. A pair then agrees on each item with some chance; the number of agreements is no further out than a
    binomial one of the same mean (W. Hoeffding, 1956). Three things are allowed for beyond that, learnt from all pairs
    by medians: one hidden factor, such as a skill that the others lack; a common shift; and a spread of pairs beyond
    chance. The model is an approximation, so the risk is one as well; the tests hold it on made panels.
    Reporters that were found alike no longer vouch for one another: the others are then those apart from both, and the
    search is repeated.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> votes = rng.integers(0, 2, (200, 12))
    >>> votes[:, 4] = votes[:, 3]
    >>> found = near_identical(*np.indices(votes.shape).reshape(2, -1), votes.ravel(), risk=0.05)
    >>> found.first, found.second, found.same
    (array([3]), array([4]), array([200]))
    """
    if not len(item):
        return _no_pairs()
    panel, classes = int(reporter.max()) + 1, int(label.max()) + 1
    votes = _matrix(reporter, item * classes + label, np.ones(len(item)), panel, (int(item.max()) + 1) * classes)
    alike = eye_array(panel, format="csr")
    found = _no_pairs()
    for _ in range(_ROUNDS):
        known, chances = _chances(item, reporter, label, votes, alike)
        tested = _tested(item[known], reporter[known], label[known], chances[known], panel)
        new = tested.at(tested.p_adjusted <= risk)
        if len(new.first) <= len(found.first):
            break
        found = new
        links = _matrix(found.first, found.second, np.ones(len(found.first)), panel, panel)
        alike = eye_array(panel, format="csr") + links + links.T
    return found


def _matrix(row: IntArray, column: IntArray, values: FloatArray, rows: int, columns: int) -> csr_array:
    """Return a sparse matrix."""
    return csr_array((values, (row, column)), shape=(rows, columns))


def _at(matrix: csr_array, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return some values of a sparse matrix; those of a sorted one are found by halving."""
    matrix.sum_duplicates()
    return np.asarray(matrix[rows, columns]).ravel()


def _chances(
    item: IntArray, reporter: IntArray, label: IntArray, votes: csr_array, alike: csr_array
) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return which reports have others beside them, and for each report the chance of each label."""
    classes = votes.shape[1] // (int(item.max()) + 1)
    cells = item[:, None] * classes + np.arange(classes)
    rows = np.repeat(reporter, classes)

    def of_others(weights: FloatArray) -> FloatArray:
        """Count the votes of the others for each label, by weight."""
        weighted = csr_array(votes.multiply(weights[:, None]))
        own = _at(alike @ weighted, rows, cells.ravel()).reshape(cells.shape)
        left: FloatArray = np.maximum(np.asarray(weighted.sum(axis=0)).ravel()[cells] - own, 0.0)
        return left

    others = of_others(np.ones(votes.shape[0]))
    total = others.sum(axis=1)
    heard, usual = others, others.argmax(axis=1)
    count = np.bincount(reporter, minlength=votes.shape[0])
    for _ in range(_LEARNING):
        agreed = np.bincount(reporter, label == usual, minlength=len(count))
        weight = np.log(max(classes - 1, 1)) + logit((agreed + 0.5 + 0.5 / classes) / (count + 1.5))
        heard = of_others(np.clip(weight, *_WEIGHTS))
        usual = heard.argmax(axis=1)
    at_usual = (np.arange(len(item)), usual)
    apart = label != usual
    weights = heard.sum(axis=1)
    hard = logit((weights - heard[at_usual] + 0.5) / (weights + 1.0))
    kind = reporter * classes + usual
    deviating = expit(_log_odds(kind, hard, apart)[kind] + hard)
    others[at_usual] = 0.0
    taste = np.bincount(kind[apart] * classes + label[apart], minlength=votes.shape[0] * classes**2)
    taste = taste.reshape(-1, classes)
    panel = taste.reshape(-1, classes, classes).sum(axis=0) + 1.0 / classes
    np.fill_diagonal(panel, 0.0)
    panel /= np.maximum(panel.sum(axis=1, keepdims=True), 1e-300)
    prior = panel[usual]
    weights = (taste[kind] + prior) * (others + prior) / np.where(prior > 0, prior, np.inf)
    chances = weights * (deviating / np.maximum(weights.sum(axis=1), 1e-300))[:, None]
    chances[at_usual] = 1.0 - deviating
    return total > 0, chances


def _log_odds(kind: IntArray, hard: FloatArray, apart: NDArray[np.bool_]) -> FloatArray:
    """Return for each kind of report the log-odds, to be added to those of the items, that explain the deviations."""
    count = np.bincount(kind)
    wanted = count * (np.bincount(kind, apart) + 0.5) / (count + 1.0)
    low, high = np.full(len(count), -_FURTHEST), np.full(len(count), _FURTHEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        less = np.bincount(kind, expit(middle[kind] + hard)) < wanted
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return np.asarray((low + high) / 2)


def _tested(item: IntArray, reporter: IntArray, label: IntArray, chances: FloatArray, panel: int) -> Pairs:
    """Test all pairs that have items in common."""
    classes, items = chances.shape[1], int(item.max(initial=-1)) + 1
    cells = item[:, None] * classes + np.arange(classes)
    present = _matrix(reporter, item, np.ones(len(item)), panel, items)
    votes = _matrix(reporter, item * classes + label, np.ones(len(item)), panel, items * classes)
    likely = _matrix(np.repeat(reporter, classes), cells.ravel(), chances.ravel(), panel, items * classes)
    shared = triu(present @ present.T, 1, format="coo")
    if not shared.nnz:
        return _no_pairs()
    pairs = np.column_stack(shared.coords).astype(np.int64)
    same, expected = (_at(one @ one.T, *pairs.T) for one in (votes, likely))
    expected += shared.data * np.maximum(_common_factor(pairs, (same - expected) / shared.data, shared.data, panel), 0)
    return _pairs(pairs, np.rint(shared.data).astype(np.int64), np.rint(same).astype(np.int64), expected)


def _no_pairs() -> Pairs:
    """Return no pairs at all."""
    none = np.zeros(0, np.int64)
    return Pairs(none, none, none, none, *[np.zeros(0)] * 3)


def _common_factor(pairs: IntArray, excess: FloatArray, weights: FloatArray, panel: int) -> FloatArray:
    """Return what one hidden factor, such as a skill that the others' labels miss, explains of the pairs' agreement.

    The excess of a pair is fitted by a product of one number per reporter; pairs that stand out count like others.
    """
    ends = np.concatenate([pairs, pairs[:, ::-1]])
    first, second = ends.T
    both = np.concatenate([weights, weights])
    level = np.sqrt(max(_median(np.abs(excess), weights), 1e-12))
    factor = np.sign(np.bincount(first, both * np.concatenate([excess, excess]), minlength=panel)) * level
    for _ in range(_FITTING):
        fitted = factor[pairs[:, 0]] * factor[pairs[:, 1]]
        rest = excess - fitted
        most = _CLIP * _median(np.abs(rest), weights)
        clipped = fitted + np.clip(rest, -most, most)
        pull = np.bincount(first, both * np.concatenate([clipped, clipped]) * factor[second], minlength=panel)
        size = np.bincount(first, both * factor[second] ** 2, minlength=panel)
        factor = (factor + pull / np.maximum(size, 1e-12)) / 2
        usual = _REACH * np.median(np.abs(factor))
        factor = np.clip(factor, -usual, usual)
    return np.asarray(factor[pairs[:, 0]] * factor[pairs[:, 1]])


def _pairs(pairs: IntArray, common: IntArray, same: IntArray, expected: FloatArray) -> Pairs:
    """Return pairs with their p-values: upper tails of binomial distributions, widened by what the panel varies."""
    expected = np.minimum(expected, common)
    chance = expected / np.maximum(common, 1)
    tail = np.where(same > 0, betainc(np.maximum(same, 1), common - same + 1, chance), 1.0)
    spread = np.sqrt(np.maximum(common * chance * (1 - chance), 0.0))
    shift, width = _misfit(same - expected, spread, common)
    total = np.sqrt(spread**2 + (width * common) ** 2)
    # log_ndtr and ndtri_exp keep the digits of tails far below the smallest float.
    quantile = -ndtri_exp(np.log(np.clip(tail, 1e-300, 1 - 1e-16)))
    z = (quantile * spread - shift * common) / np.where(total > 0, total, np.inf)
    # Below its mean a sum of unequal chances is not bounded by a binomial one; nothing is claimed there.
    p_value = np.where(same >= expected + 1, np.maximum(ndtr(-z), tail), 1.0)
    return Pairs(pairs[:, 0], pairs[:, 1], common, same, expected, p_value, holm(p_value))


def _misfit(excess: FloatArray, spread: FloatArray, common: IntArray) -> tuple[float, float]:
    """Return by how much pairs agree more than expected per item, typically, and how much that varies beyond chance.

    Medians, weighted by common items: a few pairs that copy do not move them.
    """
    shift = max(0.0, _median(excess / common, common))
    step = max(1, len(excess) // _ENOUGH)
    away, spreads, sizes = np.abs(excess - shift * common)[::step], spread[::step], common[::step]
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        scaled = away / np.sqrt(spreads**2 + (middle * sizes) ** 2 + 1e-300)
        low, high = (middle, high) if _median(scaled, sizes) > _QUARTILE else (low, middle)
    return shift, high


def _median(values: FloatArray, weights: FloatArray | IntArray) -> float:
    """Return the weighted median, of a part that is spread evenly where there are many."""
    step = max(1, len(values) // _ENOUGH)
    values, weights = values[::step], weights[::step]
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
