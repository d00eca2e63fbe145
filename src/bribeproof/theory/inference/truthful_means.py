"""Bounds of means over the answers of truthful reporters, where the same k reporters are bribed on all gold items."""

import math
from collections.abc import Generator, Sequence
from functools import cached_property

import numpy as np

from bribeproof.theory.inference.confidence import bets_for
from bribeproof.theory.inference.item_kinds import ItemKinds
from bribeproof.theory.inference.left_out import Averaged, LeftOut, leave_out

_WIDTH = 2.0**-32
"""Width of the interval that a bound is searched in."""
_LARGEST_BET = 0.99


class TruthfulMeans:
    """Means of shares of items over the reports of the truthful reporters.

    Parameters
    ----------
    kinds : ItemKinds
        Independent gold items, each with more than k reports (k + 1 for shares of pairs).
    k : int
        Largest number of bribed reporters, who may have answered anything: the same ones on all items.
    averaged : sequence of Averaged
        The shares.
    """

    def __init__(self, kinds: ItemKinds, k: int, averaged: Sequence[Averaged]) -> None:
        self.averaged = averaged
        self._kinds, self._k = kinds, k

    @cached_property
    def _left(self) -> LeftOut:
        return leave_out(self._kinds, self._k, self.averaged)

    def least(self, risks: Sequence[float], planned: int, times: int) -> list[float]:
        """Return lower confidence bounds of the means.

        Parameters
        ----------
        risks : sequence of float
            Largest probability in (0, 1) with which the bound of each mean may exceed it.
        planned : int
            The number of items that the bets are chosen for, which must not depend on the answers.
        times : int
            Count each item so many times.

        Returns
        -------
        list of float
            The bounds, in [0, 1]; 0 without items.

        Notes
        -----
        docs/theory.md, Proposition 6.7. For each set of at most k reporters the wealth of bets on the others' shares
        bounds the mean of these. The bound is the least over all sets: as one of them is the set of the bribed, there
        is no union bound. A set takes errors and right answers from items. The log of what an item pays is bounded from
        below by a linear function of both numbers, so that the worst set is that of the k reporters with the least
        sums.
        """
        bounds = [0.0] * len(self.averaged)
        if not self._kinds.total:
            return bounds
        bets = [np.minimum(bets_for(planned, risk), _LARGEST_BET) for risk in risks]
        searches = [_last_above() for _ in bounds]
        asked = {place: next(search) for place, search in enumerate(searches)}
        while asked:  # all searches go on together, which takes less than one after the other
            wealths = self._left.log_wealths(asked, bets, times)
            for place, wealth in zip(list(asked), wealths, strict=True):
                try:
                    asked[place] = searches[place].send(wealth + math.log(risks[place]))
                except StopIteration as end:
                    bounds[place] = end.value
                    del asked[place]
        return bounds

    def observed(self) -> list[float]:
        """Return the limits of the bounds for many such items: the mean shares, whichever k reporters are left out."""
        total = self._kinds.total
        if not total:
            return [0.0] * len(self.averaged)
        return [float(min(1.0, max(0.0, least / total))) for least in self._left.least_totals()]


def _last_above() -> Generator[float, float, float]:
    """Return the root of a falling function on (0, 1], from below: the function is not negative there; or 0.

    It yields where it asks for the function, and is sent the value. Secants that halve the value of an end which stays
    (the Illinois method), and a halving in every third step.
    """
    low, high, above = 0.0, 1.0, math.inf
    below = yield 1.0
    if below >= 0:
        return 1.0
    step, moved = 0, 0
    while high - low > _WIDTH:
        step += 1
        guess = (low + high) / 2
        if step % 3 and math.isfinite(above):
            guess = min(max((low * below - high * above) / (below - above), low + _WIDTH / 2), high - _WIDTH / 2)
        value = yield guess
        if value >= 0:
            low, above, below, moved = guess, value, below / 2 if moved > 0 else below, 1
        else:
            high, below, above, moved = guess, value, above / 2 if moved < 0 else above, -1
    return low
