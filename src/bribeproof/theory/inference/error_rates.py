"""Bounds of the errors of truthful reporters in a state, and what they say of one of them."""

from collections.abc import Iterator
from typing import NamedTuple

from bribeproof.theory.inference.confidence import risk_of
from bribeproof.theory.model.expert_interval import ExpertInterval

_OF_PRIOR = 0.2
"""The share of the risk that the prior takes."""


class ErrorRates(NamedTuple):
    """The mean error rate of truthful reporters in one state, and how often two of them err on the same item.

    Attributes
    ----------
    least, most : float
        Bounds of the mean error rate.
    joint_least, joint_most : float
        Bounds of the mean joint error rate.
    """

    least: float
    most: float
    joint_least: float
    joint_most: float

    @property
    def correlation(self) -> tuple[float, float]:
        """Bounds of the intra-class correlation ρ = (c − e²)/(e(1 − e)) of errors, in [0, 1]; it falls with e."""
        return _correlation(self.most, self.joint_least), _correlation(self.least, self.joint_most)


def interval_within(prior: tuple[float, float], positive: ErrorRates, negative: ErrorRates) -> ExpertInterval:
    """Return the bounds of a truthful reporter from those of its errors given state 1 and given state 0."""
    return ExpertInterval(
        prior,
        tpr=1 - positive.most,
        fpr=negative.most,
        highest_tpr=1 - positive.least,
        lowest_fpr=negative.least,
        joint_error_rates=(positive.joint_most, negative.joint_most),
    )


def ordered_rates(means: Iterator[float]) -> ErrorRates:
    """Return the bounds from lower bounds of the shares that are wrong, right, both wrong and not both wrong."""
    least, right, joint, other = means
    return ErrorRates(min(least, 1 - right), 1 - right, min(joint, 1 - other), 1 - other)


def _correlation(error: float, joint: float) -> float:
    """Return the correlation of errors for an error rate and a joint error rate."""
    if error <= joint:
        return 1.0
    return max(0.0, (joint - error**2) / (error * (1 - error))) if error < 1 else 0.0


def split_risk(confidence: float, *, known_prior: bool) -> tuple[float, float]:
    """Return the shares of the risk that bounds fail: that of the prior, and that of the rates in each state.

    Examples
    --------
    >>> [round(part, 6) for known in (False, True) for part in split_risk(0.95, known_prior=known)]
    [0.01, 0.02, 0.0, 0.025]
    """
    risk = risk_of(confidence)
    of_prior = 0.0 if known_prior else _OF_PRIOR * risk
    return of_prior, (risk - of_prior) / 2
