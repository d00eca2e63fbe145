"""The marks of a table of scores as a contest: what the same bribed judges could do is searched there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.aggregation.criteria import judge_scores, of_criterion
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.aggregation.total_rule import clean_name
from bribeproof.aggregation.totals import exact
from bribeproof.errors import ParameterError
from bribeproof.frames.bribes import NamedBribes, read_bribes
from bribeproof.frames.label_classes import numbers_first
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.item_groups import ItemGroups
from bribeproof.theory.contests.contest import Contest, JudgedPart, Step

if TYPE_CHECKING:
    from bribeproof.frames.bribed_groups import GivenBribes

MOST_ENTRIES = 1000
"""Contests of up to so many entries are searched."""
_MOST_MARKS = 300_000
_MOST_DECIMALS = 12


@dataclass(frozen=True, slots=True, eq=False)
class CertifiedContest:
    """The entries of a contest that have a total when so many marks are dropped.

    Attributes
    ----------
    contest
        Their marks.
    entries
        The number of each of its entries among those of the sheet.
    uncertified
        How many entries have no total.
    """

    contest: Contest
    entries: IntArray
    uncertified: int


@dataclass(frozen=True, slots=True, eq=False)
class ContestSheet:
    """The marks of all judges, and how they become totals, whatever is trimmed.

    Attributes
    ----------
    entries, judges
        The names of the entries and of the judges.
    parts
        The judges and the marks of each part; the parts are the columns of the first step.
    steps
        How parts become entries; without any, each part is an entry.
    unit
        The unit of the marks.
    scale
        The least and the greatest mark; None if any number is one.
    decimals
        How many decimals scores are rounded to.
    better
        ``"high"`` or ``"low"``.
    bribes, bought
        The groups of judges that one bribe buys, and their names; None, and the judges, where they are bribed singly.
    """

    entries: tuple[Any, ...]
    judges: tuple[Any, ...]
    parts: tuple[tuple[IntArray, NDArray[Any]], ...]
    steps: tuple[Step, ...]
    unit: Fraction
    scale: tuple[Fraction, Fraction] | None
    decimals: int | None
    better: str
    bribes: Bribes | None
    bought: tuple[Any, ...]

    def most_bribed(self) -> list[int]:
        """Return how many of the marks of each part are by judges who can be bribed together, at most."""
        if self.bribes is None:
            raise ParameterError("judges are bribed singly: their number is k")
        item = np.repeat(np.arange(len(self.parts)), [len(judges) for judges, _ in self.parts])
        groups = self.bribes.groups[np.concatenate([judges for judges, _ in self.parts])]
        cells, marks = np.unique(np.stack([item, groups]), axis=1, return_counts=True)
        most = ItemGroups(cells[0], cells[1], len(self.parts), self.bribes).most(marks)
        return [int(number) for number in most]

    def trimmed(self, trim: int | Sequence[int]) -> CertifiedContest:
        """Return the contest in which so many of the lowest and of the highest marks of each part are dropped.

        An entry has a total if its parts have more than twice as many marks; of the best of several, those that have
        any.
        """
        trims = [trim] * len(self.parts) if isinstance(trim, int) else list(trim)
        status = [
            "ok" if len(marks) > 2 * own else "bad" if len(marks) else "none"
            for (_, marks), own in zip(self.parts, trims, strict=True)
        ]
        kept: list[list[list[int]]] = []
        for step in self.steps:
            groups = [
                [one for one in group if step.how == "sum" or status[one] != "none"] for group in step.groups
            ]  # fmt: skip
            of_groups = [{status[one] for one in group} for group in step.groups]
            status = [
                "none" if known == {"none"} else "ok" if all(status[one] == "ok" for one in group) else "bad"
                for known, group in zip(of_groups, groups, strict=True)
            ]
            kept.append(groups)
        certified = [number for number, known in enumerate(status) if known == "ok"]
        # From the last step back, only what the certified entries are made of.
        columns, steps = certified, []
        for step, groups in zip(reversed(self.steps), reversed(kept), strict=True):
            own = [groups[column] for column in columns]
            minus = tuple(step.minus[column] for column in columns)
            inner = [one for group in own for one in group]
            place = {one: number for number, one in enumerate(inner)}
            renumbered = tuple(tuple(place[one] for one in group) for group in own)
            factors = tuple(step.factors[one] for one in inner)
            steps.append(Step(renumbered, factors, step.how, minus, step.decimals))
            columns = inner
        parts = tuple(JudgedPart(*self.parts[column], trims[column]) for column in columns)
        contest = Contest(
            parts, len(self.judges), self.unit, self.decimals, tuple(reversed(steps)), self.scale, self.better
        )
        return CertifiedContest(contest, np.array(certified, dtype=np.int64), len(status) - len(certified))


def find_contest(read: RecognisedReports, result: Any, k: int | None) -> Callable[[], ContestSheet | str] | None:
    """Return the function that reads the contest that a table of scores holds, or the reason why it is not searched.

    Tables in memory are read at once, so that they are not kept; others when their numbers are asked for.

    Parameters
    ----------
    read
        The reports of the table.
    result
        The frame of what they were combined to: its first column has the names of the items, or of their totals.
    k
        How many groups of judges can be bribed, where a bribe buys one.
    """
    if read.reading.kind != "scores":
        return None
    if not read.reports.in_memory:
        return _Deferred(read, result, k)
    return partial(_known, read_contest(read, result, k))


@dataclass(frozen=True, slots=True, eq=False)
class _Deferred:
    """Reads a contest when it is asked for."""

    read: RecognisedReports
    result: Any
    k: int | None

    def __call__(self) -> ContestSheet | str:
        """Return the contest."""
        return read_contest(self.read, self.result, self.k)

    def __reduce__(self) -> tuple[Any, ...]:
        """Store no frame: that belongs to the user."""
        return partial, (_known, "the result was stored without its table")


def _known(contest: ContestSheet | str) -> ContestSheet | str:
    """Return a contest that was read already."""
    return contest


def read_contest(read: RecognisedReports, result: Any, k: int | None) -> ContestSheet | str:
    """Return the contest that a table of scores holds, or the reason why it is not searched."""
    reports = read.reports
    if reports.schema.asked is not None or reports.schema.sets_aside:
        return "silent judges, or those set aside, count as bribed on some items only"
    if reports.source.large is not None:
        return "the table is larger than memory"
    entries = to_polars(result).to_series().to_list()
    if not 1 <= len(entries) <= MOST_ENTRIES:
        return f"there are more than {MOST_ENTRIES:,} entries"
    if sum(collect(part.select(nw.len()))["len"].item() for part in reports.parts) > _MOST_MARKS:
        return f"there are more than {_MOST_MARKS:,} marks"
    criteria, decimals = read.reading.criteria, read.options.get("decimals")
    weights: list[Fraction] = []
    if criteria is None:
        tables = [_table(reports)]
    elif criteria.how == "judge first":
        tables = [_table(judge_scores(reports, criteria))]
    else:
        tables = [_table(of_criterion(reports, criteria, name)) for name, _ in criteria.weights]
        weights = [weight for _, weight in criteria.weights]
    judges = sorted({name for table in tables for name in table[REPORTER].unique()}, key=numbers_first)
    marks, unit = _whole_marks(np.concatenate([table[VALUE].drop_nulls().to_numpy() for table in tables]))
    scale = _scale(read)
    finer = lcm(unit.denominator, *(end.denominator for end in scale or ()))
    if reports.offset or (np.abs(marks) >= 2**62 * unit.denominator // finer).any():
        marks = marks.astype(object)
    marks, unit = marks * (finer // unit.denominator) + reports.offset * finer, Fraction(1, finer)
    parts, names = _parts(tables, judges, marks)
    steps = []
    items = list(dict.fromkeys(names))
    if weights:
        factors = [weight for table, weight in zip(tables, weights, strict=True) for _ in range(table[ITEM].n_unique())]
        steps.append(_step(names, items, factors, "sum", {}, decimals))
    if read.rule:
        of = read.rule.read_parts(read.frame, read.reading)
        keys = [clean_name(item) for item in items]
        groups = [of.entries[key] for key in keys]
        how = read.rule.how(read.reading.items, read.better)
        steps.append(
            _step(groups, list(dict.fromkeys(groups)), [of.factors[key] for key in keys], how, of.minus, decimals)
        )
        items = list(dict.fromkeys(groups))
    order = {name: number for number, name in enumerate(items)}
    shown = {clean_name(name): name for name in entries}
    entry_names = tuple(shown.get(clean_name(name), name) for name in order)
    named = _bribes(read, judges, k)
    bribes, bought = (None, tuple(judges)) if named is None else named
    return ContestSheet(
        entry_names, tuple(judges), parts, tuple(steps), unit, scale, decimals, read.better, bribes, bought
    )


def _bribes(read: RecognisedReports, judges: Sequence[Any], k: int | None) -> NamedBribes | None:
    """Return the groups of judges that one bribe buys; None if judges are bribed singly."""
    given: GivenBribes | None = read.options.get("bribes")
    if given is None:
        return None
    return read_bribes(
        given.frame, given.reporter, judges, k=k, group=given.group, price=given.price, budget=given.budget
    )


def _table(reports: Reports) -> pl.DataFrame:
    """Return the marks in the order of rows, with the items that have none."""
    rows = [collect(part.sort(reports.order).select(ITEM, REPORTER, VALUE)) for part in reports.parts]
    return pl.concat(rows)


def _parts(
    tables: Sequence[pl.DataFrame], judges: Sequence[Any], marks: NDArray[Any]
) -> tuple[tuple[tuple[IntArray, NDArray[Any]], ...], list[Any]]:
    """Return the judges and the marks of each item of each table, and the name of each item."""
    number = {name: place for place, name in enumerate(judges)}
    parts, names, start = [], [], 0
    for table in tables:
        found: dict[Any, tuple[list[int], list[int]]] = {}
        for item, judge, mark in table.iter_rows():
            own = found.setdefault(item, ([], []))
            if mark is not None:
                own[0].append(number[judge])
                own[1].append(start)
                start += 1
        for item, (there, places) in found.items():
            parts.append((np.array(there, dtype=np.int64), marks[np.array(places, dtype=np.int64)]))
            names.append(item)
    return tuple(parts), names


def _step(
    of: Sequence[Any], groups: Sequence[Any], factors: Sequence[Fraction], how: str, minus: Mapping[Any, Fraction],
    decimals: int | None,
) -> Step:  # fmt: skip
    """Return the step from columns to the groups that they are of."""
    members: dict[Any, list[int]] = {group: [] for group in groups}
    for column, group in enumerate(of):
        members[group].append(column)
    amounts = tuple(minus.get(group, Fraction(0)) for group in groups)
    return Step(tuple(map(tuple, members.values())), tuple(factors), how, amounts, decimals)


def _scale(read: RecognisedReports) -> tuple[Fraction, Fraction] | None:
    """Return the ends of the scale of marks; of combined ones, if each judge combines criteria."""
    given, criteria = read.reports.schema.scale, read.reading.criteria
    if given is None:
        return None
    weight = Fraction(1)
    if criteria is not None and criteria.how == "judge first":
        weight = sum((weight for _, weight in criteria.weights), Fraction(0))
    low, high = (exact(float(end)) * weight for end in given)
    return low, high


def _whole_marks(marks: FloatArray) -> tuple[NDArray[Any], Fraction]:
    """Return marks as whole numbers of a unit, without error."""
    for decimals in range(_MOST_DECIMALS + 1):
        steps = np.round(marks * 10.0**decimals)
        if (np.abs(steps) < 2.0**53).all() and (steps / 10.0**decimals == marks).all():
            return steps.astype(np.int64), Fraction(1, 10**decimals)
    fractions = [exact(mark) for mark in marks.tolist()]
    unit = lcm(*(fraction.denominator for fraction in fractions))
    return np.array([int(fraction * unit) for fraction in fractions], dtype=object), Fraction(1, unit)
