"""Multiplicative weights, a baseline for the cutting planes."""

import math
from collections.abc import Iterator

import numpy as np

from bribeproof.theory.minimax.conic_master import MasterSolution
from bribeproof.theory.minimax.cuts import Cuts
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import Log, Squared

# Regrets are capped at this in the update of the weights; only the logarithmic loss reaches it.
_MAX_REGRET = 10.0


def run_mwu(cuts: Cuts, plays: int) -> Iterator[MasterSolution]:
    """Run multiplicative weights: Nature reweights the cuts, and the rule answers with Bayes acts.

    Parameters
    ----------
    cuts : Cuts
        The structures with strategies that Nature may mix.
    plays : int
        Number of plays, at least 1.

    Yields
    ------
    MasterSolution
        First the averages of rules and weights over all plays, then the last rule and weights.

    Notes
    -----
    docs/theory.md, Proposition 3.4. Each play multiplies the weight of a cut by exp(rate·regret of the acts). With M
    cuts the average rule is within log(M)/(rate·plays) of the best one against them, at rate 2 under the squared and 1
    under the logarithmic loss: O(1/ε) plays; threshold losses take O(1/ε²). Under the logarithmic loss regrets are
    capped at 10, which the proposition does not cover; the bounds of a solution do not depend on it.
    """
    size = cuts.benchmarks.size
    rate = _rate(cuts.loss, size, plays)
    gains = np.zeros(size)
    sum_of_acts, sum_of_weights = np.zeros(cuts.seen.size), np.zeros(size)
    for _ in range(plays):
        weights = np.exp(gains - gains.max())
        weights /= weights.sum()
        acts = cuts.acts(weights)
        gains += rate * np.minimum(cuts.regrets(acts), _MAX_REGRET)
        sum_of_acts += acts
        sum_of_weights += weights
    yield MasterSolution(np.clip(sum_of_acts / plays, 0.0, 1.0), sum_of_weights / sum_of_weights.sum())
    yield MasterSolution(acts, weights)


def _rate(loss: Loss, size: int, plays: int) -> float:
    """Return the learning rate: that of Proposition 3.4 for a proper loss, else one for the number of plays."""
    match loss:
        case Squared():
            return 2.0
        case Log():
            return 1.0
        case _:
            return math.sqrt(8 * math.log(size + 1) / plays)
