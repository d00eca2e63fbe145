"""Uploaded files: kept in a temporary folder and identified by a digest of their content."""

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path, PurePath
from threading import Lock
from typing import BinaryIO

from bribeproof.errors import FileError

EXAMPLES = frozenset({"judges", "moderation", "models"})
"""Keys of the files that come with the package."""
_FOLDER = Path(__file__).parents[1] / "examples"
_CHUNK = 1 << 20
_FILE = "file"
"""Key of the file named on the command line."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that the pages can open.

    Attributes
    ----------
    key
        Its name in addresses: a digest of its content and ending, so that the same file has the same address.
    name
        The name that the user knows.
    path
        The path on this machine.
    """

    key: str
    name: str
    path: Path


class Uploads:
    """Store of uploaded files, limited in size, and of the file named on the command line.

    Parameters
    ----------
    folder
        Folder of the uploaded files; nothing else writes there.
    max_bytes
        Largest total size; the least recently used files are deleted first. The last file stays, however large.
    file
        The file named on the command line, which is read in place.
    """

    def __init__(self, folder: Path, max_bytes: int, file: Path | None = None) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._file = None if file is None else Upload(_FILE, file.name, file)
        self._uploads: dict[str, Upload] = {}
        self._lock = Lock()

    @property
    def initial(self) -> Upload | None:
        """The file named on the command line; None without one."""
        return self._file

    def add(self, name: str, source: BinaryIO) -> Upload:
        """Store a file.

        Parameters
        ----------
        name
            The name that the user knows. Its ending says the format; nothing else of it becomes part of a path.
        source
            The content.
        """
        ending = PurePath(name).suffix.lower()
        ending = ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 10 else ""
        partial = self._folder / f"{secrets.token_hex(8)}.part"
        digest = hashlib.sha256(ending.encode())
        try:
            with partial.open("xb") as file:
                while chunk := source.read(_CHUNK):
                    digest.update(chunk)
                    file.write(chunk)
            key = digest.hexdigest()[:20]
            upload = Upload(key, name or "upload", self._folder / f"{key}{ending}")
            partial.replace(upload.path)
        except OSError as error:
            raise FileError(
                f"{name}: cannot be stored ({error.strerror or error}); free some disk space and try again"
            ) from None
        finally:
            partial.unlink(missing_ok=True)
        with self._lock:
            self._uploads.pop(key, None)
            self._uploads[key] = upload
            self._evict()
        return upload

    def get(self, key: str) -> Upload:
        """Return a file by its key, or an example by its name.

        Raises
        ------
        FileError
            If there is no such file, or it was deleted.
        """
        if key in EXAMPLES:
            return Upload(key, f"{key}.csv", _FOLDER / f"{key}.csv")
        with self._lock:
            if key == _FILE and self._file is not None:
                return self._file
            if key not in self._uploads:
                raise FileError("this file is no longer stored: upload it again")
            upload = self._uploads[key] = self._uploads.pop(key)
            return upload

    def _evict(self) -> None:
        """Delete the least recently used files until the rest is small enough."""
        sizes = {key: upload.path.stat().st_size for key, upload in self._uploads.items()}
        while len(sizes) > 1 and sum(sizes.values()) > self._max_bytes:
            oldest = next(iter(sizes))
            del sizes[oldest]
            self._uploads.pop(oldest).path.unlink(missing_ok=True)
