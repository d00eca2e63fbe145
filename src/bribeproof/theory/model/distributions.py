"""Make and check arrays whose rows are probability distributions."""

import numpy as np

from bribeproof._typing import FloatArray


def normalised(shares: FloatArray) -> FloatArray:
    """Return nonnegative shares scaled to sum to 1 along the last axis; uniform where all are 0."""
    shares = np.maximum(shares, 0)
    total, uniform = shares.sum(axis=-1, keepdims=True), np.full(shares.shape, 1 / shares.shape[-1])
    rows: FloatArray = np.divide(shares, total, where=total > 0, out=uniform)
    rows.setflags(write=False)
    return rows


def are_distributions(rows: FloatArray, shape: tuple[int, ...]) -> bool:
    """Return whether an array has this shape and holds distributions along the last axis, up to rounding."""
    return rows.shape == shape and bool((rows >= 0).all()) and bool((abs(rows.sum(axis=-1) - 1) <= 1e-12).all())
