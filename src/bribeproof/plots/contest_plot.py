"""Plot the places of a contest, and those that bribed judges could have caused."""

from typing import TYPE_CHECKING, Any

from bribeproof._text import count
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, check_most, draw_bars, height, label_rows, set_integer_ticks
from bribeproof.plots.palette import BLACK, LIGHT, REACH, SEEN, ZONE
from bribeproof.theory.contests.places import PODIUM

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.contests.result import WorstContestBribe

_WIDTH = 4.4
_MOST = 200


def contest(result: "WorstContestBribe", *, most: int = 40, ax: "Axes | None" = None) -> "Axes":
    """Plot the place of each entry, and those that the same bribed judges could have given it, and others on each part.

    Parameters
    ----------
    result : WorstContestBribe
        The result of `bribeproof.worst_bribe` on scores.
    most : int, default 40
        Largest number of entries to plot, from the first place on, 1 to 200.
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
    docs/theory.md, Proposition 14.3. Where not every set of judges was tried, light bars show the places beyond which
    nobody could bring an entry.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.contests.worst_bribe import worst_contest_bribe
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [18, 16], "J2": [18, 16], "J3": [16, 15], "J4": [16, 15]})
    >>> axes = contest(worst_contest_bribe(sheet, k=1))
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['1. A', '2. B'], 'Nobody else could be first')
    """
    check_most(most, _MOST, "entries")
    table = result.entries.head(most)
    rows = range(table.height)

    def ends(kind: str) -> tuple[list[float], list[float]]:
        """Return the ends of bars that hold whole places."""
        return [place - 0.4 for place in table[f"best_{kind}"]], [place + 0.4 for place in table[f"worst_{kind}"]]

    with drawing(ax, (_WIDTH, height(table.height, row=0.21))) as axes:
        axes.axvspan(0.5, PODIUM + 0.5, linewidth=0, **ZONE)
        style: dict[str, Any] = {"edgecolor": BLACK, "linewidth": 0.4}
        others = draw_bars(axes, rows, *ends("if_others"), height=0.7, facecolor=LIGHT, zorder=1, **style)
        entries: list[tuple[Any, str]] = [(others, f"perhaps others on each {result.part}")]
        if not result.exact:
            bound = draw_bars(axes, rows, *ends("bound"), height=0.5, facecolor="white", zorder=2, **style)
            entries.append((bound, "the same throughout, at most"))
        same = draw_bars(axes, rows, *ends("place"), height=0.34, zorder=3, **{**style, **REACH})
        (dots,) = axes.plot(table["place"], rows, linestyle="", markersize=3.5, zorder=4, **SEEN)
        names = zip(table["place"], table.to_series(), strict=True)
        label_rows(axes, [f"{place}. {name}" for place, name in names])
        axes.set_xlim(0.5, max(PODIUM, result.entries.height + result.n_uncertified) + 0.5)
        set_integer_ticks(axes.xaxis)
        axes.set_xlabel("Places that bribed judges could have caused")
        add_legend(axes, [(dots, "place"), (same, "the same judges throughout"), *entries], beside=True)
        axes.set_title(_title(result), loc="right")
    return axes


def _title(result: "WorstContestBribe") -> str:
    """Return how many others could be first."""
    could = result.entries.filter((result.entries["best_place"] == 1) & (result.entries["place"] > 1)).height
    if could:
        return f"{count(could, 'other')} could be first"
    return "Nobody else could be first" if result.winner_safe else "Not known whether others could be first"
