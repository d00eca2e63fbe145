"""A ranking of the entries of one contest, and what it takes to change it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bribeproof._notebook import render_html
from bribeproof._text import count, format_name, format_number, name_in_list, with_and
from bribeproof.frames.native import to_polars
from bribeproof.rankings.bribe import Bribe
from bribeproof.rankings.rules import Rule
from bribeproof.rankings.sentences import describe_change, describe_rule

_NAMED = 6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """A ranking of the entries of a contest, and the fewest bribed judges who change it.

    Attributes
    ----------
    entries : frame of the kind that came in
        One row per entry, the best first: ``entry``; its ``score`` by the rule; its ``place``, the same for level
        entries; and the fewest bribed judges, or with prices the least money, who bring it ``level`` with a winner, and
        ``ahead``: none for the only winner, and where not even all judges do.
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
    priced
        Whether bribes have prices, so that numbers are money.
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
    priced: bool
    n_judges: int
    n_units: int
    shared: Mapping[str, Bribe]
    other: Mapping[str, Bribe]
    notes: tuple[str, ...]
    _rule: Rule = field(repr=False)

    @property
    def condorcet_winner(self) -> str | None:
        """By pairwise majorities, the entry that more judges put ahead of each other one than behind it; else None."""
        table = to_polars(self.entries)
        return self.winners[0] if self.rule == "copeland" and table["score"][0] == table.height - 1 else None

    def facts(self) -> dict[str, Any]:
        """Return all but the table of entries as plain data of JSON types."""
        names = ("rule", "k", "contest", "unit", "priced", "n_judges", "n_units")
        return {name: getattr(self, name) for name in names} | {
            "winners": list(self.winners),
            "condorcet_winner": self.condorcet_winner,
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
        names = list(map(name_in_list, self.winners))
        wins = f"{names[0]} wins" if len(names) == 1 else f"{with_and(names, _NAMED)} share the first place"
        of = f"{format_name(self.contest)}: " if self.contest else ""
        by = count(self.n_units, self.unit)
        by = by if self.n_judges == self.n_units else f"{count(self.n_judges, 'judge')} in {by}"
        yield f"{of}{wins} by {describe_rule(self._rule)}, of {count(total, 'entry', 'entries')} ranked by {by}."
        if self.rule == "copeland":
            best = self.condorcet_winner
            yield (
                f"More judges put {format_name(best)} ahead of each other entry than behind it (the Condorcet winner)."
                if best is not None
                else "No entry is ahead of each other one with more judges than behind: there is no Condorcet winner."
            )
        for change in self.other:
            yield describe_change(self.shared[change], self.other[change], self.unit)
        bribe = self.other["winner"]
        if bribe.bribed:
            who = with_and([*map(name_in_list, bribe.bribed)], _NAMED)
            if all(name.isdecimal() for name in bribe.bribed):  # the voters of a file of PrefLib are numbers
                who = f"{self.unit}{'s' * (len(bribe.bribed) > 1)} {who}"
            gone = "Another wins" if len(names) == 1 else f"{format_name(bribe.loser)} no longer shares the first place"
            yield (
                f"{gone} if {who} put{'s' * (len(bribe.bribed) == 1)} "
                f"{name_in_list(bribe.gainer)} first and {name_in_list(bribe.loser)} last."
            )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        shown = ", ".join(map(name_in_list, self.winners[:2])) + ", …" * (len(self.winners) > 2)
        upper = self.other["winner"].upper
        number = None if upper is None else format_number(float(upper))
        return f"{type(self).__name__}({self.rule}: {shown}; other winner: {number})"

    def _repr_html_(self) -> str:
        """Return the summary and the entries for a notebook."""
        return render_html(self.summary(), to_polars(self.entries), None)
