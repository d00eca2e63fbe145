"""Estimate the rates of the models from training images that they were not trained on."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, FloatArray
from bribeproof.errors import DataError
from bribeproof.theory import Expert, ExpertInterval
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound, risk_of
from bribeproof.theory.inference.gold import Gold


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Rates of the models on held-out images.

    Attributes
    ----------
    expert
        Estimated prior and rates of the average model, and the estimated correlation of the errors of two models given
        either truth; 1 where no two of them have not seen the same image.
    bounds
        Bounds on the prior and the rates that hold simultaneously with the confidence.
    confidence
        Confidence of the bounds, in (0, 1).
    models
        One row per model: ``model``; ``held_out``, the number of images that it was not trained on; ``accuracy``,
        ``tpr`` and ``fpr`` on them, null where there are none; and exact bounds on the latter two, ``_low`` and
        ``_high``, each with the confidence.
    """

    expert: Expert
    bounds: ExpertInterval
    confidence: float
    models: pl.DataFrame


def held_out_rates(votes: BoolArray, seen: BoolArray, truth: BoolArray, confidence: float = 0.95) -> Rates:
    """Estimate the rates of the models on training images that they were not trained on.

    Parameters
    ----------
    votes : bool array of shape (models, images)
        Whether each model says yes to each training image.
    seen : bool array of the same shape
        Which images each model was trained on.
    truth : bool array of shape (images,)
        Whether each image is of the target class.
    confidence : float, default 0.95
        Confidence of the bounds, in (0, 1).

    Returns
    -------
    Rates
        Estimates and bounds. Errors of models are correlated, so an image counts once, however many models it was
        held out from, with the share of these models that say yes, and of their pairs that err.

    Raises
    ------
    DataError
        No held-out image is of the target class, or all are.
    ParameterError
        A confidence outside its range.

    Notes
    -----
    docs/theory.md §6. The bounds treat the images as independent. As in every cross-validation they are slightly
    dependent, because each image is judged by models that were trained on others.

    Examples
    --------
    >>> truth = np.arange(200) % 2 == 0
    >>> votes = np.tile(truth, (3, 1))
    >>> seen = np.arange(200) % 3 == np.arange(3)[:, None]
    >>> rates = held_out_rates(votes, seen, truth)
    >>> rates.expert, round(rates.bounds.tpr, 3)
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
    gold = Gold.from_matrix((votes == truth).T, truth, held.T)
    joint = gold.observed_rates(1)[1], gold.observed_rates(0)[1]
    rates = float(positive.mean()), float(share[positive].mean()), float(share[~positive].mean())
    expert = Expert.from_joint_errors(*rates, joint)
    bounds = ExpertInterval(
        prior=(float(low[0]), float(high[0])),
        tpr=_lower_bound(share[positive], risk),
        fpr=1 - _lower_bound(1 - share[~positive], risk),
    )
    return Rates(expert, bounds, confidence, _rates_by_model(votes, held, truth, confidence))


def _lower_bound(shares: FloatArray, risk: float) -> float:
    """Return a lower confidence bound on the mean of shares."""
    values, counts = np.unique(shares, return_counts=True)
    return mean_lower_bound(counts, values, risk)


def _rates_by_model(votes: BoolArray, held: BoolArray, truth: BoolArray, confidence: float) -> pl.DataFrame:
    """Return the rates of each model with their bounds, one row per model."""
    columns: dict[str, object] = {"model": np.arange(len(votes)), "held_out": held.sum(axis=1)}
    columns["accuracy"] = _share(((votes == truth) & held).sum(axis=1), held.sum(axis=1))
    for name, side in (("tpr", truth), ("fpr", ~truth)):
        yes, asked = (votes & held & side).sum(axis=1), (held & side).sum(axis=1)
        low, high = clopper_pearson(yes, asked, confidence)
        columns |= {name: _share(yes, asked), f"{name}_low": low, f"{name}_high": high}
    return pl.DataFrame(columns)


def _share(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> pl.Series:
    """Return counts divided by totals; null where the total is 0."""
    return pl.Series(counts / np.where(totals > 0, totals, 1)).set(pl.Series(totals == 0), None)
