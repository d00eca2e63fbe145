"""The rule with the least largest expected loss where errors go together less than they could."""

from typing import NamedTuple

import numpy as np

from bribeproof._validation import real
from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss, has_closed_form
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.pairwise.conic_program import solve_program
from bribeproof.theory.pairwise.error_laws import ErrorLaw, error_bounds, within
from bribeproof.theory.pairwise.solution import PairwiseSolution
from bribeproof.theory.pairwise.witness import find_witness, proven_by, simple_witness
from bribeproof.theory.pairwise.worst_loss import prior_ends, worst_loss
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear

_DECIMALS = 12
"""The decimals of a forecast that the solver is accurate to."""
_TOL = 1e-8


class LeastLoss(NamedTuple):
    """The rule with the least largest expected loss up to the solver's accuracy, and that loss, which is proven.

    Attributes
    ----------
    aggregator
        The rule.
    upper
        Its largest expected loss.
    laws
        The solver's laws of errors in the two states, which are within their bounds up to rounding.
    prior
        The prior that is worst: that of the expert, or one between its bounds.
    """

    aggregator: PiecewiseLinear
    upper: float
    laws: tuple[ErrorLaw, ErrorLaw]
    prior: float


def pairwise_minimax(
    panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared", tol: float = _TOL
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
        Loss of the forecast: "absolute", "squared", "log" or a `cost`.
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
    reporters err together at most; with a correlation of 1 it is Theorem A. Memory and time grow like n.

    Examples
    --------
    >>> for correlation in (1, 0.1, 0):
    ...     expert = Expert(prior=0.5, tpr=0.7, fpr=0.3, correlation=correlation)
    ...     print(round(pairwise_minimax(Panel(n=39, k=4), expert).upper, 4))
    0.224
    0.141
    0.0568
    """
    loss, tol = get_loss(loss), real("tol", tol)
    if tol <= 0:
        raise ParameterError(f"tol = {tol} is not positive; give a gap such as 1e-8")
    aggregator, upper, laws, prior = least_loss(panel, expert, loss, tol)
    bounds = error_bounds(panel, expert)
    first, second = (within(law, bound) for law, bound in zip(laws, bounds, strict=True))
    witness = simple_witness((first, second), panel)
    lower = proven_by(witness, loss, prior)
    if upper - lower > tol / 10:
        searched = find_witness(aggregator.forecasts, panel, loss, prior, bounds, upper=upper, tol=tol / 10)
        lower, witness = max((lower, witness), searched, key=lambda pair: pair[0])
    return PairwiseSolution(
        aggregator=aggregator,
        lower=min(lower, upper),
        upper=upper,
        witness=witness,
        panel=panel,
        expert=expert,
        prior=prior,
        loss=loss,
        tol=tol,
    )


def least_loss(panel: Panel, expert: Expert | ExpertInterval, loss: Loss, tol: float = _TOL) -> LeastLoss:
    """Return the rule of `pairwise_minimax` without the search for Nature's side, which can take far longer."""
    check_panel(panel)
    check_expert(expert, ExpertInterval, correlated=True)
    if not has_closed_form(loss):
        raise ParameterError(f"loss = {loss.name!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)")
    ends, bounds = prior_ends(expert), error_bounds(panel, expert)
    found = solve_program(panel, ends, loss, *bounds)
    alone = closed_form(Panel(1), ExpertInterval(ends), loss)(0)
    candidates = [found.forecasts.round(_DECIMALS), np.full(panel.n + 1, alone)]
    worst = [worst_loss(rule, panel, ends, loss, bounds).upper for rule in candidates]
    # Where nothing is better than the prior alone, the solver's rule differs from that by rounding.
    best = 1 if worst[1] <= worst[0] + tol / 10 else 0
    rule = PiecewiseLinear(panel.n, np.arange(panel.n + 1), candidates[best], f"pairwise minimax ({loss.name})")
    return LeastLoss(rule, worst[best], found.laws, found.prior)
