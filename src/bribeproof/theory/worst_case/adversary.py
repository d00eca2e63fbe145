"""What the adversaries make of a rule: the worst loss at each truthful count, and the worst structure."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.worst_case.structures import Side, WorstPair, worst_pair

Curve = Callable[[FloatArray], FloatArray]
"""Loss of each forecast in one state."""


class TabulatedRule(NamedTuple):
    """A rule given by its forecasts for 0, 1, …, n reports of H."""

    values: FloatArray

    def worst_losses(self, panel: Panel, mean: float, curve: Curve) -> tuple[IntArray, FloatArray]:  # noqa: ARG002
        """All truthful counts, and the largest loss within the adversaries' reach at each."""
        return np.arange(panel.truthful + 1), _sliding_max(curve(self.values), panel.k + 1)

    def options(self, truthful: int, k: int, curve: Curve) -> tuple[IntArray, FloatArray]:
        """Numbers of adversaries that can say H at a truthful count, and what each of them costs."""
        return np.arange(k + 1), curve(self.values[truthful : truthful + k + 1])


class LinearPieces(NamedTuple):
    """A rule that is linear between these counts of H and constant beyond them.

    Its worst case does not need all truthful counts. Let the marks be 0, N, the whole numbers around the mean, the
    counts c, and all c − k. Between two neighbouring marks the worst loss g is a maximum of convex functions: the loss
    at t, the loss at t + k and, at the counts c that are within reach, constants. Take a pair of distributions (p, q)
    and a point j of p strictly between two marks; s is its other point, m the mean. As j moves between the marks, p's
    weights are linear in v = (m − s)/(j − s), its loss, the perspective of g, is convex in v, and so is minus the
    benchmark loss at s. The benchmark loss at j, where q has it too, only lowers the regret. So among the counts
    between the marks that are no points of q, the first or the last is no worse than j; and it is at most two steps
    from a mark. The same then holds for q. Hence the marks and their neighbours up to two steps away are enough.
    """

    counts: IntArray
    forecasts: FloatArray

    def at(self, counts: IntArray) -> FloatArray:
        """Forecasts for some counts of H."""
        return np.interp(counts, self.counts, self.forecasts)

    def worst_losses(self, panel: Panel, mean: float, curve: Curve) -> tuple[IntArray, FloatArray]:
        """Truthful counts that are enough, and the largest loss within the adversaries' reach at each."""
        most, k = panel.truthful, panel.k
        if 10 * self.counts.size >= most:
            return TabulatedRule(self.at(np.arange(panel.n + 1))).worst_losses(panel, mean, curve)
        marks = np.unique(np.concatenate([self.counts, self.counts - k, [0, most, np.floor(mean), np.ceil(mean)]]))
        points = np.unique(marks[:, None] + np.arange(-2, 3)).astype(np.int64)
        points = points[(points >= 0) & (points <= most)]
        losses = np.maximum(curve(self.at(points)), curve(self.at(points + k)))
        if k > 1:
            inside = (self.counts > points[:, None]) & (self.counts < points[:, None] + k)
            losses = np.maximum(losses, np.where(inside, curve(self.forecasts), 0.0).max(axis=1))
        return points, losses

    def options(self, truthful: int, k: int, curve: Curve) -> tuple[IntArray, FloatArray]:
        """Numbers of adversaries that can say H at a truthful count and may cost most, and what they cost."""
        inner = self.counts[(self.counts > truthful) & (self.counts < truthful + k)] - truthful
        liars = np.unique(np.concatenate([[0, k], inner]))
        return liars, curve(self.at(truthful + liars))


Rule = TypeVar("Rule", bound=TabulatedRule | LinearPieces)


@dataclass(frozen=True, slots=True)
class Worst(Generic[Rule]):
    """The worst structure for a rule, and for each state what the adversaries can do."""

    rule: Rule
    pair: WorstPair
    curves: tuple[Curve, Curve]


def worst_structure(rule: Rule, panel: Panel, expert: Expert, loss: Loss) -> Worst[Rule]:
    """Worst structure for a rule, over all pairs of distributions and all strategies; state 1 comes first."""
    sides, curves = [], []
    for state, prior, rate in ((1, expert.prior, expert.tpr), (0, 1 - expert.prior, expert.fpr)):
        curve = _curve(loss, state)
        mean = truthful_mean(panel, rate)
        points, losses = rule.worst_losses(panel, mean, curve)
        sides.append(Side(prior, mean, points, prior * losses if prior > 0 else np.zeros(points.size)))
        curves.append(curve)
    return Worst(rule, worst_pair(sides[0], sides[1], loss), (curves[0], curves[1]))


def truthful_mean(panel: Panel, rate: float) -> float:
    """Mean of the truthful count; a whole number where only the rounding of the rate and of N·rate is between."""
    mean = panel.truthful * rate
    return float(round(mean)) if abs(mean - round(mean)) <= 2 * panel.truthful * np.finfo(float).eps else mean


def _curve(loss: Loss, state: int) -> Curve:
    """Loss of forecasts in one state."""
    return lambda forecasts: loss.value(forecasts, state)


def _sliding_max(losses: FloatArray, width: int) -> FloatArray:
    """Largest of each run of so many neighbours."""
    reached = 1
    while reached < width:
        step = min(reached, width - reached)
        losses = np.maximum(losses[:-step], losses[step:])
        reached += step
    return losses
