"""The last digits: the best rule against some cuts, and Nature's mixture, by an interior-point method of its own."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.minimax.conic_master import MasterSolution
from bribeproof.theory.minimax.cuts import Cuts
from bribeproof.theory.model.losses import Squared

_MOST_STEPS = 100
# A step goes this part of the way to where the first weight or slack would be 0, and is no use below this length.
_TO_THE_EDGE, _SHORTEST = 0.995, 1e-10
# Largest step in log-odds, whose curves are far from parabolas.
_FURTHEST = 2.0
# The products of weights and slacks stay above this part of the violation of the other conditions.
_IN_STEP = 0.01
# What is rounding, as a part of the regrets' scale.
_PRECISION = 1e-14


def refine_interior_point(cuts: Cuts) -> MasterSolution:
    """Rule with the least regret under the worst of the cuts, and Nature's mixture against it.

    Parameters
    ----------
    cuts : Cuts
        At least one cut, under the squared or the logarithmic loss.

    Returns
    -------
    MasterSolution
        The forecasts and positive weights whose bounds are nearest.

    Notes
    -----
    theory.md §7. Let g be the regrets under the cuts, t a level and s slacks. The optimum has g + s = t, weights w that
    sum to 1 with w·s = 0, and forecasts that are Bayes acts of w. Newton's method follows the path w·s = constant → 0,
    each step with a prediction and a correction (S. Mehrotra, 1992). Under the logarithmic loss the unknowns are
    log-odds of the forecasts, in which regrets are convex as well and no probability is too small. Scaling the
    masses only scales g, s and t, so that tiny priors cost no digits.
    """
    point = _Iterate.start(_Problem.of(cuts))
    scale = float(point.slacks.max())
    best, least = MasterSolution(cuts.acts(point.weights), point.weights), np.inf
    if np.ptp(point.regrets) <= _PRECISION * scale:
        return best
    for _ in range(_MOST_STEPS):
        move = _next_move(point)
        if move is None:
            break
        length = _TO_THE_EDGE * min(_reach(point.weights, move.weights), _reach(point.slacks, move.slacks))
        if point.game.log:
            length = min(length, _FURTHEST / float(np.abs(move.unknowns).max(initial=_FURTHEST)))
        point = point.moved(length, move)
        answer = MasterSolution(point.game.forecasts(point.unknowns), point.weights / point.weights.sum())
        gap = float(cuts.regrets(answer.forecasts).max()) - cuts.lower_bound(answer.weights)
        if gap < least:
            best, least = answer, gap
        left = max(float(point.weights @ point.slacks), point.residual)
        if min(gap, left) <= _PRECISION * scale or length < _SHORTEST:
            break
    return best


def _next_move(point: "_Iterate") -> "_Move | None":
    """Predict where the path ends, then aim at a point on it as near to the end as the prediction came, and correct.

    None where nothing but rounding is left of the equations.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        newton = _Newton.at(point)
        if not np.isfinite(newton.inner).all():
            return None
        move = newton.step(np.zeros(point.weights.size))
        if not move.finite:
            return None
        product = point.weights * point.slacks
        reached = (point.weights + _reach(point.weights, move.weights) * move.weights) @ (
            point.slacks + _reach(point.slacks, move.slacks) * move.slacks
        )
        centre = product.mean() * min(1.0, reached / product.sum()) ** 3
        # The path must not end before the other conditions hold. A prediction that is held back is no base for a
        # correction, which would keep these from ever holding where a weight and its slack vanish together.
        held = min(product.mean(), _IN_STEP * point.residual / product.size)
        move = newton.step(centre - move.weights * move.slacks if centre >= held else np.full(product.size, held))
        return move if move.finite else None


@dataclass(frozen=True, slots=True)
class _Problem:
    """The cuts at the counts that they show in both states; at the others the best forecast is sure and right."""

    ones: FloatArray
    zeros: FloatArray
    benchmarks: FloatArray
    log: bool
    open: NDArray[np.bool]
    acts: FloatArray

    @classmethod
    def of(cls, cuts: Cuts) -> Self:
        """Leave out the counts that only one state has."""
        both = np.logical_and(cuts.ones.any(axis=0), cuts.zeros.any(axis=0))
        equal = np.full(cuts.benchmarks.size, 1 / cuts.benchmarks.size)
        log = not isinstance(cuts.loss, Squared)
        return cls(cuts.ones[:, both], cuts.zeros[:, both], cuts.benchmarks, log, both, cuts.acts(equal))

    def unknowns(self) -> FloatArray:
        """Where to start: the Bayes acts of equal weights; log-odds are finite where forecasts round to 0 or 1."""
        if self.log:
            log_odds: FloatArray = np.log(self.ones.sum(axis=0)) - np.log(self.zeros.sum(axis=0))
            return log_odds
        return self.acts[self.open]

    def forecasts(self, unknowns: FloatArray) -> FloatArray:
        """Forecasts for all counts."""
        forecasts = self.acts.copy()
        forecasts[self.open] = _odds_to_chance(unknowns) if self.log else np.clip(unknowns, 0.0, 1.0)
        return forecasts

    def regrets(self, unknowns: FloatArray) -> FloatArray:
        """Regret under each cut."""
        if self.log:
            losses = np.logaddexp(0.0, -unknowns), np.logaddexp(0.0, unknowns)
        else:
            losses = np.square(1 - unknowns), np.square(unknowns)
        return self.ones @ losses[0] + self.zeros @ losses[1] - self.benchmarks

    def slopes(self, unknowns: FloatArray) -> FloatArray:
        """Return the derivative of each regret by each unknown."""
        masses = self.ones + self.zeros
        if self.log:
            return _odds_to_chance(unknowns) * masses - self.ones
        return 2 * (unknowns * masses - self.ones)

    def curvature(self, unknowns: FloatArray, weights: FloatArray) -> FloatArray:
        """Second derivatives of the mean regret; no regret bends in two unknowns at once."""
        masses = weights @ (self.ones + self.zeros)
        if self.log:
            chances = _odds_to_chance(unknowns)
            return masses * chances * (1 - chances)
        return 2 * masses


