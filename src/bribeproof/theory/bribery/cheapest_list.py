"""The least that has to be spent on reporters who could change so much of a table."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from numpy.typing import ArrayLike

from bribeproof._validation import exact_fraction
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.recheck import CheapestListRecheck
from bribeproof.theory.bribery.worst_list import ListSearch, WorstList, end_of


@dataclass(frozen=True, slots=True, eq=False)
class CheapestList:
    """A list that could change enough, what it costs, and a bound below which no list could.

    Parameters
    ----------
    found : WorstList
        The list, within a budget of what it costs.
    refuted : WorstList or None
        The largest budget with which no list could change enough, with the witness of that; None if none is known,
        as where a list costs nothing.
    enough : Fraction
        What was to be changed.
    least : Fraction
        No list that costs less could change enough.
    """

    found: WorstList
    refuted: WorstList | None
    enough: Fraction
    least: Fraction

    @property
    def cost(self) -> Fraction:
        """What the list costs; of groups that all cost 1 their number."""
        return self.found.cost

    @property
    def exact(self) -> bool:
        """Whether no list that costs less could change enough."""
        return self.cost == self.least

    def recheck(self) -> CheapestListRecheck:
        """Check that the list changes enough and costs what it should, and that no list costs less than `least`.

        Both parts are checked as `recheck_list` says. What follows from the prices alone is that every list costs a
        multiple of their common unit, so that one which costs more than a budget costs the next multiple at least.
        """
        enough = self.enough / self.found.values.unit
        changed, found = int(self.found.values.low[self.found.changed].sum()), self.found.recheck()
        if self.refuted is None:
            return CheapestListRecheck(changed >= enough, self.least == 0, found, None)
        covered = self.refuted.bribes.budget + _unit(self.refuted.bribes) >= self.least
        bounded = covered and self.refuted.bound < enough
        return CheapestListRecheck(changed >= enough, bounded, found, self.refuted.recheck())


def cheapest_list(
    ballots: Ballots,
    bribes: Bribes | None = None,
    *,
    values: ArrayLike | None = None,
    enough: object = 1,
    time_limit: float = 60.0,
    progress: Callable[[Fraction, Fraction], None] | None = None,
) -> CheapestList:
    """Return the fewest reporters, or the cheapest, who could change so much of a table.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    bribes : Bribes, optional
        The groups that can be bribed and their prices; the budget is not used. By default every reporter costs 1.
    values : array of shape (items,), optional
        What each item counts, at least 0; by default 1. With values of 1 for one item and 0 for the others, that item
        is to be changed.
    enough : number
        How much is to be changed, above 0 and at most the value of all decided items.
    time_limit : float, default 60
        Seconds after which the search ends with the list and the bound that it has.
    progress : callable, optional
        Called now and then with the least that has to be spent, and what the best list costs.

    Returns
    -------
    CheapestList
        The list, and a bound that holds in any case.

    Raises
    ------
    ParameterError
        If so much cannot be changed, a number is below 0, or the time limit is not positive.

    Notes
    -----
    docs/theory.md, Proposition 14.10. What a budget is enough for, a larger one is: budgets are tried by halving.

    Examples
    --------
    >>> import numpy as np
    >>> item, reporter = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    >>> ballots = Ballots(item, reporter, [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0], items=4, reporters=3, classes=2)
    >>> found = cheapest_list(ballots, enough=4)
    >>> found.found.members, found.cost, found.least, found.recheck().ok
    ((0, 1), Fraction(2, 1), Fraction(2, 1), True)
    """
    deadline = end_of(time_limit)
    bribes = Bribes.heads(ballots.reporters, 0) if bribes is None else bribes
    search = ListSearch.of(ballots, bribes, values)
    needed = exact_fraction("enough", enough, "(0, …)")
    most = int(search.values.low[ballots.winner >= 0].sum()) * search.values.unit
    if not 0 < needed <= most:
        raise ParameterError(
            f"enough = {enough}: all decided items together count {float(most):g}; give a number above 0 and up to that"
        )
    halving = _Halving(search, -(-needed // search.values.unit), deadline, progress)
    halving.run()
    found = replace(halving.found, bribes=replace(bribes, budget=halving.found.cost))
    return CheapestList(found, halving.refuted, needed, halving.least * halving.unit)


@dataclass(slots=True)
class _Halving:
    """The search for the least budget that is enough, in units of which all prices are multiples.

    Attributes
    ----------
    least
        No smaller budget is enough.
    found
        The cheapest list that is enough.
    refuted
        The witness that a budget of one unit less than `least` is not enough.
    """

    search: ListSearch
    enough: int
    deadline: float
    progress: Callable[[Fraction, Fraction], None] | None
    least: int = 0
    found: WorstList = field(init=False)
    refuted: WorstList | None = None

    @property
    def unit(self) -> Fraction:
        """The unit of prices."""
        return _unit(self.search.bribes)

    @property
    def price(self) -> int:
        """What the cheapest list costs."""
        return int(self.found.cost / self.unit)

    def run(self) -> None:
        """Search until no budget is left, or the time is over; a budget that is not settled in time is left open."""
        self.found = self._everything()
        first = self._ask(self.price, share=0.2)  # the list that is best for its price each time
        if first is not None and self._is_enough(first):
            self.found = first
        from_, to = 0, 0  # budgets from the one to below the other were tried and left open
        while time.monotonic() < self.deadline and (budget := self._next(from_, to)) is not None:
            tried = self._ask(budget, share=0.3)
            if self._is_enough(tried):
                self.found = tried
            elif tried.bound < self.enough:
                self.least, self.refuted = budget + 1, tried
            else:
                from_, to = (min(from_, budget), max(to, budget + 1)) if to > self.least else (budget, budget + 1)

    def _next(self, from_: int, to: int) -> int | None:
        """Return the next budget to try: in the middle of the wider range that is neither settled nor left open."""
        ranges = [(self.least, self.price)]
        if self.least < to:
            ranges = [(self.least, min(from_, self.price)), (max(to, self.least), self.price)]
        low, high = max(ranges, key=lambda ends: ends[1] - ends[0])
        return (low + high) // 2 if low < high else None

    def _ask(self, budget: int, share: float) -> WorstList:
        """Return a list that is enough within a budget, if one is found in a share of the time that is left."""
        now = time.monotonic()
        shown = None
        if (tell := self.progress) is not None:
            shown = lambda *_: tell(self.least * self.unit, self.found.cost)  # noqa: E731
        until = now + share * (self.deadline - now)
        return self.search.within(budget * self.unit, until, enough=self.enough, progress=shown)

    def _is_enough(self, found: WorstList) -> bool:
        """Return whether a list changes enough."""
        return int(found.values.low[found.changed].sum()) >= self.enough

    def _everything(self) -> WorstList:
        """Return the list of all groups, which changes every decided item."""
        bribes, ballots = self.search.bribes, self.search.ballots
        groups = tuple(range(len(bribes.prices)))
        decided = ballots.winner >= 0
        bought = replace(bribes, budget=bribes.cost(groups))
        bound = int(self.search.values.high[decided].sum())
        return WorstList(ballots, bought, self.search.values, groups, decided, bound, decided, {})


def _unit(bribes: Bribes) -> Fraction:
    """Return the unit of which all prices are multiples."""
    return Fraction(1, lcm(1, *(price.denominator for price in bribes.prices)))
