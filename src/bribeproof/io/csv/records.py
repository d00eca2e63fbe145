"""Parse the records of delimited text: their lines, their cells and where they end."""

from __future__ import annotations

import csv
import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bribeproof.errors import FileError
from bribeproof.io.encoding import count_line_ends, last_line_end, text_lines
from bribeproof.io.grid.sheet_row import SheetRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Records:
    """Complete records of delimited text.

    Parameters
    ----------
    data : bytes
        The text as UTF-8 without byte order mark, with its original line ends.
    sep : str
        The delimiter, one ASCII character.
    source : str
        Name of the file, for messages.
    first_line : int
        The line of the file at which the text begins, from 1.
    """

    data: bytes
    sep: str
    source: str
    first_line: int = 1

    def walk(self, width: int = 0) -> Iterator[tuple[int, list[str]]]:
        r"""Yield the records that are not blank, each with the line on which it begins.

        Parameters
        ----------
        width : int, optional
            The number of columns; by default that of the first record.

        Yields
        ------
        tuple of (int, list of str)
            The line and the cells.

        Raises
        ------
        FileError
            If a quote is not closed, or a quoted cell continues after its closing quote.

        Examples
        --------
        >>> list(Records(b'task,label\nt1, "a,\nb"\n\nt2,c\n', ",", "votes.csv").walk())
        [(1, ['task', 'label']), (2, ['t1', 'a,\nb']), (5, ['t2', 'c'])]
        """
        reader = csv.reader(text_lines(strip_around_quotes(self.data, self.sep)), delimiter=self.sep, strict=True)
        line = self.first_line
        try:
            for cells in reader:
                if not is_blank(cells) or (cells and width == 1):  # an empty cell of a single column
                    width = width or len(cells)
                    yield line, cells
                line = self.first_line + reader.line_num
        except csv.Error as error:
            raise self._broken_quote(line - self.first_line, reader.line_num, str(error)) from None

    def first_rows(self, lines: int) -> list[SheetRow]:
        """Return the records on the first lines that are not blank lines, up to a broken quote.

        Raises
        ------
        FileError
            If the first of them has a broken quote.
        """
        data = b"".join(line.encode() for line in itertools.islice(text_lines(self.data), lines))
        if len(data) < len(self.data):
            data = data[: last_record_end(data, self.sep)] or data
        rows: list[SheetRow] = []
        try:
            rows.extend(SheetRow(line, cells) for line, cells in replace(self, data=data).walk())
        except FileError:
            if not rows:
                raise
        return rows

    def after(self, row: SheetRow) -> Records:
        """Return the records after a row."""
        line = row.line + 1 + sum(count_line_ends(cell.encode()) for cell in row.cells)
        if line <= self.first_line:
            return self
        rest = self.data[_offset(self.data, line - self.first_line) :]
        return Records(rest, self.sep, self.source, line)

    def _broken_quote(self, begin: int, end: int, error: str) -> FileError:
        """Return the error of the record on lines `begin` to `end`, with the line on which its broken quote opens."""
        record = "".join(itertools.islice(text_lines(self.data), begin, end)).encode()
        edges = (b"", self.sep.encode(), b"\r", b"\n")
        line = begin
        for cell in _quoted(self.sep).finditer(record):
            if not cell["close"] or record[cell.end() : cell.end() + 1] not in edges:
                line += count_line_ends(record[: cell.start("cell")])
                break
        if "unexpected end" in error:
            problem = 'a quote (") opens a cell here and is never closed'
        elif "field limit" in error:
            problem = f"a cell of more than {csv.field_size_limit()} characters; is a closing quote missing?"
        else:
            problem = (
                f"a quoted cell begins here and goes on after its closing quote on line {self.first_line + end - 1}; "
                'inside a quoted cell write a quote twice ("")'
            )
        return FileError(f"{self.source}, line {self.first_line + line}: {problem}")


def last_record_end(data: bytes, sep: str) -> int:
    r"""Return the position after the last complete record of text that begins with a record.

    Parameters
    ----------
    data : bytes
        The text.
    sep : str
        The delimiter.

    Returns
    -------
    int
        The position after the last line end outside quotes; 0 if there is none. If a quote is broken, the position
        after the last line end.

    Examples
    --------
    >>> last_record_end(b'a,b\n1,"x\ny"', ",")
    4
    """
    end = last_line_end(data)
    if b'"' not in data[:end]:
        return end
    data = data[:end]
    characters = np.frombuffer(data, np.uint8)
    within = within_quotes(characters, sep)
    if within is not None and not (within[-1] and end - data.rfind(b'"') > csv.field_size_limit()):
        ends = np.flatnonzero((characters == ord("\n")) | (characters == ord("\r")))
        outside = ends[~within[ends]]
        return int(outside[-1]) + 1 if outside.size else 0
    reader = csv.reader(text_lines(strip_around_quotes(data, sep)), delimiter=sep, strict=True)
    lines = 0
    try:
        for _ in reader:
            lines = reader.line_num
    except csv.Error as error:
        if "unexpected end" in str(error):
            return _offset(data, lines)
    return end


def within_quotes(characters: NDArray[np.uint8], sep: str) -> NDArray[np.bool_] | None:
    r"""Return which characters are within quotes, if every quote opens or closes a whole cell.

    Parameters
    ----------
    characters : uint8 array
        Text that begins with a record and ends with a line end.
    sep : str
        The delimiter.

    Returns
    -------
    bool array or None
        True from an opening quote up to the character before the closing one. None if a quote is not at an edge of
        its cell, such as a doubled quote or one after a space.

    Examples
    --------
    >>> within_quotes(np.frombuffer(b'"a",b\n', np.uint8), ",").tolist()
    [True, True, False, False, False, False]
    """
    is_quote = characters == ord('"')
    quotes = np.flatnonzero(is_quote)
    is_edge = np.zeros(256, np.bool_)
    is_edge[[ord(sep), ord("\n"), ord("\r")]] = True
    opening, closing = quotes[::2], quotes[1::2]
    if opening.size and opening[0] == 0:
        opening = opening[1:]
    if not (is_edge[characters[opening - 1]].all() and is_edge[characters[closing + 1]].all()):
        return None
    within: NDArray[np.bool_] = np.logical_xor.accumulate(is_quote)
    return within


def is_blank(cells: list[str]) -> bool:
    """Return whether a record is a line of only white space; a quoted empty cell is not."""
    return not cells or (len(cells) == 1 and cells[0].isspace())


def strip_around_quotes(data: bytes, sep: str) -> bytes:
    """Remove the spaces around quoted cells, which the csv module would read as text."""
    if sep != " " and b'"' in data and (b' "' in data or b'" ' in data):
        return _quoted(sep).sub(rb"\g<before>\g<cell>", data)
    return data


def _quoted(sep: str) -> re.Pattern[bytes]:
    """Return the pattern of a quoted cell with the spaces around it."""
    edge = rb"[\r\n%b]" % re.escape(sep.encode())
    return re.compile(rb'(?P<before>\A|%b) *(?P<cell>"(?:[^"]|"")*+(?P<close>"?))(?: *(?=%b|\Z))?' % (edge, edge))


def _offset(data: bytes, lines: int) -> int:
    """Return the position after a number of lines."""
    return sum(len(line.encode()) for line in itertools.islice(text_lines(data), lines))
