"""Print the result of ``bribeproof bribe``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof.cli.output.tables import cell, console, print_sentences, print_table, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.bribery.bribed_reporters import BribedReporters

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all items."""
_OF_REPORTERS = {
    "reporters": "members of the group",
    "price": "of their bribe",
    "reports": "how many there are",
    "changes alone": "decided items that this one alone could have changed",
    "with those above": "that this one and those above could have changed together",
}
_OF_ITEMS = {
    "reports": {"decision": "label with the most reports", "margin": "reports that it is ahead"},
    "weight": {"decision": "label with the most weight", "margin": "weight that it is ahead"},
}


def show_bribe(result: "BribedReporters", notes: Sequence[str]) -> None:
    """Print who could change how much: notes on standard error, sentences and tables on standard output."""
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())
    of_items = _OF_ITEMS["reports" if result.items["margin"].dtype.is_integer() else "weight"]
    for frame, what, meanings in ((result.reporters, "reporters", _OF_REPORTERS), (result.items, "items", of_items)):
        if frame.height:
            rest = f"… and {frame.height - _SHOWN:,} more {what}" + "; write all with -o FILE" * (what == "items")
            out.print()
            print_table(out, _table(frame.head(_SHOWN)), meanings, more=rest if frame.height > _SHOWN else "")


def _table(frame: "pl.DataFrame") -> Table:
    """Lay out a frame."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in frame.columns:
        table.add_column(name.replace("_", " "), justify="left" if name == frame.columns[0] else "right")
    for row in frame.iter_rows():
        table.add_row(*map(cell, row))
    return table
