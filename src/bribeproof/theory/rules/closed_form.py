"""The rule with the smallest worst-case loss in closed form (Theorem A of docs/theory.md), and its guarantee."""

import sys
from typing import TypeAlias

from bribeproof._validation import probability
from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, get_loss
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.piecewise import PiecewiseLinear, clipped_linear

Pair: TypeAlias = tuple[float, float]


def closed_form(panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str = "squared") -> PiecewiseLinear:
    """Return the rule with the smallest worst-case loss, in closed form.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert or ExpertInterval
        One truthful reporter, or bounds of its prior and rates. For bounds, the worst rates and prior count.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    PiecewiseLinear
        Clipped linear with the Bayes acts of the effective expert at its ends, and its guarantee. The
        guarantee's `expected_loss` is the minimax expected loss. Its `regret` is the minimax regret where
        `exact` is True, and otherwise an upper bound, which another rule may beat. For a loss of one's own both hold up
        to the rounding of its computed Bayes acts.

    Raises
    ------
    ParameterError
        An unknown loss, or a loss of one's own that is not convex and monotone.

    Notes
    -----
    docs/theory.md, Theorem A, and Proposition 5.1 for intervals. `exact` is True in these cases, which are proven:

    * k ≥ 1, n ≠ 3k, N·a ≥ 1 and N·b ≤ N − 1; the last two follow from a′ ≥ b′ (Theorem A, which needs a convex and
      monotone loss, no proper one);
    * k = 0 and the absolute or a cost-weighted loss, where 1 ≤ n·b and n·a ≤ n − 1 (Proposition 3.2);
    * bounds that allow uninformative reports with a common rate r, 1 ≤ N·r ≤ N − 1 (Proposition 3.1);
    * a guarantee of 0.

    At n = 3k the closed form is the minimax regret in more cases (Proposition 2.4, Theorem A.3); `optimal_aggregator`
    settles these with the exact solver.

    Examples
    --------
    >>> rule = closed_form(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25), "squared")
    >>> rule.values
    array([0.375, 0.375, 0.5  , 0.625, 0.625])
    >>> rule.guarantee.regret, rule.guarantee.exact
    (0.234375, True)
    >>> closed_form(Panel(n=4, k=1), ExpertInterval()).values
    array([0.5, 0.5, 0.5, 0.5, 0.5])
    """
    check_panel(panel)
    check_expert(expert, ExpertInterval)
    loss = get_loss(loss)
    if isinstance(expert, Expert):
        expert = ExpertInterval((expert.prior, expert.prior), expert.tpr, expert.fpr)
    low, high = _saddle_acts(panel, expert, loss)
    bound = loss_bound(panel, expert, low, high, loss)
    # Nobody loses less than the certain and right forecast does, the benchmark included (docs/theory.md, Theorem A).
    certain = [prior * loss.value(1.0, 1) + (1 - prior) * loss.value(0.0, 0) for prior in expert.prior]
    regret = bound - min(certain)
    guarantee = Guarantee(
        expected_loss=bound,
        regret=regret,
        exact=regret == 0 or (certain[0] == certain[1] and _regret_is_attained(panel, expert, loss)),
        basis=_basis(panel, constant=low == high),
    )
    return clipped_linear(panel, low, high).described(f"optimal ({loss.name})", guarantee)


