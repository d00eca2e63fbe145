"""The JSON API: what the command line does, for programs in any language."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePath
from typing import Annotated, Any, BinaryIO

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Form, Request, UploadFile
from pydantic import Field
from starlette.responses import Response

from bribeproof.explorer.api import panel_endpoints as api_designs
from bribeproof.explorer.api import table_endpoints as api_tables
from bribeproof.explorer.api.reference_page import endpoints
from bribeproof.explorer.api.requests import (
    AggregateRequest,
    CalibrateRequest,
    FileFields,
    MinimaxRequest,
    PanelRequest,
    WorstCaseRequest,
)
from bribeproof.explorer.api.responses import (
    AggregateAnswer,
    CalibrateAnswer,
    ErrorResponse,
    MinimaxAnswer,
    PanelAnswer,
    WorstCaseAnswer,
)
from bribeproof.explorer.api.validation import ApiRoute
from bribeproof.explorer.api.worker_pool import Workers
from bribeproof.explorer.rendering import page

_REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": ErrorResponse, "description": "The token is missing."},
    403: {"model": ErrorResponse, "description": "The request comes from another web page."},
    413: {"model": ErrorResponse, "description": "The request is too large."},
    421: {"model": ErrorResponse, "description": "The page was asked under another name."},
    422: {"model": ErrorResponse, "description": "The request cannot be answered: what arrived, and what is allowed."},
    503: {"model": ErrorResponse, "description": "It took too long."},
}


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, Workers]]:
    """Keep the processes that do the work as long as the app."""
    yield {"workers": Workers(app.state.settings.seconds)}


router = APIRouter(prefix="/api", route_class=ApiRoute, responses=_REFUSALS, lifespan=_lifespan)


class UploadFields(FileFields):
    """A file of reports, and how they are combined; every other field is text."""

    file: UploadFile = Field(description="CSV, TSV, Parquet, NDJSON or JSON, by the ending of its name.")


@router.get("", include_in_schema=False)
def show(request: Request) -> Response:
    """Show people what programs can ask."""
    return page(request, "api", endpoints=endpoints(request.app.openapi()), origin=str(request.base_url).rstrip("/"))


@router.post("/aggregate", response_model=AggregateAnswer, summary="One answer for each item")
async def aggregate(request: Request, asked: AggregateRequest) -> Response:
    """Combine rows of scores, votes or labels, though k of the reporters may be bribed."""
    return await _answer(request, api_tables.aggregate, asked)


@router.post("/aggregate/file", response_model=AggregateAnswer, summary="One answer for each item of a file")
async def aggregate_file(
    request: Request, asked: Annotated[UploadFields, Form(media_type="multipart/form-data")]
) -> Response:
    """Combine a file of scores, votes or labels, though k of the reporters may be bribed."""
    name = asked.file.filename or "upload"
    ending = PurePath(name).suffix.lower()
    with tempfile.TemporaryDirectory(prefix="bribeproof-") as folder:
        path = Path(folder, f"upload{ending if ending[1:].isascii() and ending[1:].isalnum() else ''}")
        await to_thread.run_sync(_copy, asked.file.file, path)
        fields = FileFields.model_validate(asked.model_dump(exclude={"file"}))
        return await _answer(request, api_tables.aggregate_file, path, name, fields)


@router.post("/panel", response_model=PanelAnswer, summary="What a panel is worth")
async def panel(request: Request, asked: PanelRequest) -> Response:
    """Give the optimal rule of a panel, its guarantee, and how many bribes it survives."""
    return await _answer(request, api_designs.panel, asked)


@router.post("/worst-case", response_model=WorstCaseAnswer, summary="The worst case of a rule")
async def worst_case(request: Request, asked: WorstCaseRequest) -> Response:
    """Give the largest regret of a rule over all information structures and strategies, with a witness."""
    return await _answer(request, api_designs.worst_case, asked)


@router.post("/minimax", response_model=MinimaxAnswer, summary="The best rule, with a certificate")
async def minimax(request: Request, asked: MinimaxRequest) -> Response:
    """Give the rule with the least worst regret, between two bounds that anyone can check."""
    return await _answer(request, api_designs.minimax, asked)


@router.post("/calibrate", response_model=CalibrateAnswer, summary="What gold items say of a panel")
async def calibrate(request: Request, asked: CalibrateRequest) -> Response:
    """Learn from items with a known truth what a panel's votes are worth, though k of the reporters may be bribed."""
    return await _answer(request, api_tables.calibrate, asked)


async def _answer(request: Request, task: Callable[..., bytes], *arguments: object) -> Response:
    """Have the work done, and hand its answer on."""
    workers: Workers = request.state.workers
    return Response(await workers.run(task, *arguments), media_type="application/json")


def _copy(source: BinaryIO, path: Path) -> None:
    """Write an upload to a file."""
    with path.open("xb") as file:
        shutil.copyfileobj(source, file)
