"""Learn weights of reporters from agreement and gold items, and cap them so that no few reporters decide alone."""

from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.frames.label_classes import UNKNOWN

DEFAULT_SPREAD = 0.5
"""The default of `weight_spread` for learned weights."""
ROUNDING = 1e-9
"""Weights that differ by less are considered equal."""
_ROUNDS = 10
_PRIOR_REPORTS = 4
"""The number of reports of average agreement that are added to those of each reporter."""
_TINY = 1e-12
"""The share of the largest weight that reporters without weight get, for items whose limits the others reach."""


@dataclass(frozen=True, slots=True)
class Ballots:
    """Labels as arrays with one element per report, sorted by item.

    Attributes
    ----------
    item, reporter, label
        The indices of the item and the reporter, and the class of the label.
    items, reporters, classes
        The numbers of items, reporters and classes.
    """

    item: IntArray
    reporter: IntArray
    label: IntArray
    items: int
    reporters: int
    classes: int

    @property
    def sizes(self) -> IntArray:
        """The number of reports on each item."""
        return np.bincount(self.item, minlength=self.items)

    def cap(self, weights: FloatArray, limits: FloatArray) -> FloatArray:
        """Return the weights of the reports, in proportion to those of their reporters, at most the item's limit.

        Parameters
        ----------
        weights
            The weights of the reporters, at least 0.
        limits
            The largest weight of a report for each item; at least 1 over the number of its reports.

        Returns
        -------
        float64 array
            One weight per report; they sum to 1 for each item, or to 0 if no reporter of it has any weight.
        """
        weight = weights[self.reporter]
        limit = limits[self.item]
        open_ended = bool((limits >= 1).all())
        if not open_ended:
            weight = np.maximum(weight, _TINY * weights.max())
        full = np.zeros(len(weight), bool)
        while True:
            left = 1 - self.total(np.where(full, limit, 0.0))
            free = self.total(np.where(full, 0.0, weight))
            rate = np.divide(left, free, out=np.zeros(self.items), where=free > 0)
            capped: FloatArray = np.where(full, limit, weight * rate[self.item])
            over = ~full & (capped > limit * (1 + ROUNDING))
            if open_ended or not over.any():
                return capped
            full |= over

    def shares(self, weights: FloatArray) -> FloatArray:
        """Return the sum of the weights of the reports of each class, items by classes."""
        cell = self.item * self.classes + self.label
        held = np.bincount(cell, weights, self.items * self.classes).astype(np.float64)
        return held.reshape(self.items, self.classes)

    def heaviest(self, weights: FloatArray, k: int) -> FloatArray:
        """Return the sum of the weights of the k heaviest reports of each item."""
        order = np.lexsort((-weights, self.item))
        return self.total(np.where(self.rank(order) < k, weights[order], 0.0), order)

    def flips_needed(self, weights: FloatArray, *, unseen: bool = False) -> IntArray:
        """Return the fewest reports to rewrite so that the heaviest class of each item no longer wins; 0 for a tie.

        Rewriting a report of the winner changes the margin by twice its weight, one of a third class by its weight.
        The rival that needs the fewest is not always the second class, since rewriting one heavy report can be enough
        where many light ones would be needed.

        Parameters
        ----------
        weights
            The weights of the reports.
        unseen
            Whether a class that nobody reported may exist.
        """
        shares = self.shares(weights)
        ranked = np.argsort(-shares, axis=1, kind="stable")
        best = shares.max(axis=1, initial=0.0)
        winner = ranked[self.item, 0]
        most = int((shares > 0).sum(axis=1).max(initial=0))
        # Classes without weight are equivalent as rivals: one of them is enough.
        rivals = [ranked[:, rank] for rank in range(1, min(self.classes, most + 1))]
        if unseen or self.classes == 1:
            rivals.append(np.full(self.items, self.classes))
        held = np.column_stack([shares, np.zeros(self.items)])
        fewest = np.full(self.items, np.iinfo(np.int64).max)
        for rival in rivals:
            margin = best - held[np.arange(self.items), rival] - ROUNDING
            gain = np.where(self.label == winner, 2.0, self.label != rival[self.item]) * weights
            first = np.lexsort((-gain, self.item))
            gained = np.cumsum(gain[first])
            before = np.concatenate([[0.0], gained])[np.cumsum(self.sizes) - self.sizes]
            short = gained - before[self.item[first]] < margin[self.item[first]]
            needed = np.where(margin <= 0, 0, 1 + np.bincount(self.item[first][short], minlength=self.items))
            fewest = np.minimum(fewest, needed)
        return fewest

    def total(self, values: FloatArray, order: IntArray | None = None) -> FloatArray:
        """Return the sum of a value over the reports of each item."""
        item = self.item if order is None else self.item[order]
        return np.asarray(np.bincount(item, values, self.items), np.float64)

    def rank(self, order: IntArray) -> IntArray:
        """Return the rank, from 0, of each report within its item, in an order that is sorted by item."""
        starts = np.cumsum(self.sizes) - self.sizes
        return np.arange(len(order)) - starts[self.item[order]]


