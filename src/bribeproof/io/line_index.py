"""Keep the line in the file of each row of a table."""

from __future__ import annotations

import bisect
from array import array
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


class LineIndex:
    """The line of each row, stored as the rows at which the distance between row and line changes.

    Parameters
    ----------
    unit : {"line", "record", "row"}, default "line"
        The unit that is counted in the file.

    Examples
    --------
    >>> places = LineIndex()
    >>> places.extend([2, 3, 7])
    >>> places.extend(range(8, 1_000_000))
    >>> places.locate(2), places.locate(900_000)
    ('line 7', 'line 900005')
    """

    def __init__(self, unit: str = "line") -> None:
        self.unit = unit
        self._rows = 0
        self._starts = array("q")
        self._offsets = array("q")

    def __len__(self) -> int:
        return self._rows

    def extend(self, lines: Sequence[int]) -> None:
        """Append the lines of the next rows.

        Parameters
        ----------
        lines : sequence of int
            The line of each row, counted from 1, ascending.
        """
        rows = self._rows
        self._rows += len(lines)
        if isinstance(lines, range) and lines.step == 1:
            lines = lines[:1]  # the distance is the same for all
        distances = np.asarray(lines, np.int64) - np.arange(rows, rows + len(lines))
        known = self._offsets[-1:].tolist() or [-1]
        changes = np.flatnonzero(np.diff(distances, prepend=known))
        self._starts.frombytes((rows + changes).astype(np.int64).tobytes())
        self._offsets.frombytes(distances[changes].tobytes())

    def locate(self, row: int) -> str:
        """Return the place of a row in the file.

        Parameters
        ----------
        row : int
            The row, from 0, among those read so far.

        Returns
        -------
        str
            Such as "line 7", counted from 1.

        Raises
        ------
        IndexError
            If there is no such row.
        """
        if not 0 <= row < self._rows:
            raise IndexError(f"row {row} is not among the {self._rows} rows read")
        return f"{self.unit} {row + self._offsets[bisect.bisect_right(self._starts, row) - 1]}"
