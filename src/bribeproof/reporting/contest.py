"""Search a contest of scores for what the same bribed judges could have changed, and how few are enough."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from bribeproof._text import count, format_number, name_in_list, with_and
from bribeproof.contests.cheapest_bribe import search_cheapest
from bribeproof.contests.cheapest_result import CheapestContestBribe
from bribeproof.contests.opened import opened_contest
from bribeproof.contests.result import WorstContestBribe
from bribeproof.contests.words import dropped_marks
from bribeproof.contests.worst_bribe import search_contest
from bribeproof.errors import BribeproofError
from bribeproof.frames.native import collect
from bribeproof.reporting.document import Column, DataTable
from bribeproof.reporting.material import Material

_MOST_MARKS = 20_000
"""Larger contests are searched by the command, which takes what time it needs."""
_GOALS = (("winner", "Another winner"), ("podium", "Another entry on the podium"))


@dataclass(frozen=True, slots=True, eq=False)
class ContestFindings:
    """What the same bribed judges could have made of a contest, as far as it was searched.

    Attributes
    ----------
    worst
        The places that they could have caused; None if that was not searched.
    cheapest
        The fewest judges who change the winner, and the podium.
    why_not
        Why something was not searched; empty if all was.
    """

    worst: WorstContestBribe | None = None
    cheapest: tuple[CheapestContestBribe, ...] = ()
    why_not: str = ""

    def fewest(self, change: str) -> str | None:
        """Return how many judges it takes to change the winner or the podium, as text; None if it is not known."""
        found = next((one for one in self.cheapest if one.change == change), None)
        if found is None or found.priced:
            return None
        if found.lower is None:
            return "not possible"
        if found.price is None:
            return f"{int(found.lower):,} or more"
        return f"{int(found.price):,}" if found.exact else f"{int(found.lower):,} to {int(found.price):,}"

    def fewest_in_words(self, k: int) -> Iterator[str]:
        """Yield how many judges it takes to change what k could not have changed, as a sentence."""
        goals = {"winner": "the winner", "podium": "who is on the podium"}
        known = [(one, int(one.price)) for one in self.cheapest if one.price and one.exact and one.price > k]
        if not known:
            return
        (first, price), *rest = known
        among = "Among the entries with a score, to" if first.n_uncertified else "To"
        takes = f"{among} change {goals[first.change]} it takes {count(price, 'bribed judge')}, the same throughout"
        for one, other in rest:
            takes += f", and {'as many' if other == price else f'{other:,}'} to change {goals[one.change]}"
        yield f"{takes}; fewer are proven not to be enough."

    @property
    def lines(self) -> Iterator[str]:
        """Yield what was found, as sentences."""
        if self.worst is not None:
            yield " ".join(self.worst.summary().splitlines())
        if self.why_not:
            yield f"Not searched here: {self.why_not}."

    @property
    def _rule(self) -> str:
        """Which marks are dropped, as a phrase."""
        return "" if self.worst is None else dropped_marks(self.worst.trim, self.worst.part)

    @property
    def names_somebody(self) -> bool:
        """Whether somebody is named who could have been bribed."""
        named = self.worst is not None and (self.worst.strongest or (self.worst.entries["bribed"] != "").any())
        return bool(named) or any(one.bribed for one in self.cheapest)

    def table(self) -> DataTable | None:
        """Return how many judges it takes, as a table."""
        if not self.cheapest:
            return None
        rows = []
        for one in self.cheapest:
            goal = dict(_GOALS)[one.change]
            fewest = self.fewest(one.change) or ""
            whom = with_and([name_in_list(name) for name in one.bribed], 5) if one.bribed else "–"
            moved = with_and([name_in_list(name) for name in one.moved], 3) if one.moved else "–"
            proven = (
                "yes" if one.exact else f"not fewer than {format_number(one.lower)}" if one.lower is not None else "yes"
            )
            rows.append((goal, fewest, whom, moved, proven))
        frame = pl.DataFrame(rows, schema=["goal", "fewest", "whom", "moved", "proven"], orient="row")
        columns = tuple(map(Column, ("To get …", "Judges", "Such as", "Who moves up", "Proven least")))
        return DataTable(
            "Judges it takes", f"How many judges it takes, the same throughout; {self._rule}", frame, columns
        )


def search(material: Material) -> ContestFindings:
    """Search a contest, unless it is too large or judges may be bribed otherwise than by rewriting marks."""
    if not material.scores or not material.facts["k"]["most"]:
        return ContestFindings()
    schema = material.read.reports.schema
    if schema.asked is not None or schema.sets_aside:
        return ContestFindings(why_not="silent judges, or those set aside, count as bribed on some entries only")
    marks = material.read.reports
    if marks.source.large is not None:
        return ContestFindings(why_not="the table is larger than memory")
    import narwhals.stable.v2 as nw

    if collect(marks.rows.select(nw.len()))["len"].item() > _MOST_MARKS:
        return ContestFindings(
            why_not=f"there are more than {_MOST_MARKS:,} marks; the command bribeproof bribe does it"
        )
    k = material.question.k
    try:
        worst = search_contest(opened_contest(material.read, k, None))
    except BribeproofError as error:
        return ContestFindings(why_not=str(error).partition("; give a smaller")[0])
    if k is None or not material.counts_heads:
        return ContestFindings(worst)
    cheapest = []
    for goal, _ in _GOALS:
        if goal == "podium" and worst.entries.height <= 3:
            continue
        if goal == "winner" and worst.entries.height < 2:
            continue
        cheapest.append(search_cheapest(opened_contest(material.read, 0, k), goal, None, None))
    return ContestFindings(worst, tuple(cheapest))
