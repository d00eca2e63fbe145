"""What the person who starts the page decides."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """How the page is served.

    Attributes
    ----------
    file
        A file that is shown from the start, read where it lies.
    token
        Whoever asks has to know it; None where only this machine can ask.
    upload_bytes
        The largest file that can be handed over.
    body_bytes
        The largest request without a file.
    kept_bytes
        So much is kept of uploaded files; what was not used for longest goes first.
    seconds
        A request to the API may take so long.
    """

    file: Path | None = None
    token: str | None = None
    upload_bytes: int = 200 << 20
    body_bytes: int = 20 << 20
    kept_bytes: int = 2 << 30
    seconds: float = 20.0
