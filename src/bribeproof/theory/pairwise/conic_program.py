"""The best rule against all laws of errors within bounds, as one conic program."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw

_TOLERANCE = 1e-11
_LINE = 4
"""The variables of a line: level, slope, bend, and how far the slope is below 0."""


class ProgramSolution(NamedTuple):
    """Forecasts for 0, …, n reports of H, a law of errors given state 1 and given state 0, and the worst prior."""

    forecasts: FloatArray
    laws: tuple[ErrorLaw, ErrorLaw]
    prior: float


class _Cones(NamedTuple):
    """Blocks of cones ``right − A·x``: entries of A with rows counted in the block, and right sides."""

    height: int
    of_line: tuple[tuple[int, float], ...]
    """Rows of a block in which the line stands, and its factor."""
    of_forecast: tuple[int, float]
    """Row and factor of the forecast."""
    right: tuple[float, ...]


def solve_program(
    panel: Panel, prior: tuple[float, float], loss: Loss, given_1: ErrorBounds, given_0: ErrorBounds
) -> ProgramSolution:
    """Return the rule with the least largest expected loss, and laws against which no rule does better.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    prior : pair of floats
        The lowest and the highest possible μ = Pr[state = 1].
    loss : Loss
        Squared, logarithmic, absolute or cost-weighted.
    given_1, given_0 : ErrorBounds
        What is known of the truthful errors in each state.

    Returns
    -------
    ProgramSolution
        As accurate as the solver makes it. No bound relies on that.

    Notes
    -----
    docs/theory.md §12. In each state a line in the shares of reporters and of pairs who err lies above all losses:
    given state 1 the worst that adversaries do with j errors is n − k − j reports of H, given state 0 it is j + k. The
    dual variables of these constraints are the laws.
    """
    import clarabel
    from scipy.sparse import coo_matrix, csc_matrix

    n, ends = panel.n, prior if prior[0] < prior[1] else ()
    width = n + 1 + 2 * _LINE + (1 if ends else 0)
    rows, columns, factors = _order(n)
    linear = n + 8 + len(ends)
    right = [np.zeros(n + 7), np.ones(1), np.zeros(len(ends))]
    height, cones = linear, [clarabel.NonnegativeConeT(linear)]
    objective = np.zeros(width)
    if ends:  # the larger of the losses at the two ends
        objective[-1] = 1.0
        rows.append(np.arange(n + 8, linear))
        columns.append(np.full(2, width - 1))
        factors.append(np.full(2, -1.0))
    starts = []
    for state, bounds in zip((1, 0), (given_1, given_0), strict=True):
        line = n + 1 + _LINE * (1 - state)
        price = np.array([1.0, bounds.most, bounds.joint, bounds.most - bounds.least])
        if not ends:
            objective[line : line + _LINE] = (prior[0] if state else 1 - prior[0]) * price
        for place, end in enumerate(ends):
            rows.append(np.full(_LINE, n + 8 + place))
            columns.append(np.arange(line, line + _LINE))
            factors.append((end if state else 1 - end) * price)
        # bend ≥ 0, fall ≥ 0 and fall ≥ −slope; where the error rate is known, a fall costs nothing and is left out
        free = n + 1 + 3 * (1 - state)
        rows.append(np.array([free, free + 1, free + 2, free + 2]))
        columns.append(line + np.array([2, 3, 3, 1]))
        factors.append(np.array([-1.0, -1.0, -1.0, -1.0 if bounds.least < bounds.most else 0.0]))
        errors = bounds.errors
        seen = panel.truthful - errors if state == 1 else errors + panel.k
        single, pairs = bounds.shares(errors)
        block = _cones(loss, state)
        base = height + block.height * np.arange(errors.size)
        for row, factor in block.of_line:
            for place, share in enumerate((np.ones(errors.size), single, pairs)):
                rows.append(base + row)
                columns.append(np.full(errors.size, line + place))
                factors.append(factor * share)
        rows.append(base + block.of_forecast[0])
        columns.append(seen)
        factors.append(np.full(errors.size, block.of_forecast[1]))
        right.append(np.tile(block.right, errors.size))
        cones += _blocks(clarabel, loss, errors.size)
        starts.append((height, block, errors))
        height += block.height * errors.size
    entries = (np.concatenate(factors), (np.concatenate(rows), np.concatenate(columns)))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _TOLERANCE
    solver = clarabel.DefaultSolver(
        csc_matrix((width, width)),
        objective,
        csc_matrix(coo_matrix(entries, shape=(height, width))),
        np.concatenate(right),
        cones,
        settings,
    )
    solution = solver.solve()
    forecasts = np.clip(np.nan_to_num(np.array(solution.x[: n + 1]), nan=prior[0]), 0.0, 1.0)
    dual = np.nan_to_num(np.array(solution.z), nan=0.0)
    shares = np.maximum(dual[n + 8 : linear], 0.0)
    worst = float(shares @ prior / shares.sum()) if shares.sum() > 0 else prior[0]
    first, second = (_law(dual, *start, weight) for start, weight in zip(starts, (worst, 1 - worst), strict=True))
    return ProgramSolution(np.maximum.accumulate(forecasts), (first, second), worst)


def _order(n: int) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]], list[FloatArray]]:
    """Return the entries of f₀ ≤ f₁ ≤ … ≤ fₙ, f₀ ≥ 0 and fₙ ≤ 1; six rows between these are left for the lines."""
    index = np.arange(n)
    rows = [index, index, np.array([n]), np.array([n + 7])]
    columns = [index, index + 1, np.array([0]), np.array([n])]
    return rows, columns, [np.ones(n), -np.ones(n), np.array([-1.0]), np.ones(1)]


def _cones(loss: Loss, state: int) -> _Cones:
    """Return how a line lies above the loss of a forecast, as the rows of one cone."""
    match loss:
        case Squared():
            # line ≥ g² as |(line − 1, 2g)| ≤ line + 1, for g = 1 − f or f
            return _Cones(3, ((0, -1.0), (1, -1.0)), (2, 2.0 if state else -2.0), (1.0, -1.0, 2.0 if state else 0.0))
        case Log():
            # line ≥ −log g as exp(−line) ≤ g, for g = f or 1 − f
            return _Cones(3, ((0, 1.0),), (2, -1.0 if state else 1.0), (0.0, 1.0, 0.0 if state else 1.0))
        case CostWeighted(false_positive, false_negative):
            price = -false_negative if state else false_positive
            return _Cones(1, ((0, -1.0),), (0, price), (-false_negative if state else 0.0,))
        case _:
            raise ParameterError(
                f"loss = {loss.name!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)"
            )


def _blocks(clarabel: Any, loss: Loss, count: int) -> list[Any]:
    """Return the cones of some blocks."""
    if isinstance(loss, CostWeighted):
        return [clarabel.NonnegativeConeT(count)]
    cone = clarabel.SecondOrderConeT(3) if isinstance(loss, Squared) else clarabel.ExponentialConeT()
    return [cone] * count


def _law(dual: FloatArray, start: int, block: _Cones, errors: NDArray[np.int64], weight: float) -> ErrorLaw:
    """Return the law that the dual variables of a state are."""
    parts = dual[start : start + block.height * errors.size].reshape(errors.size, block.height)
    masses = -sum(factor * parts[:, row] for row, factor in block.of_line)
    masses = np.maximum(masses, 0.0) / weight if weight > 0 else np.zeros(errors.size)
    used = masses > 0
    return ErrorLaw(errors[used], masses[used])
