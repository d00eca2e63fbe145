"""Search an uploaded table for the reporters who, bribed on all items, could have changed most decisions."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports
    from bribeproof.io.read import Table

_SECONDS = 2.0
_MOST_REPORTS = 300_000
_MOST_CELLS = 10_000_000
"""Larger tables are searched by the command, which takes what time and memory it needs."""


_TOO_LARGE = "this table is too large to search it here; the command below does it"


@dataclass(frozen=True, slots=True, eq=False)
class SameReporters:
    """What the same k reporters could have done to the decisions of a table, as far as it is searched.

    Attributes
    ----------
    found
        The reporters and what they could have changed, with a bound that holds; None if it is not searched.
    why_not
        Why it is not searched.
    """

    found: WorstBribe | None
    why_not: str = ""

    @property
    def by_command(self) -> bool:
        """Whether the command finds it, whether or not it was searched here."""
        return self.found is not None or self.why_not == _TOO_LARGE

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return 0 if self.found is None else int(self.found.items.estimated_size())


def search(table: "Table", reports: "Reports", k: int, *, each_label: bool) -> SameReporters:
    """Search for the k reporters who could have changed most decisions, for two seconds at most.

    Parameters
    ----------
    table
        The table in the form that its reading names.
    reports
        Its votes or labels.
    k
        How many are bribed, at least 1.
    each_label
        Whether several labels of an item are voted on.
    """
    schema = reports.schema
    if schema.asked is not None or schema.sets_aside:
        return SameReporters(
            None, "it is searched where bribed reporters rewrite reports; here they may be silent, too"
        )
    if each_label:
        return SameReporters(None, "it is searched for one label at a time; name it as the label to vote on")
    rows = table.frame.height * max(1, len(schema.judges or ()))
    labels = 2 if reports.values is None else len(reports.values)
    if rows > _MOST_REPORTS or table.frame.height * labels > _MOST_CELLS:
        return SameReporters(None, _TOO_LARGE)
    found = worst_bribe(
        table,
        k,
        time_limit=_SECONDS,
        item=schema.item,
        reporter=schema.reporter,
        label=schema.value,
        judges=schema.judges,
        classes=schema.classes,
        missing=schema.missing,
        repeats=schema.repeats,
        order=schema.order,
    )
    return SameReporters(found)
