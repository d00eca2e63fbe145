"""Plot the guarantee of a panel against the number of bribed reporters or of all reporters."""

import math
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Literal

from bribeproof._text import PROVISO
from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, add_legend, set_integer_ticks, set_x_range
from bribeproof.plots.palette import LIMIT, REFERENCE, SAFE, SEEN
from bribeproof.theory import Guarantee

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.4, 3.2)
_CONDITION = f"On average over items, {PROVISO}."
_LETTERS, _SMALL = 60, 6
"""The letters in a line of the condition, and their size in points."""
_AGAINST = {"k": "Bribed reporters k", "n": "Reporters n"}
_MEASURES = {"expected_loss": "Expected loss, at most", "regret": "Regret, at most"}


def guarantee(
    points: Sequence[int],
    guarantees: Sequence[Guarantee | None],
    *,
    against: Literal["k", "n"],
    measure: Literal["regret", "expected_loss"] = "expected_loss",
    breakdown: float | None = None,
    blind: float | None = None,
    marked: int | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Plot the guarantee of a panel against the number of bribed reporters or of all reporters, and when it holds.

    Parameters
    ----------
    points : sequence of int
        The numbers of reporters, ascending.
    guarantees : sequence of Guarantee or None
        The guarantee for each number; None leaves a gap.
    against : {"k", "n"}
        Whether the numbers count the bribed reporters or all.
    measure : {"expected_loss", "regret"}
        The bound to plot.
    breakdown : float, optional
        Number of reporters at which the prior alone becomes as good, in the unit of `points`.
    blind : float, optional
        The loss without any reports, drawn as a line.
    marked : int, optional
        The point to mark, one of `points`.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        Different numbers of guarantees and points, no points, an unknown measure, or a marked point not among them.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §2.

    Examples
    --------
    >>> from bribeproof.theory import Expert, Panel, optimal_aggregator
    >>> guarantees = [optimal_aggregator(Panel(9, k), Expert(0.5, 0.75, 0.25)).guarantee for k in range(3)]
    >>> axes = guarantee(range(3), guarantees, against="k", blind=0.25, marked=1)
    >>> axes.get_lines()[0].get_ydata().round(4)
    array([0.1914, 0.2041, 0.2275])
    """
    if against not in _AGAINST or measure not in _MEASURES:
        raise ParameterError(
            f"against={against!r}, measure={measure!r}: use 'k' or 'n', and 'expected_loss' or 'regret'"
        )
    if len(points) != len(guarantees) or not len(points):
        raise ParameterError(f"{len(points)} points and {len(guarantees)} guarantees: give as many of each, at least 1")
    bounds = {
        point: math.nan if bound is None else float(getattr(bound, measure))
        for point, bound in zip(points, guarantees, strict=True)
    }
    if marked is not None and marked not in bounds:
        raise ParameterError(f"marked={marked!r} is none of the points: give one of them")
    with drawing(ax, _SIZE) as axes:
        marks = {"markersize": 3.5} | ({} if len(bounds) <= MOST_MARKED else {"marker": ""})
        (line,) = axes.plot(list(bounds), list(bounds.values()), linestyle="-", **{**SAFE, **marks})
        entries = [(line, "guarantee")]
        if marked is not None:
            (ring,) = axes.plot(
                marked, bounds[marked], linestyle="", markersize=9, **SEEN, markerfacecolor="none",
                markeredgewidth=1.4,
            )  # fmt: skip
            worth = "none" if math.isnan(bounds[marked]) else f"{bounds[marked]:.4g}"
            entries.append((ring, f"{against} = {marked:,}: {worth}"))
        if blind is not None:
            entries.append((axes.axhline(blind, **REFERENCE), f"without reports: {blind:.4g}"))
        if breakdown is not None:
            line = axes.axvline(breakdown, **LIMIT)
            entries.append((line, f"breakdown: {against} = {breakdown:.4g}"))
        set_integer_ticks(axes.xaxis)
        set_x_range(axes, [*bounds, *([] if breakdown is None else [breakdown])])
        highest = max((bound for bound in (*bounds.values(), blind or 0.0) if math.isfinite(bound)), default=0.0)
        axes.set_ylim(0, 1.08 * highest or 1.0)
        axes.set_xlabel(_AGAINST[against])
        axes.set_ylabel(_MEASURES[measure])
        axes.set_title(fill(_CONDITION, _LETTERS), loc="left", fontsize=_SMALL)
        add_legend(axes, entries)
    return axes
