"""Refine the solution of the master problem to the last digits by a primal-dual interior-point method."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.minimax.conic_master import MasterSolution
from bribeproof.theory.minimax.cuts import Cuts
from bribeproof.theory.model.losses import Squared

_MAX_STEPS = 100
# Fraction of the way to where the first weight or slack would be 0 that a step goes at most.
_FRACTION_TO_BOUNDARY = 0.995
# The iteration stops at shorter steps.
_MIN_STEP = 1e-10
# Largest step in log-odds, in which the regrets are far from quadratic.
_MAX_LOG_ODDS_STEP = 2.0
# The products of weights and slacks stay above this fraction of the residual of the other conditions.
_MIN_COMPLEMENTARITY = 0.01
# Rounding error relative to the scale of the regrets.
_PRECISION = 1e-14


def refine_interior_point(cuts: Cuts) -> MasterSolution:
    """Return the rule with the least regret under the worst of the cuts, and Nature's mixture against it.

    Parameters
    ----------
    cuts : Cuts
        At least one cut, under the squared or the logarithmic loss.

    Returns
    -------
    MasterSolution
        The forecasts and positive weights with the smallest gap between their bounds.

    Notes
    -----
    docs/theory.md §7, cutting planes. Let g be the regrets under the cuts, t a level and s slacks. At the optimum
    g + s = t, the weights w sum to 1 with w·s = 0, and the forecasts are Bayes acts of w. Newton's method follows the
    central path w·s = constant → 0 with predictor and corrector steps (S. Mehrotra, *On the implementation of a
    primal-dual interior point method*, 1992). Under the logarithmic loss the unknowns are log-odds of the forecasts,
    in which the regrets are convex too and no probability underflows. Scaling the masses scales g, s and t alike, so
    tiny priors cost no digits.
    """
    iterate = _Iterate.start(_Problem.of(cuts))
    scale = float(iterate.slacks.max())
    best, smallest_gap = MasterSolution(cuts.acts(iterate.weights), iterate.weights), np.inf
    if np.ptp(iterate.regrets) <= _PRECISION * scale:
        return best
    for _ in range(_MAX_STEPS):
        move = _next_move(iterate)
        if move is None:
            break
        length = _FRACTION_TO_BOUNDARY * min(_reach(iterate.weights, move.weights), _reach(iterate.slacks, move.slacks))
        if iterate.problem.log:
            largest = float(np.abs(move.unknowns).max(initial=_MAX_LOG_ODDS_STEP))
            length = min(length, _MAX_LOG_ODDS_STEP / largest)
        iterate = iterate.moved(length, move)
        candidate = MasterSolution(iterate.problem.forecasts(iterate.unknowns), iterate.weights / iterate.weights.sum())
        gap = float(cuts.regrets(candidate.forecasts).max()) - cuts.lower_bound(candidate.weights)
        if gap < smallest_gap:
            best, smallest_gap = candidate, gap
        error = max(float(iterate.weights @ iterate.slacks), iterate.residual)
        if min(gap, error) <= _PRECISION * scale or length < _MIN_STEP:
            break
    return best


def _next_move(iterate: "_Iterate") -> "_Move | None":
    """Return the predictor-corrector step from an iterate; None where only rounding is left of the equations."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        newton = _Newton.at(iterate)
        if not np.isfinite(newton.inner).all():
            return None
        move = newton.step(np.zeros(iterate.weights.size))
        if not move.finite:
            return None
        product = iterate.weights * iterate.slacks
        reached = (iterate.weights + _reach(iterate.weights, move.weights) * move.weights) @ (
            iterate.slacks + _reach(iterate.slacks, move.slacks) * move.slacks
        )
        centre = product.mean() * min(1.0, reached / product.sum()) ** 3
        # The products must not vanish before the other conditions hold. Where they are kept from it, the step has no
        # corrector: with one, these would never hold where a weight and its slack vanish together.
        floor = min(product.mean(), _MIN_COMPLEMENTARITY * iterate.residual / product.size)
        move = newton.step(centre - move.weights * move.slacks if centre >= floor else np.full(product.size, floor))
        return move if move.finite else None


