"""The result of `cheapest_contest_bribe`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._notebook import render_html
from bribeproof._text import count, format_number, name_in_list
from bribeproof.contests.opened import OpenedContest
from bribeproof.contests.recheck import MOST_SETS, ContestRecheck
from bribeproof.contests.recheck_cheapest import recheck_cheapest
from bribeproof.contests.words import any_of, joined, nouns_of

_GOALS = {"winner": "make {} first, alone or level", "podium": "bring {} onto the podium"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheapestContestBribe:
    """The cheapest bribery that changes a contest.

    Attributes
    ----------
    entries : polars.DataFrame
        One row per entry with a total, the best first: the entry; its ``total``; its ``place``; ``best_place`` and
        ``worst_place``, which it could have if these judges or groups are bribed; and whether it is ``moved``.
    change
        What is changed: the ``"winner"``, the ``"podium"``, or the place of an ``"entry"``.
    entry, place
        The entry, and the place that it shall reach; None for any entry, and for any other place.
    price
        The least price that is known to be enough, or the least number of judges or groups where they have none; None
        if none is known.
    lower
        No smaller price or number is enough (proven); None if none at all is.
    bribed
        Who is bribed.
    moved
        All entries that they could bring there, each by itself.
    exact
        Whether the price is the least.
    bought
        What a bribe buys: a ``"judge"``, a ``"group"``, or the column of the groups.
    priced
        Whether there are prices.
    n_uncertified
        How many entries have no total, and are not looked at.
    notes
        How the table was read, one sentence each.
    """

    entries: pl.DataFrame
    change: str
    entry: Any
    place: int | None
    price: float | None
    lower: float | None
    bribed: tuple[Any, ...]
    moved: tuple[Any, ...]
    exact: bool
    bought: str
    priced: bool
    n_uncertified: int
    notes: tuple[str, ...]
    _opened: OpenedContest

    def facts(self) -> dict[str, Any]:
        """Return all but the table as plain data of JSON types."""
        names = ("change", "place", "price", "lower", "exact", "bought", "priced", "n_uncertified")
        facts: dict[str, Any] = {name: getattr(self, name) for name in names}
        facts["entry"] = None if self.entry is None else str(self.entry)
        return facts | {name: [str(one) for one in getattr(self, name)] for name in ("bribed", "moved")}

    def recheck(self, *, most_sets: int = MOST_SETS) -> ContestRecheck:
        """Write the marks of the bribed judges, aggregate the table anew, and try up to so many sets that cost less.

        What this result says is compared with what comes out: who is bribed, what that costs, which entries are moved,
        and that less than `lower` is not enough. Nothing of the search is used: all sets of judges that cost less are
        listed one by one; of more than 10 groups with prices none are.
        """
        return recheck_cheapest(self, self._opened, most_sets=most_sets)

    def summary(self) -> str:
        """Return the least bribery, and how far that is proven, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        _, several = nouns_of(self.bought)
        goal = self._goal
        if self.lower is None:
            yield f"To {goal}, not even all {several} together are enough (proven)."
        elif self.price is None:
            yield f"To {goal}, no bribe is known."
        else:
            much = self._amount(self.price)
            whom = "" if self.entry is not None else f", for {any_of(self.moved)}"
            who = f": {joined(self.bribed)}" if self.bribed else ""
            are = "is" if not self.priced and self.price == 1 else "are"
            yield f"To {goal}, {much} {are} enough{who}{whom}."
        if self.exact and self.price is not None:
            yield (
                "No bribe for less is enough (proven)." if self.priced else f"Fewer {several} are not enough (proven)."
            )
        elif self.lower is not None:
            less = "Bribes for less than {} are" if self.priced else "Fewer than {} are"
            much = format_number(self.lower) if self.priced else self._amount(self.lower)
            yield f"{less.format(much)} not enough (proven)."
        if self.n_uncertified:
            without = count(self.n_uncertified, "entry", "entries")
            yield f"{without} without a total: any place is possible; places are counted among the others."

    @property
    def _goal(self) -> str:
        """What is changed, as a phrase."""
        if self.entry is None:
            return _GOALS[self.change].format(f"another entry{' with a total' * bool(self.n_uncertified)}")
        name = name_in_list(self.entry)
        if self.place is None:
            return f"change the place of {name}"
        return f"bring {name} to place {self.place}{' or a better one' * (self.place > 1)}, alone or level"

    def _amount(self, price: float) -> str:
        """Return a number of judges, or bribes for so much."""
        one, several = nouns_of(self.bought)
        return f"bribes for {format_number(price)}" if self.priced else count(int(price), one, several)

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return f"{type(self).__name__}(change={self.change!r}, price={self.price}, lower={self.lower})"

    def _repr_html_(self) -> str:
        """Return the summary for a notebook."""
        moved = pl.DataFrame({"could be moved": [str(one) for one in self.moved]}, schema={"could be moved": pl.String})
        return render_html(self.summary(), moved)
