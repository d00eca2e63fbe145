"""Pairs of counts that look alike, with a chance of state 1: the linear constraints of the best rule."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.game import Game


class Cuts(NamedTuple):
    """Constraints p·L₁(j₁) + (1 − p)·L₀(j₀) ≥ Bayes risk of p on lines L above the losses for j errors.

    They hold where N − j₁ ≤ j₀ + k: the forecast for the first count is at most that for the second.

    Attributes
    ----------
    errors_1, errors_0 : integer arrays
        The numbers of truthful errors given state 1 and given state 0.
    chances : array
        p.
    """

    errors_1: NDArray[np.int64]
    errors_0: NDArray[np.int64]
    chances: FloatArray

    def joined(self, *others: "Cuts") -> "Cuts":
        """Return these cuts with others, each once."""
        columns = (np.concatenate(parts) for parts in zip(self, *others, strict=True))
        first, second, chances = np.unique(np.stack([*columns]), axis=1)
        return Cuts(first.astype(np.int64), second.astype(np.int64), chances)

    def places(self, others: "Cuts") -> NDArray[np.int64]:
        """Return where each of other cuts, which are among these, is."""
        same = np.stack([theirs[:, None] == own for own, theirs in zip(self, others, strict=True)])
        return np.asarray(same.all(axis=0).argmax(axis=1), dtype=np.int64)

    def at(self, places: NDArray[np.int64]) -> "Cuts":
        """Return some of these cuts."""
        return Cuts(self.errors_1[places], self.errors_0[places], self.chances[places])

    def possible(self, game: Game) -> NDArray[np.bool_]:
        """Return which pairs of counts adversaries can make look alike; the others order the rule alone."""
        panel = game.panel
        apart = self.errors_0 + panel.k - (panel.truthful - self.errors_1)
        return np.asarray((apart <= 2 * panel.k) | (self.chances == 0) | (self.chances == 1))

    def merged(self, weights: FloatArray) -> "Cuts":
        """Return the chances of state 1 where several cuts of a pair of counts have a weight."""
        used = weights > 0
        pairs, place = np.unique(np.stack([self.errors_1, self.errors_0])[:, used], axis=1, return_inverse=True)
        place = place.reshape(-1)
        total, several = np.bincount(place, weights[used]), np.bincount(place) > 1
        chances = np.bincount(place, (weights * self.chances)[used]) / total
        return Cuts(pairs[0][several], pairs[1][several], chances[several])


def first_cuts(game: Game) -> Cuts:
    """Return cuts that bound all lines from below: of each state alone, and of both with the prior."""
    ends = []
    for bound in game.bounds:
        mean = int(bound.least * bound.scale)
        errors = bound.errors
        ends.append(np.unique(np.clip([0, mean, mean + 1, bound.size], errors[0], errors[-1])))
    first, second = ends
    alone_1 = Cuts(first, np.full(first.size, second[-1]), np.ones(first.size))
    alone_0 = Cuts(np.full(second.size, first[-1]), second, np.zeros(second.size))
    one, two = (grid.ravel() for grid in np.meshgrid(first, second))
    ordered = game.panel.truthful - one <= two + game.panel.k
    both = [Cuts(one[ordered], two[ordered], np.full(int(ordered.sum()), prior)) for prior in game.prior]
    return alone_1.joined(alone_0, *both)
