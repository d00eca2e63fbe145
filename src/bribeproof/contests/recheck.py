"""What came of comparing a result with contests that were aggregated anew, and the sets of judges that are tried."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, isclose
from typing import Any, NamedTuple

import polars as pl

from bribeproof.aggregation.total_rule import clean_name
from bribeproof.theory.bribery.bribes import Bribes

Rows = Mapping[str, Mapping[str, Any]]
"""What a result says of each entry."""
MOST_SETS = 100
"""How many sets of judges a recheck tries by default."""
_MOST_PRICED = 10
"""All sets of so many groups with prices are listed."""


class Difference(NamedTuple):
    """Something that came out otherwise than a result says.

    Attributes
    ----------
    what
        A column of `entries`, or an attribute of the result.
    entry
        The entry; None of what is not said of one.
    named, found
        What the result says, and what came out.
    """

    what: str
    entry: str | None
    named: Any
    found: Any


@dataclass(frozen=True, slots=True)
class ContestRecheck:
    """What came of replaying briberies.

    Attributes
    ----------
    replayed
        How many places, or bribed entries, were replayed.
    differences
        What came out otherwise than the result says, such as a set of judges that could do more than it allows.
    tried
        How many sets of judges were tried for that; each takes two aggregations.
    tried_all
        Whether these are all sets.
    """

    replayed: int
    differences: tuple[Difference, ...]
    tried: int
    tried_all: bool

    @property
    def ok(self) -> bool:
        """Whether everything came out as the result says."""
        return not self.differences

    def __bool__(self) -> bool:
        """Return whether everything came out as the result says."""
        return self.ok


@dataclass(frozen=True, slots=True)
class Comparison:
    """Collects what came out otherwise than a result says."""

    differences: list[Difference] = field(default_factory=list)

    def add(self, what: str, named: Any, found: Any, entry: str | None = None) -> None:
        """Add something that came out otherwise."""
        self.differences.append(Difference(what, entry, named, found))

    def compare(self, what: str, named: Any, found: Any, entry: str | None = None) -> None:
        """Add what came out unless the result says so."""
        if named != found:
            self.add(what, named, found, entry)

    def compare_names(self, what: str, named: Collection[Any], found: Collection[str]) -> None:
        """Add the entries that came out unless the result names these, each once."""
        if sorted(map(clean_name, named)) != sorted(found):
            self.add(what, tuple(named), tuple(sorted(found)))

    def rows(self, entries: pl.DataFrame, totals: Mapping[str, float], columns: Sequence[str]) -> Rows | None:
        """Return what is said of each entry after its total is compared; None if there are other entries or columns."""
        named, found = entries.columns[1:], ["total", *columns]
        if sorted(named) != sorted(found):
            self.add("entries", tuple(named), tuple(found))
            return None
        rows = {clean_name(next(iter(row.values()))): row for row in entries.iter_rows(named=True)}
        if len(rows) != entries.height or rows.keys() != totals.keys():
            self.add("entries", tuple(rows), tuple(totals))
            return None
        for entry, row in rows.items():
            if not isclose(row["total"], totals[entry], rel_tol=1e-9, abs_tol=1e-9):
                self.add("total", row["total"], totals[entry], entry)
        return rows


class TriedSets:
    """The largest sets of groups for at most the budget, or all that cost less than an amount.

    Of many groups with prices there are none.

    Examples
    --------
    >>> tried = TriedSets(Bribes.heads(reporters=3, k=2), most=2)
    >>> list(tried), tried.number, tried.all
    ([(0, 1), (0, 2)], 2, False)
    """

    def __init__(self, bribes: Bribes, most: int, *, below: float | None = None) -> None:
        self._listed = bribes.counts_groups or len(bribes.prices) <= _MOST_PRICED
        self._sets = _sets(bribes, below) if self._listed else iter(())
        self._most = most
        self.number = 0

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        while self.number < self._most and (chosen := next(self._sets, None)) is not None:
            self.number += 1
            yield chosen

    @property
    def all(self) -> bool:
        """Whether no set is left."""
        return self._listed and next(self._sets, None) is None


def _sets(bribes: Bribes, below: float | None) -> Iterator[tuple[int, ...]]:
    """Yield sets of groups for at most the budget, or for less than an amount."""
    groups = range(len(bribes.prices))
    if bribes.counts_groups:
        size = int(bribes.budget) if below is None else ceil(min(below, len(groups) + 1)) - 1
        if size >= 0:
            yield from combinations(groups, min(size, len(groups)))
        return
    for size in range(len(groups) + 1):
        for chosen in combinations(groups, size):
            if bribes.affordable(chosen) if below is None else float(bribes.cost(chosen)) < below:
                yield chosen
