"""Check a loss of one's own: the shape of its curves, and Bayes acts that it defines itself."""

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory.model.convex_minimum import expected_loss, least_expected_loss
from bribeproof.theory.model.loss import Loss

_NEAR_THE_END = 2.0 ** -np.arange(40, 10, -3)
_GRID = np.unique(np.concatenate([np.linspace(0, 1, 1025), _NEAR_THE_END, 1 - _NEAR_THE_END]))
_PROBABILITIES = np.array([0, 1e-9, 0.001, *np.linspace(0, 1, 33)[1:-1], 0.999, 1 - 1e-9, 1])
_SLACK = 1e-9
"""Relative amount by which a slope may fall, or a Bayes risk miss the minimum, by rounding."""


def check_loss(loss: Loss) -> None:
    """Raise a `ParameterError` unless a loss is as `Loss` demands: convex, monotone, at least 0, with true Bayes acts.

    Notes
    -----
    The curves are checked at 1,045 forecasts, and what the loss says of its own Bayes acts and risks at 37
    probabilities; a fault between these is not seen.

    Examples
    --------
    >>> from bribeproof.theory.model.losses import Squared
    >>> check_loss(Squared())
    """
    curves = [_checked_curve(loss, state) for state in (0, 1)]
    if type(loss).bayes_act is not Loss.bayes_act or type(loss).bayes_risk is not Loss.bayes_risk:
        _check_acts(loss, max(float(curve[np.isfinite(curve)].max()) for curve in curves))


def _checked_curve(loss: Loss, state: int) -> FloatArray:
    """Return the losses in one state on the grid; raise ParameterError unless they are convex and monotone."""
    named = f"loss {loss.name!r} given state {state}"
    wrong = 0 if state else -1
    curve = np.asarray(loss._given_1(_GRID) if state else loss._given_0(_GRID), dtype=np.float64)
    if curve.shape != _GRID.shape:
        raise ParameterError(
            f"{named} returns an array of shape {curve.shape} for forecasts of shape {_GRID.shape}; "
            "return one loss for each"
        )
    unusable = ~(curve >= 0) | np.isinf(curve)
    unusable[wrong] = not curve[wrong] >= 0
    if unusable.any():
        at = int(unusable.argmax())
        raise ParameterError(
            f"{named} is {curve[at]} at the forecast {_GRID[at]:g}; "
            f"give numbers of at least 0, infinite at the forecast {1 - state} alone"
        )
    slopes = np.diff(curve) / np.diff(_GRID)
    rounding = 8 * np.finfo(float).eps * curve[np.isfinite(curve)].max() / np.diff(_GRID)
    backwards = (slopes if state else -slopes) > rounding
    if backwards.any():
        at = int(backwards.argmax())
        direction = "rises" if state else "falls"
        raise ParameterError(
            f"{named} {direction} between the forecasts {_GRID[at]:g} and {_GRID[at + 1]:g}; a loss must not get "
            "smaller as the forecast moves away from the state"
        )
    finite = np.isfinite(slopes)
    slopes, rounding = slopes[finite], rounding[finite]
    slack = _SLACK * (np.abs(slopes[1:]) + np.abs(slopes[:-1])) + rounding[1:] + rounding[:-1]
    if (bent := np.diff(slopes) < -slack).any():
        at = int(bent.argmax())
        raise ParameterError(
            f"{named} is not convex near the forecast {_GRID[1:][finite][at]:g}; the guarantees need a convex loss, "
            "such as squared"
        )
    return curve


def _check_acts(loss: Loss, scale: float) -> None:
    """Raise ParameterError unless the Bayes acts and risks that a loss defines itself are least."""
    p = _PROBABILITIES
    curves = loss._given_0, loss._given_1
    least = expected_loss(p, least_expected_loss(p, *curves), *curves)
    acts = np.asarray(loss.bayes_act(p), dtype=np.float64)
    if acts.shape != p.shape or not ((acts >= 0) & (acts <= 1)).all():
        raise ParameterError(f"loss {loss.name!r}: bayes_act must return one forecast in [0, 1] for each probability")
    claims = {
        "bayes_act": expected_loss(p, acts, *curves),
        "bayes_risk": np.asarray(loss.bayes_risk(p), dtype=np.float64),
    }
    for method, claim in claims.items():
        if claim.shape != p.shape or (wrong := ~(np.abs(claim - least) <= _SLACK * scale)).any():
            at = int(wrong.argmax()) if claim.shape == p.shape else 0
            raise ParameterError(
                f"loss {loss.name!r}: {method} at probability {p[at]:g} comes to an expected loss of "
                f"{claim.flat[at]:g}, and the least is {least[at]:g}; mend it, or leave it out to have it computed"
            )
