"""Plot how many items the reporters of the worst bribe could change, one by one and together."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bribeproof._text import count
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, check_most, draw_bars, height, label_rows, set_integer_ticks
from bribeproof.plots.palette import BLACK, LIGHT, LIMIT, REACH, REFERENCE, SEEN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.bribery.bribed_reporters import BribedReporters

_WIDTH = 4.4
_MOST = 200
_FAR = 8
"""A number of items that is so many times what can be changed is named instead of shown, as bars would be invisible."""


def bribe(result: "BribedReporters", *, most: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Plot how many items each of the bribed reporters could change alone, and with those above.

    Each bar is what a reporter could change together with those in the rows above; its blue part is what this one adds.
    The last bar ends at what all could change. Of the worst bribe, a line shows the proven bound for any k reporters,
    and another the number of items that k reporters could have changed, perhaps others on each item; of the cheapest, a
    line shows how many items were to be changed.

    Parameters
    ----------
    result : WorstBribe or CheapestBribe
        The result of `bribeproof.worst_bribe` or `bribeproof.cheapest_bribe`.
    most : int, default 20
        Largest number of reporters to plot, 1 to 200.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        A `most` outside its range.
    ParameterTypeError
        A `most` that is not an integer.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §14. Where items have values, bars still count items, and the bound, a value, is not drawn.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.bribery.worst_bribe import worst_bribe
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> found = worst_bribe(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), k=1)
    >>> axes = bribe(found)
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['a'], '4 of 6 decided items')
    """
    check_most(most, _MOST, "reporters")
    everyone = to_polars(result.reporters)
    table = everyone.head(most)
    with drawing(ax, (_WIDTH, height(table.height))) as axes:
        label_rows(axes, result.names[: table.height])
        together, rows = table["with_those_above"].to_list(), range(table.height)
        before = [0, *together][: table.height]
        bars: dict[str, Any] = {"height": 0.5, "linewidth": 0.4}
        draw_bars(axes, rows, [0] * table.height, before, facecolor=LIGHT, edgecolor=BLACK, **bars)
        added = draw_bars(axes, rows, before, together, **bars, **REACH)
        (alone,) = axes.plot(table["changes_alone"], rows, linestyle="", markerfacecolor="white", zorder=4, **SEEN)
        entries: list[tuple[Any, str]] = [(alone, "alone"), (added, "added to those above")]
        lines = list(_lines(result))
        far = _FAR * max(1, *together, *(place for place, _, style in lines if style["color"] == LIMIT["color"]))
        for place, what, style in lines:
            label = what if place <= far else f"{what}: {place:,} (beyond)"
            entries.append((axes.axvline(place, **style), label))
        axes.set_xlim(0, 1.05 * max(1, *(place for place, _, _ in lines if place <= far), *together))
        set_integer_ticks(axes.xaxis)
        axes.set_xlabel("Decided items that could be changed")
        add_legend(axes, entries, beside=True)
        title = f"{result.changed:,} of {count(result.decided, 'decided item')}"
        shown = f"; the first {table.height:,} of {everyone.height:,} {'groups' if result.grouped else 'reporters'}" * (
            table.height < everyone.height
        )
        axes.set_title(title + shown, loc="right")
    return axes


def _lines(result: "BribedReporters") -> Iterator[tuple[float, str, dict[str, Any]]]:
    """Yield the numbers of items that lines show, what they are, and how they are drawn."""
    from bribeproof.bribery.cheapest_result import CheapestBribe
    from bribeproof.bribery.result import WorstBribe

    strong: dict[str, Any] = {**LIMIT, "zorder": 3}
    if isinstance(result, WorstBribe):
        if not result.valued:
            who = "any within the budget" if result.k is None else "any one" if result.k == 1 else f"any {result.k:,}"
            yield result.upper, f"most by {who} (proven)", strong
        alone = "others on each item" if result.budget is None else "others per item, at most"
        yield result.each_alone, alone, {**REFERENCE, "zorder": 1}
    if isinstance(result, CheapestBribe) and result.change is not None and not result.valued:
        yield result.change, "to be changed", strong
