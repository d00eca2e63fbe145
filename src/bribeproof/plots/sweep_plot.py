"""Plot the number of changed answers against the assumed number of bribed reporters."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bribeproof._text import count
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, add_legend, set_integer_ticks
from bribeproof.plots.palette import CHANGEABLE, REFERENCE, SEEN, TIE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.aggregation.sweep_result import Sweep

_SIZE = (4.4, 3.2)
_LINES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "changed": ("changed or lost", {**SEEN, "linestyle": "-", "markerfacecolor": "none"}),
    "changeable": ("k bribed could change it", {**CHANGEABLE, "linestyle": "--"}),
    "ties": ("tie", {**TIE, "linestyle": ":"}),
}


def sweep(result: "Sweep", *, ax: "Axes | None" = None) -> "Axes":
    """Plot how many items get another answer, or none, against the number of bribed reporters that is assumed.

    For votes and labels the picture also shows how many decisions could have been changed by some that many bribed
    reporters, perhaps others on each item, and the number of ties.

    Parameters
    ----------
    result : Sweep
        The result of `bribeproof.sweep`.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.aggregation.sweep import sweep as sweep_k
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 0, 0]})
    >>> axes = sweep(sweep_k(votes))
    >>> axes.get_lines()[0].get_ydata()
    array([0, 0, 0, 1])
    """
    by_k, items = to_polars(result.by_k), result.n_items
    with drawing(ax, _SIZE) as axes:
        entries: list[tuple[Any, str]] = []
        for name, (label, style) in _LINES.items():
            if name in by_k.columns:
                (line,) = axes.plot(by_k[result.unit.column].to_numpy(), by_k[name].to_numpy(), **style)
                if result.unit.priced:  # Between two budgets nothing is known but what holds for the larger one.
                    line.set_drawstyle("steps-pre")
                if by_k.height > MOST_MARKED:
                    line.set_marker("")
                entries.append((line, label))
        every = axes.axhline(items, linewidth=0.8, **REFERENCE)
        if not result.unit.priced:
            set_integer_ticks(axes.xaxis)
        set_integer_ticks(axes.yaxis)
        axes.margins(x=0.04)
        axes.set_ylim(0, 1.05 * items)
        axes.set_xlabel(result.unit.axis)
        axes.set_ylabel("Items")
        add_legend(axes, [*entries, (every, f"all {count(items, 'item')}")])
    return axes
