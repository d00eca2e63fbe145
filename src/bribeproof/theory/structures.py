"""Information structures of two-point distributions, and the search for the worst pair of them."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bribeproof.theory.losses import Loss

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

# Rows of pairs that are valued at once: enough to be quick, few enough to profit from each new record.
_BLOCK = 32


@dataclass(frozen=True, slots=True)
class TwoPoints:
    """Distributions on the two truthful counts `low` and `high`, one an entry; `share` is the weight of `high`.

    A one-point distribution has `low` equal to `high` and `share` 0. `loss` is the part of the expected loss
    that falls into the state, its probability included.
    """

    low: Counts
    high: Counts
    share: Floats
    loss: Floats

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool]) -> Self:
        return type(self)(self.low[index], self.high[index], self.share[index], self.loss[index])

    def by_loss(self) -> Self:
        """Return the distributions with the largest loss first."""
        return self[np.argsort(-self.loss, kind="stable")]


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its probability, the mean of the truthful count, the worst loss at each truthful count.

    `losses` are weighted with the probability of the state.
    """

    prior: float
    mean: float
    losses: Floats

    def representatives(self) -> TwoPoints:
        """At most seven distributions, the best one first, that stand for all others.

        For any two points, a best distribution among all that avoid both is here. Start with the best one of
        all; while it has one of the two points, forbid that point and take the best of the rest: after two
        steps both are forbidden. All points that these steps could forbid are tried.
        """
        return self._distributions(dict.fromkeys(self._avoiding(frozenset())))

    def meeting(self, points: Iterable[int]) -> TwoPoints:
        """All distributions that have at least one of these points, the largest loss first."""
        below, above = range(int(np.ceil(self.mean))), range(int(self.mean) + 1, self.losses.size)
        pairs: dict[tuple[int, int], None] = {}
        for point in points:
            if point < self.mean:
                pairs.update(dict.fromkeys((point, high) for high in above))
            elif point > self.mean:
                pairs.update(dict.fromkeys((low, point) for low in below))
            else:
                pairs[point, point] = None
        return self._distributions(pairs).by_loss()

    def _avoiding(self, avoid: frozenset[int]) -> list[tuple[int, int]]:
        """List the best distribution without these points, then those further down the tree of forbidden points."""
        best = self._best_without(avoid)
        if best is None:
            return []
        if len(avoid) == 2:
            return [best]
        return [best, *(pair for point in sorted(set(best)) for pair in self._avoiding(avoid | {point}))]

    def _best_without(self, avoid: frozenset[int]) -> tuple[int, int] | None:
        """Points of the distribution with the largest loss among those that have none of `avoid`, if there are any.

        They are the ends of the edge of the upper concave envelope above the mean. Where some losses are
        infinite, the largest probability of an infinite loss decides.
        """
        counts = [count for count in range(self.losses.size) if count not in avoid]
        infinite = np.isinf(self.losses)
        height = (infinite if infinite[counts].any() else self.losses).astype(np.float64).tolist()
        hull: list[int] = []
        for count in counts:
            while len(hull) > 1:
                first, last = hull[-2:]
                rise_of_last, rise = height[last] - height[first], height[count] - height[first]
                if rise_of_last * (count - first) > rise * (last - first):
                    break
                hull.pop()
            hull.append(count)
        place = bisect_left(hull, self.mean)
        if place < len(hull) and hull[place] == self.mean:
            return hull[place], hull[place]
        return (hull[place - 1], hull[place]) if 0 < place < len(hull) else None

    def _distributions(self, pairs: Iterable[tuple[int, int]]) -> TwoPoints:
        """Weights and losses of the distributions with these points."""
        low, high = np.array([*pairs], dtype=np.int64).reshape(-1, 2).T
        share = (self.mean - low) / np.maximum(high - low, 1)
        loss = (1 - share) * self.losses[low] + share * np.where(share > 0, self.losses[high], 0.0)
        return TwoPoints(low, high, share, loss)


class WorstPair(NamedTuple):
    """The worst structure: its regret, its benchmark loss, and its two distributions as single entries.

    `largest_loss` is the largest V₁ + V₀ of all structures.
    """

    regret: float
    benchmark: float
    largest_loss: float
    given_1: TwoPoints
    given_0: TwoPoints


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
    ones, zeros = side_1.representatives(), side_0.representatives()
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
    return best._replace(largest_loss=max(best.largest_loss, float(top_1.loss[0] + top_0.loss[0])))


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
    )
