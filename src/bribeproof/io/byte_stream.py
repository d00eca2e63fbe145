"""Read the bytes of a file or of standard input in blocks, each byte once."""

from __future__ import annotations

import itertools
import os
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class ByteSource:
    """An open file that is checked for changes while it is read.

    Parameters
    ----------
    file : binary file
        The open file.
    name : str
        Its name in messages.
    path : Path, optional
        Its path.

    Attributes
    ----------
    regular : bool
        Whether it is a regular file, not standard input or a pipe.
    done : float or None
        The share of it that has been read; None if its length is unknown.
    """

    def __init__(self, file: BinaryIO, name: str, path: Path | None = None) -> None:
        self.file = file
        self.name = name
        self.path = path
        state = os.fstat(file.fileno()) if path else None
        self._before = state if state and stat.S_ISREG(state.st_mode) else None
        self.regular = self._before is not None
        self.done: float | None = None

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yield the rest of the file in blocks of `size` bytes; the last may be shorter."""
        while block := self._read(size):
            yield block

    def check(self, *, by_path: bool = False) -> None:
        """Raise an error if the file, or with `by_path` the file at its path, has changed since it was opened."""
        if self._before is None or self.path is None:
            return
        try:
            now = self.path.stat() if by_path else os.fstat(self.file.fileno())
        except OSError:
            now = None
        if now is None or _stamp(now) != _stamp(self._before):
            raise FileError(f"{self.name}: changed while it was read; read it again when it is complete")

    def _read(self, size: int) -> bytes:
        """Read one block, and check that the file has not changed."""
        with _readable(self.name):
            block = self.file.read(size)
        self.check()
        if self._before and self._before.st_size:
            self.done = self.file.tell() / self._before.st_size
        return block


@contextmanager
def open_source(path: str | Path) -> Iterator[ByteSource]:
    """Open a file, or standard input for "-", which is not closed afterwards.

    Parameters
    ----------
    path : str or Path
        The file.

    Yields
    ------
    ByteSource
        The open file.

    Raises
    ------
    FileError
        If it cannot be opened.
    """
    if str(path) == "-":
        if sys.stdin is None:
            raise FileError("standard input is closed; give a file, or send it to the command through a pipe")
        yield ByteSource(sys.stdin.buffer, "standard input")
        return
    with _readable(str(path)):
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; only the opening is guarded here
    with file:
        yield ByteSource(file, str(path), Path(path).absolute())


def peek(blocks: Iterable[bytes], enough: Callable[[bytes], bool]) -> tuple[bytes, Iterator[bytes]]:
    """Look at the first blocks without consuming them.

    Parameters
    ----------
    blocks : iterable of bytes
        The text.
    enough : callable
        Function of the bytes seen so far that returns whether they suffice.

    Returns
    -------
    tuple of (bytes, iterator of bytes)
        The bytes that were looked at, and all blocks from the first.

    Examples
    --------
    >>> seen, blocks = peek([b"ab", b"c", b"de"], lambda seen: len(seen) > 2)
    >>> seen, list(blocks)
    (b'abc', [b'ab', b'c', b'de'])
    """
    rest = iter(blocks)
    taken: list[bytes] = []
    seen = b""
    for block in rest:
        taken.append(block)
        seen += block
        if enough(seen):
            break
    return seen, itertools.chain(taken, rest)


def _stamp(state: os.stat_result) -> tuple[int, ...]:
    """Return values that change when a file is written or replaced."""
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Convert errors of the operating system to a `FileError`."""
    try:
        yield
    except FileNotFoundError:
        raise FileError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise FileError(f"{name}: this is a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
