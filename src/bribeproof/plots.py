"""Pictures: one style, one way to write them, whole or not at all, and the same bytes for the same picture."""

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.data.whole_files import write_whole
from bribeproof.errors import FileError, MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Per format, what keeps the time of writing out of the file.
_TIMELESS: Mapping[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
ENDINGS = tuple(_TIMELESS)
"""The endings of files that a picture can be written to."""
_STYLE: Mapping[str, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "font.size": 8,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    # Text stays text and the same figure gives the same bytes.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "bribeproof",
}


def write_picture(draw: Callable[["Axes"], None], path: Path, size: tuple[float, float], *, extra: str) -> None:
    """Draw into a file in the library's style, whatever the reader's settings are; those are left as they are.

    Parameters
    ----------
    draw : callable
        Draws on the axes that it is given.
    path : Path
        The file, with one of `ENDINGS`.
    size : tuple of two floats
        Width and height in inches.
    extra : str
        The extra of this package that brings matplotlib.

    Raises
    ------
    FileError
        If its ending is unknown, or it cannot be written.
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "line.svg")
    ...     write_picture(lambda axes: axes.set_title("A line"), path, (2, 2), extra="plots")
    ...     path.read_text().count("A line")
    1
    """
    write_figure(lambda figure: draw(figure.add_subplot()), path, size, extra=extra)


def write_figure(draw: Callable[["Figure"], None], path: Path, size: tuple[float, float], *, extra: str) -> None:
    """Draw a figure of any number of axes into a file; as `write_picture`."""
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"{path}: the ending {path.suffix!r} is unknown; use one of {', '.join(ENDINGS)}")
    try:
        import matplotlib.style
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"figures need {error.name}, which is not installed; run pip install 'bribeproof[{extra}]'"
        ) from None
    ending = path.suffix.lower()
    buffer = BytesIO()
    with matplotlib.style.context(dict(_STYLE), after_reset=True):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        figure.savefig(buffer, format=ending[1:], dpi=300, metadata=_TIMELESS[ending])
    write_whole(path, lambda file: file.write(buffer.getvalue()))
