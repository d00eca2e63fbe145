"""The pictures of the page "Design a panel", as SVG."""

from functools import lru_cache
from typing import TYPE_CHECKING

from bribeproof import plots
from bribeproof.explorer.panel.evaluation import against_k, against_n, evaluate
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.rules import majority, mean, trimmed_mean

if TYPE_CHECKING:
    from bribeproof.theory import Aggregator

_SIZE = (4.6, 3.3)
_WIDE = (5.2, 3.3)


@lru_cache(maxsize=64)
def rule(design: PanelQuery) -> str:
    """Draw the optimal rule beside the usual rules."""
    panel = design.panel
    rules: dict[str, Aggregator] = {"optimal": evaluate(design).rule}
    if panel.k:
        rules["trimmed mean"] = trimmed_mean(panel)
    rules |= {"majority": majority(panel), "mean": mean(panel)}
    return plots.svg(
        lambda axes: plots.rule(rules, panel=None if design.paired else panel, ax=axes), _SIZE, name="rule",
        title="Forecast against the number of positive votes: the optimal rule beside others",
    )  # fmt: skip


@lru_cache(maxsize=64)
def bribes(design: PanelQuery) -> str:
    """Draw the guarantee against the number of bribes."""
    evaluation = evaluate(design)
    points, guarantees = against_k(design)
    breakdown = None if evaluation.breakdown is None else evaluation.breakdown * design.panel.n
    return plots.svg(
        lambda axes: plots.guarantee(
            points, guarantees, against="k", breakdown=breakdown, blind=evaluation.blind, marked=design.panel.k, ax=axes
        ),
        _SIZE, name="bribes", title="Guaranteed expected loss against the number of bribed reporters",
    )  # fmt: skip


@lru_cache(maxsize=64)
def reporters(design: PanelQuery) -> str:
    """Draw the guarantee against the number of reporters."""
    points, guarantees = against_n(design)
    return plots.svg(
        lambda axes: plots.guarantee(
            points, guarantees, against="n", blind=evaluate(design).blind, marked=design.panel.n, ax=axes
        ),
        _SIZE, name="reporters", title="Guaranteed expected loss against the number of reporters",
    )  # fmt: skip


@lru_cache(maxsize=64)
def worst_case(design: PanelQuery) -> str:
    """Draw the worst case of the optimal rule."""
    return plots.svg(
        lambda axes: plots.worst_case(evaluate(design).worst, ax=axes), _WIDE, name="worst",
        title="The worst case of the optimal rule: how everybody votes, and what the rule forecasts",
    )  # fmt: skip
