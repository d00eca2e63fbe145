"""Exact worst case of a rule where the prior and the rates are known only within bounds."""

import heapq
from collections.abc import Iterator
from operator import attrgetter, itemgetter

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.adversary import TabulatedRule
from bribeproof.theory.worst_case.result import WorstCases
from bribeproof.theory.worst_case.single_expert import worst_case_of_expert

# A bound that exceeds the largest regret so far by less than this relative amount counts as equal to it.
_ROUNDING = 1e-12


def worst_case_over_interval(
    rule: Aggregator | ArrayLike, panel: Panel, interval: ExpertInterval, loss: Loss | str
) -> WorstCases:
    """Return the exact worst case of any rule over all priors and rates of an interval.

    Notes
    -----
    docs/theory.md, Proposition 5.2: finitely many experts are enough, with a prior at an end of its interval and with
    rates that are bounds or whole multiples of 1/N. They are tried in descending order of their largest expected
    losses, which bound their regrets, until no bound exceeds the largest regret so far.
    """
    loss = get_loss(loss)
    corner = Expert(interval.prior[1], interval.tpr, min(interval.tpr, interval.fpr))
    by_regret = by_loss = worst_case_of_expert(rule, panel, corner, loss)
    for bound, expert in _by_largest_loss(by_regret.rule, panel, interval, loss):
        if bound <= by_regret.regret * (1 + _ROUNDING):
            break
        worst = worst_case_of_expert(rule, panel, expert, loss)
        by_regret = max(by_regret, worst, key=attrgetter("regret"))
        by_loss = max(by_loss, worst, key=attrgetter("largest_loss"))
    return WorstCases(by_regret, by_loss)


def _by_largest_loss(
    rule: Aggregator, panel: Panel, interval: ExpertInterval, loss: Loss
) -> Iterator[tuple[float, Expert]]:
    """Yield the experts that are enough, with their largest expected losses, in descending order of these."""
    rates = np.unique([interval.tpr, interval.fpr, *np.arange(panel.truthful + 1) / panel.truthful])
    tprs, fprs = rates[rates >= interval.tpr], rates[rates <= interval.fpr]
    ones, zeros = (
        sorted(zip(_largest_losses(rule, panel, side, loss, state), side.tolist(), strict=True), reverse=True)
        for state, side in ((1, tprs), (0, fprs))
    )

    def with_tpr(prior: float, loss_1: float, tpr: float) -> Iterator[tuple[float, Expert]]:
        for loss_0, fpr in zeros:
            if fpr <= tpr:
                yield _weighted(prior, loss_1) + _weighted(1 - prior, loss_0), Expert(prior, tpr, fpr)

    rows = (with_tpr(prior, *one) for prior in {*interval.prior} for one in ones)
    return heapq.merge(*rows, key=itemgetter(0), reverse=True)


def _largest_losses(rule: Aggregator, panel: Panel, rates: FloatArray, loss: Loss, state: int) -> FloatArray:
    """Return the largest expected loss given a state at each rate: the upper concave envelope of the worst losses."""
    counts, losses = TabulatedRule(rule.values).worst_losses(panel, 0.0, lambda forecasts: loss.value(forecasts, state))
    if np.isinf(losses).any():
        return np.where(rates == 0, losses[0], np.where(rates == 1, losses[-1], np.inf))
    hull: list[int] = []
    for right in counts:
        while len(hull) > 1 and _is_below(losses, hull[-2], hull[-1], right):
            hull.pop()
        hull.append(int(right))
    return np.interp(panel.truthful * rates, hull, losses[hull])


def _is_below(losses: FloatArray, left: int, middle: int, right: int) -> bool:
    """Return whether the middle point is on or below the chord of the other two."""
    chord = losses[right] - losses[left]
    return bool((losses[middle] - losses[left]) * (right - left) <= chord * (middle - left))


def _weighted(weight: float, loss: float) -> float:
    """Return weight times loss, 0 where the weight is 0 even if the loss is infinite."""
    return weight * loss if weight > 0 else 0.0
