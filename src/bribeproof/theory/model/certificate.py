"""What all optimal rules come with: two proven bounds, and a way to compute both anew."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CertificateRecheck:
    """Both bounds of a certificate, computed anew.

    Parameters
    ----------
    lower : float
        Bound that Nature's play proves; nan where it is no information structure with a strategy.
    upper : float
        Exact worst case of the rule; nan where it is no rule.
    difference : float
        Largest distance from the bounds that were claimed; nan where a bound is.
    """

    lower: float
    upper: float
    difference: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Certificate(ABC):
    """Proof that a rule is optimal up to `gap`: bounds of the least worst case that any rule can have.

    Parameters
    ----------
    lower : float
        No rule has a smaller worst case than this: Nature's play proves it.
    upper : float
        Worst case of the rule.
    tol : float, default 1e-6
        Largest gap that counts as converged.

    Notes
    -----
    A subclass holds the rule and the play, says what a worst case is (a regret or a probability of error), and
    computes each bound from them. Both bounds hold even where the solver failed and they are far apart. Where they
    meet, rounding may put the lower one above the upper; solvers then lower it, and a bound that is lowered still
    holds.
    """

    lower: float
    upper: float
    tol: float = 1e-6

    @property
    def gap(self) -> float:
        """Distance of the two bounds."""
        return self.upper - self.lower

    @property
    def converged(self) -> bool:
        """Whether the gap is at most `tol`. Otherwise the bounds hold, but leave more than that open."""
        return self.gap <= self.tol

    def recheck(self) -> CertificateRecheck:
        """Compute both bounds from the rule and Nature's play alone, without the solver that found them.

        Returns
        -------
        CertificateRecheck
            The bounds and their distance from those claimed. Nothing is raised for a false certificate.

        Examples
        --------
        >>> from bribeproof.theory import Expert, Panel, minimax
        >>> minimax(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25)).recheck()
        CertificateRecheck(lower=0.234375, upper=0.234375, difference=0.0)
        """
        lower, upper = self._lower_anew(), self._upper_anew()
        apart = [0.0 if x == y else abs(x - y) for x, y in ((lower, self.lower), (upper, self.upper))]
        return CertificateRecheck(lower, upper, math.nan if any(map(math.isnan, apart)) else max(apart))

    @abstractmethod
    def _lower_anew(self) -> float:
        """Bound that Nature's play proves; nan where it is no information structure with a strategy."""

    @abstractmethod
    def _upper_anew(self) -> float:
        """Worst case of the rule; nan where it is no rule."""
