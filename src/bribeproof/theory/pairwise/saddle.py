"""The rule with the least largest expected loss in a game, and Nature's side of it."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import has_closed_form
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.cutting_planes import solve_game
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.witness import Witness, equal_witness, proven_by, simple_witness
from bribeproof.theory.pairwise.worst_loss import worst_loss
from bribeproof.theory.rules.closed_form import closed_form


class Saddle(NamedTuple):
    """Both sides of a game.

    Attributes
    ----------
    forecasts
        A nondecreasing rule: its forecasts for 0, …, n reports of H.
    upper
        Its largest expected loss.
    lower
        No rule has a smaller one, as `witness` and `prior` prove.
    witness
        What Nature and the adversaries do in the two states.
    prior
        The probability of state 1 that Nature chooses.
    """

    forecasts: FloatArray
    upper: float
    lower: float
    witness: Witness
    prior: float


def saddle_point(game: Game, tol: float) -> Saddle:
    """Return both sides of a game, which differ by `tol` at most unless the search fails; both bounds hold anyway."""
    alone = (_alone if has_closed_form(game.loss) else _alone.__wrapped__)(game.prior, game.loss)
    forecasts, prior = np.full(game.panel.n + 1, alone), game.prior[0]
    worst = worst_loss(forecasts, game)
    upper, witness = worst.upper, simple_witness((worst.given_1, worst.given_0), game.panel)
    lower = proven_by(witness, game.loss, prior)
    if upper - lower > tol and (equal := equal_witness(game)) is not None:
        priors = (*game.prior, min(max(alone, game.prior[0]), game.prior[1]))
        witness, prior = equal, max(priors, key=game.loss.bayes_risk)
        lower = proven_by(witness, game.loss, prior)
    found = solve_game(game, upper, tol) if upper - lower > tol else None
    if found is not None:
        best = worst_loss(found.forecasts, game).upper
        # Where nothing is better than the prior alone, the rule that was found differs from that by rounding.
        if best < upper - tol:
            forecasts, upper = found.forecasts, best
        if found.lower > lower:
            lower, witness, prior = found.lower, found.witness, found.prior
    if upper - lower > tol:
        # The search failed: the rule for errors that go together in any way is never far off.
        most_1, most_0 = (bound.most for bound in game.bounds)
        plain = closed_form(game.panel, ExpertInterval(game.prior, 1 - most_1, most_0), game.loss).values
        if (known := worst_loss(plain, game).upper) < upper:
            forecasts, upper = plain, known
    return Saddle(forecasts, upper, min(lower, upper), witness, prior)


@lru_cache(maxsize=256)
def _alone(prior: tuple[float, float], loss: Loss) -> float:
    """Return the best forecast for somebody who hears no reports; a loss of one's own need not be hashable."""
    return closed_form(Panel(1), ExpertInterval(prior), loss)(0)
