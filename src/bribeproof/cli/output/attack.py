"""Print the result of ``bribeproof attack``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof.cli.output.tables import cell, console, print_sentences, print_table, show_notes

if TYPE_CHECKING:
    from bribeproof.attacks.result import AttackCurves

_MEANINGS = {
    "bribed": "how many reporters are",
    "k": "bribed reporters that the rule assumes",
    "certified": "items with more than 2k reports",
    "squared loss": "of the rule's answers, mean over the draws",
    "accuracy": "share of right answers",
    "changed": "share of items with another answer (of scores: another place) than without bribes",
    "±": "standard deviation over the draws",
}


def show_curves(curves: "AttackCurves", notes: Sequence[str]) -> None:
    """Print the curves: notes on standard error; which rule to use, and a row per number of adversaries and rule."""
    show_notes(notes)
    out = console()
    print_sentences(out, curves.recommendation())
    print_sentences(out, curves.summary())
    if curves.fit is not None:
        print_sentences(out, curves.fit.summary())
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
    print_table(out, table, _MEANINGS, least_needed=("±",), where="write all, with the spread over draws, with -o FILE")
