"""Votes of the models on the test images, and the rates and correlation of their errors."""

from dataclasses import dataclass, fields

import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, IntArray
from bribeproof.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes of N truthful models: whether an image is of the target class.

    Attributes
    ----------
    votes
        bool (models, images): whether each model says yes.
    truth
        bool (images): whether the image is of the target class.
    benchmark
        bool (images): whether the model that was trained on everything says yes.

    Raises
    ------
    DataError
        An array that is not of booleans, has another shape, or holds no model or no image.

    Examples
    --------
    >>> votes = Votes(np.array([[True, False], [True, True]]), np.array([True, False]), np.array([True, False]))
    >>> votes.tally
    array([[0, 1, 0],
           [0, 0, 1]])
    """

    votes: BoolArray
    truth: BoolArray
    benchmark: BoolArray

    def __post_init__(self) -> None:
        for field, axes in zip(fields(self), ("models, images", "images", "images"), strict=True):
            values = getattr(self, field.name)
            if not isinstance(values, np.ndarray) or values.dtype != np.bool_:
                kind = f"type {values.dtype}" if isinstance(values, np.ndarray) else f"a {type(values).__name__}"
                raise DataError(f"{field.name} is {kind}; give a numpy array of booleans, True where the answer is yes")
            if values.ndim != axes.count(",") + 1 or values.size == 0:
                raise DataError(f"{field.name} has shape {values.shape}; give ({axes}), at least one of each")
            if values.shape[-1] != self.votes.shape[-1]:
                raise DataError(
                    f"{field.name} has {values.shape[-1]} images and votes has {self.votes.shape[-1]}; give as many"
                )

    @property
    def models(self) -> int:
        """The number N of models."""
        return int(self.votes.shape[0])

    @property
    def images(self) -> int:
        """The number of images."""
        return int(self.votes.shape[1])

    @property
    def tally(self) -> IntArray:
        """Number of images for each truth and number of votes: an array of 2 × (N + 1)."""
        cells = self.votes.sum(axis=0) + (self.models + 1) * self.truth
        return np.bincount(cells, minlength=2 * (self.models + 1)).reshape(2, -1)

    @property
    def benchmark_error(self) -> float:
        """Share of the images on which the benchmark is wrong."""
        return float((self.benchmark != self.truth).mean())

    @property
    def rates(self) -> pl.DataFrame:
        """One row per model: ``model``, ``accuracy``, ``tpr`` and ``fpr``; null where no image has that truth."""
        positive, negative = self.votes[:, self.truth], self.votes[:, ~self.truth]
        unknown = np.full(self.models, None)
        return pl.DataFrame(
            {
                "model": np.arange(self.models),
                "accuracy": (self.votes == self.truth).mean(axis=1),
                "tpr": positive.mean(axis=1) if positive.size else unknown,
                "fpr": negative.mean(axis=1) if negative.size else unknown,
            },
            schema={"model": pl.Int64, "accuracy": pl.Float64, "tpr": pl.Float64, "fpr": pl.Float64},
        )

    @property
    def error_correlation(self) -> float | None:
        """Mean Pearson correlation of the errors of two models.

        Models that are always or never right are left out; None if fewer than two remain.
        """
        errors = (self.votes != self.truth).astype(np.float64)
        totals = errors.sum(axis=1)
        kept = (totals > 0) & (totals < self.images)
        pairs = int(kept.sum()) * (int(kept.sum()) - 1)
        if not pairs:
            return None
        errors, totals = errors[kept], totals[kept]
        covariance = self.images * (errors @ errors.T) - np.outer(totals, totals)
        deviations = np.sqrt(np.diag(covariance))
        correlation = covariance / np.outer(deviations, deviations)
        return float((correlation.sum() - np.trace(correlation)) / pairs)
