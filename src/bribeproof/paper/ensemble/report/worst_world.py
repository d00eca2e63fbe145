"""How the world that the pairwise rule guards against differs from the test images."""

from typing import NamedTuple

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.theory import Panel, pairwise_minimax


class Outvoted(NamedTuple):
    """The share of the target's images on which the adversaries and the models that err are a majority.

    Attributes
    ----------
    feared
        The share in a worst world with the measured rates and pairs.
    real
        The share on the test images.
    """

    feared: float
    real: float


def outvoted(experiment: Experiment, k: int) -> Outvoted:
    """Return on which share of the target's images k adversaries can outvote the models that are right.

    Parameters
    ----------
    experiment
        A run whose test images include the target.
    k
        Number of adversaries.

    Notes
    -----
    docs/theory.md §12: the worst world is the certificate of the rule, a law of the number of models that err.
    """
    models = experiment.models
    law = pairwise_minimax(Panel(models + k, k), experiment.expert, "squared").witness.given_1.errors
    errors = experiment.tally[1][::-1]
    return Outvoted(
        _above(law.errors, law.weights, (models - k) / 2),
        _above(np.arange(models + 1), errors / errors.sum(), (models - k) / 2),
    )


def _above(errors: IntArray, shares: FloatArray, bound: float) -> float:
    """Return the share of images with more errors than this."""
    return float(shares[errors > bound].sum())
