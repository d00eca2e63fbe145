"""All sets of groups that can be bribed together and are not part of a larger one."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof.theory.bribery.bribes import Bribes


def largest_sets(bribes: Bribes, most: int) -> list[tuple[int, ...]] | None:
    """Return every affordable set of groups to which no other group can be added.

    Whatever a set can do, a larger one can do too: its members may write what they wrote.

    Parameters
    ----------
    bribes : Bribes
        The groups, their prices and the budget.
    most : int
        Up to so many sets are listed.

    Returns
    -------
    list of tuple of int, or None
        The sets, each ascending; None if there are more.

    Examples
    --------
    >>> from fractions import Fraction
    >>> largest_sets(Bribes([0, 1, 2], (Fraction(1), Fraction(2), Fraction(3)), Fraction(3)), most=10)
    [(0, 1), (2,)]
    >>> largest_sets(Bribes.heads(reporters=40, k=8), most=1000) is None
    True
    """
    groups = len(bribes.prices)
    if bribes.counts_groups:
        size = min(groups, int(bribes.budget))
        return list(combinations(range(groups), size)) if comb(groups, size) <= most else None
    prices, budget = bribes.whole
    order = sorted(range(groups), key=lambda group: (-prices[group], group))
    costs = [int(prices[group]) for group in order]
    rest = [sum(costs[place:]) for place in range(groups + 1)]
    found: list[tuple[int, ...]] = []
    # Dearest first: a set is largest if the cheapest group that was passed over does not fit what is left.
    todo: list[tuple[int, int, int, tuple[int, ...]]] = [(0, int(budget), int(budget) + 1, ())]
    while todo:
        place, left, passed, chosen = todo.pop()
        if passed <= left - rest[place]:
            continue  # even with all that follow, the group that was passed over still fits
        if rest[place] <= left:
            found.append(tuple(sorted((*chosen, *order[place:]))))
            if len(found) > most:
                return None
            continue
        todo.append((place + 1, left, min(passed, costs[place]), chosen))
        if costs[place] <= left:
            todo.append((place + 1, left - costs[place], passed, (*chosen, order[place])))
    return sorted(found)


def membership(bribes: Bribes, sets: Sequence[tuple[int, ...]]) -> BoolArray:
    """Return which reporters are in each set of groups, shape (sets, reporters)."""
    bought = np.zeros((len(sets), len(bribes.prices)), dtype=bool)
    for row, groups in enumerate(sets):
        bought[row, list(groups)] = True
    members: BoolArray = bought[:, bribes.groups]
    return members
