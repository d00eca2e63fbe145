"""What a design is worth, and what one person more or less would change; computed once for each design."""

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
"""About so many points of a curve."""


@dataclass(frozen=True, slots=True)
class PanelEvaluation:
    """What a design is worth.

    Attributes
    ----------
    design
        The design.
    rule
        Its optimal rule.
    guarantee
        What the rule is proven to achieve.
    effective
        The one honest reporter that the whole panel is worth.
    blind
        The expected loss without any reports.
    breakdown
        The share of bribed reporters from which on the reports are worth nothing.
    most
        The largest number of bribed reporters up to there.
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
    """One person more or less on the panel, or one bribe.

    Attributes
    ----------
    what
        What changes, in words.
    n, k
        The panel that comes of it.
    guarantee
        What it guarantees; None where no truthful majority is left.
    """

    what: str
    n: int
    k: int
    guarantee: Guarantee | None


@lru_cache(maxsize=256)
def outlook(design: PanelQuery) -> PanelEvaluation:
    """Work out what a design is worth."""
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
    """Return what one person more or less, and one bribe more or less, would make of the panel."""
    n, k = design.panel.n, design.panel.k
    steps = [
        ("One more honest reporter", n + 1, k),
        ("One honest reporter less", n - 1, k),
        ("One more of them bribed", n, k + 1),
    ]
    if k:
        steps.append(("One bribe less", n, k - 1))
    return [
        Change(what, size, bribes, _guaranteed_if_any(size, bribes, design.expert, design.loss))
        for what, size, bribes in steps
    ]


def against_k(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return the guarantee for each number of bribes, or for some evenly spread where there are many."""
    panel = design.panel
    points = _spread(0, (panel.n - 1) // 2, panel.k)
    return points, [guaranteed(Panel(panel.n, k), design.expert, design.loss) for k in points]


def against_n(design: PanelQuery) -> tuple[list[int], list[Guarantee]]:
    """Return the guarantee for panels of fewer and of more reporters, with as many bribes."""
    panel = design.panel
    points = _spread(2 * panel.k + 1, max(2 * panel.n, panel.n + 10), panel.n)
    return points, [guaranteed(Panel(n, panel.k), design.expert, design.loss) for n in points]


def guaranteed(panel: Panel, expert: Expert, loss: Loss) -> Guarantee:
    """Return what the optimal rule of a panel is proven to achieve."""
    guarantee = _rule(panel, expert, loss).guarantee
    if guarantee is None:
        raise ParameterError(f"for the loss {loss.name} nothing is proven; choose another")
    return guarantee


def _guaranteed_if_any(n: int, k: int, expert: Expert, loss: Loss) -> Guarantee | None:
    """Return the guarantee of a panel with a truthful majority."""
    return guaranteed(Panel(n, k), expert, loss) if n > 2 * k else None


@lru_cache(maxsize=8192)
def _rule(panel: Panel, expert: Expert, loss: Loss) -> PiecewiseLinear:
    """Return the optimal rule."""
    return optimal_aggregator(panel, expert, loss)


def _spread(least: int, most: int, own: int) -> list[int]:
    """Return whole numbers from the least to the most, evenly spread, the own one among them."""
    step = max(1, -(-(most - least) // _POINTS))
    return sorted({*range(least, most + 1, step), own, most})
