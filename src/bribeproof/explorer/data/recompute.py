"""Aggregate one table for several k, reading its reports only once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.aggregate import recognised_options
from bribeproof.aggregation.combine import COMBINE
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.validation import validate_reports
from bribeproof.io.read import Table

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports

_REPORT_BYTES = 48
"""Size of one report in memory: item, reporter, value and row number."""
_COLUMNS = frozenset({"kind", "item", "reporter", "value", "judges", "turned", "not_items"})


class Recompute:
    """Aggregate a table that was aggregated before, for another k.

    Reading reports takes longer than counting or averaging them, so they are kept. Warnings are suppressed: the first
    aggregation has reported them.

    Parameters
    ----------
    table
        The table.
    recognised
        The kind of reports and their columns.
    options
        The arguments of `answers`.
    """

    def __init__(self, table: Table, recognised: Reading, options: Mapping[str, Any]) -> None:
        self._table: Table = prepare(table, recognised)
        self._recognised = recognised
        given = {name: value for name, value in options.items() if name not in _COLUMNS}
        self._schema, self._rest = recognised_options(recognised, given)
        self._reports: Reports | None = None

    @property
    def size(self) -> int:
        """Largest size in bytes of the reports that are kept."""
        return _REPORT_BYTES * self._table.frame.height * max(1, len(self._recognised.columns.judges))

    def __call__(self, k: int) -> pl.DataFrame:
        """Return the result for k, one row for each item; for k = 0 nobody is counted as bribed."""
        with record_warnings():
            if self._reports is None:
                self._reports = validate_reports(self._table, self._schema, scores=self._recognised.kind == "scores")
            reports = self._reports if k else self._reports.without_statements()
            answers: pl.DataFrame = COMBINE[self._recognised.kind](reports, **self._rest | {"k": k}).lazy().collect()
            return answers
