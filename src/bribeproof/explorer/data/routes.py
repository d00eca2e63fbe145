"""The page "Your data": upload a file, see how it is read, and which of its answers bribes could have changed."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bribeproof.errors import BribeproofError, FileError
from bribeproof.explorer.data import pages
from bribeproof.explorer.data.context import form_context
from bribeproof.explorer.data.downloads import download
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.rendering import FRAGMENT, page
from bribeproof.explorer.tables.uploads import EXAMPLES, Upload
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
        upload = _upload(request, query)
        context |= form_context(query, upload)
        show = partial(pages.show, fragment=FRAGMENT in request.headers)
        status, text = await page_workers(request).run(show, upload, query, _context(request, query), request=request)
    except (BribeproofError, UnavailableError) as error:
        return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context | {"error": str(error)})
    return HTMLResponse(text, status)


@router.get("/data/same")
async def show_same(request: Request) -> Response:
    """Show the section on the same reporters, which a page asks for when its slider rests."""
    query = DataQuery.read(request.query_params)
    try:
        upload = _upload(request, query)
        text = await page_workers(request).run(
            pages.show_same, upload, query, request.app.state.settings.upload_bytes, request=request
        )
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    return HTMLResponse(text)


@router.post("/data")
async def receive_upload(request: Request) -> Response:
    """Store an uploaded file and redirect to its page."""
    async with request.form(max_files=1, max_fields=1) as form:
        sent = form.get("file")
        try:
            if not isinstance(sent, UploadFile) or not sent.filename:
                raise FileError("no file arrived: choose one, or drop it on the form")
            upload = await run_in_threadpool(request.app.state.uploads.add, sent.filename, sent.file)
        except BribeproofError as error:
            context = _context(request, DataQuery()) | {"error": str(error)}
            return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context)
    return RedirectResponse(DataQuery(upload.key).address(), HTTPStatus.SEE_OTHER)


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
        upload = _upload(request, query)
        text = await page_workers(request).run(
            pages.reading_file, upload, query, request.app.state.settings.upload_bytes, request=request
        )
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    headers = {"Content-Disposition": 'attachment; filename="reading.toml"'}
    return Response(text.encode(), media_type="application/toml", headers=headers)


@router.get("/data/report.html")
async def download_report(request: Request) -> Response:
    """Download the printable report."""
    return await _download(request, "html")


async def _download(
    request: Request, ending: str, make: Callable[..., tuple[bytes, int]] = pages.result_file, what: str = ""
) -> Response:
    """Return a file to download, or the page that says why there is none."""
    query = DataQuery.read(request.query_params)
    max_bytes: int = request.app.state.settings.upload_bytes
    try:
        upload = _upload(request, query)
        content, k = await page_workers(request).run(make, upload, query, max_bytes, ending, request=request)
    except (BribeproofError, UnavailableError) as error:
        return _error_page(request, str(error))
    return download(content, upload, k, ending, what)


def _error_page(request: Request, text: str) -> Response:
    """Return the page that says why there is no file."""
    return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=text)


def _upload(request: Request, query: DataQuery) -> Upload:
    """Return an uploaded file by its key."""
    upload: Upload = request.app.state.uploads.get(query.sheet)
    return upload


def _context(request: Request, query: DataQuery) -> dict[str, Any]:
    """Return the template variables before anything is read."""
    return {
        "query": query,
        "error": None,
        "summary": None,
        "form": None,
        "upload": None,
        "initial_file": request.app.state.uploads.initial,
        "max_bytes": request.app.state.settings.upload_bytes,
        "examples": [(DataQuery(key).address(), f"{key}.csv", description) for key, description in EXAMPLES.items()],
    }
