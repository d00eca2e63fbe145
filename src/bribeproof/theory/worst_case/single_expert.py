"""Exact worst case of a rule where the prior and the rates of the truthful reporters are known."""

from numpy.typing import ArrayLike

from bribeproof.errors import ParameterError
from bribeproof.theory._validation import probabilities
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.adversary import Curve, LinearPieces, TabulatedRule, worst_structure
from bribeproof.theory.worst_case.result import WorstCase
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.structures import TwoPoints


def worst_case_of_expert(rule: Aggregator | ArrayLike, panel: Panel, expert: Expert, loss: Loss | str) -> WorstCase:
    """Exact worst case of any rule over all information structures and strategies, for one expert.

    Notes
    -----
    docs/theory.md §1 and §7. Whatever the structure, the worst adversaries pick, at each state and truthful count,
    the count of H within their reach that costs most. Given that, the expected loss is linear in the two
    distributions of the truthful count and the benchmark loss is concave in them, so that the regret is convex
    and largest at an extreme point: a pair of distributions with the right means and at most two points each.
    `structures.worst_pair` finds the best of all these pairs.

    A truthful mean that differs from a whole number by rounding alone counts as that number.
    """
    rule, loss = _checked_rule(rule, panel), get_loss(loss)
    given = (
        LinearPieces(rule.counts, rule.forecasts) if isinstance(rule, PiecewiseLinear) else TabulatedRule(rule.values)
    )
    found = worst_structure(given, panel, expert, loss)
    worst = found.pair
    given_1, given_0 = (
        _scenario(distribution, found.rule, panel.k, curve)
        for distribution, curve in zip((worst.given_1, worst.given_0), found.curves, strict=True)
    )
    return WorstCase(
        regret=worst.regret,
        expected_loss=float(worst.given_1.loss[0] + worst.given_0.loss[0]),
        benchmark=worst.benchmark,
        largest_loss=worst.largest_loss,
        given_1=given_1,
        given_0=given_0,
        rule=rule,
        panel=panel,
        expert=expert,
        loss=loss,
    )


def _checked_rule(rule: Aggregator | ArrayLike, panel: Panel) -> Aggregator:
    """Return the rule with one forecast for each count of H on this panel."""
    if not isinstance(rule, Aggregator):
        rule = Aggregator(probabilities("rule values", rule))
    if rule.n != panel.n:
        raise ParameterError(
            f"{rule.name} values hold {rule.n + 1} forecasts for a panel of n = {panel.n}; give {panel.n + 1}"
        )
    return rule


def _scenario(distribution: TwoPoints, rule: TabulatedRule | LinearPieces, k: int, curve: Curve) -> Scenario:
    """Give a distribution and the adversaries' answer to it as plain numbers."""
    low, high, share = int(distribution.low[0]), int(distribution.high[0]), float(distribution.share[0])
    truthful, weights = ((low,), (1.0,)) if low == high else ((low, high), (1 - share, share))
    answers = []
    for count in truthful:
        liars, losses = rule.options(count, k, curve)
        answers.append(int(liars[losses.argmax()]))
    return Scenario(truthful, weights, tuple(answers))
