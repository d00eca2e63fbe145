"""The best rule against all laws of errors within bounds, and laws against which no rule does better."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.pairwise.cuts import Cuts, first_cuts
from bribeproof.theory.pairwise.forecasts import balanced, between, chances_of
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.lines import Lines, lowest_lines
from bribeproof.theory.pairwise.witness import Witness, proven_by, witness_of

_ROUNDS = 80
_NEW_CUTS = 40
"""About how many cuts of a kind a round adds."""
_BESIDE = np.array([0.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
"""Where cuts of one pair are added: the most violated one, and parts of the way to those that are not violated."""
_NEAR = 1e-4
"""The distance of chances over which the curvature of the Bayes risk is measured."""
_MOST_COUNTS = 5000
"""How many counts are looked at in each round; the rule is for all of them."""
_VIOLATED = 1e-13, 2e-10
"""By how much a cut is violated at least that is added: one that adversaries can make, and one that orders the rule."""


class GameSolution(NamedTuple):
    """A nondecreasing rule by its n + 1 forecasts, Nature's side with what it proves, and how near the two are."""

    forecasts: FloatArray
    lower: float
    witness: Witness
    prior: float
    gap: float


class _Response(NamedTuple):
    """Forecasts for counts of H with losses below two lines, the cuts that stand against them, and their violation."""

    counts: NDArray[np.int64]
    forecasts: FloatArray
    cuts: Cuts
    violation: FloatArray

    def worst(self, least: float, loss: Loss) -> Cuts:
        """Return some of the cuts that are violated by more than a number, with others of the same pairs beside them.

        One cut of a pair would halve the distance of chances in each round; with six beside it, it is an eighth.
        """
        places = np.flatnonzero(self.violation > least)
        if places.size > _NEW_CUTS:
            places = places[np.linspace(0, places.size - 1, _NEW_CUTS).round().astype(np.int64)]
            places = np.append(places, self.violation.argmax())
        errors_1, errors_0, chances = self.cuts.at(places)
        far = _reach(loss, chances, self.violation[places])
        beside = np.clip(chances + _BESIDE[:, None] * far, 0.0, 1.0)
        return Cuts(np.tile(errors_1, _BESIDE.size), np.tile(errors_0, _BESIDE.size), beside.ravel())


def solve_game(game: Game, enough: float, tol: float) -> GameSolution | None:
    """Return a rule with the least largest expected loss, and laws against which no rule does better.

    Parameters
    ----------
    game : Game
        Panel, prior, loss and bounds of the errors.
    enough : float
        The loss of a rule that is known; it may be the best one.
    tol : float
        The search ends where the two sides are as near as this.

    Returns
    -------
    GameSolution or None
        As good as the search makes it; no bound relies on that. None where no linear program was solved.

    Notes
    -----
    docs/theory.md §12. In each state a line in the shares of reporters and of pairs who err lies above
    the worst losses: those for N − j reports of H given state 1, and for j + k given state 0. A nondecreasing rule
    below two lines exists if and only if they satisfy all `Cuts`. Each round finds the lowest lines for some cuts, and
    adds cuts that they violate. The weights of the cuts are the probabilities of what adversaries make of the reports.
    """
    n, k = game.panel.n, game.panel.k
    every = np.arange(n + 1)
    counts = every if n <= _MOST_COUNTS else np.linspace(0, n, _MOST_COUNTS).round().astype(np.int64)
    cuts, lines, best = first_cuts(game), None, None
    for left in reversed(range(_ROUNDS)):
        lines = lowest_lines(cuts, game, lines)
        if lines is None:
            break
        ordered = _respond(lines, counts, game, reach=n)
        new = [cuts.merged(lines.weights), ordered.worst(_VIOLATED[1], game.loss)]
        new.append(_respond(lines, counts, game, reach=k).worst(_VIOLATED[0], game.loss))
        done = not left or not sum(part.chances.size for part in new)
        if done or min(enough - lines.value, _excess(lines, ordered, game)) <= tol / 2:
            rule = ordered if counts.size > n else _respond(lines, every, game, reach=n)
            witness = witness_of(cuts, lines.weights, game)
            lower = proven_by(witness, game.loss, lines.prior)
            gap = min(enough, lines.value + _excess(lines, rule, game)) - lower
            if best is None or gap < best.gap:
                best = GameSolution(rule.forecasts, lower, witness, lines.prior, gap)
            if gap <= tol:
                break
            if counts.size <= n:
                counts = np.union1d(counts, _nearby(cuts, lines.weights, game))
                new.append(rule.worst(_VIOLATED[1], game.loss))
            elif done:
                break
        cuts = cuts.joined(*new)
    return best


