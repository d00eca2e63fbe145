"""Breakdown points: the share of adversaries from which on the prior alone is as good as the panel."""

from bribeproof._validation import whole_number
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss

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
        An unknown loss.

    Notes
    -----
    docs/theory.md, Proposition 2.7. A cost-weighted loss with threshold τ is the absolute loss with the states weighted
    1 − τ : τ, so one formula serves both.

    Examples
    --------
    >>> breakdown_point(Expert(prior=0.5, tpr=0.75, fpr=0.25), "squared")
    0.3333333333333333
    >>> breakdown_point(Expert(prior=0.25, tpr=0.75, fpr=0.0), "absolute")
    0.42857142857142855
    """
    check_expert(expert)
    threshold = get_loss(loss).threshold
    if threshold is None:
        margin = (expert.tpr - expert.fpr) if 0 < expert.prior < 1 else 0.0
        return margin / (1 + margin)
    weight_1, weight_0 = expert.prior * (1 - threshold), (1 - expert.prior) * threshold
    of_prior = min(weight_1, weight_0)
    of_expert = weight_1 * (1 - expert.tpr) + weight_0 * expert.fpr
    return 0.0 if of_expert >= of_prior else (of_prior - of_expert) / (2 * of_prior - of_expert)


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
        Largest k with n > 2k whose share k/n does not exceed the breakdown point.

    Raises
    ------
    ParameterError
        `n` is not a positive integer, or the loss is unknown.

    Notes
    -----
    docs/theory.md, Proposition 2.7. A share that exceeds the breakdown point by rounding alone counts as equal to it.

    Examples
    --------
    >>> expert = Expert(prior=0.5, tpr=0.75, fpr=0.25)
    >>> max_adversaries(3, expert), max_adversaries(10, expert), max_adversaries(10, expert, "absolute")
    (1, 3, 3)
    """
    check_expert(expert)
    n = whole_number("n", n, minimum=1)
    tolerable = int(n * (breakdown_point(expert, loss) + _ROUNDING))
    return min(tolerable, (n - 1) // 2)
