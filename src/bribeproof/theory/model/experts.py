"""What one truthful reporter knows, who sits on the panel, and what the adversaries leave of it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from bribeproof.errors import ParameterError
from bribeproof.theory._validation import probability, whole_number


@dataclass(frozen=True, slots=True)
class Expert:
    """One truthful reporter: the prior of state 1 and the two rates of saying H.

    Parameters
    ----------
    prior : float
        μ = Pr[state = 1], in [0, 1].
    tpr : float
        a = Pr[says H | state = 1], in [0, 1], at least `fpr`.
    fpr : float
        b = Pr[says H | state = 0], in [0, 1].

    Raises
    ------
    ParameterError
        A value is no probability, or `tpr` is below `fpr`.

    Notes
    -----
    theory.md §1.

    Examples
    --------
    >>> expert = Expert(prior=0.5, tpr=0.75, fpr=0.25)
    >>> expert.posterior_low, expert.posterior_high, expert.error_rate
    (0.25, 0.75, 0.25)
    """

    prior: float
    tpr: float
    fpr: float

    def __post_init__(self) -> None:
        for field in ("prior", "tpr", "fpr"):
            object.__setattr__(self, field, probability(f"Expert {field}", getattr(self, field)))
        if self.tpr < self.fpr:
            raise ParameterError(
                f"Expert tpr = {self.tpr} is below fpr = {self.fpr}; swap the labels "
                f"so that tpr = {self.fpr} and fpr = {self.tpr}"
            )

    @property
    def posterior_low(self) -> float:
        """Pr[state = 1 | L]; the prior where the reporter never says L."""
        return self._posterior(1 - self.tpr, 1 - self.fpr)

    @property
    def posterior_high(self) -> float:
        """Pr[state = 1 | H]; the prior where the reporter never says H."""
        return self._posterior(self.tpr, self.fpr)

    @property
    def positive_rate(self) -> float:
        """Pr[H], the share of H reports over both states."""
        return self.prior * self.tpr + (1 - self.prior) * self.fpr

    @property
    def error_rate(self) -> float:
        """Return e = μ(1 − a) + (1 − μ)b, how often the report differs from the state."""
        return self.prior * (1 - self.tpr) + (1 - self.prior) * self.fpr

    @property
    def informative(self) -> bool:
        """Whether the report depends on the state at all."""
        return self.tpr > self.fpr

    def _posterior(self, given_1: float, given_0: float) -> float:
        """Bayes' rule for a signal with these probabilities in the two states; 0 or 1 only where that is certain."""
        joint_1, joint_0 = self.prior * given_1, (1 - self.prior) * given_0
        if given_1 == given_0 or joint_1 + joint_0 == 0:
            return self.prior
        # A posterior that rounds to 0 or 1 would make a sure forecast, and that can cost infinitely much.
        low = math.nextafter(0, 1) if self.prior > 0 and given_1 > 0 else 0.0
        high = math.nextafter(1, 0) if self.prior < 1 and given_0 > 0 else 1.0
        return min(max(joint_1 / (joint_1 + joint_0), low), high)


