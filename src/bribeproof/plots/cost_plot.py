"""Plot time against size on logarithmic axes."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend
from bribeproof.plots.names import set_literal, shown
from bribeproof.plots.palette import line_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.4, 3.2)
_LONGEST = 40
"""Longest label of an axis, in letters."""
_EVEN, _FINE = 7, 200
"""Axes whose ends differ by a factor below the first have even ticks; below the second ticks at 1, 2, 5, 10, ..."""


def cost(
    sizes: Sequence[float],
    seconds: Mapping[str, Sequence[float]],
    *,
    unit: str = "rows",
    label: str = "Time (seconds)",
    ax: "Axes | None" = None,
) -> "Axes":
    """Plot cost against size, with both axes logarithmic.

    Parameters
    ----------
    sizes : sequence of float
        The sizes, above 0.
    seconds : mapping of str to sequence of float
        For each kind of work by its name the cost at each size, above 0.
    unit : str, default "rows"
        The unit of the sizes.
    label : str, default "Time (seconds)"
        The label of the costs.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        Different numbers of costs and sizes, none at all, or one that is not finite and above 0.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> axes = cost([10, 100], {"votes": [0.5, 1.0], "scores": [1.0, 8.0]})
    >>> axes.get_xscale(), axes.get_yscale(), axes.get_lines()[1].get_ydata().tolist()
    ('log', 'log', [1.0, 8.0])
    """
    for name, values in {"sizes": sizes, **seconds}.items():
        if len(values) != len(sizes) or not all(0 < value < math.inf for value in values):
            raise ParameterError(f"{name}={list(values)}: give {len(sizes)} numbers above 0, one for each size")
    if not seconds or not len(sizes):
        raise ParameterError("there is nothing to plot: give sizes, and the cost of some work at each")
    with drawing(ax, _SIZE) as axes:
        entries = []
        for (name, values), style in zip(seconds.items(), line_styles(seconds), strict=True):
            (line,) = axes.plot(list(sizes), list(values), **style)
            entries.append((line, name))
        axes.set_xscale("log")
        axes.set_yscale("log")
        _set_log_ticks(axes.xaxis, *axes.get_xlim())
        _set_log_ticks(axes.yaxis, *axes.get_ylim())
        unit = unit[:1].upper() + unit[1:]
        set_literal([axes.set_xlabel(shown(unit, _LONGEST)), axes.set_ylabel(shown(label, _LONGEST))])
        add_legend(axes, entries)
    return axes


def _set_log_ticks(axis: Any, low: float, high: float) -> None:
    """Set the ticks of a logarithmic axis so that at least two numbers show, however close its ends are."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, StrMethodFormatter

    reach = high / low
    fine = LogLocator(subs=(1, 2, 5)) if reach < _FINE else LogLocator(numticks=5)
    axis.set_major_locator(MaxNLocator(5) if reach < _EVEN else fine)
    axis.set_major_formatter(StrMethodFormatter("{x:,.8g}"))
    axis.set_minor_locator(NullLocator())
