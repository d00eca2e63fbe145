"""Plot how far each reporter deviates from the others."""

from typing import TYPE_CHECKING, Any

from bribeproof._text import count
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, check_most, height, label_rows, set_x_range
from bribeproof.plots.palette import BLACK, DEVIANT, GREY, SEEN

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.auditing.result import Audit

_WIDTH = 4.8
_MOST = 200


def reporters(result: "Audit", *, most: int = 20, ax: "Axes | None" = None) -> "Axes":
    """Plot how far each reporter deviates from the others.

    For scores the picture shows the mean deviation with its standard error, and on the right how often a reporter gave
    the lowest and the highest scores of an item, which are dropped. For votes and labels it shows the share of reports
    that differ from the others, with its exact confidence bounds, and the share expected of any reporter on the same
    items.

    Parameters
    ----------
    result : Audit
        The result of `bribeproof.audit`.
    most : int, default 20
        Largest number of reporters to plot, 1 to 200, the largest excess of deviations first.
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

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.auditing.audit import audit
    >>> rows = [(t, w, t % 2 ^ (w == "e" and t % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> axes = reporters(audit(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")))
    >>> axes.get_yticklabels()[0].get_text(), axes.get_title(loc="right").splitlines()[0]
    ('e', '1 of 5 reporters deviates')
    """
    check_most(most, _MOST, "reporters")
    everyone = to_polars(result.reporters)
    table = everyone.head(most)
    with drawing(ax, (_WIDTH, height(table.height))) as axes:
        label_rows(axes, table["reporter"].to_list())
        entries = _draw_deviations(axes, table) if result.kind == "scores" else _draw_rates(axes, table)
        add_legend(axes, entries, beside=True)
        outliers, total = int(everyone["stands_out"].sum()), everyone.height
        title = (
            f"{outliers:,} of {count(total, 'reporter')} deviate{'s' * (outliers == 1)}\nmore than equal skill explains"
        )
        axes.set_title(title if total == table.height else f"{title}; the first {table.height:,}", loc="right")
    return axes


def _draw_deviations(axes: "Axes", table: "pl.DataFrame") -> list[tuple[Any, str]]:
    """Draw the mean deviations of scores, and the number of dropped scores of each reporter."""
    table = table.with_columns(
        centre="deviation", low=table["deviation"] - _zero_if_missing(table["deviation_se"]),
        high=table["deviation"] + _zero_if_missing(table["deviation_se"]),
    )  # fmt: skip
    middle = axes.axvline(0, color=GREY, linestyle="--", linewidth=0.8, zorder=0)
    entries = _dots(axes, table, "± standard error")
    axes.set_xlabel("Mean deviation from the others (score)")
    size = float(axes.get_yticklabels()[0].get_fontsize()) if table.height else 0
    for position, (low, high) in enumerate(table.select("dropped_low", "dropped_high").iter_rows()):
        label = f"▼{low:,} ▲{high:,}"
        axes.text(1.03, position, label, transform=axes.get_yaxis_transform(), va="center", fontsize=size)
    axes.annotate(
        "dropped", (1.03, 0), (0, -6), xycoords="axes fraction", textcoords="offset points", va="top", fontsize=size
    )
    return [*entries, (middle, "as the others")]


def _draw_rates(axes: "Axes", table: "pl.DataFrame") -> list[tuple[Any, str]]:
    """Draw the shares of reports that differ from the others, and the expected shares."""
    table = table.with_columns(centre="rate", low="rate_low", high="rate_high")
    (expected,) = axes.plot(
        table["rate_expected"], range(table.height), linestyle="", marker="|", color=BLACK, markersize=8, zorder=4
    )
    entries = _dots(axes, table, "exact bounds")
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel("Share apart from the others")
    return [*entries, (expected, "expected of anybody")]


def _dots(axes: "Axes", table: "pl.DataFrame", bounds: str) -> list[tuple[Any, str]]:
    """Draw each reporter's value with its bounds, with a marker of its own for each deviation beyond equal skill."""
    import polars as pl

    table = table.with_row_index("position").drop_nulls("centre")
    entries: list[tuple[Any, str]] = []
    for stands_out, label, style in (
        (True, "more than equal skill", {**DEVIANT, "markersize": 4.5}),
        (False, "not more", {**SEEN, "markerfacecolor": "white"}),
    ):
        part = table.filter(pl.col("stands_out").fill_null(value=False) == stands_out)
        if part.height:
            (dots,) = axes.plot(part["centre"], part["position"], linestyle="", zorder=3, **style)
            entries.append((dots, label))
    lines = axes.hlines(table["position"], table["low"], table["high"], color=GREY, linewidth=1.2, zorder=2)
    set_x_range(axes, [0.0, *table["low"], *table["high"]])
    return [*entries, (lines, bounds)]


def _zero_if_missing(values: "pl.Series") -> "pl.Series":
    """Return the values with 0 in place of missing ones."""
    return values.fill_null(0.0)
