"""Aggregate one table for several k, reading its reports only once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.recognised import (
    RecognisedReports,
    combine_recognised,
    recognised_options,
    validate_recognised,
)
from bribeproof.aggregation.total_rule import TotalRule
from bribeproof.explorer.data.worst_bribe import SameReporters, obstacle, search_decisions, search_places
from bribeproof.frames.bribed_groups import GivenBribes
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.stated import TOTAL_OPTIONS, Stated
from bribeproof.io.read import Table

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports

_REPORT_BYTES = 48
"""Size of one report in memory: item, reporter, value and row number."""
_READING = frozenset({"kind", "item", "reporter", "value", "judges", "turned", "not_items"})
_CRITERIA = frozenset({"criteria", "criterion_weights", "criterion"})
_SETS = frozenset({"label_sets", "label_separator", "no_label", "labels"})


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
        The arguments of `aggregate`.
    """

    def __init__(self, table: Table, recognised: Reading, options: Mapping[str, Any]) -> None:
        self._table: Table = prepare(table, recognised)
        self._recognised = recognised
        self._rule = TotalRule.of(Stated.of(options))
        self._better = options.get("better", "high")
        of_columns = _READING.union(_CRITERIA, _SETS, TOTAL_OPTIONS, {"group"})
        self._group: str | None = options.get("group")
        given = {name: value for name, value in options.items() if name not in of_columns}
        bribes = GivenBribes.of(table, recognised.columns.reporter, self._group, None, None)
        self._schema, self._rest = recognised_options(recognised, given | {"bribes": bribes})
        self._reports: Reports | None = None

    @property
    def table(self) -> Table:
        """The table in the form that its reading names."""
        return self._table

    @property
    def size(self) -> int:
        """Largest size in bytes of the reports that are kept."""
        return _REPORT_BYTES * self._table.frame.height * max(1, len(self._recognised.columns.judges))

    def __call__(self, k: int) -> pl.DataFrame:
        """Return the result for k, one row for each item."""
        return self._combine(k, self._rule)

    def without_protection(self) -> pl.DataFrame:
        """Return the result for k = 0, nobody being counted as bribed for silence or for faulty reports."""
        return self._combine(0, self._rule, stated=False)

    @property
    def has_statements(self) -> bool:
        """Whether somebody may count as bribed for silence or for faulty reports."""
        return self._schema.asked is not None or self._schema.sets_aside

    @property
    def has_rule(self) -> bool:
        """Whether factors, a deduction or a total follow the aggregation of each item."""
        return bool(self._rule)

    @property
    def part(self) -> str | None:
        """The column of the parts of which the results are totals; None if they are not."""
        chosen = self._rule.part(self._recognised.items)
        return None if chosen is None else chosen[1]

    @property
    def takes_best(self) -> bool:
        """Whether the results are the best of several parts, of which those without any report do not count."""
        chosen = self._rule.part(self._recognised.items)
        return chosen is not None and chosen[0] == "best"

    def before_rule(self, k: int) -> pl.DataFrame:
        """Return the result for k before factors, a deduction and a total: one row for each item of the table."""
        return self._combine(k, None)

    def same_reporters(self, k: int, *, searched: bool = True) -> SameReporters:
        """Return what the same k reporters could have done to all reports, or whether that can be searched."""
        sets, scores = self._recognised.label_sets, self._recognised.kind == "scores"
        each_label = sets is not None and sets.how == "each" and len(sets.labels) != 1
        with record_warnings():
            reports = self._validated()
            why_not = obstacle(self._table, reports, scores=scores, each_label=each_label)
            if why_not or not searched:
                return SameReporters(why_not=why_not)
            if not scores:
                return search_decisions(self._table, self._schema, k, self._group)
            return search_places(
                RecognisedReports(self._table, self._recognised, reports, self._better, self._rest, None), k
            )

    def _validated(self) -> "Reports":
        """Return the reports, which are read once."""
        if self._reports is None:
            self._reports = validate_recognised(self._table, self._recognised, self._schema)
        return self._reports

    def _combine(self, k: int, rule: TotalRule | None, *, stated: bool = True) -> pl.DataFrame:
        """Return the result for k by a rule."""
        with record_warnings():
            reports = self._validated() if stated else self._validated().without_statements()
            answers = combine_recognised(
                reports, self._table, self._recognised, k, rule=rule, better=self._better, **self._rest
            )
            return to_polars(answers)
