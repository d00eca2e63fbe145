"""Show the progress of long work on standard error: a bar in a terminal, a line now and then in a file or a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bribeproof.frames.out_of_core import Progress

_DELAY = 1.0
"""Seconds before the bar appears."""
_INTERVAL = 10.0
"""Seconds between two lines, and before the first, where standard error is no terminal."""


@contextmanager
def progress(stage: str) -> Iterator["Progress"]:
    """Show the stage, its progress and the time left, while the body of the context runs.

    Yields a function that reports the stage and its progress.
    """
    if not sys.stderr.isatty():
        with _lines(stage) as report_line:
            yield report_line
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


@contextmanager
def _lines(stage: str) -> Iterator["Progress"]:
    """Write the stage, the time that has passed and the progress as a line, at intervals."""
    from bribeproof._text import printable

    output, started, ended = sys.stderr, time.monotonic(), Event()
    now: tuple[str, float | None] = (stage, None)

    def report(stage: str, done: float | None) -> None:
        nonlocal now
        now = (stage, done)

    def write() -> None:
        while not ended.wait(_INTERVAL):
            stage, done = now
            share = "" if done is None else f", {done:.0%}"
            output.write(f"{printable(stage)} … {time.monotonic() - started:.0f} s{share}\n")
            output.flush()

    thread = Thread(target=write, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        ended.set()
        thread.join()
