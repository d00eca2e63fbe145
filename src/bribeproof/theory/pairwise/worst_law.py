"""The worst law of truthful errors for given losses: a linear program with three constraints."""

import math
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw, within

_MOST_POINTS = 5000
"""How many errors are looked at first; others are added where they matter."""
_ROUNDING = 1e-13
_MOST_STEPS = 1000
"""How many steps the simplex method makes at most; tens are enough."""
_PATIENCE = 50
"""After so many steps it takes the first column that gains anything, and so does not go round in circles."""


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

    The simplex method with a basis of three columns, or of four where the mean has two bounds: a solver takes several
    times as long to be called. It begins with the law on the two whole numbers around the least mean.
    """
    size, known = values.size, bounds.least == bounds.most
    rows = [np.ones(size), single, pairs] if known else [np.ones(size), single, pairs, single]
    slacks = np.eye(3)[:, [2]] if known else np.eye(4)[:, [2, 1, 3]] * [1.0, 1.0, -1.0]
    columns, gains = np.hstack([np.stack(rows), slacks]), np.append(values, np.zeros(slacks.shape[1]))
    limits = np.array([1.0, bounds.most, bounds.joint, bounds.least][: len(rows)])
    first = min(max(int(np.searchsorted(single, bounds.least, side="right")) - 1, 0), size - 2)
    basis = np.array([first, first + 1, size, size + 1][: len(rows)])
    least = _ROUNDING * max(1.0, float(np.abs(values).max()))
    prices, weights = np.zeros(len(rows)), np.zeros(gains.size)
    with suppress(np.linalg.LinAlgError):  # a basis that is singular by rounding ends the search; both bounds hold
        for step in range(_MOST_STEPS):
            inside = columns[:, basis]
            prices = np.linalg.solve(inside.T, gains[basis])
            reduced = gains - prices @ columns
            reduced[basis] = 0.0
            better = np.flatnonzero(reduced > least)
            entering = 0 if not better.size else reduced.argmax() if step < _PATIENCE else better[0]
            amounts, moved = np.linalg.solve(inside, np.stack([limits, columns[:, entering]], axis=1)).T
            if not better.size:
                weights[basis] = np.maximum(0.0, amounts)
                break
            left = np.divide(np.maximum(amounts, 0.0), moved, out=np.full(moved.size, np.inf), where=moved > _ROUNDING)
            basis[left.argmin()] = entering
    up, bend = float(prices[1]), max(0.0, float(prices[2]))
    return (up, 0.0, bend) if known else (max(0.0, up), max(0.0, -float(prices[3])), bend), weights[:size]
