"""Plot the items whose answers bribes could most easily have changed."""

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from bribeproof._text import count, format_number
from bribeproof.errors import ParameterError
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.native.pandas_frames import is_pandas
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, check_most, draw_bars, height, label_rows, set_integer_ticks, set_x_range
from bribeproof.plots.palette import CHANGEABLE, PALE, REACH, SAFE, SEEN, TIE

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from matplotlib.axes import Axes

_WIDTH = 4.4
_RANGES = {"low": "range_low", "high": "range_high", "k": "k"}
_FLIPS = {"flips_needed": "k", "bribes_needed": "groups", "price_needed": "budget"}
"""What is needed to turn an item, and the column of how much of it there is; the last one in a table counts."""
_AXES = {
    "flips_needed": "Flips needed (reports to rewrite)",
    "bribes_needed": "Bribes needed (groups whose reports are rewritten)",
    "price_needed": "Price needed (of those whose reports are rewritten)",
}
MOST = 200
"""Largest number of rows in a picture."""


def items(table: Any, *, item: str, estimate: str = "estimate", most: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Plot the most fragile items: for scores the manipulation ranges, for votes and labels what turns them.

    Parameters
    ----------
    table : data frame
        The result of `aggregate_scores`, `aggregate_votes` or `aggregate_labels`, as any kind of frame.
    item : str
        The column of the items.
    estimate : str, default "estimate"
        The column of the estimates.
    most : int, default 20
        Largest number of items to plot, 1 to 200: those with the widest ranges or the fewest flips needed, and equal
        ones in the order of the table. Items without an answer are left out.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        A missing column, or a `most` outside its range.
    ParameterTypeError
        A `most` that is not an integer.
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §10.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.aggregation.api import aggregate_scores
    >>> sheet = pl.DataFrame({"dive": ["A", "B"], "j1": [5, 6], "j2": [6, 6], "j3": [8, 7]})
    >>> axes = items(aggregate_scores(sheet, k=1, item="dive", judges=["j1", "j2", "j3"]), item="dive")
    >>> [label.get_text() for label in axes.get_yticklabels()], axes.get_title(loc="right")
    (['A', 'B'], '2 items')
    """
    check_most(most, MOST, "items")
    # narwhals needs pyarrow for most columns of pandas.
    frame = nw.from_native(to_polars(table) if is_pandas(table) else table).lazy()
    names = frame.collect_schema().names()
    ranges = "range_low" in names
    needed = [name for name in _FLIPS if name in names][-1:] or ["flips_needed"]
    flips = {"flips": needed[0], "k": _FLIPS[needed[0]], "status": "status"}
    columns = {"item": item, "estimate": estimate, **_RANGES} if ranges else {"item": item, **flips}
    for name in columns.values():
        if name not in names:
            raise ParameterError(f"there is no column {name!r}: give an aggregated table, and the column of its items")
    fragile, total = _most_fragile(frame, columns, ranges=ranges, most=most)
    with drawing(ax, (_WIDTH, height(fragile.height))) as axes:
        label_rows(axes, fragile["item"].to_list())
        if ranges:
            _draw_ranges(axes, fragile)
        else:
            _draw_flips(axes, fragile, needed[0])
        title = count(total, "item") if total else "No item has an answer"
        if fragile.height < total:
            title = f"The {fragile.height:,} most fragile of {title}"
        axes.set_title(title, loc="right")
    return axes


def _most_fragile(
    frame: nw.LazyFrame[Any], columns: dict[str, str], *, ranges: bool, most: int
) -> "tuple[pl.DataFrame, int]":
    """Return the most fragile items, and the number of items that have an answer."""
    import polars as pl

    table = collect(frame.select(nw.col(name).alias(role) for role, name in columns.items())).with_row_index("row")
    if ranges:
        table = table.with_columns(pl.col("estimate", "low", "high").cast(pl.Float64).fill_nan(None))
        answered = table.drop_nulls("estimate").with_columns(fragility=pl.col("low") - pl.col("high"))
    else:
        answered = table.filter(pl.col("status") == "ok").drop_nulls("flips").with_columns(fragility=pl.col("flips"))
    order = ["fragility", "row"]
    return answered.bottom_k(most, by=order).sort(order), answered.height


def _draw_ranges(axes: "Axes", items: "pl.DataFrame") -> None:
    """Draw each estimate as a dot in its manipulation range."""
    positions = range(items.height)
    bars = draw_bars(axes, positions, items["low"], items["high"], height=0.45, linewidth=0.6, **REACH)
    (dots,) = axes.plot(items["estimate"], positions, linestyle="", markersize=3.5, **SEEN)
    axes.set_xlabel("Score")
    set_x_range(axes, [*items["low"], *items["high"]])
    add_legend(axes, [(dots, "estimate"), (bars, f"reach of {_bribes(items)}")], beside=True)


def _draw_flips(axes: "Axes", items: "pl.DataFrame", needed: str) -> None:
    """Draw what each item needs to be turned, with other markers for ties and for items that the bribed can change."""
    import polars as pl

    flips = pl.col("flips")
    positions = range(items.height)
    axes.hlines(positions, 0, items["flips"], color=PALE, linewidth=2.5, zorder=1)
    entries = []
    shapes: tuple[tuple[pl.Expr, str, Mapping[str, Any]], ...] = (
        (flips == 0, "tie", TIE),
        ((flips > 0) & (flips <= pl.col("k")), f"{_who(items, needed)} can turn it", CHANGEABLE),
        (flips > pl.col("k"), "safe", SAFE),
    )
    for chosen, label, style in shapes:
        part = items.with_row_index("position").filter(chosen)
        if part.height:
            (dots,) = axes.plot(part["flips"], part["position"], linestyle="", markersize=5, zorder=3, **style)
            entries.append((dots, label))
    largest = max([1, *items["flips"]])
    axes.set_xlim(-0.03 * largest, 1.05 * largest)
    if not items.height:
        axes.set_xticks([])
    elif needed != "price_needed":
        set_integer_ticks(axes.xaxis)
    axes.set_xlabel(_AXES[needed])
    add_legend(axes, entries, beside=True)


def _who(items: "pl.DataFrame", needed: str) -> str:
    """Return who can turn an item: so many reporters or groups, or those that a budget buys."""
    if needed == "flips_needed" or not items.height:
        return _bribes(items)
    most = items["k"][0]
    return count(most, "group") if needed == "bribes_needed" else f"a budget of {format_number(float(most))}"


def _bribes(items: "pl.DataFrame") -> str:
    """Return k as text, or a general word where items differ in k."""
    return f"k = {items['k'][0]:,}" if items["k"].n_unique() == 1 else "k bribed"
