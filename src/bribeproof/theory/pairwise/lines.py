"""Lines in the shares of reporters and of pairs who err, and the lowest of them that satisfy some cuts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.pairwise.cuts import Cuts
from bribeproof.theory.pairwise.error_laws import ErrorBounds
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.simplex import Optimum, maximise

Range = tuple[int | None, int | None]

_TOLERANCES = 10.0 ** np.arange(-10, -6)
"""Tolerances of the linear program; the smallest that the solver reaches counts."""
_FINER = 1e4
"""The unit of losses is so many times finer than 1, for the sake of the solver's tolerances, which are absolute."""
_LEAST_SCALE = 1e-4
_PRECISION = 1e-14
"""By how much less than a cut asks for the lines may have, beside which the next constant is large."""
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


class Basis(NamedTuple):
    """The cuts that may hold lines up, and the columns after the cuts in the basis of their linear program."""

    cuts: Cuts
    others: NDArray[np.int64]


class Lines(NamedTuple):
    """A line in each state, what both cost together, the worst prior, and the weights of the cuts that hold them up."""

    given_1: Line
    given_0: Line
    value: float
    prior: float
    weights: FloatArray
    basis: Basis | None


class _Program(NamedTuple):
    """The linear program of the lines: the least cost of coefficients that satisfy the cuts.

    Attributes
    ----------
    rows
        What the cuts take of the eight coefficients, four for each state: level, slope up and down, bend.
    risks
        The least that each cut asks for.
    costs
        The cost of the coefficients at both ends of the prior, of which the larger counts.
    ranges
        Whether each coefficient is free, at least 0, or 0.
    scales
        The units of the coefficients.
    """

    rows: FloatArray
    risks: FloatArray
    costs: FloatArray
    ranges: list[Range]
    scales: FloatArray


def lowest_lines(cuts: Cuts, game: Game, before: Lines | None = None) -> Lines | None:
    """Return the lines of least cost that satisfy some cuts; None where the solver fails.

    The cost of a line is its largest mean over the laws of errors; both together cost their mean over the worst prior.
    With the lines for fewer cuts the search begins there.
    """
    program = _program(cuts, game)
    basis = _first_basis(cuts, game, program) if before is None else before.basis
    found = None if basis is None else _from_basis(basis, cuts, program)
    if found is None:
        return _by_solver(game, program)
    rows = [place for place, one in enumerate(program.ranges) if one != (0, 0)]
    solution = np.zeros(8)
    solution[rows] = found.prices[:-1]
    size = cuts.chances.size
    held, others = found.basis[found.basis < size], found.basis[found.basis >= size] - size
    return _lines(
        solution, float(found.prices[-1]), found.weights[size : size + 2], found.weights[:size], program, game,
        Basis(cuts.at(held), others),
    )  # fmt: skip


def _program(cuts: Cuts, game: Game) -> _Program:
    """Return the linear program of the lines that satisfy some cuts."""
    ends = np.array(game.prior)
    blocks, costs, scales = [], [], []
    ranges: list[Range] = []
    masses, weights = (cuts.chances, 1 - cuts.chances), (ends, 1 - ends)
    for mass, weight, errors, bound in zip(masses, weights, cuts[:2], game.bounds, strict=True):
        single, pairs = bound.shares(errors)
        one, two = max(bound.most, _LEAST_SCALE), max(bound.joint, _LEAST_SCALE)
        scale = np.array([1.0, 1 / one, 1 / one, 1 / two]) / max(weight.max(), _LEAST_SCALE)
        blocks.append((mass * np.stack([np.ones(mass.size), single, -single, pairs])).T * scale)
        costs.append(weight[:, None] * np.array([1.0, bound.most, -bound.least, bound.joint]) * scale)
        scales.append(scale)
        # where the error rate is known one slope of either sign is enough, and none where it is 0 or 1
        known, alone = bound.least == bound.most, bound.errors.size == 1
        bend: Range = (0, 0) if alone else (0, None)
        ranges += [(None, None), bend if not known or alone else (None, None), (0, 0) if known else bend, bend]
    risks = np.asarray(game.loss.bayes_risk(cuts.chances)) - _APART * ~cuts.possible(game)
    return _Program(np.hstack(blocks), risks, np.hstack(costs), ranges, np.concatenate(scales))


