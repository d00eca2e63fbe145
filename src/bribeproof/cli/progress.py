"""A sign of life on standard error for work that takes longer than a second."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console

_PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def progress(stage: str) -> Iterator[None]:
    """Show a spinner with the stage while the body runs, if it takes longer than a second."""
    console = Console(stderr=True)
    status = console.status(f"{stage} …")
    timer = Timer(_PATIENCE, status.start)
    timer.daemon = True
    if console.is_terminal:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
