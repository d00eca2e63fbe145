"""The solution of the minimax problem over a family: the rule, Nature's mixture and strategy, and two bounds."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bribeproof._text import count
from bribeproof._typing import FloatArray
from bribeproof.theory.general.families import Family
from bribeproof.theory.model.certificate import Certificate
from bribeproof.theory.model.distributions import are_distributions
from bribeproof.theory.model.histograms import histograms
from bribeproof.theory.model.loss import Loss


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GeneralSolution(Certificate):
    """Rule with the least worst regret over a family, between two proven bounds of that regret.

    Parameters
    ----------
    family : Family
        The information structures.
    k : int
        Number of adversaries.
    loss : Loss
        Squared or absolute loss.
    rule : float array of shape (C(n + r - 1, r - 1), m)
        Forecast at each row of `histograms(N + k, r)`; read-only.
    upper : float
        Worst regret of `rule`.
    lower : float
        No rule has a smaller worst regret than this.
    weights : float array of shape (structures,)
        Nature's probabilities of the structures; read-only.
    strategy : float array of shape (m, C(N + r - 1, r - 1), C(k + r - 1, r - 1))
        The adversaries' probabilities of each row of `histograms(k, r)`, given state and truthful
        histogram; read-only.

    Notes
    -----
    docs/theory.md, Theorem 9.6; the recheck computes least losses by the dual form of Lemma 9.1.

    Examples
    --------
    >>> from bribeproof.theory import exact_minimax, fully_informative_and_uninformed
    >>> again = exact_minimax(fully_informative_and_uninformed(states=2, truthful=1), k=1).recheck()
    >>> round(again.lower, 6), round(again.upper, 6), again.difference < 1e-9
    (0.25, 0.25, True)
    """

    family: Family
    k: int
    loss: Loss
    rule: FloatArray
    weights: FloatArray
    strategy: FloatArray

    def _recompute_lower(self) -> float:
        """Return the least regret against the mixture, by the dual form; nan where the mixture is not one."""
        states, follows = self.family.states, self._follows()
        if not are_distributions(self.weights, (self.family.structures,)) or not are_distributions(
            self.strategy, (states, *follows.shape)
        ):
            return math.nan
        truthful = np.tensordot(self.weights, self.family.laws, axes=1)
        joint = (truthful[:, :, None] * self.strategy).reshape(states, -1)
        masses = np.transpose([np.bincount(follows.ravel(), row) for row in joint])
        return math.fsum(map(self._least_loss, masses)) - float(self.weights @ self._benchmarks())

    def _recompute_rule(self) -> Iterator[tuple[float, float]]:
        """Yield the worst case of the rule."""
        yield self._recompute_upper(), self.upper

    def _recompute_upper(self) -> float:
        """Return the worst regret of the rule, by addition of histograms; nan where its rows are not distributions."""
        follows = self._follows()
        if not are_distributions(self.rule, (follows.max() + 1, self.family.states)):
            return math.nan
        lost = (1 - self.rule[follows]) ** (2 if self.loss.name == "squared" else 1)
        return float(((self.family.laws * lost.max(axis=1).T).sum(axis=(1, 2)) - self._benchmarks()).max())

    @property
    def _measure(self) -> str:
        return "regret"

    def _details(self) -> Iterator[str]:
        mixed = int((self.weights > 0).sum())
        yield f"Nature attains the lower bound with a mixture of {mixed} of {count(len(self.weights), 'structure')}."

    def _follows(self) -> NDArray[np.int64]:
        """Return the row of the histogram seen, for each truthful histogram and each histogram of the adversaries."""
        before, more, after = (
            [tuple(row) for row in histograms(total, self.family.reports).tolist()]
            for total in (self.family.truthful, self.k, self.family.truthful + self.k)
        )
        row_of = {histogram: row for row, histogram in enumerate(after)}
        return np.array([[row_of[tuple(map(sum, zip(h, x, strict=True)))] for x in more] for h in before])

    def _benchmarks(self) -> FloatArray:
        """Return the loss of the benchmark in each structure."""
        return np.array([sum(map(self._least_loss, law.T)) for law in self.family.laws])

    def _least_loss(self, mass: FloatArray) -> float:
        """Return the least expected loss for these masses of the states, as the largest of its lower bounds."""
        p = np.sort(mass[mass > 1e-300])[::-1]  # smaller masses have no finite inverse
        if self.loss.name != "squared" or not p.size:
            return float(p.sum() - p.max(initial=0))
        levels = np.arange(p.size) / np.cumsum(1 / p)
        x = np.minimum(p, levels[:, None])
        return float(((x * (2 - x / p)).sum(axis=1) - 2 * levels).max())
