"""Search an uploaded table of scores for the places that the same judges, bribed on all items, could have caused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from bribeproof.aggregation.contest import CertifiedContest, ContestSheet
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.io.write import to_records
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.places import Places, places_together

if TYPE_CHECKING:
    from bribeproof._typing import FloatArray

_MOST_WORK = 60_000_000
"""Numbers that are looked at: about two seconds."""
_NO_SCORES = "no item has a score with this k"


@dataclass(frozen=True, slots=True, eq=False)
class SameJudges:
    """The places that the same k judges could have caused, as far as they are searched.

    Attributes
    ----------
    entries
        One row per item with a score, the best first: its name, under the heading of the result; its ``place``; the
        ``best_place`` and the ``worst_place`` that the same judges could have caused; ``bribed``, judges whose bribery
        causes the best, where that is better; ``best_if_others`` and ``worst_if_others``, if they may be others on each
        item. None if it is not searched, or not yet.
    ranking
        The same as a ranking with the scores that they could have caused, for a picture.
    exact
        Whether every set of judges was tried. If not, the places are those of others on each item, and bound the rest.
    n_judges, k
        How many judges there are, and how many of them are bribed; or groups of judges.
    uncertified
        How many items have no score, as there are too few marks.
    names
        The names of the items of the ranking.
    grouped
        Whether a bribe buys groups of judges.
    why_not
        Why it is not searched; empty if it can be.
    """

    entries: pl.DataFrame | None = None
    ranking: SafeRanking | None = None
    exact: bool = True
    n_judges: int = 0
    k: int = 0
    uncertified: int = 0
    names: tuple[Any, ...] = ()
    grouped: bool = False
    why_not: str = ""

    @property
    def by_command(self) -> bool:
        """Whether a command of its own finds it: ``bribeproof aggregate`` says it of scores."""
        return False

    @property
    def is_searched(self) -> bool:
        """Whether it is searched already."""
        return self.entries is not None

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return 0 if self.entries is None else 2 * int(self.entries.estimated_size())

    @property
    def could_be_first(self) -> pl.DataFrame:
        """The rows of those who could have been first, alone or level, and are not."""
        return self._that("best_place", 1)

    @property
    def could_reach_podium(self) -> pl.DataFrame:
        """The rows of those who could have been among the first three, and are not."""
        return self._that("best_place", 3)

    @property
    def could_be_first_if_others(self) -> pl.DataFrame:
        """The rows of those who could have been first if the judges may be others on each item, and are not."""
        return self._that("best_if_others", 1)

    @property
    def table(self) -> pl.DataFrame:
        """The entries as the columns of a file."""
        if self.entries is None:
            return pl.DataFrame()
        return self.entries.with_columns(pl.col("bribed").list.join(", "))

    def facts(self) -> Mapping[str, Any]:
        """Return everything as plain data of JSON types."""
        entries = [] if self.entries is None else to_records(self.entries)
        numbers = {name: getattr(self, name) for name in ("k", "n_judges", "exact", "uncertified")}
        return {**numbers, "entries": entries}

    def _that(self, column: str, place: int) -> pl.DataFrame:
        """Return the rows of those who could have this place or a better one, and have not."""
        entries = pl.DataFrame() if self.entries is None else self.entries
        return entries.filter(pl.col(column) <= place, pl.col("place") > place)


Same: TypeAlias = SameReporters | SameJudges
"""What the same reporters could have done to decisions, or the same judges to places."""


def search_judges(analysis: Analysis, *, searched: bool = True) -> SameJudges:
    """Search for the places that the same k judges could have caused, or say why that is not searched.

    Parameters
    ----------
    analysis
        The answers to a table of scores, with k of at least 1.
    searched
        Whether it is searched now.
    """
    read, k = analysis.answers.contest, analysis.k
    sheet = "the marks are not kept" if read is None else read()
    if isinstance(sheet, str):
        return SameJudges(why_not=sheet)
    bribes = Bribes.heads(len(sheet.judges), k) if sheet.bribes is None else replace(sheet.bribes, budget=Fraction(k))
    sheet = replace(sheet, bribes=sheet.bribes and bribes)
    certified = sheet.trimmed(k if sheet.bribes is None else sheet.most_bribed())
    if not len(certified.entries):
        return SameJudges(why_not=_NO_SCORES)
    if not searched:
        return SameJudges()
    found = places_together(certified.contest, bribes, uncertified=certified.uncertified, most=_MOST_WORK)
    names = [sheet.entries[entry] for entry in certified.entries]
    return SameJudges(
        _entries(analysis, sheet, found, names),
        _ranking(certified, found),
        exact=found.exact,
        n_judges=len(sheet.bought),
        k=k,
        uncertified=certified.uncertified,
        names=(*names, *[""] * certified.uncertified),
        grouped=sheet.bribes is not None,
    )


def _entries(analysis: Analysis, sheet: ContestSheet, found: Places, names: Sequence[Any]) -> pl.DataFrame:
    """Return the table of the places."""
    items, ranking = analysis.result.to_series(), analysis.ranking
    row = {name: number for number, name in enumerate(items.to_list())}
    rows = [row[name] for name in names]
    others = (found.best, found.worst) if ranking is None else (ranking.best_rank[rows], ranking.worst_rank[rows])
    bribed = [[str(sheet.bought[group]) for group in groups] for groups in found.best_set]
    columns = {
        "place": found.rank,
        "best_place": found.best,
        "worst_place": found.worst,
        "bribed": pl.Series(bribed, dtype=pl.List(pl.String)),
        "best_if_others": others[0],
        "worst_if_others": others[1],
    }
    heading = "item" if items.name in columns else items.name
    return pl.DataFrame({heading: items.gather(rows)} | columns).sort("place", maintain_order=True)


def _ranking(certified: CertifiedContest, found: Places) -> SafeRanking:
    """Return the places with the scores that the same judges could have caused; those without a score are last."""
    contest, without = certified.contest, certified.uncertified
    none = np.full(without, np.nan)

    def numbers(totals: Sequence[Fraction]) -> "FloatArray":
        return np.concatenate([[float(total) for total in totals], none])

    totals = [int(total) * contest.total_unit for total in contest.totals.tolist()]
    return SafeRanking(
        numbers(totals),
        numbers(found.low),
        numbers(found.high),
        rank=np.concatenate([found.rank, np.zeros(without, np.int64)]),
        best_rank=np.concatenate([found.best, np.ones(without, np.int64)]),
        worst_rank=np.concatenate([found.worst, np.full(without, len(totals) + without)]),
        better=contest.better,
        same_judges=True,
        exact=found.exact,
    )
