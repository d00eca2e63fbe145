"""Minimise the expected loss of a forecast, a convex function on [0, 1], elementwise for many probabilities."""

from collections.abc import Callable

import numpy as np

from bribeproof._typing import FloatArray

Curve = Callable[[FloatArray], FloatArray]
"""Loss of each forecast given one state."""

_GOLDEN = (5**0.5 - 1) / 2
_STEPS = 80
"""Golden sections until a bracket of [0, 1] is as narrow as the distance of two floats below 1."""
_ROUNDING = 8 * np.finfo(float).eps
_APART = 1 / 128
"""Distance at which a forecast must be worse than the only best one."""


def expected_loss(p: FloatArray, forecast: FloatArray, given_0: Curve, given_1: Curve) -> FloatArray:
    """Return the expected loss of forecasts where state 1 has probability p; an impossible state costs nothing.

    Examples
    --------
    >>> expected_loss(np.array([0.0, 0.5]), np.array([1.0, 1.0]), np.square, lambda y: (1 - y) ** 2)
    array([1. , 0.5])
    """
    shape = np.broadcast_shapes(p.shape, forecast.shape)
    of_1 = np.multiply(p, given_1(forecast), where=p > 0, out=np.zeros(shape))
    return of_1 + np.multiply(1 - p, given_0(forecast), where=p < 1, out=np.zeros(shape))


def least_expected_loss(p: FloatArray, given_0: Curve, given_1: Curve) -> FloatArray:
    """Return the forecasts with the least expected loss, by golden-section search.

    The search narrows a bracket of the minimum, which no convex function leaves. 0, 1 and the probability itself are
    tried as well; of forecasts that are equal up to rounding the probability itself is taken.

    Examples
    --------
    >>> least_expected_loss(np.array([0.2, 0.5]), lambda y: y**4, lambda y: (1 - y) ** 4).round(6)
    array([0.386488, 0.5     ])
    """

    def loss(forecast: FloatArray) -> FloatArray:
        return expected_loss(p, forecast, given_0, given_1)

    low, high = np.zeros(p.shape), np.ones(p.shape)
    for _ in range(_STEPS):
        step = _GOLDEN * (high - low)
        left, right = probes = np.stack([high - step, low + step])
        in_left = np.less_equal(*loss(probes))
        low, high = np.where(in_left, low, left), np.where(in_left, right, high)
    candidates = np.stack([p, np.zeros(p.shape), np.ones(p.shape), low, high])
    losses = loss(candidates)
    losses[0] -= _ROUNDING * losses[0]
    best = losses.argmin(axis=0)
    return np.asarray(np.take_along_axis(candidates, best[None], axis=0)[0])


def only_minimum(p: FloatArray, given_0: Curve, given_1: Curve) -> bool:
    """Return whether each of these probabilities is, as a forecast, better than every other.

    Examples
    --------
    >>> only_minimum(np.array([0.25, 0.5]), np.square, lambda y: (1 - y) ** 2)
    True
    >>> only_minimum(np.array([0.25, 0.5]), lambda y: y, lambda y: 1 - y)
    False
    """
    best = least_expected_loss(p, given_0, given_1)
    beside = np.clip(np.stack([p - _APART, p + _APART]), 0, 1)
    at_p, least, at_beside = (expected_loss(p, forecast, given_0, given_1) for forecast in (p, best, beside))
    rounding = 1e-12 * least.max()
    return bool((at_p <= least + rounding).all() and ((at_beside > at_p + rounding) | (beside == p)).all())
