"""What a labelling tool's export holds: who reports on what, and the questions that were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from bribeproof.io.limits import NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

Form: TypeAlias = Literal["choice", "taxonomy", "rating", "number", "pairwise comparison", "vote", "answer"]
"""What is asked for; ``"answer"`` where the export does not tell."""
SCORED: tuple[Form, ...] = ("rating", "number")
"""The forms of questions whose answers are scores."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of an export.

    Attributes
    ----------
    column
        The column of its answers.
    name
        What the tool calls it.
    form
        What it asks for.
    gold
        The column of its true answers; empty if the export has none.
    certain
        Whether the column is known to be a question; else it may be data about the items.
    """

    column: str
    name: str
    form: Form = "answer"
    gold: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Export:
    """How the table of an export is read.

    Attributes
    ----------
    tool
        The labelling tool.
    item, reporter
        The columns of the items and of the reporters.
    questions
        The questions that were asked, at least one.
    data_may_name_items
        Whether a column of data that is called like items, such as *image*, names them instead if it is the only one.
    """

    tool: str
    item: str
    reporter: str
    questions: tuple[Question, ...]
    data_may_name_items: bool = False


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file that is read as an export.

    Attributes
    ----------
    name
        What the user calls it.
    unit
        What its places count: ``"line"``, ``"record"``, ``"row"`` or ``"image"``.
    limits
        The largest table.
    predictions
        Whether models whose predictions the file holds are reporters.
    is_named
        Whether the name is that of a file, and not of rows from elsewhere.

    Examples
    --------
    >>> ExportFile("project.json", "record").locate(3)
    'project.json, record 3'
    """

    name: str
    unit: str = "line"
    limits: Limits = NO_CELL_LIMIT
    predictions: bool = False
    is_named: bool = True

    def locate(self, place: int) -> str:
        """Return a place in the file, for messages."""
        return f"{self.name}, {self.unit} {place}"


class ExportReader(Protocol):
    """Reads the chunks of one export, an `ExportFile`, in their order."""

    tool: str
    """The labelling tool."""

    @property
    def export(self) -> Export:
        """What the chunks so far hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and what was left out so far, for the user."""

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return a row for each report, and the place of each in the file.

        Parameters
        ----------
        frame
            Rows as they stand in the file; columns are those of all rows so far.
        places
            The place of each row, such as its line.

        Raises
        ------
        FileError
            If an item or a report cannot be read; the message names it.
        """
