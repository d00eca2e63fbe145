"""Results: a ranking, and the fewest bribed judges who change it, with a certificate."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bribeproof._notebook import render_html
from bribeproof._text import count, format_name
from bribeproof.frames.native import to_polars
from bribeproof.rankings.changes import ChangeSearch, changing_pairs
from bribeproof.rankings.rules import Rule

CHANGES = ("winner", "podium", "order")
"""What can be changed: the winner, who is on the podium, and the order of the podium."""
_NAMED = 6
_LISTS = 200_000
"""The most lists of bribed judges that a recheck tries."""


@dataclass(frozen=True, slots=True)
class BribeRecheck:
    """What a recheck of a certificate found.

    Attributes
    ----------
    changed
        Whether the rewritten rankings, counted again by the rule, make the change.
    tried
        How many lists with one bribed judge fewer were tried; None if these are too many.
    refuted
        Whether one of them is enough, so that the certificate is false.
    """

    changed: bool
    tried: int | None
    refuted: bool

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the certificate."""
        return self.changed and not self.refuted


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bribe:
    """The fewest bribed judges, or groups, who change the winner or the podium of a contest.

    Attributes
    ----------
    change
        ``"winner"``, ``"podium"`` (who is on it) or ``"order"`` (of those on it).
    shared
        Whether a tie is enough, such as a rival who is level with the winner.
    lower, upper
        Fewer than `lower` are not enough; `upper` are, or None if all together are not.
    bribed
        The judges or groups who are enough.
    gainer, loser
        Whom they put first, and whom last.
    proof
        How it is known that fewer are not enough: ``"bound"`` (each comparison on its own needs so many), ``"counted"``
        (all lists were counted) or ``"program"`` (bound of an integer program).
    """

    change: str
    shared: bool
    lower: int
    upper: int | None
    bribed: tuple[str, ...]
    gainer: str
    loser: str
    proof: str
    _search: ChangeSearch = field(repr=False)
    _firsts: tuple[int, ...] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the number is proven to be the least; also where not even all are enough."""
        return self.upper is None or self.lower == self.upper

    @property
    def rankings(self) -> dict[str, dict[str, float]]:
        """The rewritten places of each bribed judge."""
        contest, after = self._search.contest, self._after()
        judges = [judge for judge, group in enumerate(contest.group_of) if contest.groups[group] in self.bribed]
        return {
            contest.judges[judge]: {
                entry: float(place)
                for entry, place in zip(contest.entries, after.places[judge], strict=True)
                if not math.isnan(place)
            }
            for judge in judges
        }

    def _after(self) -> Any:
        """Return the contest with the rewritten rankings."""
        contest = self._search.contest
        groups = [contest.groups.index(name) for name in self.bribed]
        return contest.with_bribed(groups, contest.entries.index(self.gainer), contest.entries.index(self.loser))

    def recheck(self) -> BribeRecheck:
        """Count the rewritten rankings by the rule again, and try all lists with one bribed judge fewer."""
        contest, rule = self._search.contest, self._search.rule
        if self.upper is not None:
            merits = rule.merits(self._after())
            gain = merits[contest.entries.index(self.gainer)] - merits[contest.entries.index(self.loser)]
        changed = self.upper is None or gain > 0 or (self.shared and gain == 0)
        groups, number = len(contest.groups), self.lower - 1
        if number < 0:
            return BribeRecheck(changed, 0, refuted=False)
        if math.comb(groups, number) > _LISTS:
            return BribeRecheck(changed, None, refuted=False)
        lists = np.array(list(itertools.combinations(range(groups), number)), dtype=np.int64).reshape(
            math.comb(groups, number), number
        )
        now = rule.merits(contest)
        pairs = {pair for first in self._firsts for pair in changing_pairs(now, first)}
        target = 0 if self.shared else 1
        refuted = any(
            bool((lead.at(lead.gains.T[lists].sum(axis=1)) >= target).any())
            for lead in itertools.starmap(self._search.lead, sorted(pairs))
        )
        return BribeRecheck(changed, len(lists), refuted)

    def facts(self) -> dict[str, Any]:
        """Return all but the rankings as plain data of JSON types."""
        names = ("change", "shared", "lower", "upper", "exact", "gainer", "loser", "proof")
        return {name: getattr(self, name) for name in names} | {"bribed": list(self.bribed)}

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        number = self.upper if self.exact else f"{self.lower} to {self.upper}"
        return f"{type(self).__name__}({self.change}, shared={self.shared}, {number}, bribed={self.bribed!r})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """A ranking of the entries of a contest, and the fewest bribed judges who change it.

    Attributes
    ----------
    entries : frame of the kind that came in
        One row per entry, the best first: ``entry``; its ``score`` by the rule; its ``place``, the same for level
        entries; and the fewest bribed judges who bring it ``level`` with the winner, and ``ahead``.
    rule
        The name of the rule.
    k
        How many places the trimmed mean leaves out at either end.
    contest
        The name of the contest; empty if it has none.
    winners, podium
        The entries that are first, and those among the first three: more of them where places are shared.
    unit
        What a bribe buys: ``"judge"``, or ``"group"``.
    n_judges, n_units
        How many judges and how many of these units there are.
    shared, other
        For each of ``"winner"``, ``"podium"`` and ``"order"`` the fewest bribes before it is shared, and before it is
        another; without those that cannot change, as a podium of all entries.
    notes
        How the table was read, one sentence each.
    """

    entries: Any
    rule: str
    k: int
    contest: str
    winners: tuple[str, ...]
    podium: tuple[str, ...]
    unit: str
    n_judges: int
    n_units: int
    shared: Mapping[str, Bribe]
    other: Mapping[str, Bribe]
    notes: tuple[str, ...]
    _rule: Rule = field(repr=False)

    def facts(self) -> dict[str, Any]:
        """Return all but the table of entries as plain data of JSON types."""
        names = ("rule", "k", "contest", "unit", "n_judges", "n_units")
        return {name: getattr(self, name) for name in names} | {
            "winners": list(self.winners),
            "podium": list(self.podium),
            "shared": {change: bribe.facts() for change, bribe in self.shared.items()},
            "other": {change: bribe.facts() for change, bribe in self.other.items()},
        }

    def summary(self) -> str:
        """Return who wins, and how many bribes change that, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        total = to_polars(self.entries).height
        names = list(map(format_name, self.winners))
        wins = f"{names[0]} wins" if len(names) == 1 else f"{', '.join(names[:_NAMED])} share the first place"
        of = f"{format_name(self.contest)}: " if self.contest else ""
        by = f"{self.n_judges:,} judges" + (f" in {count(self.n_units, 'group')}" if self.unit == "group" else "")
        yield f"{of}{wins} by {describe_rule(self._rule)}, of {count(total, 'entry', 'entries')} ranked by {by}."
        for change in self.other:
            yield describe_change(self.shared[change], self.other[change], self.unit)
        bribe = self.other["winner"]
        if bribe.upper:
            who = ", ".join(map(format_name, bribe.bribed[:_NAMED]))
            who += f" and {len(bribe.bribed) - _NAMED:,} more" * (len(bribe.bribed) > _NAMED)
            yield (
                f"Another wins if {who} put{'s' * (len(bribe.bribed) == 1)} "
                f"{format_name(bribe.gainer)} first and {format_name(bribe.loser)} last."
            )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        shown = ", ".join(map(format_name, self.winners[:2])) + ", …" * (len(self.winners) > 2)
        return f"{type(self).__name__}({self.rule}: {shown}; other winner: {self.other['winner'].upper})"

    def _repr_html_(self) -> str:
        """Return the summary and the entries for a notebook."""
        return render_html(self.summary(), to_polars(self.entries), None)


