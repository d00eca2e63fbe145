"""Panels of reporters with adversaries, and the effective expert that these leave."""

from dataclasses import dataclass
from typing import Protocol

from bribeproof._validation import check_type, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import Expert


class Rates(Protocol):
    """Two rates of a truthful reporter: an `Expert`, or an `ExpertInterval` with bounds of them."""

    @property
    def tpr(self) -> float:
        """True-positive rate."""

    @property
    def fpr(self) -> float:
        """False-positive rate."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of n reporters of whom at most k are adversarial.

    Parameters
    ----------
    n : int
        Number of reporters, more than 2k.
    k : int, default 0
        Largest number of adversaries, at least 0.

    Raises
    ------
    ParameterError
        A value is not an integer or is negative, or half of the panel or more could be adversarial.

    Notes
    -----
    docs/theory.md §1.

    Examples
    --------
    >>> panel = Panel(n=10, k=2)
    >>> panel.truthful, panel.share
    (8, 0.2)
    """

    n: int
    k: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole_number("Panel n", self.n, minimum=1))
        object.__setattr__(self, "k", whole_number("Panel k", self.k))
        if self.n <= 2 * self.k:
            raise ParameterError(
                f"Panel n = {self.n} with k = {self.k} leaves no truthful majority; "
                f"n must exceed 2k: give k <= {(self.n - 1) // 2} or n >= {2 * self.k + 1}"
            )

    @property
    def truthful(self) -> int:
        """The number N = n − k of reporters that are certainly truthful."""
        return self.n - self.k

    @property
    def share(self) -> float:
        """The share γ = k/n of adversaries, below 1/2."""
        return self.k / self.n

    def effective_rates(self, expert: Rates) -> tuple[float, float]:
        """Return the rates (a′, b′) of the effective expert, not clipped to [0, 1].

        Parameters
        ----------
        expert : Expert or ExpertInterval
            One truthful reporter, or bounds of its rates.

        Returns
        -------
        tuple of float
            a′ = (N·a − k)/(n − 2k), at most 1, and b′ = N·b/(n − 2k), at least 0. Where a′ < b′ the
            adversaries can hide the state completely.

        Notes
        -----
        docs/theory.md §2.

        Examples
        --------
        >>> Panel(n=4, k=1).effective_rates(Expert(prior=0.5, tpr=0.75, fpr=0.25))
        (0.625, 0.375)
        """
        honest_margin = self.n - 2 * self.k
        return (
            (self.truthful * expert.tpr - self.k) / honest_margin,
            self.truthful * expert.fpr / honest_margin,
        )

    def effective(self, expert: Expert) -> Expert:
        """Return the effective expert: one reporter who is worth as much as the whole panel.

        Parameters
        ----------
        expert : Expert
            One truthful reporter.

        Returns
        -------
        Expert
            The same prior with the effective rates. Where these cross (a′ < b′), an uninformative reporter, whose
            two posteriors are the prior.

        Notes
        -----
        docs/theory.md §2 and Theorem A.

        Examples
        --------
        >>> Panel(n=4, k=1).effective(Expert(prior=0.5, tpr=0.75, fpr=0.25))
        Expert(prior=0.5, tpr=0.625, fpr=0.375)
        >>> Panel(n=4, k=1).effective(Expert(prior=0.5, tpr=0.5, fpr=0.25)).informative
        False
        """
        tpr, fpr = self.effective_rates(expert)
        if tpr < fpr:
            return Expert(expert.prior, 0.5, 0.5)
        return Expert(expert.prior, tpr, fpr)


def check_panel(panel: object) -> None:
    """Raise a `ParameterTypeError` unless ``panel`` is a `Panel`."""
    check_type("panel", panel, Panel, "Panel(n=..., k=...)")
