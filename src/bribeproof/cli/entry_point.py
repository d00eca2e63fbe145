"""The entry point ``bribeproof``: run the command, and turn errors into one line and an exit status."""

import errno
import io
import os
import signal
import sys
from typing import NoReturn

import cyclopts

from bribeproof._text import printable
from bribeproof.cli.application import app, join_hyphen_values
from bribeproof.cli.memory_guard import memory_limit, run_guarded
from bribeproof.cli.surroundings import ending_signals, open_streams
from bribeproof.errors import BribeproofError

_NO_MEMORY = "memory ran out, and no answer was written; give it more memory"


def main() -> None:
    """Run the command; errors print one line on standard error and exit with status 2."""
    open_streams()
    if sys.stdout is None:
        _fail("standard output is closed, so that nothing can be printed; open it, or send it to /dev/null", 2)
    limit = memory_limit()
    if limit is None:
        _run()
    else:
        run_guarded(_run)
        _fail(f"{_NO_MEMORY} (the limit is {limit // 1024:,} kB, ulimit -v)", 2)


def _run() -> None:
    """Run the command in this process."""
    signal.signal(signal.SIGINT, _interrupt)
    for number in ending_signals():
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app(join_hyphen_values(sys.argv[1:]), exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except BribeproofError as error:
        _fail(str(error), 2)
    except cyclopts.CycloptsError as error:
        _fail(f"{error} (see bribeproof --help)", 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except MemoryError:
        _fail(_NO_MEMORY, 2)
    except BrokenPipeError:
        _close_output()
    except OSError as error:
        _close_output()
        if error.errno == errno.ENOMEM:
            _fail(_NO_MEMORY, 2)
        _fail(f"the answer could not be printed ({error.strerror})", 2)


def _interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt once: polars raises its own, and a second must not interrupt the clean-up."""
    if not isinstance(sys.exception(), KeyboardInterrupt):
        raise KeyboardInterrupt


def _close_output() -> None:
    """Discard further output: the reader has closed the pipe, or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> NoReturn:
    """Print a message on one line and exit."""
    sys.stderr.write(f"bribeproof: {printable(message)}\n")
    sys.exit(status)
