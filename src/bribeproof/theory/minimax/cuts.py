"""Cuts, that is information structures with strategies: tabulate them, check them, and find violated ones."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.worst_case.adversary import LinearPieces, WorstStructure, truthful_mean
from bribeproof.theory.worst_case.scenario import Scenario

_MAX_NEW_CUTS = 24
"""Largest number of new cuts for each rule."""
_TIE = 1e-7
"""Strategies whose losses differ by at most this count as equally costly."""


class Cut(NamedTuple):
    """One structure with one strategy, given state 1 and given state 0: a lower bound of every rule's worst regret."""

    given_1: Scenario
    given_0: Scenario


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts as matrices, with one row per cut and one column per count of H that the rule sees.

    The regret of the rule f under cut c is Σₓ ones[c, x]·ℓ(f(x), 1) + zeros[c, x]·ℓ(f(x), 0) − benchmarks[c].
    Columns are the counts in `seen`; under no cut does the rule see another count.
    """

    ones: FloatArray
    zeros: FloatArray
    benchmarks: FloatArray
    seen: NDArray[np.int64]
    loss: Loss

    @classmethod
    def of(cls, cuts: Sequence[Cut], expert: Expert, loss: Loss) -> Self:
        """Return the matrices of some cuts."""
        states = (expert.prior, "given_1"), (1 - expert.prior, "given_0")
        scenarios = [[getattr(cut, name) for cut in cuts] for _, name in states]
        seen = sorted({count for given in scenarios for scenario in given for count in scenario.counts})
        column = {count: index for index, count in enumerate(seen)}
        masses = np.zeros((2, len(cuts), len(seen)))
        for table, given, (prior, _) in zip(masses, scenarios, states, strict=True):
            for row, scenario in enumerate(given):
                for count, weight in zip(scenario.counts, scenario.weights, strict=True):
                    table[row, column[count]] += prior * weight
        return cls(masses[0], masses[1], benchmarks(cuts, expert, loss), np.array(seen, dtype=np.int64), loss)

    def regrets(self, forecasts: FloatArray) -> FloatArray:
        """Return the regret of forecasts for the seen counts under each cut; a loss without mass does not count."""
        given_1, given_0 = self.loss.value(forecasts, 1), self.loss.value(forecasts, 0)
        return _times(self.ones, given_1) + _times(self.zeros, given_0) - self.benchmarks

    def acts(self, weights: FloatArray) -> FloatArray:
        """Return the Bayes acts against a mixture at the seen counts; 1/2 at a count without mass."""
        mass_1, mass_0 = weights @ self.ones, weights @ self.zeros
        total = mass_1 + mass_0
        shares: FloatArray = np.divide(mass_1, total, where=total > 0, out=np.full(total.shape, 0.5))
        return self.loss.bayes_act(shares)

    def lower_bound(self, weights: FloatArray) -> float:
        """Return the least regret against a mixture: its Bayes risk minus its mean benchmark (Theorem 7.4)."""
        mass_1, mass_0 = weights @ self.ones, weights @ self.zeros
        total = mass_1 + mass_0
        risks = total * self.loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
        return math.fsum(risks) - math.fsum(weights * self.benchmarks)


def benchmarks(cuts: Sequence[Cut], expert: Expert, loss: Loss) -> FloatArray:
    """Return the loss of the best forecast from the truthful reports alone, under each cut."""
    counts, masses = np.full((2, len(cuts), 2), -1), np.zeros((2, len(cuts), 2))
    for state, prior in enumerate((expert.prior, 1 - expert.prior)):
        for row, cut in enumerate(cuts):
            points = cut[state].truthful
            counts[state, row, : len(points)] = points
            masses[state, row, : len(points)] = cut[state].weights
        masses[state] *= prior
    shared = counts[0, :, :, None] == counts[1, :, None, :]
    mass_1, mass_0 = np.where(shared, masses[0, :, :, None], 0.0), np.where(shared, masses[1, :, None, :], 0.0)
    total = mass_1 + mass_0
    risks = total * loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
    losses: FloatArray = risks.sum(axis=(1, 2))
    return losses


def possible(cut: Cut, panel: Panel, expert: Expert) -> bool:
    """Return whether a cut is an information structure with a strategy, up to rounding of weights and means."""
    for scenario, rate in zip(cut, (expert.tpr, expert.fpr), strict=True):
        if (
            not scenario.is_possible(panel)
            or len(set(scenario.truthful)) < len(scenario.truthful)
            or abs(math.fsum(scenario.weights) - 1) > 1e-12
            or abs(scenario.mean - panel.truthful * rate) > 1e-12 * panel.n
        ):
            return False
    return True


def first_cuts(panel: Panel, expert: Expert) -> Iterator[Cut]:
    """Yield structures to start from, which are enough where docs/theory.md has a closed form.

    With adversaries the counts seen are k and n − k in both states (Theorem A). Without adversaries the truthful counts
    are among 0, 1, n − 1 and n; in the regular regime that is proven to be enough for threshold losses
    (Proposition 3.2), and only checked numerically for the squared loss (§3).
    """
    truthful, k = panel.truthful, panel.k
    pairs = [[(k, truthful)], [(0, truthful - k)]] if k else [list(product((0, 1), (truthful - 1, truthful)))] * 2
    by_state = []
    for ends, rate, strategy in zip(pairs, (expert.tpr, expert.fpr), (0, k), strict=True):
        mean = truthful_mean(panel, rate)
        fitting = [(low, high) for low, high in ends if low <= mean <= high and low < high]
        by_state.append([_scenario(low, high, (mean - low) / (high - low), (strategy,) * 2) for low, high in fitting])
    yield from map(Cut._make, product(*by_state))


def violated(
    worst: WorstStructure[LinearPieces], panel: Panel, expert: Expert, loss: Loss, regret: float
) -> Iterator[Cut]:
    """Yield structures under which the rule has more than this regret, in descending order of its regret.

    They are the worst one and pairs of the representatives. Where several strategies are costliest, those with the
    fewest and with the most adversaries who report H are taken.
    """
    pair = worst.pair
    by_state: list[list[tuple[float, Scenario]]] = []
    for loss_given, *laws in zip(worst.losses_given, (pair.given_1, pair.given_0), pair.representatives, strict=True):
        counts = {int(count) for law in laws for column in (law.low, law.high) for count in column}
        strategies = {count: _costliest(*worst.rule.options(count, panel.k, loss_given)) for count in counts}
        scenarios: dict[Scenario, float] = {}
        for law in laws:
            columns = (column.tolist() for column in (law.low, law.high, law.share, law.loss))
            for low, high, share, expected in zip(*columns, strict=True):
                for strategy in zip(strategies[low], strategies[high], strict=True):
                    scenarios[_scenario(low, high, share, strategy)] = expected
        by_state.append([(expected, scenario) for scenario, expected in scenarios.items()])
    costly = [both for both in product(*by_state) if both[0][0] + both[1][0] > regret]
    cuts = [Cut(given_1, given_0) for (_, given_1), (_, given_0) in costly]
    losses = np.array([loss_1 + loss_0 for (loss_1, _), (loss_0, _) in costly])
    regrets = losses - benchmarks(cuts, expert, loss)
    worst_first = np.argsort(-regrets, kind="stable")[:_MAX_NEW_CUTS]
    yield from (cuts[index] for index in worst_first.tolist() if regrets[index] > regret)


def _costliest(adversaries: NDArray[np.int64], losses: FloatArray) -> tuple[int, int, int]:
    """Return the least and the largest number of adversaries with the largest loss, up to ties, and the exact one."""
    tied = adversaries[losses >= losses.max() - _TIE]
    return int(tied[0]), int(tied[-1]), int(adversaries[losses.argmax()])


def _scenario(low: int, high: int, share: float, adversaries: tuple[int, int]) -> Scenario:
    """Return the scenario with this share at the higher count; a count of weight 0 is left out."""
    if low == high or share == 0:
        return Scenario((low,), (1.0,), adversaries[:1])
    if share == 1:
        return Scenario((high,), (1.0,), adversaries[1:])
    return Scenario((low, high), (1 - share, share), adversaries)


def _times(masses: FloatArray, losses: FloatArray) -> FloatArray:
    """Return mass times loss, summed over the counts; an infinite loss without mass counts as 0."""
    finite = np.isfinite(losses)
    sums = masses[:, finite] @ losses[finite]
    return np.where((masses[:, ~finite] > 0).any(axis=1), np.inf, sums)
