"""Print the result of ``bribeproof attack``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.fitting import print_fitting
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from bribeproof.attacks.result import AttackCurves


def show_curves(curves: "AttackCurves", notes: Sequence[str]) -> None:
    """Print the curves: notes on standard error; a row per number of adversaries and rule, and which rule to use."""
    show_notes(notes)
    out = console()
    out.print(Text(curves.summary()), soft_wrap=not out.is_terminal)
    if curves.fit is not None:
        out.print(Text(curves.fit.summary()), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bribed", justify="right")
    table.add_column("rule")
    shown = [name for name in ("squared_loss", "accuracy", "changed") if curves.curves[name].count()]
    for heading in ("k", "certified", *(part for name in shown for part in (name.replace("_", " "), "±"))):
        table.add_column(heading, justify="right")
    for row in curves.curves.iter_rows(named=True):
        numbers = [cell(row[name + end], 4) for name in shown for end in ("", "_sd")]
        table.add_row(str(row["adversaries"]), row["rule"], str(row["k"]), f"{row['certified']:.1%}", *numbers)
    print_fitting(out, table, ("±",), "write all, with the spread over draws, with -o FILE")
    out.print()
    out.print(Text(curves.recommendation()), soft_wrap=not out.is_terminal)
