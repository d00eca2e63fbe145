"""Run the command in a child process, so that a library that crashes on a damaged file ends in one line."""

import os
import re
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO

from bribeproof.cli.surroundings import ending_signals, lenient_stderr

_CRASHES = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP, signal.SIGILL, signal.SIGFPE)
_FAILURES = (1, 127, 128 + signal.SIGINT)
"""Exit statuses after an unknown error, from the dynamic loader, and after the interrupt that OpenBLAS sends itself."""
_REFUSED = 2
"""Exit status after an error of the input or of the options."""
_SIGNS = re.compile(r"^(?!\s).*(?:memory|alloc|map segment|thread|SystemError)", re.IGNORECASE | re.MULTILINE)
"""Messages of libraries without memory. Indented lines of a traceback are skipped: they name this module."""
_LARGEST_SHARE = 0.8
"""The share of the machine's memory that the command may take."""
_INTERVAL = 0.05
"""Seconds between two looks at the memory of the child."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Why a child process ended without an answer.

    Attributes
    ----------
    no_memory
        Whether it ran out of memory.
    reason
        What a library said last, or the name of the signal.
    """

    no_memory: bool
    reason: str


def can_guard() -> bool:
    """Return whether a command can run in a child process: not on Windows."""
    return hasattr(os, "fork")


def memory_limit() -> int | None:
    """Return the limit of the address space in bytes (``ulimit -v``); None without one."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def largest_memory() -> int | None:
    """Return how many bytes of memory the command may take; None if the memory of the machine is unknown."""
    sizes = []
    with suppress(AttributeError, ValueError, OSError):
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):  # of a container
        with suppress(OSError, ValueError):
            sizes.append(int(Path(path).read_text("ascii")))
    return int(_LARGEST_SHARE * min(sizes)) if sizes else None


def run_guarded(work: Callable[[], None]) -> Crash:
    """Run a function in a child process and exit with its status; return only if it crashed or ran out of memory.

    What libraries write to standard error is shown only if the function failed by an unknown error.
    """
    with _log() as log:
        alive, held = os.pipe()
        passed_on = (signal.SIGINT, *ending_signals())
        signal.pthread_sigmask(signal.SIG_BLOCK, passed_on)  # until they can be
        child = os.fork()
        if not child:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
            os.close(held)
            _run_child(work, log, alive)
        os.close(alive)
        for number in passed_on:
            signal.signal(number, lambda number, _: _send(child, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, passed_on)
        status, too_large = _wait(child)
        os.close(held)
        log.seek(0)
        output = log.read()
    if too_large:
        return Crash(no_memory=True, reason="")
    if status == -signal.SIGKILL:
        return Crash(no_memory=False, reason="killed, perhaps because memory ran out")
    if -status in _CRASHES:
        name = signal.Signals(-status).name
        return Crash(no_memory=memory_limit() is not None, reason=_last_words(output) or name)
    if memory_limit() is not None and status in _FAILURES and (not output or _SIGNS.search(output)):
        return Crash(no_memory=True, reason="")
    if status == 1:
        sys.stderr.write(output)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _log() -> TextIO:
    """Return a temporary file for what libraries write; nothing is kept if there is no room for one."""
    try:
        return TemporaryFile("w+", buffering=1, errors="backslashreplace")
    except OSError:
        return open(os.devnull, "w+", encoding="utf-8")  # noqa: PTH123 - not a path but a device


def _send(child: int, number: int) -> None:
    """Send a signal to the child, unless it has ended."""
    with suppress(ProcessLookupError):
        os.kill(child, number)


def _wait(child: int) -> tuple[int, bool]:
    """Wait for the child; return its exit status, and whether it was killed because it took too much memory.

    Pages of files do not count: the system drops them when it needs the room.
    """
    largest = largest_memory()
    pages = Path(f"/proc/{child}/statm")
    too_large = False
    if largest is not None and hasattr(os, "pidfd_open") and pages.exists():
        page = os.sysconf("SC_PAGE_SIZE")
        with suppress(OSError):
            ended = os.pidfd_open(child)
            while not select.select([ended], [], [], _INTERVAL)[0]:
                resident, of_files = map(int, pages.read_text("ascii").split()[1:3])
                if (resident - of_files) * page > largest:
                    too_large = True
                    _send(child, signal.SIGKILL)
            os.close(ended)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), too_large


def _run_child(work: Callable[[], None], log: TextIO, alive: int) -> None:
    """Run a function; send standard error to the log, except what Python itself writes."""
    threading.Thread(target=_end_with_parent, args=(alive,), daemon=True).start()
    sys.stderr = lenient_stderr(os.dup(2))
    os.dup2(log.fileno(), 2)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        work()
    except SystemExit as end:
        if end.code == _REFUSED:  # what is wrong has been said; a thread of a library may crash before Python has ended
            with suppress(OSError, ValueError):
                sys.stdout.flush()
            os._exit(_REFUSED)
        raise
    except BaseException:  # polars raises exceptions that are not an Exception
        with suppress(MemoryError, SystemError):
            traceback.print_exc(file=log)
        os._exit(1)
    sys.exit()


def _end_with_parent(alive: int) -> None:
    """End this process, with its clean-up, as soon as its parent has ended."""
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _last_words(output: str) -> str:
    """Return the last line that a library wrote before it crashed, or before the backtrace of its crash."""
    said = output.partition("stack backtrace:")[0].splitlines()
    lines = [line.strip() for line in said if line.strip() and not line.startswith((" ", "note:"))]
    return lines[-1][:200] if lines else ""
