"""Replay briberies: the marks of bribed judges are written into the table, which is aggregated anew."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.aggregation.total_rule import clean_name
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.theory.bribery.bribes import Bribes

_MOST_PRICED = 10
"""All sets of so many groups with prices are listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """A bribery that gives an entry its best place.

    Attributes
    ----------
    entry
        The name of the entry.
    place
        Its place then.
    judges
        The bribed judges.
    """

    entry: Any
    place: int
    judges: frozenset[Any]


@dataclass(frozen=True, slots=True)
class ContestRecheck:
    """What came of replaying briberies.

    Attributes
    ----------
    replayed
        How many places that are named were replayed.
    differences
        Those that came out otherwise, and better ones than are named: the entry, the place that is named, and the one
        that it had.
    tried
        How many sets of judges were tried for better places; each takes two aggregations.
    tried_all
        Whether these are all sets.
    """

    replayed: int
    differences: tuple[tuple[Any, int, int], ...]
    tried: int
    tried_all: bool

    @property
    def ok(self) -> bool:
        """Whether every place came out as named."""
        return not self.differences

    def __bool__(self) -> bool:
        """Return whether every place came out as named."""
        return self.ok


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

    def place(self, entry: Any, judges: Collection[Any]) -> int:
        """Return the place of an entry if some judges write the best marks for it and the worst for all others."""
        totals = self.totals(judges, best=[entry])
        return _above(clean_name(entry), totals, totals) + 1

    def places(self, judges: Collection[Any]) -> dict[str, tuple[int, int]]:
        """Return the best and the worst place of each entry if some judges are bribed.

        What a judge writes on one entry has no effect on another, so that two aggregations show all ends of totals.
        """
        best, worst = self.totals(judges, best=None), self.totals(judges, best=())
        return {entry: (1 + _above(entry, best, worst), 1 + _above(entry, worst, best)) for entry in best}

    def totals(self, judges: Collection[Any], *, best: Collection[Any] | None) -> dict[str, float]:
        """Return the totals, higher ones being better, of the table with the marks of some judges rewritten.

        Parameters
        ----------
        judges
            Those who are bribed.
        best
            The entries for which they write the best mark, the worst for others; None for all.
        """
        reports, sign = self.read.reports, 1 if self.read.better == "high" else -1
        rows = collect(reports.rows)
        good, bad = self._extremes(rows[VALUE])[::-sign]
        own = None if best is None else self._items_of({clean_name(entry) for entry in best})
        bribed = {name for name in rows[REPORTER].unique() if self._judge(name) in judges}
        marks = [
            old if old is None or name not in bribed else good if own is None or clean_name(item) in own else bad
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

    def _items_of(self, entries: Collection[str]) -> Collection[str]:
        """Return the items that are parts of some entries."""
        if not self.read.rule:
            return entries
        parts = self.read.rule.read_parts(self.read.frame, self.read.reading).entries
        return {item for item, of in parts.items() if of in entries}

    def _extremes(self, marks: pl.Series) -> tuple[float, float]:
        """Return the least and the greatest mark to write."""
        if (scale := self.read.reports.schema.scale) is not None:
            return float(scale[0]), float(scale[1])
        largest: Any = marks.abs().max()
        far = 1e6 * (1 + float(largest or 0))
        return -far, far


@dataclass(frozen=True, slots=True, eq=False)
class ContestReplay:
    """Replays what bribed judges do to a contest.

    Attributes
    ----------
    replay
        How the table is aggregated.
    bribes, judges
        Who can be bribed, and the names of all judges.
    """

    replay: Replay
    bribes: Bribes
    judges: Sequence[Any]

    def recheck_places(self, witnesses: Sequence[Witness], *, most_sets: int) -> ContestRecheck:
        """Replay each witness, and try up to so many sets of judges for better places."""
        found = [(one.entry, one.place, self.replay.place(one.entry, one.judges)) for one in witnesses]
        differences = [difference for difference in found if difference[1] != difference[2]]
        named = {clean_name(one.entry): one for one in witnesses}
        sets, tried = _sets(self.bribes), 0
        for groups in islice(sets, most_sets):
            tried += 1
            for entry, (place, _) in self._places(groups).items():
                if place < named[entry].place:
                    differences.append((named[entry].entry, named[entry].place, place))
        return ContestRecheck(len(witnesses), tuple(differences), tried, tried > 0 and next(sets, None) is None)

    def recheck_upset(
        self, groups: Sequence[int], changed: Callable[[str, int, int, int], bool], *, most_sets: int
    ) -> ContestRecheck:  # fmt: skip
        """Replay the cheapest bribery, and try up to so many cheaper ones.

        Parameters
        ----------
        groups
            Who is bribed; nobody if no bribery is enough.
        changed
            Whether the contest is changed, from the name of an entry, its place, and its best and its worst one.
        """
        now = self.replay.places(())

        def change(bribed: Sequence[int]) -> list[tuple[Any, int, int]]:
            """Return which entries are changed, their places, and their best ones."""
            found = self._places(bribed).items()
            return [
                (name, now[name][0], best) for name, (best, worst) in found if changed(name, now[name][0], best, worst)
            ]

        differences = [] if not groups or change(groups) else [("nothing is changed", 0, 0)]
        less = replace(self.bribes, budget=self.bribes.cost(groups) if groups else sum(self.bribes.prices, Fraction(0)))
        sets, tried = _sets(less, below=bool(groups)), 0
        for bribed in islice(sets, most_sets):
            tried += 1
            differences.extend(change(bribed))
        return ContestRecheck(int(bool(groups)), tuple(differences), tried, tried > 0 and next(sets, None) is None)

    def _places(self, groups: Sequence[int]) -> dict[str, tuple[int, int]]:
        """Return the best and the worst place of each entry if some groups are bribed."""
        return self.replay.places([self.judges[judge] for judge in self.bribes.members(groups)])


def _sets(bribes: Bribes, *, below: bool = False) -> Iterator[tuple[int, ...]]:
    """Yield the largest sets of groups for at most the budget, or below it; none of many groups with prices."""
    groups = range(len(bribes.prices))
    if bribes.counts_groups:
        if (size := min(len(groups), int(bribes.budget)) - below) >= 0:
            yield from combinations(groups, size)
    elif len(groups) <= _MOST_PRICED:
        for size in range(len(groups) + 1):
            for chosen in combinations(groups, size):
                cost = bribes.cost(chosen)
                if cost < bribes.budget or (not below and cost == bribes.budget):
                    yield chosen


def _above(entry: str, own: dict[str, float], others: dict[str, float]) -> int:
    """Return how many others have a higher total than an entry."""
    mine = own[entry]
    # The last bit of a total may depend on the order in which it was computed.
    return sum(total > mine + 1e-9 * max(1.0, abs(mine), abs(total)) for name, total in others.items() if name != entry)
