"""Emit warnings that name the caller's line, or record them for a caller that shows them itself."""

import inspect
import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path

from bribeproof.errors import BribeproofWarning

_PACKAGE = str(Path(__file__).parent) + os.sep
_RECORD: ContextVar[list[str] | None] = ContextVar("record", default=None)
_NOTES: ContextVar[list[str] | None] = ContextVar("notes", default=None)
_COPIES: ContextVar[list[str] | None] = ContextVar("copies", default=None)


def warn(message: str) -> None:
    """Emit a `BribeproofWarning` at the line outside the package that called it, or record it.

    Parameters
    ----------
    message
        One sentence.
    """
    copies = _COPIES.get()
    if copies is not None and message not in copies:
        copies.append(message)
    record = _RECORD.get()
    if record is None:
        warnings.warn(message, BribeproofWarning, stacklevel=_caller_level())
    elif message not in record:
        record.append(message)


def note(message: str) -> None:
    """Record what was done to ordinary input; nothing is emitted where nobody records it.

    Parameters
    ----------
    message
        One sentence.
    """
    notes = _NOTES.get()
    if notes is not None and message not in notes:
        notes.append(message)


def record_notes() -> AbstractContextManager[list[str]]:
    """Record the messages of `note`, each once; warnings are emitted as ever.

    Returns
    -------
    context manager of a list of str
        The messages so far; it grows while the context is open.

    Examples
    --------
    >>> with record_notes() as messages:
    ...     note("taken as missing: 'absent' (2 reports)")
    >>> messages
    ["taken as missing: 'absent' (2 reports)"]
    """
    return _recording(_NOTES)


def copy_messages() -> AbstractContextManager[list[str]]:
    """Record the messages of notes and warnings, each once; warnings are emitted as ever.

    Returns
    -------
    context manager of a list of str
        The messages so far; it grows while the context is open.
    """
    return _recording(_NOTES, _COPIES)


def record_warnings() -> AbstractContextManager[list[str]]:
    """Record the messages of warnings and notes, each once, instead of emitting them.

    Other threads, and the warning filters of the process, are not affected.

    Returns
    -------
    context manager of a list of str
        The messages so far; it grows while the context is open.

    Examples
    --------
    >>> with record_warnings() as messages:
    ...     warn("2 repeats collapsed")
    >>> messages
    ['2 repeats collapsed']
    """
    return _recording(_NOTES, _RECORD)


@contextmanager
def _recording(*variables: ContextVar[list[str] | None]) -> Iterator[list[str]]:
    """Set context variables to one list of messages, and back at the end."""
    messages: list[str] = []
    tokens = [(variable, variable.set(messages)) for variable in variables]
    try:
        yield messages
    finally:
        for variable, token in tokens:
            variable.reset(token)


def _caller_level() -> int:
    """Return the stack level, as `warn` counts it, of the first frame outside the package."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    # Where every frame is the package's own, as in the command, its outermost one is named.
    return level if frame is not None else level - 1