def limits_of(sizes: IntArray, k: int | IntArray, weight_spread: float) -> FloatArray:
    """Return the largest weight of one report for each item, given its number of reports and of bribed ones."""
    limits: FloatArray = 1 / np.maximum(sizes - weight_spread * np.maximum(sizes - 2 * k, 0), 1)
    return limits


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """Weights of reporters, and what they were learned from.

    Attributes
    ----------
    compared, agreement
        Per reporter: the number of reports that were compared with others, and the average share of the weight of the
        others that agrees; NaN if there are none.
    gold, right
        Per reporter: the number of gold items answered, and the share of right answers; NaN if there are none.
    weights
        Per reporter: the weight, at least 0; the largest is 1.
    """

    compared: IntArray
    agreement: FloatArray
    gold: IntArray
    right: FloatArray
    weights: FloatArray


@dataclass(frozen=True, slots=True)
class _Excess:
    """Per reporter: the number of comparisons, the mean agreement, and its excess over chance, at least 0."""

    compared: IntArray
    agreement: FloatArray
    beyond: FloatArray

    @classmethod
    def of(cls, ballots: Ballots, agrees: FloatArray, compared_reports: BoolArray, frequency: FloatArray) -> "_Excess":
        """Average over the reports of each reporter, shrunk towards the average of all reporters."""
        chance = frequency / max(frequency.sum(), _TINY)
        beyond = agrees - chance[ballots.label]
        compared, agreed, total = (
            np.bincount(ballots.reporter[compared_reports], values, ballots.reporters)
            for values in (None, agrees[compared_reports], beyond[compared_reports])
        )
        average = total.sum() / max(compared.sum(), 1)
        excess = (total + _PRIOR_REPORTS * average) / (compared + _PRIOR_REPORTS)
        # where all reports are alike only rounding is left, which is no reason for weights
        excess = np.where(excess > ROUNDING, excess, 0.0)
        mean = np.divide(agreed, compared, out=np.full(ballots.reporters, np.nan), where=compared > 0)
        return cls(compared.astype(np.int64), mean, excess if excess.any() else np.ones(ballots.reporters))


def learn_weights(ballots: Ballots, limits: FloatArray, truth: IntArray | None = None) -> LearnedWeights:
    """Learn the weight of each reporter from agreement with the others, and from gold items.

    Parameters
    ----------
    ballots
        The reports.
    limits
        The largest weight of one report for each item.
    truth
        The class of each gold item, UNKNOWN for the others; None if there are none.

    Returns
    -------
    LearnedWeights
        The weight is the product of two excesses over chance: of the agreement with the others, weighted by the
        weights so far, in ten rounds; and of the share of right answers on gold items, or the former again if there
        are none. Chance is the frequency of the reporter's labels over all items; for gold items, after one more item
        that is split evenly over the classes. Equal weights if no reporter exceeds chance.

    Notes
    -----
    The guarantee does not depend on how the weights are learned: it holds for any weights within the limits
    (docs/theory.md §2, `error_inflation`).
    """
    is_gold = np.zeros(len(ballots.item), bool) if truth is None else truth[ballots.item] != UNKNOWN
    right = np.zeros(len(ballots.item)) if truth is None else (ballots.label == truth[ballots.item]).astype(np.float64)
    gold: _Excess | None = None
    if truth is not None:
        # One more item that is split over all classes: with gold items of one class, chance would always be right.
        true = np.bincount(truth[truth != UNKNOWN], minlength=ballots.classes).astype(np.float64) + 1 / ballots.classes
        gold = _Excess.of(ballots, right, is_gold, true)
    weights = np.ones(ballots.reporters) if gold is None else gold.beyond**2
    for _ in range(_ROUNDS):
        capped = ballots.cap(weights, limits)
        shares = ballots.shares(capped)
        others = 1 - capped
        comparable = others > ROUNDING
        alike = shares[ballots.item, ballots.label] - capped
        agrees = np.minimum(np.divide(alike, others, out=np.zeros(len(alike)), where=comparable), 1.0)
        agreement = _Excess.of(ballots, np.where(is_gold, right, agrees), comparable, shares.sum(axis=0))
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
