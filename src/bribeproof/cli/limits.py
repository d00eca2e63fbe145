"""Where memory is limited (``ulimit -v``) engines stop the whole process: it is watched, and the reason is said."""

import os
import signal
import sys
from collections.abc import Callable


def memory_limit() -> int | None:
    """Return how many bytes this process may take; None where nothing is set."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def watched(work: Callable[[], None]) -> int | None:
    """Do work in a process of its own and end as it ends.

    Returns
    -------
    The signal that it was stopped by, where that is what running out of memory looks like.
    """
    child = os.fork()
    if not child:
        work()
        sys.stdout.flush()
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -status in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP):
        return -status
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)
