"""Read a sheet of a workbook (.xlsx, .xls, .ods) into columns of text, as its export to CSV would be read."""

from __future__ import annotations

import io
import itertools
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._optional import require
from bribeproof._text import count, list_names, shorten
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.csv.reader import blank_to_null
from bribeproof.io.excel.archive import Archive
from bribeproof.io.excel.cells import fill_down, merged_below, read_rows, text_with_comma
from bribeproof.io.excel.sheet_facts import SheetFacts
from bribeproof.io.formats import reason
from bribeproof.io.grid.header import SAMPLE, Header, find_header, other_header, parse_header_line
from bribeproof.io.grid.row_filter import RowFilter
from bribeproof.io.limits import NO_CELL_LIMIT, Limits
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bribeproof.io.grid.sheet_row import SheetRow

_BATCH = 10_000
_MOST_LISTED = 10
_MOST_SHOWN = 100_000
"""The most cells of a sheet of which a question shows the first row."""
_MOST_CELLS = 1 << 27
"""A sheet is held in memory."""
_PROTECTED = "EncryptedPackage".encode("utf-16-le")
_OLD = b"\xd0\xcf\x11\xe0"
_ADVICE = "save it again, or save the sheet as CSV"


class ExcelReader:
    """Iterator over the rows of a sheet, as columns of text.

    A cell becomes the text that it shows without rounding: 7.0 is 7, a percentage is 85%, TRUE is TRUE, a date is
    2024-05-05, and an error is its code, such as #N/A. Beside texts such as 7,25 numbers have a decimal comma, too. A
    cell merged over several rows counts in each of them.

    Parameters
    ----------
    data : bytes
        The file.
    source : str
        Its name, for messages.
    kind : {"xlsx", "xls", "ods"}
        Its format.
    sheet : str or int, optional
        The name of the sheet, or its number, from 1; by default the only visible one that holds data.
    header_line : int or str, optional
        The row of the header, or two rows such as "1-2"; by default they are found.
    limits : Limits, optional
        The largest table, which is checked before any cell is read.

    Yields
    ------
    tuple of (polars.DataFrame, sequence of int)
        Some rows, all text, with null for an empty cell; and the number of each row, from 1.

    Raises
    ------
    FileError
        If the file is damaged, protected or too large.
    QuestionError
        If several sheets could be meant, or the header is not certain.
    ParameterError
        If there is no such sheet.
    MissingPackageError
        If python-calamine is not installed.
    """

    def __init__(
        self,
        data: bytes,
        source: str,
        kind: str,
        *,
        sheet: str | int | None = None,
        header_line: int | str | None = None,
        limits: Limits = NO_CELL_LIMIT,
    ) -> None:
        require("a workbook", "python_calamine")
        self._source = source
        self._limits = limits
        self._chosen = parse_header_line(header_line)
        self._kind = kind
        self._archive = self._open_archive(data)
        for facts in self._archive.open_document.values() if self._archive else ():  # all its sheets are read at once
            self._check_size(facts)
        self._book = self._open_book(data)
        self._notes: list[str] = []
        self._name = self._choose(sheet)
        self._header: Header | None = None
        self._filter: RowFilter | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was detected and skipped so far."""
        found = (*(self._header.notes if self._header else ()), *(self._filter.notes if self._filter else ()))
        return (*self._notes, *found)

    @property
    def header_line(self) -> str:
        """The line of the header, or its two lines, such as 1-2; empty before it is found."""
        return self._header.where if self._header else ""

    def __iter__(self) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
        facts = self._facts(self._name)
        sheet = self._load(self._name)
        if sheet.start is None:
            raise FileError(f"{self._source}: sheet {shorten(self._name)} is empty; name another with sheet= (--sheet)")
        text = text_with_comma(sheet.iter_rows())
        if text is not None:
            self._notes.append(f"numbers are read with a decimal comma, as it stands in texts such as {text!r}")
        rows = read_rows(sheet, facts, f"{self._source}, sheet {shorten(self._name)}", comma=text is not None)
        head = list(itertools.islice(rows, SAMPLE + max(self._chosen, default=0)))
        first = next((at for at, row in enumerate(head) if not row.is_blank), 0)
        self._header = header = find_header(head[first:], self._source, self._chosen, "row")
        self._filter = row_filter = RowFilter(header, "row", self._source)
        merged = merged_below(sheet, header.last.line)
        if merged:
            self._notes.append("a cell merged over several rows counts in each of them")
        body = fill_down(itertools.chain((row for row in head if row.line > header.last.line), rows), merged)
        while batch := list(itertools.islice(body, _BATCH)):
            if problem := self._unnamed(batch, len(header.names)):
                raise problem if self._chosen else other_header(head[first:], self._source, header, problem, "row")
            columns = [[row.cells[at] for row in batch] for at in range(len(header.names))]
            frame = pl.DataFrame({str(at): pl.Series(cells, dtype=pl.String) for at, cells in enumerate(columns)})
            yield from row_filter.add(blank_to_null(frame), array("q", (row.line for row in batch)), {})
        yield from row_filter.finish()

    def _unnamed(self, batch: list[SheetRow], width: int) -> FileError | None:
        """Return the error of a cell beyond the named columns that is not empty; None if there is none."""
        for row in batch:
            for cell in row.cells[width:]:
                if cell.strip():
                    return FileError(
                        f"{self._source}, row {row.line}: {shorten(cell)} stands in a column without a name; name the "
                        "column in the header or empty the cell"
                    )
        return None

    def _open_archive(self, data: bytes) -> Archive | None:
        """Return the archive that an .xlsx or .ods workbook is."""
        if data.startswith(_OLD):
            if _PROTECTED in data:
                raise FileError(f"{self._source}: is protected with a password; save it without one")
            if self._kind != "xls":
                old = Choice("it is an old Excel workbook", {"format": "xls"})
                raise QuestionError(f"{self._source}: this does not look like {self._kind.upper()}", [old])
            return None
        if not data.startswith(b"PK"):
            raise FileError(
                f"{self._source}: is no workbook; if it is text, name it .csv or .tsv, or say so, for example "
                'format="csv" (--format csv)'
            )
        return Archive(data, self._source)

    def _open_book(self, data: bytes) -> Any:
        """Open the workbook with the library that reads its values."""
        import python_calamine

        return self._guarded(lambda: python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)))

    def _load(self, name: str) -> Any:
        """Return a sheet with its values."""
        return self._guarded(lambda: self._book.get_sheet_by_name(name))

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Call a function of the library, which panics on some damaged files."""
        import python_calamine

        try:
            return work()
        except python_calamine.PasswordError:
            raise FileError(f"{self._source}: is protected with a password; save it without one") from None
        except (MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            raise FileError(f"{self._source}: not a whole workbook ({reason(error)}); {_ADVICE}") from None

    def _choose(self, sheet: str | int | None) -> str:
        """Return the name of the sheet to read."""
        import python_calamine

        sheets = [one for one in self._book.sheets_metadata if one.typ == python_calamine.SheetTypeEnum.WorkSheet]
        names = [one.name for one in sheets]
        if sheet is not None:
            return self._named(sheet, names)
        visible = [one.name for one in sheets if one.visible == python_calamine.SheetVisibleEnum.Visible]
        filled = visible if len(visible) == 1 else [name for name in visible if self._holds_data(name)]
        if not filled:
            raise FileError(f"{self._source}: no visible sheet holds any data, so there is nothing to aggregate")
        if len(filled) > 1:
            raise self._question(filled)
        if len(names) > 1:
            self._notes.append(f"sheet {shorten(filled[0])}, the only visible one of {len(names)} that holds data")
        return str(filled[0])

    def _question(self, names: Sequence[str]) -> QuestionError:
        """Return the question which sheet is meant, with the first row of each."""
        choices, rows = [], []
        for name in names[:_MOST_LISTED]:
            facts = self._size(name)
            choices.append(Choice(f"the sheet {shorten(name)}: {count(facts.rows, 'row')}", {"sheet": name}))
            if facts.rows * facts.columns <= _MOST_SHOWN:
                cells = read_rows(self._load(name), SheetFacts(), f"{self._source}, sheet {shorten(name)}")
                rows.append((name, next((row.cells for row in cells if not row.is_blank), [])))
        return QuestionError(f"{self._source}: {len(names)} sheets hold data", choices, rows)

    def _size(self, name: str) -> SheetFacts:
        """Return how large a sheet is."""
        if self._archive is not None:
            return self._archive.sheet_facts(name)
        sheet = self._load(name)
        return SheetFacts(sheet.height, sheet.width)

    def _named(self, sheet: str | int, names: list[str]) -> str:
        """Return the name of the sheet that the user chose by name or number."""
        text = str(sheet)
        if isinstance(sheet, str) and sheet in names:
            return sheet
        if not isinstance(sheet, bool) and text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= len(names):
            return names[int(text) - 1]
        raise ParameterError(
            f"sheet={sheet!r}: {self._source} has no such sheet; choose one of {list_names(names)}, "
            f"or a number from 1 to {len(names)}"
        )

    def _facts(self, name: str) -> SheetFacts:
        """Return what a sheet says beyond its values, if it is not too large."""
        if self._archive is None:
            self._notes.append("in an .xls workbook an error such as #N/A reads as an empty cell")
            return SheetFacts()
        facts = self._archive.sheet_facts(name)
        self._check_size(facts)
        return facts

    def _check_size(self, facts: SheetFacts) -> None:
        """Raise an error if a sheet is too large."""
        limits = replace(self._limits, cells=min(self._limits.cells or _MOST_CELLS, _MOST_CELLS))
        limits.check(self._source, rows=facts.rows, columns=facts.columns)

    def _holds_data(self, name: str) -> bool:
        """Return whether a sheet has a filled cell."""
        if self._archive is None:
            return self._load(name).start is not None
        return self._archive.sheet_facts(name).rows > 0
