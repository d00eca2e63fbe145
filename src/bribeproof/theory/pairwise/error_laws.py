"""What is known of the number of truthful errors on an item: the mean, and how often two reporters err together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.panel import Panel

_ROUNDING = 1e-12
"""By how much a law may exceed a bound, relative to 1: the precision of sums of a few products."""


@dataclass(frozen=True, slots=True)
class ErrorBounds:
    """Bounds on the law of j, the number of N truthful reporters who err, given one of the states.

    Parameters
    ----------
    size : int
        N, at least 1.
    rate : float
        The mean error rate: E[j] = N·rate.
    joint : float
        Bound of the joint errors: E[j(j − 1)] ≤ N(N − 1)·joint.

    Notes
    -----
    docs/theory.md §12.
    """

    size: int
    rate: float
    joint: float

    @property
    def errors(self) -> NDArray[np.int64]:
        """The numbers of errors that a law can give any probability."""
        if self.rate == 0 or self.rate == 1:
            return np.array([0 if self.rate == 0 else self.size])
        return np.arange(self.size + 1 if self.joint > 0 else min(self.size, 1) + 1)

    def shares(self, errors: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return j/N and j(j − 1)/(N(N − 1)): the shares of the reporters and of their pairs who err."""
        single = errors / self.size
        pairs = errors * (errors - 1.0) / max(1, self.size * (self.size - 1))
        return single, pairs

    def admit(self, law: "ErrorLaw") -> bool:
        """Return whether a law satisfies both bounds, up to rounding."""
        if not (law.errors.size and law.errors.min() >= 0 and law.errors.max() <= self.size):
            return False
        weights = law.weights
        if not ((weights >= 0).all() and abs(weights.sum() - 1) <= _ROUNDING):
            return False
        single, pairs = self.shares(law.errors)
        return bool(abs(weights @ single - self.rate) <= _ROUNDING and weights @ pairs <= self.joint + _ROUNDING)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorLaw:
    """A law of the number of truthful errors.

    Parameters
    ----------
    errors : integer array of shape (points,)
        Numbers of errors, ascending.
    weights : array of shape (points,)
        Their probabilities.
    """

    errors: NDArray[np.int64]
    weights: FloatArray


def within(law: ErrorLaw, bounds: ErrorBounds) -> ErrorLaw:
    """Return the law nearest to one that a solver found, moved into the bounds that rounding made it miss.

    Its mean is corrected by some mass on no or on N errors, and its pairs by a mixture with the law of the same mean
    that has the fewest: that on the two whole numbers around the mean.
    """
    weights = np.zeros(bounds.size + 1)
    if law.weights.sum() > 0:
        weights[law.errors] = law.weights / law.weights.sum()
    else:
        weights[0] = 1.0
    single, pairs = bounds.shares(np.arange(bounds.size + 1))
    mean = float(weights @ single)
    if mean > bounds.rate:
        weights *= bounds.rate / mean
        weights[0] += 1 - bounds.rate / mean
    elif mean < bounds.rate:
        share = (bounds.rate - mean) / (1 - mean)
        weights *= 1 - share
        weights[-1] += share
    steady = np.zeros(bounds.size + 1)
    below = min(int(bounds.rate * bounds.size), bounds.size - 1)
    steady[below + 1] = bounds.rate * bounds.size - below
    steady[below] = 1 - steady[below + 1]
    excess, least = float(weights @ pairs) - bounds.joint, float(steady @ pairs)
    if excess > 0:
        share = min(1.0, excess / max(excess + bounds.joint - least, excess))
        weights = (1 - share) * weights + share * steady
    errors = np.flatnonzero(weights)
    return ErrorLaw(errors, weights[errors])


def error_bounds(panel: Panel, expert: Expert) -> tuple[ErrorBounds, ErrorBounds]:
    """Return what is known of the truthful errors of a panel given state 1, and given state 0.

    Examples
    --------
    >>> error_bounds(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25, correlation=(0.25, 1)))
    (ErrorBounds(size=3, rate=0.25, joint=0.109375), ErrorBounds(size=3, rate=0.25, joint=0.25))
    """
    first, second = expert.joint_error_rates
    return ErrorBounds(panel.truthful, 1 - expert.tpr, first), ErrorBounds(panel.truthful, expert.fpr, second)
