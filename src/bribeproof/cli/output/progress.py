"""Show a progress bar on standard error for work that takes longer than a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bribeproof.frames.out_of_core import Progress

_DELAY = 1.0
"""Seconds before the bar appears."""


@contextmanager
def progress(stage: str) -> Iterator["Progress"]:
    """Show the stage, its progress and the time left, in a terminal, while the body of the context runs.

    Yields a function that reports the stage and its progress.
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

    timer = Timer(_DELAY, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
