"""Write the marks of bribed judges into the table of a contest, and aggregate it anew."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.aggregation.total_rule import clean_name
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.schema import ITEM, REPORTER, VALUE


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Writes the marks of bribed judges into a table and aggregates it.

    Attributes
    ----------
    read
        The reports of the table.
    k
        How many marks are dropped at each end, or the number of groups that can be bribed; None with a budget.
    """

    read: RecognisedReports
    k: int | None

    def best_place(self, entry: Any, judges: Collection[Any]) -> int:
        """Return the place of an entry if some judges write the best marks for it and the worst for all others."""
        own = clean_name(entry)
        totals = self._totals(judges, lambda other: other == own)
        return 1 + _above(own, totals, totals)

    def worst_place(self, entry: Any, judges: Collection[Any]) -> int:
        """Return the place of an entry if some judges write the worst marks for it and the best for all others."""
        own = clean_name(entry)
        totals = self._totals(judges, lambda other: other != own)
        return 1 + _above(own, totals, totals)

    def places(self, judges: Collection[Any]) -> dict[str, tuple[int, int]]:
        """Return the best and the worst place of each entry if some judges are bribed.

        What a judge writes on one entry has no effect on another, so that two aggregations show all ends of totals.
        """
        best, worst = self._totals(judges, lambda _: True), self._totals(judges, lambda _: False)
        return {entry: (1 + _above(entry, best, worst), 1 + _above(entry, worst, best)) for entry in best}

    def totals(self) -> dict[str, float]:
        """Return the totals of the table as it is."""
        sign = self._sign
        return {name: sign * total for name, total in self._totals((), lambda _: True).items()}

    @property
    def _sign(self) -> int:
        """1 if the highest total is the best, -1 if the lowest is."""
        return 1 if self.read.better == "high" else -1

    def _totals(self, judges: Collection[Any], lifted: Callable[[str], bool]) -> dict[str, float]:
        """Return the totals, higher ones being better, if some judges write the best mark for some entries.

        For all others they write the worst.
        """
        reports, sign = self.read.reports, self._sign
        rows = collect(reports.rows)
        bad, good = self._extremes(rows[VALUE])[::sign]
        entry_of = self._entry_of
        bribed = {name for name in rows[REPORTER].unique() if self._judge(name) in judges}
        marks = [
            old if old is None or name not in bribed else good if lifted(entry_of(clean_name(item))) else bad
            for name, item, old in rows.select(REPORTER, ITEM, VALUE).iter_rows()
        ]
        written = rows.with_columns(pl.Series(VALUE, marks, dtype=pl.Float64))
        result = to_polars(self.read.combine(self.k, reports.with_rows(nw.from_native(written.lazy()))))
        totals = result.select(pl.first(), "estimate").iter_rows()
        return {clean_name(name): sign * total for name, total in totals if total is not None}

    def _judge(self, name: Any) -> Any:
        """Return the judge whose marks are called so: of several criteria, each has its own name."""
        criteria = self.read.reading.criteria
        if criteria is None:
            return name
        people = criteria.names or {}
        return (people[name] if name in people else criteria.split(name))[0]

    @property
    def _entry_of(self) -> Callable[[str], str]:
        """Return the function from an item to the entry of which it is a part."""
        if not self.read.rule:
            return str
        entries = self.read.rule.read_parts(self.read.frame, self.read.reading).entries
        return lambda item: entries.get(item, item)

    def _extremes(self, marks: pl.Series) -> tuple[float, float]:
        """Return the least and the greatest mark to write."""
        if (scale := self.read.reports.schema.scale) is not None:
            return float(scale[0]), float(scale[1])
        largest: Any = marks.abs().max()
        far = 1e6 * (1 + float(largest or 0))
        return -far, far


def _above(entry: str, own: dict[str, float], others: dict[str, float]) -> int:
    """Return how many others have a higher total than an entry."""
    mine = own[entry]
    # The last bit of a total may depend on the order in which it was computed.
    return sum(total > mine + 1e-9 * max(1.0, abs(mine), abs(total)) for name, total in others.items() if name != entry)
