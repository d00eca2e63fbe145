"""Middleware that checks the address, the host, the sender and the token of every request."""

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bribeproof.explorer.rendering import environment
from bribeproof.explorer.serving.requester import requester
from bribeproof.explorer.serving.responses import text_response
from bribeproof.explorer.serving.well_formed import address_error, host_name
from bribeproof.explorer.settings import Settings

COOKIE = "bribeproof-token"
HEALTH = "/health"
"""Address that says whether the server answers; programs that watch over it need no token."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
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
    (DNS rebinding) and requests that another page sends are refused. A link on another page opens a page without
    settings; with settings, which start work, or where a token is needed, the user is asked first.
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

        await (self._refusal(scope) or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the response to a request that is refused; None if it may pass."""
        headers = Headers(scope=scope)
        token = self._settings.token
        error = address_error(scope)
        if error is not None:
            return text_response(scope, 400, error)
        host = host_name(headers.get("host", ""))
        if token is None and host not in _LOOPBACK:
            return text_response(scope, 421, "this page answers under the names localhost, 127.0.0.1 and [::1] only")
        if not host:
            return text_response(scope, 400, "the Host header is malformed; send the name of this machine")
        is_safe = scope["method"] in _SAFE
        sender = requester(headers, safe=is_safe, has_token=token is not None)
        if sender == "foreign" or (sender == "link" and not is_safe):
            return text_response(
                scope,
                403,
                "this request comes from another web page; only the page itself, links to it and programs may send "
                "requests",
            )
        if sender == "link" and (scope["query_string"] or token is not None):
            return HTMLResponse(environment().get_template("link.html").render(address=_address(scope)))
        if token is None or (is_safe and scope["path"] == HEALTH):
            return None
        return _check_token(scope, headers, token)


def _address(scope: Scope, query: str | None = None) -> str:
    """Return the address of a request on this host, with its query or another one."""
    query = scope["query_string"].decode("latin-1") if query is None else query
    return quote(scope["path"]) + (f"?{query}" if query else "")


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
    response = RedirectResponse(_address(scope, rest), 303)
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
    return any(secrets.compare_digest(one.encode("utf-8", "replace"), token.encode()) for one in candidates)
