"""The web application: its pages, its API, its middleware and its error responses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from bribeproof import __version__
from bribeproof.errors import BribeproofError
from bribeproof.explorer.api import routes as api
from bribeproof.explorer.attack import routes as attack
from bribeproof.explorer.data import routes as data
from bribeproof.explorer.panel import routes as panel
from bribeproof.explorer.rendering import page
from bribeproof.explorer.serving.request_body import RequestBodyMiddleware
from bribeproof.explorer.serving.responses import text_response
from bribeproof.explorer.serving.security import HEALTH, SecurityMiddleware
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.tables.uploads import Uploads
from bribeproof.explorer.workers.pool import Workers
from bribeproof.io.scratch import scratch_folder

_SMALLER_FILE = "open a smaller file, or a part of it; the command has no such limit"
_FEWER_DRAWS = "choose fewer random draws, items or reporters, or open a smaller file; the command has no such limit"
_FEWER_JUDGES = "choose fewer judges, or let honest errors go together in any way; the command has no such limit"
_STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings) -> FastAPI:
    """Return the application, ready to be served.

    Parameters
    ----------
    settings
        Options of the person who starts it.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with scratch_folder() as folder:
            app.state.uploads = Uploads(folder, settings.kept_bytes, settings.file)
            limits = settings.page_seconds, settings.memory_bytes
            app.state.page_workers = Workers(*limits, _SMALLER_FILE)
            app.state.attack_workers = Workers(*limits, _FEWER_DRAWS)
            app.state.panel_workers = Workers(*limits, _FEWER_JUDGES)
            yield

    # FastAPI's own documentation pages load scripts from other servers.
    app = FastAPI(
        title="bribeproof", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", redirect_slashes=False,
    )  # fmt: skip
    app.state.settings = settings
    for routes in (panel, data, attack):
        app.include_router(routes.router, include_in_schema=False)
    app.include_router(api.router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    app.add_api_route("/", _home, include_in_schema=False)
    app.add_api_route(HEALTH, _health, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(BribeproofError, _library_error)
    app.add_middleware(RequestBodyMiddleware, settings=settings)
    app.add_middleware(SecurityMiddleware, settings=settings)  # outermost: it sees a request first
    return app


def _home(request: Request) -> Response:
    """Redirect to the first page: the file named on the command line, or the page that asks for one."""
    return RedirectResponse("/data?sheet=file" if request.app.state.settings.file else "/data", HTTPStatus.SEE_OTHER)


async def _health() -> Response:
    """Say that the server answers."""
    return PlainTextResponse("ok\n")


def _http_error(request: Request, error: Exception) -> Response:
    """Return the response for an unknown address or method."""
    if not isinstance(error, HTTPException):
        raise error
    response = _error_response(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


def _library_error(request: Request, error: Exception) -> Response:
    """Return the response for an error of the library."""
    return _error_response(request, HTTPStatus.UNPROCESSABLE_ENTITY, str(error))


def _error_response(request: Request, status: int, text: str) -> Response:
    """Return an error as JSON for the API, and as a page otherwise."""
    if request.url.path.startswith("/api/"):
        return text_response(request.scope, status, text)
    return page(request, "error", status=status, error=text)
