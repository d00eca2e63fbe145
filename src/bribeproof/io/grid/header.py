"""Find the header of a sheet by its structure: titles and blank rows above it, headers of two lines, surveys."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof._text import list_names
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.grid.column_names import clean_header, clean_name
from bribeproof.io.grid.double_header import are_equal, combined_names, header_groups
from bribeproof.io.grid.sheet_row import follows, show_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.io.grid.sheet_row import SheetRow

SAMPLE = 50
"""The number of lines at the beginning of a file in which its header is looked for."""
_IMPORT_ID = re.compile(r'\{\s*"ImportId"')
_SURVEY_ROWS = 3  # the rows below the header of which one may hold import ids
_HEADER_LINE = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a sheet.

    Attributes
    ----------
    names : list of str
        The names of the columns.
    width : int
        The number of fields of its line, which may end with empty ones.
    last : SheetRow
        The last row before the data.
    rows : tuple of SheetRow
        All rows up to there that are not blank: where they are repeated below, they are no data.
    notes : tuple of str
        What was skipped, and which lines were combined.
    """

    names: list[str]
    width: int
    last: SheetRow
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]


def parse_header_line(header_line: int | str | None) -> tuple[int, ...]:
    """Return the lines of the header that the user named.

    Parameters
    ----------
    header_line : int or str or None
        A line, from 1; or "1-2", two lines that are one header.

    Returns
    -------
    tuple of int
        One or two lines; none if `header_line` is None.

    Raises
    ------
    ParameterError
        If it is something else.

    Examples
    --------
    >>> parse_header_line(3), parse_header_line("1-2"), parse_header_line(None)
    ((3,), (1, 2), ())
    """
    if header_line is None:
        return ()
    match = None if isinstance(header_line, bool) else _HEADER_LINE.fullmatch(str(header_line))
    lines = tuple(int(line) for line in match.groups() if line) if match else ()
    if not lines or lines != tuple(sorted(set(lines))):
        raise ParameterError(
            f"header_line={header_line!r} is no line of a file; give a line, such as 3, "
            'or two lines that are one header, such as "1-2"'
        )
    return lines


def find_header(rows: Sequence[SheetRow], source: str, chosen: Sequence[int] = (), unit: str = "line") -> Header:
    """Find the header of a sheet.

    The header is the first row that names all columns of the data. A row above it with one or two filled cells is a
    title. Two rows are one header if the upper one has blanks that continue its names, the lower one cannot stand
    alone, and numbers stand below it. Where this is not certain, an error asks.

    Parameters
    ----------
    rows : sequence of SheetRow
        The first rows of the file, blank ones included, at least one.
    source : str
        The file, for messages.
    chosen : sequence of int
        The lines of the header, if the user named them.
    unit : {"line", "row"}
        What is counted in the file.

    Returns
    -------
    Header
        The header.

    Raises
    ------
    FileError
        If a column has no name or that of another one, or the header is not certain.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> rows = [["Spring Cup"], ["entry", "Anna", "Boris"], ["E1", "7", "8"], ["E2", "5", "6"]]
    >>> header = find_header([SheetRow(line, cells) for line, cells in enumerate(rows, start=1)], "marks.csv")
    >>> header.names, header.notes
    (['entry', 'Anna', 'Boris'], ("skipped line 1 above the header: 'Spring Cup'",))
    """
    return _HeaderSearch(rows, source, unit).find(chosen)


