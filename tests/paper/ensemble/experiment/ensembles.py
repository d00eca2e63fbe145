"""Ensembles of models to experiment on."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bribeproof._typing import BoolArray
from bribeproof.theory import Expert

Ensemble = tuple[BoolArray, BoolArray, BoolArray]


HALF = Fraction(1, 2)


@st.composite
def ensembles(draw: st.DrawFn, models: int = 5, images: int = 6) -> Ensemble:
    """Votes of a few models on a few images, the truth, and the benchmark."""
    shape = draw(st.integers(1, models)), draw(st.integers(1, images))
    votes, truth, benchmark = (draw(hnp.arrays(bool, size)) for size in (shape, shape[1], shape[1]))
    return votes, truth, benchmark


experts = st.builds(
    lambda prior, tpr, fpr: Expert(prior / 16, tpr / 8, fpr / 8),
    st.sampled_from([3, 5, 8, 11]),
    st.integers(4, 8),
    st.integers(0, 4),
)


def drawn(models: int, images: int, seed: int = 0, tpr: float = 0.75, fpr: float = 0.2) -> Ensemble:
    """Votes of models that share some of their errors."""
    rng = np.random.default_rng(seed)
    truth = rng.random(images) < 0.4
    hardness = rng.normal(size=images) * 0.2
    votes = rng.random((models, images)) < np.where(truth, tpr, fpr) + hardness
    return votes, truth, truth ^ (rng.random(images) < 0.05)


def posteriors(expert: Expert, n: int, k: int) -> tuple[Fraction, Fraction]:
    """Chances of yes after a no and after a yes of the effective expert."""
    prior, tpr, fpr = (Fraction(value) for value in (expert.prior, expert.tpr, expert.fpr))
    true, false = ((n - k) * tpr - k) / (n - 2 * k), (n - k) * fpr / (n - 2 * k)
    if true <= false:
        return prior, prior
    low = prior * (1 - true), (1 - prior) * (1 - false)
    high = prior * true, (1 - prior) * false
    return low[0] / sum(low), high[0] / sum(high)
