"""Read a file of reports: CSV, TSV, JSON, NDJSON or Parquet, with the place of every row."""

from __future__ import annotations

import json
import sys
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from bribeproof.data.delimited import blank_to_null, read_columns
from bribeproof.data.dialect import clean_header, read_dialect
from bribeproof.data.encoding import decode, empty_file, refuse_foreign, shorten, text_lines
from bribeproof.errors import FileError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FORMATS = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "json",
}
"""The format that each file ending stands for."""

POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises on data that it cannot read or write."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a file held: its columns and where each row stood.

    Parameters
    ----------
    frame : polars.DataFrame
        CSV, TSV, JSON and NDJSON: every column is text with the cells as written, an empty cell is null.
        Parquet: typed as stored.
    source : str
        The file, for messages.
    notes : tuple of str
        What was guessed, such as "delimiter ';'" or "UTF-16".
    """

    frame: pl.DataFrame
    source: str
    notes: tuple[str, ...] = ()
    _places: Sequence[int] = field(default=(), repr=False, compare=False)
    _unit: str = field(default="line", repr=False, compare=False)

    def locate(self, row: int) -> str:
        """Say where a row stood in the file.

        Parameters
        ----------
        row : int
            The row of the frame, from 0.

        Returns
        -------
        str
            "line 7" in CSV, TSV and NDJSON, "record 7" in JSON, "row 7" in Parquet, all counted from 1.
        """
        return f"{self._unit} {self._places[row]}"


def read_table(
    path: str | Path,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Table:
    r"""Read a file of reports.

    Nothing is dropped or repaired in silence: a ragged row, a broken quote, an unknown encoding or a
    column without a name is an error that names the line. Blank lines are skipped, and a delimiter at
    the end of every row is no column.

    Parameters
    ----------
    path : str or Path
        The file; "-" is standard input, read as CSV unless `format` says otherwise.
    sep : str, optional
        The delimiter of a CSV file, one ASCII character or the word "tab"; by default the one of
        comma, semicolon, tab and bar that fits.
    encoding : str, optional
        The Python name of the encoding of a text file; by default a byte order mark decides, else UTF-8.
    format : {"csv", "tsv", "json", "ndjson", "parquet"}, optional
        The format; by default the ending of the file name decides.

    Returns
    -------
    Table
        The columns as text (Parquet: as stored), with the line of each row and what was guessed.

    Raises
    ------
    FileError
        If the file cannot be read, or not without guessing.
    ParameterError
        If `sep`, `encoding` or `format` is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "marks.csv")
    ...     _ = path.write_text("skater;j1;j2\nS1;7,25;\n")
    ...     table = read_table(path)
    >>> table.frame.rows(), table.notes, table.locate(0)
    ([('S1', '7,25', None)], ("delimiter ';'",), 'line 2')
    """
    source = "standard input" if str(path) == "-" else str(path)
    raw = _read_bytes(path, source)
    if not raw:
        raise empty_file(source)
    refuse_foreign(raw, source)
    kind = "csv" if str(path) == "-" and format is None else file_format(path, format)
    if kind == "parquet":
        table = _read_parquet(raw, source)
    elif kind in ("json", "ndjson"):
        table = _read_json(raw, source, encoding, by_line=kind == "ndjson")
    else:
        text = read_dialect(raw, source, sep="tab" if kind == "tsv" and sep is None else sep, encoding=encoding)
        frame, lines = read_columns(text)
        table = Table(frame, source, text.notes, lines)
    if table.frame.is_empty():
        raise FileError(f"{source}: there are columns but no rows, so there is nothing to aggregate")
    return table


def file_format(path: str | Path, format: str | None = None) -> str:  # noqa: A002
    """Give the format of a file by name or, by default, by the ending of its path.

    Parameters
    ----------
    path : str or Path
        The file, which need not exist.
    format : str, optional
        The name of the format.

    Returns
    -------
    str
        One of "csv", "tsv", "parquet", "ndjson" and "json".

    Raises
    ------
    FileError
        If the ending is not known.
    ParameterError
        If `format` is not known.

    Examples
    --------
    >>> file_format("votes.JSONL"), file_format("votes.dat", "csv")
    ('ndjson', 'csv')
    """
    if format is not None:
        if format not in FORMATS.values():
            raise ParameterError(
                f"format={format!r} is unknown; choose one of {', '.join(dict.fromkeys(FORMATS.values()))}"
            )
        return format
    ending = Path(path).suffix
    try:
        return FORMATS[ending.lower()]
    except KeyError:
        raise FileError(
            f"{path}: the ending {ending!r} is unknown; use one of {', '.join(FORMATS)}, "
            'or name the format, for example format="csv" (--format csv)'
        ) from None


def _read_bytes(path: str | Path, source: str) -> bytes:
    """Read the whole file, or standard input."""
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise FileError(f"{source}: there is no such file") from None
    except IsADirectoryError:
        raise FileError(f"{source}: this is a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{source}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


_JSON = json.JSONDecoder(  # objects become tuples of pairs, numbers stay the text that they are
    object_pairs_hook=tuple,
    parse_int=str,
    parse_float=str,
    parse_constant=lambda name: None if name == "NaN" else name,
)


def _read_json(raw: bytes, source: str, encoding: str | None, *, by_line: bool) -> Table:
    """Read JSON (a list of objects) or NDJSON (an object on each line); every value becomes text."""
    data, notes = decode(raw, source, encoding)
    unit = "line" if by_line else "record"
    columns: dict[str, list[str | None]] = {}
    places = array("q")
    for place, record in _json_lines(data, source) if by_line else _json_list(data, source):
        where = f"{source}, {unit} {place}"
        if not isinstance(record, tuple):
            found = "a list" if isinstance(record, list) else "a single value"
            raise FileError(f'{where}: {found}, not an object such as {{"task": "t1", "label": "a"}}')
        for key, value in record:
            column = columns.setdefault(key, [])
            if len(column) > len(places):
                raise FileError(f"{where}: the key {shorten(key)} appears twice; keep one")
            column.extend([None] * (len(places) - len(column)))
            column.append(_json_text(key, value, where))
        places.append(place)
    if not columns:
        raise FileError(f"{source}: there are no records in it, so there is nothing to aggregate")
    for column in columns.values():
        column.extend([None] * (len(places) - len(column)))
    frame = pl.DataFrame(columns, dict.fromkeys(columns, pl.String))
    frame.columns = clean_header(frame.columns, source)
    return Table(blank_to_null(frame), source, notes, places, unit)


def _json_text(key: str, value: object, where: str) -> str | None:
    """Give a JSON value as text; numbers are text already."""
    if isinstance(value, bool):
        value = str(value).lower()
    if value is not None and not isinstance(value, str):
        raise FileError(f"{where}: {shorten(key)} holds a nested value; give it as text or a number")
    text = key + (value or "")
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise FileError(f"{where}: {shorten(key)} holds half a surrogate pair, which is no character")
    return value


def _json_lines(data: bytes, source: str) -> Iterator[tuple[int, object]]:
    """Parse each line that is not blank."""
    for number, line in enumerate(text_lines(data), start=1):
        if not line.isspace():
            yield number, _parse_json(line.rstrip(), source, number)


def _json_list(data: bytes, source: str) -> Iterator[tuple[int, object]]:
    """Parse one list and walk its members."""
    parsed = _parse_json(data.decode(), source, 1)
    if not isinstance(parsed, list):
        raise FileError(f'{source}: this is not a list of objects such as [{{"task": "t1", "label": "a"}}]')
    return enumerate(parsed, start=1)


def _parse_json(text: str, source: str, first_line: int) -> object:
    """Parse JSON text that begins on line `first_line`."""
    try:
        return _JSON.decode(text)
    except json.JSONDecodeError as error:
        hint = '; one object on each line is format="ndjson"' if error.msg == "Extra data" and "\n" in text else ""
        line = first_line + error.lineno - 1
        raise FileError(f"{source}, line {line}: not valid JSON ({error.msg}, column {error.colno}){hint}") from None
    except RecursionError:
        raise FileError(f"{source}, line {first_line}: nested too deeply; give a flat object a record") from None


def _read_parquet(raw: bytes, source: str) -> Table:
    """Read Parquet with its types."""
    try:
        frame = pl.read_parquet(raw)
    except (*POLARS_ERRORS, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FileError(f"{source}: not a whole Parquet file ({reason})") from None
    frame.columns = clean_header(frame.columns, source)
    return Table(frame, source, (), range(1, 1 + frame.height), "row")
