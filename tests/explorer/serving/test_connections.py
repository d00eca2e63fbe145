"""Connections to a real server that send half of a request, or nothing, or too slowly, or that are too many."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest
import uvicorn

from bribeproof.explorer.app import create_app
from bribeproof.explorer.serving import connections
from bribeproof.explorer.serving.server import server_config
from bribeproof.explorer.settings import Settings

LATE = 0.3
WHOLE = b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
HALF_BODY = (
    b"POST /api/panel HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
)


@dataclass(frozen=True, slots=True)
class Site:
    """A server in another thread.

    Attributes
    ----------
    port
        Where it listens.
    loop
        Its event loop.
    """

    port: int
    loop: asyncio.AbstractEventLoop

    def send(self, data: bytes) -> socket.socket:
        """Connect and send; the server looks when all is there, or its time might be over on a busy machine."""
        stopped, sent = threading.Event(), threading.Event()

        def stop() -> None:
            stopped.set()
            sent.wait()

        self.loop.call_soon_threadsafe(stop)
        stopped.wait()
        try:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
            connection.sendall(data)
        finally:
            sent.set()
        return connection


@contextmanager
def running(settings: Settings) -> Iterator[Site]:
    """Serve the application in a thread, as the command does."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(create_app(settings)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Site(listening.getsockname()[1], server.servers[0].get_loop())
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Serve with limits that are short enough for a test."""
    with pytest.MonkeyPatch.context() as patch, running(Settings(body_seconds=LATE, body_rate=1e6)) as site:
        patch.setattr(connections, "HEAD_SECONDS", LATE)
        patch.setattr(connections, "MAX_OF_ONE_CLIENT", 5)
        yield site


def rest(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    connection.close()
    return b"".join(parts)


@pytest.mark.parametrize("sent", [b"", b"G", HALF_HEAD, WHOLE, WHOLE + HALF_HEAD, WHOLE + WHOLE])
def test_a_head_that_does_not_come_closes_the_connection(site: Site, sent: bytes) -> None:
    assert rest(site.send(sent)).count(b"HTTP/1.1 200") == sent.count(WHOLE)


def test_a_head_that_drips_closes_the_connection(site: Site) -> None:
    connection = site.send(HALF_HEAD)
    dripped = 0
    with suppress(BrokenPipeError, ConnectionResetError):
        while dripped < 1000:
            connection.sendall(b"x")
            dripped += 1
            time.sleep(LATE / 10)
    assert dripped < 1000
    connection.close()


def test_a_body_that_does_not_come_is_said_and_closes_the_connection(site: Site) -> None:
    answer = rest(site.send(HALF_BODY))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive within 0.3 s" in answer


def test_a_body_that_is_refused_unread_does_not_hold_the_connection(site: Site) -> None:
    unread = HALF_BODY.replace(b"Host: localhost", b"Host: evil.example").replace(b"9", b"999999")
    assert rest(site.send(unread)).startswith(b"HTTP/1.1 421 ")


def test_many_idle_connections_of_one_client_make_room_for_the_next(site: Site) -> None:
    idle = [site.send(HALF_HEAD) for _ in range(20)]
    answer = rest(site.send(WHOLE))
    for connection in idle:
        connection.close()
    assert answer.startswith(b"HTTP/1.1 200 ")


BAD_CHUNK = b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"


@pytest.mark.parametrize("host", [b"localhost", b"evil.example"])
@pytest.mark.parametrize("first", [b"", WHOLE])
def test_a_malformed_body_is_refused_without_a_traceback(
    site: Site, host: bytes, first: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = HALF_BODY.partition(b"Content-Length")[0].replace(b"localhost", host)
    answer = rest(site.send(first + head + BAD_CHUNK))
    assert answer.count(b"HTTP/1.1 ") == (1 if first == b"" else 2)
    assert b"HTTP/1.1 500" not in answer
    assert rest(site.send(WHOLE)).startswith(b"HTTP/1.1 200 ")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
