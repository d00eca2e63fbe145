"""Lines in the shares of reporters and of pairs who err, and the lowest of them that satisfy some cuts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.cuts import Cuts
from bribeproof.theory.pairwise.error_laws import ErrorBounds
from bribeproof.theory.pairwise.game import Game

_TOLERANCES = 10.0 ** np.arange(-10, -6)
"""Tolerances of the linear program; the smallest that the solver reaches counts."""
_FINER = 1e4
"""The unit of losses is so many times finer than 1, for the sake of the solver's tolerances, which are absolute."""
_LEAST_SCALE = 1e-4
_APART = 1e-10
"""How much less a cut counts that no adversaries can make."""


class Line(NamedTuple):
    """The function level + slope·j/N + bend·j(j − 1)/(N(N − 1)) of j errors, with a bend of at least 0."""

    level: float
    slope: float
    bend: float
    bound: ErrorBounds

    def at(self, errors: NDArray[np.int64]) -> FloatArray:
        """Return its values."""
        single, pairs = self.bound.shares(errors)
        return self.level + self.slope * single + self.bend * pairs

    @property
    def lowest(self) -> int:
        """The possible number of errors at which it is lowest."""
        errors = self.bound.errors
        if self.bend <= 0:
            return int(errors[0 if self.slope >= 0 else -1])
        lowest = self.bound.lowest(self.slope, self.bend)
        return round(min(max(lowest, float(errors[0])), float(errors[-1])))


class Lines(NamedTuple):
    """A line in each state, what both cost together, the worst prior, and the weights of the cuts that hold them up."""

    given_1: Line
    given_0: Line
    value: float
    prior: float
    weights: FloatArray


def lowest_lines(cuts: Cuts, game: Game) -> Lines | None:
    """Return the lines of least cost that satisfy some cuts; None where the solver fails.

    The cost of a line is its largest mean over the laws of errors; both together cost their mean over the worst prior.
    """
    from scipy.optimize import linprog

    ends = np.array(game.prior)
    blocks, costs, scales, ranges = [], [], [], []
    masses, weights = (cuts.chances, 1 - cuts.chances), (ends, 1 - ends)
    for mass, weight, errors, bound in zip(masses, weights, cuts[:2], game.bounds, strict=True):
        single, pairs = bound.shares(errors)
        one, two = max(bound.most, _LEAST_SCALE), max(bound.joint, _LEAST_SCALE)
        scale = np.array([1.0, 1 / one, 1 / one, 1 / two]) / max(weight.max(), _LEAST_SCALE)
        blocks.append((mass * np.stack([np.ones(mass.size), single, -single, pairs])).T * scale)
        costs.append(weight[:, None] * np.array([1.0, bound.most, -bound.least, bound.joint]) * scale)
        scales.append(scale)
        # where the error rate is known one slope of either sign is enough
        known = bound.least == bound.most
        ranges += [(None, None), (None if known else 0, None), (0, 0 if known else None), (0, None)]
    risks = np.asarray(game.loss.bayes_risk(cuts.chances)) - _APART * ~cuts.possible(game)
    # the last column is the cost, which is no less than that with either end of the prior
    rows = [np.hstack([*costs, -np.ones((2, 1))]), -np.hstack([*blocks, np.zeros((risks.size, 1))])]
    for tolerance in _TOLERANCES:
        found = linprog(
            np.append(np.zeros(8), 1.0),
            A_ub=np.vstack(rows),
            b_ub=np.concatenate([np.zeros(2), -risks * _FINER]),
            bounds=[*ranges, (None, None)],
            method="highs-ds",
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if found.success:
            parts = np.split(found.x[:8] * np.concatenate(scales) / _FINER, 2)
            first, second = (
                Line(level, up - down, max(bend, 0.0), bound)
                for (level, up, down, bend), bound in zip(parts, game.bounds, strict=True)
            )
            dual = np.maximum(0.0, -found.ineqlin.marginals)
            prior = float(np.clip(dual[:2] @ ends / dual[:2].sum(), *ends)) if dual[:2].sum() > 0 else game.prior[0]
            return Lines(first, second, float(found.fun) / _FINER, prior, dual[2:])
    return None
