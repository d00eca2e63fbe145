"""The page, served to this machine."""

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


def serve(settings: Settings, host: str | None, port: int, *, browser: bool, tell: Callable[[str], object]) -> None:
    """Serve the page until it is interrupted.

    Parameters
    ----------
    settings
        What is served. Where a host is given and there is no token, one is drawn.
    host
        The address to listen on; None for this machine alone.
    port
        Where to listen; 0 takes a port that is free.
    browser
        Whether to open the page in the user's browser.
    tell
        Told the address of the page, once it answers there and ends as it should.

    Raises
    ------
    ParameterError
        If nothing can listen there.
    """
    if host is not None and settings.token is None:
        settings = replace(settings, token=secrets.token_urlsafe(24))
    listening = _listen(host or _LOOPBACK, port)
    address = _address(host or _LOOPBACK, listening.getsockname()[1], settings.token)

    def started() -> None:
        tell(address)
        if browser:
            webbrowser.open(address)

    config = uvicorn.Config(create_app(settings), log_level="warning", server_header=False)
    server = _Server(config, started)
    with listening:
        server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that calls somebody once it is there."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], object]) -> None:
        super().__init__(config)
        self._then = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call."""
        await super().startup(sockets)
        self._then()


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol said, asyncio sends small answers at once instead of waiting for more of them.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ParameterError(f"--host {host} --port {port}: {reason}; --port 0 takes a port that is free") from None
    return listening


def _address(host: str, port: int, token: str | None) -> str:
    """Return the address to open."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104  no binding
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{port}/" + ("" if token is None else f"?{urlencode({'token': token})}")
