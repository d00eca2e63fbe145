"""The worst case of a rule: what it costs, and the structure and strategy that prove it."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import ParameterError
from bribeproof.theory._validation import whole_number
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.scenario import Scenario


@dataclass(frozen=True, slots=True)
class WorstCaseRecheck:
    """A worst case computed anew from its witness alone.

    Parameters
    ----------
    regret : float
        Regret of the witness; nan where it is no information structure or no strategy.
    difference : float
        Distance from the regret that was claimed.
    mean_residual : float
        Largest distance of a truthful mean from N·a or N·b.
    weight_residual : float
        Largest distance of a sum of weights from 1.
    """

    regret: float
    difference: float
    mean_residual: float
    weight_residual: float


@dataclass(frozen=True, slots=True)
class WorstCase:
    """Largest regret of a rule, and the information structure and strategy that attain it.

    Parameters
    ----------
    regret : float
        Expected loss minus benchmark; infinite where a forecast that is sure and wrong has positive probability
        and infinite loss.
    expected_loss : float
        Expected loss of the rule in this worst case.
    benchmark : float
        Expected loss of the best forecast from the truthful reports alone.
    largest_loss : float
        Largest expected loss over all structures and strategies; other ones than these may attain it.
    given_1, given_0 : Scenario
        Structure and strategy: what happens given state 1 and given state 0.
    rule : Aggregator
        The rule.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss
        Loss of the forecast.

    Notes
    -----
    theory.md §1, extreme points.
    """

    regret: float
    expected_loss: float
    benchmark: float
    largest_loss: float
    given_1: Scenario
    given_0: Scenario
    rule: Aggregator
    panel: Panel
    expert: Expert
    loss: Loss

    def recheck(self) -> WorstCaseRecheck:
        """Compute the regret from the witness alone, without the search that found it.

        Returns
        -------
        WorstCaseRecheck
            The regret from the joint distribution of state, truthful count and count of H, and how well the
            witness keeps the constraints. A witness shows that the worst regret is at least this; that it is no
            more rests on the search. Nothing is raised for a false witness.

        Examples
        --------
        >>> from bribeproof.theory import worst_case
        >>> rule = Aggregator(np.array([0.0, 0.0, 0.5, 1.0, 1.0]))
        >>> worst_case(rule, Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25), "absolute").recheck()
        WorstCaseRecheck(regret=0.375, difference=0.0, mean_residual=0.0, weight_residual=0.0)
        """
        scenarios = ((1, self.expert.prior, self.given_1), (0, 1 - self.expert.prior, self.given_0))
        regret = math.nan
        if all(self._possible(scenario) for _, _, scenario in scenarios):
            losses: list[float] = []
            masses: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
            for state, prior, scenario in scenarios:
                for truthful, weight, count in zip(scenario.truthful, scenario.weights, scenario.counts, strict=True):
                    if (mass := prior * weight) > 0:
                        losses.append(mass * self.loss.value(self.rule(count), state))
                        masses[truthful][state] += mass
            regret = math.fsum(losses) - math.fsum(self._least_loss(*mass) for mass in masses.values())
        means = [self.panel.truthful * rate for rate in (self.expert.tpr, self.expert.fpr)]
        both = (self.given_1, self.given_0)
        return WorstCaseRecheck(
            regret=regret,
            difference=0.0 if regret == self.regret else abs(regret - self.regret),
            mean_residual=max(abs(scenario.mean - mean) for scenario, mean in zip(both, means, strict=True)),
            weight_residual=max(abs(math.fsum(scenario.weights) - 1) for scenario in both),
        )

    def sample(self, rng: np.random.Generator, items: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Draw items from the worst case: their states and the reports on them.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of the randomness.
        items : int
            Number of items, at least 0.

        Returns
        -------
        states : int64 array of shape (items,)
            True states, 0 or 1.
        reports : int64 array of shape (items, n)
            Reports, 1 for H. The last k columns are the adversaries'. Which of the truthful reporters say H is
            drawn uniformly, so that each of them has the rates of the expert.

        Raises
        ------
        ParameterError
            Something else than a generator, or a number of items that is negative or no integer.

        Examples
        --------
        >>> from bribeproof.theory import worst_case
        >>> worst = worst_case([0.0, 0.5, 1.0], Panel(n=2), Expert(prior=0.5, tpr=1.0, fpr=0.0))
        >>> states, reports = worst.sample(np.random.default_rng(0), items=3)
        >>> (reports.sum(axis=1) == 2 * states).all()
        np.True_
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(f"rng = {rng!r} is not a numpy Generator; give numpy.random.default_rng(seed)")
        items = whole_number("items", items)
        states = (rng.random(items) < self.expert.prior).astype(np.int64)
        truthful, adversaries = (np.zeros(items, dtype=np.int64) for _ in range(2))
        for state, scenario in enumerate((self.given_0, self.given_1)):
            rows = np.flatnonzero(states == state)
            which = rng.choice(len(scenario.weights), rows.size, p=scenario.weights)
            truthful[rows] = np.array(scenario.truthful)[which]
            adversaries[rows] = np.array(scenario.adversaries)[which]
        honest = rng.permuted(np.arange(self.panel.truthful) < truthful[:, None], axis=1)
        bribed = np.arange(self.panel.k) < adversaries[:, None]
        return states, np.hstack([honest, bribed]).astype(np.int64)

    def _possible(self, scenario: Scenario) -> bool:
        """Whether this is a distribution of truthful counts together with a strategy."""
        return (
            max(scenario.truthful) <= self.panel.truthful
            and max(scenario.adversaries) <= self.panel.k
            and all(0 <= weight <= 1 for weight in scenario.weights)
        )

    def _least_loss(self, mass_0: float, mass_1: float) -> float:
        """Least loss where the states have these masses; one that rounds away beside the other costs nothing."""
        return (mass_0 + mass_1) * self.loss.bayes_risk(mass_1 / (mass_0 + mass_1))


class WorstCases(NamedTuple):
    """Worst cases of a rule over all experts of an interval; each holds the expert that attains it.

    Parameters
    ----------
    by_regret : WorstCase
        The expert with the largest `regret`.
    by_loss : WorstCase
        The expert with the largest `largest_loss`.
    """

    by_regret: WorstCase
    by_loss: WorstCase
