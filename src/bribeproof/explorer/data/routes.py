"""The page "Your data": upload a file, see how it is read, and which of its answers bribes could have changed."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bribeproof.errors import BribeproofError
from bribeproof.explorer.data import pages
from bribeproof.explorer.data.downloads import download
from bribeproof.explorer.data.form import form_context
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.preview import PREFIX
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.requested import find_source, receive_file
from bribeproof.explorer.data.stories import FIRST_ATTACK, FIRST_MEASURED, STORIES
from bribeproof.explorer.rendering import FRAGMENT, page
from bribeproof.explorer.workers.pool import UnavailableError, page_workers

router = APIRouter()


@router.get("/data")
async def show_page(request: Request) -> Response:
    """Show the answers to an uploaded file; without one, the upload form."""
    query = DataQuery.read(request.query_params)
    context = _context(request, query)
    if not query.sheet:
        return page(request, "data", **context)
    try:
        source = _source(request, query)
        context |= {**form_context(query, source.upload), "truth": source.truth}
        show = partial(pages.show, fragment=FRAGMENT in request.headers)
        status, text = await page_workers(request).run(show, source, query, context, request=request)
    except (BribeproofError, UnavailableError) as error:
        context["error"] = in_page_words(str(error))
        return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context)
    return HTMLResponse(text, status)


@router.get("/data/step/{name}")
async def show_step(request: Request, name: str) -> Response:
    """Show one of the steps after the answers, which a page asks for when it is opened."""
    return await _part(request, pages.show_step, name, media_type="text/html")


@router.get("/data/{name}.svg")
async def show_picture(request: Request, name: str) -> Response:
    """Draw a picture of the answers."""
    return await _part(request, pages.draw, name, media_type="image/svg+xml", aside=True)


async def _part(
    request: Request, show: Callable[..., str], name: str, *, media_type: str, aside: bool = False
) -> Response:
    """Show a part of a page that is computed after it."""
    query = DataQuery.read(request.query_params)
    try:
        source = _source(request, query)
        text = await page_workers(request).run(show, source, query, name, request=request, aside=aside)
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    return Response(text, media_type=media_type)


@router.get("/data/roles")
async def choose_roles(request: Request) -> Response:
    """Redirect to the page that reads the columns in the roles that were chosen above them."""
    query = DataQuery.read(request.query_params)
    chosen = {name.removeprefix(PREFIX): role for name, role in request.query_params.items() if name.startswith(PREFIX)}
    try:
        query = await page_workers(request).run(
            pages.with_chosen_roles, _source(request, query), query, chosen, request=request
        )
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    return RedirectResponse(query.address(), HTTPStatus.SEE_OTHER)


@router.post("/data")
async def receive_upload(request: Request) -> Response:
    """Store an uploaded file and redirect to its page; beside a file, it is the truth of its items."""
    query = DataQuery.read(request.query_params)
    try:
        upload = await receive_file(request)
    except BribeproofError as error:
        context = _context(request, DataQuery()) | {"error": str(error)}
        return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context)
    address = query.address(truth=upload.key, gold="") if query.sheet else DataQuery(upload.key).address()
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


@router.get("/data/result.{ending}")
async def download_result(request: Request, ending: str) -> Response:
    """Download all answers as the file that the command writes."""
    if ending not in {"csv", "parquet"}:
        return _error_page(request, f"results come as result.csv and result.parquet, not as result.{ending}")
    return await _download(request, ending)


@router.get("/data/bribe.{ending}")
async def download_bribe(request: Request, ending: str) -> Response:
    """Download what the same k reporters could have changed: the items as CSV, or everything as JSON."""
    if ending not in {"csv", "json"}:
        return _error_page(
            request, f"the list of bribed reporters comes as bribe.csv and bribe.json, not as bribe.{ending}"
        )
    return await _download(request, ending, pages.bribe_file, "-bribe")


@router.get("/data/reading.toml")
async def download_reading(request: Request) -> Response:
    """Download how the file is read."""
    query = DataQuery.read(request.query_params)
    try:
        text = await page_workers(request).run(pages.reading_file, _source(request, query), query, request=request)
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    headers = {"Content-Disposition": 'attachment; filename="reading.toml"'}
    return Response(text.encode(), media_type="application/toml", headers=headers)


@router.get("/data/report.{ending}")
async def download_report(request: Request, ending: str) -> Response:
    """Download the report: a page to print, or a workbook with a sheet for each table."""
    if ending not in {"html", "xlsx"}:
        return _error_page(request, f"the report comes as report.html and report.xlsx, not as report.{ending}")
    return await _download(request, ending, pages.report_file, "-report" * (ending == "xlsx"))


async def _download(
    request: Request, ending: str, make: Callable[..., tuple[bytes, int]] = pages.result_file, what: str = ""
) -> Response:
    """Return a file to download, or the page that says why there is none."""
    query = DataQuery.read(request.query_params)
    try:
        source = _source(request, query)
        content, k = await page_workers(request).run(make, source, query, ending, request=request)
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    return download(content, source.upload, k, ending, what)


def _error_page(request: Request, text: str) -> Response:
    """Return the page that says why there is no file."""
    return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=in_page_words(text))


def _source(request: Request, query: DataQuery) -> pages.Source:
    """Return an uploaded file, and that of the truth of its items."""
    return find_source(request, query.sheet, query.truth)


def _context(request: Request, query: DataQuery) -> dict[str, Any]:
    """Return the template variables before anything is read."""
    return {
        "query": query,
        "error": None,
        "summary": None,
        "ranked": None,
        "spoken": "",
        "steps": (),
        "form": None,
        "upload": None,
        "truth": None,
        "rows": None,
        "to_open": (),
        "unreadable": False,
        "initial_file": request.app.state.uploads.initial,
        "max_bytes": request.app.state.settings.upload_bytes,
        "stories": STORIES,
        "hero": {"rules": FIRST_MEASURED, "attack": FIRST_ATTACK},
    }
