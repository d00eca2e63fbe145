"""The page "Design a panel": the guarantee of a panel before anybody has voted."""

from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from bribeproof.errors import BribeproofError
from bribeproof.explorer.panel import pages
from bribeproof.explorer.panel.query import form_values, parse_design
from bribeproof.explorer.rendering import FRAGMENT, page, render
from bribeproof.explorer.workers.pool import UnavailableError, panel_workers

router = APIRouter()


@router.get("/panel")
async def show_page(request: Request) -> Response:
    """Show the page."""
    fields = form_values(request.query_params)
    try:
        design = parse_design(fields)
        show = partial(pages.show, fragment=FRAGMENT in request.headers)
        link = str(request.url.replace(query=design.query))
        return HTMLResponse(await panel_workers(request).run(show, design, fields, link, request=request))
    except (BribeproofError, UnavailableError) as error:
        form = pages.form_context(fields)
        return page(request, "panel", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), **form)


@router.get("/panel/changes")
async def show_changes(request: Request) -> Response:
    """Show what changes a design; where that takes too long, the part of the page says so."""
    design = parse_design(form_values(request.query_params))
    try:
        text = await panel_workers(request).run(pages.show_changes, design, request=request, aside=True)
    except UnavailableError as error:
        text = render("error", fragment=True, error=str(error))
    return HTMLResponse(text)


@router.get("/panel/{name}.svg")
async def picture(request: Request, name: str) -> Response:
    """Draw one picture of a design."""
    if name not in pages.PICTURES:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no picture {name}; there are {', '.join(pages.PICTURES)}")
    design = parse_design(form_values(request.query_params))
    try:
        drawn = await panel_workers(request).run(pages.draw, design, name, request=request, aside=True)
    except UnavailableError as error:
        return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error))
    return Response(drawn, media_type="image/svg+xml")
