"""Combine two lines that are one header, such as "Judge 1,,Judge 2," above "tech,art,tech,art"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bribeproof.io.grid.sheet_row import SheetRow

Groups = dict[int, list[int]]
"""The columns below each cell of the upper line that names several, by the column of that cell."""


def header_groups(upper: SheetRow, lower: SheetRow) -> Groups:
    """Return the groups of columns that share a name in the upper line: blank or equal cells to its right continue it.

    Where the last group is longer than the others, which are equal, and begins with the same names, only those
    columns belong to it.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> lower = SheetRow(2, ["Entry", "tech", "art", "tech", "art", "Total"])
    >>> header_groups(SheetRow(1, ["", "Judge 1", "", "Judge 2", "", ""]), lower)
    {1: [1, 2], 3: [3, 4]}
    """
    groups: Groups = {}
    start = None
    for position in range(max(upper.extent, lower.extent)):
        if upper.cell(position) and not (position and upper.cell(position) == upper.cell(position - 1)):
            start = position if lower.cell(position) else None
        elif not lower.cell(position):
            start = None
        if start is not None:
            groups.setdefault(start, []).append(position)
    groups = {start: columns for start, columns in groups.items() if len(columns) > 1}
    *others, last = groups.values() or [[]]
    if others:
        span = len(others[0])
        names = [[lower.cell(column) for column in columns[:span]] for columns in (*others, last)]
        if {len(columns) for columns in others} == {span} and span < len(last) and names.count(names[0]) == len(names):
            del last[span:]
    return groups


def are_equal(groups: Mapping[int, list[int]]) -> bool:
    """Return whether there are several groups, all of as many columns."""
    return len(groups) > 1 and len({len(columns) for columns in groups.values()}) == 1


def combined_names(upper: SheetRow, lower: SheetRow) -> list[str]:
    """Return the names of the columns below two lines that are one header.

    The name of a single group distinguishes nothing, and is left out.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> upper = SheetRow(1, ["Skater", "Judge 1", "", "Judge 2", "", "Total"])
    >>> combined_names(upper, SheetRow(2, ["", "tech", "art", "tech", "art", ""]))
    ['Skater', 'Judge 1 tech', 'Judge 1 art', 'Judge 2 tech', 'Judge 2 art', 'Total']
    """
    groups = header_groups(upper, lower)
    shared = {column: upper.cell(start) for start, columns in groups.items() for column in columns}
    names = []
    for position in range(max(upper.extent, lower.extent)):
        above = shared.get(position, upper.cell(position))
        below = lower.cell(position)
        if len(groups) == 1 and position in shared:
            above = ""
        names.append(f"{above} {below}".strip())
    return names
