"""Worst cases of a rule: the regret and loss, and the structure and strategy that attain them."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bribeproof._notebook import Rows, render_html
from bribeproof._text import count, format_number, printable
from bribeproof._typing import IntArray
from bribeproof._validation import random_generator, whole_number
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.scenario import Scenario


@dataclass(frozen=True, slots=True)
class WorstCaseRecheck:
    """The regret of a worst case, recomputed from its structure and strategy alone.

    Parameters
    ----------
    regret : float
        Regret of the witness; nan where it is not an information structure with a strategy.
    difference : float
        Distance from the claimed regret.
    mean_residual : float
        Largest distance of a truthful mean from N·a or N·b.
    weight_residual : float
        Largest distance of a sum of weights from 1.

    Notes
    -----
    A worst case proves a lower bound of the rule's worst regret; a `Certificate` proves two bounds of the minimax
    regret, and its recheck recomputes both.
    """

    regret: float
    difference: float
    mean_residual: float
    weight_residual: float


@dataclass(frozen=True, slots=True, repr=False)
class WorstCase:
    """Largest regret of a rule, and the information structure and strategy that attain it.

    Parameters
    ----------
    regret : float
        Expected loss minus benchmark; infinite where a state that the rule gives probability 0 occurs under the
        logarithmic loss.
    expected_loss : float
        Expected loss of the rule in this worst case.
    benchmark : float
        Expected loss of the best forecast from the truthful reports alone.
    largest_loss : float
        Largest expected loss over all structures and strategies; others than these may attain it.
    given_1, given_0 : Scenario
        Structure and strategy given state 1 and given state 0.
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
    docs/theory.md, Lemma 1.3.
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
        """Recompute the regret from the structure and the strategy alone, without the search that found them.

        Returns
        -------
        WorstCaseRecheck
            The regret, from the joint distribution of state, truthful count and count seen, and how far the structure
            is from the required means and from total weight 1. It proves that the worst regret is at least this; that
            it is not larger, and ``largest_loss``, rest on the search. A false witness raises nothing: compare.

        Examples
        --------
        >>> from bribeproof.theory import worst_case
        >>> rule = Aggregator(np.array([0.0, 0.0, 0.5, 1.0, 1.0]))
        >>> worst_case(rule, Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25), "absolute").recheck()
        WorstCaseRecheck(regret=0.375, difference=0.0, mean_residual=0.0, weight_residual=0.0)
        """
        scenarios = ((1, self.expert.prior, self.given_1), (0, 1 - self.expert.prior, self.given_0))
        regret = expected_loss = benchmark = math.nan
        if all(scenario.is_possible(self.panel) for _, _, scenario in scenarios):
            losses: list[float] = []
            masses: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
            for state, prior, scenario in scenarios:
                for truthful, weight, seen in zip(scenario.truthful, scenario.weights, scenario.counts, strict=True):
                    if (mass := prior * weight) > 0:
                        losses.append(mass * self.loss.value(self.rule(seen), state))
                        masses[truthful][state] += mass
            expected_loss = math.fsum(losses)
            benchmark = math.fsum(self._least_loss(*mass) for mass in masses.values())
            regret = expected_loss - benchmark
        means = [self.panel.truthful * rate for rate in (self.expert.tpr, self.expert.fpr)]
        both = self.given_1, self.given_0
        claims = ((regret, self.regret), (expected_loss, self.expected_loss), (benchmark, self.benchmark))
        distances = [0.0 if x == y else abs(x - y) for x, y in claims]
        return WorstCaseRecheck(
            regret=regret,
            difference=math.nan if any(map(math.isnan, distances)) else max(distances),
            mean_residual=max(abs(scenario.mean - mean) for scenario, mean in zip(both, means, strict=True)),
            weight_residual=max(abs(math.fsum(scenario.weights) - 1) for scenario in both),
        )

    def sample(self, items: int, seed: int | np.random.Generator = 0) -> tuple[IntArray, IntArray]:
        """Draw items from the worst case: their states and the reports on them.

        Parameters
        ----------
        items : int
            Number of items, at least 0.
        seed : int or numpy.random.Generator, default 0
            Seed of the random draws.

        Returns
        -------
        states : int64 array of shape (items,)
            True states, 0 or 1.
        reports : int64 array of shape (items, n)
            Reports, 1 for H. The last k columns are the adversaries'. Which of the truthful reporters report H is
            drawn uniformly, so that each of them has the rates of the expert.

        Raises
        ------
        ParameterError
            A number of items or a seed that is negative or not an integer.

        Examples
        --------
        >>> from bribeproof.theory import worst_case
        >>> worst = worst_case([0.0, 0.5, 1.0], Panel(n=2), Expert(prior=0.5, tpr=1.0, fpr=0.0))
        >>> states, reports = worst.sample(items=3, seed=0)
        >>> (reports.sum(axis=1) == 2 * states).all()
        np.True_
        """
        items, random = whole_number("items", items), random_generator(seed)
        states = (random.random(items) < self.expert.prior).astype(np.int64)
        truthful, adversaries = (np.zeros(items, dtype=np.int64) for _ in range(2))
        for state, scenario in enumerate((self.given_0, self.given_1)):
            rows = np.flatnonzero(states == state)
            which = random.choice(len(scenario.weights), rows.size, p=scenario.weights)
            truthful[rows] = np.array(scenario.truthful)[which]
            adversaries[rows] = np.array(scenario.adversaries)[which]
        honest = random.permuted(np.arange(self.panel.truthful) < truthful[:, None], axis=1)
        bribed = np.arange(self.panel.k) < adversaries[:, None]
        return states, np.hstack([honest, bribed]).astype(np.int64)

    def summary(self) -> str:
        """Return the worst case in plain sentences, one per line.

        Examples
        --------
        >>> from bribeproof.rules import trimmed_mean
        >>> from bribeproof.theory import worst_case
        >>> panel, expert = Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.0)
        >>> print(worst_case(trimmed_mean(panel), panel, expert, "absolute").summary())
        The worst-case regret of trimmed mean is 0.1875: expected loss 0.1875, benchmark 0.
        Its expected loss is at most 0.1875.
        State 1 (probability 0.5):
        With probability 0.375, 1 of 3 truthful reporters and 0 of 1 adversary report H: forecast 0.
        With probability 0.625, 3 of 3 truthful reporters and 0 of 1 adversary report H: forecast 1.
        State 0 (probability 0.5):
        With probability 1, 0 of 3 truthful reporters and 0 of 1 adversary report H: forecast 0.
        """
        lines = [
            f"The worst-case regret of {printable(self.rule.name)} is {format_number(self.regret)}: expected loss "
            f"{format_number(self.expected_loss)}, benchmark {format_number(self.benchmark)}.",
            f"Its expected loss is at most {format_number(self.largest_loss)}.",
        ]
        for state, prior, cases in self._cases():
            lines.append(f"State {state} (probability {format_number(prior)}):")
            for weight, truthful, adversaries, _, forecast in cases:
                bribed = f" and {adversaries:,} of {count(self.panel.k, 'adversary', 'adversaries')}"
                lines.append(
                    f"With probability {format_number(weight)}, {truthful:,} of "
                    f"{count(self.panel.truthful, 'truthful reporter')}{bribed if self.panel.k else ''} report H: "
                    f"forecast {format_number(forecast)}."
                )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"WorstCase(regret={self.regret!r}, expected_loss={self.expected_loss!r}, benchmark={self.benchmark!r}, "
            f"largest_loss={self.largest_loss!r}, rule={self.rule.name!r}, panel={self.panel!r})"
        )

    def _repr_html_(self) -> str:
        """Return the worst case for a notebook: its summary, a table of its cases and a picture."""
        columns = ("state", "probability given state", "truthful H", "adversaries H", "seen H", "forecast")
        rows = [(state, *case) for state, _, cases in self._cases() for case in cases]
        summary = "\n".join(self.summary().splitlines()[:2])
        return render_html(summary, Rows(columns, rows), lambda plots, axes: plots.worst_case(self, ax=axes))

    def _cases(self) -> Iterator[tuple[int, float, list[tuple[float, int, int, int, float]]]]:
        """Yield each state and its prior with weight, truthful H, adversarial H, H seen and forecast of each case."""
        for state, prior, scenario in ((1, self.expert.prior, self.given_1), (0, 1 - self.expert.prior, self.given_0)):
            columns = (scenario.weights, scenario.truthful, scenario.adversaries, scenario.counts)
            cases = [(*case, self.rule(case[3])) for case in zip(*columns, strict=True)]
            yield state, prior, cases

    def _least_loss(self, mass_0: float, mass_1: float) -> float:
        """Return the least expected loss for these masses of the states, not both 0."""
        return (mass_0 + mass_1) * self.loss.bayes_risk(mass_1 / (mass_0 + mass_1))


