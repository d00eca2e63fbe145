"""What weighted labels decide, item by item, and what it is worth."""

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

Known: TypeAlias = Expert | ExpertInterval | MultiExpert
"""What one truthful reporter knows."""


def decide(ballots: Ballots, spread: FloatArray, held: FloatArray, *, unseen: bool) -> dict[str, Any]:
    """Decide every item, whatever its status; `unseen` as in `Ballots.flips_needed`."""
    shares = ballots.shares(spread)
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
        "flips_needed": ballots.flips_needed(spread, unseen=unseen),
        "status": status,
        "shares": truncated,
    }


def truncate(shares: FloatArray, held: FloatArray) -> FloatArray:
    """Take what the bribed hold from every class, and return the shares of what is left; 0 where nothing is."""
    left = np.maximum(shares - held[:, None], 0.0)
    left[left <= ROUNDING] = 0.0
    total = left.sum(axis=1, keepdims=True)
    shared: FloatArray = np.divide(left, total, out=np.zeros_like(left), where=total > 0)
    return shared


def growth_of(sizes: IntArray, held: FloatArray, k: int, weight_spread: float | None) -> FloatArray:
    """Return how many times as often as one truthful reporter the rule errs on each item; NaN where there is no bound.

    Without a weight_spread the weights were known before the reports.
    """
    grown = np.full(len(sizes), np.nan)
    certain = held < 0.5 - ROUNDING
    if weight_spread is None:
        grown[certain] = [error_inflation_of_weights(float(share)) for share in held[certain]]
        return grown
    for size in np.unique(sizes[certain & (sizes > 0)]).tolist():
        grown[sizes == size] = error_inflation(Panel(size, k), weight_spread)
    return grown


def promise(growth: FloatArray, positive: FloatArray, expert: Known, loss: str | Loss) -> dict[str, FloatArray]:
    """Return the forecast of each item, given the share that is left of the positive label, and its guarantee."""
    forecast, guarantee = np.full(len(growth), np.nan), np.full(len(growth), np.nan)
    for grown in np.unique(growth[~np.isnan(growth)]).tolist():
        here = growth == grown
        if isinstance(expert, MultiExpert):
            right = inflate_errors(expert, grown)
            guarantee[here] = 1 - sum(map(mul, right.prior, right.accuracy))
            continue
        rule = closed_form(Panel(1), inflate_errors(expert, grown), loss)
        low, high = float(rule(0)), float(rule(1))
        forecast[here] = low + (high - low) * positive[here]
        guarantee[here] = np.nan if rule.guarantee is None else rule.guarantee.expected_loss
    return (
        {"guarantee": guarantee} if isinstance(expert, MultiExpert) else {"forecast": forecast, "guarantee": guarantee}
    )
