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
_POLISH_STEPS = 60
# A count's mass, or a weight, that is rounding.
_MASSLESS, _DROPPED = 1e-13, 1e-15


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


def polish(cuts: Cuts, answer: Answer) -> Answer:
    """Improve an answer to the last digits, for a loss whose Bayes act is the probability itself.

    Parameters
    ----------
    cuts : Cuts
        The cuts of the program, under the squared or the logarithmic loss.
    answer : Answer
        Nearly optimal.

    Returns
    -------
    Answer
        Weights that prove no less, and the Bayes acts of the mixture.

    Notes
    -----
    Newton's method on the lower bound, a concave function of the weights, with an active set. The gradient is the
    regret of the Bayes acts under each cut. The Hessian is −Σₓ curvature(x)/mass(x)·v vᵀ with
    v = (1 − f)·ones − f·zeros.
    """
    # At an interior point either the weight of a cut or its slack is the smaller one: that one belongs at 0.
    slacks = cuts.regrets(answer.forecasts)
    slacks = slacks.max() - slacks
    free = answer.weights > slacks
    weights = _normalised(np.where(free, answer.weights, 0.0))
    bound = cuts.lower_bound(weights)
    for _ in range(_POLISH_STEPS):
        regrets, hessian = _derivatives(cuts, answer.forecasts, weights, free)
        edge = np.ones((hessian.shape[0], 1))
        system = np.block([[hessian, edge], [edge.T, np.zeros((1, 1))]])
        step = np.zeros(weights.size)
        step[free] = np.linalg.lstsq(system, np.append(regrets[free], 0.0), rcond=1e-14)[0][:-1]
        falling = step < 0
        furthest = float(np.min(-weights[falling] / step[falling], initial=1.0))
        length = furthest
        while length > 1e-6 and cuts.lower_bound(_normalised(weights + length * step)) < bound:
            length /= 2
        if length > 1e-6:
            moved = _normalised(weights + length * step)
            if length == furthest < 1:
                free &= moved > _DROPPED
                moved = _normalised(np.where(free, moved, 0.0))
            gain = cuts.lower_bound(moved) - bound
            weights, bound = moved, bound + gain
            if gain > 1e-15 or length == furthest < 1:
                continue
        missing = np.where(free | np.isinf(regrets), -np.inf, regrets)
        if missing.max() <= weights[free] @ regrets[free] + 1e-14:
            break
        free[missing.argmax()] = True
    return Answer(_forecasts(cuts, answer.forecasts, weights), weights)


def _derivatives(cuts: Cuts, otherwise: Floats, weights: Floats, free: NDArray[np.bool]) -> tuple[Floats, Floats]:
    """Regrets of the Bayes acts under all cuts, and minus the Hessian of the lower bound in the free weights."""
    forecasts = _forecasts(cuts, otherwise, weights)
    total = weights @ (cuts.ones + cuts.zeros)
    inner = (total > _MASSLESS) & (forecasts > 0) & (forecasts < 1)
    acts = forecasts[inner]
    curvature = 2.0 if isinstance(cuts.loss, Squared) else 1 / (acts * (1 - acts))
    slopes = (1 - acts) * cuts.ones[np.ix_(free, inner)] - acts * cuts.zeros[np.ix_(free, inner)]
    return cuts.regrets(forecasts), (slopes * (curvature / total[inner])) @ slopes.T


def _forecasts(cuts: Cuts, otherwise: Floats, weights: Floats) -> Floats:
    """Bayes acts of the mixture; other forecasts at the counts that it does not show, or where they are sure."""
    acts = cuts.acts(weights)
    sure = isinstance(cuts.loss, Log) & ((acts < _MASSLESS) | (acts > 1 - _MASSLESS))
    return np.where((weights @ (cuts.ones + cuts.zeros) > _MASSLESS) & ~sure, acts, otherwise)


def _normalised(weights: Floats) -> Floats:
    """Weights that are not negative and sum to 1; uniform where none is positive."""
    weights = np.maximum(np.nan_to_num(weights, nan=0.0, posinf=0.0), 0.0)
    return weights / weights.sum() if weights.sum() > 0 else np.full(weights.size, 1 / weights.size)
