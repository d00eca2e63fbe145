"""Breakdown points: the share of adversaries from which on the prior alone is as good as the panel."""

import math

from bribeproof._validation import whole_number
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, expert_risk, get_loss

# Rounding of the rates moves a breakdown point by far less than this.
_ROUNDING = 1e-12


def breakdown_point(expert: Expert, loss: Loss | str = "squared") -> float:
    """Return the largest share of adversaries that a panel tolerates.

    Parameters
    ----------
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    float
        Share k/n, from 0 to 1/2: below it the effective expert beats the prior, from it on the prior alone is optimal.
        0 where a panel without adversaries cannot beat the prior.

    Raises
    ------
    ParameterError
        An unknown loss, or a bound of the correlation of errors with a loss that is not strictly proper.

    Notes
    -----
    docs/theory.md, Propositions 2.7 and 12.4: for strictly proper losses it does not depend on the correlation. A
    cost-weighted loss with threshold τ is the absolute loss with the states weighted
    1 − τ : τ, so one formula serves both; another serves all strictly proper losses. For other losses of one's own the
    share is found by bisection, down to where the panel's gain is lost in rounding: too small by 1e-5 at most, as a
    rule.

    Examples
    --------
    >>> breakdown_point(Expert(prior=0.5, tpr=0.75, fpr=0.25), "squared")
    0.3333333333333333
    >>> breakdown_point(Expert(prior=0.25, tpr=0.75, fpr=0.0), "absolute")
    0.42857142857142855
    """
    loss = get_loss(loss)
    check_expert(expert, correlated=loss.strictly_proper)
    margin = (expert.tpr - expert.fpr) if 0 < expert.prior < 1 else 0.0
    if loss.strictly_proper:
        return margin / (1 + margin)
    if type(loss) is not CostWeighted:
        return _by_bisection(expert, loss, margin / (1 + margin))
    threshold = loss.threshold
    weight_1, weight_0 = expert.prior * (1 - threshold), (1 - expert.prior) * threshold
    of_prior = min(weight_1, weight_0)
    of_expert = weight_1 * (1 - expert.tpr) + weight_0 * expert.fpr
    return 0.0 if of_expert >= of_prior else (of_prior - of_expert) / (2 * of_prior - of_expert)


def _by_bisection(expert: Expert, loss: Loss, largest: float) -> float:
    """Return the largest share up to this one at which the panel beats the prior."""
    of_prior = loss.bayes_risk(expert.prior)
    low, high = 0.0, largest
    for _ in range(50):
        share = (low + high) / 2
        errors = (1 - share) / (1 - 2 * share)
        effective = Expert(expert.prior, max(1 - errors * (1 - expert.tpr), errors * expert.fpr), errors * expert.fpr)
        beats = expert_risk(effective, loss) < of_prior * (1 - _ROUNDING)
        low, high = (share, high) if beats else (low, share)
    return low


def max_adversaries(n: int, expert: Expert, loss: Loss | str = "squared") -> int:
    """Return the largest number of adversaries that a panel of n tolerates.

    Parameters
    ----------
    n : int
        Number of reporters, at least 1.
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    int
        Largest k with n > 2k whose share k/n is below the breakdown point, so that the panel still beats the prior; 0
        also where no panel does.

    Raises
    ------
    ParameterError
        `n` is not a positive integer, or the loss is unknown.

    Notes
    -----
    docs/theory.md, Proposition 2.7. A share that is below the breakdown point by rounding alone counts as equal to it.

    Examples
    --------
    >>> expert = Expert(prior=0.5, tpr=0.75, fpr=0.25)
    >>> max_adversaries(3, expert), max_adversaries(10, expert), max_adversaries(10, expert, "absolute")
    (0, 3, 3)
    """
    n = whole_number("n", n, minimum=1)
    below = math.ceil(n * (breakdown_point(expert, loss) - _ROUNDING)) - 1
    return min(max(below, 0), (n - 1) // 2)
