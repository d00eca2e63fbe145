"""Numbers that bribed judges raise, as linear functions: multiplied, rounded, and joined to others within limits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.contests.exact_columns import ExactColumns
from bribeproof.theory.contests.limits import Limits, Terms

_MOST_STEPS = 10_000
"""A number that is rounded to more different values is a whole number of units only approximately."""


@dataclass(frozen=True, slots=True)
class RaisedColumn:
    """A number ``constant + terms`` from `constant`, if nobody is bribed, to `most`: a multiple of ``1/bottom``.

    It is at most ``constant + spare + shares @ bribed``.
    """

    constant: Fraction
    most: Fraction
    terms: Terms
    bottom: int
    shares: FloatArray
    spare: Fraction = Fraction(0)

    def times(self, factor: Fraction) -> "RaisedColumn":
        """Return the number times a factor of at least 0."""
        return RaisedColumn(
            self.constant * factor,
            self.most * factor,
            self.terms.times(float(factor)),
            self.bottom * factor.denominator,
            self.shares * float(factor),
            self.spare * factor,
        )

    def minus(self, amount: Fraction) -> "RaisedColumn":
        """Return the number minus an amount."""
        bottom = lcm(self.bottom, amount.denominator)
        return replace(self, constant=self.constant - amount, most=self.most - amount, bottom=bottom)

    def rounded(self, decimals: int | None, limits: Limits) -> "RaisedColumn":
        """Return the number rounded half up, away from zero; the limits get a variable for what rounding changes."""
        if decimals is None:
            return self
        unit = unit_of(decimals)
        low, high = half_up(self.constant, decimals), half_up(self.most, decimals)
        if unit.denominator % self.bottom == 0:
            return replace(self, constant=low, most=high, bottom=unit.denominator)
        nothing = np.zeros(limits.groups)
        if low == high:
            return RaisedColumn(low, high, Terms(nothing, {}), unit.denominator, nothing)
        half = unit / 2
        if self.most <= 0:  # of numbers below 0 a half is rounded down
            half -= Fraction(1, 2 * unit.denominator * self.bottom)
        rest, steps = self.constant + half - low, (high - low) / unit
        if steps <= _MOST_STEPS:
            added, each = limits.variable(int(steps), whole=True), float(unit)
        else:
            added, each = limits.variable(1), float(high - low)
        limits.limit(self.terms, added, times=each, constant=float(rest))
        return RaisedColumn(low, high, Terms(nothing, {added: each}), unit.denominator, self.shares, self.spare + rest)


def joined(columns: Sequence[RaisedColumn], how: str, limits: Limits) -> RaisedColumn:
    """Return the sum, the maximum or the minimum of some columns."""
    if len(columns) == 1:
        return columns[0]
    low, high = (combined(ends, how) for ends in ([one.constant for one in columns], [one.most for one in columns]))
    bottom, nothing = lcm(*(one.bottom for one in columns)), np.zeros(limits.groups)
    if how == "sum":
        return RaisedColumn(low, high, _sum([one.terms for one in columns]), bottom, *_simpler(columns))
    if low == high:
        return RaisedColumn(low, high, Terms(nothing, {}), bottom, nothing)
    raised, width = limits.variable(1), float(high - low)
    if how == "min":
        for one in columns:
            if one.constant < high:
                limits.limit(one.terms, raised, times=width, constant=float(one.constant - low))
        simple = [min(columns, key=lambda one: one.constant)]
    else:
        simple = [one for one in columns if one.most > low]
        _limit_to_any(simple, raised, low, high, limits)
    return RaisedColumn(low, high, Terms(nothing, {raised: width}), bottom, *_simpler(simple))


def _limit_to_any(columns: Sequence[RaisedColumn], raised: int, low: Fraction, high: Fraction, limits: Limits) -> None:
    """Limit a variable, as a part of the way from low to high, to what one of some columns is above low."""
    width, nothing = float(high - low), np.zeros(limits.groups)
    chosen = [limits.variable(1, whole=True) for _ in columns]
    for one, choice in zip(columns, chosen, strict=True):
        # Where it is not chosen, the limit is at least the width.
        terms = one.terms.plus(Terms(nothing, {choice: float(one.constant - high)}))
        limits.limit(terms, raised, times=width, constant=width)
    parts = {choice: float(one.most - low) / width for one, choice in zip(columns, chosen, strict=True)}
    limits.limit(Terms(nothing, parts), raised)
    limits.add(Terms(nothing, dict.fromkeys(chosen, -1.0)), -1.0)  # one is chosen at most


def _simpler(columns: Sequence[RaisedColumn]) -> tuple[FloatArray, Fraction]:
    """Return the shares and the spare of the sum of what some columns add to their constants."""
    return np.sum([one.shares for one in columns], axis=0), sum((one.spare for one in columns), Fraction(0))


def _sum(several: Sequence[Terms]) -> Terms:
    """Return the sum of some terms, at least one."""
    total = several[0]
    for terms in several[1:]:
        total = total.plus(terms)
    return total


def unit_of(decimals: int | None) -> Fraction:
    """Return the unit of numbers with so many decimals; 0 if they are not rounded."""
    return Fraction(0) if decimals is None else Fraction(1, 10**decimals)


def half_up(number: Fraction, decimals: int | None) -> Fraction:
    """Return a number rounded half up, away from zero."""
    alone = ExactColumns(np.array([[number.numerator]], dtype=object), (number.denominator,))
    return alone.rounded(decimals).fractions(0)[0]


def combined(numbers: Sequence[Fraction], how: str) -> Fraction:
    """Return the sum, the maximum or the minimum of some numbers."""
    return sum(numbers, Fraction(0)) if how == "sum" else max(numbers) if how == "max" else min(numbers)
