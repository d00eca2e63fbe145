"""Print a table without the columns for which a narrow terminal has no room, and say which these are."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

_UNLIMITED = 1_000_000
"""Larger than the width of any table."""


def print_fitting(out: Console, table: Table, least_needed: Sequence[str], where: str) -> None:
    """Print a table; columns are left out, in this order, until no word of the others is broken.

    Parameters
    ----------
    out
        The console.
    table
        The table; it loses the columns that are left out.
    least_needed
        Headings of the columns that may be left out.
    where
        Where all columns are.
    """
    left_out = []
    for heading in least_needed:
        if Measurement.get(out, out.options.update(max_width=_UNLIMITED), table).maximum <= out.width:
            break
        kept = [column for column in table.columns if str(column.header) != heading]
        if len(kept) < len(table.columns):
            table.columns = [replace(column, _index=place) for place, column in enumerate(kept)]  # for its padding
            left_out.append(heading.replace("\n", " "))
    out.print(table)
    if left_out:
        out.print(Text(f"… and {', '.join(left_out)}; {where}"))
