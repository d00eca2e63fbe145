"""Nature's side of the game: laws of errors and strategies against which no rule does better than a proven number."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.cuts import Cuts
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw, within
from bribeproof.theory.pairwise.game import Game

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class StateWitness:
    """A law of the truthful errors in one state, and what the adversaries make of it.

    Parameters
    ----------
    errors : ErrorLaw
        The law of j, the number of truthful errors.
    counts : array of shape (n + 1,)
        The probabilities of 0, …, n reports of H, each of the k adversaries adding one or none.
    """

    errors: ErrorLaw
    counts: FloatArray


class Witness(NamedTuple):
    """What Nature and the adversaries do given state 1 and given state 0."""

    given_1: StateWitness
    given_0: StateWitness


def simple_witness(laws: tuple[ErrorLaw, ErrorLaw], panel: Panel) -> Witness:
    """Return the witness in which all adversaries report the wrong state."""
    made = []
    for state, law in zip((1, 0), laws, strict=True):
        counts = np.zeros(panel.n + 1)
        counts[panel.truthful - law.errors if state == 1 else law.errors + panel.k] = law.weights
        made.append(StateWitness(law, counts))
    return Witness(*made)


def equal_witness(game: Game) -> Witness | None:
    """Return the witness in which the reports are the same in both states: they say nothing, and the prior is all.

    The errors are as frequent as they can be, unless H would then be rarer given state 1; they are on two neighbouring
    whole numbers, and the adversaries of one state make up the difference. None where they are too few
    (docs/theory.md, Proposition 12.4).
    """
    panel, (first, second) = game.panel, game.bounds
    rates = [bound.largest_rate for bound in game.bounds]
    for place, bound in enumerate(game.bounds):
        beyond = sum(rates) - panel.truthful / bound.scale
        rates[place] = max(bound.least, rates[place] - max(0.0, beyond))
    laws, honest = [], np.zeros((2, panel.n + 1))
    for state, bound, rate in zip((1, 0), (first, second), rates, strict=True):
        weights, _ = bound.steady(rate)
        errors = np.flatnonzero(weights)
        laws.append(ErrorLaw(errors, weights[errors]))
        honest[state, panel.truthful - errors if state == 1 else errors] = weights[errors]
    more = int(honest[1] @ np.arange(panel.n + 1) >= honest[0] @ np.arange(panel.n + 1))
    parts = [StateWitness(law, honest[more]) for law in laws]
    possible = zip(parts, (1, 0), game.bounds, strict=True)
    return Witness(*parts) if all(is_possible(part, state, panel, bound) for part, state, bound in possible) else None


def proven_by(witness: Witness, loss: Loss, prior: float) -> float:
    """Return the least expected loss of any rule against a witness."""
    first, second = prior * witness.given_1.counts, (1 - prior) * witness.given_0.counts
    total = first + second
    seen = total > 0
    return float(total[seen] @ np.asarray(loss.bayes_risk(np.minimum(1.0, first[seen] / total[seen]))))


def is_possible(part: StateWitness, state: int, panel: Panel, bounds: ErrorBounds) -> bool:
    """Return whether errors are within their bounds, and adversaries can make these counts of them."""
    counts = part.counts
    if counts.shape != (panel.n + 1,) or not ((counts >= 0).all() and abs(counts.sum() - 1) <= _ROUNDING):
        return False
    if not bounds.admit(part.errors):
        return False
    low, high = _window(part.errors, state, panel)
    reached = counts.cumsum()
    return bool((reached <= high + _ROUNDING).all() and (reached >= low - _ROUNDING).all())


def witness_of(cuts: Cuts, weights: FloatArray, game: Game) -> Witness:
    """Return the witness that cuts with weights are: laws of errors, and counts that adversaries make look alike.

    The laws are moved into the bounds that rounding made them miss.
    """
    panel, parts = game.panel, []
    places = panel.truthful - cuts.errors_1, cuts.errors_0 + panel.k
    middle = (places[0] + places[1]) // 2
    for state, errors, bound in zip((1, 0), cuts[:2], game.bounds, strict=True):
        masses = weights * (cuts.chances if state == 1 else 1 - cuts.chances)
        found, place = np.unique(errors, return_inverse=True)
        totals: FloatArray = np.bincount(place, masses).astype(np.float64)
        law = within(ErrorLaw(found, totals), bound)
        truthful = panel.truthful - errors if state == 1 else errors
        alone = cuts.chances == state
        counts = np.zeros(panel.n + 1)
        shares = np.zeros(panel.n + 1)
        shares[law.errors] = law.weights
        divided = np.divide(masses, totals[place], out=np.zeros(masses.size), where=totals[place] > 0)
        np.add.at(
            counts,
            np.where(alone, places[1 - state], np.clip(middle, truthful, truthful + panel.k)),
            divided * shares[errors],
        )
        shares[errors[divided > 0]] = 0.0  # what is left is what the bounds added
        rest = np.flatnonzero(shares)
        np.add.at(counts, panel.truthful - rest if state == 1 else rest + panel.k, shares[rest])
        parts.append(StateWitness(law, counts / counts.sum()))
    return Witness(*parts)


def _window(law: ErrorLaw, state: int, panel: Panel) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest distribution function of counts that adversaries can make of errors."""
    honest = np.zeros(panel.n + 1)
    honest[panel.truthful - law.errors if state == 1 else law.errors] = law.weights
    high = honest.cumsum()
    low = np.zeros(panel.n + 1)
    low[panel.k :] = high[: panel.n + 1 - panel.k]
    low[-1] = high[-1]
    return low, high
