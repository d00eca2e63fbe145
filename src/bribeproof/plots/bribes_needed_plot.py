"""Plot how many bribes each rule for rankings needs before the winner or the podium changes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bribeproof._text import count
from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import MOST_MARKED, add_legend, height, label_rows, set_integer_ticks, set_x_range
from bribeproof.plots.palette import GREY, SEEN, line_styles

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.rankings.compare_rules import RuleComparison

_WIDTH, _SIZE = 4.4, (4.4, 3.2)
_CHANGES = {"winner": "another winner", "podium": "another podium", "order": "another podium or order on it"}


def bribes_needed(result: "RuleComparison", *, change: str = "winner", ax: "Axes | None" = None) -> "Axes":
    """Plot how many bribes each rule for rankings needs before the winner or the podium changes.

    Of one contest there is a row for each rule, with what a tie takes and what the change takes. Of several contests
    there is a line for each rule: in how many contests so many bribes, or so much money, are enough for the change.
    Numbers that are not proven to be the least are upper bounds.

    Parameters
    ----------
    result : RuleComparison
        The result of `bribeproof.compare_rules`.
    change : {"winner", "podium", "order"}
        What is changed.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        If `change` is none of these, or there is no such change in any contest.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §14. A change that not even all bribes bring about has no mark.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.rankings.compare_rules import compare_rules
    >>> places = pl.DataFrame({"entry": ["Ann", "Bo", "Cy"], "J1": [1, 2, 3], "J2": [1, 2, 3], "J3": [1, 3, 2]})
    >>> axes = bribes_needed(compare_rules(places, ["borda", "median"]))
    >>> axes.get_xlabel(), [line.get_xdata().tolist() for line in axes.get_lines()]
    ('Bribed judges', [[1.0, 2.0], [2.0, 2.0]])
    """
    if change not in _CHANGES:
        raise ParameterError(f"change={change!r}: use one of {', '.join(_CHANGES)}")
    table, contests = to_polars(result.table), len({contest for contest, _ in result.bribes})
    if not any(f"other_{change}" in bribes for bribes in result.bribes.values()):
        raise ParameterError(f"change={change!r}: there are too few entries for that, draw the winner")
    with drawing(ax, (_WIDTH, height(table.height)) if contests == 1 else _SIZE) as axes:
        numbers = _draw_contest(axes, table, change) if contests == 1 else _draw_contests(axes, table, change, contests)
        set_x_range(axes, numbers)
        if not result.priced:
            set_integer_ticks(axes.xaxis)
        axes.set_xlabel("Price of the bribes" if result.priced else f"Bribed {result.unit}s")
    return axes


def _draw_contest(axes: "Axes", table: "pl.DataFrame", change: str) -> list[float]:
    """Draw a row for each rule; return the numbers."""
    label_rows(axes, [name.replace("_", " ") for name in table["rule"]])
    ties, changes = (table[f"{kind}_{change}"].cast(float).fill_null(np.nan).to_numpy() for kind in ("shared", "other"))
    rows = np.arange(table.height)
    axes.hlines(rows, ties, changes, color=GREY, zorder=1)
    style: dict[str, Any] = {"linestyle": "", "zorder": 3, **SEEN}
    (tie,) = axes.plot(ties, rows, markerfacecolor="white", markersize=7, **style)
    (new,) = axes.plot(changes, rows, markersize=3.5, **style)
    add_legend(axes, [(tie, "a tie"), (new, _CHANGES[change])])
    return [0.0, *ties.tolist(), *changes.tolist()]


def _draw_contests(axes: "Axes", table: "pl.DataFrame", change: str, contests: int) -> list[float]:
    """Draw a line for each rule: in how many contests so many bribes are enough; return the numbers."""
    known = table[f"other_{change}"].cast(float).drop_nulls()
    numbers = [0.0, *known.unique().sort().to_list()]
    entries = []
    names = table["rule"].unique(maintain_order=True).to_list()
    for name, style in zip(names, line_styles(names), strict=True):
        of_rule = np.sort(table.filter(table["rule"] == name)[f"other_{change}"].cast(float).drop_nulls().to_numpy())
        marks = {} if len(numbers) <= MOST_MARKED else {"marker": ""}
        enough = np.searchsorted(of_rule, numbers, side="right")
        (line,) = axes.plot(numbers, enough, drawstyle="steps-post", markersize=4, **style | marks)
        entries.append((line, name.replace("_", " ")))
    axes.set_ylim(-0.02 * contests, 1.04 * contests)
    set_integer_ticks(axes.yaxis)
    axes.set_ylabel("Contests in which they are enough")
    axes.set_title(f"{_CHANGES[change].capitalize()}, {count(contests, 'contest')}", loc="right")
    add_legend(axes, entries)
    return numbers
