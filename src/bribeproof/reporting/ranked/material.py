"""What a report of rankings is made of: contests that were read, what is asked of them, and what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bribeproof.errors import DataError, ParameterError
from bribeproof.rankings.bribe import Bribe
from bribeproof.rankings.compare_rules import RuleComparison, chosen_rules, compare_contests
from bribeproof.rankings.rank import deadline_after, rank_contest
from bribeproof.rankings.read_contests import RankingOptions, Rankings, read_contests
from bribeproof.rankings.result import Ranking
from bribeproof.rankings.rules import RULES, Rule, check_enough, make_rule
from bribeproof.reporting.material import FileFacts
from bribeproof.reporting.snippets import Snippets


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """What is asked of rankings.

    Attributes
    ----------
    k
        How many judges may be bribed, or groups, and how many places the trimmed mean leaves out at either end.
    is_default
        Whether nobody said how many.
    rule
        The name of the rule of the contest; None if nobody said it.
    points
        The points of the rule ``"points"``; None for another rule.
    time_limit
        Seconds for all integer programs together.
    k_name
        What k is called in errors: ``"k="`` or ``"--k "``.
    """

    k: int
    is_default: bool
    rule: str | None
    points: Sequence[object] | None
    time_limit: float
    k_name: str = "k="

    @property
    def chosen(self) -> Rule:
        """The rule of the contest: the trimmed mean if nobody said one."""
        return make_rule(self.name, self.k, self.points if self.name == "points" else None)

    @property
    def name(self) -> str:
        """Its name; points need no other one."""
        return self.rule or ("trimmed_mean" if self.points is None else "points")


@dataclass(frozen=True, slots=True, eq=False)
class RankedMaterial:
    """Rankings, what is asked of them, and what was found.

    Attributes
    ----------
    rankings
        The contests.
    question
        What is asked.
    ranking
        The ranking by the rule of the contest; None if there are several contests.
    comparison
        How many bribes each rule needs.
    files
        The files that were read; none for a frame.
    snippets
        How the report is repeated.
    """

    rankings: Rankings
    question: RankedQuestion
    ranking: Ranking | None
    comparison: RuleComparison
    files: tuple[FileFacts, ...]
    snippets: Snippets

    @classmethod
    def of(
        cls,
        table: Any,
        options: RankingOptions,
        question: RankedQuestion,
        files: tuple[FileFacts, ...],
        snippets: Snippets,
    ) -> "RankedMaterial":
        """Read the rankings in a table, and find what bribes could change.

        Raises
        ------
        DataError
            If the rankings cannot be read.
        ParameterError
            If a parameter is outside its range, or k leaves no honest majority.
        """
        rule = question.chosen
        rankings = read_contests(table, options)
        _check_k(rankings, question, priced=options.price is not None)
        deadline = deadline_after(question.time_limit)
        grouped = bool(options.group)
        names = (*RULES, *(["points"] if question.points is not None else []))
        rules = tuple(one for one in chosen_rules(names, question.k, question.points) if _is_enough(one, rankings))
        if rule not in rules:
            rules = (rule, *rules)  # it raises the error on what it lacks
        comparison = compare_contests(rankings, rules, deadline, grouped=grouped)
        only = rankings.contests[0] if len(rankings.contests) == 1 else None
        ranking = None if only is None else rank_contest(rankings, only, rule, deadline, grouped=grouped)
        return cls(rankings, question, ranking, comparison, files, snippets)

    @property
    def unit(self) -> str:
        """What a bribe buys: ``"judge"`` or ``"group"``."""
        return self.comparison.unit

    @property
    def priced(self) -> bool:
        """Whether bribes have prices, so that numbers are money."""
        return self.comparison.priced

    @property
    def n_entries(self) -> int:
        """How many entries there are, in all contests together."""
        return sum(len(one.entries) for one in self.rankings.contests)

    @property
    def n_judges(self) -> int:
        """How many judges there are, in all contests together: how many rankings."""
        return sum(len(one.judges) for one in self.rankings.contests)

    def bribes(self, change: str) -> list[tuple[Bribe, Bribe]]:
        """Return for each contest what a tie and a change take by the rule of the contest, where there can be one."""
        kinds = (f"shared_{change}", f"other_{change}")
        of_rule = (found for (_, rule), found in self.comparison.bribes.items() if rule == self.question.name)
        return [(found[kinds[0]], found[kinds[1]]) for found in of_rule if kinds[1] in found]

    def could(self, change: str) -> list[bool | None]:
        """Return for each contest whether k bribes are enough for another winner or podium; None if it is not known."""
        return [is_enough(other, self.question.k) for _, other in self.bribes(change)]


def is_enough(other: Bribe, k: int) -> bool | None:
    """Return whether k bribes are enough for a change; None if it is not known."""
    if other.upper is not None and other.upper <= k:
        return True
    return False if other.upper is None or other.lower > k else None


def _is_enough(rule: Rule, rankings: Rankings) -> bool:
    """Return whether every entry has the places that a rule needs."""
    try:
        for contest in rankings.contests:
            check_enough(rule, contest)
    except DataError:
        return False
    return True


def _check_k(rankings: Rankings, question: RankedQuestion, *, priced: bool) -> None:
    """Refuse a number of bribed judges that leaves no honest majority in a contest."""
    least = min(rankings.contests, key=lambda one: len(one.groups))
    units, k, name = len(least.groups), question.k, question.k_name
    if priced or not k or units > 2 * k:
        return
    most = (units - 1) // 2
    of = f" in contest {least.name!r}" if least.name else ""
    raise ParameterError(
        f"{name}{k}: {2 * k + 1:,} judges are needed for an honest majority, and here are {units:,}{of}: give "
        f"{name}{most}{' or less' * (most > 0)}"
    )
