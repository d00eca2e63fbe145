"""Aggregate an uploaded table, and keep what the library warns about instead of printing it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.aggregate import aggregate
from bribeproof.aggregation.result import Aggregation
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.kinds import Kind
from bribeproof.io.read import Table


def aggregate_table(
    table: Table, *, kind: Kind | None = None, judges: Sequence[str] = (), **options: Any
) -> Aggregation:
    """Aggregate a table into polars items, with warnings among the notes; the options are those of `aggregate`."""
    with record_warnings() as messages:
        result = aggregate(table, kind=kind, judges=judges, **options)
    return replace(result, items=to_polars(result.items), notes=(*result.notes, *messages))
