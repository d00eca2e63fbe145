"""What groups of reporters that can be bribed hold and can change on gold items."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import IntArray
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.frames.bribed_groups import GROUP, BribedGroups
from bribeproof.frames.label_classes import UNKNOWN
from bribeproof.frames.schema import REPORTER
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.item_groups import ItemGroups

_CELLS = 2**22
"""The most cells of races by groups that are held at once."""
_MOST_STEPS = 5 * 10**6
"""Lists within a budget are counted in at most so many steps, one for each group and unit of money."""


@dataclass(frozen=True, eq=False)
class GoldBribes:
    """The groups of reporters that can be bribed.

    Attributes
    ----------
    bribes
        The group of each reporter of the gold items' table, and the price of each group.
    names
        The names of the groups.
    silence
        Whether bribed reporters may also withhold reports, and add some where they have none.
    """

    bribes: Bribes
    names: tuple[Any, ...]
    silence: bool

    @classmethod
    def of(cls, gold: GoldReports, groups: BribedGroups, *, silence: bool) -> "GoldBribes":
        """Return the groups in the order of the reporters of gold items."""
        number = dict(groups.of_reporters.select(REPORTER, GROUP).iter_rows())
        of_reporter = np.array([number[name] for name in gold.reporters], np.int64)
        known = groups.named
        return cls(Bribes(of_reporter, known.bribes.prices, known.bribes.budget), known.names, silence)

    def within(self, number: int | Fraction) -> Bribes:
        """Return what can be bribed for a budget, or so many groups."""
        return replace(self.bribes, budget=Fraction(number))

    def lists(self, number: int | Fraction) -> int:
        """Return a bound of the number of lists that no other one within the budget contains.

        None of these contains another, so that they are at most C(n, n/2) (Sperner); of equal prices they are as many
        as there are choices of so many groups.

        Examples
        --------
        >>> prices = tuple(map(Fraction, (1, 1, 2, 5)))
        >>> both = GoldBribes(Bribes([0, 1, 2, 3], prices, Fraction(0)), tuple("abcd"), silence=True)
        >>> both.lists(0), both.lists(1), both.lists(3), both.lists(100)
        (1, 3, 6, 6)
        """
        bribes = self.within(number)
        prices = [price for price in bribes.prices if price]
        n = len(prices)
        if len(set(prices)) <= 1:
            chosen = n if not n else min(n, int(bribes.budget / prices[0]))
            return math.comb(n, min(chosen, n // 2))
        most = math.comb(n, n // 2)
        unit = math.lcm(*(price.denominator for price in prices))
        budget = min(int(bribes.budget * unit), sum(int(price * unit) for price in prices))
        if n * budget > _MOST_STEPS:
            return most
        ways = [1] + [0] * budget
        for price in prices:
            whole = int(price * unit)
            for spent in range(budget, whole - 1, -1):
                ways[spent] += ways[spent - whole]
        return min(most, sum(ways))

    def most(self, values: NDArray[Any], bribes: Bribes) -> NDArray[Any]:
        """Return the largest sum of values of affordable groups in each row.

        Parameters
        ----------
        values : array of shape (rows, groups)
            Numbers of at least 0.
        bribes : Bribes
            The budget.
        """
        rows, groups = values.shape
        if bribes.counts_groups:
            k = min(int(bribes.budget), groups)
            largest: NDArray[Any] = np.sort(values, axis=1)[:, groups - k :].sum(axis=1)
            return largest
        within = np.flatnonzero([price <= bribes.budget for price in bribes.prices])
        if not within.size:
            return np.zeros(rows, values.dtype)
        row, place = np.divmod(np.arange(rows * within.size), within.size)
        return ItemGroups(row, within[place], rows, bribes).most(values[:, within].ravel())


@dataclass(frozen=True, eq=False)
class GoldGroups:
    """The reports that each group has on each gold item.

    Attributes
    ----------
    gold
        The reports.
    bribes
        The groups.
    weights
        What the reports of each reporter count.
    """

    gold: GoldReports
    bribes: GoldBribes
    weights: NDArray[Any]

    def blocks(self) -> Iterator[IntArray]:
        """Yield items in turns, few enough for an array of their races by groups."""
        groups = len(self.bribes.names)
        rivals = int((self.gold.counts() > 0).sum(axis=1).max(initial=0)) + 1
        step = max(1, _CELLS // (groups * rivals))
        edges = [*range(0, len(self.gold.truth), step), len(self.gold.truth)]
        for start, stop in pairwise(edges):
            yield np.arange(start, stop)

    def gains(self, items: IntArray) -> tuple[IntArray, NDArray[Any], NDArray[Any]]:
        """Return the races of some items, the lead of the truth in each, and what each group can take from it.

        Every other class is a rival, and one that nobody reported. A rewritten report of the truth takes twice its
        weight, one of a third class its weight, and so does an added one.

        Returns
        -------
        item, lead : arrays of shape (races,)
        gain : array of shape (races, groups)
        """
        gold = self.gold.take(items)
        held = np.zeros((len(items), len(gold.classes.labels) + 1), self.weights.dtype)
        np.add.at(held, (gold.item, gold.label), self.weights[gold.reporter])
        known = np.flatnonzero(gold.truth != UNKNOWN)
        rival = held > 0
        rival[:, -1] = True
        rival[known, gold.truth[known]] = False
        rival[gold.truth == UNKNOWN] = False
        item, other = np.nonzero(rival)
        lead = held[item, gold.truth[item]] - held[item, other]
        present, truth = self.reports(gold), self.reports(gold, gold.right > 0)
        gain = present[item] + truth[item]
        pair = item * held.shape[1] + other
        for_rival = np.flatnonzero(np.isin(gold.item * held.shape[1] + gold.label, pair))
        place = np.searchsorted(pair, gold.item[for_rival] * held.shape[1] + gold.label[for_rival])
        who = gold.reporter[for_rival]
        np.subtract.at(gain, (place, self.bribes.bribes.groups[who]), self.weights[who])
        return items[item], lead, np.maximum(gain, 0) + self._silent(present)[item]

    def shares(self, items: IntArray) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return, for items and groups, the weight of reports of the truth, and that of silent reporters."""
        gold = self.gold.take(items)
        return self.reports(gold, gold.right > 0), self._silent(self.reports(gold))

    def reports(self, gold: GoldReports, chosen: NDArray[np.bool_] | None = None) -> NDArray[Any]:
        """Return the weight of the reports of each group on each item, or of the chosen ones."""
        reporter = gold.reporter if chosen is None else gold.reporter[chosen]
        item = gold.item if chosen is None else gold.item[chosen]
        table = np.zeros((len(gold.truth), len(self.bribes.names)), self.weights.dtype)
        np.add.at(table, (item, self.bribes.bribes.groups[reporter]), self.weights[reporter])
        return table

    def _silent(self, present: NDArray[Any]) -> NDArray[Any]:
        """Return the weight that each group can add on each item."""
        return np.maximum(self._all - present, 0) if self.bribes.silence else np.zeros_like(present)

    @cached_property
    def _all(self) -> NDArray[Any]:
        """The weight of all reporters of each group."""
        held = np.zeros(len(self.bribes.names), self.weights.dtype)
        np.add.at(held, self.bribes.bribes.groups, self.weights)
        return held
