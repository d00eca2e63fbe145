"""Write a file completely or not at all: to a temporary file, which then replaces the target."""

import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

from bribeproof.errors import FileError


def write_whole(path: str | Path, write: Callable[[BufferedWriter], object]) -> None:
    """Write a file completely, or leave it unchanged.

    Parameters
    ----------
    path : str or Path
        The file; one that exists is replaced and keeps its permissions.
    write : callable
        Function that writes the content to the open binary file that it is given.

    Raises
    ------
    FileError
        If the file cannot be written. Other errors of `write` are raised unchanged; the file is unchanged then too.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "page.txt"), lambda file: file.write(b"whole"))
    ...     [page.name for page in Path(folder).iterdir()]
    ['page.txt']
    """
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            raise OSError("it is no ordinary file")
        _replace(target, write)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be written ({error.strerror or error}); nothing was changed") from None


def _replace(target: Path, write: Callable[[BufferedWriter], object]) -> None:
    """Write a temporary file in the folder of the target, then rename it to the target."""
    temporary = target.with_name(f".bribeproof-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # the target is new, or somebody has just removed it
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
