"""The header of a sheet: where it is, the names of the columns, and which rows around it are no data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof._text import list_names
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.grid.column_names import clean_header
from bribeproof.io.grid.header_search import HeaderSearch, header_names, survey_rows
from bribeproof.io.grid.sheet_row import show_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bribeproof.io.grid.sheet_row import SheetRow
    from bribeproof.questions import QuestionError

SAMPLE = 50
"""The number of lines at the beginning of a file in which its header is looked for."""
_INDEX = "index"
"""The name of a first column without a name that counts the rows, as data frames are exported."""
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
    lines : tuple of int
        Its line, or its two lines.
    """

    names: list[str]
    width: int
    last: SheetRow
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]
    lines: tuple[int, ...]

    @property
    def where(self) -> str:
        """Its line, or its two lines, such as 1-2."""
        return "-".join(map(str, self.lines))


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
    title, and so is one that repeats one text. Two rows are one header if the upper one has blanks that continue its
    names, the lower one cannot stand alone, and numbers stand below it. Where this is not certain, an error asks.

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
        If a column has no name or that of another one.
    QuestionError
        If the header is not certain.

    Examples
    --------
    >>> from bribeproof.io.grid.sheet_row import SheetRow
    >>> rows = [["Spring Cup"], ["entry", "Anna", "Boris"], ["E1", "7", "8"], ["E2", "5", "6"]]
    >>> header = find_header([SheetRow(line, cells) for line, cells in enumerate(rows, start=1)], "marks.csv")
    >>> header.names, header.notes
    (['entry', 'Anna', 'Boris'], ("skipped line 1 above the header: 'Spring Cup'",))
    """
    filled = [row for row in rows if not row.is_blank]
    if chosen:
        header = [_row_at(line, rows, source, unit) for line in chosen]
    else:
        header = HeaderSearch(rows, source, unit).find()
    survey = survey_rows([row for row in filled if row.line > header[-1].line])
    above = [row for row in filled if row.line < header[0].line]
    where = f"{source}, {unit} {' and '.join(str(row.line) for row in header)}"
    names, notes = header_names(header), _notes(above, header, survey, unit)
    if not names[0] and _INDEX not in names and _counts_rows(row for row in filled if row.line > header[-1].line):
        names[0] = _INDEX
        notes.append(f"column 1, which has no name, counts the rows: it is called {_INDEX!r}")
    return Header(
        clean_header(names, where),
        max(len(row.cells) for row in header),
        survey[-1] if survey else header[-1],
        (*above, *header, *survey),
        tuple(notes),
        tuple(row.line for row in header),
    )


def _counts_rows(rows: Iterable[SheetRow]) -> bool:
    """Return whether the first cells of rows are 0, 1, 2, … or 1, 2, 3, …, of two rows at least."""
    first = [row.cell(0) for row in rows]
    return len(first) > 1 and any(first == [str(at + start) for at in range(len(first))] for start in (0, 1))


def other_header(
    rows: Sequence[SheetRow], source: str, header: Header, problem: FileError, unit: str = "line"
) -> FileError | QuestionError:
    """Return the error of a header that does not fit the rows below it: a question, if another row would fit.

    Parameters
    ----------
    rows : sequence of SheetRow
        The first rows of the file.
    source : str
        The file, for messages.
    header : Header
        The header that was found.
    problem : FileError
        How it does not fit, and the error if no other row fits.
    unit : {"line", "row"}
        What is counted in the file.
    """
    return HeaderSearch(rows, source, unit).question(header.last, problem)


def _row_at(line: int, rows: Sequence[SheetRow], source: str, unit: str) -> SheetRow:
    """Return the row at a line that the user named."""
    for row in rows:
        if row.line == line and not row.is_blank:
            return row
    raise FileError(
        f"{source}: no row begins on {unit} {line}, so it cannot be the header; "
        "name another with header_line= (--header-line)"
    )


def _notes(above: Sequence[SheetRow], header: Sequence[SheetRow], survey: Sequence[SheetRow], unit: str) -> list[str]:
    """Return what was skipped and combined."""
    above_lines, lines, survey_lines = (
        show_lines((row.line for row in rows), unit) for rows in (above, header, survey)
    )
    notes = []
    if above:
        shown = "; ".join(row.show() for row in above[:3]) + ("; ..." if len(above) > 3 else "")
        notes.append(f"skipped {above_lines} above the header: {shown}")
    if len(header) > 1:
        notes.append(f"{lines} together are the header: {list_names(header_names(header), most=4)}")
    if survey:
        notes.append(f"skipped {survey_lines} below the header: questions and import ids of a survey")
    return notes
