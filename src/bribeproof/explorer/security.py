"""Middleware that checks the host, the origin, the token and the size of every request."""

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bribeproof.explorer.settings import Settings

COOKIE = "bribeproof-token"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_DRAIN_FACTOR = 4
"""A body that is too large is read up to this multiple of the limit: browsers ignore an earlier response."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityMiddleware:
    """Middleware that accepts requests only from the user's own browser and programs.

    Other web pages open in the same browser can send requests to this machine. Requests under another host name
    (DNS rebinding) and requests from another origin are refused.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on to the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        await self._pass_on(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the response to a request that is refused; None if it may pass."""
        headers = Headers(scope=scope)
        token = self._settings.token
        if token is None and _host(headers.get("host", "")) not in _LOOPBACK:
            return text_response(scope, 421, "this page answers under the names localhost, 127.0.0.1 and [::1] only")
        if scope["method"] not in _SAFE and not _same_origin(headers):
            return text_response(
                scope, 403, "this request comes from another web page; only the page itself may send it"
            )
        return None if token is None else _check_token(scope, headers, token)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its body is too large."""
        upload = scope["path"] == "/data" or scope["path"].endswith("/file")
        limit = self._settings.upload_bytes if upload else self._settings.body_bytes
        size, started = 0, False

        async def receive_counting() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > limit:
                while message.get("more_body") and size <= _DRAIN_FACTOR * limit:
                    message = await receive()
                    size += len(message.get("body", b""))
                return {"type": "http.disconnect"}
            return message

        async def unless_too_large(message: Message) -> None:
            nonlocal started
            if size <= limit:
                started = True
                await send(message)

        try:
            await self._app(scope, receive_counting, unless_too_large)
        except ClientDisconnect:
            if size <= limit:
                raise
        if size > limit and not started:
            size_limit = f"{limit / 2**20:,.4g} MB, the largest size accepted"
            text = f"the request is larger than {size_limit}; use the command instead"
            await text_response(scope, 413, text)(scope, receive, send)


def text_response(scope: Scope, status: int, text: str) -> Response:
    """Return a sentence as a response: JSON for the API, plain text otherwise."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": text}, status)
    return PlainTextResponse(f"{text}\n", status)


def _host(header: str) -> str:
    """Return the host name in a Host header, without the port."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from this page, or from a program, which sends no origin."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _check_token(scope: Scope, headers: Headers, token: str) -> Response | None:
    """Return a refusal if the token is missing, a redirect that moves it from the address to a cookie, or None."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if _matches(token, [credentials.strip()] if scheme.lower() == "bearer" else _cookies(headers)):
        return None
    if not _matches(token, [value for name, value in query if name == "token"]):
        return text_response(
            scope, 401, "a token is needed: open the address that was printed when this page was started"
        )
    if scope["method"] not in _SAFE:
        return None
    rest = urlencode([(name, value) for name, value in query if name != "token"])
    response = RedirectResponse(f"{scope['path']}?{rest}" if rest else scope["path"], 303)
    response.set_cookie(COOKIE, quote(token), httponly=True, samesite="strict")
    return response


def _cookies(headers: Headers) -> list[str]:
    """Return the token in the cookies, if any."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return []
    return [unquote(cookies[COOKIE].value)] if COOKIE in cookies else []


def _matches(token: str, candidates: Iterable[str]) -> bool:
    """Return whether one of the candidates is the token; the time taken does not depend on the token."""
    return any(secrets.compare_digest(one.encode(), token.encode()) for one in candidates)
