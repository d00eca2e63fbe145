"""Aggregate a table from a file, and record what the library warns about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.aggregate import aggregate, recognised_options
from bribeproof.frames.inference import Kind, Recognised
from bribeproof.frames.native import to_polars
from bribeproof.frames.recognition import match_columns as matching
from bribeproof.frames.recognition import reading_notes
from bribeproof.io.read import Table

__all__ = ["AggregateResult", "answers", "first_rows", "matching", "reading_notes", "recognised_options"]


@dataclass(frozen=True, slots=True)
class AggregateResult:
    """The answers to a table.

    Attributes
    ----------
    result
        A row for each item, as the function for its kind of reports returns it.
    found
        The kind and the columns of the reports.
    notes
        How the table was read, and what the library warns about, one sentence each.
    """

    result: pl.DataFrame
    found: Recognised
    notes: tuple[str, ...]


def answers(table: Table, *, kind: Kind | None = None, judges: Sequence[str] = (), **options: Any) -> AggregateResult:
    """Aggregate a table; the options are those of `aggregate`."""
    with record_warnings() as messages:
        result = aggregate(table, kind=kind, judges=judges, **options)
    return AggregateResult(to_polars(result.items), result.recognised, (*result.notes, *messages))


def first_rows(table: Table) -> pl.DataFrame:
    """Return the rows of a table."""
    return table.frame
