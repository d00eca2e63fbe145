"""What the page "Design a panel" shows, computed in a worker process, which keeps rules and pictures."""

from collections.abc import Mapping
from typing import Any

from bribeproof.explorer.panel import figures, narration, plain
from bribeproof.explorer.panel.cheapest import describe_cheapest
from bribeproof.explorer.panel.evaluation import PanelEvaluation, changes, evaluate
from bribeproof.explorer.panel.money import describe_money, money
from bribeproof.explorer.panel.query import CORRELATIONS, DEFAULTS, LABELS, LOSSES, PanelQuery, max_bribes, parse_design
from bribeproof.explorer.panel.worst_case import describe_cases, explain
from bribeproof.explorer.rendering import environment, render

PICTURES = {
    "rule": figures.rule,
    "bribes": figures.bribes,
    "reporters": figures.reporters,
    "worst-case": figures.worst_case,
}
"""Pictures, which the browser loads separately, so that the text appears first."""


def show(design: PanelQuery, fields: Mapping[str, str], link: str, *, fragment: bool) -> str:
    """Return the text of the page.

    Parameters
    ----------
    design
        The design.
    fields
        The form as filled in.
    link
        The address of the page with this design.
    fragment
        Whether to return only the result; what takes long is then left to `show_changes`.
    """
    evaluation, later = evaluate(design), design.paired and fragment
    return render(
        "panel",
        fragment=fragment,
        error=None,
        evaluation=evaluation,
        later=later,
        **({"design": design} if later else _changes(evaluation)),
        plain=plain,
        money=money(design),
        money_told=describe_money(design),
        narration=narration,
        cases=describe_cases(evaluation.worst),
        explained=explain(evaluation.worst),
        link=link,
        **form_context(fields),
    )


def show_changes(design: PanelQuery) -> str:
    """Return what changes a design: the part of the page that takes long where errors go together less."""
    evaluation = evaluate(design)
    template = environment().get_template("_panel_changes.html")
    return template.render(plain=plain, evaluation=evaluation, **_changes(evaluation))


def draw(design: PanelQuery, name: str) -> str:
    """Return one of the `PICTURES` of a design, as SVG."""
    return PICTURES[name](design)


def load() -> None:
    """Show and draw the design that the form begins with, which loads all that the page needs."""
    design = parse_design(DEFAULTS)
    show(design, DEFAULTS, "", fragment=False)
    draw(design, "rule")


def form_context(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the template variables of the form."""
    return {
        "fields": fields, "labels": LABELS, "losses": list(LOSSES.items()), "stops": CORRELATIONS,
        "max_bribes": max_bribes(fields),
    }  # fmt: skip


def _changes(evaluation: PanelEvaluation) -> dict[str, Any]:
    """Return the template variables of what changes a design."""
    steps = changes(evaluation.design)
    return {
        "design": evaluation.design,
        "worthless": plain.worthless(evaluation.design),
        "steps": plain.steps(evaluation, steps),
        "cheapest": describe_cheapest(evaluation.design),
        "rows": narration.summary_rows(evaluation, steps),
        "trade_off": narration.trade_off(evaluation, steps),
    }
