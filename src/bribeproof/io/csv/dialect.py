"""Detect the delimiter of a text file."""

from __future__ import annotations

import csv
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof._text import list_names
from bribeproof.errors import ParameterError
from bribeproof.io.byte_stream import peek
from bribeproof.io.csv.records import Records, is_blank, last_record_end, strip_around_quotes
from bribeproof.io.encoding import decode, has_lines, text_lines, whole_records
from bribeproof.io.grid.column_names import join_few
from bribeproof.io.limits import LONGEST_RECORD
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters that are detected; any other has to be named."""

_SAMPLE_LINES = 50  # lines that determine the delimiter
_SEP_LINE = re.compile(rb'\A"?sep=([^"\r\n])"?(?=[\r\n])', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Delimited:
    """Delimited text with a known delimiter.

    Parameters
    ----------
    blocks : iterator of bytes
        The text as UTF-8 without byte order mark, never cut within a character or a line end, with its
        original line ends.
    sep : str
        The delimiter, one ASCII character.
    source : str
        Name of the file, for messages.
    notes : tuple of str
        What was detected.
    """

    blocks: Iterator[bytes]
    sep: str
    source: str
    notes: tuple[str, ...] = ()

    def parts(self) -> Iterator[Records]:
        r"""Yield the text in parts that end with a record.

        Yields
        ------
        Records
            Complete records, about as many bytes as a block.

        Examples
        --------
        >>> blocks = iter([b'task,lab', b'el\nt1,"a,\n', b'b"\n'])
        >>> [part.data for part in Delimited(blocks, ",", "votes.csv").parts()]
        [b'task,label\n', b't1,"a,\nb"\n']
        """
        for line, data in whole_records(self.blocks, lambda data: last_record_end(data, self.sep), self.source):
            yield Records(data, self.sep, self.source, line)


def read_dialect(
    blocks: Iterable[bytes], source: str, *, sep: str | None = None, encoding: str | None = None
) -> Delimited:
    r"""Decode a delimited text file and detect its delimiter.

    Parameters
    ----------
    blocks : iterable of bytes
        The bytes of the file, cut anywhere.
    source : str
        Its name, for messages.
    sep : str, optional
        The delimiter: one ASCII character or the word "tab"; by default it is detected from the first lines.
    encoding : str, optional
        A Python codec name; by default that of a byte order mark, else UTF-8.

    Returns
    -------
    Delimited
        The decoded text with its delimiter.

    Raises
    ------
    FileError
        If the first lines are not text in that encoding, or the file is empty.
    QuestionError
        If several delimiters fit.
    ParameterError
        If `sep` is not a delimiter or `encoding` not a codec.

    Examples
    --------
    >>> text = read_dialect([b"\xef\xbb\xbfskater;", b"j1\r\nS1;7,25\r\n"], "marks.csv")
    >>> text.sep, text.notes, b"".join(text.blocks)
    (';', ("delimiter ';'",), b'skater;j1\r\nS1;7,25\r\n')
    """
    text, notes = decode(blocks, source, encoding)

    def is_sample(head: bytes) -> bool:
        return (has_lines(head, _SAMPLE_LINES) and not head.isspace()) or len(head) > LONGEST_RECORD

    head, text = peek(text, is_sample)
    declared = _SEP_LINE.match(head)
    if declared:
        head = head[declared.end() :]  # its line end remains as a blank line, so that line numbers are right
        text = _skip_bytes(text, declared.end())
    if sep is not None:
        return Delimited(text, _validate_delimiter(sep), source, notes)
    guess = _validate_delimiter(declared[1].decode("latin-1")) if declared else _detect(head, source)
    return Delimited(
        text,
        guess,
        source,
        notes if guess == "," else (*notes, f"delimiter {show_delimiter(guess)}"),
    )


def show_delimiter(sep: str) -> str:
    """Return a delimiter for a message."""
    return _word(sep) if sep == "\t" else repr(sep)


def _skip_bytes(blocks: Iterable[bytes], count: int) -> Iterator[bytes]:
    """Yield blocks without the first bytes."""
    for block in blocks:
        if rest := block[count:]:
            yield rest
        count = max(0, count - len(block))


def _validate_delimiter(sep: str) -> str:
    """Return a delimiter that the caller or the file named, or raise an error."""
    sep = "\t" if sep == "tab" else sep
    if len(sep) != 1 or not sep.isascii() or sep in '"\r\n\0':
        raise ParameterError(f'sep={sep!r} is not a delimiter; give one ASCII character or the word "tab"')
    return sep


def _detect(head: bytes, source: str) -> str:
    """Return the delimiter that fits best; a comma if none does, for a single column."""
    sample = "".join(itertools.islice(text_lines(head), _SAMPLE_LINES)).encode()
    fits = {sep: _fit(_records(sample, sep, cut=len(sample) < len(head))) for sep in DELIMITERS}
    best = [sep for sep in DELIMITERS if fits[sep] == max(fits.values())]
    if not fits[best[0]][0]:
        return ","
    if len(best) > 1:
        lines = [line.rstrip("\r\n") for line in text_lines(sample)]
        named = [(sep, _records(sample, sep, cut=False)[0]) for sep in best]
        raise QuestionError(
            f"{source}: the delimiter may be any of {join_few(show_delimiter(sep) for sep, _ in named)}",
            [Choice(f"{show_delimiter(sep)} separates the columns: {list_names(names, most=4)}", {"sep": _word(sep)})
             for sep, names in named],
            [(line, [text]) for line, text in enumerate(lines, start=1)],
        )  # fmt: skip
    return best[0]


def _word(sep: str) -> str:
    """Return a delimiter as an option."""
    return "tab" if sep == "\t" else sep


def _records(sample: bytes, sep: str, *, cut: bool) -> list[list[str]]:
    """Return the first records that are not blank."""
    reader = csv.reader(text_lines(strip_around_quotes(sample, sep)), delimiter=sep)
    try:
        records = [cells for cells in reader if not is_blank(cells)]
    except csv.Error:
        return []
    if cut and len(records) > 1:
        records.pop()  # it may continue after the sample
    return records


def _fit(records: list[list[str]]) -> tuple[int, int]:
    """Rate a delimiter, and return the rate with the negative number of titles that it leaves above the header.

    The rates are 3 if it splits header and rows equally, 2 only the header, 1 only the rows, 0 neither.
    """
    titles = _count_titles(records)
    header, *rows = _widths(records[titles:]) or [0]
    if header > 1:
        return (3 if all(width == header for width in rows) else 2), -titles
    return int(len(set(rows)) == 1 and rows[0] > 1), -titles


def _widths(records: list[list[str]]) -> list[int]:
    """Return the numbers of fields of records, without an additional empty field at the end of a row."""
    return [len(cells) - (len(cells) == len(records[0]) + 1 and not cells[-1].strip()) for cells in records]


def _count_titles(records: list[list[str]]) -> int:
    """Return the number of records with fewer cells above those that most have."""
    if records and sum(bool(cell.strip()) for cell in records[0][:3]) == 3:
        return 0
    filled = [sum(bool(cell.strip()) for cell in cells) for cells in records]
    for least in (3, 2):
        titles = next((row for row, cells in enumerate(filled) if cells >= least), len(filled))
        rows = filled[titles:]
        if len(rows) > 1 and 2 * sum(cells >= least for cells in rows) > len(rows):
            return titles
    return 0
