"""Evaluate a panel, and panels with one reporter or one bribe more or less; results are cached."""

from dataclasses import dataclass, replace
from functools import lru_cache

from bribeproof.errors import ParameterError
from bribeproof.explorer.panel.largest_loss import LargestLoss, largest_loss
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.theory import (
    Expert,
    Guarantee,
    Loss,
    Panel,
    PiecewiseLinear,
    WorstCase,
    Worth,
    breakdown_point,
    effective_reporters,
    most_adversaries,
    optimal_aggregator,
    prior_alone,
    worst_case,
    worth_of,
)
from bribeproof.theory.minimax.panel_summary import summarised_ks
from bribeproof.theory.minimax.remedies import Explanation, explain_worthless

_POINTS = 25
"""Approximate number of points on a curve."""
_SLOW_POINTS = 8
"""The same where every point is a conic program of more than `_FAST` reporters."""
_FAST = 200


@dataclass(frozen=True, slots=True)
class PanelEvaluation:
    """The optimal rule of a panel, with its guarantee and its worst case.

    Attributes
    ----------
    design
        The design.
    rule
        The optimal rule.
    guarantee
        The proven bounds on its loss and regret.
    unbounded
        The guarantee where honest errors may go together in any way: the same one, if they may.
    unbribed
        The guarantee of as many reporters if nobody is bribed.
    effective
        The effective expert: one honest reporter who is worth as much as the panel, whatever the correlation.
    reporters
        The number of independent reporters whose errors average out as much.
    blind
        The expected loss without reports.
    breakdown
        The share of bribed reporters from which on the prior alone is as good; None where it depends on n.
    most
        The largest number of bribed reporters with which the panel beats the prior alone.
    hopeless
        Whether no rule beats the prior alone even if nobody is bribed.
    worst
        The worst case of the rule.
    """

    design: PanelQuery
    rule: PiecewiseLinear
    guarantee: Guarantee
    unbounded: Guarantee
    unbribed: Guarantee
    effective: Expert
    reporters: float
    blind: float
    breakdown: float | None
    most: int
    hopeless: bool
    worst: WorstCase | LargestLoss

    @property
    def worth(self) -> Worth:
        """The guarantee beside what the prior alone guarantees."""
        return Worth(self.guarantee.expected_loss, self.blind, self.design.loss)


@dataclass(frozen=True, slots=True)
class Change:
    """A panel with one reporter or one bribe more or less.

    Attributes
    ----------
    what
        The change, in words.
    n, k
        The changed panel.
    guarantee
        The guarantee of the changed panel; None without a truthful majority.
    """

    what: str
    n: int
    k: int
    guarantee: Guarantee | None


@lru_cache(maxsize=256)
def evaluate(design: PanelQuery) -> PanelEvaluation:
    """Evaluate a design."""
    panel, expert, loss = design.panel, design.expert, design.loss
    rule, guarantee = _rule(panel, expert, loss), guaranteed(panel, expert, loss)
    any_way = replace(expert, correlation=1.0)
    unbribed, alone = guaranteed(Panel(panel.n), expert, loss), prior_alone(expert, loss)
    breakdown = breakdown_point(expert, loss) if loss.strictly_proper or not design.paired else None

    return PanelEvaluation(
        design=design,
        rule=rule,
        guarantee=guarantee,
        unbounded=guaranteed(panel, any_way, loss),
        unbribed=unbribed,
        effective=panel.effective(expert),
        reporters=effective_reporters(panel.n, expert),
        blind=alone,
        breakdown=breakdown,
        most=most_adversaries(panel.n, expert, loss),
        hopeless=Worth(unbribed.expected_loss, alone, loss).worthless if breakdown is None else breakdown == 0,
        worst=largest_loss(rule, panel, expert, loss) if design.paired else worst_case(rule, panel, expert, loss),
    )


def changes(design: PanelQuery) -> list[Change]:
    """Return the panels with one reporter more or less, and with one bribe more or less."""
    n, k = design.panel.n, design.panel.k
    steps = [
        ("One more honest judge", n + 1, k),
        ("One fewer honest judge", n - 1, k),
        ("One more bribed", n, k + 1),
    ]
    if k:
        steps.append(("One fewer bribed", n, k - 1))
    return [
        Change(what, size, bribes, _guaranteed_if_any(size, bribes, design.expert, design.loss))
        for what, size, bribes in steps
    ]


def against_k(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return numbers of bribes, evenly spaced if there are many, and the guarantee for each."""
    panel = design.panel
    points = _spread(0, (panel.n - 1) // 2, panel.k, _SLOW_POINTS if is_sparse(design) else _POINTS)
    return points, [guaranteed(Panel(panel.n, k), design.expert, design.loss) for k in points]


def against_n(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return numbers of reporters, fewer and more, and the guarantee for each with the same k."""
    panel = design.panel
    points = _spread(
        2 * panel.k + 1, max(2 * panel.n, panel.n + 10), panel.n, _SLOW_POINTS if is_sparse(design) else _POINTS
    )
    return points, [guaranteed(Panel(n, panel.k), design.expert, design.loss) for n in points]


def guaranteed(panel: Panel, expert: Expert, loss: Loss) -> Guarantee:
    """Return the guarantee of the optimal rule of a panel."""
    guarantee = _rule(panel, expert, loss).guarantee
    if guarantee is None:
        raise ParameterError(f"there is no guarantee for the loss {loss.name}; choose another loss")
    return guarantee


def _guaranteed_if_any(n: int, k: int, expert: Expert, loss: Loss) -> Guarantee | None:
    """Return the guarantee of a panel; None without a truthful majority."""
    return guaranteed(Panel(n, k), expert, loss) if n > 2 * k else None


@lru_cache(maxsize=256)
def explanation(design: PanelQuery) -> Explanation | None:
    """Return why the guarantee of a design is worth nothing, as the command does where that is quick.

    None where it is worth something.
    """
    if not evaluate(design).worth.worthless:
        return None
    (n, k), expert, loss = (design.panel.n, design.panel.k), design.expert, design.loss
    ks = () if is_sparse(design) else summarised_ks(n)
    smaller = {j: worth_of(guaranteed(Panel(n, j), expert, loss).expected_loss, expert, loss) for j in ks if j < k}
    return explain_worthless({n: 1}, k, expert, loss, rule_of=_rule, smaller=smaller)


@lru_cache(maxsize=8192)
def _rule(panel: Panel, expert: Expert, loss: Loss) -> PiecewiseLinear:
    """Return the optimal rule of a panel."""
    return optimal_aggregator(panel, expert, loss)


def is_sparse(design: PanelQuery) -> bool:
    """Return whether the curves have few points, because each takes long."""
    return design.paired and design.panel.n > _FAST


def _spread(least: int, most: int, own: int, points: int) -> list[int]:
    """Return evenly spaced whole numbers from `least` to `most`, including `own`."""
    step = max(1, -(-(most - least) // points))
    return sorted({*range(least, most + 1, step), own, most})
