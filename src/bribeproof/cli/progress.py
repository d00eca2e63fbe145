"""A sign of life on standard error for work that takes longer than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

_PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def progress(stage: str) -> Iterator[None]:
    """Show a spinner with the stage while the body runs, if it takes longer than a second in a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    from bribeproof.cli.printable import printable

    status = Console(stderr=True).status(Text(printable(f"{stage} …")))
    timer = Timer(_PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()
