"""Multiplicative weights: the baseline that the cutting planes are compared with."""

import math
from collections.abc import Iterator

import numpy as np

from bribeproof.theory.minimax.conic_master import MasterSolution
from bribeproof.theory.minimax.cuts import Cuts
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import Log, Squared

# Regrets above this do not speed up the weights; only an unbounded loss reaches it.
_MOST_REGRET = 10.0


def run_mwu(cuts: Cuts, plays: int) -> Iterator[MasterSolution]:
    """Let Nature play multiplicative weights over the cuts, and the aggregator answer with Bayes acts.

    Parameters
    ----------
    cuts : Cuts
        The structures that Nature may mix.
    plays : int
        Number of plays, at least 1.

    Yields
    ------
    MasterSolution
        First the averages of both sides' plays, then the last play.

    Notes
    -----
    theory.md §3. Each play multiplies a cut's weight by exp(rate·regret of the acts). With M cuts the average rule
    is within log(M)/(rate·plays) of the best one against them, where the rate is at most 2 under the squared and
    1 under the logarithmic loss: O(1/ε) plays. Under a loss with a threshold it takes O(1/ε²).
    """
    size = cuts.benchmarks.size
    rate = _rate(cuts.loss, size, plays)
    gains = np.zeros(size)
    sum_of_acts, sum_of_weights = np.zeros(cuts.seen.size), np.zeros(size)
    for _ in range(plays):
        weights = np.exp(gains - gains.max())
        weights /= weights.sum()
        acts = cuts.acts(weights)
        gains += rate * np.minimum(cuts.regrets(acts), _MOST_REGRET)
        sum_of_acts += acts
        sum_of_weights += weights
    yield MasterSolution(np.clip(sum_of_acts / plays, 0.0, 1.0), sum_of_weights / sum_of_weights.sum())
    yield MasterSolution(acts, weights)


def _rate(loss: Loss, size: int, plays: int) -> float:
    """Rate of learning: the mixability constant of a proper loss, and otherwise what suits the number of plays."""
    match loss:
        case Squared():
            return 2.0
        case Log():
            return 1.0
        case _:
            return math.sqrt(8 * math.log(size + 1) / plays)
