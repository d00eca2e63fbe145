"""Branch and bound for the list of groups that changes most."""

import heapq
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, IntArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.knapsack import knapsack_bounds, most_affordable
from bribeproof.theory.bribery.races import SHARE, Races

Tree: TypeAlias = dict[tuple[int, ...], list[int]]
"""Lists whose continuations were bounded, and the groups that were added to each, in this order."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the two bounds, in units of value."""
_PAUSE = 0.2
"""Seconds between two calls."""
_FIXED = 1000
"""The work of looking at a list, however few gains are left."""


@dataclass(slots=True)
class _Node:
    """A list, the groups that may be added to it, best first, and bounds of the lists that use them from each on.

    Bounds are kept as far as they are above what is found already.
    """

    members: tuple[int, ...]
    order: NDArray[np.unsignedinteger[Any]]
    bounds: IntArray
    place: int = 0

    @property
    def bound(self) -> int:
        """The most that a list changes that has not been looked at, if that is more than what is found."""
        return int(self.bounds[self.place]) if self.place < len(self.bounds) else -1

    def next(self, groups: int) -> tuple[int, BoolArray]:
        """Return the next group to add, and the groups that may be added after it."""
        self.place += 1
        left = np.zeros(groups, bool)
        left[self.order[self.place :]] = True
        return int(self.order[self.place - 1]), left


