"""Truthful reporters: prior and rates for two states, prior and accuracies for m classes."""

import math
from dataclasses import dataclass

from bribeproof._validation import check_type, probability
from bribeproof.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Expert:
    """One truthful reporter: the prior of state 1 and the rates of the report H in the two states.

    Parameters
    ----------
    prior : float
        μ = Pr[state = 1], in [0, 1].
    tpr : float
        True-positive rate a = Pr[H | state = 1], in [0, 1], at least `fpr`.
    fpr : float
        False-positive rate b = Pr[H | state = 0], in [0, 1].

    Raises
    ------
    ParameterError
        A value is not a probability, or `tpr` is below `fpr`.

    Notes
    -----
    docs/theory.md §1.

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
        """Pr[state = 1 | L]; the prior where the reporter never reports L."""
        return self._posterior(1 - self.tpr, 1 - self.fpr)

    @property
    def posterior_high(self) -> float:
        """Pr[state = 1 | H]; the prior where the reporter never reports H."""
        return self._posterior(self.tpr, self.fpr)

    @property
    def positive_rate(self) -> float:
        """Pr[H], over both states."""
        return self.prior * self.tpr + (1 - self.prior) * self.fpr

    @property
    def error_rate(self) -> float:
        """Error rate e = μ(1 − a) + (1 − μ)b: the probability that the report differs from the state."""
        return self.prior * (1 - self.tpr) + (1 - self.prior) * self.fpr

    @property
    def informative(self) -> bool:
        """Whether the report depends on the state at all."""
        return self.tpr > self.fpr

    def _posterior(self, given_1: float, given_0: float) -> float:
        """Return the posterior of state 1 after a signal with these probabilities; 0 or 1 only where certain."""
        joint_1, joint_0 = self.prior * given_1, (1 - self.prior) * given_0
        if given_1 == given_0 or joint_1 + joint_0 == 0:
            return self.prior
        # A posterior that rounds to 0 or 1 would give a certain forecast, whose logarithmic loss can be infinite.
        low = math.nextafter(0, 1) if self.prior > 0 and given_1 > 0 else 0.0
        high = math.nextafter(1, 0) if self.prior < 1 and given_0 > 0 else 1.0
        return min(max(joint_1 / (joint_1 + joint_0), low), high)


@dataclass(frozen=True, slots=True)
class MultiExpert:
    """One truthful reporter where the state is one of m classes.

    Parameters
    ----------
    prior : tuple of m floats
        Probabilities μ of the states, summing to 1.
    accuracy : tuple of m floats
        q = Pr[report ω | state ω]. The distribution of the wrong reports is unrestricted.

    Raises
    ------
    ParameterError
        Fewer than two states, different lengths, a value that is not a probability, or a prior whose sum is not 1.

    Notes
    -----
    docs/theory.md §8.

    Examples
    --------
    >>> MultiExpert(prior=(0.5, 0.25, 0.25), accuracy=(0.9, 0.8, 0.7)).states
    3
    """

    prior: tuple[float, ...]
    accuracy: tuple[float, ...]

    def __post_init__(self) -> None:
        for field in ("prior", "accuracy"):
            values = getattr(self, field)
            if not isinstance(values, tuple):
                raise ParameterError(f"MultiExpert {field} = {values!r} is not a tuple; give one number per state")
            checked = tuple(probability(f"MultiExpert {field}", value) for value in values)
            object.__setattr__(self, field, checked)
        if len(self.prior) < 2 or len(self.prior) != len(self.accuracy):
            raise ParameterError(
                f"MultiExpert has {len(self.prior)} prior and {len(self.accuracy)} accuracy values; "
                "give as many of each, at least 2"
            )
        if not math.isclose(total := math.fsum(self.prior), 1, abs_tol=1e-9):
            raise ParameterError(f"MultiExpert prior sums to {total}; divide it by its sum so that it sums to 1")

    @property
    def states(self) -> int:
        """The number m of states."""
        return len(self.prior)


def check_expert(expert: object, *others: type) -> None:
    """Raise a `ParameterTypeError` unless ``expert`` is an `Expert` or an instance of one of the other types."""
    check_type("expert", expert, (Expert, *others), "Expert(prior=..., tpr=..., fpr=...)")


def check_multi_expert(expert: object) -> None:
    """Raise a `ParameterTypeError` unless ``expert`` is a `MultiExpert`."""
    check_type("expert", expert, MultiExpert, "MultiExpert(prior=..., accuracy=...)")
