"""Finite families of information structures, and two for which one adversary leaves no rule better than a constant."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof._validation import probabilities, probability, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.model.histograms import histogram_index, histograms


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Finite family of information structures: joint distributions of the state and the histogram of truthful reports.

    Parameters
    ----------
    laws : float array of shape (structures, m, C(N + r - 1, r - 1))
        Probability of each state with each row of `histograms(N, r)`; each structure sums to 1. Copied and made
        read-only.
    reports : int
        Number r of possible reports, at least 1.
    truthful : int
        Number N of truthful reporters, at least 1.

    Raises
    ------
    ParameterError
        An array of another shape, fewer than two states, or a structure whose probabilities do not sum to 1.

    Notes
    -----
    docs/theory.md §9.

    Examples
    --------
    >>> always_right = Family([[[0.0, 0.5], [0.5, 0.0]]], reports=2, truthful=1)
    >>> always_right.structures, always_right.states
    (1, 2)
    """

    laws: FloatArray
    reports: int
    truthful: int

    def __post_init__(self) -> None:
        laws = probabilities("Family laws", self.laws).copy()
        rows = len(histograms(self.truthful, self.reports))
        whole_number("truthful", self.truthful, minimum=1)
        if laws.ndim != 3 or not laws.shape[0] or laws.shape[1] < 2 or laws.shape[2] != rows:
            raise ParameterError(f"Family laws have shape {laws.shape}; give (structures, states, {rows}), 2 states up")
        totals = laws.sum(axis=(1, 2))
        if not np.allclose(totals, 1, rtol=0, atol=1e-9):
            raise ParameterError(f"Family laws sum to {totals.tolist()}; divide each structure by its sum")
        laws.setflags(write=False)
        object.__setattr__(self, "laws", laws)

    @property
    def structures(self) -> int:
        """Number of information structures."""
        return len(self.laws)

    @property
    def states(self) -> int:
        """The number m of states."""
        return len(self.laws[0])


def fully_informative_and_uninformed(states: int, truthful: int) -> Family:
    """Return the family in which j reporters know the state and the others nothing, for j = 0, …, N; uniform prior.

    Parameters
    ----------
    states : int
        Number m of states, at least 2.
    truthful : int
        Number N of truthful reporters, at least 1.

    Returns
    -------
    Family
        Report ω < m names the state ω, report m stands for the prior.

    Raises
    ------
    ParameterError
        A number that is too small.

    Notes
    -----
    docs/theory.md, Proposition 9.4: for k ≥ m − 1 the minimax regret is ℓ(1/m), attained by the uniform forecast.

    Examples
    --------
    >>> from bribeproof.theory.general.convex_program import exact_minimax
    >>> round(exact_minimax(fully_informative_and_uninformed(states=2, truthful=1), k=1).lower, 6)
    0.25
    """
    states = whole_number("states", states, minimum=2)
    truthful = whole_number("truthful", truthful, minimum=1)
    knows, prior = np.eye(states, states + 1), np.tile(np.eye(states + 1)[-1], (states, 1))
    panels = [[knows] * informed + [prior] * (truthful - informed) for informed in range(truthful + 1)]
    return Family(np.stack([_independent(reporters) / states for reporters in panels]), states + 1, truthful)


def conditionally_independent(truthful: int, accuracies: Sequence[float]) -> Family:
    """Return the family of independent reporters with given accuracies, for two equally likely states.

    Parameters
    ----------
    truthful : int
        Number N of truthful reporters, at least 1.
    accuracies : sequence of float
        Possible accuracies of each reporter, in [0.5, 1]; every choice with repetition is one structure.

    Returns
    -------
    Family
        Reports are posteriors of state 1 in ascending order: 1 − a and a for each accuracy a.

    Raises
    ------
    ParameterError
        No accuracy or one outside [0.5, 1], or an invalid number of reporters.

    Notes
    -----
    docs/theory.md, Corollary 9.5: with 0.5 and 1 among the accuracies and k ≥ 1, the minimax regret is 1/4 under
    squared loss.

    Examples
    --------
    >>> from bribeproof.theory.general.convex_program import exact_minimax
    >>> round(exact_minimax(conditionally_independent(truthful=2, accuracies=(0.5, 1.0)), k=1).lower, 6)
    0.25
    """
    truthful = whole_number("truthful", truthful, minimum=1)
    rates = sorted({probability("accuracies", accuracy) for accuracy in accuracies})
    if not rates or rates[0] < 0.5:
        raise ParameterError(f"accuracies = {accuracies!r}; give at least one, each from 0.5 to 1")
    posteriors = sorted({1 - rate for rate in rates} | set(rates))
    given = []
    for rate in rates:
        law = np.zeros((2, len(posteriors)))
        for state in (0, 1):
            law[state, posteriors.index(rate)] += rate if state else 1 - rate
            law[state, posteriors.index(1 - rate)] += 1 - rate if state else rate
        given.append(law)
    panels = combinations_with_replacement(given, truthful)
    return Family(np.stack([_independent(reporters) / 2 for reporters in panels]), len(posteriors), truthful)


def _independent(reporters: Sequence[FloatArray]) -> FloatArray:
    """Return the law of the histogram given each state, of reporters who are independent given the state."""
    states, reports = reporters[0].shape
    law = np.ones((states, 1))
    for before, reporter in enumerate(reporters):
        after = histogram_index(histograms(before, reports)[:, None, :] + np.eye(reports, dtype=np.int64))
        longer = np.zeros((states, len(histograms(before + 1, reports))))
        for state in range(states):
            np.add.at(longer[state], after, law[state, :, None] * reporter[state])
        law = longer
    return law
