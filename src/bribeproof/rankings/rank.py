"""Rank the entries of one contest, and find the fewest or cheapest bribed judges who change winner or podium."""

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl

from bribeproof._text import list_names
from bribeproof._validation import real
from bribeproof.errors import DataError, ParameterError
from bribeproof.rankings.bribe import CHANGES, PODIUM, Bribe, firsts_of
from bribeproof.rankings.changes import Change, ChangeSearch
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.read_contests import RankingOptions, Rankings, read_contests
from bribeproof.rankings.result import Ranking
from bribeproof.rankings.rules import Rule, check_enough, make_rule

_UNPROVEN = "the time limit ended the search: for {} entries level or ahead may be larger than the least number"


class SeveralContestsError(DataError):
    """A table holds several contests where one is ranked; also a `DataError`."""


def rank(
    frame: Any,
    rule: str = "trimmed_mean",
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
) -> Ranking:
    """Rank the entries of a contest by judges' places, and find the fewest bribed judges who change the result.

    A bribed judge may rewrite the whole ranking.

    Parameters
    ----------
    frame
        Places: pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or
        `read_preflib`. Wide form has a row for each entry and a column for each judge, long form a row for each place.
        1 is the best. Entries at the same place share the mean of the places that they take up.
    rule : {"trimmed_mean", "borda", "median", "copeland", "points"}
        The mean of an entry's places without the k best and the k worst, lowest first; the number of entries behind
        it, summed over judges; its median place; how many other entries more judges put behind it than ahead of it,
        where a tie counts half; or `points` for its places.
    k
        Trimmed mean: how many of the best and of the worst places are left out.
    points
        Rule ``"points"``: the points for the first place, the second and so on; further places have none.
    entry, judges
        The column of the entries, and in wide form the columns of the judges; by default they are found.
    judge, place
        Long form: the columns of the judges and of their places; by default they are found.
    contest
        The column, or columns, that tell contests apart; the table must hold one contest (else `compare_rules`).
    group
        The column of the judges' groups, such as juries or nations, or a mapping from judges to groups: one bribe buys
        a group. A judge without one is bought alone.
    price
        What a judge costs, or a group, at least 0: a column, or a mapping from names. Then not the fewest but the
        cheapest are found, and numbers are money.
    combine
        Whether the judges of a group make one ranking, by the mean of their places, instead of one each.
    unranked : {"last", "not-asked"}, optional
        What it means that a judge ranks only some entries: the others come last, level with each other; or the judge
        was not asked about them. Without it such rankings raise a question.
    turned
        Whether the table has a row for each judge and a column for each entry; by default the names of its columns
        decide.
    gaps
        Whether the places of most judges may skip numbers, as where entries were taken out.
    missing
        Texts that stand for no place, besides empty cells and words such as DNS.
    time_limit
        Seconds for all integer programs together, which few contests need; what was found until then comes with a
        bound.

    Returns
    -------
    Ranking
        The entries with score and place, and the fewest bribed judges (or groups) before the winner, the podium of
        three and its order are shared or others, with the rankings that do it.

    Raises
    ------
    DataError
        If the places cannot be read, or an entry has too few for the rule.
    QuestionError
        If two readings are plausible.
    ParameterError
        If a parameter is outside its range.

    Notes
    -----
    docs/theory.md, Propositions 14.6 to 14.8.

    Examples
    --------
    >>> places = pl.DataFrame({"entry": ["Ann", "Bo", "Cy"], "J1": [1, 2, 3], "J2": [1, 2, 3], "J3": [2, 1, 3]})
    >>> result = rank(places, "borda")
    >>> result.entries.rows()
    [('Ann', 5.0, 1, None, None), ('Bo', 4.0, 2, 1, 1), ('Cy', 0.0, 3, 2, 2)]
    >>> result.other["winner"]
    Bribe(winner, shared=False, 1, bribed=('J1',))
    >>> result.other["winner"].recheck().ok
    True
    >>> rank(places, "borda", price={"J1": 5, "J2": 2.5, "J3": 1}).other["winner"]
    Bribe(winner, shared=False, 2.5, bribed=('J2',))
    """
    chosen = make_rule(rule, k, points)
    options = RankingOptions(
        entry, judges, judge, place, contest, group, price, combine, unranked, turned, gaps, missing
    )
    rankings = read_contests(frame, options)
    if len(rankings.contests) > 1:
        names = list_names([one.name for one in rankings.contests], most=3)
        raise SeveralContestsError(
            f"there are {len(rankings.contests):,} contests ({names}): keep the rows of one, or use compare_rules"
        )
    return rank_contest(rankings, rankings.contests[0], chosen, deadline_after(time_limit), grouped=bool(group))


