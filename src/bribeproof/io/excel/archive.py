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
from functools import cached_property
from posixpath import join, normpath
from typing import TYPE_CHECKING
from xml.parsers import expat

from bribeproof.errors import FileError
from bribeproof.io.excel.open_document import OpenDocumentReader, local_name
from bribeproof.io.excel.sheet_facts import SheetFacts

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
            reader = OpenDocumentReader(sheets)
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
            if local_name(tag) == "sheet":
                identifier = next((value for key, value in attributes.items() if local_name(key) == "id"), "")
                names[attributes.get("name", "")] = identifier

        def read_relation(tag: str, attributes: dict[str, str]) -> None:
            if local_name(tag) == "Relationship":
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
            name = local_name(tag)
            if name == "numFmt" and "%" in re.sub(r'"[^"]*"|\\.', "", attributes.get("formatCode", "")):
                formats.add(attributes.get("numFmtId", ""))
            if name == "cellXfs":
                inside[0] = True
            elif name == "xf" and inside[0]:
                styles.append(attributes.get("numFmtId", ""))

        def end(tag: str) -> None:
            if local_name(tag) == "cellXfs":
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
