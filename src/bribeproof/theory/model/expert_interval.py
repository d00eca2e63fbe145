"""Bounds of the prior and of the truthful reporters' rates, where these are known only in part."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

from bribeproof._validation import probability
from bribeproof.errors import ParameterError
from bribeproof.theory.model.panel import Panel, check_panel


@dataclass(frozen=True, slots=True, repr=False)
class ExpertInterval:
    """Bounds of the prior and of the mean rates of the truthful reporters.

    Parameters
    ----------
    prior : tuple of float
        Lowest and highest possible Pr[state = 1]; (0, 1) where nothing is known.
    tpr : float
        The true-positive rate is at least this; 0 where nothing is known.
    fpr : float
        The false-positive rate is at most this; 1 where nothing is known. May exceed `tpr`.
    highest_tpr, lowest_fpr : float
        The true-positive rate is at most, the false-positive rate at least this; 1 and 0 where nothing is known.
    joint_error_rates : tuple of float
        How often two truthful reporters err on the same item at most, given state 1 and given state 0; 1 where nothing
        is known.

    Raises
    ------
    ParameterError
        A value is not a probability, or the prior interval is empty.

    Notes
    -----
    docs/theory.md §5; §12 for joint errors.

    Examples
    --------
    >>> ExpertInterval(prior=(0.2, 0.4), tpr=0.7, fpr=0.1)
    ExpertInterval(prior=(0.2, 0.4), tpr=0.7, fpr=0.1)
    >>> ExpertInterval((0.2, 0.4), 0.7, 0.1, joint_error_rates=(0.12, 0.05)).may_err_together
    False
    """

    prior: tuple[float, float] = (0.0, 1.0)
    tpr: float = 0.0
    fpr: float = 1.0
    highest_tpr: float = 1.0
    lowest_fpr: float = 0.0
    joint_error_rates: tuple[float, float] = (1.0, 1.0)

    def __post_init__(self) -> None:
        if not isinstance(self.prior, tuple) or len(self.prior) != 2:
            raise ParameterError(f"ExpertInterval prior = {self.prior!r} is not a pair; give (low, high)")
        low, high = (probability("ExpertInterval prior", end) for end in self.prior)
        if low > high:
            raise ParameterError(f"ExpertInterval prior = {self.prior!r} is empty; give (low, high), low first")
        object.__setattr__(self, "prior", (low, high))
        for field in ("tpr", "fpr", "highest_tpr", "lowest_fpr"):
            object.__setattr__(self, field, probability(f"ExpertInterval {field}", getattr(self, field)))
        if self.tpr > self.highest_tpr or self.lowest_fpr > self.fpr:
            raise ParameterError(
                f"ExpertInterval tpr = {self.tpr} to {self.highest_tpr} or fpr = {self.lowest_fpr} to {self.fpr} is "
                f"empty; give lower bounds that do not exceed the upper ones"
            )
        joint = self.joint_error_rates
        if not isinstance(joint, tuple) or len(joint) != 2:
            raise ParameterError(f"ExpertInterval joint_error_rates = {joint!r} is not a pair; give one for each state")
        pair = tuple(probability("ExpertInterval joint_error_rates", rate) for rate in joint)
        object.__setattr__(self, "joint_error_rates", pair)

    @property
    def may_err_together(self) -> bool:
        """Whether nothing is known of joint errors that the error rates do not say."""
        given_1, given_0 = self.joint_error_rates
        return given_1 >= 1 - self.tpr and given_0 >= self.fpr

    @property
    def correlations(self) -> tuple[float, float]:
        """The largest correlation of errors that the bounds leave possible, given state 1 and given state 0.

        ρ = (c − e²)/(e(1 − e)) falls with the error rate e, so that the least possible one counts; c cannot exceed it.
        Reporters who always err do so together, and no correlation of theirs is defined: 0.
        """
        first, second = (
            1.0 if rate <= joint else 0.0 if rate == 1 else max(0.0, (joint - rate**2) / (rate * (1 - rate)))
            for rate, joint in zip((1 - self.highest_tpr, self.lowest_fpr), self.joint_error_rates, strict=True)
        )
        return first, second

    def __repr__(self) -> str:
        """Return the bounds that say something beyond prior, tpr and fpr only where they are given."""
        more = [
            (field.name, getattr(self, field.name))
            for field in fields(self)[3:]
            if getattr(self, field.name) != field.default
        ]
        shown = [
            f"{name}={value!r}" for name, value in [("prior", self.prior), ("tpr", self.tpr), ("fpr", self.fpr), *more]
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def from_reporters(
        cls, panel: Panel, prior: tuple[float, float], tprs: Iterable[float], fprs: Iterable[float]
    ) -> Self:
        """Bound the mean rates of the truthful reporters from bounds for each reporter.

        Parameters
        ----------
        panel : Panel
            Reporters and adversaries. Which of the reporters are adversarial need not be known.
        prior : tuple of float
            Lowest and highest possible Pr[state = 1].
        tprs, fprs : n floats each
            Lower bound of the true-positive rate and upper bound of the false-positive rate of each reporter, which
            hold if it is truthful.

        Returns
        -------
        ExpertInterval
            The mean of the N = n − k lowest of `tprs` and that of the N highest of `fprs`: any N truthful reporters
            are no worse on average.

        Raises
        ------
        ParameterError
            `tprs` or `fprs` do not hold n probabilities, or `prior` is not an interval.

        Notes
        -----
        docs/theory.md, Proposition 6.2. Rates that adversaries have feigned do no harm: the N worst of all reporters
        are no better than any N truthful ones. Where fewer than k are adversarial, any N of the truthful ones count as
        the truthful, and the others as adversaries who happen to tell the truth (Corollary 2.2).

        Examples
        --------
        >>> ExpertInterval.from_reporters(Panel(n=3, k=1), (0.5, 0.5), tprs=[1, 0.75, 0.5], fprs=[0, 0.25, 0.25])
        ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.25)
        """
        check_panel(panel)
        lowest = sorted(_one_each("tprs", tprs, panel))[: panel.truthful]
        highest = sorted(_one_each("fprs", fprs, panel))[panel.k :]
        return cls(prior, math.fsum(lowest) / panel.truthful, math.fsum(highest) / panel.truthful)

    @classmethod
    def from_panel_means(cls, panel: Panel, prior: tuple[float, float], tpr: float, fpr: float) -> Self:
        """Bound the mean rates of the truthful reporters from means over the whole panel.

        Parameters
        ----------
        panel : Panel
            Reporters and adversaries.
        prior : tuple of float
            Lowest and highest possible Pr[state = 1].
        tpr, fpr : float
            Lower bound of the mean true-positive rate and upper bound of the mean false-positive rate of all n
            reporters. The adversaries may have feigned theirs.

        Returns
        -------
        ExpertInterval
            The rates max(0, (n·tpr − k)/N) and min(1, n·fpr/N) with N = n − k: whichever N reporters are truthful,
            the k others have at most k of the n·tpr and at least 0 of the n·fpr.

        Raises
        ------
        ParameterError
            A rate is not a probability, or `prior` is not an interval.

        Notes
        -----
        docs/theory.md, Proposition 6.1. Where the rates of each reporter are known, `from_reporters` is at least as
        sharp (Proposition 6.2).

        Examples
        --------
        >>> ExpertInterval.from_panel_means(Panel(n=3, k=1), (0.5, 0.5), tpr=0.75, fpr=0.25)
        ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.375)
        """
        check_panel(panel)
        total_tpr, total_fpr = (
            panel.n * probability(f"panel {name}", rate) for name, rate in (("tpr", tpr), ("fpr", fpr))
        )
        return cls(prior, max(0.0, (total_tpr - panel.k) / panel.truthful), min(1.0, total_fpr / panel.truthful))


def _one_each(name: str, rates: Iterable[float], panel: Panel) -> list[float]:
    """Return the rates as floats; raise ParameterError unless there is one probability for each reporter."""
    try:
        values = list(rates)
    except TypeError as error:
        raise ParameterError(f"{name} = {rates!r} is not a list; give one rate for each reporter") from error
    if len(values) != panel.n:
        raise ParameterError(
            f"{name} holds {len(values)} rates for a panel of n = {panel.n}; give one for each reporter"
        )
    return [probability(f"{name}[{reporter}]", value) for reporter, value in enumerate(values)]