class _HeaderSearch:
    """The first rows of a sheet, and the search for its header."""

    def __init__(self, rows: Sequence[SheetRow], source: str, unit: str) -> None:
        self._rows = rows
        self._source = source
        self._unit = unit
        self._filled = [row for row in rows if not row.is_blank]

    def find(self, chosen: Sequence[int]) -> Header:
        """Return the header, at the chosen lines or where the structure says."""
        if chosen:
            header = [self._at(line) for line in chosen]
        else:
            last = self._single()
            header = self._pair(last) or [last]
        first, *second = header
        names = combined_names(first, second[0]) if second else [first.cell(at) for at in range(first.extent or 1)]
        survey = self._survey_rows(header[-1])
        above = [row for row in self._filled if row.line < first.line]
        where = f"{self._source}, {self._unit} {first.line}" + (f" and {second[0].line}" if second else "")
        return Header(
            clean_header(names, where),
            max(len(row.cells) for row in header),
            survey[-1] if survey else header[-1],
            (*above, *header, *survey),
            tuple(self._notes(above, header, survey)),
        )

    def _at(self, line: int) -> SheetRow:
        """Return the row at a line that the user named."""
        for row in self._rows:
            if row.line == line and not row.is_blank:
                return row
        raise FileError(
            f"{self._source}: no row begins on {self._unit} {line}, so it cannot be the header; "
            "name another with header_line= (--header-line)"
        )

    def _single(self) -> SheetRow:
        """Return the row that is the header or its lower line."""
        if not self._filled:
            return self._rows[0]
        for least in (3, 2):
            header = next((row for row in self._filled if len(row.filled) >= least), self._filled[0])
            if header is self._filled[0]:
                continue
            below = self._below(header)
            if 2 * sum(len(row.filled) >= least for row in below) > len(below):
                return self._below_titles(header, below)
        header = self._filled[0]
        if len(header.filled) > 1 and header.numbers and self._rows[0].is_blank:
            return self._rows[0]  # a header without names, rather than a blank row above a header of numbers
        return header

    def _below_titles(self, header: SheetRow, below: list[SheetRow]) -> SheetRow:
        """Return a row if it is a header below titles, or the first row if that names the columns; else ask."""
        titles = [row for row in self._filled if row.line < header.line]
        first = titles[0]
        if header.numbers:
            return first
        wide, narrow = len(header.filled) > 2, all(len(row.filled) == 1 for row in titles)
        if (wide and narrow) or self._count_numeric(header, header.filled, below):
            return header
        named = sum(set(row.filled) <= set(first.filled) for row in below)
        if 2 * named > len(below):
            return first
        lines = self._show(titles)
        raise FileError(
            f"{self._source}: is {self._unit} {header.line} the header ({header.show()})? "
            f"If {lines} above it ({titles[-1].show()}) is only a title, say so with header_line={header.line} "
            f"(--header-line {header.line}); else give every column a name in {self._unit} {first.line}"
        )

    def _pair(self, row: SheetRow) -> list[SheetRow] | None:
        """Return the two lines of a header, if this row is one of them; ask if that is not certain."""
        at = self._filled.index(row) if row in self._filled else len(self._filled)
        for upper, lower in ((at - 1, at), (at, at + 1)):
            if upper >= 0 and lower < len(self._filled) - 1:
                pair = [self._filled[upper], self._filled[lower]]
                if self._is_pair(*pair, below_title=lower == at):
                    return pair
        return None

    def _is_pair(self, upper: SheetRow, lower: SheetRow, *, below_title: bool) -> bool:
        """Return whether two rows are one header; `below_title` if the upper one may be a title."""
        groups = header_groups(upper, lower)
        if not groups or len(upper.filled) < 2 or lower.numbers or not follows(lower, upper):
            return False
        below = self._below(lower)
        alone = [clean_name(lower.cell(at)) for at in range(max(row.extent for row in (lower, *below)))]
        stands_alone = all(alone) and len(set(alone)) == len(alone)
        if stands_alone and below_title and not are_equal(groups):
            return False
        columns = [column for members in groups.values() for column in members]
        certain = not stands_alone and (are_equal(groups) or len(groups) == 1)
        if certain and 2 * self._count_numeric(lower, columns, below) > len(columns):
            return True
        first, second, both = upper.line, lower.line, f"{upper.line}-{lower.line}"
        together = (
            f"if {self._unit}s {first} and {second} together are the header ({self._show_pair(upper, lower)}), "
            f'say header_line="{both}" (--header-line {both})'
        )
        only = f"if it is only {self._unit} {second} ({lower.show()}), header_line={second} (--header-line {second})"
        problem = "" if below_title else "not every column has a name; give each one a name, or, "
        raise FileError(
            f"{self._source}, {self._unit} {first}: {problem}{together}" + (f"; {only}" if stands_alone else "")
        )

    def _count_numeric(self, header: SheetRow, columns: Sequence[int], below: list[SheetRow]) -> int:
        """Return how many of these columns have a word in a header, and mostly numbers below it."""
        filled = Counter(position for row in below for position in row.filled)
        numbers = Counter(position for row in below for position in row.numbers)
        return sum(bool(header.cell(at)) and 2 * numbers[at] > filled[at] for at in columns)

    def _below(self, row: SheetRow) -> list[SheetRow]:
        """Return the rows below a row that are neither blank nor its repetition."""
        return [other for other in self._filled if other.line > row.line and other.cells != row.cells]

    def _survey_rows(self, header: SheetRow) -> list[SheetRow]:
        """Return the rows that surveys export between names and answers: questions, and the ids of an import."""
        below = self._below(header)[:_SURVEY_ROWS]
        for count, row in enumerate(below, start=1):
            if all(_IMPORT_ID.match(row.cell(position)) for position in row.filled):
                return below[:count]
        return []

    def _notes(self, above: list[SheetRow], header: list[SheetRow], survey: list[SheetRow]) -> list[str]:
        """Return what was skipped and combined."""
        notes = []
        if above:
            shown = "; ".join(row.show() for row in above[:3]) + ("; ..." if len(above) > 3 else "")
            notes.append(f"skipped {self._show(above)} above the header: {shown}")
        if len(header) > 1:
            lines = self._show(header)
            notes.append(f"{lines} together are the header: {self._show_pair(*header)}")
        if survey:
            notes.append(f"skipped {self._show(survey)} below the header: questions and import ids of a survey")
        return notes

    def _show_pair(self, upper: SheetRow, lower: SheetRow) -> str:
        """Return the combined names for a message."""
        return list_names(combined_names(upper, lower), most=4)

    def _show(self, rows: list[SheetRow]) -> str:
        """Return the lines of rows for a message."""
        return show_lines((row.line for row in rows), self._unit)
