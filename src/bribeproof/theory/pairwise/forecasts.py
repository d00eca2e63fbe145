"""The forecast between two bounds of its losses, and the chance of state 1 for which it is the best one."""

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared

_NEAREST = 1e-12
"""How near to certainty forecasts come where the wrong one costs infinitely much."""
_HALVINGS = 60
_STEP = 1e-6
"""Half of the distance over which slopes of a loss of one's own are measured."""


def balance(loss: Loss, given_1: FloatArray, given_0: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the forecasts whose losses in the two states exceed two bounds by the same, and their chances of state 1.

    Parameters
    ----------
    loss : Loss
        Loss of the forecast.
    given_1, given_0 : arrays of one shape
        Bounds of the loss given state 1 and given state 0. They may be infinite, but not both.

    Returns
    -------
    forecasts, chances : arrays of that shape
        No forecast exceeds both bounds by less. Against state 1 with this chance the forecast is a best one.

    Examples
    --------
    >>> forecasts, chances = balance(Squared(), np.array([0.25, 0.0]), np.array([0.25, np.inf]))
    >>> forecasts, chances
    (array([0.5, 1. ]), array([0.5, 1. ]))
    """
    with np.errstate(over="ignore", invalid="ignore"):
        lead = given_0 - given_1
        match loss:
            case Squared():
                forecasts = chances = np.clip((1 + lead) / 2, 0.0, 1.0)
            case Log():
                forecasts = chances = 1 / (1 + np.exp(-lead))
            case CostWeighted(false_positive, false_negative):
                forecasts = np.clip((false_negative + lead) / (false_positive + false_negative), 0.0, 1.0)
                chances = np.where((forecasts > 0) & (forecasts < 1), loss.threshold, forecasts)
            case _:
                forecasts = _balanced(loss, lead)
                chances = forecasts if loss.strictly_proper else _chances(loss, forecasts)
    if np.isinf(loss.value(0.0, 1)):
        forecasts = np.where(np.isinf(lead), forecasts, np.clip(forecasts, _NEAREST, 1 - _NEAREST))
    return forecasts, chances


def _balanced(loss: Loss, lead: FloatArray) -> FloatArray:
    """Return where ℓ(y, 0) − ℓ(y, 1), which does not fall in y, passes a value, by bisection."""
    low, high = np.zeros(lead.shape), np.ones(lead.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = loss._given_0(middle) - loss._given_1(middle) < lead
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    ends = [np.asarray(loss._given_0(end) - loss._given_1(end)) for end in (np.zeros(1), np.ones(1))]
    return np.where(lead <= ends[0], 0.0, np.where(lead >= ends[1], 1.0, (low + high) / 2))


def _chances(loss: Loss, forecasts: FloatArray) -> FloatArray:
    """Return the chances of state 1 for which forecasts are best, by the slopes of a loss that is not proper."""
    below, above = np.maximum(forecasts - _STEP, 0.0), np.minimum(forecasts + _STEP, 1.0)
    rise, fall = loss._given_0(above) - loss._given_0(below), loss._given_1(below) - loss._given_1(above)
    chances = np.divide(rise, rise + fall, out=forecasts.copy(), where=(rise + fall > 0) & np.isfinite(rise + fall))
    return np.where((forecasts > 0) & (forecasts < 1), chances, forecasts)
