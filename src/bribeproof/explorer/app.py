"""The app: guards, rooms, API, and what is said when something is not there."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from bribeproof import __version__
from bribeproof.errors import BribeproofError
from bribeproof.explorer.api import routes as api
from bribeproof.explorer.attack import routes as attack_room
from bribeproof.explorer.data import routes as data_room
from bribeproof.explorer.data.cache import AnalysisCache
from bribeproof.explorer.panel import routes as panel_room
from bribeproof.explorer.rendering import page
from bribeproof.explorer.security import SecurityMiddleware, answer
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.uploads import Uploads

_STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings) -> FastAPI:
    """Return the page and its API, ready to be served.

    Parameters
    ----------
    settings
        What the person who starts it decides.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="bribeproof-") as folder:
            app.state.sheets = Uploads(Path(folder), settings.kept_bytes, settings.file)
            app.state.desk = AnalysisCache()
            yield

    # FastAPI's own pages about the API load their scripts from elsewhere.
    app = FastAPI(
        title="bribeproof", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.state.settings = settings
    for room in (panel_room, data_room, attack_room):
        app.include_router(room.router, include_in_schema=False)
    app.include_router(api.router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    app.add_api_route("/", _first, include_in_schema=False)
    app.add_exception_handler(HTTPException, _not_so)
    app.add_exception_handler(BribeproofError, _refused)
    app.add_middleware(SecurityMiddleware, settings=settings)
    return app


def _first(request: Request) -> Response:
    """Go to the room that a visitor wants first."""
    return RedirectResponse("/data?sheet=file" if request.app.state.settings.file else "/panel", HTTPStatus.SEE_OTHER)


def _not_so(request: Request, error: Exception) -> Response:
    """Say what is wrong with an address."""
    if not isinstance(error, HTTPException):
        raise error
    response = _said(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


def _refused(request: Request, error: Exception) -> Response:
    """Say what the library says."""
    return _said(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))


def _said(request: Request, status: int, text: str) -> Response:
    """Answer a program with JSON, a person with a page."""
    if request.url.path.startswith("/api/"):
        return answer(request.scope, status, text)
    return page(request, "error", status=status, error=text)
