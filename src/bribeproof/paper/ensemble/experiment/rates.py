"""How good the models are, from training images that each of them has not seen."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, FloatArray
from bribeproof.errors import DataError
from bribeproof.theory import Expert, ExpertInterval
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound, risk_of


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """What held-out images say of the models.

    Attributes
    ----------
    expert
        The average model, as measured.
    known
        Bounds of its prior and rates that hold with the confidence, all of them at once.
    confidence
        How sure they are.
    models
        One row per model: ``model``; ``held_out``, images that it has not seen; ``accuracy``, ``tpr`` and ``fpr`` on
        them, null where there are none, and exact bounds of the latter two, ``_low`` and ``_high``, each with the
        confidence.
    """

    expert: Expert
    known: ExpertInterval
    confidence: float
    models: pl.DataFrame


def held_out_rates(votes: BoolArray, seen: BoolArray, truth: BoolArray, confidence: float = 0.95) -> Rates:
    """Measure the models on training images that they have not seen.

    Parameters
    ----------
    votes : bool array of shape (models, images)
        What each model says of each training image.
    seen : bool array of the same shape
        Which images each model was trained on.
    truth : bool array of shape (images,)
        What is right.
    confidence : float, default 0.95
        Of the bounds, in (0, 1).

    Returns
    -------
    Rates
        Estimates and bounds. Models err together, so that an image counts once, however many models have held it
        out: its value is the share of those that say yes.

    Raises
    ------
    DataError
        If no held-out image is of the target class, or all are.
    ParameterError
        If the confidence is outside its range.

    Notes
    -----
    docs/theory.md §6. As in every cross-validation the images depend a little on one another, since each is judged by
    models that have seen others; the bounds take them as independent.

    Examples
    --------
    >>> truth = np.arange(200) % 2 == 0
    >>> votes = np.tile(truth, (3, 1))
    >>> seen = np.arange(200) % 3 == np.arange(3)[:, None]
    >>> found = held_out_rates(votes, seen, truth)
    >>> found.expert, round(found.known.tpr, 3)
    (Expert(prior=0.5, tpr=1.0, fpr=0.0), 0.948)
    """
    risk = risk_of(confidence) / 4
    held = ~seen
    judges = held.sum(axis=0)
    used = judges > 0
    share = (votes & held).sum(axis=0)[used] / judges[used]
    positive = truth[used]
    if not positive.any() or positive.all():
        raise DataError(
            f"{int(positive.sum())} of the {len(positive)} training images that a model has not seen are of the target "
            "class; choose a class that some are of and others not, or train each model on fewer images"
        )
    low, high = clopper_pearson([positive.sum()], [len(positive)], 1 - 2 * risk)
    expert = Expert(float(positive.mean()), float(share[positive].mean()), float(share[~positive].mean()))
    known = ExpertInterval(
        prior=(float(low[0]), float(high[0])),
        tpr=_lower_bound(share[positive], risk),
        fpr=1 - _lower_bound(1 - share[~positive], risk),
    )
    return Rates(expert, known, confidence, _each(votes, held, truth, confidence))


def _lower_bound(shares: FloatArray, risk: float) -> float:
    """Return a lower bound of the mean of shares."""
    values, counts = np.unique(shares, return_counts=True)
    return mean_lower_bound(counts, values, risk)


def _each(votes: BoolArray, held: BoolArray, truth: BoolArray, confidence: float) -> pl.DataFrame:
    """Return a row per model."""
    columns: dict[str, object] = {"model": np.arange(len(votes)), "held_out": held.sum(axis=1)}
    columns["accuracy"] = _share(((votes == truth) & held).sum(axis=1), held.sum(axis=1))
    for name, side in (("tpr", truth), ("fpr", ~truth)):
        said, asked = (votes & held & side).sum(axis=1), (held & side).sum(axis=1)
        low, high = clopper_pearson(said, asked, confidence)
        columns |= {name: _share(said, asked), f"{name}_low": low, f"{name}_high": high}
    return pl.DataFrame(columns)


def _share(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> pl.Series:
    """Return the share of each total; null where that is 0."""
    return pl.Series(counts / np.where(totals > 0, totals, 1)).set(pl.Series(totals == 0), None)
