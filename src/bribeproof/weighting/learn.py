"""Weights of reporters: learned from how often each agrees, and never so large that a few reporters decide alone."""

from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.frames.label_classes import UNKNOWN

LEEWAY = 0.5
"""How far learned weights may differ by default."""
ROUNDING = 1e-9
"""Weights that differ by less are equal."""
_ROUNDS = 10
_AS_AVERAGE = 4
"""So many reports that agree as often as the average are added to those of each reporter."""
_NOTHING = 1e-12
"""Of the largest weight: what reporters without weight share where the limit leaves some for them."""


@dataclass(frozen=True, slots=True)
class Ballots:
    """Labels, one place per report; reports of an item stand together.

    Attributes
    ----------
    item, reporter, label
        By number.
    items, reporters, classes
        How many there are.
    """

    item: IntArray
    reporter: IntArray
    label: IntArray
    items: int
    reporters: int
    classes: int

    @property
    def sizes(self) -> IntArray:
        """How many reports there are on each item."""
        return np.bincount(self.item, minlength=self.items)

    def spread(self, weights: FloatArray, limits: FloatArray) -> FloatArray:
        """Share 1 among the reports of each item in proportion to their reporters' weights, none above the limit.

        Parameters
        ----------
        weights
            Of the reporters, at least 0.
        limits
            Of the items; together the reports of an item may hold 1.

        Returns
        -------
        float64 array
            Per report; 0 on items where nobody has any weight.
        """
        weight = weights[self.reporter]
        limit = limits[self.item]
        open_ended = bool((limits >= 1).all())
        if not open_ended:
            weight = np.maximum(weight, _NOTHING * weights.max())
        full = np.zeros(len(weight), bool)
        while True:
            left = 1 - self._total(np.where(full, limit, 0.0))
            free = self._total(np.where(full, 0.0, weight))
            rate = np.divide(left, free, out=np.zeros(self.items), where=free > 0)
            spread: FloatArray = np.where(full, limit, weight * rate[self.item])
            over = ~full & (spread > limit * (1 + ROUNDING))
            if open_ended or not over.any():
                return spread
            full |= over

    def shares(self, spread: FloatArray) -> FloatArray:
        """Add up what the reports of each class hold, items by classes."""
        cell = self.item * self.classes + self.label
        held = np.bincount(cell, spread, self.items * self.classes).astype(np.float64)
        return held.reshape(self.items, self.classes)

    def heaviest(self, spread: FloatArray, k: int) -> FloatArray:
        """Return what the k heaviest reports of each item hold together."""
        first = np.lexsort((-spread, self.item))
        return self._total(np.where(self._rank(first) < k, spread[first], 0.0), first)

    def flips_needed(self, spread: FloatArray, *, unseen: bool = False) -> IntArray:
        """Return the fewest reports to rewrite so that the heaviest class of each item no longer wins; 0 of a tie.

        A rewritten report of the winner moves the margin by twice its weight, one of a third class by its weight. The
        best rival need not be the second: many light reports are more to rewrite than a heavy one.

        Parameters
        ----------
        spread
            The weights of the reports.
        unseen
            Whether there may be a class that nobody has reported.
        """
        shares = self.shares(spread)
        ranked = np.argsort(-shares, axis=1, kind="stable")
        best = shares.max(axis=1, initial=0.0)
        winner = ranked[self.item, 0]
        most = int((shares > 0).sum(axis=1).max(initial=0))
        # Classes without weight are as good as one another: one of them is enough.
        rivals = [ranked[:, rank] for rank in range(1, min(self.classes, most + 1))]
        if unseen or self.classes == 1:
            rivals.append(np.full(self.items, self.classes))
        held = np.column_stack([shares, np.zeros(self.items)])
        fewest = np.full(self.items, np.iinfo(np.int64).max)
        for rival in rivals:
            margin = best - held[np.arange(self.items), rival] - ROUNDING
            gain = np.where(self.label == winner, 2.0, self.label != rival[self.item]) * spread
            first = np.lexsort((-gain, self.item))
            gained = np.cumsum(gain[first])
            before = np.concatenate([[0.0], gained])[np.cumsum(self.sizes) - self.sizes]
            short = gained - before[self.item[first]] < margin[self.item[first]]
            needed = np.where(margin <= 0, 0, 1 + np.bincount(self.item[first][short], minlength=self.items))
            fewest = np.minimum(fewest, needed)
        return fewest

    def _total(self, values: FloatArray, order: IntArray | None = None) -> FloatArray:
        """Add up values of the reports of each item."""
        item = self.item if order is None else self.item[order]
        return np.asarray(np.bincount(item, values, self.items), np.float64)

    def _rank(self, order: IntArray) -> IntArray:
        """Return the place, from 0, that each report of an order has within its item."""
        starts = np.cumsum(self.sizes) - self.sizes
        return np.arange(len(order)) - starts[self.item[order]]


