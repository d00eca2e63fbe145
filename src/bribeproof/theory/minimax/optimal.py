"""The optimal rule: in closed form where that is exact, otherwise by the exact solver."""

from bribeproof.theory.minimax.minimax import minimax
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss, has_closed_form
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.pairwise.pairwise_minimax import pairwise_minimax
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear


def optimal_aggregator(panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared") -> PiecewiseLinear:
    """Return the rule with the smallest worst-case regret.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        One truthful reporter, or bounds of its prior and rates. For bounds, the worst rates and prior count. With a
        bound of the correlation of errors, the rule is that with the least largest expected loss.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    PiecewiseLinear
        The rule and its guarantee: `regret` is the minimax regret where `exact` is True, `expected_loss` bounds the
        rule's expected loss.

    Raises
    ------
    ParameterError
        An unknown loss, or a loss of one's own that is not convex and monotone.

    Notes
    -----
    docs/theory.md, Theorem A and §5 for the closed form, §7 for the solver. Where `closed_form` is proven to attain the
    minimax regret, it is the rule: clipped linear, with the Bayes acts of the effective expert at its ends. Elsewhere
    (k = 0, n = 3k, or hardly any positive or negative reports) the rule is that of `minimax`, and `exact` is True if
    its two bounds are within 1e-9. A closed form with `exact` False is returned only

    * for an interval, where the guarantee holds for all experts in it;
    * for a loss of one's own, for which there is no solver.

    With a correlation below 1 (docs/theory.md §12) the rule is that of `pairwise_minimax`; its regret is bounded by its
    expected loss, and `exact` is False: the least regret is not known there.

    Examples
    --------
    >>> rule = optimal_aggregator(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25), "squared")
    >>> rule.values
    array([0.375, 0.375, 0.5  , 0.625, 0.625])
    >>> rule.guarantee.regret, rule.guarantee.exact
    (0.234375, True)
    >>> without = optimal_aggregator(Panel(n=10), Expert(prior=0.5, tpr=0.8, fpr=0.1))
    >>> round(without.guarantee.regret, 6), without.guarantee.basis.value
    (0.106659, 'exact solver')
    >>> optimal_aggregator(Panel(n=4, k=1), ExpertInterval()).values
    array([0.5, 0.5, 0.5, 0.5, 0.5])
    >>> rule = optimal_aggregator(Panel(n=7, k=1), Expert(prior=0.5, tpr=0.8, fpr=0.2, correlation=0.1))
    >>> round(rule.guarantee.expected_loss, 4), rule.guarantee.basis.value
    (0.1149, 'pairs of reporters')
    """
    check_panel(panel)
    check_expert(expert, ExpertInterval, correlated=True)
    loss = get_loss(loss)
    if not expert.may_err_together:
        paired = pairwise_minimax(panel, expert, loss)
        return paired.aggregator.described(
            paired.aggregator.name, Guarantee(paired.upper, paired.upper, exact=False, basis=Basis.PAIRS)
        )
    rule = closed_form(panel, expert, loss)
    proven = rule.guarantee is not None and rule.guarantee.exact
    if proven or not isinstance(expert, Expert) or not has_closed_form(loss):
        return rule
    solution = minimax(panel, expert, loss)
    guarantee = Guarantee(solution.largest_loss, solution.upper, exact=solution.converged, basis=Basis.EXACT_SOLVER)
    return solution.aggregator.described(rule.name, guarantee)


def least_loss_rule(panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared") -> PiecewiseLinear:
    """Return the rule that a guarantee of the expected loss rests on: the closed form, or that of pairs.

    Examples
    --------
    >>> rules = [least_loss_rule(Panel(n=7, k=1), Expert(0.5, 0.8, 0.2, rho)) for rho in (1, 0.1)]
    >>> [round(rule.guarantee.expected_loss, 4) for rule in rules]
    [0.1824, 0.1149]
    """
    paired = not expert.may_err_together
    return optimal_aggregator(panel, expert, loss) if paired else closed_form(panel, expert, loss)
