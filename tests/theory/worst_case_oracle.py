"""Brute force at small n: exact worst cases and exact optima, sharing no code with the package.

A loss is given as its name, or as the pair of prices (false positive, false negative).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

FloatArray: TypeAlias = NDArray[np.float64]
Loss: TypeAlias = str | tuple[float, float]


class WorstCase(NamedTuple):
    """Largest regret and largest expected loss; different structures may attain them."""

    regret: float
    loss: float


def losses(values: FloatArray, loss: Loss) -> tuple[FloatArray, FloatArray]:
    """Losses of the forecasts in state 0 and in state 1."""
    if loss == "squared":
        return values**2, (1 - values) ** 2
    if loss == "log":
        with np.errstate(divide="ignore"):
            return np.abs(np.log(1 - values)), np.abs(np.log(values))
    false_positive, false_negative = _prices(loss)
    return false_positive * values, false_negative * (1 - values)


def joint_risk(mass_1: FloatArray, mass_0: FloatArray, loss: Loss) -> FloatArray:
    """Least loss where the states have these joint masses."""
    both = (mass_1 > 0) & (mass_0 > 0)
    one, zero = np.where(both, mass_1, 1.0), np.where(both, mass_0, 1.0)
    if loss == "squared":
        risk = one * zero / (one + zero)
    elif loss == "log":
        risk = one * np.log1p(zero / one) + zero * np.log1p(one / zero)
    else:
        false_positive, false_negative = _prices(loss)
        risk = np.minimum(false_negative * one, false_positive * zero)
    return np.where(both, risk, 0.0)


def two_point(size: int, mean: float) -> FloatArray:
    """All distributions on {0, ..., size} with two points and this mean, one a row."""
    rows = []
    for low in range(size + 1):
        for high in range(low, size + 1):
            if low - 1e-9 <= mean <= high + 1e-9 and (low < high or abs(mean - low) < 1e-9):
                row = np.zeros(size + 1)
                weight = 0.0 if low == high else min(max((mean - low) / (high - low), 0.0), 1.0)
                weight = 0.0 if weight < 1e-12 else 1.0 if weight > 1 - 1e-12 else weight
                row[low] += 1 - weight
                row[high] += weight
                rows.append(row)
    return np.array(rows)


def worst_case(values: FloatArray, k: int, prior: float, tpr: float, fpr: float, loss: Loss) -> WorstCase:
    """Exact worst case of a rule over all pairs of two-point distributions and all pure strategies."""
    size = values.size - 1 - k
    given_0, given_1 = losses(values, loss)
    reachable = np.arange(size + 1)[:, None] + np.arange(k + 1)
    worst_1, worst_0 = given_1[reachable].max(axis=1), given_0[reachable].max(axis=1)
    ones, zeros = two_point(size, size * tpr), two_point(size, size * fpr)
    with np.errstate(invalid="ignore"):  # an infinite loss in a state that never is, counts 0
        loss_1 = prior * np.where(ones > 0, ones * np.where(ones > 0, worst_1, 0), 0).sum(axis=1)
        loss_0 = (1 - prior) * np.where(zeros > 0, zeros * np.where(zeros > 0, worst_0, 0), 0).sum(axis=1)
    loss_1, loss_0 = np.nan_to_num(loss_1, posinf=np.inf), np.nan_to_num(loss_0, posinf=np.inf)
    benchmark = joint_risk(prior * ones[:, None, :], (1 - prior) * zeros[None, :, :], loss).sum(axis=2)
    total = loss_1[:, None] + loss_0
    return WorstCase(float((total - benchmark).max()), float(total.max()))


def minimax_regret(n: int, k: int, prior: float, tpr: float, fpr: float, loss: Loss) -> float:
    """Exact minimax regret of a piecewise linear loss, by one linear program."""
    return _minimax(n, k, prior, tpr, fpr, loss, benchmark=True)


def minimax_loss(n: int, k: int, prior: float, tpr: float, fpr: float, loss: Loss) -> float:
    """Exact minimax expected loss of a piecewise linear loss, by one linear program."""
    return _minimax(n, k, prior, tpr, fpr, loss, benchmark=False)


def _minimax(n: int, k: int, prior: float, tpr: float, fpr: float, loss: Loss, *, benchmark: bool) -> float:
    """Minimise t over the rule's values and the worst losses z1, z0 of each truthful count."""
    false_positive, false_negative = _prices(loss)
    size = n - k
    ones, zeros = two_point(size, size * tpr), two_point(size, size * fpr)
    width = n + 1 + 2 * (size + 1) + 1
    rows: list[FloatArray] = []
    bounds: list[float] = []
    for truthful in range(size + 1):
        for count in range(truthful, truthful + k + 1):
            row = np.zeros(width)
            row[count], row[n + 1 + truthful] = -false_negative, -1
            rows.append(row)
            bounds.append(-false_negative)
            row = np.zeros(width)
            row[count], row[n + 1 + size + 1 + truthful] = false_positive, -1
            rows.append(row)
            bounds.append(0.0)
    for one in ones:
        for zero in zeros:
            row = np.zeros(width)
            row[n + 1 : n + 2 + size], row[n + 2 + size : -1], row[-1] = prior * one, (1 - prior) * zero, -1
            rows.append(row)
            overlap = joint_risk(prior * one, (1 - prior) * zero, loss).sum()
            bounds.append(float(overlap) if benchmark else 0.0)
    objective = np.zeros(width)
    objective[-1] = 1
    limits = [(0, 1)] * (n + 1) + [(None, None)] * (width - n - 1)
    return solve(objective, A_ub=np.array(rows), b_ub=bounds, bounds=limits)


def solve(objective: FloatArray, **program: Any) -> float:
    """Value of a linear program that must have a solution."""
    solution = linprog(objective, method="highs", **program)
    assert solution.status == 0, solution.message
    return float(solution.fun)


def histograms(total: int, labels: int) -> Iterator[tuple[int, ...]]:
    """All ways to share `total` reports among the labels."""
    if labels == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in histograms(total - first, labels - 1):
            yield (first, *rest)


def multistate_minimax_loss(n: int, k: int, prior: tuple[float, ...], accuracy: tuple[float, ...]) -> float:
    """Exact minimax probability of error over all rules on histograms, by one linear program.

    For each state, α + β·T bounds the loss at every histogram that T right reports can lead to; α + β·N·q is
    then the worst expected loss of that state (linear programming duality in the distribution of T).
    """
    labels, size = len(prior), n - k
    seen = list(histograms(n, labels))
    cells = len(seen) * labels
    objective = np.zeros(cells + 2 * labels)
    objective[cells : cells + labels] = prior
    objective[cells + labels :] = np.array(prior) * size * np.array(accuracy)
    rows: list[FloatArray] = []
    sums = np.zeros((len(seen), objective.size))
    for index, histogram in enumerate(seen):
        sums[index, index * labels : (index + 1) * labels] = 1
        for state, count in enumerate(histogram):
            for right in {max(0, count - k), min(count, size)}:
                row = np.zeros(objective.size)
                row[index * labels + state] = row[cells + state] = -1
                row[cells + labels + state] = -right
                rows.append(row)
    limits = [(0, 1)] * cells + [(None, None)] * (2 * labels)
    return solve(
        objective,
        A_ub=np.array(rows),
        b_ub=-np.ones(len(rows)),
        A_eq=sums,
        b_eq=np.ones(len(seen)),
        bounds=limits,
    )


def _prices(loss: Loss) -> tuple[float, float]:
    """Prices of the two kinds of error."""
    if isinstance(loss, str):
        assert loss == "absolute", loss
        return 1.0, 1.0
    return loss
