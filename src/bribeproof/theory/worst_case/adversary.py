"""The worst strategy of the adversaries against a rule, and the worst structure with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.worst_case.structures import StateLosses, WorstPair, worst_pair

LossGivenState = Callable[[FloatArray], FloatArray]
"""Loss of each forecast, given one state."""


class TabulatedRule(NamedTuple):
    """A rule given by its forecasts for 0, 1, …, n reports of H."""

    values: FloatArray

    def worst_losses(self, panel: Panel, mean: float, loss_given: LossGivenState) -> tuple[IntArray, FloatArray]:  # noqa: ARG002
        """Return all truthful counts, and the largest loss that the adversaries can cause at each."""
        return np.arange(panel.truthful + 1), _sliding_max(loss_given(self.values), panel.k + 1)

    def options(self, truthful: int, k: int, loss_given: LossGivenState) -> tuple[IntArray, FloatArray]:
        """Return the possible numbers of adversaries who report H at a truthful count, and the loss with each."""
        return np.arange(k + 1), loss_given(self.values[truthful : truthful + k + 1])


class LinearPieces(NamedTuple):
    """A rule that is linear between these counts of H and constant beyond them.

    Its worst case does not need all truthful counts: those within two steps of a mark are enough, where the marks are
    0, N, the whole numbers next to the mean, the counts c of the rule and all c − k (docs/theory.md, Lemma 7.3).
    """

    counts: IntArray
    forecasts: FloatArray

    def at(self, counts: IntArray) -> FloatArray:
        """Return the forecasts for some counts of H."""
        return np.interp(counts, self.counts, self.forecasts)

    def worst_losses(self, panel: Panel, mean: float, loss_given: LossGivenState) -> tuple[IntArray, FloatArray]:
        """Return the truthful counts that are enough, and the largest loss that the adversaries can cause at each."""
        most, k = panel.truthful, panel.k
        if 10 * self.counts.size >= most:
            return TabulatedRule(self.at(np.arange(panel.n + 1))).worst_losses(panel, mean, loss_given)
        marks = np.unique(np.concatenate([self.counts, self.counts - k, [0, most, np.floor(mean), np.ceil(mean)]]))
        points = np.unique(marks[:, None] + np.arange(-2, 3)).astype(np.int64)
        points = points[(points >= 0) & (points <= most)]
        losses = np.maximum(loss_given(self.at(points)), loss_given(self.at(points + k)))
        if k > 1:
            inside = (self.counts > points[:, None]) & (self.counts < points[:, None] + k)
            losses = np.maximum(losses, np.where(inside, loss_given(self.forecasts), 0.0).max(axis=1))
        return points, losses

    def options(self, truthful: int, k: int, loss_given: LossGivenState) -> tuple[IntArray, FloatArray]:
        """Return the numbers of adversaries who report H that may be worst there, and the loss with each."""
        inner = self.counts[(self.counts > truthful) & (self.counts < truthful + k)] - truthful
        adversaries = np.unique(np.concatenate([[0, k], inner]))
        return adversaries, loss_given(self.at(truthful + adversaries))


Rule = TypeVar("Rule", bound=TabulatedRule | LinearPieces)


@dataclass(frozen=True, slots=True)
class WorstStructure(Generic[Rule]):
    """The worst structure for a rule, with the rule and the losses given state 1 and given state 0."""

    rule: Rule
    pair: WorstPair
    losses_given: tuple[LossGivenState, LossGivenState]


def worst_structure(rule: Rule, panel: Panel, expert: Expert, loss: Loss) -> WorstStructure[Rule]:
    """Return the worst structure for a rule, over all pairs of laws and all strategies; state 1 comes first."""
    states, losses_given = [], []
    for state, prior, rate in ((1, expert.prior, expert.tpr), (0, 1 - expert.prior, expert.fpr)):
        loss_given = _loss_given(loss, state)
        mean = truthful_mean(panel, rate)
        points, losses = rule.worst_losses(panel, mean, loss_given)
        states.append(StateLosses(prior, mean, points, prior * losses if prior > 0 else np.zeros(points.size)))
        losses_given.append(loss_given)
    return WorstStructure(rule, worst_pair(states[0], states[1], loss), (losses_given[0], losses_given[1]))


def truthful_mean(panel: Panel, rate: float) -> float:
    """Return the mean N·rate of the truthful count, rounded to a whole number where it differs by rounding alone."""
    mean = panel.truthful * rate
    return float(round(mean)) if abs(mean - round(mean)) <= 2 * panel.truthful * np.finfo(float).eps else mean


def _loss_given(loss: Loss, state: int) -> LossGivenState:
    """Return the loss of forecasts given one state, as a function."""
    return lambda forecasts: loss.value(forecasts, state)


def _sliding_max(losses: FloatArray, width: int) -> FloatArray:
    """Return the maximum of each window of this width."""
    reached = 1
    while reached < width:
        step = min(reached, width - reached)
        losses = np.maximum(losses[:-step], losses[step:])
        reached += step
    return losses