class WorstCases(NamedTuple):
    """Worst cases of a rule over all experts within bounds; each holds the expert that attains it.

    Parameters
    ----------
    by_regret : WorstCase
        Worst case of the expert with the largest `regret`.
    by_loss : WorstCase
        Worst case of the expert with the largest `largest_loss`.

    Notes
    -----
    docs/theory.md, Proposition 5.2.
    """

    by_regret: WorstCase
    by_loss: WorstCase

    def summary(self) -> str:
        """Return the two worst cases in plain sentences, one per line."""
        return (
            f"The worst-case regret over all priors and rates is {format_number(self.by_regret.regret)}, "
            f"attained at {self.by_regret.expert}.\n"
            f"The expected loss is at most {format_number(self.by_loss.largest_loss)}, "
            f"attained at {self.by_loss.expert}."
        )

    def _repr_html_(self) -> str:
        """Return the two worst cases for a notebook: their summary, a table, and a picture of the larger regret."""
        columns = ("worst by", "prior", "tpr", "fpr", "regret", "largest loss")
        rows = [
            (name, worst.expert.prior, worst.expert.tpr, worst.expert.fpr, worst.regret, worst.largest_loss)
            for name, worst in (("regret", self.by_regret), ("loss", self.by_loss))
        ]
        return render_html(
            self.summary(), Rows(columns, rows), lambda plots, axes: plots.worst_case(self.by_regret, ax=axes)
        )
