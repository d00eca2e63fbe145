"""The page "Attack it": bribe some reporters of a crowd, and see what each rule loses."""

from functools import partial
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from bribeproof.errors import BribeproofError
from bribeproof.explorer.attack import pages
from bribeproof.explorer.attack.query import form_values, parse_query
from bribeproof.explorer.data.downloads import TYPES
from bribeproof.explorer.rendering import FRAGMENT, page
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.explorer.workers.pool import UnavailableError, attack_workers

router = APIRouter()


@router.get("/attack")
async def show_page(request: Request) -> Response:
    """Show the page."""
    fields = form_values(request.query_params)
    upload = None
    try:
        upload = _upload(request, fields["sheet"])
        query = parse_query(request.query_params)
        show = partial(pages.show, fragment=FRAGMENT in request.headers)
        status, text = await attack_workers(request).run(
            show, query, upload, fields, _max_bytes(request), request=request
        )
    except (BribeproofError, UnavailableError) as error:
        form = pages.form_context(fields, upload, None)
        return page(request, "attack", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), results=None, **form)
    return HTMLResponse(text, status)


@router.get("/attack/{name}")
async def download(request: Request, name: str) -> Response:
    """Download the table, the crowd or the gold items."""
    query = parse_query(request.query_params)
    upload = _upload(request, form_values(request.query_params)["sheet"])
    try:
        content = await attack_workers(request).run(
            pages.file, query, upload, _max_bytes(request), name, request=request
        )
    except UnavailableError as error:
        return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error))
    if isinstance(content, tuple):
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no file {name} here; there are {', '.join(content)}")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=TYPES[Path(name).suffix[1:]], headers=headers)


def _upload(request: Request, key: str) -> Upload | None:
    """Return an uploaded file by its key; None for a simulated crowd."""
    if not key:
        return None
    upload: Upload = request.app.state.uploads.get(key)
    return upload


def _max_bytes(request: Request) -> int:
    """Return the size of the largest file."""
    most: int = request.app.state.settings.upload_bytes
    return most
