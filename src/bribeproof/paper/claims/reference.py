"""Exact values that claims are compared with, from solvers that use none of the closed forms."""

from collections.abc import Mapping
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof.paper.claims.instances import CrowdInstance, LabelsInstance
from bribeproof.theory import Aggregator, Loss, get_loss, minimax, multistate_minimax, worst_case
from bribeproof.theory.minimax.conic_master import solve_master
from bribeproof.theory.minimax.cuts import Cut, Cuts
from bribeproof.theory.worst_case.scenario import Scenario


def beyond(value: float, low: float, high: float) -> float:
    """Return the distance of a value from an interval.

    Examples
    --------
    >>> beyond(0.75, low=0.25, high=0.5), beyond(0.3, low=0.25, high=0.5)
    (0.25, 0.0)
    """
    return max(low - value, value - high, 0.0)


def regret(rule: Aggregator | ArrayLike, crowd: CrowdInstance, loss: Loss | str) -> float:
    """Return the exact worst regret of a rule.

    Examples
    --------
    >>> regret([0.0, 0.0, 0.5, 1.0, 1.0], CrowdInstance(4, 1, 0.5, 0.75, 0.25), "absolute")
    0.375
    """
    return worst_case(rule, crowd.panel, crowd.expert, loss).regret


def least_regret(crowd: CrowdInstance, loss: Loss | str) -> tuple[float, float]:
    """Return a lower and an upper bound on the least worst regret of all rules."""
    solution = minimax(crowd.panel, crowd.expert, loss)
    return solution.lower, solution.upper


def least_error(labels: LabelsInstance) -> tuple[float, float]:
    """Return a lower and an upper bound on the least worst regret of all rules for many states.

    The upper bound is one on the expected loss. The lower bound is the value of Nature's play, minus the loss of the
    benchmark in it.
    """
    solution = multistate_minimax(labels.panel, labels.expert)
    masses: dict[tuple[int, ...], FloatArray] = {}
    for play in solution.plays:
        masses.setdefault(play.truthful, np.zeros(labels.expert.states))[play.state] += play.probability
    benchmark = sum(float(mass.sum() - mass.max()) for mass in masses.values())
    return solution.lower - benchmark, solution.upper


def structure_regret(
    forecasts: ArrayLike,
    crowd: CrowdInstance,
    structure: tuple[Mapping[int, float], Mapping[int, float]],
    strategy: tuple[Mapping[int, int], Mapping[int, int]],
    loss: Loss | str,
) -> float:
    """Return the regret of a rule under one structure and one strategy, by summation.

    Parameters
    ----------
    forecasts : array of shape (n + 1,)
        The rule.
    crowd : CrowdInstance
        Panel and prior.
    structure : pair of mappings
        Probability of each truthful count, given state 0 and given state 1.
    strategy : pair of mappings
        Number of adversaries who say H at a truthful count, given state 0 and given state 1; 0 by default.
    loss : Loss or str
        Loss of the forecast.

    Returns
    -------
    float
        Expected loss, minus that of the best forecast from the truthful count.

    Examples
    --------
    >>> crowd = CrowdInstance(4, 1, 0.5, 0.75, 0.25)
    >>> structure_regret([0.0, 0.0, 0.5, 1.0, 1.0], crowd, bad_structure(crowd), ({0: 1, 2: 1}, {}), "absolute")
    0.375
    """
    loss, values = get_loss(loss), np.asarray(forecasts, dtype=np.float64)
    priors = (1 - crowd.prior, crowd.prior)
    expected, masses = 0.0, {count: [0.0, 0.0] for given in structure for count in given}
    for state, (given, liars) in enumerate(zip(structure, strategy, strict=True)):
        for count, weight in given.items():
            seen = count + liars.get(count, 0)
            expected += priors[state] * weight * loss.value(float(values[seen]), state)
            masses[count][state] += priors[state] * weight
    benchmark = sum(sum(mass) * loss.bayes_risk(mass[1] / sum(mass)) for mass in masses.values() if sum(mass) > 0)
    return float(expected - benchmark)


def bad_structure(crowd: CrowdInstance) -> tuple[dict[int, float], dict[int, float]]:
    """Return the paper's bad structure: the law of the truthful count given state 0, and given state 1.

    Examples
    --------
    >>> bad_structure(CrowdInstance(4, 1, 0.5, 0.75, 0.25))
    ({0: 0.625, 2: 0.375}, {1: 0.375, 3: 0.625})
    """
    n, k, truthful = crowd.n, crowd.k, crowd.panel.truthful
    high_1, high_0 = crowd.panel.effective_rates(crowd.expert)
    return {0: 1 - high_0, n - 2 * k: high_0}, {k: 1 - high_1, truthful: high_1}


def four_count_rule(crowd: CrowdInstance) -> tuple[FloatArray, float]:
    """Return the best forecasts for 0, 1, n − 1, n and their worst regret on these counts; k = 0, squared loss."""
    counts = sorted({0, 1, crowd.n - 1, crowd.n})
    sides = [_distributions(counts, crowd.n * rate) for rate in (crowd.tpr, crowd.fpr)]
    cuts = Cuts.of([Cut(one, zero) for one, zero in product(*sides)], crowd.expert, get_loss("squared"))
    answer = solve_master(cuts)
    forecasts = np.interp(counts, cuts.seen, answer.forecasts)
    return forecasts, cuts.lower_bound(answer.weights)


def _distributions(counts: list[int], mean: float) -> list[Scenario]:
    """Return all distributions with a given mean on at most two of the counts, without adversaries."""
    mean = round(mean, 9)
    points = [Scenario((count,), (1.0,), (0,)) for count in counts if count == mean]
    pairs = [(low, high) for low, high in combinations(counts, 2) if low < mean < high]
    weights = [(mean - low) / (high - low) for low, high in pairs]
    return points + [Scenario(pair, (1 - w, w), (0, 0)) for pair, w in zip(pairs, weights, strict=True)]
