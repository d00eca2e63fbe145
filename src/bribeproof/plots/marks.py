"""What pictures have in common: lines that grey paper tells apart, rows with names, and legends that hide nothing."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bribeproof.plots.names import as_typed, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

# Okabe and Ito's colours that stay apart for the colour-blind.
BLUE, RED, GREEN, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
BLACK, GREY, LIGHT, PALE = "#000000", "#7f7f7f", "#cfcfcf", "#ececec"
_LOOKS = ((BLACK, "o"), (BLUE, "s"), (RED, "^"), (GREEN, "D"), (PURPLE, "v"), (SKY, "p"), (GREY, "P"))
_DASHES = ("-", "--", "-.", ":")
MOST_MARKED = 40
"""Lines of more points have no marks."""
_SMALLEST = 3.0
"""No name is smaller than this, in points."""
_FEWEST = 3
"""Fewer rows than this are as high as so many."""
_TWO_COLUMNS = 52
"""Legends whose two columns have more letters side by side have one."""
_ROW_FILL = 0.72
"""How much of a row's height its name takes at most."""


def look(place: int) -> dict[str, Any]:
    """Return the colour, the mark and the dash of one of several lines; marks are filled when they come again."""
    times, (colour, mark) = place // len(_LOOKS), _LOOKS[place % len(_LOOKS)]
    dash = _DASHES[(place + times) % len(_DASHES)]
    return {"color": colour, "marker": mark, "linestyle": dash, "markerfacecolor": colour if times % 2 else "none"}


def whole_numbers(axis: Any) -> None:
    """Have an axis show whole numbers only, in full, with few ticks."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def legend(axes: "Axes", entries: Sequence[tuple[Any, str]], *, beside: bool = False, longest: int = 40) -> None:
    """Put a legend below the axes and their label, where it hides nothing; in two columns if they are narrow.

    Parameters
    ----------
    axes : Axes
        Where to put it.
    entries : sequence of (artist, str)
        Marks and what they stand for.
    beside : bool, default False
        Whether names stand left of the axes: then it ends where the axes end, and may begin below the names.
    longest : int, default 40
        Texts are cut to so many letters.
    """
    from matplotlib.transforms import offset_copy

    texts = [shown(said, longest) for _, said in entries]
    half = (len(texts) + 1) // 2
    widths = [max(map(len, column), default=0) for column in (texts[:half], texts[half:])]
    drop = 3.6 * float(axes.xaxis.label.get_fontsize())
    below = offset_copy(axes.transAxes, fig=axes.get_figure(root=True), y=-drop, units="points")
    # The texts come later: matplotlib leaves out those that begin with an underscore.
    made = axes.legend(
        [mark for mark, _ in entries], ["-"] * len(entries), loc="upper right" if beside else "upper center",
        bbox_to_anchor=(1.0 if beside else 0.5, 0.0), bbox_transform=below, borderaxespad=0.0, frameon=False,
        ncols=2 if sum(widths) <= _TWO_COLUMNS else 1,
    )  # fmt: skip
    for text, said in zip(made.get_texts(), texts, strict=True):
        text.set_text(said)
    as_typed(made.get_texts())


def rows(axes: "Axes", names: Sequence[object]) -> None:
    """Give each row its name, the first one at the top; low rows have smaller names."""
    pad = max(_FEWEST - len(names), 0) / 2
    axes.set_ylim(len(names) - 0.5 + pad, -0.5 - pad)
    figure = axes.get_figure(root=True)
    room = 72 * axes.bbox.height / (figure.dpi if figure else 72) / (len(names) + 2 * pad)
    size = float(axes.xaxis.label.get_fontsize())
    axes.tick_params(axis="y", length=0, labelsize=min(size, max(_ROW_FILL * room, _SMALLEST)))
    axes.set_yticks(range(len(names)), [shown(name) for name in names])
    as_typed(axes.get_yticklabels())
    # There is no label beside the names whose place would have to be found.
    axes.yaxis.set_label_coords(0, 0.5)


def bands(
    axes: "Axes", places: Iterable[float], low: Iterable[float], high: Iterable[float], *, height: float, **look: Any
) -> "PolyCollection":
    """Draw a bar in each row, from a low to a high value, all as one: that is quick."""
    from matplotlib.collections import PolyCollection

    half = height / 2
    corners = [
        [(start, place - half), (end, place - half), (end, place + half), (start, place + half)]
        for place, start, end in zip(places, low, high, strict=True)
    ]
    drawn = PolyCollection(corners, **look)
    axes.add_collection(drawn, autolim=False)
    return drawn


def span(axes: "Axes", values: Iterable[float]) -> None:
    """Have the x axis reach over all values that are finite, with some room at its ends; without any it is empty."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        axes.set_xticks([])
        return
    room = 0.05 * (max(known) - min(known)) or max(0.05 * abs(known[0]), 0.5)
    axes.set_xlim(min(known) - room, max(known) + room)


def height(rows: int, *, row: float = 0.18, rest: float = 1.3) -> float:
    """Return how high a picture of so many rows should be, in inches.

    Examples
    --------
    >>> round(height(20), 2)
    4.9
    """
    return rest + row * max(rows, _FEWEST)
