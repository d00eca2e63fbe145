"""Branch and bound for the list of groups that changes most."""

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import numpy as np

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


@dataclass(slots=True)
class _Node:
    """A list, the groups that may be added to it, best first, and bounds of the lists that use them from each on."""

    members: tuple[int, ...]
    left: BoolArray
    order: IntArray
    bounds: IntArray
    place: int = 0

    @property
    def bound(self) -> int:
        """The most that a list changes that has not been looked at."""
        return int(self.bounds[self.place]) if self.place < len(self.order) else -1

    def next(self) -> tuple[int, BoolArray]:
        """Return the next group to add, and the groups that may be added after it."""
        self.place += 1
        left = self.left.copy()
        left[self.order[: self.place]] = False
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
    most_lists : int, optional
        Ends it after so many lists whose continuations were bounded, which does not depend on the machine.
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
    finished : bool
        Whether the search ended by itself.

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
    most_lists: int | None = None
    progress: Progress | None = None
    best: tuple[int, ...] = ()
    lower: int = 0
    upper: int = 0
    tree: Tree = field(default_factory=dict)
    finished: bool = False
    _heap: list[tuple[int, int, _Node]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=count)
    _prices: IntArray = field(init=False)
    _budget: int = field(init=False)

    def run(self) -> None:
        """Search until no list can change more, or the time is over."""
        self._prices, self._budget = self.bribes.whole
        self.lower = self.base
        self._continue((), self.left)
        self._climb()
        shown = time.monotonic()
        while self._heap and -self._heap[0][0] > self.lower:
            now = time.monotonic()
            if now > self.deadline or (self.most_lists is not None and len(self.tree) > self.most_lists):
                break
            if self.progress is not None and now - shown > _PAUSE:
                self.progress(self.lower, max(self.upper, -self._heap[0][0]))
                shown = now
            node = heapq.heappop(self._heap)[2]
            group, rest = node.next()
            self._push(node)
            self.tree[node.members].append(group)
            self._continue((*node.members, group), rest)
        self.upper = max(self.lower, self.upper, -self._heap[0][0] if self._heap else 0)
        self.finished = self.upper == self.lower

    def _continue(self, members: tuple[int, ...], left: BoolArray) -> None:
        """Look at a list and its continuations: bound them, or find the best."""
        money, left, most = self._afford(members, left)
        value, races = self.races.after(members, left, most)
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
        reach = int(races.value[np.unique(races.item)].sum())
        node = _Node(members, left, order, value + np.minimum(bounds // SHARE, reach))
        self.tree[members] = []
        if most > 2:
            self._push(node)
            return
        while node.bound > self.lower:
            group, rest = node.next()
            self.tree[members].append(group)
            _, rest, last = self._afford((*members, group), rest)
            more, final = races.after((group,), rest, last)
            self._offer((*members, group), value + more)
            if len(final.item):
                gained = final.credits(len(rest), last=True)
                best = int(gained.argmax())
                self._offer((*members, group, best), value + more + int(gained[best]) // SHARE)

    def _afford(self, members: tuple[int, ...], left: BoolArray) -> tuple[int, BoolArray, int]:
        """Return the money that is left, the groups that it can buy, and how many of them at most."""
        money = self._budget - int(self._prices[list(members)].sum())
        left = left & (self._prices <= money)
        return money, left, most_affordable(self._prices[left], money)

    def _push(self, node: _Node) -> None:
        """Keep a list that may have a better continuation."""
        if node.bound > self.lower:
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
        while time.monotonic() < self.deadline:
            _, left, most = self._afford(members, _without(self.left, members))
            value, races = self.races.after(members, left, most)
            self._offer(members, self.base + value)
            if not len(races.item):
                break
            credit = races.credits(len(left), last=most == 1)
            members += (int((credit / np.maximum(self._prices, 0.5)).argmax()),)
        better = True
        while better:
            better = any(self._exchange(members, member) for member in members)
            members = self.best

    def _exchange(self, members: tuple[int, ...], member: int) -> bool:
        """Return whether another group in the place of one makes a better list."""
        if time.monotonic() > self.deadline:
            return False
        others = tuple(one for one in members if one != member)
        _, left, most = self._afford(others, _without(self.left, others))
        value, races = self.races.after(others, left, min(most, 1))
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
