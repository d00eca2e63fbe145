"""Responses that hold one sentence."""

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Scope


def text_response(scope: Scope, status: int, text: str) -> Response:
    """Return a sentence as a response: JSON for the API, plain text otherwise."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": text}, status)
    return PlainTextResponse(f"{text}\n", status)
