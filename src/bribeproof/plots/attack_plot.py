"""Attacks: what each rule loses to more and more bribes."""

from typing import TYPE_CHECKING

from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import legend, look, whole_numbers

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
"""Where the mean of the honest scores stands in for the truth."""


def attack(curves: "AttackCurves", *, measure: str = "squared_loss", ax: "Axes | None" = None) -> "Axes":
    """Draw what each rule loses against the number of adversaries, with bars of one standard deviation over the seeds.

    Rules that assume half or twice the true number are in the table alone.

    Parameters
    ----------
    curves : AttackCurves
        What `attack` of the data returned.
    measure : {"squared_loss", "absolute_loss", "accuracy", "changed"}
        What to draw.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    ParameterError
        If there is no such measure, or none of it for these reports.
    MissingPackageError
        If matplotlib is not installed.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.attacks.study import attack as bribe
    >>> rows = [(f"t{i}", w, i % 2) for i in range(20) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> axes = attack(bribe(votes, {f"t{i}": i % 2 for i in range(20)}, counts=[0, 2], draws=3), measure="accuracy")
    >>> axes.get_ylabel(), axes.get_xlabel()
    ('Accuracy', 'Bribed reporters (of 5)')
    """
    table = to_polars(curves.curves)
    if measure not in _MEASURES or not table[measure].count():
        there = [name for name in _MEASURES if table[name].count()]
        raise ParameterError(f"measure={measure!r}: use one of {', '.join(there)}")
    rules: dict[str, pl.DataFrame] = {
        str(rule): rows.sort("adversaries")
        for (rule,), rows in table.group_by("rule", maintain_order=True)
        if not str(rule).endswith((", k/2", ", 2k"))
    }
    with drawing(ax, _SIZE) as axes:
        entries = []
        for place, (rule, rows) in enumerate(rules.items()):
            bars = axes.errorbar(
                rows["adversaries"].to_list(), rows[measure].to_list(),
                yerr=rows[f"{measure}_sd"].fill_null(0.0).to_list(), elinewidth=0.6, **look(place),
            )  # fmt: skip
            entries.append((bars, rule))
        whole_numbers(axes.xaxis)
        axes.set_ylim(bottom=0)
        axes.set_title(f"Strategy: {curves.strategy}; {curves.n_known or curves.n_items:,} items", loc="left")
        axes.set_xlabel(f"Bribed reporters (of {curves.n_reporters:,})")
        axes.set_ylabel(_MEASURES[measure] if curves.n_known else _SCORES[measure])
        legend(axes, entries)
    return axes
