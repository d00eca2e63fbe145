"""Run tasks in worker processes, which are killed if they take too long."""

from collections.abc import Callable
from typing import TypeVarTuple

from anyio import BrokenWorkerProcess, CapacityLimiter, move_on_after, to_process

_Arguments = TypeVarTuple("_Arguments")

_MAX_PROCESSES = 2
"""Number of worker processes; each holds its own copy of the libraries in memory."""


class UnavailableError(Exception):
    """The task could not be run now; the message says why in one line."""


class Workers:
    """A small pool of processes, started when they are needed.

    Parameters
    ----------
    seconds
        Time limit of one task, including the wait for a free process.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._limiter = CapacityLimiter(_MAX_PROCESSES)

    async def run(self, work: Callable[[*_Arguments], bytes], *arguments: *_Arguments) -> bytes:
        """Call a module-level function in a worker process, which is killed if it takes too long.

        Parameters
        ----------
        work
            The function.
        arguments
            Its arguments.

        Raises
        ------
        UnavailableError
            If it took too long, or memory ran out.
        """
        try:
            with move_on_after(self._seconds):
                return await to_process.run_sync(work, *arguments, cancellable=True, limiter=self._limiter)
        except (BrokenWorkerProcess, MemoryError):
            raise UnavailableError("memory ran out; send less data, or use the command") from None
        raise UnavailableError(
            f"this took longer than {self._seconds:g} s; send less data, or use the command or Python"
        )
