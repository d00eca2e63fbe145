"""Run tasks in worker processes, which are killed if they take too much time or memory, or if nobody waits for them."""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
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
_AT_ONCE = 1.0
"""A process that has ended within so many seconds may have been killed before, while it was idle: the system kills one
where memory is short, and then all is slow."""


class UnavailableError(Exception):
    """The task could not be run now; the message says why in one line."""


class Workers:
    """A small pool of processes, started when they are needed.

    A task that kills its process does not disturb any other: the next one gets a new process. Several pools limit
    themselves alone: a process that is idle works for whichever pool asks next.

    Parameters
    ----------
    seconds
        Time limit of one task, including the wait for a free process.
    memory_bytes
        The most memory of one process.
    advice
        What to do where a limit is reached, in the words of those who ask.

    Attributes
    ----------
    ready
        Tasks begin when it is set, as it is unless processes are made ready.
    """

    def __init__(
        self, seconds: float, memory_bytes: int, advice: str = "send less data, or use the command or Python"
    ) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._advice = advice
        self._limiter = CapacityLimiter(_MAX_PROCESSES)
        self._of_client: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()
        self._aside: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()
        self.ready = asyncio.Event()
        self.ready.set()

    async def run(
        self,
        work: Callable[[*_Arguments], _Result],
        *arguments: *_Arguments,
        request: Request | None = None,
        aside: bool = False,
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
        aside
            Whether the client has something to look at meanwhile. Such work is done one after the other for each
            client, so that a process is free when a slider moves on.

        Raises
        ------
        UnavailableError
            If it took too long, memory ran out, or a library ended the process.
        ClientDisconnect
            If the client has left.
        """
        client = request.client.host if request is not None and request.client is not None else ""
        share = self._of_client.setdefault(client, CapacityLimiter(_MAX_OF_ONE_CLIENT))
        turn = self._aside.setdefault(client, CapacityLimiter(1)) if aside else nullcontext()
        try:
            with move_on_after(self._seconds), _until_client_leaves(request) as begin:
                async with turn, share:
                    await self.ready.wait()
                    begin()
                    return await self._call_again(work, *arguments)
        except BrokenWorkerProcess:
            raise UnavailableError(
                f"this took more than {self._memory_bytes / 2**30:.3g} GB of memory, or a library failed on damaged "
                f"data; {self._advice}"
            ) from None
        raise UnavailableError(f"this took longer than {self._seconds:g} s; {self._advice}")

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

    async def load(self, load: Callable[[], object]) -> None:
        """Load in a process what tasks need; that it fails harms nothing."""
        with suppress(BrokenWorkerProcess, BribeproofError):
            await self._call(load)


async def warm_up(pools: Sequence[Workers], load: Callable[[], object], processes: int) -> None:
    """Start processes, which all pools share, before the first task, and load in them what tasks need.

    A task that comes meanwhile waits for them: a process of its own would take longer, and half of the cores.
    """
    for pool in pools:
        pool.ready.clear()
    try:
        await asyncio.gather(*(pools[0].load(load) for _ in range(processes)))
    finally:
        for pool in pools:
            pool.ready.set()


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


def panel_workers(request: Request) -> Workers:
    """Return the processes that compute panels: a large one delays no other page."""
    workers: Workers = request.app.state.panel_workers
    return workers


def attack_workers(request: Request) -> Workers:
    """Return the processes that simulate attacks: a slow one delays no other page."""
    workers: Workers = request.app.state.attack_workers
    return workers
