"""Who can be bribed together, what each bribe costs, and how much can be spent."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm

import numpy as np

from bribeproof._typing import IntArray
from bribeproof._validation import exact_fraction, whole_numbers
from bribeproof.errors import ParameterError

_AMOUNTS = "[0, …)"
_LARGEST = 2**52
"""Whole prices add up to at most so much."""
_MOST_MONEY = 10**300
"""Amounts are printed as floats, which end somewhat above."""


@dataclass(frozen=True, eq=False)
class Bribes:
    """The groups of reporters that one bribe buys, their prices, and the budget.

    Parameters
    ----------
    groups : int array of shape (reporters,)
        The number of each reporter's group, counted from 0 without a gap.
    prices : tuple of Fraction
        What each group costs, at least 0.
    budget : Fraction
        The most that is spent, at least 0.

    Raises
    ------
    ParameterError
        A negative amount, or numbers of groups that leave one out or have no price.

    Notes
    -----
    docs/theory.md §14. Amounts are exact fractions, so that three bribes of 0.1 fit a budget of 0.3.

    Examples
    --------
    >>> pair = Bribes([0, 0, 1], (Fraction(2), Fraction(1)), Fraction(2))
    >>> pair.affordable([0]), pair.affordable([0, 1]), pair.members([0]).tolist()
    (True, False, [0, 1])
    >>> Bribes.heads(reporters=3, k=2).affordable([0, 2])
    True
    """

    groups: IntArray
    prices: tuple[Fraction, ...]
    budget: Fraction

    def __post_init__(self) -> None:
        groups = whole_numbers("groups", self.groups)
        prices = tuple(amount("price", price) for price in self.prices)
        if set(groups.tolist()) != set(range(len(prices))):
            raise ParameterError(
                f"{len(set(groups.tolist()))} different groups and {len(prices)} prices: number groups from 0 without "
                f"a gap, and give a price for each"
            )
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "prices", prices)
        object.__setattr__(self, "budget", amount("budget", self.budget))

    @classmethod
    def heads(cls, reporters: int, k: int) -> "Bribes":
        """Return the bribery of any k reporters, one by one."""
        return cls(np.arange(reporters), (Fraction(1),) * reporters, Fraction(k))

    @property
    def counts_groups(self) -> bool:
        """Whether every group costs 1, so that the budget is a number of groups."""
        return all(price == 1 for price in self.prices)

    @property
    def free(self) -> tuple[int, ...]:
        """The groups that cost nothing."""
        return tuple(group for group, price in enumerate(self.prices) if price == 0)

    @property
    def whole(self) -> tuple[IntArray, int]:
        """Prices and budget as whole numbers, in the unit in which all prices are whole; the budget is rounded down.

        Where they would add up to more than 2⁵² all are divided and rounded down: then lists that cost a little more
        than the budget pass as well, and `affordable` decides.

        Examples
        --------
        >>> prices, budget = Bribes([0, 1], (Fraction(1, 2), Fraction(1, 3)), Fraction(5, 7)).whole
        >>> prices.tolist(), budget
        ([3, 2], 4)
        """
        unit = lcm(1, *(price.denominator for price in self.prices))
        prices = [int(price * unit) for price in self.prices]
        budget = min(int(self.budget * unit), sum(prices))
        factor = max(1, -(-sum(prices) // _LARGEST))
        return np.array([price // factor for price in prices], dtype=np.int64), budget // factor

    def cost(self, bought: Iterable[int]) -> Fraction:
        """Return what some groups cost together."""
        return sum((self.prices[group] for group in set(bought)), Fraction(0))

    def affordable(self, bought: Iterable[int]) -> bool:
        """Return whether some groups can be bought together."""
        return self.cost(bought) <= self.budget

    def members(self, bought: Iterable[int]) -> IntArray:
        """Return the reporters in some groups, ascending."""
        return np.flatnonzero(np.isin(self.groups, np.array(sorted(set(bought)), dtype=np.int64)))


def amount(name: str, value: object) -> Fraction:
    """Return an amount of money as a fraction of at least 0.

    A text, or a Decimal, is the number as it is written; a float that a few roundings separate from a whole number is
    this number.

    Examples
    --------
    >>> amount("budget", "1.9999999999999999999") < 2, amount("budget", 1 - 1e-16) == 1
    (True, True)
    """
    if str(value).strip().endswith("%"):
        raise ParameterError(f"{name} = {value!r}: give a number of at least 0, not a share")
    number = exact_fraction(name, value, _AMOUNTS, most=0 if isinstance(value, str | Decimal) else 1)
    if number < 0:
        raise ParameterError(f"{name} = {value}: give a number of at least 0")
    if number > _MOST_MONEY:
        raise ParameterError(f"{name} = {value}: give a number of at most 1e300, or count in a larger unit")
    return number
