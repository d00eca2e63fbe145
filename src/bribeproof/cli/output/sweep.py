"""Print the result of ``bribeproof sweep``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import round_up
from bribeproof._worth import format_share
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from bribeproof.aggregation.sweep_result import Sweep

_HEADINGS = {"changed": "changed or lost", "expected_loss": "loss ≤", "of_prior": "of prior", "per_100": "per 100 ≤"}


def show_sweep(result: "Sweep", notes: Sequence[str]) -> None:
    """Print the table by k, and the items whose answers change first."""
    show_notes(notes)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in result.by_k.columns:
        table.add_column(_HEADINGS.get(name, name), justify="right")
    for row in result.by_k.iter_rows():
        table.add_row(*map(_cell, result.by_k.columns, row))
    out.print(table)
    out.print()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)


def _cell(name: str, value: Any) -> Text:
    """Return a cell of the table by k; the bounds that are told in per cent or per 100 items are rounded up."""
    if value is not None and name == "of_prior":
        return Text(format_share(value))
    return Text(round_up(value)) if value is not None and name == "per_100" else cell(value)
