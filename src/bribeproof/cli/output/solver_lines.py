"""Keep the lines that the solver of integer programs prints, which no option of it turns off, out of the answer."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def solver_lines_to_stderr() -> Iterator[None]:
    """Send what libraries in C print to standard output to standard error instead."""
    try:
        kept = os.dup(1)
    except OSError:  # standard output is closed
        yield
        return
    sys.stdout.flush()
    try:
        os.dup2(2, 1)
        yield
    finally:
        with suppress(AttributeError, OSError, TypeError):  # where C's library is not found by this name
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
