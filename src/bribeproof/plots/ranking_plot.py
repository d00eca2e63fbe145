"""Rankings: which places bribes could have changed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bribeproof.arrays.api import SafeRanking
from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import BLACK, BLUE, GREEN, PALE, RED, SKY, bands, height, legend, rows, span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 4.4


def ranking(
    ranking: SafeRanking, names: Sequence[object], *, places: int = 3, most: int = 40, ax: "Axes | None" = None
) -> "Axes":
    """Draw a ranking by score, and which of its gaps the bribed cannot move an item across.

    Parameters
    ----------
    ranking : SafeRanking
        What `safe_ranking` returned.
    names : sequence
        The name of each item.
    places : int, default 3
        Places of the podium, which is shaded; 0 for none.
    most : int, default 40
        The largest number of items to draw, from the first place on. Items without an estimate are left out.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        Not as many names as items, a negative number of places, or `most` below 1.
    MissingPackageError
        If matplotlib is not installed.

    Notes
    -----
    theory.md §10, *Safe ranking*. A line between two items says that whatever k reporters do, none of those below comes
    to stand above any of those above it. Hatching between two neighbours is where their ranges overlap.

    Examples
    --------
    >>> from bribeproof.arrays.api import safe_ranking
    >>> found = safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1)
    >>> axes = ranking(found, ["Ann", "Ben", "Cem"], places=1)
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['1. Ann', '2. Ben', '3. Cem'], 'The first place is not safe')
    """
    if len(names) != len(ranking.rank):
        raise ParameterError(f"{len(names)} names for {len(ranking.rank)} items: give one for each")
    if places < 0 or most < 1:
        raise ParameterError(f"places={places!r}, most={most!r}: give at least 0 places, and at least 1 item to draw")
    ranked = np.flatnonzero(ranking.rank > 0)
    order = ranked[np.argsort(ranking.rank[ranked], kind="stable")]
    drawn, places = order[:most], min(places, len(order))
    low, high = ranking.low[drawn], ranking.high[drawn]
    with drawing(ax, (_WIDTH, height(len(drawn), row=0.21))) as axes:
        on_podium = int(np.count_nonzero(ranking.rank[drawn] <= places))
        podium = axes.axhspan(-0.5, on_podium - 0.5, color=PALE, zorder=0, linewidth=0) if places else None
        bars = bands(
            axes, range(len(drawn)), low, high, height=0.3, facecolor=SKY, edgecolor=BLUE, linewidth=0.6, zorder=2
        )
        (dots,) = axes.plot(
            ranking.estimate[drawn], range(len(drawn)), linestyle="", marker="o", color=BLACK, markersize=3.5, zorder=3
        )
        entries = [(dots, "estimate"), (bars, "range that k bribed reach")]
        unsafe = [place for place in range(len(drawn) - 1) if low[place] <= high[place + 1]]
        overlaps = bands(
            axes, [place + 0.5 for place in unsafe], low[unsafe], high[[place + 1 for place in unsafe]],
            height=0.7, facecolor="none", edgecolor=RED, hatch="/////", linewidth=0.8, zorder=1,
        )  # fmt: skip
        falls = np.maximum.accumulate(ranking.worst_rank[order])
        safe = [place for place in range(len(drawn) - 1) if falls[place] <= place + 1]
        beside = axes.get_yaxis_transform()
        lines = axes.hlines([place + 0.5 for place in safe], 0, 1, transform=beside, color=GREEN, linewidth=1.4)
        entries += [(lines, "safe gap")] * bool(safe) + [(overlaps, "order not safe")] * bool(unsafe)
        rows(axes, [f"{ranking.rank[item]}. {names[item]}" for item in drawn])
        span(axes, [*low, *high])
        axes.set_xlabel("Score")
        if not len(order):
            axes.set_title("No item has an estimate", loc="right")
        elif places:
            what = "The first place" if places == 1 else f"The first {places} places"
            safe_top = ranking.safe_top(places)
            axes.set_title(f"{what} {'is' if places == 1 else 'are'} {'' if safe_top else 'not '}safe", loc="right")
        if podium is not None:
            entries.append((podium, "podium"))
        legend(axes, entries, beside=True)
    return axes
