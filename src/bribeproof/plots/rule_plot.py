"""Plot the forecasts of rules against the number of positive votes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, add_legend, set_integer_ticks
from bribeproof.plots.palette import ZONE, line_styles
from bribeproof.theory import Aggregator, Panel, PiecewiseLinear

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.4, 3.2)
_STRAIGHT = 1e-12
"""Second differences up to this are rounding errors on a straight line."""


def rule(rules: Mapping[str, Aggregator], *, panel: Panel | None = None, ax: "Axes | None" = None) -> "Axes":
    """Plot the forecasts of rules against the number of positive votes.

    Parameters
    ----------
    rules : mapping of str to Aggregator or PiecewiseLinear
        The rules, by the names to show, at least one. Rules for different n are plotted against the share of positive
        votes.
    panel : Panel, optional
        Shades the counts with at most k positive or at most k negative votes, which the trimmed mean drops.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        No rules, or a panel whose n is none of theirs.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §2.

    Examples
    --------
    >>> from bribeproof.rules import mean, trimmed_mean
    >>> panel = Panel(n=4, k=1)
    >>> axes = rule({"mean": mean(panel), "trimmed mean": trimmed_mean(panel)}, panel=panel)
    >>> axes.get_lines()[1].get_ydata()
    array([0. , 0. , 0.5, 1. , 1. ])
    """
    sizes = {aggregator.n for aggregator in rules.values()}
    if not sizes:
        raise ParameterError("rules={}: give at least one rule by its name")
    if panel is not None and panel.n not in sizes:
        raise ParameterError(f"panel of n = {panel.n}, but rules of n = {sorted(sizes)}: give the panel of the rules")
    (n,) = sizes if len(sizes) == 1 else (0,)
    with drawing(ax, _SIZE) as axes:
        entries: list[tuple[Any, str]] = []
        for (name, aggregator), style in zip(rules.items(), line_styles(rules), strict=True):
            counts, forecasts = _points(aggregator)
            (line,) = axes.plot(counts if n else counts / aggregator.n, forecasts, **style)
            if len(counts) < min(aggregator.n + 1, 3) or aggregator.n > MOST_MARKED:
                line.set_markevery([])
            entries.append((line, name))
        if panel is not None and panel.k:
            end = panel.n if n else 1.0
            reach = panel.k if n else panel.k / panel.n
            zones = [axes.axvspan(start, start + reach, **ZONE) for start in (0, end - reach)]
            entries.append((zones[0], f"k = {panel.k:,} or fewer: dropped"))
        axes.set_xlabel(f"Positive votes (of {n:,})" if n else "Positive votes (share)")
        axes.set_ylabel("Forecast (probability)")
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        if n:
            set_integer_ticks(axes.xaxis)
        add_legend(axes, entries)
    return axes


def _points(rule: Aggregator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the points of a rule; for a large panel only those where its slope changes."""
    if isinstance(rule, PiecewiseLinear) and rule.n > MOST_MARKED:
        counts = np.unique(np.concatenate([[0], rule.counts, [rule.n]]))
        return counts, np.asarray(rule(counts))
    values = rule.values
    if rule.n <= MOST_MARKED:
        return np.arange(values.size), values
    bends = np.abs(np.diff(values, 2)) > _STRAIGHT
    counts = np.flatnonzero(np.concatenate([[True], bends, [True]]))
    return counts, values[counts]
