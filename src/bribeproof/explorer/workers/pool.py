"""Run tasks in worker processes, which are killed if they take too much time or memory, or if nobody waits for them."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

from anyio import BrokenWorkerProcess, CancelScope, CapacityLimiter, current_time, move_on_after, to_process
from starlette.requests import ClientDisconnect, Request

from bribeproof.errors import BribeproofError
from bribeproof.explorer.workers.process import run_limited

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")

_MAX_PROCESSES = 3
"""Number of worker processes; each holds its own copy of the libraries in memory."""
_MAX_OF_ONE_CLIENT = 2
"""Number of processes that work for one address, so that one is left for the others."""
_PATIENCE = 2.0
"""Seconds that work may still take whose client has left: a process that is ended loses what it has loaded."""
_AT_ONCE = 0.25
"""A process that has ended within so many seconds may have been killed before, while it was idle."""


class UnavailableError(Exception):
    """The task could not be run now; the message says why in one line."""


class Workers:
    """A small pool of processes, started when they are needed.

    A task that kills its process does not disturb any other: the next one gets a new process.

    Parameters
    ----------
    seconds
        Time limit of one task, including the wait for a free process.
    memory_bytes
        The most memory of one process.
    advice
        What to do where a limit is reached, in the words of those who ask.
    """

    def __init__(
        self, seconds: float, memory_bytes: int, advice: str = "send less data, or use the command or Python"
    ) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._advice = advice
        self._limiter = CapacityLimiter(_MAX_PROCESSES)
        self._of_client: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()
        self._warm = asyncio.Event()
        self._warm.set()

    async def run(
        self, work: Callable[[*_Arguments], _Result], *arguments: *_Arguments, request: Request | None = None
    ) -> _Result:
        """Call a module-level function in a worker process, which is killed if it takes too long.

        Parameters
        ----------
        work
            The function.
        arguments
            Its arguments.
        request
            The request that the work is for: it is given up if the client leaves, and clients share the processes.

        Raises
        ------
        UnavailableError
            If it took too long, memory ran out, or a library ended the process.
        ClientDisconnect
            If the client has left.
        """
        client = request.client.host if request is not None and request.client is not None else ""
        share = self._of_client.setdefault(client, CapacityLimiter(_MAX_OF_ONE_CLIENT))
        try:
            with move_on_after(self._seconds), _until_client_leaves(request) as begin:
                async with share:
                    await self._warm.wait()
                    begin()
                    return await self._call_again(work, *arguments)
        except BrokenWorkerProcess:
            raise UnavailableError(
                f"this took more than {self._memory_bytes / 2**30:.3g} GB of memory, or a library failed on damaged "
                f"data; {self._advice}"
            ) from None
        raise UnavailableError(f"this took longer than {self._seconds:g} s; {self._advice}")

    async def warm_up(self, load: Callable[[], object]) -> None:
        """Start a process before the first task, and load in it what tasks need; that it fails harms nothing.

        A task that comes meanwhile waits for it: a process of its own would take longer, and half of the cores.
        """
        self._warm.clear()
        try:
            with suppress(BrokenWorkerProcess, BribeproofError):
                await self._call(load)
        finally:
            self._warm.set()

    async def _call_again(self, work: Callable[[*_Arguments], _Result], *arguments: *_Arguments) -> _Result:
        """Call a function in a worker process, and once more if the process had been killed before."""
        begun = current_time()
        try:
            return await self._call(work, *arguments)
        except BrokenWorkerProcess:
            if current_time() - begun > _AT_ONCE:
                raise
            return await self._call(work, *arguments)

    async def _call(self, work: Callable[[*_Arguments], _Result], *arguments: *_Arguments) -> _Result:
        """Call a function in a worker process."""
        return await to_process.run_sync(
            run_limited, self._memory_bytes, os.getpid(), work, arguments, cancellable=True, limiter=self._limiter
        )


@contextmanager
def _until_client_leaves(request: Request | None) -> Iterator[Callable[[], None]]:
    """Cancel what is done within when the client of a request has closed its connection; its body has been read.

    Yields a function to call when the work begins. What has not begun ends at once; other work a little later, since
    most of it is done by then, and its process is there for the next position of a slider.
    """
    begun = asyncio.Event()
    if request is None:
        yield begun.set
        return

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        if begun.is_set():
            await asyncio.sleep(_PATIENCE)
        scope.cancel()

    with CancelScope() as scope:
        watcher = asyncio.create_task(watch())
        try:
            yield begun.set
        finally:
            watcher.cancel()
    if scope.cancelled_caught:
        raise ClientDisconnect


def page_workers(request: Request) -> Workers:
    """Return the processes that read files and compute the pages on them."""
    workers: Workers = request.app.state.page_workers
    return workers


def attack_workers(request: Request) -> Workers:
    """Return the processes that simulate attacks: a slow one delays no other page."""
    workers: Workers = request.app.state.attack_workers
    return workers
