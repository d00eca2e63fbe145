"""Strategies of bribed reporters: the reports that replace their own honest ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory import Aggregator, Loss, Panel

ABSENT = -1
"""The code of a label that is missing or unknown."""

STRATEGIES = ("opposite", "random", "high", "low", "copy", "collude", "close", "sleeper", "worst")


@dataclass(frozen=True, slots=True)
class Target:
    """The rule, for each panel, that the worst-case strategy is aimed at.

    Attributes
    ----------
    rule
        Returns the rule of a panel.
    loss
        The loss that the adversaries want to be large.
    """

    rule: Callable[[Panel], Aggregator]
    loss: Loss


@dataclass(frozen=True, slots=True)
class LabelKnowledge:
    """What adversaries know about labelled items; labels are class indices, ABSENT where there is none.

    Attributes
    ----------
    own
        The adversaries' own honest labels, items by adversaries.
    answers
        Where the adversaries answer, items by adversaries.
    honest
        The number of honest reports of each class, items by classes.
    truth
        The true labels.
    gold
        Which items the adversaries know to be gold items.
    copied
        The labels of the reporter to copy.
    rng
        Source of the randomness.
    positive
        The index of the class that counts as 1.
    target
        The rule to hurt.
    """

    own: IntArray
    answers: BoolArray
    honest: IntArray
    truth: IntArray
    gold: BoolArray
    copied: IntArray
    rng: np.random.Generator
    positive: int = 1
    target: Target | None = None

    def lies(self, strategy: str) -> IntArray:
        """Return the reports of the adversaries under a strategy, items by adversaries."""
        _check(strategy, _OF_LABELS, "labels")
        return np.where(self.answers, _OF_LABELS[strategy](self), ABSENT)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.honest.shape[1])

    @property
    def state(self) -> IntArray:
        """The true class, or the most frequent class of the honest reports if it is unknown, the first of equals."""
        return np.where(self.truth == ABSENT, self.honest.argmax(axis=1), self.truth)

    def all_say(self, label: IntArray | int) -> IntArray:
        """Return reports in which all adversaries give the same label to an item."""
        return np.broadcast_to(np.reshape(label, (-1, 1)), self.own.shape)

    def rival(self, of: IntArray) -> IntArray:
        """Return the class with the most honest reports other than `of`, the first of equals."""
        rival: IntArray = _without(self.honest, of, -1).argmax(axis=1)
        return rival


@dataclass(frozen=True, slots=True)
class ScoreKnowledge:
    """What adversaries know about scored items; NaN where there is no score.

    Attributes
    ----------
    own, answers, gold, copied, rng
        As in `LabelKnowledge`.
    honest
        The mean of the honest scores.
    truth
        The true scores.
    scale
        The lowest and the highest score that can be given.
    """

    own: FloatArray
    answers: BoolArray
    honest: FloatArray
    truth: FloatArray
    gold: BoolArray
    copied: FloatArray
    rng: np.random.Generator
    scale: tuple[float, float]

    def lies(self, strategy: str) -> FloatArray:
        """Return the reports of the adversaries under a strategy, items by adversaries."""
        _check(strategy, _OF_SCORES, "scores")
        return np.where(self.answers, _OF_SCORES[strategy](self), np.nan)

    def all_say(self, score: FloatArray | float) -> FloatArray:
        """Return reports in which all adversaries give the same score to an item."""
        return np.broadcast_to(np.reshape(score, (-1, 1)), self.own.shape)

    def far_from(self, scores: FloatArray) -> FloatArray:
        """Return reports with the end of the scale that is farther from the scores, the high one if equally far."""
        low, high = self.scale
        return self.all_say(np.where(high - scores < scores - low, low, high))


def _check(strategy: str, available: Mapping[str, object], kind: str) -> None:
    """Raise an error unless the strategy exists for this kind of report."""
    if strategy not in STRATEGIES:
        raise ParameterError(f"strategy={strategy!r}: use one of {', '.join(STRATEGIES)}")
    if strategy not in available:
        raise ParameterError(f"strategy={strategy!r} does not apply to {kind}: use one of {', '.join(available)}")


def _without(histogram: IntArray, index: IntArray, value: int) -> IntArray:
    """Return the histogram with the count of one class of each item replaced by a value."""
    changed = histogram.copy()
    np.put_along_axis(changed, index[:, None], value, axis=1)
    return changed


def _opposite(knowledge: LabelKnowledge) -> IntArray:
    """Report the class with the fewest honest reports, but never the one with the most."""
    most = knowledge.honest.argmax(axis=1)
    return knowledge.all_say(_without(knowledge.honest, most, np.iinfo(np.int64).max).argmin(axis=1))


def _close(knowledge: LabelKnowledge) -> IntArray:
    """Report the runner-up where that makes it win outright, and the own honest label elsewhere."""
    own = knowledge.own[..., None] == np.arange(knowledge.classes)
    winner = (knowledge.honest + (own & knowledge.answers[..., None]).sum(axis=1)).argmax(axis=1)
    rival = knowledge.rival(winner)
    items, votes = np.arange(len(winner)), knowledge.answers.sum(axis=1)
    swings = knowledge.honest[items, rival] + votes > knowledge.honest[items, winner]
    return np.where(swings[:, None], knowledge.all_say(rival), knowledge.own)


def _worst(knowledge: LabelKnowledge) -> IntArray:
    """Choose the number of positive votes that maximises the loss, given the truth and the honest votes."""
    if knowledge.target is None:
        raise ParameterError("strategy='worst' needs the rule to hurt: give expert=Expert(...) for the worst-case rule")
    if knowledge.classes != 2:
        raise ParameterError(f"strategy='worst' needs votes of two classes; these labels have {knowledge.classes}")
    state = knowledge.state == knowledge.positive
    truthful, honest_ones = knowledge.honest.sum(axis=1), knowledge.honest[:, knowledge.positive]
    bribed = knowledge.answers.sum(axis=1)
    ones = np.where(state, 0, bribed)
    k = knowledge.own.shape[1]
    for votes, lies in np.unique(np.stack([truthful, bribed], axis=1), axis=0).tolist():
        if votes + lies <= 2 * k:
            continue
        rule = knowledge.target.rule(Panel(votes + lies, k))
        if rule.n != votes + lies:
            raise ParameterError(
                f"the rule for {votes + lies} voters is one for {rule.n}: give a function of the panel"
            )
        values = rule.values
        counts = np.arange(votes + 1)[:, None] + np.arange(lies + 1)
        items = (truthful == votes) & (bribed == lies)
        for true in (0, 1):
            losses = knowledge.target.loss.value(values[counts], true)
            # Among equally bad numbers of ones, take the one farthest from the truth.
            worst = losses.argmax(axis=1) if true else lies - losses[:, ::-1].argmax(axis=1)
            chosen = items & (state == bool(true))
            ones[chosen] = worst[honest_ones[chosen]]
    says_one = knowledge.answers.cumsum(axis=1) <= ones[:, None]
    return np.where(says_one, knowledge.positive, 1 - knowledge.positive)


_OF_LABELS: dict[str, Callable[[LabelKnowledge], IntArray]] = {
    "opposite": _opposite,
    "random": lambda knowledge: knowledge.rng.integers(knowledge.classes, size=knowledge.own.shape),
    "high": lambda knowledge: knowledge.all_say(knowledge.classes - 1),
    "low": lambda knowledge: knowledge.all_say(0),
    "copy": lambda knowledge: np.where(
        knowledge.copied[:, None] == ABSENT, knowledge.own, knowledge.all_say(knowledge.copied)
    ),
    "collude": lambda knowledge: knowledge.all_say(knowledge.rival(knowledge.state)),
    "close": _close,
    "sleeper": lambda knowledge: np.where(knowledge.gold[:, None], knowledge.own, _opposite(knowledge)),
    "worst": _worst,
}

_OF_SCORES: dict[str, Callable[[ScoreKnowledge], FloatArray]] = {
    "opposite": lambda knowledge: knowledge.far_from(knowledge.honest),
    "random": lambda knowledge: knowledge.rng.uniform(*knowledge.scale, size=knowledge.own.shape),
    "high": lambda knowledge: knowledge.all_say(knowledge.scale[1]),
    "low": lambda knowledge: knowledge.all_say(knowledge.scale[0]),
    "copy": lambda knowledge: np.where(
        np.isnan(knowledge.copied[:, None]), knowledge.own, knowledge.all_say(knowledge.copied)
    ),
    "collude": lambda knowledge: knowledge.far_from(
        np.where(np.isnan(knowledge.truth), knowledge.honest, knowledge.truth)
    ),
    "sleeper": lambda knowledge: np.where(knowledge.gold[:, None], knowledge.own, knowledge.far_from(knowledge.honest)),
}
