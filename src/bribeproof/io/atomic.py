"""Files that are whole or not there: written beside the target, then given its name."""

import os
import secrets
import shutil
from collections.abc import Callable
from io import BufferedWriter
from pathlib import Path

from bribeproof.errors import FileError


def write_whole(path: str | Path, write: Callable[[BufferedWriter], object]) -> None:
    """Write a file so that it is whole, or what it was before.

    Parameters
    ----------
    path : str or Path
        The file; one that exists is replaced and keeps its permissions.
    write : callable
        Called with the open binary file; writes the content.

    Raises
    ------
    FileError
        If the file cannot be written. Whatever else `write` raises is handed on; nothing is changed then either.

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
    """Write to a new file beside the target, then give it the name of the target."""
    beside = target.with_name(f".bribeproof-{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
