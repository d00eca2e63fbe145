"""Shared elements of pictures: rows with names, bars, axis ranges and legends."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.plots.names import set_literal, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

MOST_MARKED = 40
"""Lines with more points than this have no markers."""
_SMALLEST = 3.0
"""Smallest font size of names, in points."""
_FEWEST = 3
"""Pictures of fewer rows than this have room for this many."""
_TWO_COLUMNS = 52
"""Legends with more letters than this side by side have one column instead of two."""
_ROW_FILL = 0.72
"""Largest height of a name, as a share of the height of its row."""


def check_most(most: object, largest: int, noun: str) -> None:
    """Raise an error unless a number of rows to plot is an integer from 1 to the largest."""
    if isinstance(most, bool) or not isinstance(most, int):
        raise ParameterTypeError(f"most={most!r}: draw 1 to {largest} {noun}")
    if not 1 <= most <= largest:
        raise ParameterError(f"most={most!r}: draw 1 to {largest} {noun}")


def set_integer_ticks(axis: Any) -> None:
    """Set few ticks on an axis, at whole numbers that are written in full."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def add_legend(axes: "Axes", entries: Sequence[tuple[Any, str]], *, beside: bool = False, longest: int = 40) -> None:
    """Add a legend below the axes and their label, in two columns if these are narrow.

    Parameters
    ----------
    axes : Axes
        The axes.
    entries : sequence of (artist, str)
        Artists and their descriptions.
    beside : bool, default False
        Whether the axes have names on the left: the legend then ends at the right end of the axes, and may extend
        below the names.
    longest : int, default 40
        Longest description, in letters.
    """
    from matplotlib.transforms import offset_copy

    texts = [shown(description, longest) for _, description in entries]
    half = (len(texts) + 1) // 2
    widths = [max(map(len, column), default=0) for column in (texts[:half], texts[half:])]
    drop = 3.6 * float(axes.xaxis.label.get_fontsize())
    below = offset_copy(axes.transAxes, fig=axes.get_figure(root=True), y=-drop, units="points")
    # The texts are set later, because matplotlib leaves out those that begin with an underscore.
    legend = axes.legend(
        [artist for artist, _ in entries], ["-"] * len(entries), loc="upper right" if beside else "upper center",
        bbox_to_anchor=(1.0 if beside else 0.5, 0.0), bbox_transform=below, borderaxespad=0.0, frameon=False,
        ncols=2 if sum(widths) <= _TWO_COLUMNS else 1,
    )  # fmt: skip
    for label, text in zip(legend.get_texts(), texts, strict=True):
        label.set_text(text)
    set_literal(legend.get_texts())


def label_rows(axes: "Axes", names: Sequence[object]) -> None:
    """Label rows with names, the first at the top, in a font that fits the height of a row."""
    pad = max(_FEWEST - len(names), 0) / 2
    axes.set_ylim(len(names) - 0.5 + pad, -0.5 - pad)
    figure = axes.get_figure(root=True)
    room = 72 * axes.bbox.height / (figure.dpi if figure else 72) / (len(names) + 2 * pad)
    size = float(axes.xaxis.label.get_fontsize())
    axes.tick_params(axis="y", length=0, labelsize=min(size, max(_ROW_FILL * room, _SMALLEST)))
    axes.set_yticks(range(len(names)), [shown(name) for name in names])
    set_literal(axes.get_yticklabels())
    # Spares matplotlib from placing an axis label that does not exist beside the names.
    axes.yaxis.set_label_coords(0, 0.5)


def draw_bars(
    axes: "Axes",
    positions: Iterable[float],
    low: Iterable[float],
    high: Iterable[float],
    *,
    height: float,
    **style: Any,
) -> "PolyCollection":
    """Draw horizontal bars from low to high values, as one collection for speed."""
    from matplotlib.collections import PolyCollection

    half = height / 2
    corners = [
        [(start, position - half), (end, position - half), (end, position + half), (start, position + half)]
        for position, start, end in zip(positions, low, high, strict=True)
    ]
    bars = PolyCollection(corners, **style)
    axes.add_collection(bars, autolim=False)
    return bars


def set_x_range(axes: "Axes", values: Iterable[float]) -> None:
    """Set the range of the x axis to the finite values and a margin; without any, remove its ticks."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        axes.set_xticks([])
        return
    margin = 0.05 * (max(finite) - min(finite)) or max(0.05 * abs(finite[0]), 0.5)
    axes.set_xlim(min(finite) - margin, max(finite) + margin)


def height(rows: int, *, row: float = 0.18, rest: float = 1.3) -> float:
    """Return the height in inches of a picture with a number of rows.

    Parameters
    ----------
    rows : int
        Number of rows.
    row : float, default 0.18
        Height of a row in inches.
    rest : float, default 1.3
        Height of everything else in inches.

    Returns
    -------
    float
        Height of the picture in inches.

    Examples
    --------
    >>> round(height(20), 2)
    4.9
    """
    return rest + row * max(rows, _FEWEST)
