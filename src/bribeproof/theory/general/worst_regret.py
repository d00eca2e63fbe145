"""Exact worst regret of any rule in the general model."""

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._validation import probabilities, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.general.benchmark import benchmark_losses, loss_name
from bribeproof.theory.general.families import Family
from bribeproof.theory.model.histograms import histograms, reachable
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss


def worst_regret(family: Family, k: int, rule: ArrayLike, loss: Loss | str = "squared") -> float:
    """Return the exact worst regret of a rule over a family and all strategies of the adversaries.

    Parameters
    ----------
    family : Family
        The information structures.
    k : int
        Number of adversaries, at least 0.
    rule : float array of shape (C(n + r - 1, r - 1), m)
        Forecast at each row of `histograms(N + k, r)`.
    loss : "squared" or "absolute"
        (1 − y)² or 1 − y for the forecast y of the true state.

    Returns
    -------
    float
        Largest expected loss minus the loss of the benchmark, who knows the structure and the truthful histogram.

    Raises
    ------
    ParameterError
        A rule of another shape or whose forecasts do not sum to 1, an invalid k, or another loss.

    Notes
    -----
    docs/theory.md §9. The adversaries know the state and the truthful histogram.

    Examples
    --------
    >>> from bribeproof.theory.general.families import conditionally_independent
    >>> worst_regret(conditionally_independent(truthful=1, accuracies=(1.0,)), k=0, rule=[[0.5, 0.5], [0.5, 0.5]])
    0.25
    """
    forecasts = probabilities("rule", rule)
    shape = (len(histograms(family.truthful + whole_number("k", k), family.reports)), family.states)
    if forecasts.shape != shape or not np.allclose(forecasts.sum(axis=1), 1, rtol=0, atol=1e-9):
        raise ParameterError(f"rule has shape {forecasts.shape}; give {shape}, each row summing to 1")
    losses = get_loss(loss_name(loss)).value(forecasts, 1)
    worst = losses[reachable(family.truthful, family.reports, k)].max(axis=1)
    return float((np.einsum("tsh,hs->t", family.laws, worst) - benchmark_losses(family, loss)).max())
