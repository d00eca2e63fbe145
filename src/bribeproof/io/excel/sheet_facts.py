"""What a sheet of a workbook says beyond the values of its cells."""

from __future__ import annotations

from dataclasses import dataclass, field


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
