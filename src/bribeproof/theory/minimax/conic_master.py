"""The master problem of the cutting planes: the best rule against a set of cuts, as a conic program."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory.minimax.cuts import Cuts
from bribeproof.theory.model.losses import CostWeighted, Log, Squared

# Clarabel reports no tighter tolerance as solved; the interior-point refinement goes further.
_TOLERANCE = 1e-10


class MasterSolution(NamedTuple):
    """Forecasts for the counts seen, and Nature's weights of the cuts."""

    forecasts: FloatArray
    weights: FloatArray


def solve_master(cuts: Cuts) -> MasterSolution:
    """Return the rule with the least regret under the worst of the cuts, and Nature's mixture against it.

    Parameters
    ----------
    cuts : Cuts
        At least one cut.

    Returns
    -------
    MasterSolution
        As accurate as the solver makes it. No bound relies on that: both are recomputed from rule and mixture.

    Raises
    ------
    ParameterError
        A loss that is not absolute, cost-weighted, squared or logarithmic.

    Notes
    -----
    docs/theory.md §7, cutting planes. The variables are the forecasts, lifts u ≥ ℓ(f, ·) with one small cone each, and
    t. Each cut is one linear row; the dual variables of these rows are the mixture.
    """
    import clarabel
    from scipy.sparse import csc_matrix

    size, count = cuts.seen.size, cuts.benchmarks.size
    curves = _curves(cuts)
    width = size + curves.lifts + 1
    matrix = np.zeros((count + 2 * size + len(curves.cone_right), width))
    matrix[:count, :-1], matrix[:count, -1] = curves.rows, -1.0
    matrix[count : count + size, :size] = -np.eye(size)
    matrix[count + size : count + 2 * size, :size] = np.eye(size)
    matrix[count + 2 * size + curves.entries[0], curves.entries[1]] = curves.entries[2]
    objective = np.zeros(width)
    objective[-1] = 1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _TOLERANCE
    solver = clarabel.DefaultSolver(
        csc_matrix((width, width)),
        objective,
        csc_matrix(matrix),
        np.concatenate([curves.right, np.zeros(size), np.ones(size), curves.cone_right]),
        [clarabel.NonnegativeConeT(count + 2 * size), *curves.cones],
        settings,
    )
    solution = solver.solve()
    forecasts = np.clip(np.nan_to_num(np.array(solution.x[:size]), nan=0.5), 0.0, 1.0)
    return MasterSolution(forecasts, _normalised(np.array(solution.z[:count])))


class _Curves(NamedTuple):
    """The loss in conic form: rows and right sides of the cuts, and the cones of the lifts.

    The columns of `rows` are forecasts and lifts. `entries` are row indices, column indices and values of the cones'
    matrix.
    """

    rows: FloatArray
    right: FloatArray
    lifts: int
    entries: tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]
    cone_right: FloatArray
    cones: list[Any]


def _curves(cuts: Cuts) -> _Curves:
    """Return the loss of the cuts in conic form."""
    import clarabel

    size, mass_1 = cuts.seen.size, cuts.ones.sum(axis=1)
    match cuts.loss:
        case Squared():
            # u >= f^2 as the second-order cone |(u - 1, 2f)| <= u + 1; then (1 - f)^2 is 1 - 2f + u.
            index = np.arange(size)
            return _Curves(
                rows=np.hstack([-2 * cuts.ones, cuts.ones + cuts.zeros]),
                right=cuts.benchmarks - mass_1,
                lifts=size,
                entries=(
                    np.concatenate([3 * index, 3 * index + 1, 3 * index + 2]),
                    np.concatenate([size + index, size + index, index]),
                    np.repeat([-1.0, -1.0, -2.0], size),
                ),
                cone_right=np.tile([1.0, -1.0, 0.0], size),
                cones=[clarabel.SecondOrderConeT(3)] * size,
            )
        case Log():
            # u >= -log f as exp(-u) <= f, only where the state has mass: elsewhere the lift would be unbounded.
            used_1, used_0 = (np.flatnonzero(masses.any(axis=0)) for masses in (cuts.ones, cuts.zeros))
            lifts = used_1.size + used_0.size
            index, cone_right = np.arange(lifts), np.zeros(3 * lifts)
            cone_right[1::3] = 1.0
            cone_right[3 * used_1.size + 2 :: 3] = 1.0
            return _Curves(
                rows=np.hstack([np.zeros(cuts.ones.shape), cuts.ones[:, used_1], cuts.zeros[:, used_0]]),
                right=cuts.benchmarks,
                lifts=lifts,
                entries=(
                    np.concatenate([3 * index, 3 * index + 2]),
                    np.concatenate([size + index, used_1, used_0]),
                    np.concatenate([np.ones(lifts), np.full(used_1.size, -1.0), np.ones(used_0.size)]),
                ),
                cone_right=cone_right,
                cones=[clarabel.ExponentialConeT()] * lifts,
            )
        case CostWeighted(false_positive, false_negative):
            no_index = np.zeros(0, dtype=np.int64)
            return _Curves(
                rows=false_positive * cuts.zeros - false_negative * cuts.ones,
                right=cuts.benchmarks - false_negative * mass_1,
                lifts=0,
                entries=(no_index, no_index, np.zeros(0)),
                cone_right=np.zeros(0),
                cones=[],
            )
        case _:
            raise ParameterError(
                f"loss = {cuts.loss.name!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)"
            )


def _normalised(weights: FloatArray) -> FloatArray:
    """Return nonnegative weights that sum to 1; uniform where none is positive."""
    weights = np.maximum(np.nan_to_num(weights, nan=0.0, posinf=0.0), 0.0)
    return weights / weights.sum() if weights.sum() > 0 else np.full(weights.size, 1 / weights.size)
