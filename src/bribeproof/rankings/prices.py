"""What a bribe of each group costs, exactly and in whole units."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from bribeproof._text import list_names
from bribeproof._typing import IntArray
from bribeproof.errors import ParameterError
from bribeproof.rankings.contest import Contest
from bribeproof.theory.bribery.bribes import amount

_LARGEST = 10**12
"""Whole prices add up to at most so much."""


def with_prices(contest: Contest, stated: Mapping[str, object]) -> Contest:
    """Return a contest with a price for each group.

    Raises
    ------
    ParameterError
        If a group has none, or one that is no number of at least 0.

    Examples
    --------
    >>> pair = Contest.from_places(["a", "b"], ["J1", "J2"], np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> with_prices(pair, {"J1": 2, "J2": "0.5"}).prices
    (Fraction(2, 1), Fraction(1, 2))
    """
    if absent := [name for name in contest.groups if name not in stated]:
        raise ParameterError(f"price has no amount for {list_names(absent)}: give one for each of them")
    return replace(contest, prices=tuple(amount("price", stated[name]) for name in contest.groups))


def whole_costs(contest: Contest) -> tuple[IntArray, Fraction]:
    """Return what each group costs as whole numbers, and the unit; without prices each costs 1.

    Raises
    ------
    ParameterError
        If the unit is too small.

    Examples
    --------
    >>> one = Contest.from_places(["a"], ["J1"], np.array([[1.0]]))
    >>> whole_costs(with_prices(one, {"J1": "2.5"}))
    (array([5]), Fraction(1, 2))
    """
    if not contest.prices:
        return np.ones(len(contest.groups), dtype=np.int64), Fraction(1)
    per_unit = math.lcm(*(price.denominator for price in contest.prices))
    costs = [int(price * per_unit) for price in contest.prices]
    if sum(costs) > _LARGEST:
        raise ParameterError(
            f"prices are read exactly, and in a unit of 1/{per_unit:,} they add up to {sum(costs):,}: round them"
        )
    return np.array(costs, dtype=np.int64), Fraction(1, per_unit)
