"""The command line: parse, call the library, print. One file per command."""

import errno
import io
import os
import signal
import sys

import cyclopts

from bribeproof._text import printable
from bribeproof.cli.commands.aggregate import aggregate
from bribeproof.cli.commands.attack import attack
from bribeproof.cli.commands.audit import audit
from bribeproof.cli.commands.calibrate import calibrate
from bribeproof.cli.commands.explore import explore
from bribeproof.cli.commands.panel import panel
from bribeproof.cli.commands.paper import paper
from bribeproof.cli.commands.plot import plot
from bribeproof.cli.commands.sweep import sweep
from bribeproof.cli.commands.weigh import weigh
from bribeproof.cli.memory_guard import memory_limit, watch
from bribeproof.errors import BribeproofError

_NO_MEMORY = "memory ran out, and no answer was written; give it more memory"

app = cyclopts.App(
    name="bribeproof",
    help="Combine votes, labels and scores so that up to k bribed reporters cannot buy the answer.",
    help_epilogue="Example: bribeproof aggregate sheet.csv --k 1",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
app.command(aggregate)
app.command(weigh)
app.command(panel)
app.command(calibrate)
app.command(sweep)
app.command(audit)
app.command(attack)
app.command(plot)
app.command(explore)
app.command(paper)


def main() -> None:
    """Run the command; errors are one line on standard error and exit status 2."""
    limit = memory_limit()
    if limit is None:
        _run()
    else:
        watch(_run)
        _fail(f"{_NO_MEMORY} (the limit is {limit // 1024:,} kB, ulimit -v)", 2)


def _run() -> None:
    """Run the command in this process."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app(sys.argv[1:], exit_on_error=False, print_error=False)
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
    """Stop once: polars raises an interrupt of its own, and a second must not stop the cleaning up."""
    if not isinstance(sys.exception(), KeyboardInterrupt):
        raise KeyboardInterrupt


def _close_output() -> None:
    """Let nothing more be flushed to a reader that has gone, nor to a disk that is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> None:
    """Print one line and stop."""
    sys.stderr.write(f"bribeproof: {printable(message)}\n")
    sys.exit(status)
