"""The worst law of truthful errors for given losses: a linear program with three constraints."""

import math
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw, within


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
    from scipy.optimize import linprog

    errors = bounds.errors
    values = losses[errors]
    single, pairs = bounds.shares(errors)
    if np.isinf(values).any():
        certain = errors[np.isinf(values)][:1]
        law = within(ErrorLaw(certain, np.ones(1)), bounds)
        return WorstLaw(math.inf, math.inf, law)
    found = linprog(
        -values,
        A_ub=np.stack([pairs, single, -single]),
        b_ub=[bounds.joint, bounds.most, -bounds.least],
        A_eq=np.ones((1, errors.size)),
        b_eq=[1.0],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    bend, up, down = np.maximum(0.0, -found.ineqlin.marginals) if found.success else np.zeros(3)
    level = float((values - (up - down) * single - bend * pairs).max())
    upper = float(level + up * bounds.most - down * bounds.least + bend * bounds.joint)
    weights = np.maximum(found.x, 0.0) if found.success else np.zeros(errors.size)
    law = within(ErrorLaw(errors[weights > 0], weights[weights > 0]), bounds)
    return WorstLaw(min(float(law.weights @ losses[law.errors]), upper), upper, law)
