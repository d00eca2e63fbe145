"""The entry point ``bribeproof``: run the command, and turn errors into one line and an exit status."""

import errno
import io
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import cyclopts

from bribeproof._text import printable
from bribeproof.cli.application import app, join_hyphen_values
from bribeproof.cli.process_guard import can_guard, largest_memory, memory_limit, run_guarded
from bribeproof.cli.surroundings import ending_signals, open_streams
from bribeproof.cli.thresholds import STATUS, ThresholdError
from bribeproof.errors import BribeproofError, is_from_engine

_OF_K = re.compile("^k=(?=[^ ]+: )")
"""How errors of functions begin that refuse a k."""
_NO_MEMORY = "memory ran out, and no answer was written; give it more memory"


def main() -> None:
    """Run the command; errors print one line on standard error and exit with status 2."""
    open_streams()
    if sys.stdout is None:
        _fail("standard output is closed, so that nothing can be printed; open it, or send it to /dev/null", 2)
    if not can_guard() or (
        sys.argv[1:2] in (["explore"], ["mcp"]) and memory_limit() is None
    ):  # they compute in processes
        run()
        return
    crash = run_guarded(run)
    if crash.no_memory:
        _fail(f"{_NO_MEMORY} ({_memory()})", 2)
    file = _first_file(sys.argv[1:])
    damaged = "" if file is None else "; the file may be damaged"
    place = "" if file is None else f"{file}: "
    _fail(f"{place}the process that computes the answer ended ({crash.reason}), no answer was written{damaged}", 2)


def run() -> None:
    """Run the command in this process."""
    signal.signal(signal.SIGINT, _interrupt)
    for number in ending_signals():
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _run_command(sys.argv[1:])
        sys.stdout.flush()
    except BribeproofError as error:
        _fail(_OF_K.sub("--k ", str(error)), 2)
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
    except BaseException as error:
        if not is_from_engine(error):
            raise
        _fail(f"the engine cannot compute this ({str(error).partition(chr(10))[0]})", 2)


def _run_command(arguments: list[str]) -> None:
    """Run the command; a question about the table is answered on the terminal, or ends it with status 2."""
    try:
        app(join_hyphen_values(arguments), exit_on_error=False, print_error=False)
    except ThresholdError as missed:
        sys.stdout.flush()
        _fail(str(missed), STATUS)
    except BribeproofError as error:
        from bribeproof.cli.questions import answer
        from bribeproof.questions import QuestionError

        if not isinstance(error, QuestionError):
            raise
        answered = answer(error, arguments)
        if answered is None:
            sys.exit(2)
    else:
        return
    _run_command(answered)


def _interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt once: polars raises its own, and a second must not interrupt the clean-up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not isinstance(sys.exception(), KeyboardInterrupt):
        raise KeyboardInterrupt


def _first_file(arguments: list[str]) -> str | None:
    """Return the first argument that is a file: the one to be read."""
    for argument in arguments:
        with suppress(OSError, ValueError):
            if Path(argument).is_file():
                return argument
    return None


def _memory() -> str:
    """Return how much memory the command may take, in words."""
    limit = memory_limit()
    if limit is not None:
        return f"the limit is {limit // 1024:,} kB, ulimit -v"
    largest = largest_memory()
    return "the machine has no more" if largest is None else f"it may take {largest / 2**30:.3g} GB of this machine's"


def _close_output() -> None:
    """Discard further output: the reader has closed the pipe, or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> NoReturn:
    """Print a message on one line and exit."""
    sys.stderr.write(f"bribeproof: {printable(message)}\n")
    sys.exit(status)
