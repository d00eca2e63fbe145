"""The room "Your data": hand over a file, see how it is read, and which of its answers bribes could have changed."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from bribeproof.errors import BribeproofError, FileError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.cache import AnalysisCache
from bribeproof.explorer.data.context import controls, found
from bribeproof.explorer.data.downloads import download, whole_file
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.report import report
from bribeproof.explorer.rendering import page
from bribeproof.explorer.uploads import EXAMPLES, Upload
from bribeproof.io.read import Table

router = APIRouter()


@router.get("/data")
def show(request: Request) -> Response:
    """Show a sheet and what became of it; without one, a place to drop it."""
    asked = DataQuery.read(request.query_params)
    context = _context(request, asked)
    if not asked.sheet:
        return page(request, "data", **context)
    try:
        sheet = _sheet(request, asked)
        context |= controls(asked, sheet)
        table = _table(request, sheet, asked)
        context |= controls(asked, sheet, table)
        outcome = _desk(request).outcome(table, sheet, asked)
        context |= controls(asked, sheet, table, outcome) | {"found": found(table, sheet, outcome, asked)}
    except BribeproofError as error:
        return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context | {"error": str(error)})
    return page(request, "data", **context)


@router.post("/data")
async def hand_over(request: Request) -> Response:
    """Keep a file, and go where it is shown."""
    async with request.form(max_files=1, max_fields=1) as form:
        given = form.get("file")
        try:
            if not isinstance(given, UploadFile) or not given.filename:
                raise FileError("no file arrived: choose one, or drop it here")
            sheet = await run_in_threadpool(request.app.state.sheets.add, given.filename, given.file)
        except BribeproofError as error:
            context = _context(request, DataQuery()) | {"error": str(error)}
            return page(request, "data", status=HTTPStatus.UNPROCESSABLE_ENTITY, **context)
    return RedirectResponse(DataQuery(sheet.key).address(), HTTPStatus.SEE_OTHER)


@router.get("/data/result.{ending}")
def result(request: Request, ending: str) -> Response:
    """Give all answers as a file: the one that the command writes."""
    if ending not in {"csv", "parquet"}:
        return _refused(request, f"results come as result.csv and result.parquet, not as result.{ending}")
    try:
        sheet, _, outcome = _outcome(request, DataQuery.read(request.query_params))
        return download(whole_file(outcome.result, ending), sheet, outcome.k, ending)
    except BribeproofError as error:
        return _refused(request, str(error))


@router.get("/data/report.html")
def printed(request: Request) -> Response:
    """Give a report as one file."""
    asked = DataQuery.read(request.query_params)
    try:
        sheet, table, outcome = _outcome(request, asked)
        return download(report(table, sheet, outcome, asked).encode(), sheet, outcome.k, "html")
    except BribeproofError as error:
        return _refused(request, str(error))


def _refused(request: Request, text: str) -> Response:
    """Say why there is no file."""
    return page(request, "error", status=HTTPStatus.UNPROCESSABLE_ENTITY, error=text)


def _outcome(request: Request, asked: DataQuery) -> tuple[Upload, Table, Analysis]:
    """Return a sheet, what was read, and what became of it."""
    sheet = _sheet(request, asked)
    table = _table(request, sheet, asked)
    return sheet, table, _desk(request).outcome(table, sheet, asked)


def _sheet(request: Request, asked: DataQuery) -> Upload:
    """Find a file by its key."""
    found: Upload = request.app.state.sheets.get(asked.sheet)
    return found


def _table(request: Request, sheet: Upload, asked: DataQuery) -> Table:
    """Read a file."""
    return _desk(request).table(sheet, asked, request.app.state.settings.upload_bytes)


def _desk(request: Request) -> AnalysisCache:
    """Return what was read and computed before."""
    desk: AnalysisCache = request.app.state.desk
    return desk


def _context(request: Request, asked: DataQuery) -> dict[str, Any]:
    """Return what the templates name, before anything is known."""
    return {
        "asked": asked,
        "error": None,
        "found": None,
        "form": None,
        "sheet": None,
        "own": request.app.state.sheets.first,
        "most_bytes": request.app.state.settings.upload_bytes,
        "examples": [(DataQuery(key).address(), f"{key}.csv", said) for key, said in EXAMPLES.items()],
    }
