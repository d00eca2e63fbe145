"""Certificates of optimality: two proven bounds, and how to recompute both from the evidence."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bribeproof._notebook import Rows, render_html
from bribeproof._text import format_number


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
        Largest distance of what was recomputed from what is claimed: the two bounds, and further numbers of the
        solution such as its largest loss; nan where one of them is nan.
    """

    lower: float
    upper: float
    difference: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
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
        claims = [(self._recompute_lower(), self.lower), *self._recompute_rule()]
        (lower, _), (upper, _), *_ = claims
        distances = [0.0 if x == y else abs(x - y) for x, y in claims]
        return CertificateRecheck(lower, upper, math.nan if any(map(math.isnan, distances)) else max(distances))

    @abstractmethod
    def _recompute_lower(self) -> float:
        """Return the bound that the witness proves; nan where it is not a mixture of structures and strategies."""

    @abstractmethod
    def _recompute_rule(self) -> Iterator[tuple[float, float]]:
        """Yield the worst case of the rule, then other numbers claimed of it, each recomputed and as claimed.

        The worst case is nan where the forecasts are not probabilities.
        """

    def summary(self) -> str:
        """Return what the certificate proves, in plain sentences, one per line.

        Examples
        --------
        >>> from bribeproof.theory import Expert, Panel, minimax
        >>> print(minimax(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25)).summary())
        The worst-case regret of this rule is 0.234375; no rule has less than 0.234375.
        The gap is 0, at most the tolerance of 1e-09: the rule is optimal within it.
        The expected loss of this rule is at most 0.234375.
        Nature attains the lower bound with a mixture of 1 structure with a strategy.
        """
        gap, tol = f"{self.gap:.2g}", f"{self.tol:.2g}"
        return "\n".join(
            [
                f"The worst-case {self._measure} of this rule is {format_number(self.upper)}; "
                f"no rule has less than {format_number(self.lower)}.",
                f"The gap is {gap}, at most the tolerance of {tol}: the rule is optimal within it."
                if self.converged
                else f"The gap is {gap}, above the tolerance of {tol}: both bounds hold, but a better rule may exist.",
                *self._details(),
            ]
        )

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(lower={self.lower!r}, upper={self.upper!r}, gap={self.gap:.3g}, "
            f"converged={self.converged})"
        )

    def _repr_html_(self) -> str:
        """Return the certificate for a notebook: its summary, the bounds, and a picture of the rule if there is one."""
        bounds = [("lower", self.lower), ("upper", self.upper), ("gap", self.gap), ("converged", self.converged)]
        return render_html(self.summary(), Rows(("bound", "value"), bounds), self._draw())

    @property
    @abstractmethod
    def _measure(self) -> str:
        """Name of what is bounded in the worst case."""

    def _details(self) -> Iterator[str]:
        """Yield further sentences of the summary."""
        yield from ()

    def _draw(self) -> Callable[[Any, Any], object] | None:
        """Return a function that draws the rule, given `bribeproof.plots` and axes; None where there is no picture."""
        return None
