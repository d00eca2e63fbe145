"""A sheet answered for one k after the other: its reports are read once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.auto import recognised_options
from bribeproof.aggregation.combine import COMBINE
from bribeproof.frames.inference import Recognised
from bribeproof.frames.validation import validate_reports
from bribeproof.io.read import Table

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports

_REPORT_BYTES = 48
"""A report in memory: its item, its reporter, what was reported, and its row."""
_COLUMNS = frozenset({"kind", "item", "reporter", "value", "judges"})


class Recompute:
    """Answers for any k to a table that was aggregated before, and so is known to hold what it should.

    Reading reports takes longer than counting or averaging them: they are kept. What the library warned about it has
    said the first time.

    Parameters
    ----------
    table
        What was read.
    found
        Which columns hold what.
    options
        As `answers` takes them.
    """

    def __init__(self, table: Table, found: Recognised, options: Mapping[str, Any]) -> None:
        self._table = table
        self._found = found
        given = {name: value for name, value in options.items() if name not in _COLUMNS}
        self._schema, self._rest = recognised_options(found, given)
        self._reports: Reports | None = None

    @property
    def size(self) -> int:
        """About how many bytes are kept at most."""
        return _REPORT_BYTES * self._table.frame.height * max(1, len(self._found.columns.judges))

    def __call__(self, k: int) -> pl.DataFrame:
        """Return what the table function of these reports returns."""
        with record_warnings():
            if self._reports is None:
                self._reports = validate_reports(self._table, self._schema, scores=self._found.kind == "scores")
            answers: pl.DataFrame = COMBINE[self._found.kind](self._reports, **self._rest | {"k": k}).lazy().collect()
            return answers
