"""The page "Design a panel": the guarantee of a panel before anybody has voted."""

from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from bribeproof.errors import ParameterError
from bribeproof.explorer.panel import figures, narration, plain
from bribeproof.explorer.panel.evaluation import PanelEvaluation, changes, evaluate
from bribeproof.explorer.panel.money import describe_money, money
from bribeproof.explorer.panel.query import CORRELATIONS, LABELS, LOSSES, form_values, max_bribes, parse_design
from bribeproof.explorer.panel.worst_case import describe_cases, explain
from bribeproof.explorer.rendering import FRAGMENT, environment, page

router = APIRouter()

_PICTURES = {
    "rule": figures.rule,
    "bribes": figures.bribes,
    "reporters": figures.reporters,
    "worst-case": figures.worst_case,
}
"""Pictures, which the browser loads separately, so that the text appears first."""


@router.get("/panel")
def show_page(request: Request) -> Response:
    """Show the page."""
    fields = form_values(request.query_params)
    respond = partial(
        page, request, "panel", fields=fields, labels=LABELS, losses=list(LOSSES.items()), stops=CORRELATIONS,
        max_bribes=max_bribes(fields),
    )  # fmt: skip
    try:
        design = parse_design(fields)
        evaluation = evaluate(design)
    except ParameterError as error:
        return respond(status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error))
    later = design.paired and FRAGMENT in request.headers
    return respond(
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
        link=str(request.url.replace(query=design.query)),
    )


@router.get("/panel/changes")
def show_changes(request: Request) -> Response:
    """Show what changes a design: the part of the page that takes long where errors go together less."""
    evaluation = evaluate(parse_design(form_values(request.query_params)))
    template = environment().get_template("_panel_changes.html")
    return HTMLResponse(template.render(plain=plain, evaluation=evaluation, **_changes(evaluation)))


def _changes(evaluation: PanelEvaluation) -> dict[str, Any]:
    """Return the template variables of what changes a design."""
    steps = changes(evaluation.design)
    return {
        "design": evaluation.design,
        "worthless": plain.worthless(evaluation.design),
        "steps": plain.steps(evaluation, steps),
        "rows": narration.summary_rows(evaluation, steps),
        "trade_off": narration.trade_off(evaluation, steps),
    }


@router.get("/panel/{name}.svg")
def picture(request: Request, name: str) -> Response:
    """Draw one picture of a design."""
    if name not in _PICTURES:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no picture {name}; there are {', '.join(_PICTURES)}")
    return Response(_PICTURES[name](parse_design(form_values(request.query_params))), media_type="image/svg+xml")
