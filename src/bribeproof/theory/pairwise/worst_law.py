"""The worst law of truthful errors for given losses: a linear program with three constraints."""

import math
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw, within
from bribeproof.theory.pairwise.simplex import maximise

_MOST_POINTS = 5000
"""How many errors are looked at first; others are added where they matter."""
_ROUNDING = 1e-13


class WorstLaw(NamedTuple):
    """The largest expected loss over all laws of errors within bounds, between two proven numbers.

    Attributes
    ----------
    lower
        Expected loss under `law`.
    upper
        No law within the bounds has a larger expected loss.
    law
        A law of at most three points that attains `lower`.
    """

    lower: float
    upper: float
    law: ErrorLaw


def worst_law(losses: FloatArray, bounds: ErrorBounds) -> WorstLaw:
    """Return the worst law of errors.

    Parameters
    ----------
    losses : array of shape (N + 1,)
        The loss for 0, …, N errors; at least 0, and may be infinite.
    bounds : ErrorBounds
        What is known of the errors.

    Returns
    -------
    WorstLaw
        Both numbers are recomputed from the solution of the linear program, so that neither relies on its accuracy.

    Notes
    -----
    docs/theory.md §12. The dual has a line through the losses in two variables, the shares of reporters and of pairs
    who err: the upper bound is the value of any such line that lies above all losses.

    Examples
    --------
    >>> worst = worst_law(np.array([0.0, 0.0, 1.0, 1.0]), ErrorBounds(size=3, least=0.25, most=0.25, joint=0.0625))
    >>> round(worst.upper, 9), worst.law.errors, worst.law.weights.round(9)
    (0.1875, array([0, 1, 2]), array([0.4375, 0.375 , 0.1875]))
    """
    errors = bounds.errors
    values = losses[errors]
    if np.isinf(values).any():
        certain = errors[np.isinf(values)][:1]
        law = within(ErrorLaw(certain, np.ones(1)), bounds)
        return WorstLaw(math.inf, math.inf, law)
    if values.min() == values.max():  # whatever the law
        return WorstLaw(float(values[0]), float(values[0]), within(ErrorLaw(errors[:1], np.ones(1)), bounds))
    single, pairs = bounds.shares(errors)
    mean = int(bounds.least * bounds.scale)  # a law on two whole numbers around it is within all bounds
    some = np.linspace(0, errors.size - 1, min(errors.size, _MOST_POINTS)).round().astype(np.int64)
    some = np.union1d(some, np.clip([mean - errors[0], mean + 1 - errors[0]], 0, errors.size - 1))
    while True:
        prices, weights = _solve(values[some], single[some], pairs[some], bounds)
        up, down, bend = prices
        above = values - (up - down) * single - bend * pairs
        level = float(above.max())
        missed = np.flatnonzero(above > above[some].max() + _ROUNDING * max(1.0, abs(level)))
        missed = np.setdiff1d(missed, some)
        if not missed.size:
            break
        highest = missed[np.argsort(-above[missed], kind="stable")[:_MOST_POINTS]]
        some = np.union1d(some, highest)
    upper = float(level + up * bounds.most - down * bounds.least + bend * bounds.joint)
    law = within(ErrorLaw(errors[some[weights > 0]], weights[weights > 0]), bounds)
    return WorstLaw(min(float(law.weights @ losses[law.errors]), upper), upper, law)


def _solve(
    values: FloatArray, single: FloatArray, pairs: FloatArray, bounds: ErrorBounds
) -> tuple[tuple[float, float, float], FloatArray]:
    """Return the prices of a larger mean, of a smaller one and of more pairs, and the worst law of some errors.

    The search begins with the law on the two whole numbers around the least mean.
    """
    size, known = values.size, bounds.least == bounds.most
    rows = [np.ones(size), single, pairs] if known else [np.ones(size), single, pairs, single]
    slacks = np.eye(3)[:, [2]] if known else np.eye(4)[:, [2, 1, 3]] * [1.0, 1.0, -1.0]
    columns, gains = np.hstack([np.stack(rows), slacks]), np.append(values, np.zeros(slacks.shape[1]))
    limits = np.array([1.0, bounds.most, bounds.joint, bounds.least][: len(rows)])
    first = min(max(int(np.searchsorted(single, bounds.least, side="right")) - 1, 0), size - 2)
    basis = np.array([first, first + 1, size, size + 1][: len(rows)])
    found = maximise(gains, columns, limits, basis)
    if found is None:
        return _by_solver(values, single, pairs, bounds)
    up, bend = float(found.prices[1]), max(0.0, float(found.prices[2]))
    down = 0.0 if known else max(0.0, -float(found.prices[3]))
    return (up if known else max(0.0, up), down, bend), found.weights[:size]


def _by_solver(
    values: FloatArray, single: FloatArray, pairs: FloatArray, bounds: ErrorBounds
) -> tuple[tuple[float, float, float], FloatArray]:
    """Return the same by a solver, which takes several times as long."""
    from scipy.optimize import linprog

    found = linprog(
        -values,
        A_ub=np.stack([single, -single, pairs]),
        b_ub=[bounds.most, -bounds.least, bounds.joint],
        A_eq=np.ones((1, values.size)),
        b_eq=[1.0],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        return (0.0, 0.0, 0.0), np.zeros(values.size)
    up, down, bend = np.maximum(0.0, -found.ineqlin.marginals).tolist()
    return (up, down, bend), np.maximum(found.x, 0.0)
