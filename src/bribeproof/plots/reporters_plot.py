"""Reporters: how far each is from the others."""

from typing import TYPE_CHECKING, Any

from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import BLACK, BLUE, GREY, RED, height, legend, rows, span

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.auditing.result import Audit

_WIDTH = 4.8
_MOST = 200


def reporters(found: "Audit", *, most: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Draw how far each reporter is from the others.

    Of scores it is the mean deviation with its standard error, and on the right how often the lowest and the highest
    scores of an item, which are dropped, were theirs; of votes and labels it is the share of reports that are apart
    from the others, with its exact bounds, and the share that is expected of anybody on the same items.

    Parameters
    ----------
    found : Audit
        What `audit` returned.
    most : int, default 20
        The largest number of reporters to draw, 1 to 200, the highest suspicion first.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        If `most` is outside its range.
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.auditing.audit import audit
    >>> rows = [(t, w, t % 2 ^ (w == "e" and t % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> axes = reporters(audit(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")))
    >>> axes.get_yticklabels()[0].get_text(), axes.get_title(loc="right")
    ('e', '1 of 5 reporters stands out')
    """
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= _MOST:
        raise ParameterError(f"most={most!r}: draw 1 to {_MOST} reporters")
    everyone = to_polars(found.reporters)
    table = everyone.head(most)
    with drawing(ax, (_WIDTH, height(table.height))) as axes:
        rows(axes, table["reporter"].to_list())
        entries = _draw_deviations(axes, table) if found.kind == "scores" else _draw_rates(axes, table)
        legend(axes, entries, beside=True)
        standing, total = int(everyone["stands_out"].sum()), everyone.height
        said = f"{standing:,} of {total:,} reporter{'s' * (total != 1)} stand{'s' * (standing == 1)} out"
        axes.set_title(said if total == table.height else f"{said}; the first {table.height:,}", loc="right")
    return axes


def _draw_deviations(axes: "Axes", table: "pl.DataFrame") -> list[tuple[Any, str]]:
    """Draw mean deviations of scores, and how often each reporter was dropped."""
    table = table.with_columns(
        centre="deviation", low=table["deviation"] - _zero(table["deviation_se"]),
        high=table["deviation"] + _zero(table["deviation_se"]),
    )  # fmt: skip
    middle = axes.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0)
    entries = _dots(axes, table, "± standard error")
    axes.set_xlabel("Mean deviation from the others (score)")
    size = float(axes.get_yticklabels()[0].get_fontsize()) if table.height else 0
    for place, (low, high) in enumerate(table.select("dropped_low", "dropped_high").iter_rows()):
        said = f"▼{low:,} ▲{high:,}"
        axes.text(1.03, place, said, transform=axes.get_yaxis_transform(), va="center", fontsize=size)
    axes.annotate(
        "dropped", (1.03, 0), (0, -6), xycoords="axes fraction", textcoords="offset points", va="top", fontsize=size
    )
    return [*entries, (middle, "as the others")]


def _draw_rates(axes: "Axes", table: "pl.DataFrame") -> list[tuple[Any, str]]:
    """Draw shares of reports that are apart."""
    table = table.with_columns(centre="rate", low="rate_low", high="rate_high")
    (expected,) = axes.plot(
        table["rate_expected"], range(table.height), linestyle="", marker="|", color=BLACK, markersize=8, zorder=4
    )
    entries = _dots(axes, table, "exact bounds")
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel("Share apart from the others")
    return [*entries, (expected, "expected of anybody")]


def _dots(axes: "Axes", table: "pl.DataFrame", bounds: str) -> list[tuple[Any, str]]:
    """Draw each reporter's number with its bounds; those that stand out in another shape."""
    import polars as pl

    table = table.with_row_index("place").drop_nulls("centre")
    entries: list[tuple[Any, str]] = []
    for standing, said, style in (
        (True, "stands out", {"color": RED, "marker": "D", "markersize": 4.5}),
        (False, "does not stand out", {"color": BLUE, "marker": "o", "markerfacecolor": "white"}),
    ):
        part = table.filter(pl.col("stands_out").fill_null(value=False) == standing)
        if part.height:
            (dots,) = axes.plot(part["centre"], part["place"], linestyle="", zorder=3, **style)
            entries.append((dots, said))
    lines = axes.hlines(table["place"], table["low"], table["high"], color=GREY, linewidth=1.2, zorder=2)
    span(axes, [0.0, *table["low"], *table["high"]])
    return [*entries, (lines, bounds)]


def _zero(values: "pl.Series") -> "pl.Series":
    """Return numbers with 0 for those that are not known."""
    return values.fill_null(0.0)
