"""Print the result of ``bribeproof certify``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import round_up
from bribeproof._worth import format_share
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from bribeproof.certification.result import Certification

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all."""
_HEADINGS = {
    "k": "k", "robust": "robust", "accuracy": "of gold", "accuracy_low": "accuracy ≥", "per_100": "per 100 ≤",
    "of_prior": "of prior", "absolute_high": "absolute ≤",
    "squared_high": "squared ≤",
}  # fmt: skip


def show_certification(result: "Certification", notes: Sequence[str]) -> None:
    """Print a certification: notes on standard error, its summary and table on standard output."""
    show_notes(notes)
    out = console()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS.values():
        table.add_column(heading, justify="right")
    for row in result.by_k.head(_SHOWN).iter_rows(named=True):
        table.add_row(*(_cell(name, row[name]) for name in _HEADINGS))
    out.print(table)
    if result.by_k.height > _SHOWN:
        out.print(Text(f"… and {result.by_k.height - _SHOWN:,} more; write all with -o FILE"))


def _cell(name: str, value: Any) -> Text:
    """Return a cell; errors per 100 items, and their share of those of the constant answer, are rounded up."""
    if value is not None and name == "of_prior":
        return Text(format_share(value))
    return Text(round_up(value)) if name == "per_100" else cell(value, 3)
