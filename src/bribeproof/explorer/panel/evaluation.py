"""Evaluate a panel, and panels with one reporter or one bribe more or less; results are cached."""

from dataclasses import dataclass
from functools import lru_cache

from bribeproof.errors import ParameterError
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.theory import (
    Expert,
    Guarantee,
    Loss,
    Panel,
    PiecewiseLinear,
    WorstCase,
    breakdown_point,
    max_adversaries,
    optimal_aggregator,
    worst_case,
)

_POINTS = 25
"""Approximate number of points on a curve."""


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
    effective
        The effective expert: one honest reporter who is worth as much as the panel.
    blind
        The expected loss without reports.
    breakdown
        The share of bribed reporters from which on the reports carry no information.
    most
        The largest number of bribed reporters below the breakdown point.
    worst
        The worst case of the rule.
    """

    design: PanelQuery
    rule: PiecewiseLinear
    guarantee: Guarantee
    effective: Expert
    blind: float
    breakdown: float
    most: int
    worst: WorstCase


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
    rule = _rule(panel, expert, loss)
    return PanelEvaluation(
        design=design,
        rule=rule,
        guarantee=guaranteed(panel, expert, loss),
        effective=panel.effective(expert),
        blind=loss.bayes_risk(expert.prior),
        breakdown=breakdown_point(expert, loss),
        most=max_adversaries(panel.n, expert, loss),
        worst=worst_case(rule, panel, expert, loss),
    )


def changes(design: PanelQuery) -> list[Change]:
    """Return the panels with one reporter more or less, and with one bribe more or less."""
    n, k = design.panel.n, design.panel.k
    steps = [
        ("One more honest reporter", n + 1, k),
        ("One honest reporter fewer", n - 1, k),
        ("One more bribe", n, k + 1),
    ]
    if k:
        steps.append(("One bribe fewer", n, k - 1))
    return [
        Change(what, size, bribes, _guaranteed_if_any(size, bribes, design.expert, design.loss))
        for what, size, bribes in steps
    ]


def against_k(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return numbers of bribes, evenly spaced if there are many, and the guarantee for each."""
    panel = design.panel
    points = _spread(0, (panel.n - 1) // 2, panel.k)
    return points, [guaranteed(Panel(panel.n, k), design.expert, design.loss) for k in points]


def against_n(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return numbers of reporters, fewer and more, and the guarantee for each with the same k."""
    panel = design.panel
    points = _spread(2 * panel.k + 1, max(2 * panel.n, panel.n + 10), panel.n)
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


@lru_cache(maxsize=8192)
def _rule(panel: Panel, expert: Expert, loss: Loss) -> PiecewiseLinear:
    """Return the optimal rule of a panel."""
    return optimal_aggregator(panel, expert, loss)


def _spread(least: int, most: int, own: int) -> list[int]:
    """Return evenly spaced whole numbers from `least` to `most`, including `own`."""
    step = max(1, -(-(most - least) // _POINTS))
    return sorted({*range(least, most + 1, step), own, most})