@dataclass(frozen=True, slots=True)
class _Problem:
    """The cuts at the counts seen in both states; at the others the best forecast is certain and right."""

    ones: FloatArray
    zeros: FloatArray
    benchmarks: FloatArray
    log: bool
    open: NDArray[np.bool]
    acts: FloatArray

    @classmethod
    def of(cls, cuts: Cuts) -> Self:
        """Return the problem without the counts that are seen in only one state."""
        both = np.logical_and(cuts.ones.any(axis=0), cuts.zeros.any(axis=0))
        equal = np.full(cuts.benchmarks.size, 1 / cuts.benchmarks.size)
        log = not isinstance(cuts.loss, Squared)
        return cls(cuts.ones[:, both], cuts.zeros[:, both], cuts.benchmarks, log, both, cuts.acts(equal))

    def unknowns(self) -> FloatArray:
        """Return the starting point: the Bayes acts of equal weights, as finite log-odds for the logarithmic loss."""
        if self.log:
            log_odds: FloatArray = np.log(self.ones.sum(axis=0)) - np.log(self.zeros.sum(axis=0))
            return log_odds
        return self.acts[self.open]

    def forecasts(self, unknowns: FloatArray) -> FloatArray:
        """Return the forecasts for all counts."""
        forecasts = self.acts.copy()
        forecasts[self.open] = _to_probability(unknowns) if self.log else np.clip(unknowns, 0.0, 1.0)
        return forecasts

    def regrets(self, unknowns: FloatArray) -> FloatArray:
        """Return the regret under each cut."""
        if self.log:
            losses = np.logaddexp(0.0, -unknowns), np.logaddexp(0.0, unknowns)
        else:
            losses = np.square(1 - unknowns), np.square(unknowns)
        return self.ones @ losses[0] + self.zeros @ losses[1] - self.benchmarks

    def slopes(self, unknowns: FloatArray) -> FloatArray:
        """Return the derivative of each regret with respect to each unknown."""
        masses = self.ones + self.zeros
        if self.log:
            return _to_probability(unknowns) * masses - self.ones
        return 2 * (unknowns * masses - self.ones)

    def curvature(self, unknowns: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the second derivatives of the mean regret by each unknown; its Hessian is diagonal."""
        masses = weights @ (self.ones + self.zeros)
        if self.log:
            probabilities = _to_probability(unknowns)
            return masses * probabilities * (1 - probabilities)
        return 2 * masses


@dataclass(frozen=True, slots=True)
class _Iterate:
    """The unknowns and regrets of a rule, a level, and a positive weight and slack for each cut."""

    problem: _Problem
    unknowns: FloatArray
    regrets: FloatArray
    level: float
    weights: FloatArray
    slacks: FloatArray

    @classmethod
    def start(cls, problem: _Problem) -> Self:
        """Return the first iterate: equal weights, and slacks of the order of the regrets."""
        unknowns = problem.unknowns()
        regrets = problem.regrets(unknowns)
        level, size = float(regrets.max()), regrets.size
        scale = max(float(np.ptp(regrets)), float(np.abs(regrets).max()), np.finfo(float).tiny)
        return cls(problem, unknowns, regrets, level, np.full(size, 1 / size), np.maximum(level - regrets, scale / 10))

    @property
    def residual(self) -> float:
        """Largest violation of g + s = t over the cuts."""
        return float(np.abs(self.regrets + self.slacks - self.level).max())

    def moved(self, length: float, move: "_Move") -> Self:
        """Return the iterate after a fraction of a step."""
        unknowns = self.unknowns + length * move.unknowns
        return type(self)(
            self.problem,
            unknowns,
            self.problem.regrets(unknowns),
            self.level + length * move.level,
            self.weights + length * move.weights,
            self.slacks + length * move.slacks,
        )


@dataclass(frozen=True, slots=True)
class _Move:
    """Direction of a step in all variables."""

    unknowns: FloatArray
    level: float
    weights: FloatArray
    slacks: FloatArray

    @property
    def finite(self) -> bool:
        """Whether all entries are finite."""
        return all(np.isfinite(part).all() for part in (self.unknowns, self.level, self.weights, self.slacks))


@dataclass(frozen=True, slots=True)
class _Newton:
    """The linear system of one Newton step, with one equation per unknown, however many cuts there are."""

    iterate: _Iterate
    slopes: FloatArray
    ratio: FloatArray
    scale: FloatArray
    inner: FloatArray

    @classmethod
    def at(cls, iterate: _Iterate) -> Self:
        """Return the linearised conditions at an iterate."""
        slopes = iterate.problem.slopes(iterate.unknowns)
        ratio = iterate.weights / iterate.slacks
        curvature = iterate.problem.curvature(iterate.unknowns, iterate.weights)
        if iterate.problem.log:
            # Log-odds of nearly certain forecasts have hardly any curvature, and steps would be too long.
            curvature = np.maximum(curvature, np.abs(iterate.weights @ slopes) / _MAX_LOG_ODDS_STEP)
        inner = np.diag(curvature) + (slopes.T * ratio) @ slopes
        # Scale to a unit diagonal: the counts may have masses of any order.
        scale = 1 / np.sqrt(np.maximum(np.diag(inner), np.finfo(float).tiny))
        return cls(iterate, slopes, ratio, scale, inner * scale * scale[:, None])

    def step(self, target: FloatArray) -> _Move:
        """Return the step after which, to first order, w·s is the target and the other conditions hold."""
        weights, slacks = self.iterate.weights, self.iterate.slacks
        excess = self.iterate.regrets - self.iterate.level + target / weights
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


def _to_probability(log_odds: FloatArray) -> FloatArray:
    """Return the probabilities of log-odds."""
    return np.exp(-np.logaddexp(0.0, -log_odds))


def _reach(values: FloatArray, moves: FloatArray) -> float:
    """Return the fraction of a step, at most 1, after which the first value would be 0."""
    falling = moves < 0
    return float(np.min(-values[falling] / moves[falling], initial=1.0))
