"""Middleware that bounds the size of each request's body and the time it takes to arrive."""

import time

from anyio import move_on_after
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bribeproof.explorer.serving.responses import text_response
from bribeproof.explorer.settings import Settings

_DRAIN_FACTOR = 4
"""A body that is too large is read up to this multiple of the limit: browsers ignore an earlier response."""
_GONE: Message = {"type": "http.disconnect"}


class RequestBodyMiddleware:
    """Middleware that passes a request on as long as its body is small enough and arrives quickly enough."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; respond to it here if its body is too large or too slow."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_upload = scope["path"] in ("/data", "/attack") or scope["path"].endswith("/file")
        body = _Body(receive, self._settings, self._settings.upload_bytes if is_upload else self._settings.body_bytes)
        started = False

        async def unless_refused(message: Message) -> None:
            nonlocal started
            if body.refusal is None:
                started = True
                await send(message)

        try:
            await self._app(scope, body.receive, unless_refused)
        except ClientDisconnect:
            if body.refusal is None:
                return
        if body.refusal is not None and not started:
            status, text = body.refusal
            response = text_response(scope, status, text)
            response.headers["Connection"] = "close"
            await response(scope, receive, send)


class _Body:
    """The body of one request: its size so far, and why it is refused."""

    def __init__(self, receive: Receive, settings: Settings, limit: int) -> None:
        self._receive = receive
        self._settings = settings
        self._limit = limit
        self._begin = time.monotonic()
        self._size = 0
        self._is_whole = False
        self.refusal: tuple[int, str] | None = None

    async def receive(self) -> Message:
        """Return the next message; a disconnection once the body is refused."""
        if self._is_whole:
            return await self._receive()
        message = await self._next()
        if self._size > self._limit and self.refusal is None:
            size_limit = f"{self._limit / 2**20:,.4g} MB, the largest size accepted"
            self.refusal = 413, f"the request is larger than {size_limit}; use the command instead"
            while message.get("more_body") and self._size <= _DRAIN_FACTOR * self._limit:
                message = await self._next()
        return message if self.refusal is None else _GONE

    async def _next(self) -> Message:
        """Return the next message, if it comes in time: after a grace period, a least rate of bytes is required."""
        settings = self._settings
        seconds = settings.body_seconds + self._size / settings.body_rate - (time.monotonic() - self._begin)
        with move_on_after(max(0.0, seconds)):
            message = await self._receive()
            self._size += len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
            return message
        if self.refusal is None:
            self.refusal = 408, f"the request did not arrive within {settings.body_seconds:g} s; send it again"
        return _GONE
