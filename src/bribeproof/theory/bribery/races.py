"""What it takes to bring a rival level with the winner of each item, and what each bribe adds to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes

SHARE = 2**20
"""Credits are whole multiples of 1/SHARE, rounded up, so that their sums are exact."""


@dataclass(frozen=True, eq=False)
class Races:
    """Races between the winner of an item and a rival: a list of groups changes the item if it gains enough in one.

    Parameters
    ----------
    need : int array of shape (races,)
        What a list must gain in each race.
    item, group, race, gain : int arrays of shape (entries,)
        What a group gains in a race of an item, above 0; sorted by item, then group.
    value : int array of shape (items,)
        What each item counts.

    Notes
    -----
    docs/theory.md, Proposition 14.1.
    """

    need: IntArray
    item: IntArray
    group: IntArray
    race: IntArray
    gain: IntArray
    value: IntArray

    @cached_property
    def first(self) -> IntArray:
        """The first entry of each pair of an item and a group."""
        if not len(self.item):
            return np.zeros(0, np.int64)
        new = (self.item[1:] != self.item[:-1]) | (self.group[1:] != self.group[:-1])
        return np.concatenate([[0], np.flatnonzero(new) + 1])

    @property
    def total(self) -> int:
        """The value of all items that have a race."""
        starts = np.flatnonzero(np.diff(self.item, prepend=-1))
        return int(self.value[self.item[starts]].sum())

    def after(self, bought: Iterable[int], left: BoolArray, most: int) -> tuple[int, "Races"]:
        """Return the value of the items that some groups change, and the races that at most so many others can win.

        Parameters
        ----------
        bought
            The groups that are bought.
        left : bool array of shape (groups,)
            The others that can be bought.
        most : int
            How many of them, at least 0.
        """
        chosen = np.zeros(len(left), bool)
        chosen[list(bought)] = True
        theirs = chosen[self.group]
        need = self.need - np.bincount(self.race[theirs], self.gain[theirs], minlength=len(self.need)).astype(np.int64)
        done = np.zeros(len(self.value), bool)
        done[self.item[theirs][need[self.race[theirs]] <= 0]] = True
        kept = left[self.group] & ~done[self.item]
        race = self.race[kept]
        gain = np.minimum(self.gain[kept], need[race])
        together = np.bincount(race, gain, minlength=len(need))
        largest = np.zeros(len(need), np.int64)
        np.maximum.at(largest, race, gain)
        possible = (np.minimum(together, most * largest) >= need)[race]
        rest = Races(need, self.item[kept][possible], self.group[kept][possible], race[possible], gain[possible],
                     self.value)  # fmt: skip
        return int(self.value[done].sum()), rest

    def within_reach(self, most: int) -> IntArray:
        """Return the items of which the so many groups that gain most in a race win it, whatever they cost."""
        order = np.lexsort((-self.gain, self.race))
        race = self.race[order]
        used = np.arange(len(race)) - np.searchsorted(race, race) < most
        gained = np.bincount(race[used], self.gain[order][used], minlength=len(self.need))
        return np.unique(self.item[(gained >= self.need)[self.race]])

    def credits(self, groups: int, *, last: bool) -> FloatArray:
        """Return a bound of what each group adds, such that no list adds more than the sum of its groups.

        An item is credited to a group by the share of the need that it gains, or only if it gains all of it.

        Parameters
        ----------
        groups : int
            The number of groups.
        last : bool
            Whether only one more is bought: then the bound is what it changes.

        Returns
        -------
        array of shape (groups,)
            Whole numbers, in 1/`SHARE` of a unit of value.
        """
        if not len(self.item):
            return np.zeros(groups)
        need = self.need[self.race]
        share = (self.gain >= need) * float(SHARE) if last else np.minimum(self.gain / need, 1.0)
        best = np.maximum.reduceat(share, self.first) if len(self.first) < len(share) else share
        credit = best * self.value[self.item[self.first]]
        if not last:
            # rounded up from a product of three numbers, each within 2⁻⁵³ of the right one
            credit = np.ceil(credit * (SHARE * (1 + 2.0**-50)))
        return np.asarray(np.bincount(self.group[self.first], credit, minlength=groups), dtype=np.float64)


def find_races(ballots: Ballots, bribes: Bribes, value: IntArray) -> Races:
    """Return the races of the decided items.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    bribes : Bribes
        The groups.
    value : int array of shape (items,)
        What each item counts.

    Notes
    -----
    Weights that were rounded count for the bribed: more than they gain, and less than they need. If all gains in a race
    have a common factor, the need is rounded up to a multiple of it.
    """
    low, high = ballots.totals
    counted = ballots.winner >= 0
    rivals = (high > 0) & counted[:, None]
    rows = np.arange(ballots.items)
    rivals[rows, ballots.winner] = False
    # where nobody named another class, all of them are alike; else those that nobody named need more than they gain
    alone = counted & ~rivals.any(axis=1)
    other = np.where(ballots.winner == 0, ballots.classes - 1, 0)
    if ballots.classes > 1:
        rivals[alone, other[alone]] = True
    of_race, rival = np.nonzero(rivals)
    if ballots.classes == 1:
        of_race, rival = np.flatnonzero(alone), np.full(int(alone.sum()), -1)
    lead = low[of_race, ballots.winner[of_race]] - (high[of_race, rival] if ballots.classes > 1 else 0)
    starts = np.searchsorted(of_race, np.arange(ballots.items + 1))
    races_of = np.diff(starts)[ballots.item]
    report = np.repeat(np.arange(len(ballots.item)), races_of)
    race = np.arange(len(report)) - np.repeat(np.cumsum(races_of) - races_of - starts[ballots.item], races_of)
    choice, item = ballots.choice[report], ballots.item[report]
    times = np.where(choice == ballots.winner[item], 2, (choice != rival[race]).astype(np.int64))
    gain = times * ballots.in_units.high[ballots.reporter[report]]
    group = bribes.groups[ballots.reporter[report]]
    used = gain > 0
    order = np.flatnonzero(used)[np.lexsort((race[used], group[used], item[used]))]
    item, group, race, gain = item[order], group[order], race[order], gain[order]
    if not len(race):
        return Races(lead, item, group, race, gain, value)
    new = np.concatenate([[0], np.flatnonzero((np.diff(race) != 0) | (np.diff(group) != 0)) + 1])
    item, group, race, gain = item[new], group[new], race[new], np.add.reduceat(gain, new)
    factor = np.zeros(len(lead), np.int64)
    np.gcd.at(factor, race, gain)
    factor = np.maximum(factor, 1)
    return Races(-(-lead // factor), item, group, race, gain // factor[race], value)
