"""The result of `worst_contest_bribe`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count, format_number, name_in_list, split_lists, with_and
from bribeproof.contests.opened import OpenedContest
from bribeproof.contests.recheck import MOST_SETS, ContestRecheck
from bribeproof.contests.recheck_worst import Cause, recheck_worst
from bribeproof.contests.words import any_of, dropped_marks, joined, nouns_of
from bribeproof.io.write import to_records
from bribeproof.theory.contests.places import PODIUM

_NAMED = 5
_FIRST = (1, "have made {} first, alone or level")
"""How many places are at stake, and what is done to the one that takes the first."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorstContestBribe:
    """The places of a contest, and those that bribed judges could have given.

    Attributes
    ----------
    entries : polars.DataFrame
        One row per entry with a total, the best first: the entry; its ``total``; its ``place``; ``best_place`` and
        ``worst_place``, which it could have if the same judges are bribed throughout; ``bribed``, judges or groups
        whose bribery gives it its best place, where that is better, as a row of CSV, in which quotes protect a comma
        (`records` has a list); ``best_bound`` and ``worst_bound``, beyond which
        nobody could bring it (proven), equal to these places if `exact`; ``best_if_others`` and ``worst_if_others``,
        the places if others may be bribed on each part.
    strongest
        The judges or groups who could make most entries first that are not, and of these those who could bring most
        others onto the podium; empty if nobody could. If not all sets were tried, of those that were.
    could_make_first, could_bring_onto_podium
        Which entries these could make first, and which they could bring onto the podium, each from below.
    k
        How many judges, or groups, are bribed; None with a budget.
    budget
        The most that is spent; None without prices.
    trim
        How many of the lowest and of the highest marks of each part are dropped; None if it differs by part.
    exact
        Whether no other places are possible: the places equal their bounds.
    tried_all
        Whether every set of judges was tried. If not, the bounds are the places if others are bribed on each part.
    exact_if_others
        Whether the places if others are bribed on each part all occur; if not, they bound them.
    better
        ``"high"`` or ``"low"``: which total is the best.
    bought
        What a bribe buys: a ``"judge"``, a ``"group"``, or the column of the groups.
    part
        On what others might be bribed: an item, or the parts of an entry.
    n_judges, n_uncertified
        How many judges there are, and how many entries have no total, as too few marks are left.
    notes
        How the table was read, one sentence each.
    """

    entries: pl.DataFrame
    strongest: tuple[Any, ...]
    could_make_first: tuple[Any, ...]
    could_bring_onto_podium: tuple[Any, ...]
    k: int | None
    budget: float | None
    trim: int | None
    exact: bool
    tried_all: bool
    exact_if_others: bool
    better: str
    bought: str
    part: str
    n_judges: int
    n_uncertified: int
    notes: tuple[str, ...]
    _causes: Mapping[str, Cause]
    _opened: OpenedContest

    def records(self) -> list[dict[str, Any]]:
        """Return the entries as plain data of JSON types, in which ``bribed`` is a list of names."""
        return [row | {"bribed": [*split_lists([str(row["bribed"])])]} for row in to_records(self.entries)]

    def facts(self) -> dict[str, Any]:
        """Return all but the table as plain data of JSON types."""
        names = (
            "k",
            "budget",
            "trim",
            "exact",
            "tried_all",
            "exact_if_others",
            "better",
            "bought",
            "n_judges",
            "n_uncertified",
        )
        listed = ("strongest", "could_make_first", "could_bring_onto_podium")
        facts: dict[str, Any] = {name: getattr(self, name) for name in names}
        facts |= {name: [str(one) for one in getattr(self, name)] for name in listed}
        return facts | {"winner_safe": self.winner_safe, "podium_safe": self.podium_safe}

    @property
    def winner_safe(self) -> bool | None:
        """Whether nobody else could have been first, alone or level; None if that is not known."""
        return self._safe(1)

    @property
    def podium_safe(self) -> bool | None:
        """Whether nobody else could have been among the first three; None if that is not known."""
        return self._safe(PODIUM)

    def _safe(self, places: int) -> bool | None:
        """Return whether the same entries take the first places, in whatever order."""
        lower = pl.col("place") > places
        if self.n_uncertified or not self.entries.filter(lower & (pl.col("best_place") <= places)).is_empty():
            return False
        return True if self.entries.filter(lower & (pl.col("best_bound") <= places)).is_empty() else None

    def recheck(self, *, most_sets: int = MOST_SETS) -> ContestRecheck:
        """Write the marks of bribed judges for each place, aggregate the table anew, and try up to so many sets.

        What this result says is compared with what comes out: totals and places, the best and the worst places and who
        is bribed for them, who could do most. Nothing of the search is used: all affordable sets of judges are listed
        one by one, and none may bring an entry beyond its bounds. Only the places if others are bribed on each part are
        computed as before, not replayed.
        """
        return recheck_worst(self, self._opened, self._causes, most_sets=most_sets)

    def summary(self) -> str:
        """Return which places bribed judges could have given, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        judges, rule = count(self.n_judges, "judge"), dropped_marks(self.trim, self.part)
        yield f"{count(self.entries.height, 'entry', 'entries')}, {judges}, {rule}."
        if self.n_uncertified:
            yield f"{count(self.n_uncertified, 'more entry', 'more entries')} without a total: any place is possible."
        goals = [_FIRST]
        if self.entries.height > PODIUM:
            goals.append((PODIUM, "have brought {} onto the podium"))
        for places, done in goals:
            yield self._same(places, done)
        if self.exact:
            how = f"every set of {nouns_of(self.bought)[1]} was tried" if self.tried_all else "no others are possible"
            yield f"Proven: {how}."
        if (
            self.strongest
            and self.budget is None
            and len(self.could_make_first) + len(self.could_bring_onto_podium) > 1
        ):
            yield self._strongest()
        could = "could" if self.exact_if_others else "might"
        found = [done.format(self._number("best_if_others", places)) for places, done in goals]
        yield f"{self._others} {could} {', and '.join(found)}."

    @property
    def verdict(self) -> str:
        """Whom the same judges could have made first, as a sentence that does not say by whom."""
        return self._same(*_FIRST, by=False)

    def _same(self, places: int, done: str, *, by: bool = True) -> str:
        """Return whom the same judges could have brought to the first places, and whom they perhaps could have."""
        below = self.entries.filter(pl.col("place") > places)
        found = below.filter(pl.col("best_place") <= places).select(pl.first(), "bribed")
        number = min(_NAMED, found.height)
        named = [
            name_in_list(name) + f" (such as by bribing {joined(split_lists([bribed]))})" * by
            for name, bribed in found.head(number).iter_rows()
        ]
        named += [f"{found.height - number:,} more"] * (found.height > number)
        sentence = f"{self._who} could {done.format(with_and(named) if named else self._nobody)}"
        perhaps = below.filter(pl.col("best_bound") <= places).height - found.height
        if perhaps:
            return f"{sentence}; of {perhaps:,} more it is not known."
        return f"{sentence}."

    def _strongest(self) -> str:
        """Return who could have done most, as a sentence; others may have been able to do as much."""
        did = []
        for names, where in ((self.could_make_first, "first"), (self.could_bring_onto_podium, "on the podium")):
            if names:
                did.append(f"{any_of(names)} {where}")
        others = "No others" if self.tried_all else "No others who were tried"
        return f"{others} could have done more than {joined(self.strongest)}: {', or '.join(did)}."

    def _number(self, column: str, places: int) -> str:
        """Return how many others could have had one of the first places."""
        others = self.entries.filter((pl.col(column) <= places) & (pl.col("place") > places)).height
        return f"{count(others, 'other')}{self._of_those}" if others else self._nobody

    @property
    def _of_those(self) -> str:
        """Of which entries the places are known, as a phrase."""
        return " with a total" if self.n_uncertified else ""

    @property
    def _nobody(self) -> str:
        """The phrase for no other entry."""
        return f"nobody else{self._of_those}"

    @property
    def _who(self) -> str:
        """Who is bribed throughout, as a phrase."""
        one, several = nouns_of(self.bought)
        if self.budget is not None:
            amount = format_number(self.budget)
            return f"{several[0].upper()}{several[1:]} bribed for at most {amount}, the same on every {self.part},"
        who = f"one {one}" if self.k == 1 else f"{self.k:,} {several}"
        return f"The same {who} on every {self.part}"

    @property
    def _others(self) -> str:
        """Who may be bribed on each part, as a phrase."""
        one, several = nouns_of(self.bought)
        if self.budget is not None:
            return f"Others for at most {format_number(self.budget)} on each {self.part}"
        return (
            f"Perhaps another {one} on each {self.part}"
            if self.k == 1
            else f"Perhaps other {several} on each {self.part}"
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        much = f"k={self.k}" if self.budget is None else f"budget={self.budget:g}"
        return f"{type(self).__name__}({much}, n_entries={self.entries.height}, winner_safe={self.winner_safe})"

    def _repr_html_(self) -> str:
        """Return the summary and the entries for a notebook."""
        return render_html(
            self.summary(),
            self.entries,
            lambda plots, axes: plots.contest(self, most=ROWS, ax=axes),
            bars=self.entries.height,
        )
