"""Plot certified accuracy against the number of bribed reporters."""

from typing import TYPE_CHECKING

from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, add_legend, set_integer_ticks, set_x_range
from bribeproof.plots.palette import ONE_LIST, REALISED, SAFE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.certification.result import Certification

_SIZE = (4.4, 3.2)


def certified_accuracy(result: "Certification", *, ax: "Axes | None" = None) -> "Axes":
    """Plot how often answers are right whatever k bribed reporters do, and its lower bound, against k.

    Where it was searched what the same k reporters could do, bribed on all items, that lower bound is drawn too.

    Parameters
    ----------
    result : Certification
        The result of `bribeproof.certify`.
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

    Notes
    -----
    docs/theory.md §13.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.certification.certify import certify
    >>> votes = pl.DataFrame({"task": ["t"] * 3 + ["u"] * 3, "worker": list("abcabc"), "label": [1, 1, 1, 0, 0, 1]})
    >>> axes = certified_accuracy(certify(votes, {"t": 1, "u": 0}))
    >>> axes.get_lines()[0].get_ydata()
    array([1. , 0.5])
    """
    by_k = to_polars(result.by_k)
    unit = result.unit
    ks = by_k[unit.column].to_numpy()
    # Between two budgets nothing is known but what holds for the larger one.
    style = "steps-pre" if unit.priced else "default"
    marks = {"markersize": 3.5} | ({} if len(ks) <= MOST_MARKED else {"marker": ""})
    with drawing(ax, _SIZE) as axes:
        (share,) = axes.plot(
            ks, by_k["accuracy"].to_numpy(), linestyle="--", drawstyle=style, **{**REALISED, **marks},
        )  # fmt: skip
        (low,) = axes.plot(ks, by_k["accuracy_low"].to_numpy(), linestyle="-", drawstyle=style, **{**SAFE, **marks})
        entries = [(share, f"of {result.gold:,} gold items"), (low, f"at least, {100 * result.confidence:.6g} % sure")]
        searched = by_k.drop_nulls("list_low")
        if searched.height > 1:
            (same,) = axes.plot(
                searched[unit.column].to_numpy(), searched["list_low"].to_numpy(), linestyle="-.",
                drawstyle=style, **{**ONE_LIST, **marks},
            )  # fmt: skip
            entries.append((same, f"at least, same {'bribes' if unit.priced else 'k'} on all items"))
        if not unit.priced:
            set_integer_ticks(axes.xaxis)
        set_x_range(axes, ks.tolist())
        axes.set_ylim(0, 1.04)
        axes.set_xlabel(unit.axis)
        axes.set_ylabel("Certified accuracy")
        add_legend(axes, entries)
    return axes
