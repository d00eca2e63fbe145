"""The command line: parse, call the library, print. One file per command."""

import sys

import cyclopts

from bribeproof.cli.aggregate import aggregate
from bribeproof.cli.panel import panel
from bribeproof.errors import BribeproofError

app = cyclopts.App(
    name="bribeproof",
    help="Combine votes, labels and scores so that up to k bribed reporters cannot buy the answer.",
    help_epilogue="Example: bribeproof aggregate sheet.csv --k 1",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
app.command(aggregate)
app.command(panel)


def main() -> None:
    """Run the command; errors are one line on standard error and exit status 2."""
    try:
        app(exit_on_error=False, print_error=False)
    except BribeproofError as error:
        _fail(str(error), 2)
    except cyclopts.CycloptsError as error:
        _fail(f"{error} (see bribeproof --help)", 2)
    except KeyboardInterrupt:
        _fail("interrupted; nothing was written", 130)
    except BrokenPipeError:
        # The reader of our output has gone; leave quietly, and let nothing be flushed into the closed pipe.
        sys.stdout = None  # type: ignore[assignment]
        sys.exit(0)


def _fail(message: str, status: int) -> None:
    """Print one line and stop."""
    sys.stderr.write("bribeproof: " + " ".join(message.split()) + "\n")
    sys.exit(status)
