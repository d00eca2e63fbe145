"""Rules: what they forecast from each number of positive votes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import ParameterError
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, PALE, legend, look, whole_numbers
from bribeproof.theory import Aggregator, Panel, PiecewiseLinear

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.4, 3.2)
_STRAIGHT = 1e-12
"""Rounding of a straight line."""


def rule(rules: Mapping[str, Aggregator], *, panel: Panel | None = None, ax: "Axes | None" = None) -> "Axes":
    """Draw what rules forecast from each number of positive votes.

    Parameters
    ----------
    rules : mapping of str to Aggregator or PiecewiseLinear
        The rules by the names to show, at least one. Rules of different n are drawn over the share of positive votes.
    panel : Panel, optional
        Shades where at most k votes are positive, or at most k negative: the trimmed mean drops those.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        No rules, or a panel of another n than theirs.
    MissingPackageError
        If matplotlib is not installed.

    Notes
    -----
    theory.md §2.

    Examples
    --------
    >>> from bribeproof.rules import mean, trimmed_mean
    >>> panel = Panel(n=4, k=1)
    >>> axes = rule({"mean": mean(panel), "trimmed mean": trimmed_mean(panel)}, panel=panel)
    >>> axes.get_lines()[1].get_ydata()
    array([0. , 0. , 0.5, 1. , 1. ])
    """
    sizes = {one.n for one in rules.values()}
    if not sizes:
        raise ParameterError("rules={}: give at least one rule by its name")
    if panel is not None and panel.n not in sizes:
        raise ParameterError(f"panel of n = {panel.n}, but rules of n = {sorted(sizes)}: give the panel of the rules")
    (n,) = sizes if len(sizes) == 1 else (0,)
    with drawing(ax, _SIZE) as axes:
        entries: list[tuple[Any, str]] = []
        for place, (name, one) in enumerate(rules.items()):
            counts, forecasts = _points(one)
            (line,) = axes.plot(counts if n else counts / one.n, forecasts, **look(place))
            if len(counts) < min(one.n + 1, 3) or one.n > MOST_MARKED:
                line.set_markevery([])
            entries.append((line, name))
        if panel is not None and panel.k:
            end = panel.n if n else 1.0
            reach = panel.k if n else panel.k / panel.n
            zones = [axes.axvspan(start, start + reach, color=PALE, zorder=0) for start in (0, end - reach)]
            entries.append((zones[0], f"k = {panel.k:,} or fewer: dropped"))
        axes.set_xlabel(f"Positive votes (of {n:,})" if n else "Positive votes (share)")
        axes.set_ylabel("Forecast (probability)")
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        if n:
            whole_numbers(axes.xaxis)
        legend(axes, entries)
    return axes


def _points(rule: Aggregator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return all points of a rule; of a large one those where it bends."""
    if isinstance(rule, PiecewiseLinear) and rule.n > MOST_MARKED:
        counts = np.unique(np.concatenate([[0], rule.counts, [rule.n]]))
        return counts, np.asarray(rule(counts))
    values = rule.values
    if rule.n <= MOST_MARKED:
        return np.arange(values.size), values
    bends = np.abs(np.diff(values, 2)) > _STRAIGHT
    counts = np.flatnonzero(np.concatenate([[True], bends, [True]]))
    return counts, values[counts]
