"""Check the file of a picture before any work, and draw the picture last."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.errors import FileError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def check_picture(picture: Path, *files: Path, option: str = "--plot") -> None:
    """Refuse a picture file that cannot be written or would overwrite one of the input files.

    Raises
    ------
    FileError
        If its ending is unknown, its folder does not exist, or it is an input file.
    """
    from bribeproof.plots import ENDINGS

    if picture.suffix.lower() not in ENDINGS:
        raise FileError(f"{option} {picture}: its ending must be .png, .svg or .pdf")
    if not picture.parent.is_dir():
        raise FileError(f"{option} {picture}: there is no folder {picture.parent}")
    if picture.exists() and any(file.exists() and picture.samefile(file) for file in files):
        raise FileError(f"{option} {picture}: this is the input file; choose another name")


def write_picture(draw: Callable[[], "Axes"], picture: Path, what: str) -> str:
    """Draw a picture into a file, and return a note for the user.

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
