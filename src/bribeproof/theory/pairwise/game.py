"""The game of a panel against Nature and adversaries who keep to bounds of the truthful errors."""

from typing import NamedTuple

from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.error_laws import ErrorBounds


class Game(NamedTuple):
    """Panel, bounds of the prior of state 1, loss of the forecast, and bounds of the errors given state 1 and 0."""

    panel: Panel
    prior: tuple[float, float]
    loss: Loss
    bounds: tuple[ErrorBounds, ErrorBounds]

    def mean(self, given_1: float, given_0: float) -> float:
        """Return the largest mean over the priors of two numbers, one for each state; an impossible state counts 0."""
        return max(
            sum(weight * one for weight, one in ((prior, given_1), (1 - prior, given_0)) if weight > 0)
            for prior in self.prior
        )
