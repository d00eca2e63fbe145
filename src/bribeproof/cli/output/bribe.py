"""Print the result of ``bribeproof bribe``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.bribery.bribed_reporters import BribedReporters

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all items."""


def show_bribe(result: "BribedReporters", notes: Sequence[str]) -> None:
    """Print who could change how much: notes on standard error, sentences and tables on standard output."""
    show_notes(notes)
    out = console()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)
    for frame, what in ((result.reporters, "reporters"), (result.items, "items")):
        if frame.height:
            out.print()
            out.print(_table(frame.head(_SHOWN)))
        if frame.height > _SHOWN:
            out.print(
                Text(f"… and {frame.height - _SHOWN:,} more {what}" + "; write all with -o FILE" * (what == "items"))
            )


def _table(frame: "pl.DataFrame") -> Table:
    """Lay out a frame."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in frame.columns:
        table.add_column(name.replace("_", " "), justify="left" if name == frame.columns[0] else "right")
    for row in frame.iter_rows():
        table.add_row(*map(cell, row))
    return table
