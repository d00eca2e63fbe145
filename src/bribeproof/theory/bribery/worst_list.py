"""The groups of reporters who could change most of a table, with a proven upper bound."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import BoolArray
from bribeproof._validation import real, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.knapsack import most_affordable
from bribeproof.theory.bribery.races import find_races
from bribeproof.theory.bribery.search import Search, Tree
from bribeproof.theory.bribery.units import InUnits, in_units


@dataclass(frozen=True, slots=True, eq=False)
class WorstList:
    """A list of bribed groups, what it could change, and a bound of what any list within the budget could.

    Parameters
    ----------
    ballots, bribes
        The reports, and what can be bribed.
    values : InUnits
        What each item counts.
    groups : tuple of int
        The numbers of the bribed groups, ascending; of the reporters where each is by itself.
    changed : bool array of shape (items,)
        The items that they could change.
    lower : float
        The value of these items.
    upper : float
        No list within the budget changes more.
    exact : bool
        Whether the two are the same, but for the rounding of values that have no common unit.
    possible : bool array of shape (items,)
        The items that lists within the budget might change, another list on each; no list changes any other.
    tree : Tree
        The lists whose continuations were bounded one by one: the witness of the upper bound.
    """

    ballots: Ballots
    bribes: Bribes
    values: InUnits
    groups: tuple[int, ...]
    changed: BoolArray
    lower: float
    upper: float
    exact: bool
    possible: BoolArray
    tree: Tree

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of the bribed reporters, ascending."""
        return tuple(self.bribes.members(self.groups).tolist())

    @property
    def cost(self) -> Fraction:
        """What the bribe costs."""
        return self.bribes.cost(self.groups)


def worst_list(
    ballots: Ballots,
    bribes: Bribes | int,
    *,
    values: ArrayLike | None = None,
    time_limit: float = 60.0,
    most_lists: int | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> WorstList:
    """Return the reporters who, if bribed together on all items, could change most of them.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    bribes : Bribes or int
        The groups that can be bribed, their prices and the budget; or how many reporters are bribed, at least 0.
    values : array of shape (items,), optional
        What each item counts, at least 0; by default 1.
    time_limit : float, default 60
        Seconds after which the search ends with the best list and the bound that it has.
    most_lists : int, optional
        Ends the search after so many lists whose continuations were bounded: unlike seconds, the same on all machines.
    progress : callable, optional
        Called now and then with the value of the best list so far, and the upper bound.

    Returns
    -------
    WorstList
        The best list that was found, and a bound that holds in any case.

    Raises
    ------
    ParameterError
        A number below 0, values that are none, or a time limit that is not positive.

    Notes
    -----
    docs/theory.md, Proposition 14.9. Items without a unique winner count for nothing: they are not decided.

    Examples
    --------
    >>> item, reporter = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    >>> ballots = Ballots(item, reporter, [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0], items=4, reporters=3, classes=2)
    >>> one = worst_list(ballots, 1)
    >>> one.members, one.lower, one.exact
    ((0,), 3.0, True)
    >>> worst_list(ballots, Bribes([0, 1, 1], (Fraction(3), Fraction(2)), Fraction(4))).members
    (1, 2)
    """
    deadline = time.monotonic() + real("time_limit", time_limit)
    if time_limit <= 0:
        raise ParameterError(f"time_limit = {time_limit} is no number of seconds above 0")
    if not isinstance(bribes, Bribes):
        bribes = Bribes.heads(ballots.reporters, whole_number("k", bribes, minimum=0))
    if bribes.groups.shape != (ballots.reporters,):
        raise ParameterError(f"bribes has groups of {len(bribes.groups)} reporters, and there are {ballots.reporters}")
    worth = np.ones(ballots.items, np.int64) if values is None else np.asarray(values)
    if worth.shape != (ballots.items,):
        raise ParameterError(f"values of shape {worth.shape}: give {ballots.items} numbers of at least 0")
    whole = in_units("values", worth)
    unit = float(whole.unit)
    shown = None if progress is None else (lambda lower, upper: progress(lower * unit, upper * unit))
    prices, budget = bribes.whole
    left = prices <= budget
    left[list(bribes.free)] = False
    free = bribes.members(bribes.free)
    most = most_affordable(prices[left], budget)
    base, races = find_races(ballots, bribes, whole.high).after(bribes.free, left, most)
    search = Search(races, bribes, left, base, deadline, most_lists, shown)
    search.run()
    groups = tuple(sorted({*search.best, *bribes.free}))
    changed = ballots.changed_by(bribes.members(groups))
    lower, upper = int(whole.low[changed].sum()), search.upper
    exact = search.finished and int(whole.high[changed].sum()) == upper
    possible = ballots.changed_by(free)
    possible[races.item] = True
    return WorstList(ballots, bribes, whole, groups, changed, lower * unit, upper * unit, exact, possible, search.tree)
