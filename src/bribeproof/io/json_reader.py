"""Read JSON and NDJSON into columns of text: regular lines with polars, all others with the `json` module."""

from __future__ import annotations

import io
import json
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.csv.reader import blank_to_null
from bribeproof.io.encoding import last_line_end, whole_records
from bribeproof.io.grid.column_names import clean_header, clean_name
from bribeproof.io.limits import NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_JSON = json.JSONDecoder(  # objects become tuples of pairs, and numbers keep their text
    object_pairs_hook=tuple,
    parse_int=str,
    parse_float=str,
    parse_constant=lambda name: None if name == "NaN" else name,
)
_SCALAR = r'("[^"\\\x00-\x1f]*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)'
_SPACE = "[ \t]*"
_FEW_LINES = 100
"""Fewer lines are read faster one by one."""
_CHECKED = 100
"""The number of records after which their cells are counted."""
_MANY_KEYS = 200
"""A pattern of more keys is slow to compile."""
_MOST_CELLS = 1 << 27
"""Records are parsed in memory, and each of them may have a key of its own."""
_PLACE = "place"
OBJECT = "json"
"""The field of a column of objects: they are structs of their JSON, which hold no reports."""


def read_ndjson(
    blocks: Iterable[bytes], source: str, limits: Limits = NO_CELL_LIMIT
) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
    r"""Read NDJSON, one object per line, into columns of text.

    A list of single values is the text of its JSON. A column with any other object or list is one of structs, whose
    only field is its JSON. Numbers keep the digits of the file, which the JSON readers of polars and pandas do not:
    they turn 1.50 into 1.5.

    Parameters
    ----------
    blocks : iterable of bytes
        The text as UTF-8, never cut within a character or a line end.
    source : str
        Name of the file, for messages.
    limits : Limits, optional
        The largest table.

    Yields
    ------
    tuple of (polars.DataFrame, sequence of int)
        Some rows, with null for an empty or missing cell; and the line of each row, from 1. The columns are those of
        all rows so far: a later frame may have additional columns at its end, and objects where there was text.

    Raises
    ------
    FileError
        If a line is no JSON object, a column has no name or that of another column, or the table is too large.

    Examples
    --------
    >>> blocks = iter([b'{"task": "t1"}\n', b'\n{"label": 1.50}'])
    >>> [(frame.rows(named=True), list(lines)) for frame, lines in read_ndjson(blocks, "votes.ndjson")]
    [([{'task': 't1'}], [1]), ([{'task': None, 'label': '1.50'}], [3])]
    """
    columns = _ColumnBuilder(source, "line", limits)
    parts = whole_records(blocks, last_line_end, source)
    return columns.frames(_read_lines(data, first_line, columns) for first_line, data in parts)


def read_json(
    blocks: Iterable[bytes], source: str, limits: Limits = NO_CELL_LIMIT
) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
    """Read JSON, a list of objects, into columns of text.

    Parameters, results and errors are those of `read_ndjson`, with the number of each record, from 1, in place of
    its line.

    Examples
    --------
    >>> [(frame, records)] = read_json([b'[{"task": "t1"}, {"label": 1.50}]'], "votes.json")
    >>> frame.rows(), list(records)
    ([('t1', None), (None, '1.50')], [1, 2])
    """
    parsed = _parse(b"".join(blocks).decode(), source, 1)
    if not isinstance(parsed, list):
        raise FileError(f'{source}: this is not a list of objects such as [{{"task": "t1", "label": "a"}}]')
    columns = _ColumnBuilder(source, "record", limits)
    return columns.frames([columns.from_records(enumerate(parsed, start=1))])


