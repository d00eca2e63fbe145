"""Print the result of ``bribeproof weigh``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.weighting.result import WeightedAnswers


_ITEMS = 20
_ENDS = 5
"""Number of reporters shown with the largest weights, and with the smallest."""


def show_weighed(result: "WeightedAnswers", notes: Sequence[str]) -> None:
    """Print the most fragile items, the reporters of most and least weight, and the guarantee."""
    from bribeproof.weighting.result import describe_guarantee, describe_items, most_fragile

    show_notes(notes)
    out = console()
    out.print(Text(describe_items(result, result.items)), soft_wrap=not out.is_terminal)
    fragile = most_fragile(result.items)
    out.print()
    out.print(_table(fragile, _ITEMS, 0))
    if fragile.height > _ITEMS:
        out.print(Text(f"… and {fragile.height - _ITEMS:,} more fragile items; write all with -o FILE"))
    reporters = result.reporters
    known = [name for name in ("reports", "agreement", "right", "weight") if reporters[name].count()]
    out.print()
    out.print(_table(reporters.select("reporter", *known), _ENDS, _ENDS))
    for sentence in describe_guarantee(result, result.items):
        out.print()
        out.print(Text(sentence), soft_wrap=not out.is_terminal)


def _table(frame: "pl.DataFrame", first: int, last: int) -> Table:
    """Lay out the first and the last rows of a table."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name, dtype in frame.schema.items():
        table.add_column(cell(name), justify="right" if dtype.is_numeric() else "left", overflow="fold")
    whole = frame.height <= first + last
    for row in (frame if whole else frame.head(first)).iter_rows():
        table.add_row(*map(cell, row))
    if last and not whole:
        table.add_row("…")
        for row in frame.tail(last).iter_rows():
            table.add_row(*map(cell, row))
    return table
