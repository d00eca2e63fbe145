"""Bound how much weight errs by gold items, where the weights were known before these were reported on."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.calibration.gold_answers import GoldAnswers
from bribeproof.errors import ParameterError
from bribeproof.frames.reports import Reports
from bribeproof.theory import Loss, Worth, get_loss, worth_of
from bribeproof.theory.inference.confidence import mean_lower_bound
from bribeproof.theory.inference.error_rates import split_risk
from bribeproof.theory.minimax.remedies import Change, Explanation, Reason, first_that_helps
from bribeproof.theory.pairwise.weighted_rule import WeightedRule, weighted_rule
from bribeproof.weighting.bribed_weight import BribedWeight
from bribeproof.weighting.decide import side_of
from bribeproof.weighting.learn import ROUNDING, Ballots, limits_of
from bribeproof.weighting.promise import WeightedPromise

_QUANTILE = 0.9
"""The share of the items, of those that can have a guarantee, that get one."""
_MOST_HELD = 0.49
"""No item has a guarantee on which k reporters hold more of the weight."""
_SPREADS, _TIMES, _MANY = (0.5, 0.0), (4, 16, 100), 1000
"""Weight spreads and numbers of times as many gold items that are tried as remedies; so many times are unlimited."""


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

    def one_sided(self) -> IntArray:
        """Return, for each item, 1 or 0 if all forecasts of the rule are on this side of one half; else -1."""
        side = -1 if self.rule is None else side_of(*self.rule(np.array([0.0, 1.0])).tolist())
        return np.where(self.counted, side, -1)

    def worth(self, loss: Loss | str) -> Worth:
        """Return what the guarantee is worth, beside what the prior alone guarantees."""
        return worth_of(1.0 if self.rule is None else self.rule.expected_loss, self.prior, loss)

    def facts(self) -> dict[str, Any]:
        """Return the bounds as plain data of JSON types."""
        bounds = {"prior": self.prior, "weights": self.weights, "squares": self.squares}
        counts = {"gold": dict(zip(("positive", "negative"), self.gold, strict=True)), "items": int(self.counted.sum())}
        return {name: list(pair) for name, pair in bounds.items()} | counts | {"heaviest": self.heaviest}


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """Given weights, and gold items to measure them on.

    Attributes
    ----------
    ballots
        The reports.
    weights
        The weights of the reporters.
    answers
        The gold items.
    states
        For each item: 1 or 0 where it is gold and its truth is the positive class or another, else -1.
    loss
        The loss of the forecast.
    confidence
        The least probability that all bounds hold.
    """

    ballots: Ballots
    weights: FloatArray
    answers: GoldAnswers
    states: IntArray
    loss: Loss | str
    confidence: float

    def run(self, bribes: BribedWeight, weight_spread: float | None, times: int = 1) -> MeasuredWeights:
        """Bound the weight of the wrong reports of truthful reporters, and return the rule for it.

        Parameters
        ----------
        bribes
            Who can be bribed, on gold items too.
        weight_spread
            How far weights may differ; None for any.
        times
            Count each gold item so many times.

        Notes
        -----
        docs/theory.md, Proposition 12.6. Which items count is chosen from the weights and from who answers, not from
        what is reported. The prior is that of all gold items, answered or not.
        """
        ballots, gold = self.ballots, self.answers.gold.repeated(times)
        spread = 1.0 if weight_spread is None else weight_spread
        limits = np.ones(ballots.items) if weight_spread is None else limits_of(ballots.sizes, bribes.reports, spread)
        weights = ballots.cap(self.weights, limits)
        of_prior, risk = split_risk(self.confidence, known_prior=False)
        prior = gold.prior_interval(bribes.in_all, of_prior)
        held = bribes.heaviest(weights)
        most = held if weight_spread is None else np.maximum(held, bribes.reports * limits)
        possible = (ballots.total(weights) > 0) & (most <= _MOST_HELD)
        heaviest = float(np.quantile(held[possible], _QUANTILE, method="inverted_cdf")) if possible.any() else 1.0
        counted = possible & (held <= heaviest + ROUNDING)
        positive = np.clip(ballots.shares(weights)[:, self.answers.positive], 0, 1)
        means, squares, numbers = [], [], []
        for state in (1, 0):
            share = positive[counted & (self.states == state)]
            wrong = 1 - share if state else share
            once, planned = np.full(len(wrong), times), gold.items[state]
            means.append(1 - mean_lower_bound(once, 1 - wrong, risk / 2, planned))
            squares.append(1 - mean_lower_bound(once, 1 - wrong**2, risk / 2, planned))
            numbers.append(len(wrong))
        weight, square = (means[0], means[1]), (squares[0], squares[1])
        rule = None
        if counted.any() and self.answers.uneven is None:
            heaviest = float(held[counted].max())
            rule = weighted_rule(prior, heaviest, weight, square, self.loss)
        uneven = self.answers.uneven
        return MeasuredWeights(rule, prior, weight, square, counted, heaviest, (numbers[0], numbers[1]), uneven)

    def promise(
        self, found: MeasuredWeights, bribes: BribedWeight, weight_spread: float | None, sides: tuple[str, ...]
    ) -> WeightedPromise:
        """Return what a guarantee is worth and, where that is nothing, why.

        Parameters
        ----------
        found
            The result for these bribes and this weight spread.
        bribes, weight_spread
            Who can be bribed, and how far weights may differ.
        sides
            The positive class and the negative ones, as text.
        """
        worth = found.worth(self.loss)
        return WeightedPromise(worth, self._explain(bribes, weight_spread) if worth.worthless else None, sides)

    def _explain(self, bribes: BribedWeight, weight_spread: float | None) -> Explanation:
        """Return why a guarantee is worth nothing, and what would change that; of groups not how many fewer would."""
        k = bribes.in_all
        fewer = sorted({k - 1, k // 2, 0}, reverse=True) if k and bribes.groups is None else ()

        def worth(k: int = k, spread: float | None = weight_spread, times: int = 1) -> Worth | None:
            some = bribes if k == bribes.in_all else BribedWeight.heads(self.ballots, k)
            found = self.run(some, spread, times)
            return None if found.rule is None else found.worth(self.loss)

        def helps(found: Worth | None) -> bool:
            return found is not None and not found.worthless

        spreads = [value for value in _SPREADS if weight_spread is None or value < weight_spread]
        remedies = [
            first_that_helps(Change.K, fewer, worth),
            first_that_helps(Change.SPREAD, spreads if k else (), partial(worth, k)),
            first_that_helps(Change.GOLD, _TIMES, partial(worth, k, weight_spread)),
        ]
        if helps(worth(times=_MANY)):
            reason = Reason.GOLD
        elif helps(worth(times=_MANY, spread=0.0)):
            reason = Reason.WEIGHTS
        elif not get_loss(self.loss).strictly_proper:
            reason = Reason.OUTWEIGHED
        else:
            reason = Reason.BRIBED if helps(worth(0, weight_spread, _MANY)) else Reason.UNINFORMATIVE
        return Explanation(reason, tuple(one for one in remedies if one is not None))


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
