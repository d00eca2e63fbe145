"""Compute features of images without training: the similarity of each quadrant to random patches."""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bribeproof._typing import ByteArray, Float32Array
from bribeproof.errors import ParameterError

_SAMPLE = 100_000
"""Largest number of patches from which the covariance of pixels is estimated."""
_CONTRAST = 10.0
"""Added to the variance of a patch, in squared grey levels, so that noise in flat patches is not amplified."""
_SPREAD = 0.1
"""Added to the eigenvalues of the covariance, whose mean is about one, before whitening."""
_THRESHOLD = 0.25
_BATCH_BYTES = 32 << 20


@dataclass(frozen=True, slots=True, eq=False)
class PatchBank:
    """Bank of filters: whitened patches of the images, each of norm one.

    Attributes
    ----------
    filters
        float32 (pixels of a patch, filters): the weights applied to a patch of unit contrast.
    offsets
        float32 (filters): the offsets subtracted from the result.
    size
        Height and width of a patch in pixels.

    Notes
    -----
    A. Coates and A. Y. Ng, "The Importance of Encoding Versus Training with Sparse Coding and Vector Quantization",
    ICML 2011: random patches as filters, rectified both ways and summed over quadrants, do almost as well as learned
    ones.
    """

    filters: Float32Array
    offsets: Float32Array
    size: int

    @classmethod
    def draw(cls, images: ByteArray, filters: int, size: int, rng: np.random.Generator) -> "PatchBank":
        """Draw a bank of filters from images.

        Parameters
        ----------
        images
            uint8 (images, height, width, channels).
        filters
            Number of filters.
        size
            Height and width of a patch in pixels, at least 2 and at most those of an image.
        rng
            Random generator.

        Raises
        ------
        ParameterError
            A patch larger than the images, or no filters.
        """
        _, height, width, _ = images.shape
        if filters < 1 or not 2 <= size <= min(height, width):
            raise ParameterError(f"{filters} patches of {size} x {size} pixels cannot be drawn from {height} x {width}")
        count = max(filters, min(_SAMPLE, 10 * len(images)))
        which = rng.integers(len(images), size=count)
        top, left = rng.integers(height - size + 1, size=count), rng.integers(width - size + 1, size=count)
        step = np.arange(size)
        cut = images[which[:, None, None], (top[:, None] + step)[:, :, None], (left[:, None] + step)[:, None, :]]
        patches = cut.reshape(count, -1).astype(np.float64)
        patches -= patches.mean(axis=1, keepdims=True)
        patches /= np.sqrt(patches.var(axis=1, keepdims=True) + _CONTRAST)
        mean = patches.mean(axis=0)
        values, vectors = np.linalg.eigh(np.cov(patches - mean, rowvar=False))
        whitening = vectors @ np.diag(1 / np.sqrt(values + _SPREAD)) @ vectors.T
        chosen = (patches[rng.choice(count, filters, replace=False)] - mean) @ whitening
        chosen /= np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-12)
        directions = whitening @ chosen.T
        return cls(directions.astype(np.float32), (mean @ directions).astype(np.float32), size)

    @property
    def features(self) -> int:
        """Number of features of an image: both signs of each filter in each quadrant."""
        return 8 * int(self.filters.shape[1])

    def describe(self, images: ByteArray) -> Float32Array:
        """Return the features of images: float32 (images, `features`)."""
        _, height, width, channels = images.shape
        positions = (height - self.size + 1) * (width - self.size + 1)
        batch = max(1, _BATCH_BYTES // (4 * positions * max(len(self.filters), self.filters.shape[1])))
        features = np.empty((len(images), self.features), np.float32)
        for start in range(0, len(images), batch):
            features[start : start + batch] = self._describe(images[start : start + batch].astype(np.float32), channels)
        return features

    def _describe(self, images: Float32Array, channels: int) -> Float32Array:
        """Return the features of one batch of images."""
        windows = sliding_window_view(images, (self.size, self.size), axis=(1, 2))
        count, rows, columns = windows.shape[:3]
        patches = windows.transpose(0, 1, 2, 4, 5, 3).reshape(count * rows * columns, self.size**2 * channels)
        mean = patches.mean(axis=1, keepdims=True)
        deviation = np.sqrt(patches.var(axis=1, keepdims=True) + np.float32(_CONTRAST))
        responses = (patches @ self.filters - mean * self.filters.sum(axis=0)) / deviation - self.offsets
        responses = responses.reshape(count, rows, columns, -1)
        halves = [(slice(0, rows // 2), slice(rows // 2, None)), (slice(0, columns // 2), slice(columns // 2, None))]
        pooled = [
            np.maximum(sign * responses[:, down, across] - np.float32(_THRESHOLD), 0).sum(axis=(1, 2))
            for sign in (np.float32(1), np.float32(-1))
            for down in halves[0]
            for across in halves[1]
        ]
        return np.concatenate(pooled, axis=1)