@dataclass(frozen=True, slots=True)
class ExpertInterval:
    """What is known of a truthful reporter when the prior and the rates are known only in part.

    Parameters
    ----------
    prior : tuple of float
        Lowest and highest possible Pr[state = 1]; (0, 1) where nothing is known.
    tpr : float
        The true-positive rate is at least this; 0 where nothing is known.
    fpr : float
        The false-positive rate is at most this; 1 where nothing is known. May exceed `tpr`.

    Raises
    ------
    ParameterError
        A value is no probability, or the prior interval is empty.

    Notes
    -----
    theory.md §5.

    Examples
    --------
    >>> ExpertInterval(prior=(0.2, 0.4), tpr=0.7, fpr=0.1)
    ExpertInterval(prior=(0.2, 0.4), tpr=0.7, fpr=0.1)
    """

    prior: tuple[float, float] = (0.0, 1.0)
    tpr: float = 0.0
    fpr: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.prior, tuple) or len(self.prior) != 2:
            raise ParameterError(f"ExpertInterval prior = {self.prior!r} is not a pair; give (low, high)")
        low, high = (probability("ExpertInterval prior", end) for end in self.prior)
        if low > high:
            raise ParameterError(f"ExpertInterval prior = {self.prior!r} is empty; give (low, high), low first")
        object.__setattr__(self, "prior", (low, high))
        for field in ("tpr", "fpr"):
            object.__setattr__(self, field, probability(f"ExpertInterval {field}", getattr(self, field)))

    @classmethod
    def from_reporters(
        cls, panel: "Panel", prior: tuple[float, float], tprs: Iterable[float], fprs: Iterable[float]
    ) -> Self:
        """Bound the mean rates of the truthful reporters where each reporter has rates of its own.

        Parameters
        ----------
        panel : Panel
            Reporters and adversaries. Which of the reporters are adversarial need not be known.
        prior : tuple of float
            Lowest and highest possible Pr[state = 1].
        tprs, fprs : n floats each
            Lowest possible true-positive rate and highest possible false-positive rate of each reporter, if it is
            truthful.

        Returns
        -------
        ExpertInterval
            The mean of the N = n − k lowest of `tprs` and that of the N highest of `fprs`: any N truthful reporters
            are no worse on average.

        Raises
        ------
        ParameterError
            Something else than n probabilities, or an interval that is none.

        Notes
        -----
        theory.md §6. Rates that adversaries have feigned do no harm: the N worst of all reporters are no better than
        any N truthful ones. Where fewer than k are adversarial, any N of the truthful ones count as the truthful, and
        the others as adversaries who happen to tell the truth.

        Examples
        --------
        >>> ExpertInterval.from_reporters(Panel(n=3, k=1), (0.5, 0.5), tprs=[1, 0.75, 0.5], fprs=[0, 0.25, 0.25])
        ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.25)
        """
        lowest = sorted(_one_each("tprs", tprs, panel))[: panel.truthful]
        highest = sorted(_one_each("fprs", fprs, panel))[panel.k :]
        return cls(prior, math.fsum(lowest) / panel.truthful, math.fsum(highest) / panel.truthful)

    @classmethod
    def from_panel_means(cls, panel: "Panel", prior: tuple[float, float], tpr: float, fpr: float) -> Self:
        """Bound the mean rates of the truthful reporters where only means over the whole panel are known.

        Parameters
        ----------
        panel : Panel
            Reporters and adversaries.
        prior : tuple of float
            Lowest and highest possible Pr[state = 1].
        tpr, fpr : float
            Lowest possible mean true-positive rate and highest possible mean false-positive rate of all n reporters.
            The adversaries may have feigned theirs.

        Returns
        -------
        ExpertInterval
            The rates max(0, (n·tpr − k)/N) and min(1, n·fpr/N) with N = n − k: whichever N reporters are truthful,
            the k others have at most k of the n·tpr and at least 0 of the n·fpr.

        Raises
        ------
        ParameterError
            A rate that is no probability, or an interval that is none.

        Notes
        -----
        theory.md §6. Where the single rates are known as well as their means, `from_reporters` is at least as
        sharp.

        Examples
        --------
        >>> ExpertInterval.from_panel_means(Panel(n=3, k=1), (0.5, 0.5), tpr=0.75, fpr=0.25)
        ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.375)
        """
        total_tpr, total_fpr = (
            panel.n * probability(f"panel {name}", rate) for name, rate in (("tpr", tpr), ("fpr", fpr))
        )
        return cls(prior, max(0.0, (total_tpr - panel.k) / panel.truthful), min(1.0, total_fpr / panel.truthful))


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
        A value is no integer or is negative, or half of the panel or more could be adversarial.

    Notes
    -----
    theory.md §1.

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
        """The number N = n − k of reporters that are surely truthful."""
        return self.n - self.k

    @property
    def share(self) -> float:
        """The share γ = k/n of adversaries, below 1/2."""
        return self.k / self.n

    def effective_rates(self, expert: Expert | ExpertInterval) -> tuple[float, float]:
        """Rates (a′, b′) of the effective expert, as the formula gives them.

        Parameters
        ----------
        expert : Expert or ExpertInterval
            One truthful reporter.

        Returns
        -------
        tuple of float
            a′ = (N·a − k)/(n − 2k), at most 1, and b′ = N·b/(n − 2k), at least 0. Where a′ < b′ the
            adversaries can hide the state completely.

        Notes
        -----
        theory.md §2.

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
        """Return what k adversaries leave of one truthful reporter's informativeness.

        Parameters
        ----------
        expert : Expert
            One truthful reporter.

        Returns
        -------
        Expert
            The same prior with the effective rates. Where those cross (a′ < b′) nothing is left: an
            uninformative reporter, whose two posteriors are the prior.

        Notes
        -----
        theory.md §2.

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


def _one_each(name: str, rates: Iterable[float], panel: Panel) -> list[float]:
    """Return the rates as floats; ParameterError where they are not a probability for each reporter."""
    try:
        values = list(rates)
    except TypeError as error:
        raise ParameterError(f"{name} = {rates!r} is no list; give one rate for each reporter") from error
    if len(values) != panel.n:
        raise ParameterError(
            f"{name} holds {len(values)} rates for a panel of n = {panel.n}; give one for each reporter"
        )
    return [probability(f"{name}[{place}]", value) for place, value in enumerate(values)]