class _ColumnBuilder:
    """Builds frames with one column for each key of the records so far.

    Inside, a column is named by the number of its key, because keys may have to be trimmed to become names.
    """

    def __init__(self, source: str, unit: str, limits: Limits) -> None:
        self.source = source
        self._unit = unit
        self._limits = replace(limits, cells=min(limits.cells or _MOST_CELLS, _MOST_CELLS))
        self._numbers: dict[str, str] = {}
        self._names: dict[str, None] = {}
        self._objects: set[str] = set()

    def from_records(self, records: Iterable[tuple[int, object]]) -> pl.DataFrame:
        """Return a frame of parsed records, each given with its place in the file."""
        columns: dict[str, list[str | None]] = {}
        places = array("q")
        for place, record in records:
            if not isinstance(record, tuple):
                kind = "a list" if isinstance(record, list) else "a single value"
                raise FileError(f'{self._where(place)}: {kind}, not an object such as {{"task": "t1", "label": "a"}}')
            for key, value in record:
                column = columns.setdefault(key, [])
                if len(column) > len(places):
                    raise FileError(f"{self._where(place)}: the key {shorten(key)} appears twice; keep one")
                column.extend([None] * (len(places) - len(column)))
                column.append(value if isinstance(value, str) and value.isascii() else self._text(key, value, place))
            self._register([key for key, _ in record], place)
            places.append(place)
            if not len(places) % _CHECKED:
                self._limits.check(self.source, rows=len(places), columns=len(columns))
        self._limits.check(self.source, rows=len(places), columns=len(columns))
        for column in columns.values():
            column.extend([None] * (len(places) - len(column)))
        cells = {self._numbers[key]: pl.Series(column, dtype=pl.String) for key, column in columns.items()}
        return pl.DataFrame({_PLACE: pl.Series(places, dtype=pl.Int64), **cells})

    def _where(self, place: int) -> str:
        """Return the place of a record, for messages."""
        return f"{self.source}, {self._unit} {place}"

    def _text(self, key: str, value: object, place: int) -> str | None:
        """Return a parsed value as text; numbers are text already."""
        if isinstance(value, bool):
            value = str(value).lower()
        if isinstance(value, tuple | list):
            if isinstance(value, tuple) or any(isinstance(one, tuple | list) for one in value):
                self._objects.add(key)
            value = _as_json(value)
        if value is not None and not isinstance(value, str):
            raise TypeError(f"JSON has no values of type {type(value).__name__}")
        if value and not value.isascii() and _has_surrogates(value):
            raise FileError(
                f"{self._where(place)}: {shorten(key)} holds half a surrogate pair, which is not a character"
            )
        return value

    def from_regular_lines(self, lines: pl.Series, keys: Sequence[str]) -> pl.DataFrame | None:
        """Return a frame of the lines that hold these keys in this order and no escapes; null for other lines.

        None if the keys themselves need escapes, or are too many.
        """
        if not keys or len(keys) > _MANY_KEYS or not all(_is_plain(key) for key in keys):
            return None
        members = (f'"{pl.escape_regex(key)}"{_SPACE}:{_SPACE}{_SCALAR}' for key in keys)
        pattern = rf"^\{{{_SPACE}{f'{_SPACE},{_SPACE}'.join(members)}{_SPACE}\}}{_SPACE}$"
        cells = lines.str.extract_groups(pattern).struct.unnest()
        cells.columns = [self._numbers[key] for key in keys]
        return cells

    def frames(self, parts: Iterable[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        """Yield frames with all columns and their names; rows before the first key are part of the first frame."""
        waiting: list[pl.DataFrame] = []
        for part in parts:
            waiting.append(part)
            if self._names and part.height:
                frame = pl.concat(waiting, how="diagonal")
                waiting = []
                missing = [number for number in self._numbers.values() if number not in frame.columns]
                frame = frame.with_columns(pl.lit(None, pl.String).alias(number) for number in missing)
                cells = blank_to_null(frame.select(self._numbers.values()))
                cells.columns = list(self._names)
                objects = [name for key, name in zip(self._numbers, self._names, strict=True) if key in self._objects]
                cells = cells.with_columns(as_object(name) for name in objects)
                yield cells, array("q", frame[_PLACE].to_numpy().tobytes())
        if not self._names:
            empty = any(part.height for part in waiting)
            problem = "all records in it are empty objects" if empty else "there are no records in it"
            raise FileError(f"{self.source}: {problem}, so there is nothing to aggregate")

    def _register(self, keys: list[str], place: int) -> None:
        """Assign numbers to new keys, and check the names of all columns."""
        new = [key for key in keys if key not in self._numbers]
        if not new:
            return
        for key in new:
            if not key.isascii() and _has_surrogates(key):
                raise FileError(
                    f"{self._where(place)}: {shorten(key)} holds half a surrogate pair, which is not a character"
                )
        names = dict.fromkeys(map(clean_name, new))
        if "" in names or len(names) < len(new) or not self._names.keys().isdisjoint(names):
            clean_header([*self._numbers, *new], self.source)  # raises the error
        self._names |= names
        self._numbers.update((key, str(number)) for number, key in enumerate(new, start=len(self._numbers)))
        self._limits.check(self.source, rows=0, columns=len(self._names))


def as_object(name: str) -> pl.Expr:
    """Return an expression of a column of JSON as a column of objects."""
    return pl.when(pl.col(name).is_not_null()).then(pl.struct(pl.col(name).alias(OBJECT))).alias(name)


def _as_json(value: object) -> str:
    """Return a list or an object as JSON, in which numbers are text, as in all cells.

    Examples
    --------
    >>> _as_json([["cat", None], (("n", "1.50"),)])
    '[["cat",null],{"n":"1.50"}]'
    """

    def plain(part: object) -> object:
        if isinstance(part, tuple):
            return {name: plain(one) for name, one in part}
        return [plain(one) for one in part] if isinstance(part, list) else part

    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def _read_lines(data: bytes, first_line: int, columns: _ColumnBuilder) -> pl.DataFrame:
    """Read some lines: those with the keys of the first one all at once, the others one by one."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Without the blank line polars would take text that begins with "x^" for compressed data.
    lines = pl.read_lines(io.BytesIO(b"\n" + data)).to_series()[1:]
    places = pl.Series(_PLACE, range(first_line, first_line + len(lines)), pl.Int64)
    first = next(_parse_lines(places, lines, columns.source), None)
    if first is None:
        return columns.from_records([])
    columns.from_records([first])
    keys = [key for key, _ in first[1]] if isinstance(first[1], tuple) else []
    cells = columns.from_regular_lines(lines, keys) if len(lines) >= _FEW_LINES else None
    if cells is None:
        return columns.from_records(_parse_lines(places, lines, columns.source))
    regular = cells.to_series().is_not_null()
    cells = cells.with_columns(pl.when(pl.all() != "null").then(pl.all().str.strip_chars('"')), places)
    if regular.all():
        return cells
    others = columns.from_records(_parse_lines(places.filter(~regular), lines.filter(~regular), columns.source))
    return pl.concat([cells.filter(regular), others], how="diagonal").sort(_PLACE)


def _parse_lines(places: pl.Series, lines: pl.Series, source: str) -> Iterator[tuple[int, object]]:
    """Parse each line that is not blank."""
    for place, line in zip(places, lines, strict=True):
        if line and not line.isspace():
            yield place, _parse(line.rstrip(), source, place)


def _parse(text: str, source: str, first_line: int) -> object:
    """Parse JSON text that begins on line `first_line` of the file."""
    try:
        return _JSON.decode(text)
    except json.JSONDecodeError as error:
        hint = '; one object on each line is format="ndjson"' if error.msg == "Extra data" and "\n" in text else ""
        line = first_line + error.lineno - 1
        raise FileError(f"{source}, line {line}: not valid JSON ({error.msg}, column {error.colno}){hint}") from None
    except RecursionError:
        raise FileError(f"{source}, line {first_line}: nested too deeply; give a flat object a record") from None


def _has_surrogates(text: str) -> bool:
    """Return whether text holds half of a surrogate pair."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_plain(key: str) -> bool:
    """Return whether JSON writes a key without escapes."""
    return json.dumps(key, ensure_ascii=False) == f'"{key}"'