def deadline_after(time_limit: object) -> float:
    """Return when a time limit in seconds, above 0, ends from now, by `time.monotonic`."""
    seconds = real("time_limit", time_limit)
    if seconds <= 0:
        raise ParameterError(f"time_limit={time_limit!r}: give a number of seconds above 0")
    return time.monotonic() + seconds


def rank_contest(rankings: Rankings, contest: Contest, rule: Rule, deadline: float, *, grouped: bool) -> Ranking:
    """Return the ranking of a contest by a rule."""
    search = ChangeSearch(contest, rule, deadline)
    shared, other = find_bribes(search)
    merits, scores = rule.merits(contest), rule.scores(contest)
    places = _places(merits)
    rows: list[tuple[Any, ...]] = []
    unproven, amount = 0, amount_type(contest)
    for one in sorted(range(len(places)), key=places.__getitem__):
        rivals = [winner for winner in range(len(places)) if places[winner] == 1 and winner != one]
        passing = [_fewest(search, one, rivals, ahead=ahead) for ahead in (False, True)]
        unproven += any(lower != upper for lower, upper in passing if upper is not None)
        numbers = (in_table(upper) for _, upper in passing)
        rows.append((contest.entries[one], float(scores[one]), places[one], *numbers))
    schema: dict[str, Any] = {
        "entry": pl.String,
        "score": pl.Float64,
        "place": pl.Int64,
        "level": amount,
        "ahead": amount,
    }
    return Ranking(
        rankings.to_native(pl.DataFrame(rows, schema=schema, orient="row")),
        rule=rule.name,
        k=rule.k,
        contest=contest.name,
        winners=tuple(row[0] for row in rows if row[2] == 1),
        podium=tuple(row[0] for row in rows if row[2] <= PODIUM),
        unit="group" if grouped else "judge",
        priced=bool(contest.prices),
        n_judges=len(contest.judges),
        n_units=len(contest.groups),
        shared=shared,
        other=other,
        notes=(*rankings.notes, *([_UNPROVEN.format(unproven)] if unproven else [])),
        _rule=rule,
    )


def find_bribes(search: ChangeSearch) -> tuple[dict[str, Bribe], dict[str, Bribe]]:
    """Return the least bribes before winner, podium and order are shared, and before they are others."""
    check_enough(search.rule, search.contest)
    found: tuple[dict[str, Bribe], dict[str, Bribe]] = ({}, {})
    entries = len(search.contest.entries)
    for ahead, bribes in zip((False, True), found, strict=True):
        least = {first: search.change(first, ahead=ahead) for first in range(1, min(PODIUM, entries - 1) + 1)}
        for change in CHANGES:
            if known := [one for first in firsts_of(change, entries) if (one := least[first]) is not None]:
                bribes[change] = _bribe(search, change, known, shared=not ahead)
    return found


def _bribe(search: ChangeSearch, change: str, known: Sequence[Change], *, shared: bool) -> Bribe:
    """Return the cheapest of changes, each of which is enough."""
    names = search.contest.entries
    best = min(known, key=lambda one: float("inf") if one.least.upper is None else one.least.upper)
    return Bribe(
        change,
        shared,
        lower=in_units(search, min(one.least.lower for one in known)),
        upper=None if best.least.upper is None else in_units(search, best.least.upper),
        bribed=tuple(search.contest.groups[group] for group in best.least.bribed),
        gainer=names[best.gainer],
        loser=names[best.loser],
        proof=best.least.proof,
        _search=search,
    )


def _fewest(
    search: ChangeSearch, gainer: int, losers: Sequence[int], *, ahead: bool
) -> tuple[int | Fraction, int | Fraction | None]:
    """Return bounds of what brings an entry level with one of the winners, or ahead of it."""
    found = [search.pass_by(gainer, loser, ahead=ahead) for loser in losers]
    numbers = [one.upper for one in found if one.upper is not None]
    lower = in_units(search, min((one.lower for one in found), default=0))
    return lower, in_units(search, min(numbers)) if numbers else None


def in_units(search: ChangeSearch, number: int) -> int | Fraction:
    """Return a number of bribes, or the amount of money that a whole number stands for."""
    return number * search.costs[1] if search.contest.prices else number


def amount_type(contest: Contest) -> type[pl.Float64 | pl.Int64]:
    """Return the type of a column of numbers of bribes, or of amounts of money."""
    return pl.Float64 if contest.prices else pl.Int64


def in_table(number: int | Fraction | None) -> int | float | None:
    """Return a number of bribes, or an amount of money, as it stands in a table."""
    return float(number) if isinstance(number, Fraction) else number


def _places(merits: Sequence[Any]) -> list[int]:
    """Return the place of each entry; level ones have the same, the first that they take up."""
    return [1 + sum(other > merit for other in merits) for merit in merits]
