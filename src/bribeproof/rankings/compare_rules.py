"""Compare rules: how many bribed judges each needs, or how much money, before another entry wins or others get on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._notebook import render_html
from bribeproof._text import count, format_name, format_number
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.native import to_polars
from bribeproof.rankings.bribe import CHANGES, Bribe
from bribeproof.rankings.changes import ChangeSearch
from bribeproof.rankings.rank import amount_type, deadline_after, find_bribes, in_table
from bribeproof.rankings.read_contests import RankingOptions, Rankings, read_contests
from bribeproof.rankings.rules import RULES, Rule, make_rule
from bribeproof.rankings.sentences import describe_change, describe_rule


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleComparison:
    """How many bribes each rule needs before the winner or the podium changes.

    Attributes
    ----------
    table : frame of the kind that came in
        One row per contest and rule: the ``contest`` (if there are several), the ``rule``, the ``winner`` (or winners),
        and the fewest bribes before each change: ``shared_winner`` and ``other_winner``, ``shared_podium`` and
        ``other_podium``, ``shared_order`` and ``other_order`` (of the podium).
    bribes
        For each contest and rule the bribe behind each of these columns.
    unit
        What a bribe buys: ``"judge"``, or ``"group"``.
    notes
        How the table was read, one sentence each.
    """

    table: Any
    bribes: Mapping[tuple[str, str], Mapping[str, Bribe]]
    unit: str
    notes: tuple[str, ...]
    _rules: tuple[Rule, ...]

    @property
    def priced(self) -> bool:
        """Whether bribes have prices, so that numbers are money."""
        return any(bribe.priced for bribes in self.bribes.values() for bribe in bribes.values())

    def facts(self) -> dict[str, Any]:
        """Return all but the table as plain data of JSON types."""
        return {
            "unit": self.unit,
            "priced": self.priced,
            "contests": len({contest for contest, _ in self.bribes}),
            "rules": [rule.name for rule in self._rules],
            "exact": all(bribe.exact for bribes in self.bribes.values() for bribe in bribes.values()),
            "other_winner": {rule.name: self._numbers(rule, "other_winner") for rule in self._rules},
            "bribes": [
                {"contest": contest, "rule": rule} | bribe.facts()
                for (contest, rule), bribes in self.bribes.items()
                for bribe in bribes.values()
            ],
        }

    def _numbers(self, rule: Rule, change: str) -> dict[str, int]:
        """Return in how many contests so many bribes are the fewest."""
        found = Counter(
            bribes[change].upper for (_, name), bribes in self.bribes.items() if name == rule.name and change in bribes
        )
        known = sorted((number, times) for number, times in found.items() if number is not None)
        return {format_number(float(number)): times for number, times in known} | (
            {"none": found[None]} if found[None] else {}
        )

    def summary(self) -> str:
        """Return how many bribes each rule needs for another winner, one rule a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        contests = len({contest for contest, _ in self.bribes})
        for rule in self._rules:
            yield self._of_one(rule) if contests == 1 else self._of_several(rule, contests)
        ties = sum(bribes["shared_winner"].is_so_already for bribes in self.bribes.values())
        if ties and contests > 1:
            rows = f"{ties:,} of {count(len(self.bribes), 'row')}"
            yield f"In {rows} the first place is shared: there the number is what rules out one of those who share it."
        exact = all(bribe.exact for bribes in self.bribes.values() for bribe in bribes.values())
        yield (
            "Each number is proven to be the least."
            if exact
            else "Some numbers are not proven to be the least: see lower and upper of their bribes."
        )

    def _of_one(self, rule: Rule) -> str:
        """Return what a rule takes in the only contest."""
        bribes = self.bribes[next(iter(self.bribes))[0], rule.name]
        winner = to_polars(self.table).filter(pl.col("rule") == rule.name)["winner"][0]
        shared = bribes["shared_winner"].is_so_already
        wins = f"{format_name(winner)} share the first place" if shared else f"the winner is {format_name(winner)}"
        change = describe_change(bribes["shared_winner"], bribes["other_winner"], self.unit)
        return f"By {describe_rule(rule)} {wins}. {change}"

    def _of_several(self, rule: Rule, contests: int) -> str:
        """Return what a rule takes, in how many contests."""
        numbers = self._numbers(rule, "other_winner")
        none = numbers.pop("none", 0)
        if self.priced:
            ends = list(dict.fromkeys([*list(numbers)[:1], *list(numbers)[-1:]]))
            shown = [" to ".join(ends)] if ends else []
            takes = f"another winner costs, in {contests:,} contests"
        else:
            shown = [f"{number} in {times:,}" for number, times in numbers.items()]
            takes = f"another winner takes, of {contests:,} contests, so many bribed {self.unit}s"
        shown += [f"more than all in {none:,}"] if none else []
        return f"By {describe_rule(rule)}, {takes}: {', '.join(shown)}."

    def __repr__(self) -> str:
        """Return the class and its size on one line."""
        return f"{type(self).__name__}(contests={len(self.bribes) // len(self._rules)}, rules={len(self._rules)})"

    def _repr_html_(self) -> str:
        """Return the summary and the table for a notebook."""
        return render_html(self.summary(), to_polars(self.table), None)


