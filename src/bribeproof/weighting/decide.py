"""Decide each item by weighted labels, and compute forecasts and guarantees."""

from operator import mul
from typing import Any, TypeAlias

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.aggregation.kernels.status import NO_CLASS_LEFT, NO_REPORTS, NOT_CERTIFIED, OK
from bribeproof.theory import (
    Expert,
    ExpertInterval,
    Loss,
    MultiExpert,
    Panel,
    closed_form,
    error_inflation,
    error_inflation_of_weights,
    inflate_errors,
)
from bribeproof.weighting.learn import ROUNDING, Ballots

AnyExpert: TypeAlias = Expert | ExpertInterval | MultiExpert
"""The rates of one truthful reporter."""


def decide(ballots: Ballots, weights: FloatArray, held: FloatArray, *, unseen: bool) -> dict[str, Any]:
    """Return the columns of the result for each item, whatever its status.

    Parameters
    ----------
    ballots
        The reports.
    weights
        The weights of the reports.
    held
        The largest weight of k reporters together, for each item.
    unseen
        Whether a class that nobody reported may exist.
    """
    shares = ballots.shares(weights)
    truncated = truncate(shares, held)
    best = shares.max(axis=1, keepdims=True)
    tie = (best[:, 0] > 0) & ((shares >= best - ROUNDING).sum(axis=1) > 1)
    status = np.full(len(shares), OK, dtype=object)
    status[~truncated.any(axis=1)] = NO_CLASS_LEFT
    status[(held >= 0.5 - ROUNDING) | (best[:, 0] == 0)] = NOT_CERTIFIED
    status[ballots.sizes == 0] = NO_REPORTS
    return {
        "heaviest": np.where(ballots.sizes > 0, np.minimum(held, 1.0), np.nan),
        "decision": np.where(tie, -1, shares.argmax(axis=1)),
        "estimate": np.where(tie, np.nan, truncated.max(axis=1)),
        "tie": tie,
        "flips_needed": ballots.flips_needed(weights, unseen=unseen),
        "status": status,
        "shares": truncated,
    }


def truncate(shares: FloatArray, held: FloatArray) -> FloatArray:
    """Subtract the weight of the bribed from each class, and return the shares of the rest; 0 if nothing is left."""
    left = np.maximum(shares - held[:, None], 0.0)
    left[left <= ROUNDING] = 0.0
    total = left.sum(axis=1, keepdims=True)
    shared: FloatArray = np.divide(left, total, out=np.zeros_like(left), where=total > 0)
    return shared


def inflation_factors(sizes: IntArray, held: FloatArray, k: int, weight_spread: float | None) -> FloatArray:
    """Return for each item the factor by which the errors of one truthful reporter grow; NaN if there is no bound.

    Without a weight spread, the weights are those that were known before the reports.
    """
    factors = np.full(len(sizes), np.nan)
    certain = held < 0.5 - ROUNDING
    if weight_spread is None:
        factors[certain] = [error_inflation_of_weights(float(share)) for share in held[certain]]
        return factors
    for size in np.unique(sizes[certain & (sizes > 0)]).tolist():
        factors[sizes == size] = error_inflation(Panel(size, k), weight_spread)
    return factors


def forecast_and_guarantee(
    factors: FloatArray, positive: FloatArray, expert: AnyExpert, loss: str | Loss
) -> dict[str, FloatArray]:
    """Return the columns ``forecast`` (for two classes) and ``guarantee``.

    Parameters
    ----------
    factors
        For each item, the factor by which errors grow; NaN if there is no bound.
    positive
        For each item, the share of the positive class.
    expert
        The rates of one truthful reporter.
    loss
        The loss of the forecast.
    """
    forecast, guarantee = np.full(len(factors), np.nan), np.full(len(factors), np.nan)
    for factor in np.unique(factors[~np.isnan(factors)]).tolist():
        items = factors == factor
        if isinstance(expert, MultiExpert):
            effective = inflate_errors(expert, factor)
            guarantee[items] = 1 - sum(map(mul, effective.prior, effective.accuracy))
            continue
        rule = closed_form(Panel(1), inflate_errors(expert, factor), loss)
        low, high = float(rule(0)), float(rule(1))
        forecast[items] = low + (high - low) * positive[items]
        guarantee[items] = np.nan if rule.guarantee is None else rule.guarantee.expected_loss
    columns = {"guarantee": guarantee}
    return columns if isinstance(expert, MultiExpert) else {"forecast": forecast} | columns