@dataclass(frozen=True, slots=True)
class _Iterate:
    """The unknowns and regrets of a rule, a level, and a positive weight and slack for each cut; or a step of these."""

    game: _Problem
    unknowns: FloatArray
    regrets: FloatArray
    level: float
    weights: FloatArray
    slacks: FloatArray

    @classmethod
    def start(cls, game: _Problem) -> Self:
        """Start with equal weights, and slacks of the order of the regrets."""
        unknowns = game.unknowns()
        regrets = game.regrets(unknowns)
        level, size = float(regrets.max()), regrets.size
        scale = max(float(np.ptp(regrets)), float(np.abs(regrets).max()), np.finfo(float).tiny)
        return cls(game, unknowns, regrets, level, np.full(size, 1 / size), np.maximum(level - regrets, scale / 10))

    @property
    def residual(self) -> float:
        """Largest violation of g + s = t."""
        return float(np.abs(self.regrets + self.slacks - self.level).max())

    def moved(self, length: float, move: "_Move") -> Self:
        """Return the point after a part of a step."""
        unknowns = self.unknowns + length * move.unknowns
        return type(self)(
            self.game,
            unknowns,
            self.game.regrets(unknowns),
            self.level + length * move.level,
            self.weights + length * move.weights,
            self.slacks + length * move.slacks,
        )


@dataclass(frozen=True, slots=True)
class _Move:
    """Direction of a step."""

    unknowns: FloatArray
    level: float
    weights: FloatArray
    slacks: FloatArray

    @property
    def finite(self) -> bool:
        """Whether the equations had a solution in floating point."""
        return all(np.isfinite(part).all() for part in (self.unknowns, self.level, self.weights, self.slacks))


@dataclass(frozen=True, slots=True)
class _Newton:
    """The linear system of one step: as large as the number of unknowns, however many cuts there are."""

    point: _Iterate
    slopes: FloatArray
    ratio: FloatArray
    scale: FloatArray
    inner: FloatArray

    @classmethod
    def at(cls, point: _Iterate) -> Self:
        """Linearise the conditions at a point."""
        slopes = point.game.slopes(point.unknowns)
        ratio = point.weights / point.slacks
        curvature = point.game.curvature(point.unknowns, point.weights)
        if point.game.log:
            # Log-odds of nearly sure forecasts have hardly any curvature, and would jump.
            curvature = np.maximum(curvature, np.abs(point.weights @ slopes) / _FURTHEST)
        inner = np.diag(curvature) + (slopes.T * ratio) @ slopes
        # Unit diagonal: the counts may have masses of any order.
        scale = 1 / np.sqrt(np.maximum(np.diag(inner), np.finfo(float).tiny))
        return cls(point, slopes, ratio, scale, inner * scale * scale[:, None])

    def step(self, target: FloatArray) -> _Move:
        """Step after which w·s would be the target and the other conditions would hold, but for curvature."""
        weights, slacks = self.point.weights, self.point.slacks
        excess = self.point.regrets - self.point.level + target / weights
        weighted = self.slopes.T * self.ratio
        per_level = weighted.sum(axis=1)
        right = np.stack([-self.slopes.T @ weights - weighted @ excess, per_level], axis=1)
        scale = self.scale[:, None]
        fixed, along = (scale * np.linalg.lstsq(self.inner, scale * right)[0]).T
        missing = 1 - weights.sum() - self.ratio @ excess - per_level @ fixed
        rise = float(missing / (per_level @ along - self.ratio.sum()))
        unknowns = fixed + rise * along
        moves = self.ratio * (self.slopes @ unknowns - rise + excess)
        return _Move(unknowns, rise, moves, (target - slacks * moves) / weights - slacks)


def _odds_to_chance(log_odds: FloatArray) -> FloatArray:
    """Probabilities of log-odds."""
    return np.exp(-np.logaddexp(0.0, -log_odds))


def _reach(values: FloatArray, moves: FloatArray) -> float:
    """How far a step can go, at most all of it, until the first value would be 0."""
    falling = moves < 0
    return float(np.min(-values[falling] / moves[falling], initial=1.0))
