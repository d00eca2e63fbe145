"""What adversaries make of a truthful reporter's errors where reports are weighted, whoever chose the weights."""

import math
from typing import overload

from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, MultiExpert
from bribeproof.theory.model.panel import Panel


def error_inflation(panel: Panel, weight_spread: float = 0.0) -> float:
    """How many times as often as one truthful reporter the rule errs, where each weight has an upper limit.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    weight_spread : float, default 0
        s in [0, 1). The weights sum to 1 and none is above 1/(n − s·(n − 2k)); at 0 they are equal. Within that
        they may be anything, chosen by the adversaries with a view to all reports.

    Returns
    -------
    float
        (n − k)/((n − 2k)(1 − s)), at least 1. The rule drops k times the limit from either side.

    Raises
    ------
    ParameterError
        A weight_spread outside [0, 1).

    Notes
    -----
    theory.md §2, where 1 − a′ = (1 − a)(n − k)/(n − 2k) and b′ = b(n − k)/(n − 2k), carried over to weights. With c the
    limit, J the number of truthful reporters that say L in state 1, and the adversaries at L, the H reports weigh
    at least 1 − c(J + k). Below 1 − ck the loss of the clipped-linear rule lies under the chord through the weights
    ck and 1 − ck; the mean of J is (n − k)(1 − a). State 0 is the mirror image. Of several states the share that is
    left of the true label is at least that of its weight, and the same line holds for it (§8).

    Examples
    --------
    >>> error_inflation(Panel(n=10, k=2)), error_inflation(Panel(n=10, k=2), weight_spread=0.5)
    (1.3333333333333333, 2.6666666666666665)
    """
    if not 0 <= weight_spread < 1:
        raise ParameterError(f"weight_spread = {weight_spread}: give a share in [0, 1), such as 0.5")
    return panel.truthful / ((panel.n - 2 * panel.k) * (1 - weight_spread))


def error_inflation_of_weights(heaviest: float) -> float:
    """How many times as often as one truthful reporter the rule errs, where weights are known before the reports.

    Parameters
    ----------
    heaviest : float
        The share of the k largest weights in the sum of all, in [0, 1/2).

    Returns
    -------
    float
        (1 − heaviest)/(1 − 2·heaviest), at least 1. The rule drops that share from either side.

    Raises
    ------
    ParameterError
        A share outside [0, 1/2).

    Notes
    -----
    theory.md §2, upper bound, with weights in the place of counts: where adversaries hold less than `heaviest`,
    truthful weight that reports as they do is counted with theirs. The rates have to hold of every reporter.

    Examples
    --------
    >>> error_inflation_of_weights(0.2)
    1.3333333333333335
    """
    if not 0 <= heaviest < 0.5:
        raise ParameterError(f"heaviest = {heaviest}: the k heaviest have to hold less than half of the weight")
    return (1 - heaviest) / (1 - 2 * heaviest)


@overload
def inflate_errors(known: MultiExpert, growth: float) -> MultiExpert: ...
@overload
def inflate_errors(known: Expert | ExpertInterval, growth: float) -> ExpertInterval: ...
def inflate_errors(known: Expert | ExpertInterval | MultiExpert, growth: float) -> ExpertInterval | MultiExpert:
    """Return a reporter that errs so many times as often in every state: the effective expert.

    Parameters
    ----------
    known : Expert, ExpertInterval or MultiExpert
        One truthful reporter.
    growth : float
        At least 1; errors stay at most 1.

    Returns
    -------
    ExpertInterval or MultiExpert
        The closed form for a panel of this reporter alone has the ends of the weighted rule, and its guarantee.

    Raises
    ------
    ParameterError
        A growth that is no number of at least 1.

    Notes
    -----
    theory.md §2 and §8.

    Examples
    --------
    >>> inflate_errors(Expert(0.5, tpr=0.75, fpr=0.125), growth=2)
    ExpertInterval(prior=(0.5, 0.5), tpr=0.5, fpr=0.25)
    >>> inflate_errors(MultiExpert((0.5, 0.25, 0.25), (0.75, 0.875, 0.25)), growth=2).accuracy
    (0.5, 0.75, 0.0)
    """
    if not 1 <= growth < math.inf:
        raise ParameterError(f"growth = {growth}: give a number of at least 1")
    if isinstance(known, MultiExpert):
        return MultiExpert(known.prior, tuple(max(0.0, 1 - growth * (1 - right)) for right in known.accuracy))
    prior = (known.prior, known.prior) if isinstance(known, Expert) else known.prior
    return ExpertInterval(prior, max(0.0, 1 - growth * (1 - known.tpr)), min(1.0, growth * known.fpr))
