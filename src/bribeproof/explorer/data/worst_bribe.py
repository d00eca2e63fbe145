"""Search an uploaded table for what the same reporters, bribed on all items, could have changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.contests.opened import opened_contest
from bribeproof.contests.result import WorstContestBribe
from bribeproof.contests.worst_bribe import search_contest
from bribeproof.errors import DataError, ParameterError
from bribeproof.io.write import to_records

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports
    from bribeproof.frames.schema import ReportSchema
    from bribeproof.io.read import Table

_SECONDS = 2.0
_SECONDS_FOR_PLACES = 5.0
_MOST_REPORTS = 300_000
_MOST_CELLS = 10_000_000
_MOST_MARKS = 20_000
"""Larger tables are searched by the command, which takes what time and memory it needs."""
_TOO_LARGE = "the table is too large; the command below does it"


@dataclass(frozen=True, slots=True, eq=False)
class SameReporters:
    """What the same k reporters could have done to a table, as far as it is searched.

    Attributes
    ----------
    found
        Of votes and labels, the reporters and the decisions that they could have changed; of scores, the places that
        they could have caused. None if it is not searched, or not yet.
    why_not
        Why it is not searched; empty if it can be.
    """

    found: WorstBribe | WorstContestBribe | None = None
    why_not: str = ""

    @property
    def by_command(self) -> bool:
        """Whether the command finds it, whether or not it is searched here."""
        return self.why_not in ("", _TOO_LARGE)

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return int(self.table.estimated_size())

    @property
    def table(self) -> pl.DataFrame:
        """The file that the command writes."""
        if self.found is None:
            return pl.DataFrame()
        table: pl.DataFrame = self.found.items if isinstance(self.found, WorstBribe) else self.found.entries
        return table

    def facts(self, notes: tuple[str, ...]) -> Mapping[str, Any]:
        """Return everything as plain data of JSON types, as the command prints it."""
        found = self.found
        if isinstance(found, WorstBribe):
            who, items = "groups" if found.grouped else "reporters", to_records(found.items)
            return {"notes": notes, **found.facts(), who: to_records(found.reporters), "items": items}
        facts, entries = ({}, []) if found is None else (found.facts(), found.records())
        return {"kind": "scores", "notes": notes, **facts, "entries": entries}


def obstacle(table: "Table", reports: "Reports", *, scores: bool, each_label: bool) -> str:
    """Return why a table is not searched; nothing if it is.

    Parameters
    ----------
    table
        The table in the form that its reading names.
    reports
        Its reports.
    scores
        Whether these are scores.
    each_label
        Whether several labels of an item are voted on.
    """
    schema = reports.schema
    if schema.asked is not None or schema.sets_aside:
        return "bribed reporters may be silent, too, and the search is for those who rewrite reports"
    if each_label:
        return "it takes one label at a time; name it as the label to vote on"
    rows = table.frame.height * max(1, len(schema.judges or ()))
    if scores:
        return _TOO_LARGE if rows > _MOST_MARKS else ""
    labels = 2 if reports.values is None else len(reports.values)
    return _TOO_LARGE if rows > _MOST_REPORTS or table.frame.height * labels > _MOST_CELLS else ""


def search_decisions(table: "Table", schema: "ReportSchema", k: int, group: str | None) -> SameReporters:
    """Search for the k reporters, or groups, who could have changed most decisions, for two seconds at most.

    Parameters
    ----------
    table
        The table in the form that its reading names.
    schema
        How its votes or labels are read.
    k
        How many are bribed, at least 1.
    group
        The column of what one bribe buys together.
    """
    columns = ("item", "reporter", "judges", "classes", "missing", "repeats", "order")
    options = {name: getattr(schema, name) for name in columns}
    try:
        return SameReporters(worst_bribe(table, k, group=group, time_limit=_SECONDS, label=schema.value, **options))
    except ParameterError as error:  # more than there are
        return SameReporters(why_not=str(error))


def search_places(read: RecognisedReports, k: int) -> SameReporters:
    """Search for the places that k judges, or groups of them, could have caused."""
    try:
        return SameReporters(search_contest(opened_contest(read, k, None), time_limit=_SECONDS_FOR_PLACES))
    except (DataError, ParameterError) as error:
        return SameReporters(why_not=str(error).partition("; give a smaller")[0])  # which is no field of the page
