"""The pictures of the page "Design a panel", as SVG."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from bribeproof import plots
from bribeproof.explorer.panel import plain
from bribeproof.explorer.panel.evaluation import PanelEvaluation, against_k, against_n, evaluate
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.rules import majority, mean, trimmed_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.theory import Aggregator

_SIZE = (3.9, 3.1)
"""Of a picture, in inches: small enough that its text can be read on a telephone."""


@lru_cache(maxsize=64)
def rule(design: PanelQuery) -> str:
    """Draw the optimal rule beside the usual rules."""
    panel = design.panel
    optimal = evaluate(design).rule
    usual: dict[str, Aggregator] = {"trimmed mean": trimmed_mean(panel)} if panel.k else {}
    usual |= {"majority": majority(panel), "mean": mean(panel)}
    same = any(np.allclose(rule.values, optimal.values, rtol=0, atol=1e-9) for rule in usual.values())
    rules = usual if same else {"optimal": optimal, **usual}

    def draw(axes: "Axes") -> None:
        plots.rule(rules, panel=None if design.paired else panel, ax=axes)
        axes.set_xlabel(f"Yes votes (of {panel.n:,})")
        axes.set_ylabel("Probability of yes")

    title = "Probability of yes against the number of yes votes: the optimal rule beside others"
    return plots.svg(draw, _SIZE, name="rule", title=title)


@lru_cache(maxsize=64)
def bribes(design: PanelQuery) -> str:
    """Draw the guarantee against the number of bribes."""
    evaluation = evaluate(design)
    points, guarantees = against_k(design)
    breakdown = None if evaluation.breakdown is None else evaluation.breakdown * design.panel.n

    def draw(axes: "Axes") -> None:
        plots.guarantee(
            points, guarantees, against="k", breakdown=breakdown, blind=evaluation.blind, marked=design.panel.k, ax=axes
        )
        _in_plain_words(axes, evaluation, "Bribed judges", f"{design.panel.k:,} bribed", breakdown)

    return plots.svg(draw, _SIZE, name="bribes", title="The bound against the number of bribed judges")


@lru_cache(maxsize=64)
def reporters(design: PanelQuery) -> str:
    """Draw the guarantee against the number of reporters."""
    evaluation = evaluate(design)
    points, guarantees = against_n(design)

    def draw(axes: "Axes") -> None:
        plots.guarantee(points, guarantees, against="n", blind=evaluation.blind, marked=design.panel.n, ax=axes)
        _in_plain_words(axes, evaluation, "Judges", f"{design.panel.n:,} judges", None)

    return plots.svg(draw, _SIZE, name="reporters", title="The bound against the number of judges")


def _in_plain_words(
    axes: "Axes", evaluation: PanelEvaluation, across: str, marked: str, breakdown: float | None
) -> None:
    """Write what the page calls things, and bounds per 100 answers; the page says when they hold."""
    how = plain.unit(evaluation.design.loss)
    axes.set_title("", loc="left")
    axes.set_xlabel(across)
    axes.set_ylabel(how.axis)
    axes.yaxis.set_major_formatter(lambda value, _: f"{how.factor * value:,.3g}")
    names = [
        "this rule", f"{marked}: {how.bound(evaluation.guarantee.expected_loss)}",
        f"without judges: {how.bound(evaluation.blind)}",
    ]  # fmt: skip
    if breakdown is not None:
        names.append(f"worth nothing from {breakdown:.3g} on")
    legend = axes.get_legend()
    for text, name in zip([] if legend is None else legend.get_texts(), names, strict=True):
        text.set_text(name)


@lru_cache(maxsize=64)
def worst_case(design: PanelQuery) -> str:
    """Draw the worst case of the optimal rule."""
    return plots.svg(
        lambda axes: plots.worst_case(evaluate(design).worst, ax=axes), _SIZE, name="worst",
        title="The worst case of the optimal rule: how everybody votes, and what the rule forecasts",
    )  # fmt: skip
