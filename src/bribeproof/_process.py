"""Tell a process that was forked after tables were used, in which the engine for tables would wait for ever."""

import os
from functools import cache

from bribeproof.errors import ForkError


def check_not_forked() -> None:
    """Raise an error in a process that was forked after this function was called.

    The engine for tables, polars, works in threads, and a fork copies none of them. A fork before the first table is
    used does no harm, and neither do processes that are started anew.

    Raises
    ------
    ForkError
        If the function was called in the parent process.
    """
    if os.getpid() != _first_process():
        raise ForkError(
            f"process {os.getpid()} was forked from one that had used tables, where polars cannot compute: start "
            'processes by multiprocessing.get_context("forkserver") or "spawn", or fork before the first table is used'
        )


@cache
def _first_process() -> int:
    """Return the number of the process that asked first."""
    return os.getpid()
