"""Truthful reporters: prior and rates for two states, prior and accuracies for m classes."""

import math
from dataclasses import dataclass

from bribeproof._validation import check_type, probability
from bribeproof.errors import ParameterError


@dataclass(frozen=True, slots=True, repr=False)
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
    correlation : float or pair of floats, default 1
        Upper bound ρ of how far the errors of two truthful reporters go together, in [0, 1]: one number, or one given
        state 1 and one given state 0. 0 is pairwise independence; 1, where two may always err together, says nothing.
        With a smaller one, guarantees are for exactly these rates: reporters who err less often, and then all at once,
        can be worse.

    Raises
    ------
    ParameterError
        A value is not a probability, or `tpr` is below `fpr`.

    Notes
    -----
    docs/theory.md §1, and §12 for the correlation: ρ = (c − e²)/(e(1 − e)) of the error rate e and the probability c
    that two different reporters both err, averaged over all pairs.

    Examples
    --------
    >>> expert = Expert(prior=0.5, tpr=0.75, fpr=0.25)
    >>> expert.posterior_low, expert.posterior_high, expert.error_rate
    (0.25, 0.75, 0.25)
    >>> Expert(prior=0.5, tpr=0.75, fpr=0.25, correlation=0.1).joint_error_rates
    (0.08125, 0.08125)
    """

    prior: float
    tpr: float
    fpr: float
    correlation: float | tuple[float, float] = 1.0

    def __post_init__(self) -> None:
        for field in ("prior", "tpr", "fpr"):
            object.__setattr__(self, field, probability(f"Expert {field}", getattr(self, field)))
        object.__setattr__(self, "correlation", _correlation(self.correlation))
        if self.tpr < self.fpr:
            raise ParameterError(
                f"Expert tpr = {self.tpr} is below fpr = {self.fpr}; swap the labels "
                f"so that tpr = {self.fpr} and fpr = {self.tpr}"
            )

    def __repr__(self) -> str:
        known = "" if self.may_err_together else f", correlation={self.correlation!r}"
        return f"Expert(prior={self.prior!r}, tpr={self.tpr!r}, fpr={self.fpr!r}{known})"

    @classmethod
    def from_joint_errors(cls, prior: float, tpr: float, fpr: float, joint_errors: tuple[float, float]) -> "Expert":
        """Return a reporter of whom is known how often two of them err on the same item.

        Parameters
        ----------
        prior, tpr, fpr : float
            As above.
        joint_errors : pair of floats
            The probabilities c₁, c₀ that two different truthful reporters both err given state 1 and given state 0,
            averaged over all pairs. Those above the error rate say nothing, and those below its square, negative
            correlation, count as pairwise independence.

        Returns
        -------
        Expert
            With the correlation that these are.

        Examples
        --------
        >>> Expert.from_joint_errors(0.5, 0.75, 0.25, (0.109375, 0.25)).correlation
        (0.25, 1.0)
        """
        expert = cls(prior, tpr, fpr)
        first, second = map(_of_joint_errors, (1 - expert.tpr, expert.fpr), joint_errors)
        return cls(prior, tpr, fpr, (first, second))

    @property
    def correlations(self) -> tuple[float, float]:
        """The bounds of the correlation given state 1 and given state 0."""
        given = self.correlation
        return given if isinstance(given, tuple) else (given, given)

    @property
    def joint_error_rates(self) -> tuple[float, float]:
        """The bounds c₁, c₀ = e² + ρe(1 − e) of how often two reporters both err, given state 1 and given state 0."""
        rates = zip((1 - self.tpr, self.fpr), self.correlations, strict=True)
        first, second = (error**2 + rho * error * (1 - error) for error, rho in rates)
        return first, second

    @property
    def may_err_together(self) -> bool:
        """Whether nothing is assumed of how far errors go together, as in Theorem A."""
        return self.correlations == (1.0, 1.0)

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


def _of_joint_errors(error: float, joint: float) -> float:
    """Return the intra-class correlation for a rate of errors and of joint errors, in [0, 1]."""
    spread = error * (1 - error)
    joint = probability("joint error rate", joint)
    return min(1.0, max(0.0, (joint - error**2) / spread)) if spread > 0 else 1.0


def _correlation(given: object) -> float | tuple[float, float]:
    """Return a correlation, or one for each state, as floats."""
    if not isinstance(given, tuple):
        return probability("Expert correlation", given)
    if len(given) != 2:
        raise ParameterError(f"Expert correlation = {given!r}: give one number, or one given state 1 and one given 0")
    first, second = (probability("Expert correlation", one) for one in given)
    return first, second


@dataclass(frozen=True, slots=True, repr=False)
class MultiExpert:
    """One truthful reporter where the state is one of m classes.

    Parameters
    ----------
    prior : tuple of m floats
        Probabilities μ of the states, summing to 1.
    accuracy : tuple of m floats
        q = Pr[report ω | state ω]. The distribution of the wrong reports is unrestricted.
    correlation : float or tuple of m floats, default 1
        Upper bound ρ of how far the errors of two truthful reporters go together, as of an `Expert`: one number, or one
        given each state.

    Raises
    ------
    ParameterError
        Fewer than two states, different lengths, a value that is not a probability, or a prior whose sum is not 1.

    Notes
    -----
    docs/theory.md §8, and §12 for the correlation.

    Examples
    --------
    >>> MultiExpert(prior=(0.5, 0.25, 0.25), accuracy=(0.9, 0.8, 0.7)).states
    3
    """

    prior: tuple[float, ...]
    accuracy: tuple[float, ...]
    correlation: float | tuple[float, ...] = 1.0

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

        given = self.correlation
        if isinstance(given, tuple) and len(given) != self.states:
            raise ParameterError(
                f"MultiExpert correlation = {given!r}: give one number, or one for each of the {self.states} states"
            )
        rhos = given if isinstance(given, tuple) else (given,)
        known = tuple(probability("MultiExpert correlation", rho) for rho in rhos)
        object.__setattr__(self, "correlation", known if isinstance(given, tuple) else known[0])

    def __repr__(self) -> str:
        known = "" if self.may_err_together else f", correlation={self.correlation!r}"
        return f"MultiExpert(prior={self.prior!r}, accuracy={self.accuracy!r}{known})"

    @classmethod
    def from_joint_errors(
        cls, prior: tuple[float, ...], accuracy: tuple[float, ...], joint_errors: tuple[float, ...]
    ) -> "MultiExpert":
        """Return a reporter of whom is known how often two of them err on the same item, given each state.

        Parameters
        ----------
        prior, accuracy : tuple of m floats
            As above.
        joint_errors : tuple of m floats
            The probabilities that two different truthful reporters both err, averaged over all pairs, whether they
            report the same wrong state or not.

        Returns
        -------
        MultiExpert
            With the correlation that these are.

        Examples
        --------
        >>> MultiExpert.from_joint_errors((0.5, 0.5), (0.75, 0.5), (0.109375, 0.5)).correlation
        (0.25, 1.0)
        """
        expert = cls(prior, accuracy)
        rates = zip(expert.accuracy, joint_errors, strict=True)
        return cls(prior, accuracy, tuple(_of_joint_errors(1 - right, joint) for right, joint in rates))

    @property
    def joint_error_rates(self) -> tuple[float, ...]:
        """The bounds e² + ρe(1 − e) of how often two reporters both err, given each state."""
        given = self.correlation
        rhos = given if isinstance(given, tuple) else (given,) * self.states
        return tuple(
            (1 - right) ** 2 + rho * (1 - right) * right for right, rho in zip(self.accuracy, rhos, strict=True)
        )

    @property
    def may_err_together(self) -> bool:
        """Whether nothing is assumed of how far errors go together."""
        given = self.correlation
        return min(given if isinstance(given, tuple) else (given,)) == 1

    @property
    def states(self) -> int:
        """The number m of states."""
        return len(self.prior)


def check_expert(expert: object, *others: type, correlated: bool = False) -> None:
    """Raise an error unless ``expert`` is an `Expert` or an instance of one of the other types.

    Raises
    ------
    ParameterTypeError
        It is not.
    ParameterError
        Its errors are assumed to go together less than they could, and `correlated` is False: the caller's results hold
        for every correlation.
    """
    check_type("expert", expert, (Expert, *others), "Expert(prior=..., tpr=..., fpr=...)")
    if isinstance(expert, Expert) and not correlated:
        _check_any_correlation(expert, "aggregate, sweep, optimal_aggregator or pairwise_minimax")
    if isinstance(expert, MultiExpert) and not correlated:
        _check_any_correlation(expert, "plurality_error")


def check_multi_expert(expert: object, *, correlated: bool = False) -> None:
    """Raise an error as `check_expert` does, unless ``expert`` is a `MultiExpert`."""
    check_type("expert", expert, MultiExpert, "MultiExpert(prior=..., accuracy=...)")
    if isinstance(expert, MultiExpert) and not correlated:
        _check_any_correlation(expert, "plurality_error")


def _check_any_correlation(expert: Expert | MultiExpert, others: str) -> None:
    """Raise a `ParameterError` if less is assumed than that errors may go together in any way."""
    if not expert.may_err_together:
        raise ParameterError(
            f"{type(expert).__name__} correlation = {expert.correlation}: this result holds for errors that go "
            f"together in any way; leave the correlation at 1, or use {others}"
        )
