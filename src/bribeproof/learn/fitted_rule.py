"""The rule that combines votes of models, and what it guarantees: for a known expert, or fitted to held-out votes."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.learn.abstentions import forecasts_by_counts
from bribeproof.learn.votes import bound_dictator_loss, estimate_rates, fit_expert
from bribeproof.theory import (
    Basis,
    Expert,
    ExpertInterval,
    Guarantee,
    Loss,
    MultiExpert,
    Panel,
    PiecewiseLinear,
    closed_form,
    dictator_guarantee,
    get_loss,
    optimal_aggregator,
    pairwise_worst_loss,
)
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.gold_rules import ignores_reports, rules_of_gold
from bribeproof.theory.minimax.optimal import least_loss_rule


@dataclass(frozen=True, slots=True)
class FittedRule:
    """A rule for votes, what is known of an honest model, and what the rule guarantees.

    Attributes
    ----------
    expert
        The rates of an honest model, as given or as observed.
    rule
        The forecast of the second class for each number of votes; None for more than two classes.
    guarantee
        Bound on the expected loss: for a given expert, or with the stated confidence; None where there is none.
    plugin_guarantee
        The bound with observed rates in the place of the true ones; None for a given expert.
    expert_bounds
        For two classes, bounds of the observed rates that hold with the stated confidence; None where there are none.
    """

    expert: Expert | ExpertInterval | MultiExpert
    rule: PiecewiseLinear | None
    guarantee: Guarantee | None
    plugin_guarantee: Guarantee | None = None
    expert_bounds: ExpertInterval | None = None


def rule_for(panel: Panel, loss: Loss, expert: Expert | ExpertInterval | MultiExpert) -> FittedRule:
    """Return the rule that is best for a known expert.

    Parameters
    ----------
    panel : Panel
        Number of models, and how many of them may be corrupted.
    loss : Loss
        Loss of the forecast, for two classes.
    expert : Expert, ExpertInterval or MultiExpert
        The rates of an honest model; a MultiExpert for more than two classes.

    Returns
    -------
    FittedRule
        The rule, with its guarantee if the expert is right.

    Notes
    -----
    docs/theory.md §2, §5 and §8.

    Examples
    --------
    >>> from bribeproof.theory import Expert, get_loss
    >>> found = rule_for(Panel(3, 1), get_loss("absolute"), Expert(0.5, 0.9, 0.1))
    >>> round(found.guarantee.expected_loss, 3)
    0.2
    """
    if isinstance(expert, MultiExpert):
        return FittedRule(expert, None, dictator_guarantee(panel, expert))
    rule = optimal_aggregator(panel, expert, loss)
    return FittedRule(expert, rule, rule.guarantee)


def fit_rule(
    panel: Panel,
    loss: Loss,
    votes: NDArray[Any],
    y: NDArray[Any],
    classes: NDArray[Any],
    confidence: float | None,
    sample_weight: Any = None,
) -> FittedRule:
    """Return the rule that is best for the rates observed on samples whose class is known, and bound its loss.

    Parameters
    ----------
    panel, loss
        As in `rule_for`.
    votes : array of shape (n_samples, n_models)
        Votes on samples that the models were not fitted on.
    y : array of shape (n_samples,)
        The classes of the samples.
    classes : array of shape (n_classes,)
        All classes, sorted.
    confidence : float or None
        Probability in (0, 1) with which the guarantee holds; None for no such guarantee.
    sample_weight : array-like of shape (n_samples,), optional
        Weight of each sample; there is no guarantee for weighted samples.

    Returns
    -------
    FittedRule
        The rule; where its loss could be infinite, the one that is best for the bounds of the rates.

    Notes
    -----
    docs/theory.md §6.

    Examples
    --------
    >>> from bribeproof.theory import get_loss
    >>> y = np.arange(400) % 2
    >>> found = fit_rule(Panel(3, 1), get_loss("absolute"), np.repeat(y[:, None], 3, axis=1), y, np.arange(2), 0.95)
    >>> round(found.guarantee.expected_loss, 3), found.plugin_guarantee.expected_loss
    (0.057, 0.0)
    """
    right, observed = votes == y[:, None], fit_expert(panel, *estimate_rates(votes, y, classes, sample_weight))
    if isinstance(observed, ExpertInterval) and sample_weight is None:
        return _fit_pairs(panel, loss, Gold.from_matrix(right, y == classes[1]), confidence)
    plain = rule_for(panel, loss, observed)
    rule = None if plain.rule is None else plain.rule.described(plain.rule.name, None)
    plugin = plain.guarantee
    if confidence is None or isinstance(observed, ExpertInterval):
        return FittedRule(observed, rule, None, plugin)
    truth, alone = np.searchsorted(classes, y), uses_prior_alone(plugin)
    guarantee = bound_dictator_loss(panel, right, truth, confidence, observed, alone=alone)
    return FittedRule(observed, rule, guarantee, plugin)


def _fit_pairs(panel: Panel, loss: Loss, gold: Gold, confidence: float | None) -> FittedRule:
    """Return the rule for two classes, from how often models err and err together."""
    observed = gold.observed_interval(panel)
    rule = rules_of_gold(gold, panel.k, [panel.n], loss)[panel.n]
    if confidence is None:
        return FittedRule(
            observed, rule.described(rule.name, None), None, _guarantee_within(panel, observed, rule, loss)
        )
    bounds = gold.expert_interval(panel, confidence)
    guarantee = _guarantee_within(panel, bounds, rule, loss)
    if math.isinf(guarantee.expected_loss):
        rule = least_loss_rule(panel, bounds, loss)
        guarantee = _guarantee_within(panel, bounds, rule, loss)
    plugin = _guarantee_within(panel, observed, rule, loss)
    return FittedRule(observed, rule.described(rule.name, guarantee), guarantee, plugin, bounds)


def uses_prior_alone(guarantee: Guarantee | None) -> bool:
    """Return whether votes cannot improve on the prior."""
    return guarantee is not None and guarantee.basis is Basis.PRIOR_ALONE


def forecasts_with_abstentions(
    rule: PiecewiseLinear, k: int, expert: Expert | ExpertInterval | MultiExpert, loss: str | Loss
) -> FloatArray:
    """Return the forecasts for all numbers of positive and negative votes, where some models abstain.

    Parameters
    ----------
    rule : PiecewiseLinear
        The rule for votes without abstentions.
    k : int
        Number of models that may be corrupted.
    expert : Expert, ExpertInterval or MultiExpert
        Its prior decides where too few models vote.
    loss : str or Loss
        Loss of the forecast.

    Returns
    -------
    array of shape (n + 1, n + 1)
        Forecasts by positive and by negative votes.

    Notes
    -----
    docs/theory.md, Corollary 15.2 and Proposition 15.4.
    """
    if isinstance(expert, Expert):
        expert = ExpertInterval((expert.prior, expert.prior))
    prior = expert.prior if isinstance(expert, ExpertInterval) else (0.0, 1.0)
    blank = closed_form(Panel(1), ExpertInterval(prior), get_loss(loss))(0)
    return forecasts_by_counts(rule, k, blank)


def _guarantee_within(panel: Panel, bounds: ExpertInterval, rule: PiecewiseLinear, loss: Loss) -> Guarantee:
    """Return what a rule guarantees for every expert within these bounds."""
    bound = pairwise_worst_loss(rule, panel, bounds, loss).upper
    return Guarantee(bound, bound, exact=False, basis=Basis.PRIOR_ALONE if ignores_reports(rule) else Basis.PAIRS)
