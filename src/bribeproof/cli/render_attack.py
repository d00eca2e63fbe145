"""What ``bribeproof attack`` shows: a table for people, and a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.render import cell, console, show_notes
from bribeproof.errors import FileError
from bribeproof.plots import ENDINGS, write_picture

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.data.attack_study import AttackCurves

_SIZE = (4.4, 3.8)
# From dark to light, and each with a mark and a line of its own, so that grey paper tells them apart.
_COLOURS = ("#000000", "#0b3c7d", "#a31621", "#1b7f5c", "#b8860b", "#7f7f7f")
_MARKS, _LINES = ("o", "s", "^", "D", "v", "x", "P"), ("-", "--", "-.", ":")


def show_curves(curves: "AttackCurves", notes: Sequence[str]) -> None:
    """Print the curves: notes on standard error; one row per number of adversaries and rule on standard output."""
    show_notes(notes)
    out = console()
    truth = f"{curves.known:,} with a known truth" if curves.known else "losses from the mean of the honest scores"
    said = f"{curves.reporters:,} reporters, {curves.items:,} items, {truth}; strategy: {curves.table['strategy'][0]}."
    out.print(Text(said), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bribed", justify="right")
    table.add_column("rule")
    shown = [name for name in ("squared_loss", "accuracy", "changed") if curves.table[name].count()]
    for heading in ("k", "certified", *(part for name in shown for part in (name.replace("_", " "), "±"))):
        table.add_column(heading, justify="right")
    for row in curves.table.iter_rows(named=True):
        numbers = [cell(row[name + end], 4) for name in shown for end in ("", "_sd")]
        table.add_row(str(row["adversaries"]), row["rule"], str(row["k"]), f"{row['certified']:.1%}", *numbers)
    out.print(table)


def check_picture(path: Path) -> None:
    """Refuse, before any work, a picture that cannot be written.

    Raises
    ------
    FileError
        If its ending is unknown, or there is no such folder.
    """
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"--plot {path}: name it .png, .svg or .pdf, which chooses the format")
    if not path.parent.is_dir():
        raise FileError(f"--plot {path}: there is no folder {path.parent}")


def draw_curves(curves: "AttackCurves", path: Path) -> None:
    """Draw the squared loss of each rule over the number of adversaries.

    Rules that assume half or twice the true number are in the table alone.

    Raises
    ------
    FileError
        If the file cannot be written.
    MissingPackageError
        If matplotlib is not installed.
    """
    write_picture(lambda axes: _draw(axes, curves), path, _SIZE, extra="plots")


def _draw(axes: "Axes", curves: "AttackCurves") -> None:
    """Draw one line per rule, with bars of one standard deviation over the seeds."""
    from matplotlib.ticker import MaxNLocator

    rules: dict[str, pl.DataFrame] = {
        str(rule): rows.sort("adversaries")
        for (rule,), rows in curves.table.group_by("rule", maintain_order=True)
        if not str(rule).endswith((", k/2", ", 2k"))
    }
    for place, (rule, rows) in enumerate(rules.items()):
        axes.errorbar(
            rows["adversaries"].to_list(),
            rows["squared_loss"].to_list(),
            yerr=rows["squared_loss_sd"].fill_null(0.0).to_list(),
            color=_COLOURS[place % len(_COLOURS)],
            marker=_MARKS[place % len(_MARKS)],
            linestyle=_LINES[place % len(_LINES)],
            markerfacecolor="none",
            elinewidth=0.6,
            label=rule,
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.set_title(f"Strategy: {curves.table['strategy'][0]}; {curves.known or curves.items:,} items")
    axes.set_xlabel(f"Bribed reporters (of {curves.reporters:,})")
    axes.set_ylabel("Squared loss" if curves.known else "Squared distance from the mean of the honest scores")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
