"""The optimal rule: in closed form where that is exact, and otherwise from the exact solver."""

from bribeproof.theory.minimax.minimax import minimax
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared, get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear


def optimal_aggregator(panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared") -> PiecewiseLinear:
    """Rule with the smallest worst-case regret.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        What is known of a truthful reporter. Of an interval the worst rates and the worst prior count.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    PiecewiseLinear
        The rule and its guarantee: `regret` is the minimax regret where `exact` is True, `expected_loss` what the
        rule's expected loss never exceeds.

    Raises
    ------
    ParameterError
        An unknown loss.

    Notes
    -----
    theory.md §2, §5 and §7. Where `closed_form` attains the minimax regret it is the rule: clipped linear, with the
    Bayes acts of the effective expert at its ends. Elsewhere (no adversaries, n = 3k, hardly any positive or negative
    reports) the rule is that of `minimax`, and `exact` is True if its two bounds are within 1e-9. The closed form
    without a proof that it is best, `exact` False, is left only

    * for an interval, whose guarantee holds for everything in it;
    * for a loss of one's own, which the solver does not know.

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
    """
    loss = get_loss(loss)
    rule = closed_form(panel, expert, loss)
    proven = rule.guarantee is not None and rule.guarantee.exact
    if proven or not isinstance(expert, Expert) or not isinstance(loss, Squared | Log | CostWeighted):
        return rule
    solution = minimax(panel, expert, loss)
    guarantee = Guarantee(solution.largest_loss, solution.upper, exact=solution.converged, basis=Basis.EXACT_SOLVER)
    return solution.aggregator.described(rule.name, guarantee)
