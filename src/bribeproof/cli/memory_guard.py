"""Run in a child process if memory is limited (``ulimit -v``), to report that memory ran out instead of a crash."""

import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TextIO

from bribeproof.cli.surroundings import ending_signals, lenient_stderr

_CRASHES = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP)
_FAILURES = (1, 127, 128 + signal.SIGINT)
"""Exit statuses after an unknown error, from the dynamic loader, and after the interrupt that OpenBLAS sends itself."""
_SIGNS = re.compile(r"^(?!\s).*(?:memory|alloc|map segment|thread|SystemError)", re.IGNORECASE | re.MULTILINE)
"""Messages of libraries without memory. Indented lines of a traceback are skipped: they name this module."""


def memory_limit() -> int | None:
    """Return the limit of the address space in bytes; None without one."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def run_guarded(work: Callable[[], None]) -> None:
    """Run a function in a child process and exit with its status; return only if it probably ran out of memory.

    What libraries write to standard error, thousands of lines without memory, is shown only if the function failed
    for another reason.
    """
    with TemporaryFile("w+", buffering=1, errors="backslashreplace") as log:
        child = os.fork()
        if not child:
            _run_child(work, log)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in ending_signals():
            signal.signal(number, lambda number, _: os.kill(child, number))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        log.seek(0)
        output = log.read()
    if -status in _CRASHES or (status in _FAILURES and (not output or _SIGNS.search(output))):
        return
    if status == 1:
        sys.stderr.write(output)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _run_child(work: Callable[[], None], log: TextIO) -> None:
    """Run a function; send standard error to the log, except what Python itself writes."""
    sys.stderr = lenient_stderr(os.dup(2))
    os.dup2(log.fileno(), 2)
    try:
        work()
    except SystemExit:
        raise
    except BaseException:  # polars raises exceptions that are not an Exception
        with suppress(MemoryError, SystemError):
            traceback.print_exc(file=log)
        os._exit(1)
    sys.exit()
