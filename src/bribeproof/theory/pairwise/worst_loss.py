"""The largest expected loss of any rule where errors go together less than they could."""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.pairwise.error_laws import ErrorLaw, error_bounds
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.worst_law import worst_law
from bribeproof.theory.rules.aggregators import Aggregator


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseWorstLoss:
    """The largest expected loss of a rule, between two proven numbers, and laws of errors that attain the lower one.

    Parameters
    ----------
    lower, upper : float
        The largest expected loss lies between them; they differ by rounding.
    given_1, given_0 : ErrorLaw
        The laws of the number of truthful errors in the two states.
    """

    lower: float
    upper: float
    given_1: ErrorLaw
    given_0: ErrorLaw


def pairwise_worst_loss(
    aggregator: Aggregator, panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared"
) -> PairwiseWorstLoss:
    """Return the largest expected loss of a rule over all laws of errors and all strategies of the adversaries.

    Parameters
    ----------
    aggregator : Aggregator
        The rule, monotone or not. Of a rule that decides, with forecasts 0 and 1, the absolute loss is the probability
        of a wrong decision.
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        One truthful reporter, with a bound of the correlation of errors; of bounds, the worst prior and rates count.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    PairwiseWorstLoss
        Both bounds and the worst laws.

    Raises
    ------
    ParameterError
        An unknown loss, or a rule for another number of reporters.

    Notes
    -----
    docs/theory.md §12.

    Examples
    --------
    >>> from bribeproof.rules import trimmed_mean
    >>> panel = Panel(n=7, k=1)
    >>> for correlation in (1, 0.1):
    ...     expert = Expert(prior=0.5, tpr=0.8, fpr=0.2, correlation=correlation)
    ...     print(round(pairwise_worst_loss(trimmed_mean(panel), panel, expert).upper, 6))
    0.24
    0.1152
    """
    check_panel(panel)
    check_expert(expert, ExpertInterval, correlated=True)
    if aggregator.n != panel.n:
        raise ParameterError(f"the rule is for n = {aggregator.n} reporters, and the panel has {panel.n}")
    game = Game(panel, prior_ends(expert), get_loss(loss), error_bounds(panel, expert))
    return worst_loss(np.asarray(aggregator.values), game)


def prior_ends(expert: Expert | ExpertInterval) -> tuple[float, float]:
    """Return the lowest and the highest possible prior."""
    return expert.prior if isinstance(expert, ExpertInterval) else (expert.prior, expert.prior)


def worst_loss(forecasts: FloatArray, game: Game) -> PairwiseWorstLoss:
    """Return the largest expected loss of the forecasts for 0, …, n reports of H; it is linear in the prior."""
    k, loss = game.panel.k, game.loss
    if (forecasts[1:] >= forecasts[:-1]).all():
        lowest, highest = forecasts[: game.panel.truthful + 1], forecasts[k:]
    else:
        windows = sliding_window_view(forecasts, k + 1)
        lowest, highest = windows.min(axis=1), windows.max(axis=1)
    first = worst_law(loss.value(lowest[::-1], 1), game.bounds[0])
    second = worst_law(loss.value(highest, 0), game.bounds[1])
    lower, upper = game.mean(first.lower, second.lower), game.mean(first.upper, second.upper)
    return PairwiseWorstLoss(min(lower, upper), upper, first.law, second.law)