def _respond(lines: Lines, counts: NDArray[np.int64], game: Game, reach: int) -> _Response:
    """Return forecasts where a report count stands for all truthful counts at most `reach` from it.

    With a reach of k these are the counts that adversaries can make of the truthful reports; with n the forecasts do
    not fall.
    """
    panel, (bound_1, bound_0) = game.panel, game.bounds
    ends_1 = panel.truthful - bound_1.errors[[-1, 0]]
    ends_0 = bound_0.errors[[0, -1]] + panel.k
    lowest_1, lowest_0 = panel.truthful - lines.given_1.lowest, lines.given_0.lowest + panel.k
    first = np.clip(np.clip(lowest_1, counts - reach, counts), *ends_1)
    second = np.clip(np.clip(lowest_0, counts, counts + reach), *ends_0)
    may_be_1 = (counts - reach <= first) & (first <= counts)
    may_be_0 = (counts <= second) & (second <= counts + reach)
    cuts = Cuts(panel.truthful - first, second - panel.k, np.zeros(0))
    of_1 = np.where(may_be_1 | ~may_be_0, lines.given_1.at(cuts.errors_1), np.inf)
    of_0 = np.where(may_be_0 | ~may_be_1, lines.given_0.at(cuts.errors_0), np.inf)
    chances = chances_of(game.loss, balanced(game.loss, of_1, of_0))
    with np.errstate(invalid="ignore"):
        held = np.where(chances > 0, chances * of_1, 0.0) + np.where(chances < 1, (1 - chances) * of_0, 0.0)
    violation = np.where(may_be_1 | may_be_0, game.loss.bayes_risk(chances) - held, 0.0)
    return _Response(counts, between(game.loss, of_1, of_0), cuts._replace(chances=chances), violation)


def _reach(loss: Loss, chances: FloatArray, violation: FloatArray) -> FloatArray:
    """Return how far from the most violated chances the cuts are satisfied; 0 where the Bayes risk is not curved."""
    step = np.minimum(_NEAR, np.minimum(chances, 1 - chances) / 2)
    middle, *sides = (np.asarray(loss.bayes_risk(chances + side * step)) for side in (0, -1, 1))
    curvature = np.divide(2 * middle - sides[0] - sides[1], step**2, out=np.zeros(step.size), where=step**2 > 0)
    far = np.divide(2 * violation, curvature, out=np.zeros(step.size), where=curvature > 0)
    return np.asarray(np.minimum(np.sqrt(far), 1.0))


def _excess(lines: Lines, response: _Response, game: Game) -> float:
    """Return by how much lines must be raised to lie above all losses of a nondecreasing rule at some counts."""
    panel, counts, raised = game.panel, response.counts, []
    errors = panel.truthful - counts, counts - panel.k
    for state, line, those in zip((1, 0), lines[:2], errors, strict=True):
        possible = (those >= line.bound.errors[0]) & (those <= line.bound.errors[-1])
        losses = np.asarray(game.loss.value(response.forecasts[possible], state))
        raised.append(float((losses - line.at(those[possible])).max(initial=0.0)))
    return game.mean(*raised)


def _nearby(cuts: Cuts, weights: FloatArray, game: Game) -> NDArray[np.int64]:
    """Return counts around those of the cuts that hold the lines up, the sparser the farther off."""
    panel, used = game.panel, weights > 0
    steps = 2 ** np.arange(int(np.log2(panel.n / _MOST_COUNTS)) + 2)
    at = np.concatenate([panel.truthful - cuts.errors_1[used], cuts.errors_0[used] + panel.k])
    return np.unique(np.clip(at[:, None] + np.concatenate([-steps, [0], steps]), 0, panel.n))
