"""Cuts: structures with strategies as bounds of every rule's regret, and where to find good ones."""

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
from bribeproof.theory.worst_case.adversary import LinearPieces, Worst, truthful_mean
from bribeproof.theory.worst_case.scenario import Scenario

# At most so many new cuts for each rule, and adversaries' counts that cost as much as the worst one up to this.
_MOST_NEW_CUTS = 24
_TIE = 1e-7


class Cut(NamedTuple):
    """One structure with one strategy: what happens given state 1 and given state 0."""

    given_1: Scenario
    given_0: Scenario


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts as matrices: one row a cut, one column a count of H that the rule sees.

    The regret of the rule f under cut c is Σₓ ones[c, x]·ℓ(f(x), 1) + zeros[c, x]·ℓ(f(x), 0) − benchmarks[c].
    Columns are the counts in `seen`; no cut shows any other count.
    """

    ones: FloatArray
    zeros: FloatArray
    benchmarks: FloatArray
    seen: NDArray[np.int64]
    loss: Loss

    @classmethod
    def of(cls, cuts: Sequence[Cut], expert: Expert, loss: Loss) -> Self:
        """Tabulate the cuts."""
        states = (expert.prior, "given_1"), (1 - expert.prior, "given_0")
        scenarios = [[getattr(cut, name) for cut in cuts] for _, name in states]
        seen = sorted({count for given in scenarios for scenario in given for count in scenario.counts})
        column = {count: place for place, count in enumerate(seen)}
        masses = np.zeros((2, len(cuts), len(seen)))
        for table, given, (prior, _) in zip(masses, scenarios, states, strict=True):
            for row, scenario in enumerate(given):
                for count, weight in zip(scenario.counts, scenario.weights, strict=True):
                    table[row, column[count]] += prior * weight
        return cls(masses[0], masses[1], benchmarks(cuts, expert, loss), np.array(seen, dtype=np.int64), loss)

    def regrets(self, forecasts: FloatArray) -> FloatArray:
        """Regret of the forecasts for the seen counts under each cut; infinite losses of mass 0 do not count."""
        given_1, given_0 = self.loss.value(forecasts, 1), self.loss.value(forecasts, 0)
        return _times(self.ones, given_1) + _times(self.zeros, given_0) - self.benchmarks

    def acts(self, weights: FloatArray) -> FloatArray:
        """Bayes acts of the mixture at the seen counts; 1/2 at a count without mass."""
        mass_1, mass_0 = weights @ self.ones, weights @ self.zeros
        total = mass_1 + mass_0
        shares: FloatArray = np.divide(mass_1, total, where=total > 0, out=np.full(total.shape, 0.5))
        return self.loss.bayes_act(shares)

    def lower_bound(self, weights: FloatArray) -> float:
        """Regret that no rule can avoid against the mixture: its Bayes risk minus its mean benchmark."""
        mass_1, mass_0 = weights @ self.ones, weights @ self.zeros
        total = mass_1 + mass_0
        risks = total * self.loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
        return math.fsum(risks) - math.fsum(weights * self.benchmarks)


def benchmarks(cuts: Sequence[Cut], expert: Expert, loss: Loss) -> FloatArray:
    """Loss of the best forecast from the truthful reports alone, under each cut."""
    counts, masses = np.full((2, len(cuts), 2), -1), np.zeros((2, len(cuts), 2))
    for state, prior in enumerate((expert.prior, 1 - expert.prior)):
        for row, cut in enumerate(cuts):
            points = cut[state].truthful
            counts[state, row, : len(points)] = points
            masses[state, row, : len(points)] = cut[state].weights
        masses[state] *= prior
    met = counts[0, :, :, None] == counts[1, :, None, :]
    mass_1, mass_0 = np.where(met, masses[0, :, :, None], 0.0), np.where(met, masses[1, :, None, :], 0.0)
    total = mass_1 + mass_0
    risks = total * loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
    losses: FloatArray = risks.sum(axis=(1, 2))
    return losses


def possible(cut: Cut, panel: Panel, expert: Expert) -> bool:
    """Whether the cut is an information structure with a strategy, up to rounding of weights and means."""
    for scenario, rate in zip(cut, (expert.tpr, expert.fpr), strict=True):
        if (
            max(scenario.truthful) > panel.truthful
            or len(set(scenario.truthful)) < len(scenario.truthful)
            or max(scenario.adversaries) > panel.k
            or min(scenario.weights) < 0
            or abs(math.fsum(scenario.weights) - 1) > 1e-12
            or abs(scenario.mean - panel.truthful * rate) > 1e-12 * panel.n
        ):
            return False
    return True


def first_cuts(panel: Panel, expert: Expert) -> Iterator[Cut]:
    """Structures that are enough in the regimes of theory.md §2 and §3.

    With adversaries the observed counts are k and n − k in both states; without, the truthful counts are among
    0, 1, n − 1 and n.
    """
    most, k = panel.truthful, panel.k
    pairs = [[(k, most)], [(0, most - k)]] if k else [list(product((0, 1), (most - 1, most)))] * 2
    sides = []
    for ends, rate, strategy in zip(pairs, (expert.tpr, expert.fpr), (0, k), strict=True):
        mean = truthful_mean(panel, rate)
        fitting = [(low, high) for low, high in ends if low <= mean <= high and low < high]
        sides.append([_scenario(low, high, (mean - low) / (high - low), (strategy,) * 2) for low, high in fitting])
    yield from map(Cut._make, product(*sides))


def violated(worst: Worst[LinearPieces], panel: Panel, expert: Expert, loss: Loss, regret: float) -> Iterator[Cut]:
    """Structures under which the rule has more than this regret: the worst one, then the best others.

    The others are pairs of the representatives. Where several strategies cost the most, the one with the fewest and
    the one with the most adversaries who say H are taken.
    """
    pair = worst.pair
    sides: list[list[tuple[float, Scenario]]] = []
    for curve, *candidates in zip(worst.curves, (pair.given_1, pair.given_0), pair.representatives, strict=True):
        counts = {int(count) for points in candidates for column in (points.low, points.high) for count in column}
        answers = {count: _dearest(*worst.rule.options(count, panel.k, curve)) for count in counts}
        scenarios: dict[Scenario, float] = {}
        for points in candidates:
            columns = (column.tolist() for column in (points.low, points.high, points.share, points.loss))
            for low, high, share, cost in zip(*columns, strict=True):
                for strategy in zip(answers[low], answers[high], strict=True):
                    scenarios[_scenario(low, high, share, strategy)] = cost
        sides.append([(cost, scenario) for scenario, cost in scenarios.items()])
    dear = [pair for pair in product(*sides) if pair[0][0] + pair[1][0] > regret]
    cuts = [Cut(given_1, given_0) for (_, given_1), (_, given_0) in dear]
    losses = np.array([cost_1 + cost_0 for (cost_1, _), (cost_0, _) in dear])
    regrets = losses - benchmarks(cuts, expert, loss)
    best = np.argsort(-regrets, kind="stable")[:_MOST_NEW_CUTS]
    yield from (cuts[place] for place in best.tolist() if regrets[place] > regret)


def _dearest(liars: NDArray[np.int64], losses: FloatArray) -> tuple[int, int, int]:
    """Numbers of adversaries that cost the most: the least and the largest of those that tie, and the very worst."""
    tied = liars[losses >= losses.max() - _TIE]
    return int(tied[0]), int(tied[-1]), int(liars[losses.argmax()])


def _scenario(low: int, high: int, share: float, adversaries: tuple[int, int]) -> Scenario:
    """Distribution with this share at the higher point; a point of weight 0 is left out."""
    if low == high or share == 0:
        return Scenario((low,), (1.0,), adversaries[:1])
    if share == 1:
        return Scenario((high,), (1.0,), adversaries[1:])
    return Scenario((low, high), (1 - share, share), adversaries)


def _times(masses: FloatArray, losses: FloatArray) -> FloatArray:
    """Mass times loss, summed over the counts; no mass silences an infinite loss."""
    finite = np.isfinite(losses)
    sums = masses[:, finite] @ losses[finite]
    return np.where((masses[:, ~finite] > 0).any(axis=1), np.inf, sums)
