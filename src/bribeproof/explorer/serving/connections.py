"""Connections that cannot be held open for nothing: requests arrive and responses are taken in time."""

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Time in which the head of a request must arrive, counted from the connection or from the last response."""
STALLED_SECONDS = 30.0
"""Time after which a client that takes nothing of its response is dropped."""
MAX_CONNECTIONS = 256
"""Largest number of connections."""
MAX_OF_ONE_CLIENT = 64
"""Largest number of connections from one address."""


class TimedConnection(H11Protocol):
    """An HTTP/1.1 connection with time limits, on a server with a limited number of connections.

    If there are too many, the one that has waited longest for its next request is closed; without such a one, the new
    one is.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting_since = self.loop.time()
        self._head_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request; make room if there are too many connections."""
        super().connection_made(transport)
        self._wait()
        others = [
            one for one in self.connections if isinstance(one, TimedConnection) and not one.transport.is_closing()
        ]
        same = [one for one in others if self._address == one._address]
        if len(same) > MAX_OF_ONE_CLIENT:
            _close_oldest(same)
        elif len(others) > MAX_CONNECTIONS:
            _close_oldest(others)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and its timers."""
        for timer in (self._head_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request; close the connection if the response to it, or to the one before, has begun."""
        if not self.is_waiting:  # the rest of a body is malformed: the application's response would come too late
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if repr(self.conn.our_state) in {"IDLE", "SEND_RESPONSE"}:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Watch a client that does not take its response."""
        super().pause_writing()
        self._watch_response(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Stop watching."""
        if self._stall_timer is not None:
            self._stall_timer.cancel()
        super().resume_writing()

    def shutdown(self) -> None:
        """Close the connection now, or after the response that is under way."""
        if self.is_waiting:
            self.transport.abort()
        else:
            super().shutdown()

    @property
    def _address(self) -> str | None:
        """The address of the client."""
        return self.client[0] if self.client else None

    def _wait(self) -> None:
        """Start the time in which the next request must arrive."""
        self._waiting_since = self.loop.time()
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._head_is_late)

    def _head_is_late(self) -> None:
        """Close the connection unless a request is being answered."""
        if self.is_waiting:
            self.transport.abort()

    def _watch_response(self, waiting: int) -> None:
        """Close the connection if, some time later, as many bytes still wait to be sent."""

        def look() -> None:
            now = self.transport.get_write_buffer_size()
            if now >= waiting:
                self.transport.abort()
            else:
                self._watch_response(now)

        self._stall_timer = self.loop.call_later(STALLED_SECONDS, look)


def _close_oldest(connections: Iterable[TimedConnection]) -> None:
    """Close the connection that has waited longest for a request; the newest if none waits."""
    by_age = sorted(connections, key=lambda one: one._waiting_since)
    waiting = [one for one in by_age[:-1] if one.is_waiting]
    (waiting[0] if waiting else by_age[-1]).transport.abort()
