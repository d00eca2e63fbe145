"""How bribed reporters lie: what they answer, item by item, in the place of their own honest reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory import Aggregator, Loss, Panel

ABSENT = -1
"""The place of a label that is missing or not known."""

STRATEGIES = ("opposite", "random", "high", "low", "copy", "collude", "close", "sleeper", "worst")


@dataclass(frozen=True, slots=True)
class Target:
    """The rule that the worst-case strategy is aimed at: it may have a rule for every panel, as rules do.

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
    """What adversaries know of labelled items; labels are places in class order, ABSENT where there is none.

    Attributes
    ----------
    own
        The adversaries' own honest labels, items by adversaries.
    answers
        Where they answer.
    honest
        How many honest reporters chose each class, items by classes.
    truth
        The true labels.
    gold
        Which items are known to be gold.
    copied
        The labels of the reporter that is copied.
    rng
        Source of the randomness.
    positive
        The place of the class that counts as 1.
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
        """Return what the adversaries say, items by adversaries."""
        _check(strategy, _OF_LABELS, "labels")
        return np.where(self.answers, _OF_LABELS[strategy](self), ABSENT)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.honest.shape[1])

    @property
    def state(self) -> IntArray:
        """The true class; where it is not known, the one that most honest reporters chose, the first of equals."""
        return np.where(self.truth == ABSENT, self.honest.argmax(axis=1), self.truth)

    def all_say(self, label: IntArray | int) -> IntArray:
        """Return one label for every item, the same for all adversaries."""
        return np.broadcast_to(np.reshape(label, (-1, 1)), self.own.shape)

    def rival(self, of: IntArray) -> IntArray:
        """Return the class with the most honest reports beside one of each item, the first of equals."""
        rival: IntArray = _without(self.honest, of, -1).argmax(axis=1)
        return rival


@dataclass(frozen=True, slots=True)
class ScoreKnowledge:
    """What adversaries know of scored items; NaN where there is nothing.

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
        """Return what the adversaries say, items by adversaries."""
        _check(strategy, _OF_SCORES, "scores")
        return np.where(self.answers, _OF_SCORES[strategy](self), np.nan)

    def all_say(self, score: FloatArray | float) -> FloatArray:
        """Return one score for every item, the same for all adversaries."""
        return np.broadcast_to(np.reshape(score, (-1, 1)), self.own.shape)

    def far_from(self, scores: FloatArray) -> FloatArray:
        """Return for all adversaries the end of the scale that is farther away, the high one of equals."""
        low, high = self.scale
        return self.all_say(np.where(high - scores < scores - low, low, high))


def _check(strategy: str, known: Mapping[str, object], kind: str) -> None:
    """Check that there is such a strategy for this kind of report."""
    if strategy not in STRATEGIES:
        raise ParameterError(f"strategy={strategy!r}: use one of {', '.join(STRATEGIES)}")
    if strategy not in known:
        raise ParameterError(f"strategy={strategy!r} means nothing for {kind}: use one of {', '.join(known)}")


def _without(histogram: IntArray, place: IntArray, value: int) -> IntArray:
    """Return the histograms with another number at one class of each item."""
    changed = histogram.copy()
    np.put_along_axis(changed, place[:, None], value, axis=1)
    return changed


def _opposite(known: LabelKnowledge) -> IntArray:
    """Say what fewest honest reporters say, but never what most of them do."""
    most = known.honest.argmax(axis=1)
    return known.all_say(_without(known.honest, most, np.iinfo(np.int64).max).argmin(axis=1))


def _close(known: LabelKnowledge) -> IntArray:
    """Say the rival of the winner where that makes it win outright, and one's own label elsewhere."""
    own = known.own[..., None] == np.arange(known.classes)
    winner = (known.honest + (own & known.answers[..., None]).sum(axis=1)).argmax(axis=1)
    rival = known.rival(winner)
    items, votes = np.arange(len(winner)), known.answers.sum(axis=1)
    swings = known.honest[items, rival] + votes > known.honest[items, winner]
    return np.where(swings[:, None], known.all_say(rival), known.own)


def _worst(known: LabelKnowledge) -> IntArray:
    """Say 1 as often as hurts most, given the state and the honest count, by looking at every number of ones."""
    if known.target is None:
        raise ParameterError("strategy='worst' needs the rule to hurt: give expert=Expert(...) for the optimal one")
    if known.classes != 2:
        raise ParameterError(f"strategy='worst' needs votes of two classes; these labels have {known.classes}")
    state = known.state == known.positive
    truthful, honest_ones = known.honest.sum(axis=1), known.honest[:, known.positive]
    liars = known.answers.sum(axis=1)
    ones = np.where(state, 0, liars)
    k = known.own.shape[1]
    for votes, lying in np.unique(np.stack([truthful, liars], axis=1), axis=0).tolist():
        if votes + lying <= 2 * k:
            continue
        rule = known.target.rule(Panel(votes + lying, k))
        if rule.n != votes + lying:
            raise ParameterError(
                f"the rule for {votes + lying} voters is one for {rule.n}: give a function of the panel"
            )
        values = rule.values
        seen = np.arange(votes + 1)[:, None] + np.arange(lying + 1)
        here = (truthful == votes) & (liars == lying)
        for true in (0, 1):
            losses = known.target.loss.value(values[seen], true)
            # Of equally bad numbers of ones the one that is farthest from the truth.
            worst = losses.argmax(axis=1) if true else lying - losses[:, ::-1].argmax(axis=1)
            chosen = here & (state == bool(true))
            ones[chosen] = worst[honest_ones[chosen]]
    says_one = known.answers.cumsum(axis=1) <= ones[:, None]
    return np.where(says_one, known.positive, 1 - known.positive)


_OF_LABELS: dict[str, Callable[[LabelKnowledge], IntArray]] = {
    "opposite": _opposite,
    "random": lambda known: known.rng.integers(known.classes, size=known.own.shape),
    "high": lambda known: known.all_say(known.classes - 1),
    "low": lambda known: known.all_say(0),
    "copy": lambda known: np.where(known.copied[:, None] == ABSENT, known.own, known.all_say(known.copied)),
    "collude": lambda known: known.all_say(known.rival(known.state)),
    "close": _close,
    "sleeper": lambda known: np.where(known.gold[:, None], known.own, _opposite(known)),
    "worst": _worst,
}

_OF_SCORES: dict[str, Callable[[ScoreKnowledge], FloatArray]] = {
    "opposite": lambda known: known.far_from(known.honest),
    "random": lambda known: known.rng.uniform(*known.scale, size=known.own.shape),
    "high": lambda known: known.all_say(known.scale[1]),
    "low": lambda known: known.all_say(known.scale[0]),
    "copy": lambda known: np.where(np.isnan(known.copied[:, None]), known.own, known.all_say(known.copied)),
    "collude": lambda known: known.far_from(np.where(np.isnan(known.truth), known.honest, known.truth)),
    "sleeper": lambda known: np.where(known.gold[:, None], known.own, known.far_from(known.honest)),
}
