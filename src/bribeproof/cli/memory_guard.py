"""Where memory is limited (``ulimit -v``) engines stop the whole process: it is watched, and the reason is said."""

import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TextIO

_CRASHES = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP)
_FAILURES = (1, 127, 128 + signal.SIGINT)
"""How Python ends after an unknown error, the loader, and Python after the interrupt that OpenBLAS sends itself."""
_SIGNS = re.compile(r"^(?!\s).*(?:memory|alloc|map segment|thread|SystemError)", re.IGNORECASE | re.MULTILINE)
"""What engines write where memory is short. Indented lines of a traceback do not count: they name this very module."""


def memory_limit() -> int | None:
    """Return how many bytes this process may take; None where nothing is set."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def watch(work: Callable[[], None]) -> None:
    """Do work in a process of its own and end as it ends; return only where it ran out of memory, by all signs.

    What engines write by themselves, thousands of lines where memory is short, is shown only where it may say why the
    work did not end as it should.
    """
    with TemporaryFile("w+", buffering=1, errors="backslashreplace") as aside:
        child = os.fork()
        if not child:
            _work(work, aside)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        aside.seek(0)
        said = aside.read()
    if -status in _CRASHES or (status in _FAILURES and (not said or _SIGNS.search(said))):
        return
    if status == 1:
        sys.stderr.write(said)
    if status < 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _work(work: Callable[[], None], aside: TextIO) -> None:
    """Do work, with all that is written to standard error aside, unless Python writes it."""
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
    os.dup2(aside.fileno(), 2)
    try:
        work()
    except SystemExit:
        raise
    except BaseException:  # engines raise what is no Exception
        with suppress(MemoryError, SystemError):
            traceback.print_exc(file=aside)
        os._exit(1)
    sys.exit()
