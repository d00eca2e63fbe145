"""Serve the application with uvicorn, until a signal ends it."""

import asyncio
import logging
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from bribeproof.errors import ParameterError
from bribeproof.explorer.app import create_app
from bribeproof.explorer.serving.connections import TimedConnection
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.warming import warm_up

_LOOPBACK = "127.0.0.1"
_PATIENCE = 5.0
"""Seconds after which the address is told though not all is prepared."""
_GRACE = 1.0
"""Seconds that a request under way has left when the server is told to end."""


def serve(settings: Settings, host: str | None, port: int, *, browser: bool, announce: Callable[[str], object]) -> None:
    """Serve the application until a signal ends it: SIGINT, SIGTERM or SIGHUP.

    Idle and half-sent requests are dropped at once, others after one second, with the processes that work on them.

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
        Called with the address of the page as soon as it is quick to open.

    Raises
    ------
    ParameterError
        If the server cannot listen on this host and port.
    """
    if host is not None and settings.token is None:
        settings = replace(settings, token=secrets.token_urlsafe(24))
    listener = _listen(host or _LOOPBACK, port)
    address = _address(host or _LOOPBACK, listener.getsockname()[1], settings.token)

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # worker processes share the cores; threads would wait in turn
    logging.getLogger("python_multipart").addHandler(logging.NullHandler())  # it tells of malformed forms on stderr
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of worker processes that crashed
    app = create_app(settings)

    def tell() -> None:
        announce(address)
        if browser:
            webbrowser.open(address)

    server = _Server(server_config(app), tell, lambda: warm_up(app))
    with listener:
        server.run(sockets=[listener])
    if server.failure is not None:
        raise server.failure


def server_config(app: ASGIApp) -> uvicorn.Config:
    """Return how uvicorn serves the application."""

    async def until_cancelled(scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(*[asyncio.CancelledError] * (scope["type"] == "http")):
            await app(scope, receive, send)

    return uvicorn.Config(
        until_cancelled, log_level="error", server_header=False, loop="asyncio", http=TimedConnection, ws="none",
        lifespan="on",
    )  # fmt: skip


class _Server(uvicorn.Server):
    """A server that prepares for requests when it has started, then calls a function, and ends promptly."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], object], prepare: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._prepare = prepare
        self._preparing: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self.failure: Exception | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and prepare; requests that come before all is prepared are answered, later."""
        await super().startup(sockets)
        self._preparing = asyncio.create_task(self._prepare())
        self._telling = asyncio.create_task(self._tell(self._preparing))

    async def _tell(self, preparing: "asyncio.Task[None]") -> None:
        """Call the function when all is prepared, or when that takes too long; if it fails the server ends."""
        await asyncio.wait([preparing], timeout=_PATIENCE)
        try:
            self._ready()
        except Exception as error:
            self.failure = error
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let requests finish for a short time, then cancel them."""
        for task in (self._preparing, self._telling):
            if task is not None:
                task.cancel()
        abandon = asyncio.get_running_loop().call_later(_GRACE, self._abandon)
        await super().shutdown(sockets)
        abandon.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """End; a second signal changes nothing, so that all files are removed."""
        if not self.should_exit:
            self._captured_signals.append(sig)
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let SIGHUP end the server like SIGTERM, unless it is ignored (nohup)."""
        with super().capture_signals():
            number = getattr(signal, "SIGHUP", None)
            is_main = threading.current_thread() is threading.main_thread()
            if number is None or not is_main or signal.getsignal(number) == signal.SIG_IGN:
                yield
                return
            before = signal.signal(number, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(number, before)

    def _abandon(self) -> None:
        """Drop all connections and cancel the work on their requests."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in self.server_state.tasks:
            task.cancel()


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
