"""Bound how much weight errs by gold items, where the weights were known before these were reported on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray
from bribeproof.calibration.gold_answers import GoldAnswers
from bribeproof.errors import ParameterError
from bribeproof.frames.reports import Reports
from bribeproof.theory import Loss, Worth, worth_of
from bribeproof.theory.inference.confidence import mean_lower_bound
from bribeproof.theory.inference.gold import split_risk
from bribeproof.theory.pairwise.weighted_rule import WeightedRule, weighted_rule
from bribeproof.weighting.learn import ROUNDING, Ballots

_QUANTILE = 0.9
"""The share of the items, of those that can have a guarantee, that get one."""
_MOST_HELD = 0.49
"""No item has a guarantee on which k reporters hold more of the weight."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredWeights:
    """What gold items say of the weight of wrong reports, for weights that were known beforehand.

    Attributes
    ----------
    rule
        The forecast for a share of the weight; None where no item can have one, or gold items are answered by others.
    prior
        The lowest and the highest possible share of positive items.
    weights, squares
        Bounds of the mean weight of truthful reporters who err, and of its square, given state 1 and given state 0.
    counted
        The items that k reporters hold at most ``heaviest`` of the weight of: those with a guarantee.
    heaviest
        The largest share of weight of k reporters on these.
    gold
        How many gold items the weights are measured on, of state 1 and of state 0.
    uneven
        A reporter who answers so many more or fewer of the gold items than of the others that these tell nothing of
        the others; None if there is none.
    """

    rule: WeightedRule | None
    prior: tuple[float, float]
    weights: tuple[float, float]
    squares: tuple[float, float]
    counted: BoolArray
    heaviest: float
    gold: tuple[int, int]
    uneven: Any | None

    def columns(self, share: FloatArray) -> dict[str, FloatArray]:
        """Return the columns ``forecast`` and ``guarantee``, from the share of the positive class on each item."""
        forecast, guarantee = np.full(len(share), np.nan), np.full(len(share), np.nan)
        if self.rule is not None:
            forecast[self.counted] = self.rule(share[self.counted])
            guarantee[self.counted] = self.rule.expected_loss
        return {"forecast": forecast, "guarantee": guarantee}

    def worth(self, loss: Loss | str) -> Worth:
        """Return what the guarantee is worth, beside what the prior alone guarantees."""
        return worth_of(1.0 if self.rule is None else self.rule.expected_loss, self.prior, loss)

    def facts(self) -> dict[str, Any]:
        """Return the bounds as plain data of JSON types."""
        bounds = {"prior": self.prior, "weights": self.weights, "squares": self.squares}
        counts = {"gold": dict(zip(("positive", "negative"), self.gold, strict=True)), "items": int(self.counted.sum())}
        return {name: list(pair) for name, pair in bounds.items()} | counts | {"heaviest": self.heaviest}


def measure(
    ballots: Ballots,
    weights: FloatArray,
    held: FloatArray,
    k: int,
    answers: GoldAnswers,
    names: pl.Series,
    loss: Loss | str,
    confidence: float,
) -> MeasuredWeights:
    """Bound the weight of the wrong reports of truthful reporters, and return the rule for it.

    Parameters
    ----------
    ballots
        The reports.
    weights
        Their weights.
    held
        The weight that is taken from each class, for each item.
    k
        How many reporters may be bribed, on gold items too.
    answers
        The gold items.
    names
        The names of the items.
    loss
        The loss of the forecast.
    confidence
        The least probability that all bounds hold.

    Notes
    -----
    docs/theory.md, Proposition 12.5. Which items count is chosen from the weights and from who answers, not from what
    is reported. The prior is that of all gold items, answered or not.
    """
    of_prior, risk = split_risk(confidence, known_prior=False)
    prior = answers.gold.prior_interval(k, of_prior)
    largest = ballots.heaviest(weights, k)
    possible = (ballots.total(weights) > 0) & (np.maximum(largest, held) <= _MOST_HELD)
    heaviest = float(np.quantile(largest[possible], _QUANTILE, method="inverted_cdf")) if possible.any() else 1.0
    counted = possible & (largest <= heaviest + ROUNDING)
    states = np.array([answers.states.get(str(name), -1) for name in names], np.int64)
    positive = np.clip(ballots.shares(weights)[:, answers.positive], 0, 1)
    means, squares, numbers = [], [], []
    for state in (1, 0):
        share = positive[counted & (states == state)]
        wrong = 1 - share if state else share
        once, planned = np.ones(len(wrong), np.int64), answers.gold.items[state]
        means.append(1 - mean_lower_bound(once, 1 - wrong, risk / 2, planned))
        squares.append(1 - mean_lower_bound(once, 1 - wrong**2, risk / 2, planned))
        numbers.append(len(wrong))
    weight, square = (means[0], means[1]), (squares[0], squares[1])
    rule = None
    if counted.any() and answers.uneven is None:
        heaviest = float(largest[counted].max())
        rule = weighted_rule(prior, heaviest, weight, square, loss)
    gold = (numbers[0], numbers[1])
    return MeasuredWeights(rule, prior, weight, square, counted, heaviest, gold, answers.uneven)


def check_measurable(reports: Reports, expert: object) -> None:
    """Raise an error if given weights cannot be measured on gold items.

    Parameters
    ----------
    reports
        The reports.
    expert
        The rates that the user gave; None if there are none.
    """
    if expert is not None:
        raise ParameterError(
            "with weights, truth measures how much weight errs, and the expert says how often reporters err: give one"
        )
    if reports.schema.asked is not None or reports.schema.sets_aside:
        name = "faulty='set aside'" if reports.schema.asked is None else "asked"
        raise ParameterError(
            f"{name} with weights and truth: those who are silent or set aside choose how much the others weigh on "
            f"each item; leave it out, or give an expert and a weight_spread instead of the truth"
        )
