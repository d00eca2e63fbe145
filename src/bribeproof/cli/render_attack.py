"""What ``bribeproof attack`` shows: a table for people, and a picture."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof.cli.render import cell, console, show_notes
from bribeproof.errors import FileError, MissingPackageError

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from bribeproof.data.attack_study import AttackCurves

_TIMELESS: Mapping[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_STYLE: Mapping[str, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "font.size": 8,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    # Text stays text and the same figure gives the same bytes.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "bribeproof",
}
# From dark to light, and each with a mark and a line of its own, so that grey paper tells them apart.
_COLOURS = ("#000000", "#0b3c7d", "#a31621", "#1b7f5c", "#b8860b", "#7f7f7f")
_MARKS, _LINES = ("o", "s", "^", "D", "v", "x", "P"), ("-", "--", "-.", ":")


def show_curves(curves: "AttackCurves", notes: Sequence[str]) -> None:
    """Print the curves: notes on standard error; one row per number of adversaries and rule on standard output."""
    show_notes(notes)
    out = console()
    said = (
        f"{curves.reporters:,} reporters, {curves.items:,} items, {curves.known:,} with a known truth; "
        f"strategy: {curves.table['strategy'][0]}."
    )
    out.print(Text(said), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bribed", justify="right")
    table.add_column("rule")
    for name in ("k", "certified", "squared loss", "±", "accuracy", "±", "changed", "±"):
        table.add_column(name, justify="right")
    for row in curves.table.iter_rows(named=True):
        numbers = [cell(row[name + end], 4) for name in ("squared_loss", "accuracy", "changed") for end in ("", "_sd")]
        table.add_row(str(row["adversaries"]), row["rule"], str(row["k"]), f"{row['certified']:.1%}", *numbers)
    out.print(table)


def picture_ending(path: Path) -> str:
    """Return the ending of a picture's file.

    Raises
    ------
    FileError
        If it is unknown, or there is no such folder.
    """
    ending = path.suffix.lower()
    if ending not in _TIMELESS:
        raise FileError(f"--plot {path}: name it .png, .svg or .pdf, which chooses the format")
    if not path.parent.is_dir():
        raise FileError(f"--plot {path}: there is no folder {path.parent}")
    return ending


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
    from bribeproof.data.whole_files import write_whole

    ending = picture_ending(path)
    try:
        import matplotlib.style
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"figures need {error.name}, which is not installed; run pip install 'bribeproof[plots]'"
        ) from None
    buffer = BytesIO()
    with matplotlib.style.context(dict(_STYLE), after_reset=True):
        figure = Figure(figsize=(4.4, 3.8), layout="constrained")
        _draw(figure.add_subplot(), curves)
        figure.savefig(buffer, format=ending[1:], dpi=300, metadata=_TIMELESS[ending])
    write_whole(path, lambda file: file.write(buffer.getvalue()))


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
    axes.set_title(f"Strategy: {curves.table['strategy'][0]}; {curves.known:,} items")
    axes.set_xlabel(f"Bribed reporters (of {curves.reporters:,})")
    axes.set_ylabel("Squared loss")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)
