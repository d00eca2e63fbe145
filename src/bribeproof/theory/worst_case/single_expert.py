"""Exact worst case of a rule where the prior and the rates of the truthful reporters are known."""

from numpy.typing import ArrayLike

from bribeproof._validation import probabilities
from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.adversary import (
    LinearPieces,
    LossGivenState,
    TabulatedRule,
    worst_structure,
)
from bribeproof.theory.worst_case.result import WorstCase
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.structures import TwoPointLaws


def worst_case_of_expert(rule: Aggregator | ArrayLike, panel: Panel, expert: Expert, loss: Loss | str) -> WorstCase:
    """Return the exact worst case of any rule over all information structures and strategies, for one expert.

    Notes
    -----
    docs/theory.md, Lemmas 1.2 and 1.3 and Theorem 7.2. A truthful mean that differs from a whole number by rounding
    alone counts as that number.
    """
    rule, loss = _checked_rule(rule, panel), get_loss(loss)
    pieces = (
        LinearPieces(rule.counts, rule.forecasts) if isinstance(rule, PiecewiseLinear) else TabulatedRule(rule.values)
    )
    structure = worst_structure(pieces, panel, expert, loss)
    worst = structure.pair
    given_1, given_0 = (
        _scenario(law, structure.rule, panel.k, loss_given)
        for law, loss_given in zip((worst.given_1, worst.given_0), structure.losses_given, strict=True)
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
    """Return a rule for this panel; raise ParameterError where it is for another number of reporters."""
    if not isinstance(rule, Aggregator):
        rule = Aggregator(probabilities("rule values", rule))
    if rule.n != panel.n:
        raise ParameterError(
            f"{rule.name} values hold {rule.n + 1} forecasts for a panel of n = {panel.n}; give {panel.n + 1}"
        )
    return rule


def _scenario(law: TwoPointLaws, rule: TabulatedRule | LinearPieces, k: int, loss_given: LossGivenState) -> Scenario:
    """Return a single law with the worst strategy of the adversaries as a scenario."""
    low, high, share = int(law.low[0]), int(law.high[0]), float(law.share[0])
    truthful, weights = ((low,), (1.0,)) if low == high else ((low, high), (1 - share, share))
    strategy = []
    for count in truthful:
        adversaries, losses = rule.options(count, k, loss_given)
        strategy.append(int(adversaries[losses.argmax()]))
    return Scenario(truthful, weights, tuple(strategy))
