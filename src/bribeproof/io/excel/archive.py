"""What a workbook says beyond its values: how large its sheets are, and which cells hold errors and percentages.

The library that reads the values gives an error such as #N/A as an empty cell, and allocates a sheet up to its last
cell however few are filled.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import join, normpath
from typing import TYPE_CHECKING
from xml.parsers import expat

from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError, NotImplementedError, OSError,
    OverflowError, ValueError,
)  # fmt: skip
"""The errors that a damaged archive raises."""
_MOST_BYTES = 1 << 32
"""The most bytes of an unpacked workbook."""
_BLOCK = 1 << 20
_LONGEST_ROW = 1 << 26
_CELL = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]{1,7})"[^>/]*>')
_ERROR = re.compile(
    rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]{1,7})"[^>]*?\bt="e"[^>]*>(?:(?!</?(?:\w+:)?c[ >]).)*?<(?:\w+:)?v>([^<]*)<',
    re.DOTALL,
)
_UNCALCULATED = re.compile(
    rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]{1,7})"(?![^>]*\bt="str")[^>]*><(?:\w+:)?f[^>]*>([^<]*)</(?:\w+:)?f>'
    rb"(?:<(?:\w+:)?v ?/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>"
)
_STYLED = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})([0-9]{1,7})" s="([0-9]+)"(?: t="n")?>')
_PERCENT_FORMATS = {"9", "10"}
_REPEATED = 1 << 20
"""The most positions that are recorded of repeated cells."""


@dataclass
class SheetFacts:
    """What a sheet says beyond its values.

    Attributes
    ----------
    rows, columns : int
        Its size, up to the last filled cell.
    errors : dict
        The text of the error, or of the formula without a value, in a cell, by its row and column from 0.
    percent : dict
        The columns of the cells that show a percentage, by row.
    """

    rows: int = 0
    columns: int = 0
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    percent: dict[int, list[int]] = field(default_factory=dict)

    def extend(self, row: int, column: int) -> None:
        """Record a filled cell."""
        self.rows = max(self.rows, row + 1)
        self.columns = max(self.columns, column + 1)


def column_number(letters: bytes) -> int:
    """Return the number, from 0, of a column that a sheet names by letters.

    Examples
    --------
    >>> column_number(b"A"), column_number(b"Z"), column_number(b"AA"), column_number(b"XFD")
    (0, 25, 26, 16383)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number - 1


