"""Temporary folders, which are removed at the end, or by the next one if the process was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "bribeproof-"
_LOCK = "lock"
"""Name of a file in each folder that its process keeps locked; the system unlocks it when the process ends."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Create a temporary folder, and remove those that killed processes of this user have left.

    Yields
    ------
    Path
        An empty folder, readable by this user only.

    Examples
    --------
    >>> with scratch_folder() as folder:
    ...     folder.parent.name.startswith("bribeproof-"), list(folder.iterdir())
    (True, [])
    >>> folder.exists()
    False
    """
    sweep()
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name, _locked(Path(name)):
        folder = Path(name, "files")
        folder.mkdir()
        yield folder


def sweep() -> None:
    """Remove the temporary folders of processes of this user that have ended without doing so."""
    if not hasattr(os, "getuid"):  # Windows, where they are not swept
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            with (folder / _LOCK).open("rb") as file:
                if _lock(file.fileno()):
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep the lock of a folder; it gets its name only after it is locked, so that nobody else locks it before."""
    new = folder / f"new-{_LOCK}"
    with new.open("xb") as file:
        if _lock(file.fileno()):
            new.rename(folder / _LOCK)
        yield


def _lock(descriptor: int) -> bool:
    """Lock a file; return whether no other process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
