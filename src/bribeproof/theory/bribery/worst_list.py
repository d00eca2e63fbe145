"""The groups of reporters who could change most of a table, with a proven upper bound."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import BoolArray
from bribeproof._validation import real, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.races import Races, find_races
from bribeproof.theory.bribery.recheck import WorstListRecheck, recheck_list
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
    bound : int
        No list within the budget changes more, in units of `values`.
    possible : bool array of shape (items,)
        The items that lists within the budget might change, another list on each; no list changes any other.
    tree : Tree
        The lists whose continuations were bounded one by one: the witness of the bound.
    work : int
        How much the search looked at, as `most_work` counts it.
    """

    ballots: Ballots
    bribes: Bribes
    values: InUnits
    groups: tuple[int, ...]
    changed: BoolArray
    bound: int
    possible: BoolArray
    tree: Tree
    work: int = 0

    @property
    def lower(self) -> float:
        """The value of the items that the list could change."""
        return int(self.values.low[self.changed].sum()) * float(self.values.unit)

    @property
    def upper(self) -> float:
        """No list within the budget changes more."""
        return self.bound * float(self.values.unit)

    @property
    def exact(self) -> bool:
        """Whether the two are the same, but for the rounding of values that have no common unit."""
        return int(self.values.high[self.changed].sum()) >= self.bound

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of the bribed reporters, ascending."""
        return tuple(self.bribes.members(self.groups).tolist())

    @property
    def cost(self) -> Fraction:
        """What the bribe costs."""
        return self.bribes.cost(self.groups)

    def recheck(self) -> WorstListRecheck:
        """Rewrite the reports of the list, count the items that turn, and prove the bound anew; see `recheck_list`."""
        return recheck_list(self)


@dataclass(frozen=True, slots=True, eq=False)
class ListSearch:
    """The table that lists are searched for, however much can be spent.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    bribes : Bribes
        The groups and their prices; the budget does not matter.
    values : InUnits
        What each item counts.
    races : Races
        What each group gains.
    """

    ballots: Ballots
    bribes: Bribes
    values: InUnits
    races: Races

    @classmethod
    def of(cls, ballots: Ballots, bribes: Bribes, values: ArrayLike | None) -> "ListSearch":
        """Return the search of a table; without values, each item counts 1."""
        reporters = len(bribes.groups)
        if reporters != ballots.reporters:
            raise ParameterError(f"bribes has groups of {reporters} reporters, and there are {ballots.reporters}")
        worth = np.ones(ballots.items, np.int64) if values is None else np.asarray(values)
        if worth.shape != (ballots.items,):
            raise ParameterError(f"values of shape {worth.shape}: give {ballots.items} numbers of at least 0")
        whole = in_units("values", worth)
        return cls(ballots, bribes, whole, find_races(ballots, bribes, whole.high))

    def within(
        self,
        budget: Fraction,
        deadline: float,
        *,
        enough: int | None = None,
        most_work: int | None = None,
        progress: Callable[[float, float], None] | None = None,
    ) -> WorstList:
        """Return the worst list within a budget, or with ``enough`` any list that changes as much, if there is one.

        Parameters
        ----------
        budget
            The most that is spent.
        deadline
            When the search ends, by `time.monotonic`.
        enough
            In units of value; then the bound is at least one less.
        most_work, progress
            As in `worst_list`.
        """
        bribes, unit = replace(self.bribes, budget=budget), float(self.values.unit)
        shown = None if progress is None else (lambda lower, upper: progress(lower * unit, upper * unit))
        search = Search.of(self.races, bribes, deadline, enough, most_work, shown)
        search.run()
        groups = tuple(sorted({*search.best, *bribes.free}))
        changed = self.ballots.changed_by(bribes.members(groups))
        possible = self.ballots.changed_by(bribes.members(bribes.free))
        possible[search.within_reach()] = True
        return WorstList(
            self.ballots, bribes, self.values, groups, changed, search.upper, possible, search.tree, search.work
        )


def worst_list(
    ballots: Ballots,
    bribes: Bribes | int,
    *,
    values: ArrayLike | None = None,
    time_limit: float = 60.0,
    most_work: int | None = None,
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
    most_work : int, optional
        Ends the search after so many gains of a group in a race were looked at, 1,000 added for each list; some 10⁷
        take a second. Unlike seconds it is the same on all machines.
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
    deadline = end_of(time_limit)
    if not isinstance(bribes, Bribes):
        bribes = Bribes.heads(ballots.reporters, whole_number("k", bribes, minimum=0))
    search = ListSearch.of(ballots, bribes, values)
    return search.within(bribes.budget, deadline, most_work=most_work, progress=progress)


def end_of(time_limit: float) -> float:
    """Return when a time limit in seconds is over, by `time.monotonic`."""
    if real("time_limit", time_limit) <= 0:
        raise ParameterError(f"time_limit = {time_limit} is no number of seconds above 0")
    return time.monotonic() + time_limit
