"""How a delimited text file is written: its delimiter, its quotes, its records and its header."""

from __future__ import annotations

import csv
import itertools
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof.data.encoding import count_line_ends, decode, shorten, text_lines
from bribeproof.errors import FileError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters that are guessed; any other has to be named."""

_SAMPLE_LINES = 50  # how far the guess looks
_EDGES = re.compile(r'^[\s"\ufeff]+|[\s"\ufeff]+$')
_SEP_LINE = re.compile(rb'\A"?sep=([^"\r\n])"?(?=[\r\n])', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Delimited:
    """Delimited text with a known delimiter.

    Parameters
    ----------
    data : bytes
        The text as UTF-8 without byte order mark; line ends as they came.
    sep : str
        The delimiter, one ASCII character.
    source : str
        Name of the file, for messages.
    notes : tuple of str
        What was guessed.
    """

    data: bytes
    sep: str
    source: str
    notes: tuple[str, ...] = ()

    def records(self) -> Iterator[tuple[int, list[str]]]:
        r"""Walk the records that are not blank, each with the line (from 1) on which it begins.

        Yields
        ------
        tuple of (int, list of str)
            The line and the cells.

        Raises
        ------
        FileError
            If a quote is never closed or a quoted cell goes on after its closing quote.

        Examples
        --------
        >>> text = Delimited(b'task,label\nt1, "a,\nb"\n\nt2,c\n', ",", "votes.csv")
        >>> list(text.records())
        [(1, ['task', 'label']), (2, ['t1', 'a,\nb']), (5, ['t2', 'c'])]
        """
        reader = csv.reader(text_lines(_tighten(self.data, self.sep)), delimiter=self.sep, strict=True)
        line, width = 1, 0
        try:
            for cells in reader:
                if not _is_blank(cells) or (cells and width == 1):  # a lone column may hold an empty cell
                    width = width or len(cells)
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise self._broken_quote(line, reader.line_num, str(error)) from None

    def _broken_quote(self, first: int, last: int, error: str) -> FileError:
        """Say on which line the quote opened that broke the record from line `first` to `last`."""
        record = "".join(itertools.islice(text_lines(self.data), first - 1, last)).encode()
        edges = (b"", self.sep.encode(), b"\r", b"\n")
        line = first
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
                f"a quoted cell begins here and goes on after its closing quote on line {last}; "
                'inside a quoted cell write a quote twice ("")'
            )
        return FileError(f"{self.source}, line {line}: {problem}")


def read_dialect(raw: bytes, source: str, *, sep: str | None = None, encoding: str | None = None) -> Delimited:
    r"""Decode a delimited text file and find its delimiter.

    Parameters
    ----------
    raw : bytes
        The file as it is.
    source : str
        Its name, for messages.
    sep : str, optional
        The delimiter: one ASCII character or the word "tab"; by default it is guessed.
    encoding : str, optional
        A Python codec name; by default a byte order mark decides, else UTF-8.

    Returns
    -------
    Delimited
        The decoded text with its delimiter.

    Raises
    ------
    FileError
        If the bytes are no text in that encoding, the file is empty, or several delimiters fit.
    ParameterError
        If `sep` is no delimiter or `encoding` no codec.

    Examples
    --------
    >>> read_dialect(b"\xef\xbb\xbfskater;j1\r\nS1;7,25\r\n", "marks.csv")
    Delimited(data=b'skater;j1\r\nS1;7,25\r\n', sep=';', source='marks.csv', notes=("delimiter ';'",))
    """
    data, notes = decode(raw, source, encoding)
    declared = _SEP_LINE.match(data)
    if declared:
        data = data[declared.end() :]  # its line end stays, as a blank line, so that line numbers stay right
    if sep is not None:
        return Delimited(data, _checked(sep), source, notes)
    guess = _checked(declared[1].decode("latin-1")) if declared else _guess(data, source)
    return Delimited(data, guess, source, notes if guess == "," else (*notes, f"delimiter {spell(guess)}"))


def clean_header(cells: Sequence[str], source: str) -> list[str]:
    r"""Trim the names of the columns, and refuse names that are empty or appear twice.

    Parameters
    ----------
    cells : sequence of str
        The names as written.
    source : str
        The file (and line), for messages.

    Returns
    -------
    list of str
        The names in Unicode form NFC without outer white space, quotes and byte order marks.

    Raises
    ------
    FileError
        If a name is empty or appears twice.

    Examples
    --------
    >>> clean_header(['\ufeff"task"', " worker\xa0"], "votes.csv")
    ['task', 'worker']
    """
    names = [unicodedata.normalize("NFC", _EDGES.sub("", cell)) for cell in cells]
    empty = [position for position, name in enumerate(names, start=1) if not name]
    if empty:
        raise FileError(f"{source}: column {_join(empty)} has no name; give every column a name")
    twice = [shorten(name) for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FileError(f"{source}: more than one column is named {_join(twice)}; rename or remove one")
    return names


def spell(sep: str) -> str:
    """Write a delimiter so that it can be read."""
    return "tab" if sep == "\t" else repr(sep)


def _is_blank(cells: list[str]) -> bool:
    """Tell a line with nothing but white space; a quoted empty cell is not blank."""
    return not cells or (len(cells) == 1 and cells[0].isspace())


def _quoted(sep: str) -> re.Pattern[bytes]:
    """Match a quoted cell with the spaces around it; only a delimiter or a line end should follow."""
    edge = rb"[\r\n%b]" % re.escape(sep.encode())
    return re.compile(rb'(?P<before>\A|%b) *(?P<cell>"(?:[^"]|"")*+(?P<close>"?))(?: *(?=%b|\Z))?' % (edge, edge))


def _tighten(data: bytes, sep: str) -> bytes:
    """Drop the spaces around quoted cells, which the csv module would take as text."""
    if sep != " " and (b' "' in data or b'" ' in data):
        return _quoted(sep).sub(rb"\g<before>\g<cell>", data)
    return data


def _checked(sep: str) -> str:
    """Check a delimiter that the caller or the file named."""
    sep = "\t" if sep == "tab" else sep
    if len(sep) != 1 or not sep.isascii() or sep in '"\r\n\0':
        raise ParameterError(f'sep={sep!r} is no delimiter; give one ASCII character or the word "tab"')
    return sep


def _guess(data: bytes, source: str) -> str:
    """Find the one candidate that fits best; where none does there is a single column."""
    sample = "".join(itertools.islice(text_lines(data), _SAMPLE_LINES)).encode()
    fits = {sep: _fit(_widths(sample, sep, cut=len(sample) < len(data))) for sep in DELIMITERS}
    best = [sep for sep in DELIMITERS if fits[sep] == max(fits.values())]
    if not fits[best[0]]:
        return ","
    if len(best) > 1:
        raise FileError(
            f'{source}: the delimiter may be any of {_join(map(spell, best))}; name it, for example sep=";" (--sep ";")'
        )
    return best[0]


def _widths(sample: bytes, sep: str, *, cut: bool) -> list[int]:
    """Count the fields of the first records, but for one empty field too many at the end of a row."""
    reader = csv.reader(text_lines(_tighten(sample, sep)), delimiter=sep)
    try:
        records = [cells for cells in reader if not _is_blank(cells)]
    except csv.Error:
        return []
    if cut and len(records) > 1:
        records.pop()  # it may go on behind the sample
    return [len(cells) - (len(cells) == len(records[0]) + 1 and not cells[-1].strip()) for cells in records]


def _fit(widths: list[int]) -> int:
    """Grade a delimiter: 3 splits header and rows alike, 2 only the header, 1 only the rows, 0 neither."""
    header, *rows = widths or [0]
    if header > 1:
        return 3 if all(width == header for width in rows) else 2
    return int(len(set(rows)) == 1 and rows[0] > 1)


def _join(values: Iterable[object]) -> str:
    """List the first few values."""
    texts = [str(value) for value in values]
    return ", ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")
