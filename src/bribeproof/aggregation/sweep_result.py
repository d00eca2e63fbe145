"""The result of a sweep over the number of bribed reporters."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._notebook import render_html
from bribeproof._text import name_in_list, proviso
from bribeproof.aggregation.sweep_promises import SweepPromises
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.native import to_polars

_REPORTERS = BribeUnit()
_NAMED = 20
"""The most items that a summary names."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sweep:
    """The answers for several k.

    Attributes
    ----------
    by_k : frame of the kind that came in
        One row per k (with prices per ``budget``): how many items are ``certified``; for votes and labels how many are
        ``ties``, and how many decisions are ``changeable`` by some k reporters, perhaps others on each item (with
        groups or prices by rewriting reports: those who are silent on an item are not counted); how many answers are
        ``changed``, other than for the smallest k or no longer certified; and with an expert
        ``expected_loss``, the guarantee on average over the certified items (the others have none), null if there are
        none, ``of_prior``, its share of what the prior alone guarantees, and with the absolute loss or costs
        ``per_100``, the errors or costs per 100 items.
    items : frame of the kind that came in
        One row per item: ``changes_at``, the first k at which its answer is another one than for the smallest k, or
        is no longer certified; null if there is none. The answer of a score is its place in the ranking.
    answers : frame of the kind that came in
        One row per k and item: what the aggregate function returns.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    ks
        The numbers of bribed reporters or groups, ascending; with prices the budgets, exact fractions.
    n_items
        The number of items.
    promises
        What the guarantee for each k is worth; None without an expert.
    unit
        Of what k is the number: of reporters, or of groups; or whether it is a budget.
    notes
        How the table was read, one sentence each.
    """

    by_k: Any
    items: Any
    answers: Any
    kind: str
    ks: tuple[Any, ...]
    n_items: int
    promises: SweepPromises | None = None
    unit: BribeUnit = _REPORTERS
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return which answers change first at which k, and what a guarantee speaks for; one sentence a line."""
        sentences = [*_describe(to_polars(self.items), self.ks, self.unit)]
        if self.promises is not None:
            sentences += self.promises.describe()
        return "\n".join(sentences if self.condition is None else [*sentences, self.condition])

    @property
    def most_adversaries(self) -> int | None:
        """How many may be bribed before the guarantee is worth nothing; None if it always is, or without an expert."""
        return None if self.promises is None else self.promises.most_adversaries

    @property
    def condition(self) -> str | None:
        """What ``expected_loss`` is an average over, and when it holds, as a sentence; None without an expert."""
        if "expected_loss" not in to_polars(self.by_k).columns:
            return None
        columns = nw.from_native(self.answers).collect_schema().names()[1:]
        average = f"The expected loss is on average over the items that are certified for that {self._counted}"
        gold = self.promises is not None and self.promises.confidence is not None
        return f"{average}, {proviso(columns, gold=gold, sizes=gold)}. The other items have no guarantee."

    @property
    def _counted(self) -> str:
        """What the sweep goes through."""
        return "budget" if self.unit.priced else "k"

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        numbers = f"{self._counted}s={self.unit.cell(self.ks[0])}…{self.unit.cell(self.ks[-1])}"
        return f"{type(self).__name__}(kind={self.kind!r}, {numbers}, n_items={self.n_items})"

    def _repr_html_(self) -> str:
        """Return the summary, the table by k and its picture for a notebook."""
        return render_html(self.summary(), to_polars(self.by_k), lambda plots, axes: plots.sweep(self, ax=axes))


def _describe(items: pl.DataFrame, ks: tuple[Any, ...], unit: BribeUnit) -> Iterator[str]:
    """Yield a sentence for each k at which answers change first."""
    changes = items.drop_nulls("changes_at").sort("changes_at", maintain_order=True)
    if changes.is_empty():
        yield f"No answer changes or is lost up to {unit.phrase(ks[-1])}."
    named: dict[Any, list[str]] = {}
    for item, k in changes.head(_NAMED).iter_rows():
        named.setdefault(k, []).append(name_in_list(item))
    for k, names in named.items():
        rest = int((changes["changes_at"] == k).sum()) - len(names)
        yield f"Changed or lost first at {unit.phrase(k)}: {', '.join(names)}{f' and {rest:,} more' * (rest > 0)}."
