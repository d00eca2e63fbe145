"""Read from the XML of an .ods workbook how large its sheets are, and which cells hold errors and percentages."""

from __future__ import annotations

from bribeproof.io.excel.sheet_facts import SheetFacts

_REPEATED = 1 << 20
"""The most positions that are recorded of repeated cells."""


class OpenDocumentReader:
    """Handlers of the XML of an .ods workbook, in which equal cells and rows are written once."""

    def __init__(self, sheets: dict[str, SheetFacts]) -> None:
        self._sheets = sheets
        self._facts = SheetFacts()
        self._row = self._rows = self._column = 0
        self._marked: list[tuple[int, int, str | None]] = []
        self._error: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        name = local_name(tag)
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
        name = local_name(tag)
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


def local_name(tag: str) -> str:
    """Return a name of XML without its prefix."""
    return tag.rpartition(":")[2]
