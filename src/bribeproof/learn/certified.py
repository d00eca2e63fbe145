"""The certified accuracy of a classifier whose models may be corrupted."""

from dataclasses import dataclass
from typing import Self

from bribeproof._typing import IntArray
from bribeproof._validation import validate_k
from bribeproof.theory.inference.confidence import least_probability


@dataclass(frozen=True, slots=True)
class CertifiedAccuracy:
    """How often a classifier is right whatever votes k of its models give.

    Attributes
    ----------
    k
        The number of models that may be corrupted.
    samples
        The number of samples.
    robust
        How many of them are predicted rightly, and stay so whichever k votes are changed.
    accuracy_low
        The exact lower bound of the probability that a new sample is predicted rightly although k models are corrupted.
    confidence
        The least probability that it holds.

    Examples
    --------
    >>> result = CertifiedAccuracy(k=1, samples=100, robust=80, accuracy_low=0.7228, confidence=0.95)
    >>> result.accuracy
    0.8
    """

    k: int
    samples: int
    robust: int
    accuracy_low: float
    confidence: float

    @classmethod
    def of(cls, flips: IntArray, k: object, confidence: float) -> Self:
        """Count the samples, given how many votes would undo each right prediction; 0 for a wrong one."""
        most = validate_k(k)
        robust = int((flips > most).sum())
        return cls(most, len(flips), robust, least_probability(robust, len(flips), confidence), confidence)

    @property
    def accuracy(self) -> float:
        """The share of robust samples."""
        return self.robust / self.samples
