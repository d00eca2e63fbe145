"""What a step shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from bribeproof.explorer.data.cells import TableCell
from bribeproof.explorer.data.figures import Picture
from bribeproof.explorer.data.table import ChangedItems

Row = TypeVar("Row")
ROWS = 12
"""The largest number of rows of a table in a step; the command writes all."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step shows.

    Attributes
    ----------
    verdict
        The answer, in one short sentence.
    scope
        What the answer rests on and what it is worth, to be read with it; may be empty.
    sentences
        What it means, and when it holds.
    tables
        Small tables, each with its caption.
    picture
        A picture; None for none.
    command, python
        What computes the same.
    """

    verdict: str
    scope: str
    sentences: Sequence[str]
    tables: Sequence[tuple[str, ChangedItems]]
    picture: Picture | None
    command: str
    python: str


def table_of(headings: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]], total: int) -> ChangedItems:
    """Return a table from the texts of its cells.

    Parameters
    ----------
    headings
        The heading of each column, and its kind, ``"text"`` or ``"number"``.
    rows
        The texts.
    total
        How many rows there are, if not all are shown.
    """
    kinds = [kind for _, kind in headings]
    cells = [[TableCell(text, kind) for text, kind in zip(row, kinds, strict=True)] for row in rows]
    return ChangedItems([TableCell(*heading) for heading in headings], cells, total)


def first_and_last(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are shown: the first ones, and the last, which is that of the k that was asked for.

    Examples
    --------
    >>> first_and_last(range(20))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19]
    """
    return list(rows) if len(rows) <= ROWS else [*rows[: ROWS - 1], rows[-1]]


def short(value: float | None) -> str:
    """Return a number with three significant digits; nothing for None.

    Examples
    --------
    >>> short(0.158371), short(12.0), short(None)
    ('0.158', '12', '')
    """
    return "" if value is None else f"{value:.3g}"
