"""Aggregate an uploaded table, and keep what the library warns about instead of printing it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.aggregate import aggregate
from bribeproof.frames.inference import Kind, Recognised
from bribeproof.frames.native import to_polars
from bribeproof.io.read import Table


@dataclass(frozen=True, slots=True)
class AggregatedTable:
    """The result of aggregating a table.

    Attributes
    ----------
    items
        A row for each item, as the function for its kind of reports returns it.
    recognised
        The kind and the columns of the reports.
    notes
        How the table was read, and what the library warns about, one sentence each.
    """

    items: pl.DataFrame
    recognised: Recognised
    notes: tuple[str, ...]


def aggregate_table(
    table: Table, *, kind: Kind | None = None, judges: Sequence[str] = (), **options: Any
) -> AggregatedTable:
    """Aggregate a table; the options are those of `aggregate`."""
    with record_warnings() as messages:
        result = aggregate(table, kind=kind, judges=judges, **options)
    return AggregatedTable(to_polars(result.items), result.recognised, (*result.notes, *messages))
