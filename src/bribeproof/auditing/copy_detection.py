"""Find pairs of reporters that agree more often than independent reporters would."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, triu
from scipy.special import betainc, expit, logit, ndtr, ndtri_exp

from bribeproof._typing import FloatArray, IntArray

_ROUNDS, _LEARNING, _FITTING, _HALVINGS = 5, 5, 30, 40
_ENOUGH = 50_000
"""Medians are taken of a subset of about so many pairs."""
_WEIGHTS = (0.3, 1.5)
"""Bounds of the weights of reporters, their log-odds of agreeing with the others; no clique dominates."""
_CLIP, _REACH = 2.0, 3.0
"""A residual, and a factor, is clipped at so many times the typical one when the common factor is fitted."""
_QUARTILE = 0.6745
"""The upper quartile of the standard normal distribution."""
_FURTHEST = 40.0
"""The largest log-odds of a reporter."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of reporters, one per element of each array.

    Attributes
    ----------
    first, second
        The indices of the reporters; the first is the smaller.
    common
        The number of items on which both reported, and others too.
    same
        The number of those on which both reported the same.
    expected
        The expected number of those if the two were independent.
    p_value
        An upper bound of the probability that independent reporters agree so often.
    p_adjusted
        The p-value adjusted for all pairs (Holm).
    """

    first: IntArray
    second: IntArray
    common: IntArray
    same: IntArray
    expected: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray

    def filter(self, mask: NDArray[np.bool_]) -> "Pairs":
        """Return the pairs that a mask selects."""
        return Pairs(*(getattr(self, name)[mask] for name in self.__slots__))


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


def near_identical(item: IntArray, reporter: IntArray, label: IntArray, risk: float) -> Pairs:
    """Find the pairs of reporters that agree more often than independent reporters would.

    Parameters
    ----------
    item, reporter, label
        The reports, as codes from 0; at most one per item and reporter.
    risk
        The largest probability of naming even one pair wrongly, in (0, 1).

    Returns
    -------
    Pairs
        The near-identical pairs.

    Notes
    -----
    Independent means independent given the item. On each item, the most frequent label of the others is the one that
    a reporter would choose, and the disagreement of the others is the difficulty of the item. Each reporter has its
    own log-odds of deviating from each such label, added to those of the item so that the expected number of
    deviations is the observed one, and its own distribution of deviating labels. This gives the probability that a
    pair agrees on each item; the tail of the number of agreements is bounded by that of a binomial distribution with
    the same mean (W. Hoeffding, *On the distribution of the number of successes in independent trials*, 1956). Three
    effects beyond that are estimated from all pairs by medians: one hidden factor, such as a skill that the others
    lack; a common shift; and a spread of pairs beyond chance. The model, and so the risk, is approximate; the tests
    check it on simulated panels. Near-identical reporters do not count as others of each other, and the search is
    repeated without them.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> votes = rng.integers(0, 2, (200, 12))
    >>> votes[:, 4] = votes[:, 3]
    >>> pairs = near_identical(*np.indices(votes.shape).reshape(2, -1), votes.ravel(), risk=0.05)
    >>> pairs.first, pairs.second, pairs.same
    (array([3]), array([4]), array([200]))
    """
    if not len(item):
        return _no_pairs()
    panel, classes = int(reporter.max()) + 1, int(label.max()) + 1
    votes = _matrix(reporter, item * classes + label, np.ones(len(item)), panel, (int(item.max()) + 1) * classes)
    alike = eye_array(panel, format="csr")
    pairs = _no_pairs()
    for _ in range(_ROUNDS):
        comparable, chances = _label_probabilities(item, reporter, label, votes, alike)
        tested = _test_pairs(item[comparable], reporter[comparable], label[comparable], chances[comparable], panel)
        new = tested.filter(tested.p_adjusted <= risk)
        if len(new.first) <= len(pairs.first):
            break
        pairs = new
        links = _matrix(pairs.first, pairs.second, np.ones(len(pairs.first)), panel, panel)
        alike = eye_array(panel, format="csr") + links + links.T
    return pairs


def _matrix(row: IntArray, column: IntArray, values: FloatArray, rows: int, columns: int) -> csr_array:
    """Return a sparse matrix of values at rows and columns."""
    return csr_array((values, (row, column)), shape=(rows, columns))


def _at(matrix: csr_array, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return the values of a sparse matrix at rows and columns; it is sorted first, for binary search."""
    matrix.sum_duplicates()
    return np.asarray(matrix[rows, columns]).ravel()


