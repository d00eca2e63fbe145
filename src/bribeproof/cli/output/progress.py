"""A sign of life on standard error for work that takes longer than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bribeproof.frames.out_of_core import Progress

_PATIENCE = 1.0
"""Seconds before anything is shown."""


@contextmanager
def progress(stage: str) -> Iterator["Progress"]:
    """Show the stage, how far it is and the time left while the body runs, if it takes long, in a terminal.

    The body is given what tells of other stages and of how far they are.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from bribeproof._text import printable

    text = TextColumn("{task.description} …", markup=False)
    columns = (text, BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(printable(stage), total=None)

    def report(stage: str, done: float | None) -> None:
        if bar.tasks[0].description != printable(stage):
            bar.reset(task, description=printable(stage))
        bar.update(task, total=None if done is None else 1.0, completed=done or 0.0)

    timer = Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
