"""Certificates of optimality: two proven bounds, and how to recompute both from the evidence."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CertificateRecheck:
    """Both bounds of a certificate, recomputed from the rule and the witness alone.

    Parameters
    ----------
    lower : float
        Lower bound that the witness proves; nan where it is not a mixture of information structures and strategies.
    upper : float
        Exact worst case of the rule; nan where its forecasts are not probabilities.
    difference : float
        Larger distance of the two from the claimed bounds; nan where one of them is nan.
    """

    lower: float
    upper: float
    difference: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Certificate(ABC):
    """Proof that a rule is optimal up to `gap`: two bounds of the smallest worst case that any rule can have.

    Parameters
    ----------
    lower : float
        No rule has a smaller worst case than this.
    upper : float
        Worst case of the rule.
    tol : float, default 1e-6
        Largest gap that counts as converged.

    Notes
    -----
    A subclass holds the rule and the witness of the lower bound: a mixture of information structures and strategies
    for Nature. It defines the worst case, a regret or a probability of error, and computes each bound from these two
    alone. Both bounds hold even where the solver failed and they are far apart. Where they meet, rounding may put the
    lower one above the upper; solvers then lower it, and a lowered bound still holds. See docs/theory.md, Theorem 7.4.
    """

    lower: float
    upper: float
    tol: float = 1e-6

    @property
    def gap(self) -> float:
        """Upper bound minus lower bound."""
        return self.upper - self.lower

    @property
    def converged(self) -> bool:
        """Whether the gap is at most `tol`. Otherwise both bounds hold, but are further apart."""
        return self.gap <= self.tol

    def recheck(self) -> CertificateRecheck:
        """Recompute both bounds from the rule and the witness alone, without the solver that found them.

        Returns
        -------
        CertificateRecheck
            The bounds and their distance from the claimed ones. A false certificate raises nothing: compare.

        Examples
        --------
        >>> from bribeproof.theory import Expert, Panel, minimax
        >>> minimax(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25)).recheck()
        CertificateRecheck(lower=0.234375, upper=0.234375, difference=0.0)
        """
        lower, upper = self._recompute_lower(), self._recompute_upper()
        distances = [0.0 if x == y else abs(x - y) for x, y in ((lower, self.lower), (upper, self.upper))]
        return CertificateRecheck(lower, upper, math.nan if any(map(math.isnan, distances)) else max(distances))

    @abstractmethod
    def _recompute_lower(self) -> float:
        """Return the bound that the witness proves; nan where it is not a mixture of structures and strategies."""

    @abstractmethod
    def _recompute_upper(self) -> float:
        """Return the worst case of the rule; nan where its forecasts are not probabilities."""