@dataclass(slots=True)
class Search:
    """The search for the list of groups that changes most.

    Parameters
    ----------
    races : Races
        What each group gains.
    bribes : Bribes
        What each group costs, and the budget.
    left : bool array of shape (groups,)
        The groups that can be bought.
    base : int
        The value of what is changed in any case.
    deadline : float
        When it ends, by `time.monotonic`.
    enough : int, optional
        A list that changes so much ends the search; `upper` then says no more than that a list may change more.
    most_work : int, optional
        Ends it after so much `work`, which does not depend on the machine.
    progress
        Shows the bounds.

    Attributes
    ----------
    best : tuple of int
        The best list so far.
    lower, upper : int
        What it changes, and the most that any list can change, in units of value.
    tree : Tree
        The lists from which it is proven that no list changes more than `upper`.
    work : int
        How many gains of a group in a race were looked at, and 1,000 for each list: some 10⁷ take a second.

    Notes
    -----
    docs/theory.md, Proposition 14.9. The continuations of a list are ordered by their credits, and each may use only
    the groups after it; a knapsack of credits bounds all from one on. The list with the greatest bound is continued
    next, so that the upper bound falls all the time.
    """

    races: Races
    bribes: Bribes
    left: BoolArray
    base: int
    deadline: float
    enough: int | None = None
    most_work: int | None = None
    progress: Progress | None = None
    best: tuple[int, ...] = ()
    lower: int = 0
    upper: int = 0
    tree: Tree = field(default_factory=dict)
    work: int = 0
    _heap: list[tuple[int, int, _Node]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=count)
    _prices: IntArray = field(init=False)
    _budget: int = field(init=False)
    _shown: float = 0.0

    @classmethod
    def of(
        cls,
        races: Races,
        bribes: Bribes,
        deadline: float,
        enough: int | None = None,
        most_work: int | None = None,
        progress: Progress | None = None,
    ) -> "Search":
        """Return the search after the groups that cost nothing are bought."""
        prices, money = bribes.whole
        left = prices <= money
        left[list(bribes.free)] = False
        base, rest = races.after(bribes.free, left, most_affordable(prices[left], money))
        return cls(rest, bribes, left, base, deadline, enough, most_work, progress)

    def within_reach(self) -> IntArray:
        """Return the items that some groups could change, others for each item, whatever they cost."""
        prices, money = self.bribes.whole
        return self.races.within_reach(most_affordable(prices[self.left], money))

    def run(self) -> None:
        """Search until no list can change more, or enough is found, or the time is over."""
        self._prices, self._budget = self.bribes.whole
        self.lower, self._shown = self.base, time.monotonic()
        self._continue((), self.left)
        self._climb()
        while self._heap and (bound := -self._heap[0][0]) > self._found and not self._over(bound):
            node = heapq.heappop(self._heap)[2]
            group, rest = node.next(len(self.left))
            self._push(node)
            self.tree[node.members].append(group)
            self._continue((*node.members, group), rest)
        self.upper = max(self._found, self.upper, -self._heap[0][0] if self._heap else 0)

    @property
    def _found(self) -> int:
        """What is not searched any more: lists that change no more than the best, or than less than enough."""
        return self.lower if self.enough is None else max(self.lower, self.enough - 1)

    def _over(self, bound: int) -> bool:
        """Return whether the search ends, and show how far it is."""
        now = time.monotonic()
        if self.progress is not None and now - self._shown > _PAUSE:
            self.progress(self.lower, max(self.upper, bound, -self._heap[0][0] if self._heap else 0))
            self._shown = now
        if self.enough is not None and self.lower >= self.enough:
            return True
        return now > self.deadline or (self.most_work is not None and self.work > self.most_work)

    def _after(self, races: Races, bought: Iterable[int], left: BoolArray, most: int) -> tuple[int, Races]:
        """Return what remains of some races, and count the work."""
        self.work += _FIXED + len(races.item)
        return races.after(bought, left, most)

    def _continue(self, members: tuple[int, ...], left: BoolArray) -> None:
        """Look at a list and its continuations: bound them, or find the best."""
        money, left, most = self._afford(members, left)
        value, races = self._after(self.races, members, left, most)
        value += self.base
        self._offer(members, value)
        if not len(races.item):
            return
        credit = races.credits(len(left), last=most == 1)
        if most == 1:
            group = int(credit.argmax())
            self._offer((*members, group), value + int(credit[group]) // SHARE)
            return
        left &= credit > 0
        order, bounds = knapsack_bounds(credit, self._prices, left, money)
        reach = races.total
        bounds = value + np.minimum(bounds // SHARE, reach)
        kept = bounds[: int(np.searchsorted(-bounds, -self._found))]
        node = _Node(members, order.astype(np.min_scalar_type(len(left))), kept.copy())
        self.tree[members] = []
        if most == 2:
            self._pair(node, races, value)
        self._push(node)

    def _pair(self, node: _Node, races: Races, value: int) -> None:
        """Find the best of all lists that add two groups, of which the second one is the last that can be bought."""
        while (bound := node.bound) > self._found and not self._over(bound):
            group, rest = node.next(len(self.left))
            members = (*node.members, group)
            self.tree[node.members].append(group)
            _, rest, last = self._afford(members, rest)
            more, final = self._after(races, (group,), rest, last)
            self._offer(members, value + more)
            if len(final.item):
                gained = final.credits(len(rest), last=True)
                best = int(gained.argmax())
                self._offer((*members, best), value + more + int(gained[best]) // SHARE)

    def _afford(self, members: tuple[int, ...], left: BoolArray) -> tuple[int, BoolArray, int]:
        """Return the money that is left, the groups that it can buy, and how many of them at most."""
        money = self._budget - int(self._prices[list(members)].sum())
        left = left & (self._prices <= money)
        return money, left, most_affordable(self._prices[left], money)

    def _push(self, node: _Node) -> None:
        """Keep a list that may have a better continuation."""
        if node.bound > self._found:
            heapq.heappush(self._heap, (-node.bound, -next(self._number), node))

    def _offer(self, members: tuple[int, ...], value: int) -> None:
        """Take a list if it is better; where prices were rounded, it must be one that can be bought."""
        if value <= self.lower:
            return
        if self.bribes.affordable(members):
            self.best, self.lower = members, value
        else:
            self.upper = max(self.upper, value)

    def _climb(self) -> None:
        """Find a good list: add the best group each time, then exchange one for a better as long as there is one."""
        members: tuple[int, ...] = ()
        while not self._over(0):
            _, left, most = self._afford(members, _without(self.left, members))
            value, races = self._after(self.races, members, left, most)
            self._offer(members, self.base + value)
            credit = races.credits(len(left), last=most == 1)
            if not credit.any():  # nothing is left, or only items that count for nothing
                break
            members += (int((credit / np.maximum(self._prices, 0.5)).argmax()),)
        better = True
        while better:
            better = any(self._exchange(members, member) for member in members)
            members = self.best

    def _exchange(self, members: tuple[int, ...], member: int) -> bool:
        """Return whether another group in the place of one makes a better list."""
        if self._over(0):
            return False
        others = tuple(one for one in members if one != member)
        _, left, most = self._afford(others, _without(self.left, others))
        value, races = self._after(self.races, others, left, min(most, 1))
        if not len(races.item):
            return False
        credit, before = races.credits(len(left), last=True), self.lower
        group = int(credit.argmax())
        self._offer((*others, group), self.base + value + int(credit[group]) // SHARE)
        return self.lower > before


def _without(left: BoolArray, members: tuple[int, ...]) -> BoolArray:
    """Return the groups that are left without some."""
    rest = left.copy()
    rest[list(members)] = False
    return rest
