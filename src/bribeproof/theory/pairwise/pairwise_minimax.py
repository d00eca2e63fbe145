"""The rule with the least largest expected loss where errors go together less than they could."""

import numpy as np

from bribeproof._validation import real
from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.pairwise.error_laws import error_bounds
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.saddle import saddle_point
from bribeproof.theory.pairwise.solution import PairwiseSolution
from bribeproof.theory.pairwise.worst_loss import prior_ends
from bribeproof.theory.rules.piecewise import PiecewiseLinear


def pairwise_minimax(
    panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared", tol: float = 1e-8
) -> PairwiseSolution:
    """Return the rule with the least largest expected loss, with a certificate.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        One truthful reporter: the mean rates of those who are, and a bound of the correlation of their errors; or
        bounds of prior, rates and joint errors, of which the worst count.
    loss : Loss or str, default "squared"
        Loss of the forecast, also one of your own.
    tol : float, default 1e-8
        Requested gap between the two bounds, above 0.

    Returns
    -------
    PairwiseSolution
        The rule, both bounds, and Nature's laws of errors. If the gap exceeds `tol`, `converged` is False and both
        bounds still hold.

    Raises
    ------
    ParameterError
        An unknown loss, or a `tol` that is not positive.

    Notes
    -----
    docs/theory.md §12, Theorem P. Nothing is assumed but the mean error rate in each state and how often two truthful
    reporters err together at most; with a correlation of 1 it is Theorem A. Time grows little up to n = 10,000, and
    like n beyond: a few seconds for a million.

    Examples
    --------
    >>> for correlation in (1, 0.1, 0):
    ...     expert = Expert(prior=0.5, tpr=0.7, fpr=0.3, correlation=correlation)
    ...     print(round(pairwise_minimax(Panel(n=39, k=4), expert).upper, 4))
    0.224
    0.141
    0.0568
    """
    check_panel(panel)
    check_expert(expert, ExpertInterval, correlated=True)
    loss, tol = get_loss(loss), real("tol", tol)
    if tol <= 0:
        raise ParameterError(f"tol = {tol} is not positive; give a gap such as 1e-8")
    saddle = saddle_point(Game(panel, prior_ends(expert), loss, error_bounds(panel, expert)), tol / 10)
    rule = PiecewiseLinear(panel.n, np.arange(panel.n + 1), saddle.forecasts, f"pairwise minimax ({loss.name})")
    return PairwiseSolution(
        aggregator=rule,
        lower=saddle.lower,
        upper=saddle.upper,
        witness=saddle.witness,
        panel=panel,
        expert=expert,
        prior=saddle.prior,
        loss=loss,
        tol=tol,
    )
