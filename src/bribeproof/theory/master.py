"""The conic program that answers a set of cuts: the best rule against them and Nature's mixture of them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import ParameterError
from bribeproof.theory.cuts import Cuts
from bribeproof.theory.losses import CostWeighted, Log, Squared

Floats = NDArray[np.float64]

# Clarabel never reports tighter tolerances as solved; the polish goes further.
_TOLERANCE = 1e-10


class Answer(NamedTuple):
    """Forecasts for the seen counts and Nature's weights of the cuts."""

    forecasts: Floats
    weights: Floats


def solve_master(cuts: Cuts) -> Answer:
    """Rule with the least regret under the worst of the cuts, and Nature's mixture against it.

    Parameters
    ----------
    cuts : Cuts
        At least one cut.

    Returns
    -------
    Answer
        As good as the solver makes it. Nothing rests on it: both bounds are computed from it anew.

    Raises
    ------
    ParameterError
        A loss that is neither squared nor logarithmic nor absolute with costs.

    Notes
    -----
    theory.md §7. The variables are the forecasts, lifts u ≥ ℓ(f, ·) with one small cone each, and t. Every cut is one
    linear row; the dual variables of these rows are the mixture.
    """
    import clarabel
    from scipy.sparse import bmat, csc_matrix, identity

    size = cuts.seen.size
    unit, column = identity(size, format="csc"), csc_matrix(np.full((cuts.benchmarks.size, 1), -1.0))
    ones, zeros = csc_matrix(cuts.ones), csc_matrix(cuts.zeros)
    mass_1 = cuts.ones.sum(axis=1)
    bounds = [[-unit], [unit]]
    limits = [np.zeros(size), np.ones(size)]
    cones: list[Any] = []
    match cuts.loss:
        case Squared():
            # u >= f^2 as the second-order cone |(u - 1, 2f)| <= u + 1; then (1 - f)^2 is 1 - 2f + u.
            first = bmat([[-2 * ones, ones + zeros, column]])
            right = cuts.benchmarks - mass_1
            lifts = size
            places = np.arange(size)
            rows = np.concatenate([3 * places, 3 * places + 1, 3 * places + 2])
            columns = np.concatenate([size + places, size + places, places])
            values = np.repeat([-1.0, -1.0, -2.0], size)
            curved = csc_matrix((values, (rows, columns)), shape=(3 * size, size + lifts + 1))
            curve_limits = np.tile([1.0, -1.0, 0.0], size)
            cones = [clarabel.SecondOrderConeT(3)] * size
        case Log():
            # u >= -log f as exp(-u) <= f, only where the state has mass: elsewhere the lift would run off.
            used_1, used_0 = (np.flatnonzero(masses.any(axis=0)) for masses in (cuts.ones, cuts.zeros))
            first = bmat([[csc_matrix((cuts.benchmarks.size, size)), ones[:, used_1], zeros[:, used_0], column]])
            right = cuts.benchmarks
            lifts = used_1.size + used_0.size
            places = np.arange(lifts)
            rows = np.concatenate([3 * places, 3 * places + 2])
            columns = np.concatenate([size + places, used_1, used_0])
            values = np.concatenate([np.ones(lifts), np.full(used_1.size, -1.0), np.ones(used_0.size)])
            curved = csc_matrix((values, (rows, columns)), shape=(3 * lifts, size + lifts + 1))
            curve_limits = np.zeros(3 * lifts)
            curve_limits[1::3] = 1.0
            curve_limits[3 * used_1.size + 2 :: 3] = 1.0
            cones = [clarabel.ExponentialConeT()] * lifts
        case CostWeighted(false_positive, false_negative):
            first = bmat([[false_positive * zeros - false_negative * ones, column]])
            right = cuts.benchmarks - false_negative * mass_1
            lifts = 0
            curved, curve_limits = csc_matrix((0, size + 1)), np.zeros(0)
        case _:
            raise ParameterError(
                f"loss = {cuts.loss.name!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)"
            )
    width = size + lifts + 1
    bounds_matrix = bmat([[bmat(bounds), csc_matrix((2 * size, width - size))]])
    matrix = csc_matrix(bmat([[first], [bounds_matrix], [curved]]))
    objective = np.zeros(width)
    objective[-1] = 1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _TOLERANCE
    linear = clarabel.NonnegativeConeT(cuts.benchmarks.size + 2 * size)
    solver = clarabel.DefaultSolver(
        csc_matrix((width, width)),
        objective,
        matrix,
        np.concatenate([right, *limits, curve_limits]),
        [linear, *cones],
        settings,
    )
    solution = solver.solve()
    forecasts = np.clip(np.nan_to_num(np.array(solution.x[:size]), nan=0.5), 0.0, 1.0)
    return Answer(forecasts, _normalised(np.array(solution.z[: cuts.benchmarks.size])))


def _normalised(weights: Floats) -> Floats:
    """Weights that are not negative and sum to 1; uniform where none is positive."""
    weights = np.maximum(np.nan_to_num(weights, nan=0.0, posinf=0.0), 0.0)
    return weights / weights.sum() if weights.sum() > 0 else np.full(weights.size, 1 / weights.size)
