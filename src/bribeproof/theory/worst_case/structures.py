"""Information structures of two-point distributions, and the search for the worst pair of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.model.loss import Loss

# Rows of pairs that are valued at once: enough to be quick, few enough to profit from each new record.
_BLOCK = 32
# Bound of the rounding error of a height above an edge, relative to the numbers it comes from.
_ROUNDING = 4 * np.finfo(float).eps


@dataclass(frozen=True, slots=True)
class TwoPoints:
    """Distributions on the two truthful counts `low` and `high`, one an entry; `share` is the weight of `high`.

    A one-point distribution has `low` equal to `high` and `share` 0. `loss` is the part of the expected loss
    that falls into the state, its probability included.
    """

    low: IntArray
    high: IntArray
    share: FloatArray
    loss: FloatArray

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool]) -> Self:
        return type(self)(self.low[index], self.high[index], self.share[index], self.loss[index])

    def by_loss(self) -> Self:
        """Return the distributions with the largest loss first."""
        return self[np.argsort(-self.loss, kind="stable")]


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its probability, the mean of the truthful count, and the worst loss at each count.

    `points` are the truthful counts that the distributions may have, in ascending order, from at most the mean to
    at least the mean. `losses` are weighted with the probability of the state.
    """

    prior: float
    mean: float
    points: IntArray
    losses: FloatArray

    def representatives(self) -> TwoPoints:
        """At most seven distributions, the best one first, that stand for all others.

        For any two points, a best distribution among all that avoid both is here. Start with the best one of
        all; while it has one of the two points, forbid that point and take the best of the rest: after two
        steps both are forbidden. All points that these steps could forbid are tried.
        """
        return self._distributions(*np.array([*dict.fromkeys(self._avoiding([]))], dtype=np.int64).reshape(-1, 2).T)

    def meeting(self, counts: Iterable[int]) -> TwoPoints:
        """All distributions that have at least one of these truthful counts, the largest loss first."""
        below, above = np.flatnonzero(self.points < self.mean), np.flatnonzero(self.points > self.mean)
        pairs = [np.empty((2, 0), dtype=np.int64)]
        for place in np.flatnonzero(np.isin(self.points, list(counts))):
            if place in below:
                pairs.append(np.stack([np.full(above.size, place), above]))
            elif place in above:
                pairs.append(np.stack([below, np.full(below.size, place)]))
            else:
                pairs.append(np.array([[place], [place]]))
        return self._distributions(*np.unique(np.hstack(pairs), axis=1)).by_loss()

    def _avoiding(self, avoid: list[int]) -> list[tuple[int, int]]:
        """List the best distribution without these places, then those further down the tree of forbidden places."""
        best = self._best_without(avoid)
        if best is None:
            return []
        if len(avoid) == 2:
            return [best]
        return [best, *(pair for place in sorted(set(best)) for pair in self._avoiding([*avoid, place]))]

    def _best_without(self, avoid: list[int]) -> tuple[int, int] | None:
        """Places of the distribution with the largest loss among those that have none of `avoid`, if there are any.

        They are the ends of the edge of the upper concave envelope at the mean: the place that lies highest above
        the edge becomes its new end, until none does; of edges that tie, the longest. Where some losses are
        infinite, the largest probability of an infinite loss decides.
        """
        places = np.delete(np.arange(self.points.size), avoid)
        points, heights = self.points[places], self.losses[places]
        left, right = np.flatnonzero(points <= self.mean), np.flatnonzero(points >= self.mean)
        if left.size == 0 or right.size == 0:
            return None
        if (infinite := np.isinf(heights)).any():
            heights = infinite.astype(np.float64)
        low, high = int(left[-1]), int(right[0])
        slope = 0.0
        while True:
            if low != high:
                slope = (heights[high] - heights[low]) / (points[high] - points[low])
            rise = slope * (points - points[low])
            above = heights - heights[low] - rise
            # What may be rounding is no progress, or the search might not end.
            rounding = _ROUNDING * (np.abs(heights) + abs(heights[low]) + np.abs(rise)) + np.finfo(float).tiny
            top = int((above - rounding).argmax())
            if above[top] <= rounding[top]:
                break
            low, high = (top, high) if points[top] < self.mean else (low, top)
        tied = np.flatnonzero(above >= -rounding)
        low, high = min(low, int(tied[0])), max(high, int(tied[-1]))
        if points[low] == self.mean or points[high] == self.mean:
            low = high = low if points[low] == self.mean else high
        return int(places[low]), int(places[high])

    def _distributions(self, low: IntArray, high: IntArray) -> TwoPoints:
        """Weights and losses of the distributions with points at these places."""
        points, losses = self.points, self.losses
        share = (self.mean - points[low]) / np.maximum(points[high] - points[low], 1)
        loss = (1 - share) * losses[low] + share * np.where(share > 0, losses[high], 0.0)
        return TwoPoints(points[low], points[high], share, loss)


