"""The greatest total of an entry as a linear function of who is bribed, of clipped counts, and of choices."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.knapsack import knapsack_bounds, most_affordable
from bribeproof.theory.contests.contest import Contest, JudgedPart
from bribeproof.theory.contests.limits import Limits, Terms
from bribeproof.theory.contests.raised_column import RaisedColumn, combined, half_up, joined, unit_of

_OTHER = {"sum": "sum", "max": "min", "min": "max"}


@dataclass(frozen=True, slots=True, eq=False)
class RaisedTotal:
    """The greatest total of an entry is ``constant + terms`` for some variables within the limits.

    No variables within the limits make more of it than the greatest total that this bribery allows, but for ties in
    rounding and the tolerance of a solver. Totals are followed up to where they exceed every total of today.

    Attributes
    ----------
    constant
        The total if nobody is bribed, where all variables are 0.
    most
        No affordable bribery gives a greater total, if that is not above every total of today.
    terms
        What the variables add.
    spare, shares : Fraction, array of shape (groups,)
        The total is at most ``constant + spare + shares @ bribed``, a simpler function of who is bribed.
    limits
        The variables that belong to this entry alone, and what limits them.
    """

    constant: Fraction
    most: Fraction
    terms: Terms
    spare: Fraction
    shares: FloatArray
    limits: Limits


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
            raising = _Raising(self.contest, self.bribes, self._whole, Limits(len(self.bribes.prices)))
            self._known[entry] = raising.total(entry, self._enough)
        return self._known[entry]

    @cached_property
    def lowered(self) -> "RaisedTotals":
        """The greatest totals of the contest with all numbers negated: the least totals of this one, negated."""
        return RaisedTotals(mirrored(self.contest), self.bribes)

    @cached_property
    def _enough(self) -> Fraction:
        """Raised by so much, an entry is above every other one."""
        totals = self.contest.totals
        return (int(max(totals)) - int(min(totals)) + 1) * self.contest.total_unit

    @cached_property
    def _whole(self) -> tuple[IntArray, int]:
        """Prices and budget as whole numbers."""
        return self.bribes.whole


def mirrored(contest: Contest) -> Contest:
    """Return a contest with all marks and totals negated, so that its greatest totals are the least ones, negated.

    Examples
    --------
    >>> part = JudgedPart(np.arange(3), np.array([7, 8, 9]), trim=0)
    >>> mirrored(Contest((part,), 3, Fraction(1))).totals.tolist()
    [-24]
    """
    parts = tuple(
        replace(part, marks=-part.marks, scale=None if part.scale is None else (-part.scale[1], -part.scale[0]))
        for part in contest.parts
    )
    steps = tuple(
        replace(step, how=_OTHER[step.how], minus=tuple(-amount for amount in step.minus)) for step in contest.steps
    )
    scale = None if contest.scale is None else (-contest.scale[1], -contest.scale[0])
    better = "low" if contest.better == "high" else "high"
    return replace(contest, parts=parts, steps=steps, scale=scale, better=better)


@dataclass(frozen=True, slots=True, eq=False)
class _Raising:
    """Follows the greatest total of one entry from its parts through all steps."""

    contest: Contest
    bribes: Bribes
    whole: tuple[IntArray, int]
    limits: Limits

    def total(self, entry: int, enough: Fraction) -> RaisedTotal:
        """Return the greatest total of an entry, up to so much above that of today."""
        found = self._column(len(self.contest.steps), entry, enough)
        return RaisedTotal(found.constant, found.most, found.terms, found.spare, found.shares, self.limits)

    def _value(self, step: int, number: int) -> Fraction:
        """Return a column after so many steps if nobody is bribed."""
        if not step:
            part = self.contest.parts[number]
            kept = np.sort(part.marks)[part.trim : len(part.marks) - part.trim]
            score = sum(map(int, kept)) * self.contest.unit / len(kept)
            return half_up(score, self.contest.decimals)
        made = self.contest.steps[step - 1]
        columns = [
            half_up(self._value(step - 1, one) * made.factors[one], made.decimals) for one in made.groups[number]
        ]
        return half_up(combined(columns, made.how) - made.minus[number], made.decimals)

    def _column(self, step: int, number: int, enough: Fraction) -> RaisedColumn:
        """Return a column after so many steps, up to `enough` above its value of today."""
        if not step:
            enough += unit_of(self.contest.decimals)
            return self._part(self.contest.parts[number], enough).rounded(self.contest.decimals, self.limits)
        made = self.contest.steps[step - 1]
        enough += 2 * unit_of(made.decimals)
        columns = self._scaled(step, number, enough)
        total = joined(columns, made.how, self.limits).minus(made.minus[number])
        return total.rounded(made.decimals, self.limits)

    def _scaled(self, step: int, number: int, enough: Fraction) -> list[RaisedColumn]:
        """Return the columns that make up a result times their factors, as far as it takes to raise it by `enough`."""
        made = self.contest.steps[step - 1]
        factors = [made.factors[one] for one in made.groups[number]]
        values = [self._value(step - 1, one) for one in made.groups[number]]
        goal = enough + combined([value * factor for value, factor in zip(values, factors, strict=True)], made.how)
        columns = []
        for one, factor, value in zip(made.groups[number], factors, values, strict=True):
            needed = enough if made.how == "sum" else max(goal - value * factor, Fraction(0))
            before = self._column(step - 1, one, needed / factor if factor else Fraction(0))
            columns.append(before.times(factor).rounded(made.decimals, self.limits))
        return columns

    def _part(self, part: JudgedPart, enough: Fraction) -> RaisedColumn:
        """Return the score of a part before it is rounded.

        The sum of the marks that are kept is the least mark times their number, and for each step up to the next mark
        its width times the number of kept marks above it: a count, clipped.
        """
        kept = len(part.marks) - 2 * part.trim
        unit = self.contest.unit / kept
        groups = self.bribes.groups[part.judges]
        marks = [int(mark) for mark in np.unique(part.marks)]
        # A single mark that is kept need not be higher than what raises the score by enough.
        top = min((part.scale or self.contest.extremes)[1], marks[-1] + ceil(enough / unit))
        value = most = marks[0] * kept
        shares = np.zeros(len(self.bribes.prices))
        terms = Terms(shares, {})
        for low, high in pairwise([*marks, top] if top > marks[-1] else marks):
            above = int((part.marks > low).sum()) - part.trim
            if above >= kept:
                value, most = value + (high - low) * kept, most + (high - low) * kept
                continue
            sizes = np.bincount(groups[part.marks <= low], minlength=len(shares))
            raised = self._most_members(sizes)
            value += (high - low) * max(above, 0)
            most += (high - low) * min(max(above + raised, 0), kept)
            count, share = self._count(above, raised, kept, sizes)
            width = float((high - low) * unit)
            terms, shares = terms.plus(count.times(width)), shares + share * width
        return RaisedColumn(value * unit, most * unit, terms, unit.denominator, shares)

    def _count(self, above: int, raised: int, kept: int, sizes: IntArray) -> tuple[Terms, FloatArray]:
        """Return what the bribed among some judges, `raised` at most, add to a count clipped to [0, kept].

        As terms; and as terms of the groups alone, which are more where the count is clipped.

        Parameters
        ----------
        above, raised, kept
            The count if nobody is bribed, below `kept`; by how much it can grow; and its upper limit.
        sizes : int array of shape (groups,)
            How many of these judges are in each group.
        """
        nothing, members = np.zeros(len(sizes)), sizes.astype(np.float64)
        if above + raised <= 0:
            return Terms(nothing, {}), nothing
        if above >= 0 and above + raised <= kept:
            return Terms(members, {}), members
        most = min(above + raised, kept) - max(above, 0)
        added = self.limits.variable(most, counts=True)
        if above >= 0:
            self.limits.limit(Terms(members, {}), added)
        else:  # nothing is added before the count reaches 0
            positive = self.limits.variable(1, whole=True)
            self.limits.limit(Terms(members, {positive: float(above)}), added)
            self.limits.limit(Terms(nothing, {positive: float(most)}), added)
        # A line from no members to those who fill the count, if it is not positive before.
        return Terms(nothing, {added: 1.0}), members * (most / (most - min(above, 0)))

    def _most_members(self, sizes: IntArray) -> int:
        """Return at least as many judges as groups with so many members can have among those bribed together."""
        prices, budget = self.whole
        there = (sizes > 0) & (prices <= budget)
        if sizes.max(initial=0) <= 1:
            return min(int(there.sum()), budget) if self._counts else most_affordable(prices[there], budget)
        bound = knapsack_bounds(sizes.astype(np.float64), prices, there, budget)[1]
        return min(int(bound[0]) if len(bound) else 0, int(sizes[there].sum()))

    @property
    def _counts(self) -> bool:
        """Whether all groups cost 1."""
        return bool((self.whole[0] == 1).all())
