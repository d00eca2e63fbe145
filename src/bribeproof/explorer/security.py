"""Who may ask, from where, and how much: before any room hears of a request."""

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
_DRAINED = 4
"""A body that is too large is read on to so many times the limit: a browser shows no answer that comes before."""
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
    """Middleware that lets only the user's own browser and programs in.

    Other web pages, open in the same browser, can send requests to this machine: those under another name of the host
    (DNS rebinding) and those that come from another page are refused.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refused(scope)
        if refusal is not None:
            await refusal(scope, receive, sealed)
            return
        await self._limited(scope, receive, sealed)

    def _refused(self, scope: Scope) -> Response | None:
        """Return what is answered instead, None if the request may pass."""
        headers = Headers(scope=scope)
        token = self._settings.token
        if token is None and _host(headers.get("host", "")) not in _LOOPBACK:
            return answer(scope, 421, "this page answers under the names localhost, 127.0.0.1 and [::1] only")
        if scope["method"] not in _SAFE and not _same_origin(headers):
            return answer(scope, 403, "this request comes from another web page; only the page itself may send it")
        return None if token is None else _unknown(scope, headers, token)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, unless its body is too large."""
        upload = scope["path"] == "/data" or scope["path"].endswith("/file")
        limit = self._settings.upload_bytes if upload else self._settings.body_bytes
        size, started = 0, False

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > limit:
                while message.get("more_body") and size <= _DRAINED * limit:
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
            await self._app(scope, counted, unless_too_large)
        except ClientDisconnect:
            if size <= limit:
                raise
        if size > limit and not started:
            text = (
                f"the request is larger than {limit / 2**20:,.4g} MB, the most that is taken; use the command instead"
            )
            await answer(scope, 413, text)(scope, receive, send)


def answer(scope: Scope, status: int, text: str) -> Response:
    """Say one sentence, as JSON to a program."""
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": text}, status)
    return PlainTextResponse(f"{text}\n", status)


def _host(header: str) -> str:
    """Return the name in a Host header, without the port."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def _same_origin(headers: Headers) -> bool:
    """Whether a request comes from this page, or from a program, which says nothing of a page."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _unknown(scope: Scope, headers: Headers, token: str) -> Response | None:
    """Refuse who does not know the token; put one that came with the address into a cookie, out of sight."""
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if _is(token, [credentials.strip()] if scheme.lower() == "bearer" else _cookies(headers)):
        return None
    if not _is(token, [value for name, value in query if name == "token"]):
        return answer(scope, 401, "a token is needed: open the address that was printed when this page was started")
    if scope["method"] not in _SAFE:
        return None
    rest = urlencode([(name, value) for name, value in query if name != "token"])
    response = RedirectResponse(f"{scope['path']}?{rest}" if rest else scope["path"], 303)
    response.set_cookie(COOKIE, quote(token), httponly=True, samesite="strict")
    return response


def _cookies(headers: Headers) -> list[str]:
    """Return the tokens in the cookies."""
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return []
    return [unquote(found[COOKIE].value)] if COOKIE in found else []


def _is(token: str, given: Iterable[str]) -> bool:
    """Whether one of those given is the token; how long that takes says nothing of it."""
    return any(secrets.compare_digest(one.encode(), token.encode()) for one in given)
