"""Error inflation: the factor by which adversaries multiply the errors of one truthful reporter."""

import math
from typing import overload

from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, MultiExpert, check_expert
from bribeproof.theory.model.panel import Panel, check_panel


def error_inflation(panel: Panel, weight_spread: float = 0.0) -> float:
    """Return the factor on a truthful reporter's error rates where each weight has an upper limit.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    weight_spread : float, default 0
        s in [0, 1). The weights sum to 1 and none exceeds 1/(n − s·(n − 2k)); at 0 they are equal. Within this limit
        they are arbitrary: adversaries who know all reports may have chosen them.

    Returns
    -------
    float
        Λ = (n − k)/((n − 2k)(1 − s)), at least 1, for the rule that drops k times the limit at either end.

    Raises
    ------
    ParameterError
        A weight_spread outside [0, 1).

    Notes
    -----
    docs/theory.md, Proposition 2.9 for two states and Theorem 8.1 for m. With equal weights this is the factor λ of
    the effective expert.

    Examples
    --------
    >>> error_inflation(Panel(n=10, k=2)), error_inflation(Panel(n=10, k=2), weight_spread=0.5)
    (1.3333333333333333, 2.6666666666666665)
    """
    check_panel(panel)
    if not 0 <= weight_spread < 1:
        raise ParameterError(f"weight_spread = {weight_spread}: give a share in [0, 1), such as 0.5")
    return panel.truthful / ((panel.n - 2 * panel.k) * (1 - weight_spread))


def error_inflation_of_weights(heaviest: float) -> float:
    """Return the factor on a truthful reporter's error rates where the weights are fixed before the reports.

    Parameters
    ----------
    heaviest : float
        Share h of the k largest weights in the sum of all, in [0, 1/2).

    Returns
    -------
    float
        Λ = (1 − h)/(1 − 2h), at least 1, for the rule that drops a weight of h at either end.

    Raises
    ------
    ParameterError
        A share outside [0, 1/2).

    Notes
    -----
    docs/theory.md, Proposition 2.10 for two states and Theorem 8.1 for m. The rates must hold for every truthful
    reporter: mean rates are not enough here.

    Examples
    --------
    >>> error_inflation_of_weights(0.2)
    1.3333333333333335
    """
    if not 0 <= heaviest < 0.5:
        raise ParameterError(
            f"heaviest = {heaviest}: the k heaviest must hold less than half; give a share in [0, 1/2)"
        )
    return (1 - heaviest) / (1 - 2 * heaviest)


@overload
def inflate_errors(expert: MultiExpert, factor: float) -> MultiExpert: ...
@overload
def inflate_errors(expert: Expert | ExpertInterval, factor: float) -> ExpertInterval: ...
def inflate_errors(expert: Expert | ExpertInterval | MultiExpert, factor: float) -> ExpertInterval | MultiExpert:
    """Return a reporter whose error rates are multiplied by a factor: the effective expert of a weighted rule.

    Parameters
    ----------
    expert : Expert, ExpertInterval or MultiExpert
        One truthful reporter.
    factor : float
        Factor Λ on the error rates, at least 1; the rates are clipped to 1.

    Returns
    -------
    ExpertInterval or MultiExpert
        The closed form for a panel of this one reporter gives the ends of the weighted rule, and its guarantee.

    Raises
    ------
    ParameterError
        `factor` is not a number of at least 1.

    Notes
    -----
    docs/theory.md, Propositions 2.9 and 2.10 and Theorem 8.1.

    Examples
    --------
    >>> inflate_errors(Expert(0.5, tpr=0.75, fpr=0.125), factor=2)
    ExpertInterval(prior=(0.5, 0.5), tpr=0.5, fpr=0.25)
    >>> inflate_errors(MultiExpert((0.5, 0.25, 0.25), (0.75, 0.875, 0.25)), factor=2).accuracy
    (0.5, 0.75, 0.0)
    """
    check_expert(expert, ExpertInterval, MultiExpert)
    if not 1 <= factor < math.inf:
        raise ParameterError(f"factor = {factor}: give a number of at least 1")
    if isinstance(expert, MultiExpert):
        return MultiExpert(expert.prior, tuple(max(0.0, 1 - factor * (1 - right)) for right in expert.accuracy))
    prior = (expert.prior, expert.prior) if isinstance(expert, Expert) else expert.prior
    return ExpertInterval(prior, max(0.0, 1 - factor * (1 - expert.tpr)), min(1.0, factor * expert.fpr))
