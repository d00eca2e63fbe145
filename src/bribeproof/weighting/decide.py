"""Decide each item by weighted labels, and compute forecasts and guarantees."""

from typing import Any, TypeAlias

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.aggregation.kernels.status import NO_CLASS_LEFT, NO_REPORTS, NOT_CERTIFIED, OK
from bribeproof.theory import CostWeighted, Expert, ExpertInterval, Loss, MultiExpert, Panel, closed_form, get_loss
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


def forecast_and_guarantee(
    errors: FloatArray, positive: FloatArray, expert: AnyExpert, loss: str | Loss
) -> dict[str, FloatArray]:
    """Return the columns ``forecast`` (for two classes), ``guarantee`` and, of a loss that counts, ``one_sided``.

    That is 1 where every forecast finds positive more probable, 0 where none does, and -1 elsewhere.

    Parameters
    ----------
    errors
        For each item, the bounds of the rule's error rates: given a positive and a negative truth, or given each class;
        NaN if there is no bound.
    positive
        For each item, the share of the positive class.
    expert
        The prior is that of this truthful reporter.
    loss
        The loss of the forecast.
    """
    forecast, guarantee = np.full(len(errors), np.nan), np.full(len(errors), np.nan)
    one_sided = np.full(len(errors), -1)
    bounded = np.flatnonzero(~np.isnan(errors).any(axis=1))
    different, which = np.unique(errors[bounded], axis=0, return_inverse=True)
    for index, rates in enumerate(different.tolist()):
        items = bounded[which.ravel() == index]
        if isinstance(expert, MultiExpert):
            guarantee[items] = 1 - sum(share * (1 - rate) for share, rate in zip(expert.prior, rates, strict=True))
            continue
        prior = (expert.prior, expert.prior) if isinstance(expert, Expert) else expert.prior
        rule = closed_form(Panel(1), ExpertInterval(prior, 1 - rates[0], rates[1]), loss)
        low, high = float(rule(0)), float(rule(1))
        forecast[items] = low + (high - low) * positive[items]
        one_sided[items] = side_of(low, high)
        guarantee[items] = np.nan if rule.guarantee is None else rule.guarantee.expected_loss
    columns = {"guarantee": guarantee}
    if not isinstance(expert, MultiExpert):
        columns = {"forecast": forecast} | columns
        if type(get_loss(loss)) is CostWeighted:
            columns["one_sided"] = one_sided
    return columns


def side_of(low: float, high: float) -> int:
    """Return 1 if forecasts between these find positive more probable, 0 if none does, and -1 if some do."""
    return 1 if low > 0.5 else 0 if high < 0.5 else -1


def follow_one_sided(columns: dict[str, Any], positive: int) -> None:
    """Replace the decisions of items whose forecast is on one side whatever is reported."""
    side = columns.pop("one_sided", None)
    if side is None:
        return
    fixed, flips = side >= 0, columns["flips_needed"].astype(float)
    decision = np.where(side == 1, positive, 1 - positive)
    shares = columns["shares"][np.arange(len(side)), decision]
    columns |= {
        "decision": np.where(fixed, decision, columns["decision"]),
        "estimate": np.where(fixed, shares, columns["estimate"]),
        "tie": columns["tie"] & ~fixed,
        "flips_needed": np.where(fixed, np.nan, flips),
    }
