"""Sweeps: how many answers change as more and more bribes are allowed for."""

from typing import TYPE_CHECKING, Any

from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import GREY, MOST_MARKED, legend, look, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.aggregation.sweep_result import Sweep

_SIZE = (4.4, 3.2)
_LINES = {
    "changed": "changed or lost",
    "changeable": "k bribed could change it",
    "ties": "tie",
}


def sweep(found: "Sweep", *, ax: "Axes | None" = None) -> "Axes":
    """Draw how many items have another answer, or none, against the number of bribes that is allowed for.

    Of votes and labels also how many decisions so many bribes could have changed, and ties.

    Parameters
    ----------
    found : Sweep
        What `sweep` of the data returned.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.aggregation.sweep import sweep as all_k
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 0, 0]})
    >>> axes = sweep(all_k(votes))
    >>> axes.get_lines()[0].get_ydata()
    array([0, 0, 0, 1])
    """
    by_k, items = to_polars(found.by_k), found.n_items
    with drawing(ax, _SIZE) as axes:
        entries: list[tuple[Any, str]] = []
        for place, (name, said) in enumerate(_LINES.items()):
            if name in by_k.columns:
                (line,) = axes.plot(by_k["k"].to_numpy(), by_k[name].to_numpy(), **look(place))
                if by_k.height > MOST_MARKED:
                    line.set_marker("")
                entries.append((line, said))
        every = axes.axhline(items, color=GREY, linestyle=":", linewidth=0.8)
        whole_numbers(axes.xaxis)
        whole_numbers(axes.yaxis)
        axes.margins(x=0.04)
        axes.set_ylim(0, 1.05 * items)
        axes.set_xlabel("Bribed reporters k")
        axes.set_ylabel("Items")
        legend(axes, [*entries, (every, f"all {items:,} item{'s' * (items != 1)}")])
    return axes
