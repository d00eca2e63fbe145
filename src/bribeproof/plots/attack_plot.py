"""Plot the loss of each rule against the number of bribed reporters."""

from typing import TYPE_CHECKING

from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, set_integer_ticks
from bribeproof.plots.palette import line_styles

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.attacks.result import AttackCurves

_SIZE = (4.4, 3.8)
_MEASURES = {
    "squared_loss": "Squared loss",
    "absolute_loss": "Absolute loss",
    "accuracy": "Accuracy",
    "changed": "Changed decisions (share)",
}
_SCORES = {
    "squared_loss": "Squared distance from the honest mean",
    "absolute_loss": "Distance from the honest mean",
    "changed": "Changed places (share)",
}
"""Labels for scores without known truth, where the mean of the honest scores replaces it."""


def attack(curves: "AttackCurves", *, measure: str = "squared_loss", ax: "Axes | None" = None) -> "Axes":
    """Plot the loss of each rule against the number of bribed reporters.

    The error bars are one standard deviation over the seeds. Rules that assume half or twice the true number of
    bribed reporters are left out; they are in the table of the result.

    Parameters
    ----------
    curves : AttackCurves
        The result of `bribeproof.attack`.
    measure : {"squared_loss", "absolute_loss", "accuracy", "changed"}
        The measure to plot.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    ParameterError
        The measure is unknown, or not available for these reports.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.attacks.study import attack as simulate
    >>> rows = [(f"t{i}", w, i % 2) for i in range(20) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> axes = attack(simulate(votes, {f"t{i}": i % 2 for i in range(20)}, counts=[0, 2], draws=3), measure="accuracy")
    >>> axes.get_ylabel(), axes.get_xlabel()
    ('Accuracy', 'Bribed reporters (of 5)')
    """
    table = to_polars(curves.curves)
    if measure not in _MEASURES or not table[measure].count():
        available = [name for name in _MEASURES if table[name].count()]
        raise ParameterError(f"measure={measure!r}: use one of {', '.join(available)}")
    rules: dict[str, pl.DataFrame] = {
        str(rule): rows.sort("adversaries")
        for (rule,), rows in table.group_by("rule", maintain_order=True)
        if not str(rule).endswith((", k/2", ", 2k"))
    }
    with drawing(ax, _SIZE) as axes:
        entries = []
        for (rule, rows), style in zip(rules.items(), line_styles(rules), strict=True):
            bars = axes.errorbar(
                rows["adversaries"].to_list(), rows[measure].to_list(),
                yerr=rows[f"{measure}_sd"].fill_null(0.0).to_list(), elinewidth=0.6, **style,
            )  # fmt: skip
            entries.append((bars, rule))
        set_integer_ticks(axes.xaxis)
        axes.set_ylim(bottom=0)
        axes.set_title(f"Strategy: {curves.strategy}; {curves.n_known or curves.n_items:,} items", loc="left")
        axes.set_xlabel(f"Bribed reporters (of {curves.n_reporters:,})")
        axes.set_ylabel(_MEASURES[measure] if curves.n_known else _SCORES[measure])
        add_legend(axes, entries)
    return axes
