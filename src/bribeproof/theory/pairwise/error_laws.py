"""What is known of the number of truthful errors on an item: the mean, and how often two reporters err together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.model.expert_interval import ExpertInterval
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
    least, most : float
        Bounds of the mean error rate: least ≤ E[j]/N ≤ most. They are equal where it is known.
    joint : float
        Bound of the joint errors: E[j(j − 1)] ≤ N(N − 1)·joint. Less than reporters with the error rate `least` can
        have counts as the least they can.

    Notes
    -----
    docs/theory.md §12. With bounds that are apart the worst law may have a smaller error rate and more pairs for it.
    """

    size: int
    least: float
    most: float
    joint: float

    def __post_init__(self) -> None:
        _, pairs = self.steady(self.least)
        object.__setattr__(self, "joint", max(self.joint, pairs))

    @property
    def scale(self) -> int:
        """The number of errors that is an error rate of 1."""
        return self.size

    def steady(self, rate: float) -> tuple[FloatArray, float]:
        """Return the law of an error rate with the fewest pairs who err, on the whole numbers around its mean."""
        weights = np.zeros(self.size + 1)
        below = min(int(rate * self.scale), self.size - 1)
        weights[below + 1] = min(1.0, rate * self.scale - below)
        weights[below] = 1 - weights[below + 1]
        _, pairs = self.shares(np.array([below, below + 1]))
        return weights, float(weights[below : below + 2] @ pairs)

    @property
    def largest_rate(self) -> float:
        """The largest error rate that the bound of the joint errors allows, up to rounding."""
        low, high = self.least, self.most
        if self.steady(high)[1] <= self.joint:
            return high
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.steady(middle)[1] <= self.joint else (low, middle)
        return low

    @property
    def errors(self) -> NDArray[np.int64]:
        """The numbers of errors that a law can give any probability."""
        if self.most == 0 or self.least == 1:
            return np.array([0 if self.most == 0 else self.size])
        return np.arange(self.size + 1 if self.joint > 0 else min(self.size, 1) + 1)

    def shares(self, errors: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return j/N and j(j − 1)/(N(N − 1)): the shares of the reporters and of their pairs who err."""
        single = errors / self.size
        pairs = errors * (errors - 1.0) / max(1, self.size * (self.size - 1))
        return single, pairs

    def lowest(self, slope: float, bend: float) -> float:
        """Return where slope·share of reporters + bend·share of pairs is lowest over all numbers, if bend > 0."""
        return (1 - slope / bend * max(1, self.size - 1)) / 2

    def admit(self, law: "ErrorLaw") -> bool:
        """Return whether a law satisfies both bounds, up to rounding."""
        if not (law.errors.size and law.errors.min() >= 0 and law.errors.max() <= self.size):
            return False
        weights = law.weights
        if not ((weights >= 0).all() and abs(weights.sum() - 1) <= _ROUNDING):
            return False
        single, pairs = (float(weights @ share) for share in self.shares(law.errors))
        return self.least - _ROUNDING <= single <= self.most + _ROUNDING and pairs <= self.joint + _ROUNDING


@dataclass(frozen=True, slots=True)
class WeightBounds(ErrorBounds):
    """Bounds on the law of the weight S of the truthful reporters who err, in steps of 1/cells of all weight.

    Parameters
    ----------
    size : int
        The largest number of steps.
    least, most : float
        Bounds of E[S].
    joint : float
        Bound of E[S²].
    cells : int
        The number of steps in all weight, at least `size`.

    Notes
    -----
    docs/theory.md, Proposition 12.5. With j = ⌊S · cells⌋, E[j] ≤ cells·most and E[j²] ≤ cells²·joint.
    """

    cells: int

    @property
    def scale(self) -> int:
        """The number of steps in all weight."""
        return self.cells

    @property
    def errors(self) -> NDArray[np.int64]:
        """The numbers of steps that a law can give any probability."""
        return np.arange(self.size + 1 if self.most > 0 and self.joint > 0 else 1)

    def shares(self, errors: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return S and S² at the lower ends of steps."""
        single = errors / self.cells
        return single, single**2

    def lowest(self, slope: float, bend: float) -> float:
        """Return where slope·S + bend·S² is lowest over all numbers of steps, if bend > 0."""
        return -slope / bend / 2 * self.cells


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
    rate = min(max(mean, bounds.least), bounds.largest_rate)
    if mean > rate:
        weights *= rate / mean
        weights[0] += 1 - rate / mean
    elif mean < rate:
        share = (rate - mean) / (1 - mean)
        weights *= 1 - share
        weights[-1] += share
    steady, least = bounds.steady(rate)
    excess = float(weights @ pairs) - bounds.joint
    if excess > 0:
        share = min(1.0, excess / max(excess + bounds.joint - least, excess))
        weights = (1 - share) * weights + share * steady
    errors = np.flatnonzero(weights)
    return ErrorLaw(errors, weights[errors])


def error_bounds(panel: Panel, expert: Expert | ExpertInterval) -> tuple[ErrorBounds, ErrorBounds]:
    """Return what is known of the truthful errors of a panel given state 1, and given state 0.

    The rates of an Expert are exact, those of an ExpertInterval lie between its bounds.

    Examples
    --------
    >>> error_bounds(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25, correlation=(0.25, 1)))[0]
    ErrorBounds(size=3, least=0.25, most=0.25, joint=0.109375)
    """
    most = (1 - expert.tpr, expert.fpr)
    least = (1 - expert.highest_tpr, expert.lowest_fpr) if isinstance(expert, ExpertInterval) else most
    rates = zip(least, most, expert.joint_error_rates, strict=True)
    first, second = (ErrorBounds(panel.truthful, low, high, joint) for low, high, joint in rates)
    return first, second