class WorstPair(NamedTuple):
    """The worst structure: its regret, its benchmark loss, and its two distributions as single entries.

    `largest_loss` is the largest V₁ + V₀ of all structures. `representatives` are those of the two states.
    """

    regret: float
    benchmark: float
    largest_loss: float
    given_1: TwoPoints
    given_0: TwoPoints
    representatives: tuple[TwoPoints, TwoPoints]


def worst_pair(side_1: Side, side_0: Side, loss: Loss) -> WorstPair:
    """Pair of two-point distributions with the largest regret.

    Parameters
    ----------
    side_1, side_0 : Side
        The two states.
    loss : Loss
        Loss of the benchmark's forecasts.

    Returns
    -------
    WorstPair
        The exact maximum over all pairs, and its two distributions, each the single entry of a `TwoPoints`.

    Notes
    -----
    theory.md §7. The regret of (p, q) is V₁(p) + V₀(q) − B(p, q) with a benchmark loss B ≥ 0 that is 0 where p
    and q have no point in common.

    1. The best pair without a common point is among the representatives: replace first p, then q, by the
       representative that avoids the other's points; neither step loses anything.
    2. Let D be the regret of that pair, and let q* have the largest V₀ of all. Suppose that (p, q) does better.
       Then V₁(p) + V₀(q*) ≥ V₁(p) + V₀(q) > D, so p has a point in common with q*, or (p, q*) would
       contradict 1. Likewise q has a point in common with the p* of the largest V₁.

    At most N distributions have a given point. So at most 2N for each state are left, whatever the rule and
    however many pairs tie, and the search takes O(N) memory and O(N²) time. It leaves out only pairs whose
    V₁ + V₀ does not exceed the best regret so far. Exact means up to rounding: no pair is left to chance.
    """
    representatives = ones, zeros = side_1.representatives(), side_0.representatives()
    best = _best_of(ones, zeros, side_1.prior, side_0.prior, loss)
    top_1, top_0 = ones[:1], zeros[:1]
    ones = side_1.meeting({int(top_0.low[0]), int(top_0.high[0])})
    zeros = side_0.meeting({int(top_1.low[0]), int(top_1.high[0])})
    ones, zeros = ones[ones.loss + top_0.loss > best.regret], zeros[zeros.loss + top_1.loss > best.regret]
    for start in range(0, ones.loss.size, _BLOCK):
        rows = ones[start : start + _BLOCK]
        columns = zeros[rows.loss[0] + zeros.loss > best.regret]
        if columns.loss.size == 0:
            break
        best = max(best, _best_of(rows, columns, side_1.prior, side_0.prior, loss), key=attrgetter("regret"))
    # The best pair may exceed the sum of the largest losses by a rounding error.
    largest = max(best.largest_loss, float(top_1.loss[0] + top_0.loss[0]))
    return best._replace(largest_loss=largest, representatives=representatives)


def _best_of(ones: TwoPoints, zeros: TwoPoints, prior_1: float, prior_0: float, loss: Loss) -> WorstPair:
    """Largest regret over all combinations."""
    benchmark = np.zeros((ones.low.size, zeros.low.size))
    for point, weight in ((ones.low, 1 - ones.share), (ones.high, ones.share)):
        at_low, at_high = zeros.low == point[:, None], zeros.high == point[:, None]
        weight_0 = np.where(at_low, 1 - zeros.share, 0.0) + np.where(at_high, zeros.share, 0.0)
        met = np.nonzero(weight_0)
        mass_1, mass_0 = prior_1 * weight[met[0]], prior_0 * weight_0[met]
        total = mass_1 + mass_0
        benchmark[met] += total * loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
    total_loss = ones.loss[:, None] + zeros.loss
    regret = total_loss - benchmark
    row, column = divmod(int(regret.argmax()), zeros.low.size)
    return WorstPair(
        regret=float(regret[row, column]),
        benchmark=float(benchmark[row, column]),
        largest_loss=float(total_loss.max()),
        given_1=ones[row : row + 1],
        given_0=zeros[column : column + 1],
        representatives=(ones, zeros),
    )