def compare_rules(
    frame: Any,
    rules: Sequence[str] | None = None,
    *,
    k: int = 1,
    points: Sequence[object] | None = None,
    entry: str | None = None,
    judges: Sequence[str] | None = None,
    judge: str | None = None,
    place: str | None = None,
    contest: str | Sequence[str] | None = None,
    group: str | Mapping[Any, Any] | None = None,
    price: str | Mapping[Any, Any] | None = None,
    combine: bool = False,
    unranked: str | None = None,
    turned: bool = False,
    gaps: bool = False,
    missing: Sequence[object] = (),
    time_limit: float = 60.0,
) -> RuleComparison:
    """Compare rules by the fewest bribed judges who change the winner or the podium, in one contest or several.

    Parameters
    ----------
    frame
        Places, as in `rank`.
    rules
        Names of rules, as in `rank`; by default trimmed mean, Borda, median and Copeland, and points if they are given.
    k, points, entry, judges, judge, place, contest, group, price, combine, unranked, turned, gaps, missing
        As in `rank`; the table may hold several contests.
    time_limit
        Seconds for all integer programs together.

    Returns
    -------
    RuleComparison
        A table with one row per contest and rule.

    Raises
    ------
    DataError, QuestionError, ParameterError
        As `rank`.

    Examples
    --------
    >>> places = pl.DataFrame({"entry": ["Ann", "Bo", "Cy"], "J1": [1, 2, 3], "J2": [1, 2, 3], "J3": [1, 3, 2]})
    >>> compare_rules(places).table.select("rule", "winner", "shared_winner", "other_winner").rows()
    [('trimmed_mean', 'Ann', 2, 2), ('borda', 'Ann', 1, 2), ('median', 'Ann', 2, 2), ('copeland', 'Ann', 2, 2)]
    """
    chosen = chosen_rules(rules, k, points)
    options = RankingOptions(
        entry, judges, judge, place, contest, group, price, combine, unranked, turned, gaps, missing
    )
    rankings = read_contests(frame, options)
    return compare_contests(rankings, chosen, deadline_after(time_limit), grouped=bool(group))


def compare_contests(rankings: Rankings, chosen: tuple[Rule, ...], deadline: float, *, grouped: bool) -> RuleComparison:
    """Return how many bribes each rule needs in each contest."""
    found: dict[tuple[str, str], dict[str, Bribe]] = {}
    rows = []
    names = [f"{kind}_{change}" for change in CHANGES for kind in ("shared", "other")]
    for one in rankings.contests:
        for rule in chosen:
            shared, other = find_bribes(ChangeSearch(one, rule, deadline))
            bribes = {f"shared_{name}": bribe for name, bribe in shared.items()}
            bribes |= {f"other_{name}": bribe for name, bribe in other.items()}
            found[one.name, rule.name] = bribes
            merits = rule.merits(one)
            winners = [name for name, merit in zip(one.entries, merits, strict=True) if merit == max(merits)]
            numbers = (in_table(bribes[name].upper) if name in bribes else None for name in names)
            rows.append((one.name, rule.name, ", ".join(winners), *numbers))
    schema = dict.fromkeys(("contest", "rule", "winner"), pl.String) | dict.fromkeys(
        names, amount_type(rankings.contests[0])
    )
    table = pl.DataFrame(rows, schema=schema, orient="row")
    if len(rankings.contests) == 1 and not rankings.contests[0].name:
        table = table.drop("contest")
    unit = "group" if grouped else "judge"
    return RuleComparison(rankings.to_native(table), found, unit, rankings.notes, chosen)


def chosen_rules(names: Sequence[str] | None, k: object, points: Sequence[object] | None) -> tuple[Rule, ...]:
    """Return rules by their names; points are for the rule of that name alone."""
    if names is None:
        names = (*RULES, *(["points"] if points is not None else []))
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ParameterTypeError(f"rules={names!r}: give a list of names, such as ['borda', 'copeland']")
    if not names or len(set(names)) < len(names):
        raise ParameterError(f"rules={list(names)!r}: give at least one rule, and each once")
    if points is not None and "points" not in names:
        raise ParameterError("points are given, and 'points' is not among the rules: add it, or leave them out")
    return tuple(make_rule(name, k, points if name == "points" else None) for name in names)
