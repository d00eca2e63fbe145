"""An optimal rule with its certificate: two bounds that anyone can compute anew."""

import math
from dataclasses import dataclass

import numpy as np

from bribeproof.theory.minimax.cuts import Cut, Cuts, possible
from bribeproof.theory.model.experts import Expert, Panel
from bribeproof.theory.model.losses import Loss
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.single_expert import Scenario, worst_case_of_expert


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
class SolutionRecheck:
    """Both bounds of a solution, computed anew.

    Parameters
    ----------
    lower : float
        Bound that the mixture proves; nan where it is no mixture of information structures and strategies.
    upper : float
        Exact worst regret of the rule.
    difference : float
        Largest distance from the bounds that were claimed.
    """

    lower: float
    upper: float
    difference: float


@dataclass(frozen=True, slots=True)
class Solution:
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
    converged : bool
        Whether the bounds are within `tol`. Otherwise they hold, but leave more than that open.
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
    theory.md §7.
    """

    aggregator: PiecewiseLinear
    lower: float
    upper: float
    largest_loss: float
    mixture: tuple[WeightedStructure, ...]
    iterations: int
    converged: bool
    panel: Panel
    expert: Expert
    loss: Loss
    tol: float

    @property
    def gap(self) -> float:
        """Distance of the two bounds."""
        return self.upper - self.lower

    def recheck(self) -> SolutionRecheck:
        """Compute both bounds from the rule and the mixture alone.

        Returns
        -------
        SolutionRecheck
            The upper bound by the exact worst case, the lower one in closed form after a check of the mixture's
            weights, means and strategies. Nothing is raised for a false certificate.

        Notes
        -----
        Against Nature's mixture a rule f pays at each count x that it sees m₁ℓ(f(x), 1) + m₀ℓ(f(x), 0), with the
        joint masses m of the mixture, and no f pays less than (m₁ + m₀)·(Bayes risk of m₁/(m₁ + m₀)). The worst of
        the structures is at least their mean, so every rule's worst regret is at least the sum of these risks
        minus the mean benchmark.

        Examples
        --------
        >>> from bribeproof.theory.minimax.minimax import minimax
        >>> minimax(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25)).recheck()
        SolutionRecheck(lower=0.234375, upper=0.234375, difference=0.0)
        """
        upper = worst_case_of_expert(self.aggregator, self.panel, self.expert, self.loss).regret
        weights = np.array([part.weight for part in self.mixture])
        cuts = [Cut(part.given_1, part.given_0) for part in self.mixture]
        lower = math.nan
        if (
            cuts
            and (weights >= 0).all()
            and abs(math.fsum(weights) - 1) <= 1e-12
            and all(possible(cut, self.panel, self.expert) for cut in cuts)
        ):
            lower = Cuts.of(cuts, self.expert, self.loss).lower_bound(weights)
        difference = max(abs(upper - self.upper) if upper != self.upper else 0.0, abs(lower - self.lower))
        return SolutionRecheck(lower, upper, math.nan if math.isnan(lower) else difference)