def _first_basis(cuts: Cuts, game: Game, program: _Program) -> Basis | None:
    """Return the basis of the laws with the fewest pairs at the least error rates."""
    held = []
    for state, errors, bound in zip((1, 0), cuts[:2], game.bounds, strict=True):
        mean = min(int(bound.least * bound.scale), max(int(bound.errors[-1]) - 1, int(bound.errors[0])))
        alone = cuts.chances == state
        held += [np.flatnonzero(alone & (errors == one))[:1] for one in range(mean, mean + min(2, bound.errors.size))]
    # the first end of the prior, and what is left of the largest rates and of the pairs
    slack = [place for place, one in enumerate(program.ranges) if one == (0, None)]
    left = [2 + number for number, place in enumerate(slack) if place % 4 != 2]
    places = np.concatenate(held)
    return Basis(cuts.at(places), np.array([0, *left])) if places.size == len(held) else None


def _from_basis(basis: Basis, cuts: Cuts, program: _Program) -> Optimum | None:
    """Return the optimum of the dual program: the weights of cuts, and a prior, that earn most.

    Its rows are the coefficients of the lines, which are its prices, and one in which the shares of the two ends of
    the prior add up to 1.
    """
    kept = [place for place, one in enumerate(program.ranges) if one != (0, 0)]
    slacks = np.eye(8)[np.ix_(kept, [place for place, one in enumerate(program.ranges) if one == (0, None)])]
    size, extra = cuts.chances.size, 2 + slacks.shape[1]
    columns = np.zeros((len(kept) + 1, size + extra))
    columns[:-1] = np.hstack([program.rows.T[kept], -program.costs.T[kept], slacks])
    columns[-1, size : size + 2] = 1.0
    limits = np.zeros(len(kept) + 1)
    limits[-1] = 1.0
    places = np.concatenate([cuts.places(basis.cuts), size + basis.others])
    return maximise(np.append(program.risks, np.zeros(extra)), columns, limits, places, _PRECISION)


def _by_solver(game: Game, program: _Program) -> Lines | None:
    """Return the lines by a solver, which needs no basis."""
    from scipy.optimize import linprog

    # the last column is the cost, which is no less than that with either end of the prior
    rows = [
        np.hstack([program.costs, -np.ones((2, 1))]), -np.hstack([program.rows, np.zeros((program.risks.size, 1))])
    ]  # fmt: skip
    for tolerance in _TOLERANCES:
        found = linprog(
            np.append(np.zeros(8), 1.0),
            A_ub=np.vstack(rows),
            b_ub=np.concatenate([np.zeros(2), -program.risks * _FINER]),
            bounds=[*program.ranges, (None, None)],
            method="highs-ds",
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if found.success:
            dual = np.maximum(0.0, -found.ineqlin.marginals)
            return _lines(found.x[:8] / _FINER, float(found.fun) / _FINER, dual[:2], dual[2:], program, game, None)
    return None


def _lines(
    solution: FloatArray,
    value: float,
    shares: FloatArray,
    weights: FloatArray,
    program: _Program,
    game: Game,
    basis: Basis | None,
) -> Lines:
    """Return lines by their coefficients, with the shares of the ends of the prior and the weights of the cuts."""
    ends = np.array(game.prior)
    first, second = (
        Line(level, up - down, max(bend, 0.0), bound)
        for (level, up, down, bend), bound in zip(np.split(solution * program.scales, 2), game.bounds, strict=True)
    )
    prior = float(np.clip(shares @ ends / shares.sum(), *ends)) if shares.sum() > 0 else game.prior[0]
    return Lines(first, second, value, prior, weights, basis)
