"""The page "Your data": upload a file, see how it is read, and which of its answers bribes could have changed."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from bribeproof.errors import BribeproofError, FileError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.cache import AnalysisCache
from bribeproof.explorer.data.context import form_context, summarise_analysis
from bribeproof.explorer.data.downloads import download, whole_file
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.report import report
from bribeproof.explorer.rendering import page
from bribeproof.explorer.uploads import EXAMPLES, Upload
from bribeproof.io.read import Table

router = APIRouter()


@router.get("/data")
def show_page(request: Request) -> Response:
    """Show the answers to an uploaded file; without one, the upload form."""
    query = DataQuery.read(request.query_params)
    context = _context(request, query)
    if not query.sheet:
        return page(request, "data", **context)
    try:
        upload = _upload(request, query)
        context |= form_context(query, upload)
        table = _table(request, upload, query)
        context |= form_context(query, upload, table)
        analysis = _cache(request).analysis(table, upload, query)
        context |= form_context(query, upload, table, analysis) | {
            "summary": summarise_analysis(table, upload, analysis, query)
        }
    except BribeproofError as error:
        return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context | {"error": str(error)})
    return page(request, "data", **context)


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
def download_result(request: Request, ending: str) -> Response:
    """Download all answers as the file that the command writes."""
    if ending not in {"csv", "parquet"}:
        return _error_page(request, f"results come as result.csv and result.parquet, not as result.{ending}")
    try:
        upload, _, analysis = _analysis(request, DataQuery.read(request.query_params))
        return download(whole_file(analysis.result, ending), upload, analysis.k, ending)
    except BribeproofError as error:
        return _error_page(request, str(error))


@router.get("/data/report.html")
def download_report(request: Request) -> Response:
    """Download the printable report."""
    query = DataQuery.read(request.query_params)
    try:
        upload, table, analysis = _analysis(request, query)
        return download(report(table, upload, analysis, query).encode(), upload, analysis.k, "html")
    except BribeproofError as error:
        return _error_page(request, str(error))


def _error_page(request: Request, text: str) -> Response:
    """Return the page that says why there is no file."""
    return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=text)


def _analysis(request: Request, query: DataQuery) -> tuple[Upload, Table, Analysis]:
    """Return the uploaded file, its table and its answers."""
    upload = _upload(request, query)
    table = _table(request, upload, query)
    return upload, table, _cache(request).analysis(table, upload, query)


def _upload(request: Request, query: DataQuery) -> Upload:
    """Return an uploaded file by its key."""
    upload: Upload = request.app.state.uploads.get(query.sheet)
    return upload


def _table(request: Request, upload: Upload, query: DataQuery) -> Table:
    """Return the table in an uploaded file."""
    return _cache(request).table(upload, query, request.app.state.settings.upload_bytes)


def _cache(request: Request) -> AnalysisCache:
    """Return the cache of tables and answers."""
    cache: AnalysisCache = request.app.state.cache
    return cache


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
