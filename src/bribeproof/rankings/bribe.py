"""The fewest bribed judges, or the cheapest, who change a contest, with a certificate."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from bribeproof._text import format_number
from bribeproof.rankings.changes import ChangeSearch, changing_pairs
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.recheck import ADDED, BribeRecheck, best_list_is_enough, lists_below, some_list_is_enough

CHANGES = ("winner", "podium", "order")
"""What can be changed: the winner, who is on the podium, and the podium or its order."""
PODIUM = 3
"""How many entries are on the podium."""
_PROOFS = ("bound", "counted", "program")


def firsts_of(change: str, entries: int) -> tuple[int, ...]:
    """Return how many are the first few of whom a change is one, each on its own; none if there is no such change.

    Examples
    --------
    >>> firsts_of("podium", 6), firsts_of("order", 3), firsts_of("podium", 3)
    ((3,), (1, 2), ())
    """
    size = min(PODIUM, entries - 1)
    several = {"winner": range(1, 2), "podium": range(PODIUM, PODIUM + 1), "order": range(1, PODIUM + 1)}
    known = tuple(first for first in several.get(change, ()) if first <= size)
    return known if len(known) > (change == "order") else ()  # alone it is the change of the winner


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bribe:
    """The fewest bribed judges, or groups, who change the winner or the podium of a contest; with prices the cheapest.

    Attributes
    ----------
    change
        ``"winner"``, ``"podium"`` (who is on it) or ``"order"`` (who is on it, or in which order).
    shared
        Whether a tie is enough, such as a rival who is level with the winner.
    lower, upper
        Fewer than `lower` are not enough; `upper` are, or None if all together are not. With prices the same of money.
    bribed
        The judges or groups who are enough.
    gainer, loser
        Whom they put first, and whom last.
    proof
        How it is known that less is not enough: ``"bound"`` (each comparison on its own needs so much), ``"counted"``
        (all lists were counted) or ``"program"`` (bound of an integer program).
    """

    change: str
    shared: bool
    lower: int | Fraction
    upper: int | Fraction | None
    bribed: tuple[str, ...]
    gainer: str
    loser: str
    proof: str
    _search: ChangeSearch = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the number is proven to be the least; also where not even all are enough."""
        return self.upper is None or self.lower == self.upper

    @property
    def priced(self) -> bool:
        """Whether numbers are money."""
        return bool(self._search.contest.prices)

    @property
    def is_so_already(self) -> bool:
        """Whether nobody has to be bribed, as places are shared."""
        return self.upper == 0 and not self.bribed

    @property
    def rankings(self) -> dict[str, dict[str, float]]:
        """The rewritten places of each bribed judge."""
        contest, after, bribed = self._search.contest, self._after(), set(self.bribed)
        judges = [judge for judge, group in enumerate(contest.group_of) if contest.groups[group] in bribed]
        return {
            contest.judges[judge]: {
                entry: float(place)
                for entry, place in zip(contest.entries, after.places[judge], strict=True)
                if not math.isnan(place)
            }
            for judge in judges
        }

    def _after(self) -> Contest:
        """Return the contest with the rewritten rankings."""
        contest, bribed = self._search.contest, set(self.bribed)
        groups = [number for number, name in enumerate(contest.groups) if name in bribed]
        return contest.with_bribed(groups, contest.entries.index(self.gainer), contest.entries.index(self.loser))

    def recheck(self) -> BribeRecheck:
        """Count the rewritten rankings by the rule again, and the bribes, and try all lists of judges that take less.

        What comes back is true, and its `ok`, if nothing speaks against the numbers, the list, and that they are those
        of this change. Of `proof` it is only seen that there is such a one: the numbers are proven anew.
        Whoever is on a list puts one entry first and another last: nothing they could write does more
        (docs/theory.md, Proposition 14.7).
        """
        contest, rule, firsts = self._search.contest, self._search.rule, self._firsts
        changed = self._is_known and self._changes()
        within = self._is_within()
        lists = lists_below(contest, self.lower if self.upper is not None else None)
        if lists is None:
            by_sort = rule.name in ADDED and not self.priced
            number = math.ceil(self.lower) - 1
            refuted = by_sort and best_list_is_enough(contest, rule, firsts, number, shared=self.shared)
            return BribeRecheck(changed, within, None, refuted)
        refuted = some_list_is_enough(contest, rule, firsts, lists, shared=self.shared)
        return BribeRecheck(changed, within, len(lists), refuted)

    @property
    def _firsts(self) -> tuple[int, ...]:
        """How many are the first few of whom this is a change."""
        return firsts_of(self.change, len(self._search.contest.entries))

    @property
    def _is_known(self) -> bool:
        """Whether there is such a proof, and there are such entries."""
        return self.proof in _PROOFS and {self.gainer, self.loser} <= {*self._search.contest.entries}

    def _is_within(self) -> bool:
        """Return whether the bribed take what is said that they take, and no less than is said to be needed."""
        if self.upper is None:
            return not self.bribed
        contest = self._search.contest
        costs = dict(zip(contest.groups, contest.prices or [Fraction(1)] * len(contest.groups), strict=True))
        known = len(costs.keys() & set(self.bribed)) == len(self.bribed)
        return known and self.lower <= self.upper == sum(costs[name] for name in self.bribed)

    def _changes(self) -> bool:
        """Return whether one entry changes the first few by passing the other, and does so, if all are enough."""
        contest, rule = self._search.contest, self._search.rule
        gainer, loser = (contest.entries.index(name) for name in (self.gainer, self.loser))
        now = rule.merits(contest)
        if not any((gainer, loser) in changing_pairs(now, first) for first in self._firsts):
            return False
        after = rule.merits(self._after())
        passes = after[gainer] > after[loser] or (self.shared and after[gainer] == after[loser])
        return self.upper is None or passes

    def facts(self) -> dict[str, Any]:
        """Return all but the rankings as plain data of JSON types."""
        names = ("change", "shared", "lower", "upper", "exact", "gainer", "loser", "proof")
        facts = {name: getattr(self, name) for name in names} | {"bribed": list(self.bribed)}
        return {name: float(value) if isinstance(value, Fraction) else value for name, value in facts.items()}

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        low, high = (None if one is None else format_number(float(one)) for one in (self.lower, self.upper))
        number = high if self.exact else f"{low} to {high}"
        return f"{type(self).__name__}({self.change}, shared={self.shared}, {number}, bribed={self.bribed!r})"
