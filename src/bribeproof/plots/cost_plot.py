"""Costs: time against size."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import legend, look
from bribeproof.plots.names import as_typed, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.4, 3.2)
_LONGEST = 40
"""Labels of axes are cut to so many letters."""
_EVEN, _FINE = 7, 200
"""Axes that reach over a factor below the first have even ticks; below the second they have 1, 2, 5, 10, ..."""


def cost(
    sizes: Sequence[float],
    seconds: Mapping[str, Sequence[float]],
    *,
    unit: str = "rows",
    label: str = "Time (seconds)",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw cost against size, both axes logarithmic.

    Parameters
    ----------
    sizes : sequence of float
        The sizes, above 0.
    seconds : mapping of str to sequence of float
        What each kind of work takes at each size, above 0.
    unit : str, default "rows"
        What the sizes count.
    label : str, default "Time (seconds)"
        What the costs are.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        Not as many costs as sizes, none, or one that is not finite and above 0.
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> axes = cost([10, 100], {"votes": [0.5, 1.0], "scores": [1.0, 8.0]})
    >>> axes.get_xscale(), axes.get_yscale(), axes.get_lines()[1].get_ydata().tolist()
    ('log', 'log', [1.0, 8.0])
    """
    for name, line in {"sizes": sizes, **seconds}.items():
        if len(line) != len(sizes) or not all(0 < value < math.inf for value in line):
            raise ParameterError(f"{name}={list(line)}: give {len(sizes)} numbers above 0, one for each size")
    if not seconds or not len(sizes):
        raise ParameterError("there is nothing to draw: give sizes, and what some work takes at each")
    with drawing(ax, _SIZE) as axes:
        entries = []
        for place, (name, line) in enumerate(seconds.items()):
            (drawn,) = axes.plot(list(sizes), list(line), **look(place))
            entries.append((drawn, name))
        axes.set_xscale("log")
        axes.set_yscale("log")
        _few_ticks(axes.xaxis, *axes.get_xlim())
        _few_ticks(axes.yaxis, *axes.get_ylim())
        unit = unit[:1].upper() + unit[1:]
        as_typed([axes.set_xlabel(shown(unit, _LONGEST)), axes.set_ylabel(shown(label, _LONGEST))])
        legend(axes, entries)
    return axes


def _few_ticks(axis: Any, low: float, high: float) -> None:
    """Have a logarithmic axis show two numbers at least, however near its ends are."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, StrMethodFormatter

    reach = high / low
    fine = LogLocator(subs=(1, 2, 5)) if reach < _FINE else LogLocator(numticks=5)
    axis.set_major_locator(MaxNLocator(5) if reach < _EVEN else fine)
    axis.set_major_formatter(StrMethodFormatter("{x:,.8g}"))
    axis.set_minor_locator(NullLocator())
