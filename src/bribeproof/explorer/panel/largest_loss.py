"""The largest expected loss of a rule where honest errors go together less than they could, case by case."""

from collections.abc import Mapping
from dataclasses import dataclass

from bribeproof.theory import Expert, Loss, Panel, PiecewiseLinear, Scenario, pairwise_worst_loss
from bribeproof.theory.pairwise.error_laws import ErrorLaw

_NEVER = 1e-9
"""Cases with a smaller probability are left out: they are rounding of the linear program."""
_DECIMALS = 9
"""Further decimals of the forecasts are rounding of the solver."""


@dataclass(frozen=True, slots=True)
class LargestLoss:
    """How the votes fall where a rule loses most.

    Attributes
    ----------
    expected_loss
        The largest expected loss.
    given_1, given_0
        What honest and bribed reporters do given a positive and given a negative truth.
    rule, panel, expert, loss
        The rule, and what it is for.
    """

    expected_loss: float
    given_1: Scenario
    given_0: Scenario
    rule: PiecewiseLinear
    panel: Panel
    expert: Expert
    loss: Loss


def largest_loss(rule: PiecewiseLinear, panel: Panel, expert: Expert, loss: Loss) -> LargestLoss:
    """Return where a nondecreasing rule loses most: all the bribed vote against the truth there.

    Notes
    -----
    docs/theory.md, Theorem P.
    """
    worst = pairwise_worst_loss(rule, panel, expert, loss)
    given_1 = {panel.truthful - errors: weight for errors, weight in _likely(worst.given_1)}
    given_0 = dict(_likely(worst.given_0))
    return LargestLoss(
        expected_loss=worst.upper,
        given_1=_scenario(given_1, bribed=0),
        given_0=_scenario(given_0, bribed=panel.k),
        rule=PiecewiseLinear(panel.n, rule.counts, rule.forecasts.round(_DECIMALS), f"optimal ({loss.name})"),
        panel=panel,
        expert=expert,
        loss=loss,
    )


def _likely(law: ErrorLaw) -> list[tuple[int, float]]:
    """Return the numbers of errors with their probabilities, without those that are rounding."""
    pairs = zip(law.errors.tolist(), law.weights.tolist(), strict=True)
    return [(errors, weight) for errors, weight in pairs if weight > _NEVER]


def _scenario(votes: Mapping[int, float], *, bribed: int) -> Scenario:
    """Return positive votes of truthful reporters with their probabilities, and as many of bribed ones at each."""
    ordered = sorted(votes.items())
    truthful, weights = (tuple(column) for column in zip(*ordered, strict=True))
    return Scenario(truthful, weights, (bribed,) * len(ordered))
