"""Read a nested export record by record."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from bribeproof.io.labelling.cells import records
from bribeproof.io.labelling.rows import ReportRows
from bribeproof.io.labelling.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from bribeproof.io.labelling.export import Export, ExportFile


class RecordReader(ABC):
    """An `ExportReader` of records, each of which holds the reports on one item.

    Parameters
    ----------
    file : ExportFile
        The file.
    """

    tool: str
    item: ClassVar[str]
    """The column of the items."""
    reporter: ClassVar[str]
    """The column of the reporters."""

    def __init__(self, file: ExportFile) -> None:
        self._file = file
        self._rows = ReportRows(self.tool, self.item, self.reporter, file)
        self._tally = Tally(self.tool)

    @property
    def export(self) -> Export:
        """What the records so far hold."""
        return self._rows.export

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out so far."""
        return (self._tally.note,)

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return a row for each report, and the place of each in the file."""
        for place, record in records(frame, places):
            self._add(place, record)
        return self._rows.take()

    @abstractmethod
    def _add(self, place: int, record: Mapping[str, Any]) -> None:
        """Add the reports of a record."""
