"""Draw figures in one style, and write them as files or inline SVG with the same bytes for the same picture."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from bribeproof._optional import require
from bribeproof.errors import FileError
from bribeproof.io.atomic import write_whole
from bribeproof.plots.inline_svg import to_inline_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# For each file ending, the metadata that keep the time of writing out of the file.
_TIMELESS: Mapping[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
ENDINGS = tuple(_TIMELESS)
"""File endings that a picture can be written to, which choose the format."""
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
"""Threads share the style settings of matplotlib, so pictures are drawn one after the other."""
_MARGIN = 0.05
"""White space around an inline picture, in inches."""


def write_figure(draw: Callable[["Figure"], object], path: Path, size: tuple[float, float]) -> None:
    """Draw a new figure in the library's style and write it to a file.

    The matplotlib settings of the user have no effect on it, and are not changed.

    Parameters
    ----------
    draw : callable
        Function that adds axes to the figure that it is given, and draws on them.
    path : Path
        The file, with one of `ENDINGS`. It is written completely or not at all.
    size : tuple of two floats
        Width and height in inches.

    Raises
    ------
    FileError
        The ending is unknown, or the file cannot be written.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "line.svg")
    ...     write_figure(lambda figure: figure.add_subplot().set_title("A line"), path, (2, 2))
    ...     path.read_text().count("A line")
    1
    """
    _check_ending(path)
    with _styled():
        figure = _figure(size, layout="constrained")
        draw(figure)
        _write(figure, path)


def write(ax: "Axes", path: str | Path) -> None:
    """Write the figure of some axes to a file.

    The file is written completely or not at all, and the same picture gives the same bytes.

    Parameters
    ----------
    ax : Axes
        Axes that a plot function returned.
    path : str or Path
        The file, with one of `ENDINGS`.

    Raises
    ------
    FileError
        The ending is unknown, the file cannot be written, or the axes have no figure.

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
        raise FileError(f"{path}: these axes have no figure; give axes that a plot function returned")
    with _styled():
        _write(figure, path)


def svg(draw: Callable[["Axes"], object], size: tuple[float, float], *, name: str, title: str) -> str:
    """Return a picture as an ``<svg>`` element for an HTML page.

    Text remains text. The element is as wide as its container, and has neither styles nor scripts, so that it works
    under the strictest content security policy.

    Parameters
    ----------
    draw : callable
        Function that draws on the axes that it is given.
    size : tuple of two floats
        Width and height in inches, which set the aspect ratio, and the size of text relative to the picture.
    name : str
        Prefix of the ids in the element, unique to each picture of a page: letters, digits and hyphens, a letter first.
    title : str
        Description of the picture for screen readers.

    Returns
    -------
    str
        The element; the same picture gives the same text.

    Raises
    ------
    ParameterError
        The name is not a valid prefix of ids.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> drawn = svg(lambda axes: axes.set_title("a < b"), (2, 2), name="line", title="A line")
    >>> drawn.startswith("<svg"), drawn.count("a &lt; b"), drawn.count('aria-label="A line"')
    (True, 1, 1)
    """
    buffer = StringIO()
    with _styled():
        figure = _figure(size)
        axes = figure.add_subplot()
        draw(axes)
        _fit(axes)
        figure.savefig(buffer, format="svg", metadata=_TIMELESS[".svg"])
    return to_inline_svg(buffer.getvalue(), name=name, title=title)


@contextmanager
def drawing(ax: "Axes | None", size: tuple[float, float]) -> "Iterator[Axes]":
    """Yield the axes to draw on: the given ones in their own style, or those of a new figure in the library's style.

    Parameters
    ----------
    ax : Axes or None
        Axes of the caller; None for a new figure.
    size : tuple of two floats
        Width and height of a new figure in inches.
    """
    if ax is not None:
        yield ax
        return
    with _styled():
        axes = _figure(size, layout="constrained").add_subplot()
        # Ticks are created when the figure is rendered, when the style no longer applies.
        axes.tick_params(labelsize=_STYLE["font.size"], color=_STYLE["axes.edgecolor"])
        yield axes


@contextmanager
def _styled() -> "Iterator[None]":
    """Apply the library's style while one picture is drawn, in one thread at a time."""
    require("a plot", "matplotlib")
    import matplotlib.style

    with _LOCK, matplotlib.style.context(dict(_STYLE), after_reset=True):
        yield


def _check_ending(path: Path) -> None:
    """Raise FileError unless the ending of a file chooses a known format."""
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"{path}: the ending {path.suffix!r} is unknown; use one of {', '.join(ENDINGS)}")


def _write(figure: "Figure", path: Path) -> None:
    """Render a figure in memory, then write the file as a whole."""
    ending, buffer = path.suffix.lower(), BytesIO()
    figure.savefig(buffer, format=ending[1:], dpi=300, metadata=_TIMELESS[ending])
    write_whole(path, lambda file: file.write(buffer.getvalue()))


def _figure(size: tuple[float, float], **options: Any) -> "Figure":
    """Return a figure that is not registered with pyplot."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, **options)


def _fit(axes: "Axes") -> None:
    """Make axes with their labels and legend fill the figure, in one pass where matplotlib's layouts take two."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    legend = axes.get_legend()
    artists = [*axes.texts, *([legend] if legend else [])]
    outer, inner = axes.get_tightbbox(bbox_extra_artists=artists), axes.get_window_extent()
    if outer is None:
        return
    width, height = figure.bbox.width, figure.bbox.height
    margin = _MARGIN * figure.dpi
    left, below = inner.x0 - outer.x0 + margin, inner.y0 - outer.y0 + margin
    right, above = width - (outer.x1 - inner.x1) - margin, height - (outer.y1 - inner.y1) - margin
    if left < right and below < above:
        axes.set_position((left / width, below / height, (right - left) / width, (above - below) / height))
