"""Serve the application with uvicorn."""

import os
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

import uvicorn

from bribeproof.errors import ParameterError
from bribeproof.explorer.app import create_app
from bribeproof.explorer.settings import Settings

_LOOPBACK = "127.0.0.1"


def serve(settings: Settings, host: str | None, port: int, *, browser: bool, announce: Callable[[str], object]) -> None:
    """Serve the application until it is interrupted.

    Parameters
    ----------
    settings
        Options of the application. With a host and without a token, a random token is used.
    host
        The address to listen on; None for this machine alone.
    port
        Port to listen on; 0 chooses a free port.
    browser
        Whether to open the page in the user's browser.
    announce
        Called with the address of the page as soon as it can be opened.

    Raises
    ------
    ParameterError
        If the server cannot listen on this host and port.
    """
    if host is not None and settings.token is None:
        settings = replace(settings, token=secrets.token_urlsafe(24))
    listener = _listen(host or _LOOPBACK, port)
    address = _address(host or _LOOPBACK, listener.getsockname()[1], settings.token)

    def started() -> None:
        announce(address)
        if browser:
            webbrowser.open(address)

    config = uvicorn.Config(create_app(settings), log_level="warning", server_header=False)
    server = _Server(config, started)
    with listener:
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that calls a function as soon as it has started."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], object]) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call the function."""
        await super().startup(sockets)
        self._started()


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With an explicit protocol, asyncio sets TCP_NODELAY, so that small responses are sent at once.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ParameterError(f"--host {host} --port {port}: {reason}; --port 0 chooses a free port") from None
    return listener


def _address(host: str, port: int, token: str | None) -> str:
    """Return the address of the first page, with the token."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104  no binding
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{port}/" + ("" if token is None else f"?{urlencode({'token': token})}")
