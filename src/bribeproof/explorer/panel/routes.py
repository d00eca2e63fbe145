"""Design a panel: what its answer is worth, before anybody has voted."""

from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bribeproof.errors import ParameterError
from bribeproof.explorer.panel import figures as panel_pictures
from bribeproof.explorer.panel import narration as panel_words
from bribeproof.explorer.panel import worst_case as panel_worst
from bribeproof.explorer.panel.evaluation import changes, outlook
from bribeproof.explorer.panel.query import most_bribes, read, typed
from bribeproof.explorer.rendering import page

router = APIRouter()

_LATER = {
    "bribes": panel_pictures.bribes,
    "reporters": panel_pictures.reporters,
    "worst-case": panel_pictures.worst_case,
}
"""Pictures that a browser asks for by themselves: what is said and the rule need not wait for them."""


@router.get("/panel")
def show(request: Request) -> Response:
    """Show the room."""
    said = typed(request.query_params)
    show_room = partial(page, request, "panel", said=said, most_bribes=most_bribes(said))
    try:
        design = read(said)
        found = outlook(design)
    except ParameterError as error:
        return show_room(status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error))
    steps = changes(design)
    return show_room(
        error=None,
        design=design,
        found=found,
        steps=panel_words.table(found, steps),
        trade_off=panel_words.trade_off(found, steps),
        words=panel_words,
        cases=panel_worst.cases(found.worst),
        explained=panel_worst.explained(found.worst),
        rule_picture=panel_pictures.rule(design),
        link=str(request.url.replace(query=design.query)),
    )


@router.get("/panel/{name}.svg")
def picture(request: Request, name: str) -> Response:
    """Draw one picture of a design."""
    if name not in _LATER:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no picture {name}; there are {', '.join(_LATER)}")
    return Response(_LATER[name](read(typed(request.query_params))), media_type="image/svg+xml")
