"""Items by fragility: how far bribes could have moved each, or how few could have turned it."""

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from bribeproof.errors import ParameterError
from bribeproof.frames.native import collect
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import BLACK, BLUE, PALE, RED, SKY, bands, height, legend, rows, span, whole_numbers

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

_WIDTH = 4.4
_RANGES = {"low": "range_low", "high": "range_high", "k": "k"}
_FLIPS = {"flips": "flips_needed", "k": "k", "status": "status"}
MOST = 200
"""More rows are not for looking at."""


def items(table: Any, *, item: str, estimate: str = "estimate", most: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Draw the most fragile items: of scores each estimate in its manipulation range, else the flips needed.

    Parameters
    ----------
    table : frame
        What `aggregate_scores`, `aggregate_votes` or `aggregate_labels` returned, of any kind.
    item : str
        The column of the items.
    estimate : str, default "estimate"
        The column of the estimates.
    most : int, default 20
        The largest number of items to draw, 1 to 200. Those of scores with the widest ranges come first, or those that
        the fewest flips turn; where they are equal, in the order of the table. Items without an answer are left out.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        If a column is not there, or `most` is outside its range.
    MissingPackageError
        If matplotlib is not installed.

    Notes
    -----
    theory.md §10.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.aggregation.api import aggregate_scores
    >>> sheet = pl.DataFrame({"dive": ["A", "B"], "j1": [5, 6], "j2": [6, 6], "j3": [8, 7]})
    >>> axes = items(aggregate_scores(sheet, k=1, item="dive", judges=["j1", "j2", "j3"]), item="dive")
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['A', 'B'], '2 items')
    """
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST:
        raise ParameterError(f"most={most!r}: draw 1 to {MOST} items")
    frame = nw.from_native(table).lazy()
    names = frame.collect_schema().names()
    ranges = "range_low" in names
    columns = {"item": item, "estimate": estimate, **_RANGES} if ranges else {"item": item, **_FLIPS}
    for name in columns.values():
        if name not in names:
            raise ParameterError(f"there is no column {name!r}: give a table that bribeproof aggregated, and its items")
    found, total = _most_fragile(frame, columns, ranges=ranges, most=most)
    with drawing(ax, (_WIDTH, height(found.height))) as axes:
        rows(axes, found["item"].to_list())
        if ranges:
            _draw_ranges(axes, found)
        else:
            _draw_flips(axes, found)
        said = f"{total:,} item{'s' * (total != 1)}" if total else "No item has an answer"
        axes.set_title(said if found.height == total else f"The {found.height:,} most fragile of {said}", loc="right")
    return axes


def _most_fragile(
    frame: nw.LazyFrame[Any], columns: dict[str, str], *, ranges: bool, most: int
) -> "tuple[pl.DataFrame, int]":
    """Return the most fragile items, and how many have an answer."""
    import polars as pl

    table = collect(frame.select(nw.col(name).alias(role) for role, name in columns.items())).with_row_index("row")
    if ranges:
        table = table.with_columns(pl.col("estimate", "low", "high").cast(pl.Float64).fill_nan(None))
        known = table.drop_nulls("estimate").with_columns(fragility=pl.col("low") - pl.col("high"))
    else:
        known = table.filter(pl.col("status") == "ok").with_columns(fragility=pl.col("flips"))
    order = ["fragility", "row"]
    return known.bottom_k(most, by=order).sort(order), known.height


def _draw_ranges(axes: "Axes", found: "pl.DataFrame") -> None:
    """Draw estimates in their manipulation ranges."""
    places = range(found.height)
    bars = bands(axes, places, found["low"], found["high"], height=0.45, facecolor=SKY, edgecolor=BLUE, linewidth=0.6)
    (dots,) = axes.plot(found["estimate"], places, linestyle="", marker="o", color=BLACK, markersize=3.5)
    axes.set_xlabel("Score")
    span(axes, [*found["low"], *found["high"]])
    legend(axes, [(dots, "estimate"), (bars, f"reach of {_bribes(found)}")], beside=True)


def _draw_flips(axes: "Axes", found: "pl.DataFrame") -> None:
    """Draw how many reports have to be rewritten; ties, and what the bribed can turn, in other shapes."""
    import polars as pl

    flips = pl.col("flips")
    places = range(found.height)
    axes.hlines(places, 0, found["flips"], color=PALE, linewidth=2.5, zorder=1)
    entries = []
    shapes: tuple[tuple[pl.Expr, str, dict[str, Any]], ...] = (
        (flips == 0, "tie", {"color": BLACK, "marker": "s", "markerfacecolor": "white"}),
        (flips.is_between(1, pl.col("k")), f"{_bribes(found)} can turn it", {"color": RED, "marker": "X"}),
        (flips > pl.col("k"), "safe", {"color": BLUE, "marker": "o"}),
    )
    for chosen, said, style in shapes:
        part = found.with_row_index("place").filter(chosen)
        if part.height:
            (dots,) = axes.plot(part["flips"], part["place"], linestyle="", markersize=5, zorder=3, **style)
            entries.append((dots, said))
    most = max([1, *found["flips"]])
    axes.set_xlim(-0.03 * most, 1.05 * most)
    if found.height:
        whole_numbers(axes.xaxis)
    else:
        axes.set_xticks([])
    axes.set_xlabel("Flips needed (reports to rewrite)")
    legend(axes, entries, beside=True)


def _bribes(found: "pl.DataFrame") -> str:
    """Name the number of bribes, where it is one."""
    return f"k = {found['k'][0]:,}" if found["k"].n_unique() == 1 else "k bribed"
