"""The certified accuracy of a classifier whose models may be corrupted."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Self

import numpy as np

from bribeproof._typing import BoolArray, IntArray
from bribeproof._validation import validate_k
from bribeproof.errors import ParameterError
from bribeproof.theory.inference.confidence import least_probability

_MOST_TRIED = 100_000
"""So many lists of models, times the ways in which they can vote, are tried."""


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
        How many of them are predicted rightly, and stay so whichever k votes are changed, or whatever `models` vote.
    accuracy_low
        The exact lower bound of the probability that a new sample is predicted rightly although k models are corrupted.
    confidence
        The least probability that it holds.
    models
        The names of the worst k models, the same on all samples; None if they may be others on each sample.

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
    models: tuple[str, ...] | None = None

    @classmethod
    def of(cls, flips: IntArray, k: object, confidence: float) -> Self:
        """Count the samples, given how many votes would undo each right prediction; 0 for a wrong one."""
        most = validate_k(k)
        robust = int((flips > most).sum())
        return cls(most, len(flips), robust, least_probability(robust, len(flips), confidence), confidence)

    @classmethod
    def of_same_models(
        cls, votes: IntArray, truth: IntArray, classes: int, winner: Callable[[IntArray], IntArray], k: object,
        names: Sequence[str], confidence: float,
    ) -> Self:  # fmt: skip
        """Count the samples that stay right whatever the worst k models vote, by trying all lists of k.

        Parameters
        ----------
        votes : int array of shape (n_samples, n_models)
            The positions of the classes that the models vote for, −1 for an abstention.
        truth : int array of shape (n_samples,)
            Those of the true classes.
        classes
            The number of classes.
        winner
            Function of counts of votes, shape (n_samples, n_classes), that returns the positions of the classes that
            win outright, −1 where none does.
        k
            How many models are corrupted. They vote for any class, and abstain too if some model does.
        names
            The names of the models.
        confidence
            The least probability that the bound holds.

        Raises
        ------
        ParameterError
            If k is no count, or lists of k models are too many to try.
        """
        most, n = validate_k(k), votes.shape[1]
        size = min(most, n)
        sample, times = np.unique(np.column_stack([votes, truth]), axis=0, return_counts=True)
        cast = (sample[:, :n, None] == np.arange(classes)).astype(np.int64)
        choices = classes + bool((votes < 0).any())
        if math.comb(n, size) * math.comb(choices + size - 1, size) > _MOST_TRIED:
            raise ParameterError(
                f"k={most}: there are {math.comb(n, size):,} lists of so many of {n} models, too many to try: give a "
                f"smaller k, or leave out same_models"
            )

        ways = [
            np.bincount(np.array(way, np.int64), minlength=classes + 1)[:classes]
            for way in combinations_with_replacement(range(choices), size)
        ]

        def safe(members: tuple[int, ...]) -> BoolArray:
            others = cast.sum(axis=1) - cast[:, list(members)].sum(axis=1)
            kept: BoolArray = np.all([winner(others + way) == sample[:, n] for way in ways], axis=0)
            return kept

        left = {members: int(times[safe(members)].sum()) for members in combinations(range(n), size)}
        worst = min(left, key=left.__getitem__)
        bound = least_probability(left[worst], len(truth), confidence)
        return cls(most, len(truth), left[worst], bound, confidence, tuple(names[one] for one in worst))

    @property
    def accuracy(self) -> float:
        """The share of robust samples."""
        return self.robust / self.samples