def loss_bound(
    panel: Panel, expert: Expert | ExpertInterval, low: float, high: float, loss: Loss | str = "squared"
) -> float:
    """Return the worst-case expected loss of a clipped-linear rule.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries; the rule trims the panel's k.
    expert : Expert or ExpertInterval
        One truthful reporter, or bounds of its prior and rates.
    low, high : float
        The rule's forecasts at its two ends, 0 ≤ low ≤ high ≤ 1.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    float
        Largest expected loss over all information structures, strategies and, for an interval, priors and rates. Also
        a bound where the reporters are not identical, for rates that hold on average (Corollary 2.2).

    Raises
    ------
    ParameterError
        An end outside [0, 1], `low` above `high`, or an unknown loss.

    Notes
    -----
    docs/theory.md, Proposition 2.1. The bound is linear in the prior, so the ends of an interval are enough.

    Examples
    --------
    >>> loss_bound(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25), low=0.0, high=1.0, loss="absolute")
    0.375
    """
    check_panel(panel)
    check_expert(expert, ExpertInterval)
    loss = get_loss(loss)
    acts = probability("low", low), probability("high", high)
    if acts[0] > acts[1]:
        raise ParameterError(f"low = {low} exceeds high = {high}; give low <= high")
    tpr, fpr = panel.effective_rates(expert)
    given_0, given_1 = _losses_by_state(acts, (max(tpr, 0.0), min(fpr, 1.0)), loss)
    priors = (expert.prior,) if isinstance(expert, Expert) else expert.prior
    return max(_mean(prior, given_0, given_1) for prior in priors)


def _saddle_acts(panel: Panel, interval: ExpertInterval, loss: Loss) -> Pair:
    """Return the ends of the optimal rule for the worst prior, where the effective Bayes risk is largest.

    docs/theory.md, Proposition 5.1. The risk is concave in the prior and its slope is the loss given state 1 minus the
    loss given state 0. Between the two floats where the slope changes sign the acts may jump: they are mixed so that
    both states have the same loss.
    """
    tpr, fpr = panel.effective_rates(interval)
    rates = (tpr, fpr) if tpr >= fpr else (0.5, 0.5)

    def acts(prior: float) -> Pair:
        effective = Expert(prior, *rates)
        low, high = loss.bayes_act([effective.posterior_low, effective.posterior_high]).tolist()
        return low, max(low, high)

    def slope(prior: float) -> float:
        given_0, given_1 = _losses_by_state(acts(prior), rates, loss)
        return given_1 - given_0

    left, right = interval.prior
    if left == right or slope(left) <= 0:
        return acts(left)
    if slope(right) >= 0:
        return acts(right)
    while left < (middle := (left + right) / 2) < right:
        if slope(middle) > 0:
            left = middle
        else:
            right = middle
    falling = max(slope(right), -sys.float_info.max)  # at a prior of 1 the loss of a certain forecast may be infinite
    weight = falling / (falling - slope(left))
    low, high = (_mean(weight, on_right, on_left) for on_left, on_right in zip(acts(left), acts(right), strict=True))
    return low, max(low, high)


def _losses_by_state(acts: Pair, rates: Pair, loss: Loss) -> Pair:
    """Return the expected losses given state 0 and state 1 of somebody who acts on one report."""
    low, high = acts
    tpr, fpr = rates
    given_0 = _mean(fpr, loss.value(low, 0), loss.value(high, 0))
    given_1 = _mean(tpr, loss.value(low, 1), loss.value(high, 1))
    return given_0, given_1


def _mean(weight: float, first: float, second: float) -> float:
    """Return the mean of two numbers, the second with this weight; a number of weight 0 may be infinite."""
    if weight == 0 or first == second:
        return first
    if weight == 1:
        return second
    return (1 - weight) * first + weight * second


def _regret_is_attained(panel: Panel, interval: ExpertInterval, loss: Loss) -> bool:
    """Return whether it is proven that Nature can attain the bound while the benchmark makes no error."""
    most = panel.truthful - 1
    count_1, count_0 = panel.truthful * interval.tpr, panel.truthful * interval.fpr
    if interval.tpr <= interval.fpr:
        return max(1, count_1) <= min(most, count_0)
    if panel.k == 0:
        return type(loss) is CostWeighted and count_0 >= 1 and count_1 <= most
    return panel.n != 3 * panel.k and count_1 >= 1 and count_0 <= most


def _basis(panel: Panel, *, constant: bool) -> Basis:
    """Return the argument that proves the closed form."""
    if constant:
        return Basis.PRIOR_ALONE
    if panel.k == 0:
        return Basis.ONE_REPORTER
    return Basis.N_IS_3K if panel.n == 3 * panel.k else Basis.EFFECTIVE_EXPERT