class Archive:
    """A workbook that is a zip archive of XML: .xlsx or .ods.

    Parameters
    ----------
    data : bytes
        The file.
    source : str
        Its name, for messages.

    Raises
    ------
    FileError
        If it is damaged, unpacks to more than 2³² bytes, or is protected with a password.
    """

    def __init__(self, data: bytes, source: str) -> None:
        self._source = source
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise self._damaged(error) from None
        size = sum(entry.file_size for entry in self._zip.infolist())
        if size > _MOST_BYTES:
            raise FileError(
                f"{source}: unpacks to {size:,} bytes, more than the {_MOST_BYTES:,} that can be read; "
                "save the sheet as CSV"
            )

    def __contains__(self, name: str) -> bool:
        return name in self._zip.namelist()

    @cached_property
    def open_document(self) -> dict[str, SheetFacts]:
        """What the sheets of an .ods workbook say beyond their values; nothing for an .xlsx workbook.

        Raises
        ------
        FileError
            If the file is damaged.
        """
        sheets: dict[str, SheetFacts] = {}
        if "content.xml" in self:
            reader = _OdsReader(sheets)
            self._parse("content.xml", reader.start, reader.end, reader.text)
        return sheets

    def sheet_facts(self, name: str) -> SheetFacts:
        """Return what a sheet says beyond its values.

        Raises
        ------
        FileError
            If the file is damaged.
        """
        if "content.xml" in self:
            return self.open_document.get(name, SheetFacts())
        path = self._sheet_paths().get(name)
        return SheetFacts() if path is None or path not in self else self._xlsx_facts(path)

    def _xlsx_facts(self, path: str) -> SheetFacts:
        """Read the XML of a sheet of an .xlsx workbook."""
        facts = SheetFacts()
        percent_styles = self._percent_styles()
        for block in self._rows_of(path):
            cells = _CELL.findall(block)
            if cells:
                facts.extend(
                    max(int(row) for _, row in cells) - 1, max(map(column_number, {name for name, _ in cells}))
                )
            if b't="e"' in block:
                for letters, row, text in _ERROR.findall(block):
                    facts.errors[int(row) - 1, column_number(letters)] = text.decode("utf-8", "replace") or "#N/A"
            if b"f>" in block:
                for letters, row, text in _UNCALCULATED.findall(block):
                    facts.errors[int(row) - 1, column_number(letters)] = "=" + text.decode("utf-8", "replace")
            if percent_styles:
                for letters, row, style in _STYLED.findall(block):
                    if style in percent_styles:
                        facts.percent.setdefault(int(row) - 1, []).append(column_number(letters))
        return facts

    def _rows_of(self, path: str) -> Iterator[bytes]:
        """Yield the XML of a sheet in blocks that end with a row."""
        rest = b""
        for block in self._blocks(path):
            data = rest + block
            end = data.rfind(b"row>") + 4
            if end > 3 or len(data) > _LONGEST_ROW:
                end = end if end > 3 else len(data)
                yield data[:end]
                data = data[end:]
            rest = data
        yield rest

    def _sheet_paths(self) -> dict[str, str]:
        """Return the path in the archive of each sheet of an .xlsx workbook, by name."""
        names: dict[str, str] = {}
        targets: dict[str, str] = {}

        def read_workbook(tag: str, attributes: dict[str, str]) -> None:
            if _local(tag) == "sheet":
                identifier = next((value for key, value in attributes.items() if _local(key) == "id"), "")
                names[attributes.get("name", "")] = identifier

        def read_relation(tag: str, attributes: dict[str, str]) -> None:
            if _local(tag) == "Relationship":
                targets[attributes.get("Id", "")] = attributes.get("Target", "")

        self._parse("xl/workbook.xml", read_workbook)
        self._parse("xl/_rels/workbook.xml.rels", read_relation)
        return {
            name: normpath(target[1:] if target.startswith("/") else join("xl", target))
            for name, identifier in names.items()
            if (target := targets.get(identifier))
        }

    def _percent_styles(self) -> frozenset[bytes]:
        """Return the numbers of the cell styles that show percentages."""
        formats = set(_PERCENT_FORMATS)
        styles: list[str] = []
        inside = [False]

        def start(tag: str, attributes: dict[str, str]) -> None:
            name = _local(tag)
            if name == "numFmt" and "%" in re.sub(r'"[^"]*"|\\.', "", attributes.get("formatCode", "")):
                formats.add(attributes.get("numFmtId", ""))
            if name == "cellXfs":
                inside[0] = True
            elif name == "xf" and inside[0]:
                styles.append(attributes.get("numFmtId", ""))

        def end(tag: str) -> None:
            if _local(tag) == "cellXfs":
                inside[0] = False

        if "xl/styles.xml" in self:
            self._parse("xl/styles.xml", start, end)
        return frozenset(str(number).encode() for number, style in enumerate(styles) if style in formats)

    def _parse(
        self,
        path: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a file of the archive as XML."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text
        try:
            for block in self._blocks(path):
                parser.Parse(block)
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as error:
            raise self._damaged(error) from None

    def _blocks(self, path: str) -> Iterator[bytes]:
        """Yield the bytes of a file of the archive."""
        try:
            with self._zip.open(path) as file:
                while block := file.read(_BLOCK):
                    yield block
        except _DAMAGE as error:
            raise self._damaged(error) from None
        except RuntimeError:
            raise FileError(f"{self._source}: is protected with a password; save it without one") from None

    def _damaged(self, error: Exception) -> FileError:
        """Return the error of a file that cannot be read."""
        reason = str(error.args[0] if isinstance(error, KeyError) else error) or type(error).__name__
        return FileError(f"{self._source}: not a whole workbook ({reason}); save it again, or save the sheet as CSV")


class _OdsReader:
    """Handlers of the XML of an .ods workbook, in which equal cells and rows are written once."""

    def __init__(self, sheets: dict[str, SheetFacts]) -> None:
        self._sheets = sheets
        self._facts = SheetFacts()
        self._row = self._rows = self._column = 0
        self._marked: list[tuple[int, int, str | None]] = []
        self._error: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        name = _local(tag)
        if name == "table":
            self._facts = self._sheets[attributes.get("table:name", "")] = SheetFacts()
            self._row = 0
        elif name == "table-row":
            self._rows = _repeats(attributes, "table:number-rows-repeated")
            self._column = 0
            self._marked = []
        elif name in ("table-cell", "covered-table-cell"):
            columns = _repeats(attributes, "table:number-columns-repeated")
            kind = attributes.get("office:value-type")
            if kind is not None:
                self._facts.extend(self._row + self._rows - 1, self._column + columns - 1)
                is_error = attributes.get("calcext:value-type") == "error"
                if is_error or kind == "percentage":
                    self._error = [] if is_error else None
                    self._marked.append((self._column, columns, "" if is_error else None))
            self._column += columns

    def text(self, text: str) -> None:
        """Read text."""
        if self._error is not None:
            self._error.append(text)

    def end(self, tag: str) -> None:
        """End an element."""
        name = _local(tag)
        if name in ("table-cell", "covered-table-cell") and self._error is not None:
            column, columns, _ = self._marked.pop()
            self._marked.append((column, columns, "".join(self._error).strip() or "#N/A"))
            self._error = None
        elif name == "table-row":
            for column, columns, text in self._marked:
                if self._rows * columns > _REPEATED:
                    continue  # such a sheet is larger than what is read
                for row in range(self._row, self._row + self._rows):
                    for position in range(column, column + columns):
                        if text is None:
                            self._facts.percent.setdefault(row, []).append(position)
                        else:
                            self._facts.errors[row, position] = text
            self._row += self._rows


def _repeats(attributes: dict[str, str], name: str) -> int:
    """Return how often a cell or a row is repeated."""
    text = attributes.get(name, "1")
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 10 else 1


def _local(tag: str) -> str:
    """Return a name of XML without its prefix."""
    return tag.rpartition(":")[2]
