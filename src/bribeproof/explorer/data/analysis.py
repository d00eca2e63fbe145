"""What became of a sheet for one k: the answers, how fragile each is, and which are others than without protection."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from bribeproof.aggregation.auto import AggregateResult, answers
from bribeproof.aggregation.summary import rank_result, summarise
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.explorer.data.recompute import Recompute
from bribeproof.io.read import Table


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The answers to a sheet for one k.

    Attributes
    ----------
    answers
        What the library returns.
    again
        Gives the answers for another k.
    k
        How many reporters may be bribed.
    largest
        The largest k for which any item is certified.
    facts
        What stands out, as `summarise` returns it.
    ranking
        Places of scores; None of decisions.
    about
        Per item, in the order of the result: ``item`` as text; ``order``, its place by fragility; ``changeable``,
        whether k bribes could have changed its decision or place; ``changed``, whether its decision, place or rounded
        score is another than with k = 0, or no longer certified; ``before``, the answer with k = 0; ``place_before`` of
        scores.
    """

    answers: AggregateResult
    again: Recompute
    k: int
    largest: int
    facts: Mapping[str, Any]
    ranking: SafeRanking | None
    about: pl.DataFrame

    @property
    def result(self) -> pl.DataFrame:
        """The answers, a row for each item."""
        return self.answers.result

    @property
    def scores(self) -> bool:
        """Whether the reports are scores."""
        return self.ranking is not None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        shared = self.again.size if self.k == 0 else 0
        return shared + int(self.result.estimated_size() + self.about.estimated_size())


def base(table: Table, options: Mapping[str, Any]) -> Analysis:
    """Return what became of a table with k = 0, without any protection.

    Examples
    --------
    >>> sheet = Table(pl.DataFrame({"entry": ["A", "B"], "j1": ["7", "2"], "j2": ["8", "3"], "j3": ["9", ""]}), "s.csv")
    >>> found = base(sheet, {"kind": "scores"})
    >>> found.largest, found.result["estimate"].to_list()
    (1, [8.0, 2.5])
    """
    found = answers(table, k=0, **options)
    return _outcome(found, Recompute(table, found.found, options), 0, None, rounded=False)


def outcome(first: Analysis, k: int, *, rounded: bool) -> Analysis:
    """Return what became of a table for some k.

    Parameters
    ----------
    first
        What `base` returned.
    k
        How many reporters may be bribed.
    rounded
        Whether another score, and not only another place, is a change.
    """
    return _outcome(replace(first.answers, result=first.again(k)), first.again, k, first, rounded=rounded)


def _outcome(found: AggregateResult, again: Recompute, k: int, first: Analysis | None, *, rounded: bool) -> Analysis:
    """Put together what is shown of answers."""
    result = found.result
    before = result if first is None else first.result
    scores = found.found.kind == "scores"
    ranking = rank_result(result) if scores else None
    fragility = result["range_low"] - result["range_high"] if scores else result["flips_needed"]
    answer = result["estimate" if scores else "decision"]
    columns = {
        "item": result.to_series().cast(pl.String, strict=False),
        "order": fragility.rank("ordinal").fill_null(result.height + 1),
        "before": before[answer.name],
    }
    certified, was_certified = result["status"] == "ok", before["status"] == "ok"
    changed = certified != was_certified
    if ranking is None:
        changeable = fragility <= k
        changed |= answer.ne_missing(columns["before"])
    else:
        changeable = pl.Series(ranking.best_rank != ranking.worst_rank)
        columns["place_before"] = pl.Series(rank_result(before).rank)
        changed |= columns["place_before"] != pl.Series(ranking.rank)
        if rounded:
            changed |= answer.ne_missing(columns["before"])
    columns["changeable"] = certified & changeable.fill_null(value=False) & (k > 0)
    return Analysis(
        answers=found,
        again=again,
        k=k,
        largest=max(0, (int(result.select(pl.col("m").max()).item() or 0) - 1) // 2),
        facts=summarise(result.lazy(), found.found.kind),
        ranking=ranking,
        about=pl.DataFrame(columns | {"changed": changed}),
    )
