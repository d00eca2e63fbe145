"""Exact worst case of any rule, for one expert or for all experts of an interval."""

from typing import overload

from numpy.typing import ArrayLike

from bribeproof.errors import ParameterTypeError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.intervals import worst_case_over_interval
from bribeproof.theory.worst_case.result import WorstCase, WorstCases
from bribeproof.theory.worst_case.single_expert import worst_case_of_expert


@overload
def worst_case(
    rule: Aggregator | ArrayLike, panel: Panel, expert: Expert, loss: Loss | str = "squared"
) -> WorstCase: ...
@overload
def worst_case(
    rule: Aggregator | ArrayLike, panel: Panel, expert: ExpertInterval, loss: Loss | str = "squared"
) -> WorstCases: ...
def worst_case(
    rule: Aggregator | ArrayLike, panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared"
) -> WorstCase | WorstCases:
    """Compute the exact worst case of any rule, over all information structures and all strategies of the adversaries.

    Parameters
    ----------
    rule : Aggregator or array of shape (n + 1,)
        The rule, or its forecasts for 0, 1, …, n positive reports, each in [0, 1]. It need not be monotone.
    panel : Panel
        Number of reporters and of adversaries.
    expert : Expert or ExpertInterval
        Prior and rates of a truthful reporter. For an interval, all experts within its bounds are considered whose tpr
        is at least their fpr, also where the bounds cross.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    WorstCase or WorstCases
        For an expert: the largest regret, with a structure and a strategy that attain it. For an interval: the experts
        with the largest regret and with the largest expected loss, exact to a relative 1e-12.

    Raises
    ------
    ParameterError
        The forecasts are not n + 1 numbers in [0, 1], or the loss is unknown.
    ParameterTypeError
        `expert` is neither an Expert nor an ExpertInterval.

    Notes
    -----
    docs/theory.md, Theorem 7.2 for an expert and Proposition 5.2 for an interval. `loss_bound` and the guarantee of
    `optimal_aggregator` also cover reporters whose mean tpr is below their mean fpr. That makes no difference to an
    optimal rule: where the bounds cross, it is constant.

    Examples
    --------
    >>> worst = worst_case([0.0, 0.0, 0.5, 1.0, 1.0], Panel(n=4, k=1), Expert(0.5, tpr=0.75, fpr=0.25), "absolute")
    >>> worst.regret
    0.375
    >>> worst.given_1
    Scenario(truthful=(1, 3), weights=(0.375, 0.625), adversaries=(0, 0))

    An interval:

    >>> worst = worst_case([0.2, 0.2, 0.5, 0.8, 0.8], Panel(n=4, k=1), ExpertInterval((0.2, 0.5), tpr=0.75, fpr=0.25))
    >>> round(worst.by_loss.largest_loss, 6), worst.by_loss.expert
    (0.265, Expert(prior=0.5, tpr=0.75, fpr=0.25))
    """
    check_panel(panel)
    if isinstance(expert, ExpertInterval):
        return worst_case_over_interval(rule, panel, expert, loss)
    if isinstance(expert, Expert):
        return worst_case_of_expert(rule, panel, expert, loss)
    raise ParameterTypeError(
        f"expert = {expert!r} is neither an Expert nor an ExpertInterval; give Expert(prior=..., tpr=..., fpr=...)"
    )
