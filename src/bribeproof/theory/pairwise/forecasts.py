"""Forecasts whose losses in the two states stay below two limits, and what shows that there are none."""

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.model.convex_minimum import Curve
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared

_NEAREST = 1e-12
"""How near to certainty forecasts come where the wrong one costs infinitely much."""
_HALVINGS = 60
_STEP = 1e-6
"""Half of the distance over which slopes of a loss of one's own are measured."""


def balanced(loss: Loss, given_1: FloatArray, given_0: FloatArray) -> FloatArray:
    """Return the forecasts whose losses exceed a limit in each state by the same, above or below it.

    Parameters
    ----------
    loss : Loss
        Loss of the forecast.
    given_1, given_0 : arrays of one shape
        Limits of the loss given state 1 and given state 0. They may be infinite, but not both.

    Returns
    -------
    array of that shape
        0 or 1 where no forecast does.

    Examples
    --------
    >>> balanced(Squared(), np.array([0.25, 0.25, np.inf]), np.array([0.25, 0.36, 0.0]))
    array([0.5  , 0.555, 0.   ])
    """
    lead = given_0 - given_1
    match loss:
        case Squared():
            return np.clip((1 + lead) / 2, 0.0, 1.0)
        case Log():
            with np.errstate(over="ignore"):
                return np.asarray(1 / (1 + np.exp(-lead)))
        case CostWeighted(false_positive, false_negative):
            return np.clip((false_negative + lead) / (false_positive + false_negative), 0.0, 1.0)
        case _:
            return _passes(lambda y: loss._given_0(y) - loss._given_1(y), lead)


def chances_of(loss: Loss, forecasts: FloatArray) -> FloatArray:
    """Return chances of state 1 against which forecasts are best.

    Examples
    --------
    >>> chances_of(CostWeighted(1, 3), np.array([0.0, 0.4]))
    array([0.  , 0.25])
    """
    if loss.strictly_proper:
        return forecasts
    certain = (forecasts <= 0) | (forecasts >= 1)
    if isinstance(loss, CostWeighted):
        return np.where(certain, forecasts, loss.threshold)
    below, above = np.maximum(forecasts - _STEP, 0.0), np.minimum(forecasts + _STEP, 1.0)
    rise, fall = loss._given_0(above) - loss._given_0(below), loss._given_1(below) - loss._given_1(above)
    known = ~certain & (rise + fall > 0) & np.isfinite(rise + fall)
    return np.asarray(np.divide(rise, rise + fall, out=forecasts.copy(), where=known))


def between(loss: Loss, given_1: FloatArray, given_0: FloatArray) -> FloatArray:
    """Return the middle of the forecasts that exceed no limit, or the balanced one where all exceed one.

    Examples
    --------
    >>> between(Squared(), np.array([0.25, 0.25, np.inf]), np.array([0.25, 0.36, 0.0]))
    array([0.5 , 0.55, 0.  ])
    """
    match loss:
        case Squared():
            low, high = 1 - np.sqrt(np.maximum(given_1, 0.0)), np.sqrt(np.maximum(given_0, 0.0))
        case Log():
            low, high = np.exp(-given_1), -np.expm1(-given_0)
        case CostWeighted(false_positive, false_negative):
            low, high = 1 - given_1 / false_negative, given_0 / false_positive
        case _:
            low = _passes(lambda y: -loss._given_1(y), -given_1)
            high = _passes(loss._given_0, given_0)
    low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
    certain = np.isinf(given_1) | np.isinf(given_0)
    forecasts = np.where(certain | (low > high), balanced(loss, given_1, given_0), (low + high) / 2)
    if np.isinf(loss.value(0.0, 1)):
        forecasts = np.where(certain, forecasts, np.clip(forecasts, _NEAREST, 1 - _NEAREST))
    return forecasts


def _passes(curve: Curve, level: FloatArray) -> FloatArray:
    """Return where a curve that does not fall on [0, 1] passes a level, by bisection; 0 or 1 where it never does."""
    low, high = np.zeros(level.shape), np.ones(level.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = curve(middle) < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    ends = curve(np.array([0.0, 1.0]))
    return np.where(level <= ends[0], 0.0, np.where(level >= ends[1], 1.0, (low + high) / 2))
