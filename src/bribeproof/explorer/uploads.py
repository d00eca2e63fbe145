"""Files that were handed to the page: kept in a temporary folder, named by what is in them."""

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path, PurePath
from threading import Lock
from typing import BinaryIO

from bribeproof.errors import FileError

EXAMPLES = {
    "judges": "six entries, five judges, one of them generous to a friend",
    "votes": "eight photographs, seven voters: cat or dog?",
}
"""Small sheets of our own, and what they hold."""
_FOLDER = Path(__file__).parent / "examples"
_CHUNK = 1 << 20
_FILE = "file"
"""The key of the file that the page was started with."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that can be looked into.

    Attributes
    ----------
    key
        What it is called in addresses: a digest of its content and ending, so that the same file is the same address.
    name
        What its owner calls it.
    path
        Where it lies.
    """

    key: str
    name: str
    path: Path


class Uploads:
    """Uploaded files, at most so many bytes of them, and the file that the page was started with.

    Parameters
    ----------
    folder
        Where they are kept. Nobody else writes there.
    most_bytes
        When there is more, the files that were not used for longest go. The last one stays, however large.
    file
        A file of the user's own, which is read where it lies.
    """

    def __init__(self, folder: Path, most_bytes: int, file: Path | None = None) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._file = None if file is None else Upload(_FILE, file.name, file)
        self._sheets: dict[str, Upload] = {}
        self._lock = Lock()

    @property
    def first(self) -> Upload | None:
        """The file that the page was started with."""
        return self._file

    def add(self, name: str, source: BinaryIO) -> Upload:
        """Keep a file.

        Parameters
        ----------
        name
            What its owner calls it; the ending says what it is, and nothing else of it becomes part of a path.
        source
            Its content.
        """
        ending = PurePath(name).suffix.lower()
        ending = ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 10 else ""
        beside = self._folder / f"{secrets.token_hex(8)}.part"
        found = hashlib.sha256(ending.encode())
        try:
            with beside.open("xb") as file:
                while chunk := source.read(_CHUNK):
                    found.update(chunk)
                    file.write(chunk)
            key = found.hexdigest()[:20]
            sheet = Upload(key, name or "upload", self._folder / f"{key}{ending}")
            beside.replace(sheet.path)
        except OSError as error:
            raise FileError(f"{name}: cannot be kept ({error.strerror or error}); make room and try again") from None
        finally:
            beside.unlink(missing_ok=True)
        with self._lock:
            self._sheets.pop(key, None)
            self._sheets[key] = sheet
            self._forget()
        return sheet

    def get(self, key: str) -> Upload:
        """Return a file, or one of our examples, by its key.

        Raises
        ------
        FileError
            If it is not, or no longer, here.
        """
        if key in EXAMPLES:
            return Upload(key, f"{key}.csv", _FOLDER / f"{key}.csv")
        with self._lock:
            if key == _FILE and self._file is not None:
                return self._file
            if key not in self._sheets:
                raise FileError("this file is not, or no longer, kept here: hand it over again")
            sheet = self._sheets[key] = self._sheets.pop(key)
            return sheet

    def _forget(self) -> None:
        """Delete what was not used for longest until the rest is small enough."""
        sizes = {key: sheet.path.stat().st_size for key, sheet in self._sheets.items()}
        while len(sizes) > 1 and sum(sizes.values()) > self._most_bytes:
            oldest = next(iter(sizes))
            del sizes[oldest]
            self._sheets.pop(oldest).path.unlink(missing_ok=True)