def limits_of(sizes: IntArray, k: int, weight_spread: float) -> FloatArray:
    """Return the most that one report may weigh on each item, given how many reports there are."""
    limits: FloatArray = 1 / np.maximum(sizes - weight_spread * np.maximum(sizes - 2 * k, 0), 1)
    return limits


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """What the reports, and gold items, say about reporters.

    Attributes
    ----------
    compared, agreement
        How many reports of each reporter could be compared with others, and how much of the others' weight agrees with
        them on average; NaN where none.
    gold, right
        How many gold items each reporter answered, and which share of them right; NaN where none.
    weights
        The reporters' weights, at least 0; the largest is 1.
    """

    compared: IntArray
    agreement: FloatArray
    gold: IntArray
    right: FloatArray
    weights: FloatArray


@dataclass(frozen=True, slots=True)
class _Excess:
    """How often reporters agree with something: comparisons, mean agreement, and its excess over chance, at least 0."""

    compared: IntArray
    agreement: FloatArray
    beyond: FloatArray

    @classmethod
    def of(cls, ballots: Ballots, agrees: FloatArray, known: BoolArray, frequency: FloatArray) -> "_Excess":
        """Average over the reports of each reporter, and over some more that are like everybody's."""
        chance = frequency / max(frequency.sum(), _NOTHING)
        beyond = agrees - chance[ballots.label]
        compared, agreed, total = (
            np.bincount(ballots.reporter[known], values, ballots.reporters)
            for values in (None, agrees[known], beyond[known])
        )
        average = total.sum() / max(compared.sum(), 1)
        excess = np.maximum((total + _AS_AVERAGE * average) / (compared + _AS_AVERAGE), 0.0)
        mean = np.divide(agreed, compared, out=np.full(ballots.reporters, np.nan), where=compared > 0)
        return cls(compared.astype(np.int64), mean, excess if excess.any() else np.ones(ballots.reporters))


def learn_weights(ballots: Ballots, limits: FloatArray, truth: IntArray | None = None) -> LearnedWeights:
    """Learn how much each reporter's word is worth.

    Parameters
    ----------
    ballots
        The reports.
    limits
        The most that one report may weigh on each item.
    truth
        The class of each gold item, UNKNOWN for the others; None if there are none.

    Returns
    -------
    LearnedWeights
        Weights that are the product of two excesses over chance: that of the agreement with the others on each item,
        weighted by what is known of them so far, ten times over; and that of the right answers on gold items, or
        the former once more. Chance is how frequent the reporter's labels are on any item, of gold items with one more
        that is a little of each class. Equal weights where nobody exceeds it.

    Notes
    -----
    Nothing that is promised rests on these weights: it holds for any within the limits (theory.md §2 and
    `error_inflation`).
    """
    is_gold = np.zeros(len(ballots.item), bool) if truth is None else truth[ballots.item] != UNKNOWN
    right = np.zeros(len(ballots.item)) if truth is None else (ballots.label == truth[ballots.item]).astype(np.float64)
    gold: _Excess | None = None
    if truth is not None:
        # One more item of no class in particular: gold items of one class alone would tell nobody from chance.
        true = np.bincount(truth[truth != UNKNOWN], minlength=ballots.classes).astype(np.float64) + 1 / ballots.classes
        gold = _Excess.of(ballots, right, is_gold, true)
    weights = np.ones(ballots.reporters) if gold is None else gold.beyond**2
    for _ in range(_ROUNDS):
        spread = ballots.spread(weights, limits)
        shares = ballots.shares(spread)
        others = 1 - spread
        known = others > ROUNDING
        alike = shares[ballots.item, ballots.label] - spread
        agrees = np.divide(alike, others, out=np.zeros(len(alike)), where=known)
        agreement = _Excess.of(ballots, np.where(is_gold, right, agrees), known, shares.sum(axis=0))
        weights = agreement.beyond * (agreement if gold is None else gold).beyond
        if not weights.any():
            weights = np.ones(ballots.reporters)
        weights /= weights.max()
    nothing = np.full(ballots.reporters, np.nan)
    return LearnedWeights(
        agreement.compared,
        agreement.agreement,
        np.zeros(ballots.reporters, np.int64) if gold is None else gold.compared,
        nothing if gold is None else gold.agreement,
        weights,
    )
