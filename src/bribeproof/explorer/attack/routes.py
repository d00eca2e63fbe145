"""The page "Attack it": bribe some reporters of a crowd, and see what each rule loses."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bribeproof.errors import BribeproofError
from bribeproof.explorer.attack import pages
from bribeproof.explorer.attack.query import form_values, parse_query
from bribeproof.explorer.data.downloads import TYPES
from bribeproof.explorer.data.pages import Source
from bribeproof.explorer.data.requested import find_source, receive_file
from bribeproof.explorer.rendering import FRAGMENT, page, render
from bribeproof.explorer.workers.pool import UnavailableError, attack_workers

router = APIRouter()


@router.get("/attack")
async def show_page(request: Request) -> Response:
    """Show the page."""
    fields = form_values(request.query_params)
    given = None
    try:
        given = _given(request, fields)
        query = parse_query(request.query_params)
        show = partial(pages.show, fragment=FRAGMENT in request.headers)
        status, text = await attack_workers(request).run(show, query, given, fields, request=request)
    except (BribeproofError, UnavailableError) as error:
        form = pages.form_context(fields, given)
        return page(request, "attack", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), results=None, **form)
    return HTMLResponse(text, status)


@router.post("/attack")
async def receive_truth(request: Request) -> Response:
    """Store a file of the truth of some items, and redirect to the attack that is measured against it."""
    fields = form_values(request.query_params)
    given = None
    try:
        given = _given(request, fields)
        upload = await receive_file(request)
    except BribeproofError as error:
        form = pages.form_context(fields, given)
        return page(request, "attack", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), results=None, **form)
    return RedirectResponse(pages.address(fields, truth=upload.key, gold=""), HTTPStatus.SEE_OTHER)


@router.get("/attack/curves")
async def show_curves(request: Request) -> Response:
    """Show the curves over all numbers of bribes; where that takes too long, the part of the page says so."""
    given = _given(request, form_values(request.query_params))
    query = parse_query(request.query_params)
    try:
        text = await attack_workers(request).run(pages.show_curves, query, given, request=request, aside=True)
    except UnavailableError as error:
        text = render("error", fragment=True, error=str(error))
    return HTMLResponse(text)


@router.get("/attack/{name}")
async def download(request: Request, name: str) -> Response:
    """Download the table, the crowd or the gold items."""
    query = parse_query(request.query_params)
    given = _given(request, form_values(request.query_params))
    try:
        content = await attack_workers(request).run(pages.file, query, given, name, request=request)
    except UnavailableError as error:
        return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error))
    if isinstance(content, tuple):
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no file {name} here; there are {', '.join(content)}")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=TYPES[Path(name).suffix[1:]], headers=headers)


def _given(request: Request, fields: Mapping[str, str]) -> Source | None:
    """Return an uploaded file by its key, perhaps with that of its truth; None for a simulated crowd."""
    return find_source(request, fields["sheet"], fields["truth"]) if fields["sheet"] else None
