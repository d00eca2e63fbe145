"""Worst probability of error of any rule for labels of m classes."""

import math

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import MultiExpert, check_multi_expert
from bribeproof.theory.model.histograms import histograms
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.multistate.random_dictator import dictator_shares

_MAX_HISTOGRAMS = 20_000


def dictator_worst_loss(panel: Panel, expert: MultiExpert) -> float:
    """Return the exact worst probability of error of the random dictator that ignores k reports of each label.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : MultiExpert
        One truthful reporter.

    Returns
    -------
    float
        The largest probability of error over all information structures and strategies.

    Raises
    ------
    ParameterError
        More than 20 000 histograms.
    ParameterTypeError
        `panel` is not a Panel, or `expert` is not a MultiExpert.

    Notes
    -----
    Computed by enumeration of histograms, not by the formula of `dictator_guarantee` (docs/theory.md, Theorem 8.1).

    Examples
    --------
    >>> round(dictator_worst_loss(Panel(n=4, k=1), MultiExpert((0.5, 0.25, 0.25), (0.75, 0.75, 0.75))), 12)
    0.375
    """
    return worst_loss(dictator_shares(all_histograms(panel, expert), panel.k), panel, expert)


def worst_loss(rule: FloatArray, panel: Panel, expert: MultiExpert) -> float:
    """Return the worst probability of error of a rule, given as answer probabilities at all histograms."""
    seen = histograms(panel.n, expert.states)
    total = 0.0
    for state, (prior, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
        error = np.zeros(panel.n + 1)
        np.maximum.at(error, seen[:, state], 1 - rule[:, state])
        worst = np.lib.stride_tricks.sliding_window_view(error, panel.k + 1).max(axis=1)
        total += prior * largest_mean(worst, panel.truthful * accuracy)
    return total


def largest_mean(values: FloatArray, mean: float) -> float:
    """Return the largest expectation of values[T] over the laws of T with this mean; two points are enough."""
    low = np.arange(math.floor(mean) + 1)[:, None]
    high = np.arange(math.ceil(mean), values.size)
    share = (mean - low) / np.maximum(high - low, 1)
    return float(((1 - share) * values[low] + share * values[high]).max())


def all_histograms(panel: Panel, expert: MultiExpert) -> NDArray[np.int64]:
    """Return all histograms of n reports; raise ParameterError where there are too many."""
    check_panel(panel)
    check_multi_expert(expert)
    if (number := math.comb(panel.n + expert.states - 1, expert.states - 1)) > _MAX_HISTOGRAMS:
        raise ParameterError(
            f"Panel n = {panel.n} with {expert.states} states has {number} histograms, more than {_MAX_HISTOGRAMS}; "
            "take a smaller panel, or dictator_guarantee"
        )
    return histograms(panel.n, expert.states)
