"""The simplex method for linear programs of few rows and many columns, from a basis that is known."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray

_ROUNDING = 1e-13
_LEAST_SHARE = 1e-9
_INFEASIBLE = 1e-10
"""How far below 0 the weights of a basis may be."""
_MOST_STEPS = 1000
"""How many steps are made at most; tens are enough."""
_PATIENCE = 50
"""After so many steps the first column that gains anything enters, which ends a walk in circles."""


class Optimum(NamedTuple):
    """The solution of a linear program.

    Attributes
    ----------
    prices
        The dual variables of the rows; no column gains by more than rounding at them.
    weights
        The variables.
    basis
        The columns whose variables may be positive, one for each row.
    """

    prices: FloatArray
    weights: FloatArray
    basis: NDArray[np.int64]


def maximise(
    gains: FloatArray, columns: FloatArray, limits: FloatArray, basis: NDArray[np.int64], rounding: float = _ROUNDING
) -> Optimum | None:
    """Maximise gains·w over w ≥ 0 with columns·w = limits; None where rounding defeats it: then a solver is needed.

    A solver takes several times as long to be called, for programs of this size.

    Parameters
    ----------
    gains : array of shape (size,)
        What a unit of each column gains.
    columns : array of shape (rows, size)
        What it takes of each row.
    limits : array of shape (rows,)
        What there is of each row.
    basis : integer array of shape (rows,)
        Columns that satisfy all rows with weights of at least 0.
    rounding : float
        A column enters if it gains more than this, relative to the largest gain.

    Examples
    --------
    >>> maximise(np.array([1.0, 3, 0]), np.array([[1.0, 1, 1]]), np.array([2.0]), np.array([2])).weights
    array([0., 2., 0.])
    """
    basis, least = basis.copy(), rounding * max(1.0, float(np.abs(gains).max()))
    try:
        for step in range(_MOST_STEPS):
            inside = columns[:, basis]
            prices = np.linalg.solve(inside.T, gains[basis]).astype(np.float64)
            reduced = gains - prices @ columns
            reduced[basis] = 0.0
            better = np.flatnonzero(reduced > least)
            entering = 0 if not better.size else reduced.argmax() if step < _PATIENCE else better[0]
            amounts, moved = np.linalg.solve(inside, np.stack([limits, columns[:, entering]], axis=1)).T
            if not better.size:
                if amounts.min() < -_INFEASIBLE:
                    return None
                weights = np.zeros(gains.size)
                weights[basis] = np.maximum(0.0, amounts)
                return Optimum(prices, weights, basis)
            # a column that leaves with hardly a share in the one that enters would leave a singular basis behind
            left = np.divide(
                np.maximum(amounts, 0.0), moved, out=np.full(moved.size, np.inf), where=moved > _LEAST_SHARE
            )
            first = left <= left.min() + _ROUNDING
            basis[np.where(first, moved, 0.0).argmax()] = entering
    except np.linalg.LinAlgError:
        pass
    return None
