"""The rules that compete, and what each of their forecasts costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.rules import majority, mean, random_dictator, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Panel, RandomDictator, closed_form

MEASURES = ("squared", "absolute", "error")
"""What a forecast costs: the two losses, and the chance that the decision is wrong."""

OPTIMAL = "optimal (squared)"


@dataclass(frozen=True, slots=True)
class Competitor:
    """A rule, and how many adversaries it guards against.

    Attributes
    ----------
    rule
        Its forecasts for each number of reports that say yes.
    assumed_k
        How many adversaries it guards against; None for a rule that does not ask.
    """

    rule: Aggregator
    assumed_k: int | None = None

    @property
    def costs(self) -> FloatArray:
        """Costs: measures × truths × (n + 1)."""
        distance = np.stack([self.rule.values, 1 - self.rule.values])
        if isinstance(self.rule, RandomDictator):
            return np.stack([distance] * len(MEASURES))
        # Half up to rounding is half: it is right with chance 1/2.
        return np.stack([distance**2, distance, np.heaviside(np.round(distance - 0.5, 12), 0.5)])

    def guarantee(self, adversaries: int) -> float | None:
        """Squared loss that is never exceeded; None where nothing is proven for so many adversaries."""
        if self.rule.name != OPTIMAL or self.rule.guarantee is None:
            return None
        return None if self.assumed_k is None or self.assumed_k < adversaries else self.rule.guarantee.expected_loss


def competitors(n: int, guards: Iterable[int], expert: Expert) -> tuple[Competitor, ...]:
    """Return the rules for a panel of n.

    Parameters
    ----------
    n
        Number of reporters, at least 1.
    guards
        Numbers of adversaries to guard against, at least 0; those of n/2 or more are left out.
    expert
        One truthful reporter.

    Returns
    -------
    tuple of Competitor
        The mean, the majority and the random dictator, which guard against nobody. Then for each number of
        adversaries the trimmed mean, the truncated random dictator, and the optimal rule for the squared and for
        the absolute loss; the last is the trimmed mean, or a constant where no rule beats the prior.

    Notes
    -----
    docs/theory.md §2.

    Examples
    --------
    >>> for each in competitors(5, [0, 2, 4], Expert(prior=0.5, tpr=0.9, fpr=0.1)):
    ...     print(each.rule.name, each.assumed_k)
    mean None
    majority None
    random dictator None
    trimmed mean 0
    truncated random dictator 0
    optimal (squared) 0
    optimal (absolute) 0
    trimmed mean 2
    truncated random dictator 2
    optimal (squared) 2
    optimal (absolute) 2
    """
    plain = Panel(n)
    found = [Competitor(rule(plain)) for rule in (mean, majority, random_dictator)]
    for guard in guards:
        if 2 * guard < n:
            panel = Panel(n, guard)
            found += [
                Competitor(rule, guard)
                for rule in (
                    trimmed_mean(panel),
                    RandomDictator(random_dictator(panel).values, "truncated random dictator"),
                    closed_form(panel, expert, "squared"),
                    closed_form(panel, expert, "absolute"),
                )
            ]
    return tuple(found)


def costs_of(rules: Sequence[Competitor]) -> FloatArray:
    """Return the costs of all rules of one panel."""
    return np.stack([rule.costs for rule in rules])
