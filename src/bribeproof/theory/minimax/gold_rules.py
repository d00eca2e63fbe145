"""The rules that fit gold items, and what a rule guarantees with the confidence of their bounds."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.items_guarantee import mean_of_groups
from bribeproof.theory.minimax.optimal import least_loss_rule
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.worst_loss import pairwise_worst_loss
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.rules.worth import Worth, prior_alone

EVEN_ODDS = 0.5
"""The confidence of the bounds that the rules are best for; rules for the observed rates would trust few items."""


def rules_of_gold(gold: Gold, k: int, sizes: Iterable[int], loss: Loss | str) -> dict[int, PiecewiseLinear]:
    """Return the rule that fits gold items, for items with so many reports each.

    Parameters
    ----------
    gold : Gold
        Answers to the gold items.
    k : int
        Largest number of bribed reporters, on the gold items too; fewer than half of the reporters.
    sizes : ints
        Numbers of reports, above 2k.
    loss : Loss or str
        Loss of the forecast.

    Returns
    -------
    dict from int to PiecewiseLinear
        The rule with the least largest loss within bounds that hold at even odds, or, where that would ignore the
        reports, the rule for the observed rates.

    Notes
    -----
    docs/theory.md §6 and §12.

    Examples
    --------
    >>> import numpy as np
    >>> truth = np.arange(200) % 2 == 1
    >>> right = np.ones((200, 7), bool)
    >>> right[::5, :3] = False
    >>> rules = rules_of_gold(Gold.from_matrix(right, truth), 1, [5, 7], "squared")
    >>> rules[7].values.round(2)
    array([0.04, 0.09, 0.25, 0.42, 0.58, 0.75, 0.91, 0.96])
    """
    panel = Panel(gold.reporters, k)
    bounds = gold.expert_interval(panel, EVEN_ODDS)
    rules = {size: least_loss_rule(Panel(size, k), bounds, loss) for size in sizes}
    deaf = [size for size, rule in rules.items() if ignores_reports(rule)]
    if deaf:  # too few gold items to say anything of pairs
        observed = gold.observed_interval(panel)
        rules |= {size: closed_form(Panel(size, k), observed, loss) for size in deaf}
    return rules


def worth_of_rules(
    rules: Mapping[int, Aggregator], sizes: Mapping[int, int], k: int, bounds: ExpertInterval, loss: Loss | str
) -> Worth:
    """Return what rules guarantee on average over items, for every expert within bounds.

    Parameters
    ----------
    rules : mapping from int to Aggregator
        The rule for items with so many reports each.
    sizes : mapping from int to int
        How many items have so many reports; at least one item, all with a rule.
    k : int
        Largest number of bribed reporters.
    bounds : ExpertInterval
        Bounds of the truthful reporters' rates.
    loss : Loss or str
        Loss of the forecast.

    Examples
    --------
    >>> rules = {5: least_loss_rule(Panel(5, 1), ExpertInterval((0.5, 0.5), 0.9, 0.1))}
    >>> round(worth_of_rules(rules, {5: 20}, 1, ExpertInterval((0.5, 0.5), 0.8, 0.2), "squared").share, 4)
    0.8533
    """
    loss = get_loss(loss)
    losses = [
        (pairwise_worst_loss(rules[size], Panel(size, k), bounds, loss).upper, items) for size, items in sizes.items()
    ]
    return Worth(mean_of_groups(losses), best_alone(bounds.prior, loss)[1], loss)


def ignores_reports(rule: Aggregator) -> bool:
    """Return whether a rule answers the same whatever is reported.

    Examples
    --------
    >>> [ignores_reports(closed_form(Panel(1), ExpertInterval(tpr=tpr, fpr=0.1))) for tpr in (0.1, 0.9)]
    [True, False]
    """
    return bool(rule.values.min() == rule.values.max())


@lru_cache(maxsize=256)
def best_alone(prior: tuple[float, float], loss: Loss) -> tuple[float, float]:
    """Return the best forecast for somebody who hears no reports, and its largest expected loss.

    Examples
    --------
    >>> best_alone((0.2, 0.4), get_loss("squared"))
    (0.4, 0.24)
    """
    return closed_form(Panel(1), ExpertInterval(prior), loss)(0), prior_alone(prior, loss)
