"""One row of a sheet: which of its cells are filled, which hold numbers, and whether it may be a note."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bribeproof._text import shorten
from bribeproof.io.encoding import count_line_ends
from bribeproof.io.grid.column_names import join_few

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[-+−(]?[.,]?\d[\d.,:/'’\s-]*(?:[eE][-+]?\d+|[¼½¾])?\s?[%)]?")
"""Numbers, also with decimal commas, exponents and separators of thousands, shares, dates and times."""
_MARK = re.compile(r"[*†‡§]")
_NOTE = re.compile(r"[*†‡§]|[^:]{1,40}:(\s|$)")
_LONG_NOTE = 3  # words


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet.

    Parameters
    ----------
    line : int
        Its place in the file, from 1.
    cells : sequence of str
        The cells as written; an empty cell is empty or white space.

    Examples
    --------
    >>> row = SheetRow(3, ["E1", "7,5", " ", "85 %"])
    >>> row.filled, row.numbers, row.extent
    ((0, 1, 3), (1, 3), 4)
    """

    line: int
    cells: Sequence[str]

    @property
    def is_blank(self) -> bool:
        """Whether no cell is filled."""
        return not any(map(str.strip, self.cells))

    @cached_property
    def filled(self) -> tuple[int, ...]:
        """The positions of the cells that are not empty."""
        return tuple(position for position, cell in enumerate(self.cells) if cell.strip())

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The positions of the cells that hold a number, a date or a time."""
        return tuple(position for position in self.filled if _NUMBER.fullmatch(self.cells[position].strip()))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The cells without outer white space, up to the last filled one."""
        return tuple(cell.strip() for cell in self.cells[: self.extent])

    @property
    def extent(self) -> int:
        """The number of cells up to the last filled one."""
        return self.filled[-1] + 1 if self.filled else 0

    def cell(self, position: int) -> str:
        """Return a cell without outer white space; beyond the end of the row it is empty."""
        return self.cells[position].strip() if position < len(self.cells) else ""

    def show(self) -> str:
        """Return the first filled cells for a message."""
        shown = ", ".join(shorten(self.cells[position].strip()) for position in self.filled[:3])
        return shown + (", ..." if len(self.filled) > 3 else "")


def follows(row: SheetRow, before: SheetRow) -> bool:
    r"""Return whether a row stands directly below another, with no line between them.

    Examples
    --------
    >>> above = SheetRow(2, ["two\nlines", "x"])
    >>> follows(SheetRow(4, ["y"]), above), follows(SheetRow(5, ["y"]), above)
    (True, False)
    """
    inner = sum(count_line_ends(cell.encode()) for cell in before.cells)
    return row.line <= before.line + 1 + inner


def show_lines(lines: Iterable[int], unit: str = "line") -> str:
    """Return some lines for a note, in which a run of lines is given by its ends.

    Examples
    --------
    >>> show_lines([3, 7, 8, 9]), show_lines([5]), show_lines(range(2, 40, 3))
    ('lines 3, 7-9', 'line 5', 'lines 2, 5, 8, 11, 14 and 8 more')
    """
    runs: list[list[int]] = []
    for line in sorted(lines):
        if runs and runs[-1][1] == line - 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    shown = join_few(str(first) if first == last else f"{first}-{last}" for first, last in runs)
    return f"{unit} {shown}" if shown.isdecimal() else f"{unit}s {shown}"


def is_note(text: str, *, apart: bool, short: bool) -> bool:
    """Return whether the only cell of a row below the data is a note, rather than an item without reports.

    Parameters
    ----------
    text : str
        The text of the cell.
    apart : bool
        Whether a blank row separates it from the data.
    short : bool
        Whether the row has fewer fields than the header, so that it cannot be an item.

    Returns
    -------
    bool
        Whether it is a note. If in doubt it is not: an item that nobody reported on must not be lost.

    Examples
    --------
    >>> is_note("* judge 3 absent", apart=False, short=False), is_note("E7", apart=True, short=False)
    (True, False)
    >>> is_note("The Old Man", apart=False, short=False), is_note("The Old Man", apart=True, short=False)
    (False, True)
    """
    words = len(text.split())
    if _MARK.match(text):
        return words > 1 or apart or short
    if apart:
        return words > 1 or text.endswith(":")
    return short and (words >= _LONG_NOTE or begins_as_note(text))


def begins_as_note(text: str) -> bool:
    """Return whether text begins with a mark such as an asterisk, or with a few words and a colon.

    Examples
    --------
    >>> begins_as_note("Source: the federation"), begins_as_note("https://example.org")
    (True, False)
    """
    return _NOTE.match(text.strip()) is not None
