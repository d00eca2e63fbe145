"""How many reporters a panel is worth, and how many adversaries it bears, with bounded correlation of errors."""

from dataclasses import replace

from bribeproof._validation import whole_number
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.pairwise_minimax import pairwise_minimax
from bribeproof.theory.rules.breakdown import max_adversaries

_NOTICEABLE = 1e-7
"""The least gain over the prior that counts, above the tolerance of the solver."""


def effective_reporters(n: int, expert: Expert | ExpertInterval) -> float:
    """Return how many reporters with independent errors have a mean that varies as much as that of n.

    Parameters
    ----------
    n : int
        Number of reporters, at least 1.
    expert : Expert or ExpertInterval
        One truthful reporter; the larger of its two correlations counts, and of bounds the largest possible one.

    Returns
    -------
    float
        n/(1 + (n − 1)ρ): n for a correlation of 0, and 1 for a correlation of 1. It says how far a crowd averages
        errors out, not what it is worth under attack.

    Notes
    -----
    docs/theory.md §12.

    Examples
    --------
    >>> [round(effective_reporters(39, Expert(0.5, 0.7, 0.3, rho)), 2) for rho in (0, 0.05, 0.5, 1)]
    [39.0, 13.45, 1.95, 1.0]
    """
    check_expert(expert, ExpertInterval, correlated=True)
    n = whole_number("n", n, minimum=1)
    return n / (1 + (n - 1) * max(expert.correlations))


def most_adversaries(n: int, expert: Expert, loss: Loss | str = "squared") -> int:
    """Return the largest number of adversaries with which a panel of n still beats the prior, whatever the correlation.

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
        0 also where no panel of n does.

    Notes
    -----
    docs/theory.md, Proposition 12.4: with a strictly proper loss it does not depend on the correlation. With another
    loss it is found by bisection, as more adversaries never help, between two numbers in closed form: that of errors
    that go together in any way, and that of a strictly proper loss, beyond which both states look alike.

    Examples
    --------
    >>> [most_adversaries(39, Expert(0.3, 0.7, 0.3, rho)) for rho in (1, 0.1)]
    [11, 11]
    >>> [most_adversaries(39, Expert(0.3, 0.7, 0.3, rho), "absolute") for rho in (1, 0.1)]
    [0, 6]
    """
    check_expert(expert, correlated=True)
    n, loss = whole_number("n", n, minimum=1), get_loss(loss)
    if expert.may_err_together or loss.strictly_proper:
        return max_adversaries(n, expert, loss)
    of_prior = loss.bayes_risk(expert.prior)
    # low is borne, or is 0; high is not
    low = max_adversaries(n, replace(expert, correlation=1.0), loss)
    high = max_adversaries(n, expert, "squared") + 1
    while high - low > 1:
        k = (low + high) // 2
        borne = pairwise_minimax(Panel(n, k), expert, loss).upper < of_prior - _NOTICEABLE
        low, high = (k, high) if borne else (low, k)
    return low
