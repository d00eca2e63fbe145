"""An optimal rule with its certificate: two bounds that anyone can compute anew."""

import math
from dataclasses import dataclass

import numpy as np

from bribeproof.theory.minimax.cuts import Cut, Cuts, possible
from bribeproof.theory.model.certificate import Certificate
from bribeproof.theory.model.distributions import are_distributions
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.single_expert import worst_case_of_expert


@dataclass(frozen=True, slots=True)
class WeightedStructure:
    """One part of Nature's mixture: a structure with a strategy, and its probability.

    Parameters
    ----------
    weight : float
        Its probability in the mixture.
    given_1, given_0 : Scenario
        What happens given state 1 and given state 0.
    """

    weight: float
    given_1: Scenario
    given_0: Scenario


@dataclass(frozen=True, slots=True)
class Solution(Certificate):
    """Rule with the least worst-case regret, between two proven bounds of that regret.

    Parameters
    ----------
    aggregator : PiecewiseLinear
        The rule.
    lower : float
        No rule has a smaller worst regret than this: `mixture` proves it.
    upper : float
        Worst regret of the rule.
    largest_loss : float
        Largest expected loss of the rule.
    mixture : tuple of WeightedStructure
        Nature's answer: a random choice among these structures and strategies.
    iterations : int
        Rounds of the method.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss
        Loss of the forecast.
    tol : float
        The gap that was asked for.

    Notes
    -----
    theory.md §7. Against Nature's mixture a rule f pays at each count x that it sees m₁ℓ(f(x), 1) + m₀ℓ(f(x), 0), with
    the joint masses m of the mixture, and no f pays less than (m₁ + m₀)·(Bayes risk of m₁/(m₁ + m₀)). The worst of the
    structures is at least their mean, so every rule's worst regret is at least the sum of these risks minus the mean
    benchmark.
    """

    aggregator: PiecewiseLinear
    largest_loss: float
    mixture: tuple[WeightedStructure, ...]
    iterations: int
    panel: Panel
    expert: Expert
    loss: Loss

    def _lower_anew(self) -> float:
        """Bound of the mixture in closed form, after a check of its weights, means and strategies."""
        weights = np.array([part.weight for part in self.mixture])
        cuts = [Cut(part.given_1, part.given_0) for part in self.mixture]
        if not are_distributions(weights, (len(cuts),)) or not all(possible(c, self.panel, self.expert) for c in cuts):
            return math.nan
        return Cuts.of(cuts, self.expert, self.loss).lower_bound(weights)

    def _upper_anew(self) -> float:
        """Exact worst regret of the rule."""
        return worst_case_of_expert(self.aggregator, self.panel, self.expert, self.loss).regret
