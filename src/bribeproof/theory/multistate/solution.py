"""A solution of the game with many states: a rule, Nature's plays, both bounds, and how to compute them anew."""

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory._validation import whole_numbers
from bribeproof.theory.general.distributions import are_distributions
from bribeproof.theory.general.histograms import histogram_index, histograms, reachable
from bribeproof.theory.model.experts import Panel
from bribeproof.theory.multistate.model import MultiExpert

_CONVERGED = 1e-6


@dataclass(frozen=True, slots=True)
class Play:
    """One thing that can happen: a state, the truthful reports, what the adversaries make of them.

    Parameters
    ----------
    state : int
        From 0 to m − 1.
    truthful : tuple of m int
        Histogram of the N truthful reports.
    seen : tuple of m int
        Histogram of all n reports.
    probability : float
        Joint probability of the three.
    """

    state: int
    truthful: tuple[int, ...]
    seen: tuple[int, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class MultistateRecheck:
    """The bounds of a solution computed anew from its rule and its plays alone.

    Parameters
    ----------
    upper : float
        Worst probability of error of the rule, over all truthful histograms; nan where it is no rule.
    lower : float
        Probability of error of the best answer to the plays; nan where one of them is impossible.
    mean_residual : float
        Largest distance of an expected number of right truthful reports from N·q.
    weight_residual : float
        Largest distance of the probability of a state from its prior.
    """

    upper: float
    lower: float
    mean_residual: float
    weight_residual: float


@dataclass(frozen=True, slots=True, eq=False)
class MultistateSolution:
    """A rule with the least worst probability of error, and the play that holds every rule to it.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : MultiExpert
        One truthful reporter.
    rule : float array of shape (C(n + m - 1, m - 1), m)
        Probability of each answer at each row of `histograms(n, m)`; read-only.
    upper : float
        Worst probability of error of `rule`.
    lower : float
        No rule has a smaller worst probability of error than this.
    plays : tuple of Play
        An information structure and a strategy against which every rule errs with probability `lower`.

    Notes
    -----
    theory.md §8.
    """

    panel: Panel
    expert: MultiExpert
    rule: FloatArray
    upper: float
    lower: float
    plays: tuple[Play, ...]

    @property
    def gap(self) -> float:
        """How far apart the two bounds are."""
        return self.upper - self.lower

    @property
    def converged(self) -> bool:
        """Whether the bounds are within 1e-6. Otherwise they hold, but the solver left more than that open."""
        return self.gap <= _CONVERGED

    def __call__(self, histogram: ArrayLike) -> FloatArray:
        """Answer probabilities for what the reporters said.

        Parameters
        ----------
        histogram : integer array of shape (..., m)
            Number of reports of each label; each histogram has n reports.

        Returns
        -------
        ndarray of shape (..., m)
            Probability of each answer.

        Raises
        ------
        ParameterError
            A histogram of the wrong length or with another number of reports.
        """
        counts = whole_numbers("histogram", histogram)
        if counts.ndim == 0 or counts.shape[-1] != self.expert.states or (counts.sum(axis=-1) != self.panel.n).any():
            raise ParameterError(
                f"histogram = {histogram!r} does not fit; give {self.expert.states} counts "
                f"that sum to n = {self.panel.n}"
            )
        answers: FloatArray = self.rule[histogram_index(counts)]
        return answers

    def recheck(self) -> MultistateRecheck:
        """Compute both bounds without the linear program and without the reduction that it rests on.

        Returns
        -------
        MultistateRecheck
            The bounds, and how well the plays fit the prior and the accuracies.
        """
        panel, expert = self.panel, self.expert
        likeliest: defaultdict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0] * expert.states)
        right, weight = [0.0] * expert.states, [0.0] * expert.states
        for play in self.plays:
            likeliest[play.seen][play.state] += play.probability
            right[play.state] += play.probability * play.truthful[play.state]
            weight[play.state] += play.probability
        means = [prior * panel.truthful * q for prior, q in zip(expert.prior, expert.accuracy, strict=True)]
        return MultistateRecheck(
            upper=self._worst_loss(),
            lower=math.fsum(mass for masses in likeliest.values() for mass in sorted(masses)[:-1])
            if all(map(self._possible, self.plays))
            else math.nan,
            mean_residual=max(abs(x - y) for x, y in zip(right, means, strict=True)),
            weight_residual=max(abs(x - y) for x, y in zip(weight, expert.prior, strict=True)),
        )

    def _worst_loss(self) -> float:
        """Worst probability of error of the rule over all truthful histograms; nan where it is no rule."""
        panel, expert = self.panel, self.expert
        truthful, seen = histograms(panel.truthful, expert.states), reachable(panel.truthful, expert.states, panel.k)
        if not are_distributions(self.rule, (seen.max() + 1, expert.states)):
            return math.nan
        total = 0.0
        for state, (prior, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
            worst = 1 - self.rule[seen, state].min(axis=1)
            by_count = [float(worst[truthful[:, state] == right].max()) for right in range(panel.truthful + 1)]
            total += prior * largest_mean(np.array(by_count), panel.truthful * accuracy)
        return total

    def _possible(self, play: Play) -> bool:
        """Whether N truthful reports and k more make what is seen."""
        return (
            play.probability >= 0
            and min(play.truthful) >= 0
            and sum(play.truthful) == self.panel.truthful
            and sum(play.seen) == self.panel.n
            and all(before <= after for before, after in zip(play.truthful, play.seen, strict=True))
        )


def largest_mean(values: FloatArray, mean: float) -> float:
    """Largest expected value over the distributions of a count that have this mean: two points suffice."""
    low = np.arange(math.floor(mean) + 1)[:, None]
    high = np.arange(math.ceil(mean), values.size)
    share = (mean - low) / np.maximum(high - low, 1)
    return float(((1 - share) * values[low] + share * values[high]).max())
