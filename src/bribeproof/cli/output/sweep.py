"""Print the result of ``bribeproof sweep``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from bribeproof.aggregation.sweep_result import Sweep


def show_sweep(result: "Sweep", notes: Sequence[str]) -> None:
    """Print the table by k, and the items whose answers change first."""
    show_notes(notes)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = {"changed": "changed or lost", "expected_loss": "expected loss ≤"}
    for name in result.by_k.columns:
        table.add_column(headings.get(name, name), justify="right")
    for row in result.by_k.iter_rows():
        table.add_row(*(cell(value) for value in row))
    out.print(table)
    out.print()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)
