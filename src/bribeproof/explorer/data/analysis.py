"""Aggregate an uploaded table for one k: the answers, how fragile they are, and which differ from those with k = 0."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from bribeproof._text import bribed_reporters
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.aggregation.result import Aggregation
from bribeproof.aggregation.summary import changeable, largest_certifiable, rank_result
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.recompute import Recompute
from bribeproof.explorer.tables.aggregated import aggregate_table
from bribeproof.frames.bribe_unit import nouns
from bribeproof.io.read import Table


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The answers to a table for one k, and how fragile they are.

    Attributes
    ----------
    answers
        The result of the library, with what it recognised in the table.
    recompute
        Callable that returns the result for another k.
    k
        How many reporters may be bribed.
    largest
        The largest k for which some item is certified.
    facts
        Summary of the result, from `summarise`.
    ranking
        Places of the items by score; None for votes and labels.
    items
        One row for each item, in the order of the result: ``item``, its name; ``order``, its rank by fragility; for
        scores ``place``, its rank by score, those without one last;
        ``changeable``, whether k bribed reporters could have changed its decision or place; ``changed``, whether its
        decision, place or rounded score differs from that with k = 0, or is no longer certified; ``before``, the answer
        with k = 0; for scores ``place_before``, the place with k = 0.
    rounded
        Whether scores were rounded, and a different rounded score counts as a change.
    """

    answers: Aggregation
    recompute: Recompute
    k: int
    largest: int
    facts: Mapping[str, Any]
    ranking: SafeRanking | None
    items: pl.DataFrame
    rounded: bool = False

    @property
    def result(self) -> pl.DataFrame:
        """The answers, a row for each item."""
        items: pl.DataFrame = self.answers.items
        return items

    @property
    def scores(self) -> bool:
        """Whether the reports are scores."""
        return self.ranking is not None

    @property
    def bribed_on_each(self) -> str:
        """On what the k bribed reporters may be others: each item, or each of its parts."""
        return self.answers.bribed_on_each

    @property
    def part(self) -> str | None:
        """The column of the parts of which the answers are totals; None if they are not."""
        return self.recompute.part

    @property
    def bribed(self) -> str:
        """The phrase for the k bribed reporters."""
        grouped = self.answers.bribed != "reporter"
        one, several = self.bribed_nouns if grouped else ("reporter", "reporters")
        # Members of groups who have no report on an item might add some there; who is asked and silent counts.
        how = ", by rewriting reports" * (grouped and "asked" not in self.items.columns[1:])
        return f"{bribed_reporters(self.k, self.bribed_on_each, one, several)}{how}"

    @property
    def bribed_nouns(self) -> tuple[str, str]:
        """What a bribe buys, in the singular and in the plural."""
        if self.answers.bribed == "reporter":
            return ("judge", "judges") if self.scores else ("reporter", "reporters")
        return nouns(self.answers.bribed)

    @property
    def most_k(self) -> int | None:
        """The largest k that leaves an honest majority of all reporters; None where k counts groups."""
        return None if self.answers.bribed != "reporter" else max(0, _panel_size(self.result) - 1) // 2

    @property
    def has_parts(self) -> bool:
        """Whether the answer to an item combines those to several parts, such as criteria or rounds."""
        return self.bribed_on_each not in ("item", LABELS_OF_ITEMS)

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        shared = self.recompute.size if self.k == 0 else 0
        return shared + int(self.result.estimated_size() + self.items.estimated_size())


def analyse_without_protection(table: Table, options: Mapping[str, Any]) -> Analysis:
    """Aggregate a table with k = 0, nobody being counted as bribed: the answers to compare with.

    Examples
    --------
    >>> table = Table(pl.DataFrame({"entry": ["A", "B"], "j1": ["7", "2"], "j2": ["8", "3"], "j3": ["9", ""]}), "s.csv")
    >>> analysis = analyse_without_protection(table, {"kind": "scores"})
    >>> analysis.largest, analysis.result["estimate"].to_list()
    (1, [8.0, 2.5])
    """
    # What the same reporters could have done is searched later, as long as the page allows.
    answered = replace(aggregate_table(table, k=0, **options), same=None, contest=None)
    recompute = Recompute(table, answered.recognised, options)
    largest = largest_certifiable(recompute.before_rule(0) if recompute.takes_best else answered.items)
    if recompute.has_statements:
        answered = replace(answered, items=recompute.without_protection())
    return replace(_build_analysis(answered, recompute, 0, None, rounded=False), largest=largest)


def analyse(first: Analysis, k: int, *, rounded: bool) -> Analysis:
    """Aggregate a table for some k.

    Parameters
    ----------
    first
        The analysis of the same table with k = 0.
    k
        How many reporters may be bribed.
    rounded
        Whether a different score counts as a change, not only a different place.

    Raises
    ------
    ParameterError
        If k leaves no honest majority of all reporters; the command refuses it, too.
    """
    answers = replace(first.answers, items=first.recompute(k), k=k)
    size = _panel_size(answers.items)
    if answers.bribed == "reporter" and 0 < size <= 2 * k:
        raise ParameterError(
            f"k={k}: an honest majority takes {2 * k + 1:,} reporters, and here are {size:,}; "
            f"give {f'{(size - 1) // 2:,} or less' if size > 2 else '0'}"
        )
    return _build_analysis(answers, first.recompute, k, first, rounded=rounded)


def _panel_size(items: pl.DataFrame) -> int:
    """Return how many reporters there are, or were asked on an item, if more."""
    names = [name for name in ("n", "asked") if name in items.columns[1:]]
    return int(items.select(pl.max_horizontal(pl.col(names).max().fill_null(0))).item()) if items.height else 0


def _build_analysis(
    answered: Aggregation, recompute: Recompute, k: int, first: Analysis | None, *, rounded: bool
) -> Analysis:
    """Build an analysis from a result."""
    result = answered.items
    before = result if first is None else first.result
    scores = answered.recognised.kind == "scores"
    ranking = rank_result(result, answered.better) if scores else None
    needed = "bribes_needed" if "bribes_needed" in result.columns[1:] else "flips_needed"
    fragility = result["range_low"] - result["range_high"] if scores else result[needed]
    answer = result["estimate" if scores else "decision"]
    columns = {
        "item": result.to_series().cast(pl.String, strict=False),
        "order": fragility.rank("ordinal").fill_null(result.height + 1),
        "before": before[answer.name],
    }
    certified, was_certified = result["status"] == "ok", before["status"] == "ok"
    changed = certified != was_certified
    if ranking is None:
        movable = result.select(changeable(result.columns)).to_series()
        changed |= answer.ne_missing(columns["before"])
    else:
        movable = pl.Series(ranking.best_rank != ranking.worst_rank)
        columns["place"] = pl.Series(ranking.rank).replace(0, result.height + 1)
        columns["place_before"] = pl.Series(rank_result(before, answered.better).rank)
        changed |= columns["place_before"] != pl.Series(ranking.rank)
        if rounded:
            changed |= answer.ne_missing(columns["before"])
    columns["changeable"] = certified & movable.fill_null(value=False) & (k > 0)
    return Analysis(
        answers=answered,
        recompute=recompute,
        k=k,
        largest=largest_certifiable(result),
        facts=answered.facts(),
        ranking=ranking,
        items=pl.DataFrame(columns | {"changed": changed}),
        rounded=rounded,
    )
