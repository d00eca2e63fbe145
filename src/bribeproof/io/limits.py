"""Limits of the tables that are read, so that a small file cannot take all memory."""

from __future__ import annotations

from dataclasses import dataclass

from bribeproof.errors import FileError

LONGEST_RECORD = 1 << 28
"""The most bytes of one line, or of one record that spans several lines."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest table that is read.

    Parameters
    ----------
    columns : int, default 2¹⁷
        The most columns, at least 1.
    cells : int, optional
        The most cells, rows times columns; by default any number, for files that are read piece by piece.
    advice : str
        What the user can do about a table that is larger.

    Examples
    --------
    >>> Limits(cells=1000).check("votes.parquet", rows=10**9, columns=3)
    Traceback (most recent call last):
    ...
    bribeproof.errors.FileError: votes.parquet: 1,000,000,000 rows of 3 columns, more than the 1,000 cells ...
    """

    columns: int = 1 << 17
    cells: int | None = None
    advice: str = "give the reports in long form, a row for each one, as CSV or Parquet"

    def check(self, source: str, *, rows: int, columns: int) -> None:
        """Raise an error if a table is too large.

        Parameters
        ----------
        source : str
            The file, for the message.
        rows, columns : int
            The size of the table, as far as it is known.

        Raises
        ------
        FileError
            If it exceeds a limit.
        """
        if columns > self.columns:
            raise FileError(
                f"{source}: {columns:,} columns, more than the {self.columns:,} that can be read; {self.advice}"
            )
        if self.cells is not None and rows * columns > self.cells:
            raise FileError(
                f"{source}: {rows:,} rows of {columns:,} columns, more than the {self.cells:,} cells that can be read; "
                f"{self.advice}"
            )


NO_CELL_LIMIT = Limits()
"""The limits of the library and of the command, which read files of any length."""
