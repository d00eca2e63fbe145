"""The solution of the minimax problem for m classes: the rule, Nature's play, and two bounds."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._text import count
from bribeproof._typing import FloatArray
from bribeproof._validation import whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.model.certificate import Certificate
from bribeproof.theory.model.distributions import are_distributions
from bribeproof.theory.model.experts import MultiExpert
from bribeproof.theory.model.histograms import histogram_index, histograms, reachable
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.multistate.worst_loss import largest_mean


@dataclass(frozen=True, slots=True)
class Play:
    """One outcome of Nature's play: a state, the truthful reports, the reports seen, and their joint probability.

    Parameters
    ----------
    state : int
        State, from 0 to m − 1.
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MultistateSolution(Certificate):
    """Rule with the least worst probability of error, between two proven bounds of it.

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
        Nature's play: an information structure with a strategy against which every rule errs with probability at least
        `lower`.

    Notes
    -----
    docs/theory.md, Theorem 8.3.
    """

    panel: Panel
    expert: MultiExpert
    rule: FloatArray
    plays: tuple[Play, ...]

    def __call__(self, histogram: ArrayLike) -> FloatArray:
        """Return the answer probabilities for a histogram of reports.

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

    def _recompute_lower(self) -> float:
        """Return the least probability of error against the play; nan where its counts, priors or means are wrong."""
        panel, expert = self.panel, self.expert
        joint: defaultdict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0] * expert.states)
        right, weight = [0.0] * expert.states, [0.0] * expert.states
        if not all(map(self._possible, self.plays)):
            return math.nan
        for play in self.plays:
            joint[play.seen][play.state] += play.probability
            right[play.state] += play.probability * play.truthful[play.state]
            weight[play.state] += play.probability
        means = [prior * panel.truthful * q for prior, q in zip(expert.prior, expert.accuracy, strict=True)]
        if max(abs(x - y) for x, y in zip(weight + right, [*expert.prior, *means], strict=True)) > 1e-12 * panel.n:
            return math.nan
        return math.fsum(mass for masses in joint.values() for mass in sorted(masses)[:-1])

    def _recompute_rule(self) -> Iterator[tuple[float, float]]:
        """Yield the worst case of the rule."""
        yield self._recompute_upper(), self.upper

    def _recompute_upper(self) -> float:
        """Return the worst probability of error of the rule over all truthful histograms, not only the extreme ones."""
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

    @property
    def _measure(self) -> str:
        return "probability of error"

    def _details(self) -> Iterator[str]:
        histograms_of_rule = count(len(self.rule), "histogram")
        yield f"The rule answers {histograms_of_rule} of {self.panel.n} reports over {self.expert.states} classes."
        yield f"Nature attains the lower bound with {count(len(self.plays), 'outcome')} of positive probability."

    def _possible(self, play: Play) -> bool:
        """Return whether N truthful reports and k more make the reports seen."""
        return (
            play.state in range(self.expert.states)
            and len(play.truthful) == len(play.seen) == self.expert.states
            and play.probability >= 0
            and min(play.truthful) >= 0
            and sum(play.truthful) == self.panel.truthful
            and sum(play.seen) == self.panel.n
            and all(before <= after for before, after in zip(play.truthful, play.seen, strict=True))
        )
