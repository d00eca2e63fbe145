"""Work in processes of its own, which can be stopped when it takes too long."""

from collections.abc import Callable
from typing import TypeVarTuple

from anyio import BrokenWorkerProcess, CapacityLimiter, move_on_after, to_process

_Arguments = TypeVarTuple("_Arguments")

_MOST = 2
"""So many processes are kept: each holds its own copy of the libraries in memory."""


class UnavailableError(Exception):
    """The work could not be done now, whatever was asked; the message says why in one line."""


class Workers:
    """A few processes that are started when they are needed, and kept.

    Parameters
    ----------
    seconds
        How long one piece of work may take, the wait for a free process included.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._limiter = CapacityLimiter(_MOST)

    async def run(self, work: Callable[[*_Arguments], bytes], *arguments: *_Arguments) -> bytes:
        """Call a function of a module in another process, which is killed if it takes too long.

        Parameters
        ----------
        work
            The function.
        arguments
            What it is called with.

        Raises
        ------
        UnavailableError
            If it took too long, or memory ran out.
        """
        try:
            with move_on_after(self._seconds):
                return await to_process.run_sync(work, *arguments, cancellable=True, limiter=self._limiter)
        except (BrokenWorkerProcess, MemoryError):
            raise UnavailableError("memory ran out, and the work was stopped; send less, or use the command") from None
        raise UnavailableError(f"this took longer than {self._seconds:g} s; send less, or use the command or Python")
