"""What pictures are drawn on: one style, and whole files or inline SVG with the same bytes for the same picture."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from bribeproof.errors import FileError, MissingPackageError
from bribeproof.io.atomic import write_whole
from bribeproof.plots.inline_svg import inline

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
    "axes.edgecolor": "#4d4d4d",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "axes.titley": 1.0,
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "hatch.linewidth": 0.6,
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
_LOCK = RLock()
"""The style of matplotlib is one for all threads: pictures are drawn one after the other."""
_MARGIN = 0.05
"""White space around an inline picture, in inches."""


def write_picture(draw: Callable[["Axes"], object], path: Path, size: tuple[float, float], *, extra: str) -> None:
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


def write_figure(draw: Callable[["Figure"], object], path: Path, size: tuple[float, float], *, extra: str) -> None:
    """Draw a figure of any number of axes into a file; as `write_picture`."""
    _check_ending(path)
    with _styled(extra):
        figure = _figure(size, layout="constrained")
        draw(figure)
        _write(figure, path)


def write(ax: "Axes", path: str | Path) -> None:
    """Write the figure that axes are part of to a file: whole or not at all, and the same bytes for the same picture.

    Parameters
    ----------
    ax : Axes
        What a picture function returned.
    path : str or Path
        The file, with one of `ENDINGS`.

    Raises
    ------
    FileError
        If its ending is unknown, or it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from bribeproof.plots import rule
    >>> from bribeproof.rules import majority
    >>> from bribeproof.theory import Panel
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rule.svg")
    ...     write(rule({"majority": majority(Panel(5))}), path)
    ...     path.read_text().count("majority")
    1
    """
    path = Path(path)
    _check_ending(path)
    figure = ax.get_figure(root=True)
    if figure is None:
        raise FileError(f"{path}: these axes are part of no figure; give what a picture function returned")
    with _styled("plots"):
        _write(figure, path)


def svg(draw: Callable[["Axes"], object], size: tuple[float, float], *, name: str, title: str) -> str:
    """Draw a picture as an ``<svg>`` element that can stand in a page.

    Text stays text. The element is as wide as what holds it, and has no styles of its own: it obeys the strictest
    content security policy.

    Parameters
    ----------
    draw : callable
        Draws on the axes that it is given.
    size : tuple of two floats
        Width and height in inches, which give the shape and how large text is beside the picture.
    name : str
        Begins the ids of this picture: another one for each picture of a page. Letters, digits and hyphens.
    title : str
        What the picture shows, for those who do not see it.

    Returns
    -------
    str
        The element; the same picture gives the same text.

    Raises
    ------
    ParameterError
        If the name can begin no id.
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> drawn = svg(lambda axes: axes.set_title("a < b"), (2, 2), name="line", title="A line")
    >>> drawn.startswith("<svg"), drawn.count("a &lt; b"), drawn.count('aria-label="A line"')
    (True, 1, 1)
    """
    buffer = StringIO()
    with _styled("plots"):
        figure = _figure(size)
        axes = figure.add_subplot()
        draw(axes)
        _fit(axes)
        figure.savefig(buffer, format="svg", metadata=_TIMELESS[".svg"])
    return inline(buffer.getvalue(), name=name, title=title)


@contextmanager
def drawing(ax: "Axes | None", size: tuple[float, float]) -> "Iterator[Axes]":
    """Give the axes to draw on: those given, untouched by our style, or those of a new figure in it.

    Parameters
    ----------
    ax : Axes or None
        The axes of a figure of the caller's, if any.
    size : tuple of two floats
        Width and height of a new figure in inches.
    """
    if ax is not None:
        yield ax
        return
    with _styled("plots"):
        axes = _figure(size, layout="constrained").add_subplot()
        # Ticks are made when they are drawn, which is when the style is no longer there.
        axes.tick_params(labelsize=_STYLE["font.size"], color=_STYLE["axes.edgecolor"])
        yield axes


@contextmanager
def _styled(extra: str) -> "Iterator[None]":
    """Set our style for one drawing, alone among all threads."""
    try:
        import matplotlib.figure
        import matplotlib.style
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"figures need {error.name}, which is not installed; run pip install 'bribeproof[{extra}]'"
        ) from None
    with _LOCK, matplotlib.style.context(dict(_STYLE), after_reset=True):
        yield


def _check_ending(path: Path) -> None:
    """Refuse a file of no known format."""
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"{path}: the ending {path.suffix!r} is unknown; use one of {', '.join(ENDINGS)}")


def _write(figure: "Figure", path: Path) -> None:
    """Write a figure, in our style."""
    ending, buffer = path.suffix.lower(), BytesIO()
    figure.savefig(buffer, format=ending[1:], dpi=300, metadata=_TIMELESS[ending])
    write_whole(path, lambda file: file.write(buffer.getvalue()))


def _figure(size: tuple[float, float], **options: Any) -> "Figure":
    """Make a figure that no window knows of."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, **options)


def _fit(axes: "Axes") -> None:
    """Let axes and all that stands around them fill the figure: in one pass, where matplotlib's layouts take two."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    legend = axes.get_legend()
    around = [*axes.texts, *([legend] if legend else [])]
    drawn, inner = axes.get_tightbbox(bbox_extra_artists=around), axes.get_window_extent()
    if drawn is None:
        return
    width, height = figure.bbox.width, figure.bbox.height
    margin = _MARGIN * figure.dpi
    left, below = inner.x0 - drawn.x0 + margin, inner.y0 - drawn.y0 + margin
    right, above = width - (drawn.x1 - inner.x1) - margin, height - (drawn.y1 - inner.y1) - margin
    if left < right and below < above:
        axes.set_position((left / width, below / height, (right - left) / width, (above - below) / height))
