"""Search an uploaded table for the reporters who, bribed on all items, could have changed most decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.io.write import to_records

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports
    from bribeproof.frames.schema import ReportSchema
    from bribeproof.io.read import Table

_SECONDS = 2.0
_MOST_REPORTS = 300_000
_MOST_CELLS = 10_000_000
"""Larger tables are searched by the command, which takes what time and memory it needs."""


_TOO_LARGE = "the table is too large; the command below does it"


@dataclass(frozen=True, slots=True, eq=False)
class SameReporters:
    """What the same k reporters could have done to the decisions of a table, as far as it is searched.

    Attributes
    ----------
    found
        The reporters and what they could have changed, with a bound that holds; None if it is not searched, or not yet.
    why_not
        Why it is not searched; empty if it can be.
    """

    found: WorstBribe | None = None
    why_not: str = ""

    @property
    def by_command(self) -> bool:
        """Whether the command finds it, whether or not it is searched here."""
        return self.why_not in ("", _TOO_LARGE)

    @property
    def is_searched(self) -> bool:
        """Whether it is searched already."""
        return self.found is not None

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return 0 if self.found is None else int(self.found.items.estimated_size())

    @property
    def table(self) -> pl.DataFrame:
        """What they could have changed, as the file that the command writes."""
        return pl.DataFrame() if self.found is None else self.found.items

    def facts(self) -> Mapping[str, Any]:
        """Return everything as plain data of JSON types, as the command prints it."""
        if self.found is None:
            return {}
        found, who = self.found, "groups" if self.found.grouped else "reporters"
        return {**found.facts(), who: to_records(found.reporters), "items": to_records(found.items)}


def obstacle(table: "Table", reports: "Reports", *, each_label: bool) -> str:
    """Return why a table is not searched; nothing if it is.

    Parameters
    ----------
    table
        The table in the form that its reading names.
    reports
        Its votes or labels.
    each_label
        Whether several labels of an item are voted on.
    """
    schema = reports.schema
    if schema.asked is not None or schema.sets_aside:
        return "bribed reporters may be silent, too, and the search is for those who rewrite reports"
    if each_label:
        return "it takes one label at a time; name it as the label to vote on"
    rows = table.frame.height * max(1, len(schema.judges or ()))
    labels = 2 if reports.values is None else len(reports.values)
    return _TOO_LARGE if rows > _MOST_REPORTS or table.frame.height * labels > _MOST_CELLS else ""


def search(table: "Table", schema: "ReportSchema", k: int, group: str | None = None) -> SameReporters:
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
    return SameReporters(worst_bribe(table, k, group=group, time_limit=_SECONDS, label=schema.value, **options))
