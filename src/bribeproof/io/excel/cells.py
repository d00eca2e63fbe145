"""The cells of a sheet as text, as they show it, and those that are merged over several rows."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from bribeproof.errors import FileError
from bribeproof.io.grid.sheet_row import SheetRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bribeproof.io.excel.sheet_facts import SheetFacts

Cell: TypeAlias = str | float | bool | datetime.datetime | datetime.date | datetime.time | datetime.timedelta
"""A value of a cell; an empty one is the empty text."""

_EXACT = 1 << 53
"""From here on neighbouring whole numbers are stored as one."""


_COMMA = re.compile(r"[+-]?(?:[0-9]+,[0-9]{1,2}|[0-9]+,[0-9]{4,}|0,[0-9]{3}|[0-9]{4,},[0-9]{3})")
"""A number as text, whose comma cannot be a thousands mark."""


def text_with_comma(rows: Iterable[Sequence[Cell]]) -> str | None:
    """Return the first text such as *7,25* among cells of which others hold numbers with decimals; else None.

    Examples
    --------
    >>> text_with_comma([["Ann", 7.5], ["Ben", "7,25"]]), text_with_comma([["Ann", "7,25"]])
    ('7,25', None)
    """
    text, has_decimals = None, False
    for row in rows:
        for value in row:
            if isinstance(value, float):
                has_decimals = has_decimals or not value.is_integer()
            elif text is None and isinstance(value, str) and _COMMA.fullmatch(value.strip()):
                text = value.strip()
        if has_decimals and text is not None:
            return text
    return None


def read_rows(sheet: Any, facts: SheetFacts, where: str, *, comma: bool = False) -> Iterator[SheetRow]:
    """Yield the rows of a sheet, with cells as text; numbers have a decimal comma if their author writes one."""
    left = sheet.start[1]
    errors: dict[int, list[tuple[int, str]]] = {}
    for (row, column), text in facts.errors.items():
        errors.setdefault(row, []).append((column, text))
    for row, values in enumerate(sheet.iter_rows()):
        cells = [value if isinstance(value, str) else _to_text(value, where, row) for value in values]
        for column in facts.percent.get(row, ()):
            at = column - left
            if 0 <= at < len(cells) and isinstance(values[at], float | int):
                cells[at] = _percent(values[at])
        if comma:
            pairs = zip(cells, values, strict=True)
            cells = [text.replace(".", ",") if isinstance(value, float) else text for text, value in pairs]
        for column, text in errors.get(row, ()):
            if 0 <= column - left < len(cells):
                cells[column - left] = text
        yield SheetRow(row + 1, cells)


def _to_text(value: Cell, where: str, row: int) -> str:
    """Return a value as the text that its cell shows, without rounding.

    Raises
    ------
    FileError
        If it is a whole number of which a workbook does not store all digits.
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        if value == int(value):
            if abs(value) >= _EXACT:
                raise FileError(
                    f"{where}, row {row + 1}: {value:.6g} is a number of which a workbook does not store all digits; "
                    "format ids as text before they are entered, or give the sheet as CSV"
                )
            return str(int(value))
        return _shortest(value)
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


def _shortest(value: float) -> str:
    """Return a number with 15 digits, as a workbook shows it, if that removes an error of binary arithmetic.

    Examples
    --------
    >>> _shortest(0.1 + 0.2), _shortest(1 / 3)
    ('0.3', '0.3333333333333333')
    """
    text, shown = repr(value), f"{value:.15g}"
    return shown if len(shown) < len(text) - 2 else text


def _percent(value: float) -> str:
    """Return a share as a percentage.

    Examples
    --------
    >>> _percent(0.85), _percent(0.075), _percent(1)
    ('85%', '7.5%', '100%')
    """
    return f"{(Decimal(_shortest(float(value))) * 100).normalize():f}%"


def merged_below(sheet: Any, line: int) -> dict[int, list[tuple[int, int]]]:
    """Return the cells merged over several rows of one column below the header: by first row, the column and end."""
    left = sheet.start[1]
    merged: dict[int, list[tuple[int, int]]] = {}
    for (top, start), (bottom, end) in sheet.merged_cell_ranges or ():
        if top >= line and bottom > top and start == end and start >= left:
            merged.setdefault(top, []).append((start - left, bottom))
    return merged


def fill_down(rows: Iterable[SheetRow], merged: dict[int, list[tuple[int, int]]]) -> Iterator[SheetRow]:
    """Yield rows in which a merged cell counts in each of its rows."""
    open_cells: dict[int, tuple[str, int]] = {}
    for row in rows:
        at = row.line - 1
        cells = list(row.cells)
        open_cells = {column: cell for column, cell in open_cells.items() if cell[1] >= at}
        for column, (text, _) in open_cells.items():
            cells[column] = text
        for column, bottom in merged.get(at, ()):
            if column < len(cells):
                open_cells[column] = (cells[column], bottom)
        yield SheetRow(row.line, cells) if open_cells else row
