"""The result of `aggregate`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._notebook import ROWS, render_html
from bribeproof.aggregation.contest import ContestSheet
from bribeproof.aggregation.contest_facts import contest_facts
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS, count_safe_sets
from bribeproof.aggregation.promise import Promise
from bribeproof.aggregation.same_reporters import SameReporters
from bribeproof.aggregation.summary import changeable, rank_result, summarise
from bribeproof.aggregation.summary_sentences import describe
from bribeproof.frames.commitment import Draw
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.reading import Reading

_MOST_RANKED = 1000
"""A picture of the ranking is drawn of up to so many items."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Aggregation:
    """The answer for each item of a file or frame, and how it was read.

    Attributes
    ----------
    items : frame of the kind that came in
        One row per item, as `aggregate_scores`, `aggregate_votes` or `aggregate_labels` returns it.
    recognised
        The kind and the columns of the reports.
    k
        How many reporters, or groups, may be bribed; None if a share or a budget was given. The column ``k`` has the
        number of reporters for each item.
    share, share_of
        The share that k was computed from, and of what; None if k was given.
    decimals
        How many decimals scores are rounded to; None for no rounding.
    better
        Of scores: ``"high"`` if the highest is the best, ``"low"`` if the lowest is; other kinds have no places.
    notes
        How the file or frame was read, one sentence each.
    draw
        The seed of the random draws, and where it comes from; None if nothing was drawn.
    bribed_on_each
        On what the k bribed reporters may be others: each item, or each of its parts.
    bribed
        What a bribe buys: a ``"reporter"``, a ``"group"``, or the column of the groups.
    contest
        Of scores: returns the marks, for what the same bribed judges could have done, or says why that is not searched.
    promise
        What the guarantees rest on: the rates of a truthful reporter, the loss, and the positive class; None without
        rates.
    same
        The search for the k reporters who could have changed most decisions if they were bribed on all items; it runs
        when the summary is asked for. None for scores, and where bribed reporters can do more than rewrite reports.
    """

    items: Any
    recognised: Reading
    k: int | None
    share: object = None
    share_of: str = "panel"
    decimals: int | None = None
    better: str = "high"
    notes: tuple[str, ...] = ()
    draw: Draw | None = None
    bribed_on_each: str = "item"
    promise: Promise | None = None
    same: SameReporters | None = None
    bribed: str = "reporter"
    contest: Callable[[], ContestSheet | str] | None = None

    @property
    def kind(self) -> Kind:
        """``"scores"``, ``"votes"`` or ``"labels"``."""
        return self.recognised.kind

    def facts(self) -> dict[str, Any]:
        """Return the numbers of the summary as plain data, as the command prints them with ``--json``."""
        lazy = nw.from_native(self.items).lazy()
        polars = lazy.to_native() if lazy.implementation.is_polars() else to_polars(self.items).lazy()
        share = None if self.share is None else str(self.share)
        wide = bool(self.recognised.columns.judges)
        facts = summarise(polars, self.kind, wide=wide, share=share, share_of=self.share_of, better=self.better)
        if self.promise is not None and "guarantee" in facts:
            facts["guarantee"] |= self.promise.facts(polars)
        if "bribes" in facts:
            facts["bribes"] = {"of": self.bribed} | facts["bribes"]
        if self.contest is not None and facts["podium"]:
            facts["same_judges"] = contest_facts(self.contest(), facts["k"])
        if self.bribed_on_each != "item":
            facts["bribed_on_each"] = self.bribed_on_each
        if self.bribed_on_each == LABELS_OF_ITEMS:
            facts["sets"] = count_safe_sets(polars, changeable(polars.collect_schema().names()))
        k = facts["k"]["most"]
        if self.same is not None and facts["changeable"] and k == facts["k"]["least"]:
            facts["same_reporters"] = self.same.facts(k)
        return facts if self.draw is None else facts | {"draw": self.draw.facts()}

    def summary(self) -> str:
        """Return how many items are certified, and what k reporters could have changed; one sentence a line."""
        return "\n".join(describe(self.facts(), self.decimals))

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line; the number of items if they are in memory."""
        k = f"k={self.k}" if self.share is None else f"share={self.share!r}"
        items = nw.from_native(self.items)
        size = f", n_items={len(items)}" if isinstance(items, nw.DataFrame) else ""
        return f"{type(self).__name__}(kind={self.kind!r}, {k}{size})"

    def _repr_html_(self) -> str:
        """Return the summary, the first items and a picture of the ranking or of the most fragile items."""
        items = to_polars(self.items)

        def draw(plots: Any, axes: Any) -> None:
            if self.kind == "scores" and items.height <= _MOST_RANKED:
                ranking = rank_result(items, self.better)
                plots.ranking(ranking, items.to_series().to_list(), most=ROWS, ax=axes)
            else:
                plots.items(items, item=items.columns[0], most=ROWS, ax=axes)

        return render_html(self.summary(), items, draw, bars=items.height)
