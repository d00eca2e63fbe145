"""Check a worst list without the search: rewrite the reports, and prove the bound from the tree of the search."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.races import find_races

if TYPE_CHECKING:
    from bribeproof.theory.bribery.worst_list import WorstList


@dataclass(frozen=True, slots=True)
class WorstListRecheck:
    """What came of checking a list and the bound.

    Attributes
    ----------
    turned : bool array of shape (items,)
        The decided items that lost their winner when the reports of the list were rewritten.
    lost : int
        How many items are among those that the list should change, and did not turn.
    affordable : bool
        Whether the list is within the budget.
    lists : int
        How many lists were bounded, one by one, to cover all within the budget.
    above : tuple of int or None
        A list at which the bound could not be proven; None if it is proven.
    """

    turned: BoolArray
    lost: int
    affordable: bool
    lists: int
    above: tuple[int, ...] | None

    @property
    def ok(self) -> bool:
        """Whether the list does what it should, is within the budget, and the bound is proven."""
        return not self.lost and self.affordable and self.above is None

    def __bool__(self) -> bool:
        """Return `ok`."""
        return self.ok


@dataclass(frozen=True, slots=True)
class CheapestListRecheck:
    """What came of checking that a list is enough, and that no cheaper one is.

    Attributes
    ----------
    enough : bool
        Whether the items that the list should change count enough.
    bounded : bool
        Whether the least cost follows from the budget that is refuted; without one, whether it is 0.
    found : WorstListRecheck
        What came of checking the list.
    refuted : WorstListRecheck or None
        What came of checking the largest budget that is not enough; None if none is known.
    """

    enough: bool
    bounded: bool
    found: WorstListRecheck
    refuted: WorstListRecheck | None

    @property
    def ok(self) -> bool:
        """Whether the list changes enough, and every list that does costs as much as is said at least."""
        return self.enough and self.bounded and self.found.ok and (self.refuted is None or self.refuted.ok)

    def __bool__(self) -> bool:
        """Return `ok`."""
        return self.ok


def recheck_list(worst: "WorstList") -> WorstListRecheck:
    """Rewrite the reports of a list, count the items that turn, and prove the bound anew.

    It proves two things. The list is what it should be: its reports are rewritten as one table, each item for the rival
    that is strongest without them, all are counted again, and the items that lost their winner are compared with those
    that it should change. And no list changes more than the bound: the tree of the search names lists, and what was
    added to them in which order, so that every list within the budget is one of them or continues one of them by groups
    that were not added before; the credits of all these groups are computed from their gains, and bounded by a dual
    solution of the knapsack problem, whatever the search had found.

    It does not prove that no other list changes as much; that the groups, prices, values and weights are right; or the
    gains of the groups in each race, which are those of `find_races` (docs/theory.md, Proposition 14.1), as in the
    search.

    Parameters
    ----------
    worst : WorstList
        What `worst_list` returned.

    Notes
    -----
    docs/theory.md, Proposition 14.9. The check takes about as long as the search, or a few times as long, whatever its
    time limit was. Sums of floating-point numbers are increased by what their rounding can be.

    Examples
    --------
    >>> from bribeproof.theory.bribery.worst_list import worst_list
    >>> item, reporter = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    >>> ballots = Ballots(item, reporter, [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0], items=4, reporters=3, classes=2)
    >>> check = worst_list(ballots, 1).recheck()
    >>> check.ok, check.turned.tolist()
    (True, [True, True, False, True])
    """
    ballots = worst.ballots
    after = rewritten(ballots, worst.members)
    turned: BoolArray = (ballots.winner >= 0) & (after.winner != ballots.winner)
    lists, above = _Proof(worst).run()
    affordable = worst.bribes.affordable(worst.groups)
    return WorstListRecheck(turned, int((worst.changed & ~turned).sum()), affordable, lists, above)


def rewritten(ballots: Ballots, members: tuple[int, ...]) -> Ballots:
    """Return the ballots with the reports of some reporters given to the strongest rival of each item without them.

    A class more than there are stands for one that nobody named, where there is no other rival.

    Examples
    --------
    >>> ballots = Ballots([0, 0, 0], [0, 1, 2], [1, 1, 0], items=1, reporters=3, classes=2)
    >>> rewritten(ballots, (0,)).choice.tolist()
    [0, 1, 0]
    """
    theirs = np.isin(ballots.reporter, np.array(members, np.int64))
    weights = ballots.in_units.low[ballots.reporter]
    totals = np.zeros((ballots.items, ballots.classes + 1), np.int64)
    np.add.at(totals, (ballots.item[~theirs], ballots.choice[~theirs]), weights[~theirs])
    decided = np.flatnonzero(ballots.winner >= 0)
    totals[decided, ballots.winner[decided]] = -1
    choice = np.where(theirs, totals.argmax(axis=1)[ballots.item], ballots.choice)
    return Ballots(
        ballots.item, ballots.reporter, choice, ballots.items, ballots.reporters, ballots.classes + 1, ballots.weights
    )


class _Gains(NamedTuple):
    """What groups gain in races: the item, the group, the race and the gain of each, sorted by item and group."""

    item: IntArray
    group: IntArray
    race: IntArray
    gain: IntArray

    def only(self, chosen: BoolArray) -> "_Gains":
        """Return some of them."""
        return _Gains(*(each[chosen] for each in self))


class _State(NamedTuple):
    """A list: what it changes, what is left of its money, and of the groups and races for those that continue it."""

    members: tuple[int, ...]
    value: int
    money: int
    left: BoolArray
    need: IntArray
    gains: _Gains


class _Proof:
    """The proof of the bound of a worst list, from its tree."""

    def __init__(self, worst: "WorstList") -> None:
        self._tree, self._bound, self._value = worst.tree, worst.bound, worst.values.high
        self._prices, self._budget = worst.bribes.whole
        races = find_races(worst.ballots, worst.bribes, self._value)
        left = np.ones(len(self._prices), bool)
        free = list(worst.bribes.free)
        left[free] = False
        gains = _Gains(races.item, races.group, races.race, races.gain)
        nobody = _State((), 0, self._budget, np.ones(len(left), bool), races.need, gains)
        self._root = self._add(nobody, free, left, 0)._replace(members=())

    def run(self) -> tuple[int, tuple[int, ...] | None]:
        """Return how many lists were bounded, and one at which the bound is not proven, or None."""
        todo, lists = [self._root], 0
        while todo:
            state = todo.pop()
            lists += 1
            left = state.left & (self._prices <= state.money)
            for group in self._tree.get(state.members, []):
                left = left.copy()
                left[group] = False
                if self._prices[group] <= state.money and state.left[group]:
                    todo.append(self._add(state, [group], left, int(self._prices[group])))
            if state.value + self._most_added(state, left) > self._bound:
                return lists, state.members
        return lists, None

    def _add(self, state: _State, groups: list[int], left: BoolArray, price: int) -> _State:
        """Return a list with some groups more, and those that may follow."""
        new = np.zeros(len(left), bool)
        new[groups] = True
        theirs = state.gains.only(new[state.gains.group])
        need = state.need.copy()
        np.subtract.at(need, theirs.race, theirs.gain)
        changed = np.zeros(len(self._value), bool)
        changed[theirs.item[need[theirs.race] <= 0]] = True
        value = state.value + int(self._value[changed].sum())
        gains = state.gains.only(left[state.gains.group] & ~changed[state.gains.item])
        return _State((*state.members, *groups), value, state.money - price, left, need, gains)

    def _most_added(self, state: _State, left: BoolArray) -> int:
        """Return a bound of what some groups add to a list for the money that is left.

        Groups that help in no race which can be won are left out; then fewer may be affordable at once.
        """
        most = len(left) + 1
        while (fewer := self._affordable(left, state.money)) < most:
            most = fewer
            credit, reach, error = self._credits(state, left, most)
            left = left & (credit > 0)
        bound = credit.max() if most == 1 else knapsack_dual(credit[left], self._prices[left], state.money)
        return int(min(bound * (1 + error), reach))

    def _affordable(self, left: BoolArray, money: int) -> int:
        """Return how many of some groups can be bought at most."""
        return int((np.cumsum(np.sort(self._prices[left])) <= money).sum())

    def _credits(self, state: _State, left: BoolArray, most: int) -> tuple[FloatArray, int, float]:
        """Return the credit of each group, the value of all items that can be won, and the relative error of sums."""
        gains = state.gains.only(left[state.gains.group])
        need = state.need[gains.race]
        gain = np.minimum(gains.gain, need)
        together, largest = np.zeros((2, len(state.need)))
        np.add.at(together, gains.race, gain)
        np.maximum.at(largest, gains.race, gain)
        possible = np.minimum(together, most * largest)[gains.race] >= need
        gains, share = gains.only(possible), gain[possible] / need[possible]
        if most == 1:
            share = np.floor(share)
        pairs, place = np.unique(gains.item * len(left) + gains.group, return_inverse=True)
        best = np.zeros(len(pairs))
        np.maximum.at(best, place, share)
        worth = best * self._value[pairs // len(left)]
        credit: FloatArray = np.bincount(pairs % len(left), worth, minlength=len(left)).astype(np.float64)
        # Each of the terms is at least 0, so that sums are wrong by 2⁻⁵³ of themselves for each term at most.
        error = (len(pairs) + len(left) + 16) * 2.0**-52
        return credit, int(self._value[np.unique(gains.item)].sum()), error


def knapsack_dual(credit: FloatArray, prices: IntArray, money: int) -> float:
    """Return a bound of the credit that can be bought, by a price of credit.

    For every y ≥ 0, the credit of things that cost at most M together is at most yM + Σ max(0, credit − y·price).

    Examples
    --------
    >>> knapsack_dual(np.array([6.0, 5.0, 4.0]), np.array([2, 4, 2]), 4)
    10.0
    """
    paid = prices > 0
    free, credit, prices = float(credit[~paid].sum()), credit[paid], prices[paid]
    if not len(prices) or prices.sum() <= money:
        return free + float(credit.sum())
    unit = int(np.gcd.reduce(prices))
    prices, money = prices // unit, money // unit
    order = np.argsort(-credit / prices)
    last = order[int(np.searchsorted(np.cumsum(prices[order]), money, side="right"))]
    y = credit[last] / prices[last]
    return free + float(y * money + np.maximum(0.0, credit - y * prices).sum())
