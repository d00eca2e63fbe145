"""Find the header of a sheet by its structure: below titles, in two lines, or where a question has to say it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from bribeproof._text import list_names
from bribeproof.errors import FileError
from bribeproof.io.grid.column_names import clean_name
from bribeproof.io.grid.double_header import are_equal, combined_names, header_groups
from bribeproof.io.grid.sheet_row import follows, show_lines
from bribeproof.io.grid.wide_titles import is_repeated_text, names_beneath, share_cells
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.io.grid.sheet_row import SheetRow

_IMPORT_ID = re.compile(r'\{\s*"ImportId"')
_SURVEY_ROWS = 3  # the rows below the header of which one may hold import ids


class HeaderSearch:
    """The first rows of a sheet, and the search for its header.

    Parameters
    ----------
    rows : sequence of SheetRow
        The first rows of the file, blank ones included, at least one.
    source : str
        The file, for messages.
    unit : {"line", "row"}
        What is counted in the file.
    """

    def __init__(self, rows: Sequence[SheetRow], source: str, unit: str) -> None:
        self._rows = rows
        self._source = source
        self._unit = unit

    @cached_property
    def _filled(self) -> list[SheetRow]:
        """The rows that are not blank, below titles that a merged cell repeats in every column."""
        filled = [row for row in self._rows if not row.is_blank]
        while len(filled) > 2 and is_repeated_text(filled[0], filled[1:]):
            filled = filled[1:]
        return filled

    def find(self) -> list[SheetRow]:
        """Return the row of the header, or its two.

        Raises
        ------
        QuestionError
            If several rows could be the header.
        """
        header = self._single()
        pair = self._pair(header)
        if pair:
            return pair
        if not survey_rows(self._below(header)):
            header = self._above_or(header)
        return [header]

    def question(self, header: SheetRow, problem: FileError) -> FileError | QuestionError:
        """Return the error of a header that does not fit the rows below it: a question, if a row below would fit.

        Parameters
        ----------
        header : SheetRow
            The header that does not fit, or its lower line.
        problem : FileError
            The error if no other row fits.
        """
        choices = self._choices(self._fitting(header))
        if not choices:
            return FileError(str(problem))
        reason = str(problem).partition(";")[0].removeprefix(f"{self._source}, ")
        return self._question(f"{self._show([header])} may not be the header ({reason})", choices, header)

    def _fitting(self, header: SheetRow) -> list[SheetRow]:
        """Return the first row below another that could be the header instead: all its cells are words."""
        for row in self._filled:
            below = self._below(row)
            is_whole = len(row.filled) == row.extent > 1 and all(other.extent <= row.extent for other in below)
            could_name = is_whole and not row.numbers and row.line > header.line and len(below) > 1
            if could_name and (self._count_numeric(row, row.filled, below) or names_beneath(row, below)):
                return [row]
        return []

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
        choices = self._choices([*self._fitting(header), header, first])
        raise self._question(
            f"the header is not certain: {self._show(titles)} ({first.show()}) may be a title", choices, first
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
        numeric = 2 * self._count_numeric(lower, columns, below) > len(columns)
        if all(upper.cell(at) for at in range(lower.extent)) and not (numeric and are_equal(groups)):
            return False  # without blanks, a name continues only over several groups above numbers
        if numeric and not stands_alone and (are_equal(groups) or len(groups) == 1):
            return True
        choices = [self._choice(upper, lower), self._choice(lower) if stands_alone else None]
        problem = f"{self._show([upper, lower])} may be one header" if below_title else "not every column has a name"
        raise self._question(problem, [choice for choice in choices if choice], upper)

    def _above_or(self, header: SheetRow) -> SheetRow:
        """Return a header, or the row of names beneath it if it is a title of one cell; ask if it may be a wide one."""
        beneath = self._names_beneath(header)
        if beneath is None or (lower := self._choice(beneath)) is None:
            return header
        if len(header.filled) == 1:
            return beneath
        upper, both = self._choice(header), self._choice(header, beneath) if follows(beneath, header) else None
        is_survey = any(len(beneath.cell(position).split()) > 2 for position in beneath.filled)
        choices = [lower, upper, both if is_survey or not upper else None]
        raise self._question(
            f"{self._show([header])} ({header.show()}) may be the header, or a title above it",
            [choice for choice in choices if choice],
            header,
        )

    def _names_beneath(self, header: SheetRow) -> SheetRow | None:
        """Return the last of the rows below a header that could be names, and are no data; None if there is none."""
        found = None
        at = self._filled.index(header) if header in self._filled else len(self._filled)
        for row in self._filled[at + 1 : at + 5]:
            if row.texts == header.texts:
                break
            below = [other for other in self._below(row) if other.texts != header.texts]
            between = [other for other in self._below(header) if other.line < row.line]
            if names_beneath(row, below) and not any(share_cells(other, [row, *below]) for other in between):
                found = row
            elif row.numbers:
                break
        return found

    def _choices(self, rows: Sequence[SheetRow]) -> list[Choice]:
        """Return the choices of those rows that could each be the header."""
        return [choice for row in rows if (choice := self._choice(row))]

    def _choice(self, *rows: SheetRow) -> Choice | None:
        """Return the choice of one or two rows as the header; None if they do not name every column."""
        names = list(map(clean_name, header_names(rows)))
        below = self._below(rows[-1])
        wider = sum(row.extent > len(names) for row in below)
        if not all(names) or len(set(names)) < len(names) or 2 * wider > len(below):
            return None
        which = f"{self._show(rows)} {'together are' if len(rows) > 1 else 'is'} the header"
        return Choice(f"{which}: {list_names(names, most=4)}", {"header_line": "-".join(str(row.line) for row in rows)})

    def _question(self, question: str, choices: list[Choice], first: SheetRow) -> FileError | QuestionError:
        """Return a question about the rows from `first` on, or an error if there is no choice."""
        if not choices:
            return FileError(
                f"{self._source}, {self._unit} {first.line}: no row names every column; give each column a name of "
                "its own in one row above the data"
            )
        rows = [(row.line, row.cells) for row in self._rows]
        return QuestionError(f"{self._source}: {question}", choices, rows)

    def _count_numeric(self, header: SheetRow, columns: Sequence[int], below: list[SheetRow]) -> int:
        """Return how many of these columns have a word in a header, and mostly numbers below it."""
        filled = Counter(position for row in below for position in row.filled)
        numbers = Counter(position for row in below for position in row.numbers)
        return sum(bool(header.cell(at)) and 2 * numbers[at] > filled[at] for at in columns)

    def _below(self, row: SheetRow) -> list[SheetRow]:
        """Return the rows below a row that are neither blank nor its repetition."""
        return [other for other in self._filled if other.line > row.line and other.texts != row.texts]

    def _show(self, rows: Sequence[SheetRow]) -> str:
        """Return the lines of rows for a message."""
        return show_lines((row.line for row in rows), self._unit)


def survey_rows(below: Sequence[SheetRow]) -> Sequence[SheetRow]:
    """Return the rows that surveys export between names and answers: questions, and the ids of an import."""
    for count, row in enumerate(below[:_SURVEY_ROWS], start=1):
        if row.filled and all(_IMPORT_ID.match(row.cell(position)) for position in row.filled):
            return below[:count]
    return []


def header_names(rows: Sequence[SheetRow]) -> list[str]:
    """Return the names of the columns below one row, or two that are one header, as written."""
    first, *second = rows
    return combined_names(first, second[0]) if second else [first.cell(at) for at in range(first.extent or 1)]
