"""Options of the application."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of the application.

    Attributes
    ----------
    file
        A file that the page opens first; it is read in place.
    token
        Secret that every request must carry; None if only this machine can connect.
    upload_bytes
        Largest size of an uploaded file.
    body_bytes
        Largest size of a request without a file.
    body_seconds
        Time in which a request must arrive; a large one gets more.
    body_rate
        Bytes per second at which a large request must arrive on average.
    kept_bytes
        Largest total size of uploaded files; the least recently used are deleted first.
    seconds
        Time limit of a request to the API.
    page_seconds
        Time limit of a page.
    memory_bytes
        The most memory of a worker process; files are read in such processes only.
    """

    file: Path | None = None
    token: str | None = None
    upload_bytes: int = 200 << 20
    body_bytes: int = 20 << 20
    body_seconds: float = 20.0
    body_rate: float = 64 << 10
    kept_bytes: int = 2 << 30
    seconds: float = 20.0
    page_seconds: float = 60.0
    memory_bytes: int = 2 << 30
