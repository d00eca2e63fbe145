"""What a shell does to the command: standard streams that are closed or full, and signals that end it."""

import io
import os
import signal
import sys
from contextlib import suppress
from typing import TextIO


class _LenientWriter(io.TextIOWrapper):
    """Text output whose failures are ignored: notes that nobody can read must not stop the answer."""

    def write(self, text: str) -> int:
        """Write text, if possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with suppress(OSError):
            super().flush()


def lenient_stderr(descriptor: int) -> TextIO:
    """Return an unbuffered text stream that writes to standard error, or to a copy of it, and never fails."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    return _LenientWriter(raw, errors="backslashreplace", write_through=True)


def open_streams() -> None:
    """Reserve the descriptors of closed streams, so that no file gets them, and make standard error lenient."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free descriptor: this one
    if sys.stderr is None or isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = lenient_stderr(2)


def ending_signals() -> list[signal.Signals]:
    """Return the signals that end the command after its clean-up: SIGTERM, and SIGHUP unless it is ignored (nohup)."""
    hang_up: signal.Signals | None = getattr(signal, "SIGHUP", None)
    if hang_up is None or signal.getsignal(hang_up) == signal.SIG_IGN:
        return [signal.SIGTERM]
    return [signal.SIGTERM, hang_up]
