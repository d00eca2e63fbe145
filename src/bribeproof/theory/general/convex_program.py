"""Exact minimax regret over a finite family of information structures, by one convex program."""

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.general.benchmark import benchmark_losses, least_losses, loss_name
from bribeproof.theory.general.families import Family
from bribeproof.theory.general.solution import GeneralSolution
from bribeproof.theory.general.worst_regret import worst_regret
from bribeproof.theory.model.distributions import normalised
from bribeproof.theory.model.histograms import histograms, reachable
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss


def exact_minimax(family: Family, k: int, loss: Loss | str = "squared") -> GeneralSolution:
    """Return the rule with the least worst regret over a family, with a certificate.

    Parameters
    ----------
    family : Family
        The information structures.
    k : int
        Number of adversaries, at least 0.
    loss : "squared" or "absolute"
        (1 − y)² or 1 − y for the forecast y of the true state.

    Returns
    -------
    GeneralSolution
        The rule with its worst regret, and Nature's mixture and strategy as witness of the lower bound. Where the
        solver fails, `converged` is False and both bounds still hold.

    Raises
    ------
    ParameterError
        An invalid k or another loss.

    Notes
    -----
    docs/theory.md, Theorem 9.6: minimise t over forecasts f and worst losses z(ω, h), where z(ω, h) ≥ ℓ(f(x)_ω) at
    every x that can follow h, and t ≥ Σ P(ω, h)·z(ω, h) − benchmark for each structure. The multipliers give Nature's
    mixture and strategy. Both bounds are recomputed, so they hold however accurate the solver was.

    Examples
    --------
    >>> from bribeproof.theory.general.families import conditionally_independent
    >>> solution = exact_minimax(conditionally_independent(truthful=1, accuracies=(1.0,)), k=1)
    >>> round(solution.lower, 6), round(solution.upper, 6)
    (0.25, 0.25)
    """
    import clarabel
    from scipy.sparse import coo_array, csc_array, vstack

    squared = loss_name(loss) == "squared"
    reach = reachable(family.truthful, family.reports, k)
    seen, states = len(histograms(family.truthful + k, family.reports)), family.states
    state, row = np.nonzero(family.laws.sum(axis=0))
    forecasts, pairs, ways = seen * states, state.size, reach.shape[1]
    width = forecasts + pairs + 1
    # One row for each possible (ω, h) and each x in its reach; `forecast` and `worst` are the columns of f and z.
    lines = np.arange(pairs * ways)
    forecast = (reach[row] * states + state[:, None]).ravel()
    worst = forecasts + np.repeat(np.arange(pairs), ways)

    def matrix(rows: int, *entries: tuple[float | FloatArray, NDArray[np.int64], NDArray[np.int64]]) -> coo_array:
        data, down, across = (np.concatenate([np.broadcast_to(e[i], e[1].shape) for e in entries]) for i in range(3))
        return coo_array((data, (down, across)), shape=(rows, width))

    cells, nature = np.arange(forecasts), np.arange(family.structures)
    across = np.tile(forecasts + np.arange(pairs), family.structures)
    joint = (family.laws[:, state, row].ravel(), nature.repeat(pairs), across)
    blocks = [
        (matrix(seen, (1.0, cells // states, cells)), np.ones(seen)),
        (matrix(forecasts, (-1.0, cells, cells)), np.zeros(forecasts)),
        (matrix(nature.size, joint, (-1.0, nature, np.full(nature.size, width - 1))), benchmark_losses(family, loss)),
    ]
    cones = [clarabel.ZeroConeT(seen), clarabel.NonnegativeConeT(forecasts + family.structures)]
    if squared:  # z ≥ (1 − f)² is (z + 1, 2(1 − f), z − 1) in the second-order cone
        entries = ((-1.0, 3 * lines, worst), (2.0, 3 * lines + 1, forecast), (-1.0, 3 * lines + 2, worst))
        blocks.append((matrix(3 * lines.size, *entries), np.tile([1.0, 2.0, -1.0], lines.size)))
        cones += [clarabel.SecondOrderConeT(3)] * lines.size
    else:
        blocks.append((matrix(lines.size, (-1.0, lines, worst), (-1.0, lines, forecast)), -np.ones(lines.size)))
        cones.append(clarabel.NonnegativeConeT(lines.size))
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-11
    objective = np.zeros(width)
    objective[-1] = 1
    matrices, bounds = zip(*blocks, strict=True)
    solved = clarabel.DefaultSolver(
        csc_array((width, width)), objective, vstack(matrices).tocsc(), np.concatenate(bounds), cones, options
    ).solve()
    # The solver may have failed: whatever it returned is made a rule and a mixture, with entries of at most 1.
    primal, dual = (np.clip(np.nan_to_num(values), -1, 1) for values in (solved.x, solved.z[seen + forecasts :]))
    rule = normalised(primal[:forecasts].reshape(seen, states))
    weights, flow = normalised(dual[: family.structures]), dual[family.structures :]
    flow = (flow[0::3] + flow[2::3] if squared else flow).reshape(pairs, ways)
    shares = np.zeros((states, *reach.shape))
    shares[state, row] = flow
    strategy = normalised(shares)
    upper, lower = worst_regret(family, k, rule, loss), _least_regret(family, k, weights, strategy, loss)
    return GeneralSolution(family, k, get_loss(loss), rule, weights, strategy, lower=min(lower, upper), upper=upper)


def _least_regret(family: Family, k: int, weights: FloatArray, strategy: FloatArray, loss: Loss | str) -> float:
    """Return the regret of the best rule against a mixture of structures and a strategy of the adversaries."""
    reach = reachable(family.truthful, family.reports, k)
    joint = np.einsum("t,tsh->sh", weights, family.laws)
    mass = np.zeros((len(histograms(family.truthful + k, family.reports)), family.states))
    for state in range(family.states):
        np.add.at(mass[:, state], reach, joint[state, :, None] * strategy[state])
    return float(least_losses(np.minimum(mass, 1), loss).sum() - weights @ benchmark_losses(family, loss))
