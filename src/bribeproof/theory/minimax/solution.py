"""The solution of the minimax problem: the rule, Nature's mixture, and two bounds of the minimax regret."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bribeproof._text import count, format_number
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
    """One structure with a strategy in Nature's mixture, and its probability.

    Parameters
    ----------
    weight : float
        Its probability in the mixture.
    given_1, given_0 : Scenario
        Structure and strategy given state 1 and given state 0.
    """

    weight: float
    given_1: Scenario
    given_0: Scenario


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Certificate):
    """Rule with the least worst-case regret, between two proven bounds of that regret.

    Parameters
    ----------
    aggregator : PiecewiseLinear
        The rule.
    lower : float
        No rule has a smaller worst regret than this, as `mixture` proves.
    upper : float
        Worst regret of the rule.
    largest_loss : float
        Largest expected loss of the rule.
    mixture : tuple of WeightedStructure
        Nature's random choice among structures with strategies, the witness of `lower`.
    iterations : int
        Number of rounds of the method.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss
        Loss of the forecast.
    tol : float
        The requested gap.

    Notes
    -----
    docs/theory.md, Theorem 7.4: the worst regret of every rule is at least the Bayes risk against the mixture minus its
    mean benchmark, and the minimax regret is at most the worst regret of any rule.
    """

    aggregator: PiecewiseLinear
    largest_loss: float
    mixture: tuple[WeightedStructure, ...]
    iterations: int
    panel: Panel
    expert: Expert
    loss: Loss

    def _recompute_lower(self) -> float:
        """Return the bound of the mixture in closed form; nan where weights, means or strategies are invalid."""
        weights = np.array([part.weight for part in self.mixture])
        cuts = [Cut(part.given_1, part.given_0) for part in self.mixture]
        if not are_distributions(weights, (len(cuts),)) or not all(possible(c, self.panel, self.expert) for c in cuts):
            return math.nan
        return Cuts.of(cuts, self.expert, self.loss).lower_bound(weights)

    def _recompute_rule(self) -> Iterator[tuple[float, float]]:
        """Yield the exact worst regret of the rule and its largest expected loss."""
        worst = worst_case_of_expert(self.aggregator, self.panel, self.expert, self.loss)
        yield worst.regret, self.upper
        yield worst.largest_loss, self.largest_loss

    @property
    def _measure(self) -> str:
        return "regret"

    def _details(self) -> Iterator[str]:
        yield f"The expected loss of this rule is at most {format_number(self.largest_loss)}."
        structures = count(len(self.mixture), "structure with a strategy", "structures with strategies")
        yield f"Nature attains the lower bound with a mixture of {structures}."

    def _draw(self) -> Callable[[Any, Any], object]:
        return lambda plots, axes: plots.rule({self.aggregator.name: self.aggregator}, panel=self.panel, ax=axes)
