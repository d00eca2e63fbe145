"""Define the rules that are compared, and the costs of their forecasts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.rules import majority, mean, random_dictator, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Panel, RandomDictator, closed_form
from bribeproof.theory.minimax.optimal import least_loss_rule

MEASURES = ("squared", "absolute", "error")
"""Costs of a forecast: the two losses, and the probability of a wrong decision."""

OPTIMAL, PAIRWISE = "optimal (squared)", "pairwise (squared)"
COMPARED = (OPTIMAL, PAIRWISE, "trimmed mean", "majority", "mean")
"""The rules that tables and figures of losses show."""


@dataclass(frozen=True, slots=True)
class Competitor:
    """A rule, and the number of adversaries that it guards against.

    Attributes
    ----------
    rule
        The rule, with a forecast for each number of reports that say yes.
    assumed_k
        Number of adversaries that it guards against; None for a rule that guards against none.
    """

    rule: Aggregator
    assumed_k: int | None = None

    @property
    def costs(self) -> FloatArray:
        """Costs of the forecasts: an array of measures × truths × (n + 1)."""
        distance = np.stack([self.rule.values, 1 - self.rule.values])
        if isinstance(self.rule, RandomDictator):
            return np.stack([distance] * len(MEASURES))
        # A forecast of one half, up to rounding, is right with probability 1/2.
        return np.stack([distance**2, distance, np.heaviside(np.round(distance - 0.5, 12), 0.5)])

    def guarantee(self, adversaries: int) -> float | None:
        """Return the guaranteed squared loss; None if nothing is proven for this number of adversaries."""
        if self.rule.name not in (OPTIMAL, PAIRWISE) or self.rule.guarantee is None:
            return None
        return None if self.assumed_k is None or self.assumed_k < adversaries else self.rule.guarantee.expected_loss


def competitors(n: int, guards: Iterable[int], expert: Expert) -> tuple[Competitor, ...]:
    """Return the rules to compare on a panel of n reporters.

    Parameters
    ----------
    n
        Number of reporters, at least 1.
    guards
        Numbers of adversaries to guard against, at least 0; those of n/2 or more are left out.
    expert
        One truthful reporter, and how far errors go together, which only the pairwise rule uses.

    Returns
    -------
    tuple of Competitor
        The mean, the majority and the random dictator, which guard against no adversaries. Then for each number of
        adversaries the trimmed mean, the trimmed random dictator, the rules that are optimal for the squared and for
        the absolute loss, whatever the correlation of errors, and the pairwise rule for the squared loss; without a
        bound of the correlation it is the optimal one. The optimal rule for the absolute loss is the trimmed mean, or a
        constant where no rule beats the prior.

    Notes
    -----
    docs/theory.md §2, and §12 for the pairwise rule.

    Examples
    --------
    >>> for competitor in competitors(5, [0, 2, 4], Expert(prior=0.5, tpr=0.9, fpr=0.1)):
    ...     print(competitor.rule.name, competitor.assumed_k)
    mean None
    majority None
    random dictator None
    trimmed mean 0
    trimmed random dictator 0
    optimal (squared) 0
    optimal (absolute) 0
    pairwise (squared) 0
    trimmed mean 2
    trimmed random dictator 2
    optimal (squared) 2
    optimal (absolute) 2
    pairwise (squared) 2
    """
    plain, of_rates = Panel(n), replace(expert, correlation=1.0)
    rules = [Competitor(rule(plain)) for rule in (mean, majority, random_dictator)]
    for guard in guards:
        if 2 * guard < n:
            panel = Panel(n, guard)
            rules += [
                Competitor(rule, guard)
                for rule in (
                    trimmed_mean(panel),
                    RandomDictator(random_dictator(panel).values, "trimmed random dictator"),
                    closed_form(panel, of_rates, "squared"),
                    closed_form(panel, of_rates, "absolute"),
                    _pairwise(panel, expert),
                )
            ]
    return tuple(rules)


def _pairwise(panel: Panel, expert: Expert) -> Aggregator:
    """Return the rule with the least largest loss where errors go together as far as stated."""
    rule = least_loss_rule(panel, expert, "squared")
    return rule.described(PAIRWISE, rule.guarantee)


def costs_of(rules: Sequence[Competitor]) -> FloatArray:
    """Return the costs of several rules, stacked."""
    return np.stack([rule.costs for rule in rules])
