"""What a worker process does around each task: it keeps its limits, and is silent."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar, TypeVarTuple

from bribeproof.errors import DataError, is_from_engine

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")

_OUT_OF_MEMORY = 137
"""Exit status; the same as after the system has killed a process."""
_INTERVAL = 0.02
"""Seconds between two looks at the memory."""


def run_limited(
    memory_bytes: int, server: int, work: Callable[[*_Arguments], _Result], arguments: tuple[*_Arguments]
) -> _Result:
    """Call a function in this worker process, which ends if memory runs out, and with its server.

    Parameters
    ----------
    memory_bytes
        The most memory of the process.
    server
        The number of the process that started this one; it may have ended already.
    work
        The function.
    arguments
        Its arguments.

    Raises
    ------
    DataError
        If the engine that computes on tables fails; other errors of the function are raised unchanged.
    """
    _prepare(memory_bytes, server)
    try:
        return work(*arguments)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except BaseException as error:
        if not is_from_engine(error):
            raise
        raise _as_data_error(error) from None


def _as_data_error(error: BaseException) -> DataError:
    """Return an error of polars, which need not be loaded before, as one of the library."""
    from bribeproof.io.formats import reason

    try:
        return DataError(f"the engine cannot compute this ({reason(error)})")
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


@cache
def _prepare(memory_bytes: int, server: int) -> None:
    """Silence what libraries write, leave interrupts to the server, and limit the memory."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":  # elsewhere this limit does not count what libraries allocate
            resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + memory_bytes, resource.RLIM_INFINITY))
    # On Windows a launcher stands between the two, and the parent of a process remains its parent.
    parent = server if os.name == "posix" else os.getppid()
    threading.Thread(target=_watch, args=(memory_bytes, parent), daemon=True).start()


def _data_bytes() -> int:
    """Return how much memory the system counts as data of this process, stacks of threads included."""
    fields = Path("/proc/self/statm").read_text("ascii").split()
    return int(fields[5]) * os.sysconf("SC_PAGE_SIZE")


def _watch(memory_bytes: int, parent: int) -> None:
    """End the process if it takes too much memory, or if its parent has ended."""
    resident = Path("/proc/self/statm")
    page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 1
    while os.getppid() == parent:
        with suppress(OSError):
            if int(resident.read_text("ascii").split()[1]) * page > memory_bytes:
                os._exit(_OUT_OF_MEMORY)
        time.sleep(_INTERVAL)
    os._exit(0)
