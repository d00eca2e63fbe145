"""The routes of the JSON API."""

import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePath
from typing import Annotated, Any, BinaryIO

from anyio import to_thread
from fastapi import APIRouter, Body, FastAPI, Form, Request, UploadFile
from pydantic import Field
from starlette.responses import Response

from bribeproof.explorer.api import bribe_endpoint, certify_endpoint, panel_endpoints, table_endpoints
from bribeproof.explorer.api.calibration_responses import CalibrateAnswer
from bribeproof.explorer.api.json_body import Holds, JsonBody, answer
from bribeproof.explorer.api.panel_requests import MinimaxRequest, PanelRequest, WorstCaseRequest
from bribeproof.explorer.api.reference_page import endpoints
from bribeproof.explorer.api.responses import (
    AggregateAnswer,
    BribeAnswer,
    CertifyAnswer,
    ErrorResponse,
    MinimaxAnswer,
    PanelAnswer,
    WorstCaseAnswer,
)
from bribeproof.explorer.api.table_requests import (
    AggregateRequest,
    BribeRequest,
    CalibrateRequest,
    CertifyRequest,
    FileFields,
)
from bribeproof.explorer.api.validation import ApiRoute, refuse_repeated
from bribeproof.explorer.rendering import page
from bribeproof.explorer.workers.pool import Workers
from bribeproof.io.scratch import scratch_folder

_REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": ErrorResponse, "description": "The token is missing."},
    403: {"model": ErrorResponse, "description": "The request comes from another web page."},
    413: {"model": ErrorResponse, "description": "The request is too large."},
    421: {"model": ErrorResponse, "description": "The request has another host name than localhost."},
    422: {"model": ErrorResponse, "description": "The request is not valid; the error says what is allowed."},
    503: {"model": ErrorResponse, "description": "The request took too long."},
}


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, Workers]]:
    """Keep the worker processes as long as the application runs."""
    yield {"workers": Workers(app.state.settings.seconds, app.state.settings.memory_bytes)}


router = APIRouter(prefix="/api", route_class=ApiRoute, responses=_REFUSALS, lifespan=_lifespan)


class UploadFields(FileFields):
    """A file of reports, and how to aggregate it; every other field is text."""

    file: UploadFile = Field(description="CSV, TSV, Parquet, NDJSON or JSON; the ending of its name gives the format.")


@router.get("", include_in_schema=False)
def show_page(request: Request) -> Response:
    """Show the reference page of the API."""
    return page(request, "api", endpoints=endpoints(request.app.openapi()), origin=str(request.base_url).rstrip("/"))


@router.post("/aggregate", response_model=AggregateAnswer, summary="Aggregate rows of reports")
async def aggregate(request: Request, body: Annotated[JsonBody, Body(), Holds(AggregateRequest)]) -> Response:
    """Aggregate rows of scores, votes or labels; up to k reporters may be bribed."""
    return await _answer(request, answer, table_endpoints.aggregate, AggregateRequest, body)


@router.post("/aggregate/file", response_model=AggregateAnswer, summary="Aggregate a file of reports")
async def aggregate_file(
    request: Request, body: Annotated[UploadFields, Form(media_type="multipart/form-data")]
) -> Response:
    """Aggregate a file of scores, votes or labels; up to k reporters may be bribed."""
    refuse_repeated(await request.form(), UploadFields)
    name = body.file.filename or "upload"
    ending = PurePath(name).suffix.lower()
    with scratch_folder() as folder:
        path = folder / f"upload{ending if ending[1:].isascii() and ending[1:].isalnum() else ''}"
        await to_thread.run_sync(_copy, body.file.file, path)
        fields = FileFields.model_validate(body.model_dump(exclude={"file"}))
        return await _answer(request, table_endpoints.aggregate_file, path, name, fields)


@router.post("/bribe", response_model=BribeAnswer, summary="What the same bribed reporters could have changed")
async def bribe(request: Request, body: Annotated[JsonBody, Body(), Holds(BribeRequest)]) -> Response:
    """Find the k reporters who could have changed most decisions, or the places that the same k judges could cause."""
    return await _answer(request, answer, bribe_endpoint.bribe, BribeRequest, body)


@router.post("/certify", response_model=CertifyAnswer, summary="How often answers are right, whoever is bribed")
async def certify(request: Request, body: Annotated[JsonBody, Body(), Holds(CertifyRequest)]) -> Response:
    """Bound by items with a known truth how often answers are right whatever k bribed reporters do."""
    return await _answer(request, answer, certify_endpoint.certify, CertifyRequest, body)


@router.post("/panel", response_model=PanelAnswer, summary="The guarantee of a panel")
async def panel(request: Request, body: Annotated[JsonBody, Body(), Holds(PanelRequest)]) -> Response:
    """Return the optimal rule of a panel, its guarantee, and its breakdown point."""
    return await _answer(request, answer, panel_endpoints.panel, PanelRequest, body)


@router.post("/worst-case", response_model=WorstCaseAnswer, summary="The worst case of a rule")
async def worst_case(request: Request, body: Annotated[JsonBody, Body(), Holds(WorstCaseRequest)]) -> Response:
    """Return the largest regret of a rule over all information structures and strategies, with a witness."""
    return await _answer(request, answer, panel_endpoints.worst_case, WorstCaseRequest, body)


@router.post("/minimax", response_model=MinimaxAnswer, summary="The minimax rule, with a certificate")
async def minimax(request: Request, body: Annotated[JsonBody, Body(), Holds(MinimaxRequest)]) -> Response:
    """Return the rule with the least worst regret, with a lower and an upper bound."""
    return await _answer(request, answer, panel_endpoints.minimax, MinimaxRequest, body)


@router.post("/calibrate", response_model=CalibrateAnswer, summary="Estimate a panel from gold items")
async def calibrate(request: Request, body: Annotated[JsonBody, Body(), Holds(CalibrateRequest)]) -> Response:
    """Estimate from items with a known truth how reliable a panel is; up to k reporters may be bribed."""
    return await _answer(request, answer, table_endpoints.calibrate, CalibrateRequest, body)


async def _answer(request: Request, task: Callable[..., bytes], *arguments: object) -> Response:
    """Run a task in a worker process and return its JSON."""
    workers: Workers = request.state.workers
    return Response(await workers.run(task, *arguments, request=request), media_type="application/json")


def _copy(source: BinaryIO, path: Path) -> None:
    """Copy an upload to a file."""
    with path.open("xb") as file:
        shutil.copyfileobj(source, file)
