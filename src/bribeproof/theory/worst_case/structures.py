"""Information structures of two-point laws, and the search for the worst pair of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory.model.loss import Loss

# Rows of pairs that are evaluated at once: enough to be fast, few enough to profit from each larger regret.
_BLOCK = 32
# Bound of the rounding error of a height above an edge, relative to the numbers that it is computed from.
_ROUNDING = 4 * np.finfo(float).eps


@dataclass(frozen=True, slots=True)
class TwoPointLaws:
    """Laws on the two truthful counts `low` and `high`, one law per entry; `share` is the weight of `high`.

    A one-point law has `low` equal to `high` and `share` 0. `loss` is the expected loss given the state, times the
    probability of the state.
    """

    low: IntArray
    high: IntArray
    share: FloatArray
    loss: FloatArray

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool]) -> Self:
        return type(self)(self.low[index], self.high[index], self.share[index], self.loss[index])

    def by_loss(self) -> Self:
        """Return the laws in descending order of their losses."""
        return self[np.argsort(-self.loss, kind="stable")]


@dataclass(frozen=True, slots=True)
class StateLosses:
    """One state: its probability, the mean of the truthful count, and the worst loss at each count.

    `points` are the truthful counts that the laws may have, in ascending order, from at most the mean to at least the
    mean. `losses` are weighted with the probability of the state.
    """

    prior: float
    mean: float
    points: IntArray
    losses: FloatArray

    def representatives(self) -> TwoPointLaws:
        """Return at most seven laws, the costliest first, with a costliest one that avoids any two given points.

        docs/theory.md, Lemma 7.1.
        """
        return self._laws(*np.array([*dict.fromkeys(self._avoiding([]))], dtype=np.int64).reshape(-1, 2).T)

    def meeting(self, counts: Iterable[int]) -> TwoPointLaws:
        """Return all laws that have at least one of these truthful counts, in descending order of their losses."""
        below, above = np.flatnonzero(self.points < self.mean), np.flatnonzero(self.points > self.mean)
        pairs = [np.empty((2, 0), dtype=np.int64)]
        for index in np.flatnonzero(np.isin(self.points, list(counts))):
            if index in below:
                pairs.append(np.stack([np.full(above.size, index), above]))
            elif index in above:
                pairs.append(np.stack([below, np.full(below.size, index)]))
            else:
                pairs.append(np.array([[index], [index]]))
        return self._laws(*np.unique(np.hstack(pairs), axis=1)).by_loss()

    def _avoiding(self, avoid: list[int]) -> list[tuple[int, int]]:
        """Return the costliest law without these points, then those without one or two more of the points found."""
        best = self._best_without(avoid)
        if best is None:
            return []
        if len(avoid) == 2:
            return [best]
        return [best, *(pair for index in sorted(set(best)) for pair in self._avoiding([*avoid, index]))]

    def _best_without(self, avoid: list[int]) -> tuple[int, int] | None:
        """Return the indices of the costliest law that avoids some points; None where no law does.

        They are the ends of the edge of the upper concave envelope at the mean: the point that lies highest above the
        edge becomes its new end, until none does; the longest edge among ties. Where some losses are infinite, the
        law with the largest probability of an infinite loss.
        """
        indices = np.delete(np.arange(self.points.size), avoid)
        points, heights = self.points[indices], self.losses[indices]
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
            # A height within the rounding error does not count, or the search might not end.
            rounding = _ROUNDING * (np.abs(heights) + abs(heights[low]) + np.abs(rise)) + np.finfo(float).tiny
            top = int((above - rounding).argmax())
            if above[top] <= rounding[top]:
                break
            low, high = (top, high) if points[top] < self.mean else (low, top)
        tied = np.flatnonzero(above >= -rounding)
        low, high = min(low, int(tied[0])), max(high, int(tied[-1]))
        if points[low] == self.mean or points[high] == self.mean:
            low = high = low if points[low] == self.mean else high
        return int(indices[low]), int(indices[high])

    def _laws(self, low: IntArray, high: IntArray) -> TwoPointLaws:
        """Return the laws with points at these indices."""
        points, losses = self.points, self.losses
        share = (self.mean - points[low]) / np.maximum(points[high] - points[low], 1)
        loss = (1 - share) * losses[low] + share * np.where(share > 0, losses[high], 0.0)
        return TwoPointLaws(points[low], points[high], share, loss)


class WorstPair(NamedTuple):
    """The worst structure: its regret, its benchmark loss, and its two laws as single entries.

    `largest_loss` is the largest expected loss over all structures. `representatives` are those of the two states.
    """

    regret: float
    benchmark: float
    largest_loss: float
    given_1: TwoPointLaws
    given_0: TwoPointLaws
    representatives: tuple[TwoPointLaws, TwoPointLaws]


def worst_pair(state_1: StateLosses, state_0: StateLosses, loss: Loss) -> WorstPair:
    """Return the pair of two-point laws with the largest regret.

    Parameters
    ----------
    state_1, state_0 : StateLosses
        The two states.
    loss : Loss
        Loss of the benchmark's forecasts.

    Returns
    -------
    WorstPair
        The exact maximum over all pairs, and its two laws, each the single entry of a `TwoPointLaws`.

    Notes
    -----
    docs/theory.md, Theorem 7.2: beside the pairs of representatives, only laws that share a point with the costliest
    law of the other state can do better. That leaves at most 2N laws for each state: O(N) memory and O(N²) time,
    whatever the rule. Skipped are only pairs whose expected loss does not exceed the largest regret so far.
    """
    representatives = ones, zeros = state_1.representatives(), state_0.representatives()
    best = _best_of(ones, zeros, state_1.prior, state_0.prior, loss)
    top_1, top_0 = ones[:1], zeros[:1]
    ones = state_1.meeting({int(top_0.low[0]), int(top_0.high[0])})
    zeros = state_0.meeting({int(top_1.low[0]), int(top_1.high[0])})
    ones, zeros = ones[ones.loss + top_0.loss > best.regret], zeros[zeros.loss + top_1.loss > best.regret]
    for start in range(0, ones.loss.size, _BLOCK):
        rows = ones[start : start + _BLOCK]
        columns = zeros[rows.loss[0] + zeros.loss > best.regret]
        if columns.loss.size == 0:
            break
        best = max(best, _best_of(rows, columns, state_1.prior, state_0.prior, loss), key=attrgetter("regret"))
    # The loss of the worst pair may exceed the sum of the largest losses by a rounding error.
    largest = max(best.largest_loss, float(top_1.loss[0] + top_0.loss[0]))
    return best._replace(largest_loss=largest, representatives=representatives)


def _best_of(ones: TwoPointLaws, zeros: TwoPointLaws, prior_1: float, prior_0: float, loss: Loss) -> WorstPair:
    """Return the pair with the largest regret among all combinations."""
    right_1, right_0 = loss.value(1.0, 1), loss.value(0.0, 0)  # what a certain and right forecast costs, usually 0
    benchmark = np.full((ones.low.size, zeros.low.size), prior_1 * right_1 + prior_0 * right_0)
    for point, weight in ((ones.low, 1 - ones.share), (ones.high, ones.share)):
        at_low, at_high = zeros.low == point[:, None], zeros.high == point[:, None]
        weight_0 = np.where(at_low, 1 - zeros.share, 0.0) + np.where(at_high, zeros.share, 0.0)
        met = np.nonzero(weight_0)
        mass_1, mass_0 = prior_1 * weight[met[0]], prior_0 * weight_0[met]
        total = mass_1 + mass_0
        risk = total * loss.bayes_risk(mass_1 / np.where(total > 0, total, 1.0))
        benchmark[met] += risk - mass_1 * right_1 - mass_0 * right_0
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
