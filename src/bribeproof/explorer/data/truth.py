"""The known truth of some items: a column of the file, or a file of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bribeproof._text import list_names
from bribeproof.errors import ColumnError, ParameterError
from bribeproof.explorer.data.query import DataQuery
from bribeproof.frames.reading.known_truth import known_truth
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.io.read import Table
from bribeproof.reporting.shell import file_word, option
from bribeproof.reporting.snippets import InFile


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of some items, as the functions of the library take it.

    Attributes
    ----------
    given
        The name of a column of the reports, or a table.
    column
        In a table, the column of the truth; None for a column of the reports.
    file
        The name of the file; empty for a column of the reports.
    stated
        The column as it is named on the page; empty if it was found.
    """

    given: Any
    column: str | None
    file: str = ""
    stated: str = ""

    @property
    def options(self) -> Sequence[str]:
        """The options of the command."""
        column = self.stated if self.file else str(self.given)
        return [
            *([f"--truth {file_word(self.file)}"] if self.file else []),
            *([option("gold", column)] if column else []),
        ]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {"truth": self.given, "truth_column": self.column}

    @property
    def of_report(self) -> dict[str, Any]:
        """The arguments of `bribeproof.report`, and how they are written in the command and in Python."""
        if not self.file:
            return self.arguments
        written = {"truth": InFile(self.file, self.python), "truth_column": self.stated or None}
        return self.arguments | {"shown": written}

    @property
    def python(self) -> str:
        """Python code of the truth."""
        return f"bp.read_table({self.file!r})" if self.file else repr(self.given)


def detected_column(reading: Reading) -> str:
    """Return the column that holds the truth by its name; empty if there is none, or there are several."""
    named = [column.name for column in reading.others if column.role == "gold"]
    return named[0] if len(named) == 1 else ""


def check_column(query: DataQuery, reading: Reading) -> None:
    """Refuse a column of the truth among the data that holds reports or names.

    Raises
    ------
    ParameterError
        If it does.
    """
    items = () if reading.turned else reading.items
    if query.gold and not query.truth and query.gold in {*before_votes(reading).columns.used, *items, *reading.values}:
        raise ParameterError(f"gold={query.gold!r}: this column holds reports or names; choose another role for it")


def read_truth(query: DataQuery, reading: Reading, table: Table | None, name: str) -> Truth | None:
    """Return the truth of some items; None if there is none.

    Parameters
    ----------
    query, reading
        The fields of the page, and how the reports are read.
    table, name
        The file of the truth, and its name; None if there is none.

    Raises
    ------
    ColumnError
        If the file of the truth does not name the items.
    ParameterError
        If the column that is named holds reports, or several columns may be meant.
    """
    if table is None:
        check_column(query, reading)
        column = query.gold or detected_column(reading)
        return Truth(column, None) if column else None
    item = before_votes(reading).columns.item
    value = reading.columns.value or "label"
    if item not in table.frame.columns:
        raise ColumnError(
            f"{name} has no column {item!r}, which names the items in the data: rename the one of its columns that "
            f"does; they are {list_names(table.frame.columns)}"
        )
    given, found = known_truth(table, query.gold or None, item, value, reading=reading, named="--gold")
    return Truth(given, found, name, query.gold)
