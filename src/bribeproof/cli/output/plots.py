"""Pictures of answers: the file is checked before any work, and written last."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.errors import FileError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def check_picture(picture: Path, file: Path | None = None, option: str = "--plot") -> None:
    """Refuse, before any work, a picture that cannot be written or would destroy the input.

    Raises
    ------
    FileError
        If its ending is unknown, there is no such folder, or it is the file that is read.
    """
    from bribeproof.plots import ENDINGS

    if picture.suffix.lower() not in ENDINGS:
        raise FileError(f"{option} {picture}: name it .png, .svg or .pdf, which chooses the format")
    if not picture.parent.is_dir():
        raise FileError(f"{option} {picture}: there is no folder {picture.parent}")
    if file is not None and picture.exists() and file.exists() and picture.samefile(file):
        raise FileError(f"{option} {picture}: this is the file that is read; give the picture another name")


def write_picture(draw: Callable[[], "Axes"], picture: Path, what: str) -> str:
    """Draw a picture into a file, and return what to say about it.

    Raises
    ------
    FileError
        If the file cannot be written.
    MissingPackageError
        If matplotlib is not installed.
    """
    from bribeproof.plots import write

    write(draw(), picture)
    return f"drew {what} into {picture}"
