"""Tell a title that fills every column from a header: by its repetition, or by the names beneath it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bribeproof.io.grid.column_names import clean_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.io.grid.sheet_row import SheetRow

_LEAST_FOREIGN = 2
"""The fewest columns in which a row of names differs from the rows below it."""
_FEWEST_RECURRING = 3
"""The fewest rows in which labels can come again."""
_FEWEST_NUMBERED = 3
"""The fewest columns that are called 1, 2, 3, …"""


def is_repeated_text(row: SheetRow, below: Sequence[SheetRow]) -> bool:
    """Return whether a row above names repeats one text that stands nowhere below, as a merged cell is exported.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> header = SheetRow(2, ["skater", "J1"])
    >>> [is_repeated_text(SheetRow(1, cells), [header]) for cells in (["Finals", "Finals"], ["Finals", "2024"])]
    [True, False]
    """
    texts = {row.cell(at) for at in row.filled}
    if len(texts) > 1 or len(row.filled) < 2 or row.numbers or below[0].numbers:
        return False
    return all(texts.isdisjoint(map(str.strip, other.cells)) or _is_same(other, texts) for other in below)


def names_beneath(row: SheetRow, below: Sequence[SheetRow]) -> bool:
    """Return whether a row below the first could be names: its words stand above numbers, or never come again.

    A column of numbers has a word in such a row; a column of labels, which come again and again, has another word;
    a column in which no cell comes again, such as that of the items, says nothing.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> below = [SheetRow(3, ["S1", "7", "8"]), SheetRow(4, ["S2", "5", "6"])]
    >>> names_beneath(SheetRow(2, ["skater", "J1", "J2"]), below), names_beneath(SheetRow(2, ["S0", "9", "8"]), below)
    (True, False)
    """
    columns = sorted({at for other in below for at in other.filled})
    names = {at: clean_name(row.cell(at)) for at in columns}
    if len(below) < 2 or len(set(names.values())) < len(names) or not all(names.values()):
        return False
    words = Counter(other.cell(at) for other in below for at in other.filled if at not in other.numbers)
    numbered = _are_numbered([names[at] for at in columns[1:]])
    foreign = 0
    for at in columns:
        cells = [other.cell(at) for other in below if at in other.filled]
        numeric = 2 * sum(at in other.numbers for other in below) > len(cells)
        recurring = len(below) >= _FEWEST_RECURRING and 2 * sum(words[cell] > 1 for cell in cells) > len(cells)
        says = numeric or recurring
        if names[at] in (words if recurring else cells) or (says and at in row.numbers and not numbered):
            return False
        foreign += says
    return foreign >= _LEAST_FOREIGN


def share_cells(row: SheetRow, below: Sequence[SheetRow]) -> bool:
    """Return whether a cell of a row stands again in its column, as in rows of data."""
    return any(row.cell(at) == other.cell(at) for other in below for at in row.filled)


def _are_numbered(names: Sequence[str]) -> bool:
    """Return whether names are the numbers from 1 on."""
    return len(names) >= _FEWEST_NUMBERED and list(names) == [str(number + 1) for number in range(len(names))]


def _is_same(row: SheetRow, texts: set[str]) -> bool:
    """Return whether every filled cell of a row is one of some texts."""
    return all(row.cell(at) in texts for at in row.filled)
