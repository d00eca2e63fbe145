"""The benchmark of the general model: the best forecasts of somebody who knows the structure, and their loss."""

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof._validation import probabilities
from bribeproof.errors import ParameterError
from bribeproof.theory.general.families import Family
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Squared, get_loss


def bayes_act(mass: ArrayLike, loss: Loss | str = "squared") -> FloatArray:
    """Return the forecast with the least expected loss ℓ(y_ω) when the states have these masses.

    Parameters
    ----------
    mass : float array of shape (..., m)
        Probabilities of the states, or any multiple of them, each in [0, 1].
    loss : "squared" or "absolute"
        (1 − y)² or 1 − y for the forecast y of the true state.

    Returns
    -------
    ndarray of shape (..., m)
        A distribution over the states; uniform where all masses are 0.

    Raises
    ------
    ParameterError
        A mass outside [0, 1] or another loss.

    Notes
    -----
    docs/theory.md, Lemma 9.1. Absolute loss: shared evenly among the likeliest states. Squared loss: max(0, 1 − κ/p)
    with the κ that makes the sum 1, which is the posterior for two states, but not for more.

    Examples
    --------
    >>> bayes_act([0.5, 0.25, 0.25]).round(3)
    array([0.6, 0.2, 0.2])
    """
    p = probabilities("mass", mass)
    if loss_name(loss) == "absolute":
        likeliest = p >= p.max(axis=-1, keepdims=True) * (1 - 1e-12)
        return np.asarray(likeliest / likeliest.sum(axis=-1, keepdims=True), dtype=np.float64)
    largest = p.max(axis=-1, keepdims=True)
    p = np.divide(p, largest, where=largest > 0, out=np.ones(p.shape))
    counts = p > 1e-300  # smaller masses have no finite inverse, and get the forecast 0
    inverse = np.divide(1, p, where=counts, out=np.full(p.shape, np.inf))
    level = (np.arange(p.shape[-1]) / np.cumsum(np.sort(inverse, axis=-1), axis=-1)).max(axis=-1, keepdims=True)
    act = np.maximum(1 - np.multiply(level, inverse, where=counts, out=np.ones(p.shape)), 0)
    return np.asarray(act / act.sum(axis=-1, keepdims=True), dtype=np.float64)


def least_losses(mass: FloatArray, loss: Loss | str) -> FloatArray:
    """Return the least expected loss for these masses of the states along the last axis."""
    losses = get_loss(loss_name(loss)).value(bayes_act(mass, loss), 1)
    return np.asarray((mass * losses).sum(axis=-1), dtype=np.float64)


def benchmark_losses(family: Family, loss: Loss | str) -> FloatArray:
    """Return the benchmark's expected loss in each structure: it knows the structure and the truthful histogram."""
    return np.asarray(least_losses(np.moveaxis(family.laws, 1, 2), loss).sum(axis=1), dtype=np.float64)


def loss_name(loss: Loss | str) -> str:
    """Return the name of a loss; raise ParameterError unless it is the squared or the absolute loss."""
    loss = get_loss(loss)
    if loss not in (Squared(), CostWeighted(1, 1)):
        raise ParameterError(f"loss = {loss.name!r} is not defined for many states; give 'squared' or 'absolute'")
    return loss.name