def _label_probabilities(
    item: IntArray, reporter: IntArray, label: IntArray, votes: csr_array, alike: csr_array
) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return which reports have others on their item, and the probability of each label for each report."""
    classes = votes.shape[1] // (int(item.max()) + 1)
    cells = item[:, None] * classes + np.arange(classes)
    rows = np.repeat(reporter, classes)

    def of_others(weights: FloatArray) -> FloatArray:
        """Return the weighted number of votes of the others for each label."""
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
    """Return the log-odds of each kind of report that, added to those of the items, explain its deviations."""
    count = np.bincount(kind)
    wanted = count * (np.bincount(kind, apart) + 0.5) / (count + 1.0)
    low, high = np.full(len(count), -_FURTHEST), np.full(len(count), _FURTHEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        less = np.bincount(kind, expit(middle[kind] + hard)) < wanted
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    return np.asarray((low + high) / 2)


def _test_pairs(item: IntArray, reporter: IntArray, label: IntArray, chances: FloatArray, panel: int) -> Pairs:
    """Test each pair with common items."""
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
    return _with_p_values(pairs, np.rint(shared.data).astype(np.int64), np.rint(same).astype(np.int64), expected)


def _no_pairs() -> Pairs:
    """Return an empty set of pairs."""
    none = np.zeros(0, np.int64)
    return Pairs(none, none, none, none, *[np.zeros(0)] * 3)


def _common_factor(pairs: IntArray, excess: FloatArray, weights: FloatArray, panel: int) -> FloatArray:
    """Return the part of the excess agreement of each pair that one hidden factor explains.

    The excess is fitted by the product of one number per reporter; residuals are clipped, for robustness.
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


def _with_p_values(pairs: IntArray, common: IntArray, same: IntArray, expected: FloatArray) -> Pairs:
    """Return pairs with p-values: upper tails of binomial distributions, widened by the spread of the panel."""
    expected = np.minimum(expected, common)
    chance = expected / np.maximum(common, 1)
    tail = np.where(same > 0, betainc(np.maximum(same, 1), common - same + 1, chance), 1.0)
    spread = np.sqrt(np.maximum(common * chance * (1 - chance), 0.0))
    shift, width = _shift_and_spread(same - expected, spread, common)
    total = np.sqrt(spread**2 + (width * common) ** 2)
    # log_ndtr and ndtri_exp keep the digits of tails far below the smallest float.
    quantile = -ndtri_exp(np.log(np.clip(tail, 1e-300, 1 - 1e-16)))
    z = (quantile * spread - shift * common) / np.where(total > 0, total, np.inf)
    # Below the mean, the binomial distribution does not bound that of unequal probabilities: no claim is made.
    p_value = np.where(same >= expected + 1, np.maximum(ndtr(-z), tail), 1.0)
    return Pairs(pairs[:, 0], pairs[:, 1], common, same, expected, p_value, holm(p_value))


def _shift_and_spread(excess: FloatArray, spread: FloatArray, common: IntArray) -> tuple[float, float]:
    """Return the typical excess agreement per item, and its spread between pairs beyond chance.

    Both are medians weighted by common items, which a few copying pairs do not move.
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
    """Return the weighted median, of an evenly spaced subset if there are many values."""
    step = max(1, len(values) // _ENOUGH)
    values, weights = values[::step], weights[::step]
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
