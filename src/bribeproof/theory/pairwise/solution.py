"""The solution of the game with bounded correlation: the rule, Nature's side, and two bounds of the expected loss."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bribeproof.theory.model.certificate import Certificate
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.error_laws import error_bounds
from bribeproof.theory.pairwise.witness import Witness, is_possible, proven_by
from bribeproof.theory.pairwise.worst_loss import pairwise_worst_loss, prior_ends
from bribeproof.theory.rules.piecewise import PiecewiseLinear


@dataclass(frozen=True, slots=True, repr=False)
class PairwiseSolution(Certificate):
    """Rule with the least largest expected loss, between two proven bounds of that loss.

    Parameters
    ----------
    aggregator : PiecewiseLinear
        The rule.
    lower : float
        Every rule has at least this expected loss in some world, as `witness` proves.
    upper : float
        Largest expected loss of the rule.
    witness : Witness
        Laws of the truthful errors and what the adversaries make of them, in each state.
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        One truthful reporter, with a bound of the correlation of errors.
    prior : float
        The prior that Nature chooses: that of the expert, or one between its bounds.
    loss : Loss
        Loss of the forecast.
    tol : float
        The requested gap.

    Notes
    -----
    docs/theory.md §12, Theorem P: the Bayes risk against the witness bounds the expected loss of every rule from below.
    """

    aggregator: PiecewiseLinear
    witness: Witness
    panel: Panel
    expert: Expert | ExpertInterval
    prior: float
    loss: Loss

    def _recompute_lower(self) -> float:
        """Return the Bayes risk against the witness; nan where it breaks a bound or the adversaries cannot do it."""
        low, high = prior_ends(self.expert)
        if not low - 1e-12 <= self.prior <= high + 1e-12:
            return math.nan
        bounds = error_bounds(self.panel, self.expert)
        for state, part, bound in zip((1, 0), self.witness, bounds, strict=True):
            if not is_possible(part, state, self.panel, bound):
                return math.nan
        return proven_by(self.witness, self.loss, self.prior)

    def _recompute_rule(self) -> Iterator[tuple[float, float]]:
        """Yield the largest expected loss of the rule."""
        yield pairwise_worst_loss(self.aggregator, self.panel, self.expert, self.loss).upper, self.upper

    @property
    def _measure(self) -> str:
        return "expected loss"

    def _details(self) -> Iterator[str]:
        first, second = (part.errors.errors.size for part in self.witness)
        yield f"Nature attains the lower bound with laws of the errors on {first} and {second} numbers of reporters."

    def _draw(self) -> Callable[[Any, Any], object]:
        return lambda plots, axes: plots.rule({self.aggregator.name: self.aggregator}, panel=self.panel, ax=axes)
