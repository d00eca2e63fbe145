"""The greatest total of an entry as a linear function of who is bribed, of clipped counts, and of choices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.knapsack import knapsack_bounds, most_affordable
from bribeproof.theory.contests.contest import Contest, JudgedPart
from bribeproof.theory.contests.exact_columns import ExactColumns

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_OTHER = {"sum": "sum", "max": "min", "min": "max"}


@dataclass(frozen=True, slots=True, eq=False)
class RaisedTotal:
    """The greatest total of an entry is ``constant + gains @ variables`` for some variables within the limits.

    The first variables say of each group whether it is bribed; the further ones belong to this entry alone. No total
    within the limits is greater than the greatest that this bribery allows, but for ties in rounding.

    Attributes
    ----------
    constant
        The total if nobody is bribed, where all variables are 0.
    most
        No affordable bribery gives a greater total.
    spare
        The total is at most ``constant + spare + shares @ bribed``, a simpler function of who is bribed.
    shares : array of shape (groups,)
        What each group adds to this.
    gains : array of shape (groups + further,)
        What each variable adds.
    upper : array of shape (further,)
        The largest value of each further variable; the least is 0.
    whole : array of shape (further,)
        Whether it is a whole number.
    rows : sparse array of shape (limits, groups + further)
        What limits the variables: each row times these is at least its entry of `least`.
    least : array of shape (limits,)
        At most 0.
    """

    constant: Fraction
    most: Fraction
    spare: Fraction
    shares: FloatArray
    gains: FloatArray
    upper: FloatArray
    whole: BoolArray
    rows: "csr_array"
    least: FloatArray


@dataclass(frozen=True, eq=False)
class RaisedTotals:
    """The greatest totals of a contest, entry by entry.

    Parameters
    ----------
    contest : Contest
        The marks, and how they become totals.
    bribes : Bribes
        Which groups of judges can be bribed.

    Notes
    -----
    docs/theory.md, Proposition 14.11.
    """

    contest: Contest
    bribes: Bribes
    _known: dict[int, RaisedTotal] = field(default_factory=dict)

    def of(self, entry: int) -> RaisedTotal:
        """Return the greatest total of an entry."""
        if entry not in self._known:
            limits = _Limits(self.contest, self.bribes)
            steps = self.contest.steps
            self._known[entry] = limits.total(limits.column(len(steps), entry))
        return self._known[entry]

    @cached_property
    def lowered(self) -> "RaisedTotals":
        """The greatest totals of the contest with all numbers negated: the least totals of this one, negated."""
        return RaisedTotals(mirrored(self.contest), self.bribes)


def mirrored(contest: Contest) -> Contest:
    """Return a contest with all marks and totals negated, so that its greatest totals are the least ones, negated.

    Examples
    --------
    >>> part = JudgedPart(np.arange(3), np.array([7, 8, 9]), trim=0)
    >>> mirrored(Contest((part,), 3, Fraction(1))).totals.tolist()
    [-24]
    """

    def turned(scale: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        return -scale[1], -scale[0]

    parts = tuple(
        replace(part, marks=-part.marks, scale=None if part.scale is None else (-part.scale[1], -part.scale[0]))
        for part in contest.parts
    )
    steps = tuple(
        replace(step, how=_OTHER[step.how], minus=tuple(-amount for amount in step.minus)) for step in contest.steps
    )
    return replace(
        contest,
        parts=parts,
        steps=steps,
        scale=None if contest.scale is None else turned(contest.scale),
        better="low" if contest.better == "high" else "high",
    )


@dataclass(frozen=True, slots=True)
class _Column:
    """A number ``constant + terms`` from `constant`, if nobody is bribed, to `most`: a multiple of ``1/bottom``.

    It is at most ``constant + spare + shares``, terms of the groups alone.
    """

    constant: Fraction
    most: Fraction
    terms: Mapping[int, Fraction]
    bottom: int
    shares: Mapping[int, Fraction]
    spare: Fraction = Fraction(0)


@dataclass(slots=True, eq=False)
class _Limits:
    """The variables of one total, and what limits them; those of groups come first."""

    contest: Contest
    bribes: Bribes
    upper: list[Fraction] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[Mapping[int, Fraction]] = field(default_factory=list)
    least: list[Fraction] = field(default_factory=list)

    def total(self, column: _Column) -> RaisedTotal:
        """Return the number in a column with all limits."""
        from scipy.sparse import csr_array

        width = len(self.bribes.prices) + len(self.upper)
        gains = np.zeros(width)
        gains[list(column.terms)] = [float(gain) for gain in column.terms.values()]
        rows = csr_array(
            (
                np.array([float(value) for row in self.rows for value in row.values()]),
                (
                    np.repeat(np.arange(len(self.rows)), [len(row) for row in self.rows]),
                    np.array([number for row in self.rows for number in row], dtype=np.int64),
                ),
            ),
            shape=(len(self.rows), width),
        )
        upper, least = (np.array([float(number) for number in numbers]) for numbers in (self.upper, self.least))
        whole = np.array(self.whole, dtype=bool)
        shares = np.zeros(len(self.bribes.prices))
        shares[list(column.shares)] = [float(share) for share in column.shares.values()]
        return RaisedTotal(column.constant, column.most, column.spare, shares, gains, upper, whole, rows, least)

    def column(self, step: int, number: int) -> _Column:
        """Return a column after so many steps."""
        contest = self.contest
        if not step:
            return self._rounded(self._part(contest.parts[number]), contest.decimals)
        made = contest.steps[step - 1]
        columns = []
        for one in made.groups[number]:
            before, factor = self.column(step - 1, one), made.factors[one]
            scaled = _Column(
                before.constant * factor,
                before.most * factor,
                _times(before.terms, factor),
                before.bottom * factor.denominator,
                _times(before.shares, factor),
                before.spare * factor,
            )
            columns.append(self._rounded(scaled, made.decimals))
        joined, minus = self._joined(columns, made.how), made.minus[number]
        less = replace(
            joined,
            constant=joined.constant - minus,
            most=joined.most - minus,
            bottom=lcm(joined.bottom, minus.denominator),
        )
        return self._rounded(less, made.decimals)

    def _variable(self, upper: Fraction | int, *, whole: bool = False) -> int:
        """Return the number of a new variable from 0 to an upper limit."""
        self.upper.append(Fraction(upper))
        self.whole.append(whole)
        return len(self.bribes.prices) + len(self.upper) - 1

    def _limit(self, terms: Mapping[int, Fraction], variable: int, constant: Fraction | int = 0) -> None:
        """Limit a variable to some terms and a constant of at least 0."""
        self.rows.append({**terms, variable: Fraction(-1)})
        self.least.append(Fraction(-constant))

    def _part(self, part: JudgedPart) -> _Column:
        """Return the score of a part before it is rounded.

        The sum of the marks that are kept is the least mark times their number, and for each step up to the next mark
        its width times the number of kept marks above it: a count, clipped.
        """
        kept = len(part.marks) - 2 * part.trim
        groups = self.bribes.groups[part.judges]
        marks = [int(mark) for mark in np.unique(part.marks)]
        top = (part.scale or self.contest.extremes)[1]
        value = most = marks[0] * kept
        terms: dict[int, Fraction] = {}
        shares: dict[int, Fraction] = {}
        for low, high in pairwise([*marks, top] if top > marks[-1] else marks):
            above = int((part.marks > low).sum()) - part.trim
            sizes = np.bincount(groups[part.marks <= low], minlength=len(self.bribes.prices))
            raised = _most_members(self.bribes, sizes)
            value += (high - low) * min(max(above, 0), kept)
            most += (high - low) * min(max(above + raised, 0), kept)
            count, share = self._count(above, raised, kept, sizes)
            _add(terms, count, high - low)
            _add(shares, share, high - low)
        unit = self.contest.unit / kept
        return _Column(value * unit, most * unit, _times(terms, unit), unit.denominator, _times(shares, unit))

    def _count(
        self, above: int, raised: int, kept: int, sizes: IntArray
    ) -> tuple[Mapping[int, Fraction], Mapping[int, Fraction]]:
        """Return what the bribed among some judges, `raised` at most, add to a count clipped to [0, kept].

        As terms; and as terms of the groups alone, which are more where the count is clipped.

        Parameters
        ----------
        above, raised, kept
            The count if nobody is bribed, before it is clipped; by how much it can grow; and its upper limit.
        sizes : int array of shape (groups,)
            How many of these judges are in each group.
        """
        if above >= kept or above + raised <= 0:
            return {}, {}
        members = {int(group): Fraction(int(sizes[group])) for group in np.flatnonzero(sizes)}
        if above >= 0 and above + raised <= kept:
            return members, members
        most = Fraction(min(above + raised, kept) - max(above, 0))
        added = self._variable(most)
        if above >= 0:
            self._limit(members, added)
        else:  # nothing is added before the count reaches 0
            positive = self._variable(1, whole=True)
            self._limit({**members, positive: Fraction(above)}, added)
            self._limit({positive: most}, added)
        # A line from no members to those who fill the count, if it is not positive before.
        return {added: Fraction(1)}, _times(members, most / (most - min(above, 0)))

    def _rounded(self, column: _Column, decimals: int | None) -> _Column:
        """Return a column rounded half up, away from zero."""
        if decimals is None:
            return column
        unit = Fraction(1, 10**decimals)
        low, high = (_half_up(number, decimals) for number in (column.constant, column.most))
        if unit.denominator % column.bottom == 0:
            return replace(column, constant=low, most=high, bottom=unit.denominator)
        if low == high:
            return _Column(low, high, {}, unit.denominator, {})
        steps = self._variable((high - low) / unit, whole=True)
        half = unit / 2
        if column.most <= 0:  # of numbers below 0 a half is rounded down
            half -= Fraction(1, 2 * unit.denominator * column.bottom)
        rest = column.constant + half - low
        self._limit(_times(column.terms, 1 / unit), steps, rest / unit)
        return _Column(low, high, {steps: unit}, unit.denominator, column.shares, column.spare + rest)

    def _joined(self, columns: Sequence[_Column], how: str) -> _Column:
        """Return the sum, the maximum or the minimum of some columns."""
        if len(columns) == 1:
            return columns[0]
        low, high = (
            _combined(ends, how) for ends in ([one.constant for one in columns], [one.most for one in columns])
        )
        bottom = lcm(*(one.bottom for one in columns))
        if how == "sum":
            return _Column(low, high, _added(one.terms for one in columns), bottom, *_simpler(columns))
        if low == high:
            return _Column(low, high, {}, bottom, {})
        raised = self._variable(high - low)
        if how == "min":
            for one in columns:
                if one.constant < high:
                    self._limit(one.terms, raised, one.constant - low)
            simple = [min(columns, key=lambda one: one.constant)]
        else:
            simple = [one for one in columns if one.most > low]
            self._limit_to_any(simple, raised, low, high)
        return _Column(low, high, {raised: Fraction(1)}, bottom, *_simpler(simple))

    def _limit_to_any(self, columns: Sequence[_Column], raised: int, low: Fraction, high: Fraction) -> None:
        """Limit a variable to what one of some columns is above `low`."""
        chosen = [self._variable(1, whole=True) for _ in columns]
        for one, choice in zip(columns, chosen, strict=True):
            # Where it is not chosen, the limit is at least high - low.
            self._limit({**one.terms, choice: one.constant - high}, raised, high - low)
        self._limit({choice: one.most - low for one, choice in zip(columns, chosen, strict=True)}, raised)
        # At most one is chosen: the sum of the choices with a slack of 1.
        self.rows.append(dict.fromkeys(chosen, Fraction(-1)))
        self.least.append(Fraction(-1))


def _simpler(columns: Sequence[_Column]) -> tuple[Mapping[int, Fraction], Fraction]:
    """Return the shares and the spare of the sum of what some columns add to their constants."""
    return _added(one.shares for one in columns), sum((one.spare for one in columns), Fraction(0))


def _added(several: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """Return the sum of some terms."""
    total: dict[int, Fraction] = {}
    for terms in several:
        _add(total, terms, 1)
    return total


def _add(total: dict[int, Fraction], terms: Mapping[int, Fraction], factor: int) -> None:
    """Add terms times a factor to others."""
    for number, gain in terms.items():
        total[number] = total.get(number, Fraction(0)) + gain * factor


def _combined(numbers: Sequence[Fraction], how: str) -> Fraction:
    """Return the sum, the maximum or the minimum of some numbers."""
    return sum(numbers, Fraction(0)) if how == "sum" else max(numbers) if how == "max" else min(numbers)


def _times(terms: Mapping[int, Fraction], factor: Fraction) -> dict[int, Fraction]:
    """Return terms times a factor."""
    return {number: gain * factor for number, gain in terms.items()}


def _half_up(number: Fraction, decimals: int) -> Fraction:
    """Return a number rounded half up, away from zero."""
    alone = ExactColumns(np.array([[number.numerator]], dtype=object), (number.denominator,))
    return alone.rounded(decimals).fractions(0)[0]


def _most_members(bribes: Bribes, sizes: IntArray) -> int:
    """Return at least as many judges as groups with so many members can have among those that are bribed together."""
    prices, budget = bribes.whole
    there = (sizes > 0) & (prices <= budget)
    if (sizes <= 1).all():
        return most_affordable(prices[there], budget)
    bound = knapsack_bounds(sizes.astype(np.float64), prices, there, budget)[1]
    return min(int(bound[0]) if len(bound) else 0, int(sizes[there].sum()))