def describe_rule(rule: Rule) -> str:
    """Return the name of a rule in a sentence.

    Examples
    --------
    >>> describe_rule(Rule("trimmed_mean", 2))
    'the mean of places without the 2 best and the 2 worst'
    """
    if rule.name == "trimmed_mean":
        ends = {0: "", 1: " without the best and the worst"}
        return f"the mean of places{ends.get(rule.k, f' without the {rule.k} best and the {rule.k} worst')}"
    if rule.name == "points":
        shown = ", ".join(f"{float(points):g}" for points in rule.points[:_NAMED])
        return f"points ({shown}{', …' * (len(rule.points) > _NAMED)})"
    return {"median": "the median place", "borda": "Borda points", "copeland": "pairwise majorities (Copeland)"}[
        rule.name
    ]


_WORDS = {
    "winner": ("The first place is shared", "a tie at the first place", "another winner"),
    "podium": ("A draw decides who is on the podium", "a tie at the edge of the podium", "another podium"),
    "order": ("A draw decides the order of the podium", "a tie on the podium", "another order of the podium"),
}
"""What is so already, what a tie is, and what a change is."""


def describe_change(shared: Bribe, other: Bribe, unit: str) -> str:
    """Return how many bribes a tie and a change take, as a sentence."""
    already, tie, new = _WORDS[other.change]
    if shared.upper == 0:
        return f"{already} already; {new} takes {_number(other, unit)}."
    if (shared.lower, shared.upper) == (other.lower, other.upper):
        fewer = f", and fewer do not bring about {tie}" if other.exact and other.upper != 1 else ""
        return f"{new[0].upper()}{new[1:]} takes {_number(other, unit)}{fewer}."
    return f"{tie[0].upper()}{tie[1:]} takes {_number(shared, unit)}, {new} {_number(other, unit)}."


def _number(bribe: Bribe, unit: str) -> str:
    """Return the least number of bribes."""
    if bribe.upper is None:
        return f"more than all {unit}s"
    if not bribe.exact:
        return f"at least {bribe.lower:,} and at most {count(bribe.upper, f'bribed {unit}')}"
    return count(bribe.upper, f"bribed {unit}")
