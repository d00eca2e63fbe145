"""Plot a ranking, and the places that bribes could have changed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import IntArray
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, draw_bars, height, label_rows, set_x_range
from bribeproof.plots.palette import OVERLAP, REACH, SAFE, SEEN, ZONE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 4.4


def ranking(
    ranking: SafeRanking, names: Sequence[object], *, places: int = 3, most: int = 40, ax: "Axes | None" = None
) -> "Axes":
    """Plot a ranking by score, and the gaps that no item moves across, whichever k of its reporters are bribed.

    Parameters
    ----------
    ranking : SafeRanking
        The result of `bribeproof.safe_ranking`.
    names : sequence
        The name of each item.
    places : int, default 3
        Number of places on the podium, which is shaded; 0 for none.
    most : int, default 40
        Largest number of items to plot, from the first place on. Items without an estimate are left out.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        Different numbers of names and items, a negative number of places, or `most` below 1.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §10, *Safe ranking*. A blue line between two items means that no item below the line overtakes an
    item above it, whatever any k reporters of each item do. Hatching between two neighbours marks where their ranges
    overlap: others bribed on each item could change their order, the same ones on all perhaps not.

    Examples
    --------
    >>> from bribeproof.arrays.ranking import safe_ranking
    >>> ranks = safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1)
    >>> axes = ranking(ranks, ["Ann", "Ben", "Cem"], places=1)
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['1. Ann', '2. Ben', '3. Cem'], 'The first place is not safe')
    """
    if len(names) != len(ranking.rank):
        raise ParameterError(f"{len(names)} names for {len(ranking.rank)} items: give one for each")
    if places < 0 or most < 1:
        raise ParameterError(f"places={places!r}, most={most!r}: give at least 0 places, and at least 1 item to plot")
    ranked = np.flatnonzero(ranking.rank > 0)
    order = ranked[np.argsort(ranking.rank[ranked], kind="stable")]
    drawn, places = order[:most], min(places, len(order))
    low, high = ranking.low[drawn], ranking.high[drawn]
    with drawing(ax, (_WIDTH, height(len(drawn), row=0.21))) as axes:
        on_podium = int(np.count_nonzero(ranking.rank[drawn] <= places))
        podium = axes.axhspan(-0.5, on_podium - 0.5, linewidth=0, **ZONE) if places else None
        bars = draw_bars(axes, range(len(drawn)), low, high, height=0.3, linewidth=0.6, zorder=2, **REACH)
        (dots,) = axes.plot(ranking.estimate[drawn], range(len(drawn)), linestyle="", markersize=3.5, zorder=3, **SEEN)
        entries = [(dots, "estimate"), (bars, "range that k bribed reach")]
        # Two neighbours overlap from the worst score of the upper one to the best of the lower one.
        starts, ends = (low[:-1], high[1:]) if ranking.better == "high" else (low[1:], high[:-1])
        unsafe = np.flatnonzero(starts < ends)
        overlaps = draw_bars(
            axes, unsafe + 0.5, starts[unsafe], ends[unsafe],
            height=0.7, linewidth=0.8, zorder=1, **OVERLAP,
        )  # fmt: skip
        safe = _safe_gaps(ranking, order)[: max(0, len(drawn) - 1)].nonzero()[0].tolist()
        # The same judges cannot always bring both of two ranges to these ends.
        overlap = "ranges overlap" if ranking.same_judges else "order not safe"
        across = axes.get_yaxis_transform()
        lines = axes.hlines([index + 0.5 for index in safe], 0, 1, transform=across, color=SAFE["color"], linewidth=1.4)
        entries += [(lines, "safe gap")] * bool(safe) + [(overlaps, overlap)] * bool(len(unsafe))
        label_rows(axes, [f"{ranking.rank[item]}. {names[item]}" for item in drawn])
        set_x_range(axes, [*low, *high])
        axes.set_xlabel("Score" if ranking.better == "high" else "Score (the lowest is the best)")
        if not len(order):
            axes.set_title("No item has an estimate", loc="right")
        elif places:
            subject = "The first place is" if places == 1 else f"The first {places} places are"
            axes.set_title(f"{subject} {'' if ranking.safe_top(places) else 'not '}safe", loc="right")
        if podium is not None:
            entries.append((podium, "podium"))
        add_legend(axes, entries, beside=True)
    return axes


def _safe_gaps(ranking: SafeRanking, order: IntArray) -> NDArray[np.bool_]:
    """Return behind which items nobody who follows can come above one of those before; uncertified items could."""
    side = 1 if ranking.better == "high" else -1
    worst, best = (ranking.low, ranking.high) if side == 1 else (-ranking.high, -ranking.low)
    least = np.minimum.accumulate(worst[order])
    most = np.maximum.accumulate(best[order][::-1])[::-1]
    return (least[:-1] >= most[1:]) & (len(order) == len(ranking.rank))
