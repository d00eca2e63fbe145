"""Counts, rates and flips computed from the votes of several models."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory import ExpertInterval, MultiExpert, Panel, PiecewiseLinear
from bribeproof.theory.inference.gold import Gold

_ROUNDING = 1e-12
"""A forecast this close to one half is a tie: the difference is rounding."""


def stack_votes(votes: list[Any]) -> NDArray[Any]:
    """Stack the votes of models as columns, without turning the numbers of one model into the text of another.

    Parameters
    ----------
    votes : list of array-likes of shape (n_samples,)
        The votes of each model.

    Returns
    -------
    ndarray of shape (n_samples, n_models)
        Of dtype object where the dtypes of the models are of different kinds.

    Examples
    --------
    >>> stack_votes([[1, 0], ["a", "b"]])
    array([[1, 'a'],
           [0, 'b']], dtype=object)
    """
    arrays = [np.asarray(vote) for vote in votes]
    same_kind = len({array.dtype.kind for array in arrays}) == 1
    return np.column_stack(arrays if same_kind else [array.astype(object) for array in arrays])


def gold_counts(positive: BoolArray, state: BoolArray) -> Gold:
    """Count the right votes on samples whose class is known.

    Parameters
    ----------
    positive : bool array of shape (n_samples, n_models)
        Whether each model votes for the positive class.
    state : bool array of shape (n_samples,)
        Whether the positive class is the true one.

    Returns
    -------
    Gold
        The counts, for each class.

    Examples
    --------
    >>> gold_counts(np.array([[True, False], [True, True]]), np.array([True, False])).correct.tolist()
    [[0, 0], [1, 0]]
    """
    n = positive.shape[1]
    asked, right, together = (np.zeros((2, size), dtype=np.int64) for size in (n, n, n + 1))
    for side in (0, 1):
        is_right = positive[state == bool(side)] == bool(side)
        asked[side], right[side] = len(is_right), is_right.sum(axis=0)
        together[side] = np.bincount(is_right.sum(axis=1), minlength=n + 1)
    return Gold(asked, right, together)


def estimate_rates(
    votes: NDArray[Any], y: NDArray[Any], classes: NDArray[Any], weight: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Estimate the share of each class, and each model's share of right votes on each class.

    Parameters
    ----------
    votes : array of shape (n_samples, n_models)
        The votes of the models.
    y : array of shape (n_samples,)
        The classes of the samples.
    classes : array of shape (n_classes,)
        All classes.
    weight : array of shape (n_samples,), optional
        Weight of each sample, at least 0; equal weights by default.

    Returns
    -------
    tuple of two arrays
        Of shape (n_classes,) and (n_classes, n_models), in [0, 1]. The rates of a class without weight are 0.

    Raises
    ------
    ParameterError
        Weights that are not one number of at least 0 for each sample, some of them above 0.

    Examples
    --------
    >>> estimate_rates(np.array([[1, 0], [1, 1], [0, 0], [1, 0]]), np.array([1, 1, 0, 0]), np.array([0, 1]))
    (array([0.5, 0.5]), array([[0.5, 1. ],
           [1. , 0.5]]))
    """
    weights = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    if weights.shape != y.shape or not (np.isfinite(weights).all() and weights.min() >= 0 and weights.max() > 0):
        raise ParameterError(
            f"sample_weight of shape {weights.shape}: give {len(y)} numbers of at least 0, some above 0"
        )
    weights = weights / weights.sum()
    by_class = np.stack([weights * (y == name) for name in classes])
    shares = by_class.sum(axis=1)
    right = by_class @ (votes == y[:, None])
    return shares, np.divide(right, shares[:, None], out=np.zeros_like(right), where=shares[:, None] > 0).clip(0, 1)


def fit_expert(panel: Panel, shares: FloatArray, right: FloatArray) -> ExpertInterval | MultiExpert:
    """Bound the rates of the average honest model by the mean rates of the n − k worst models.

    Parameters
    ----------
    panel : Panel
        Number of models, and how many of them may be corrupted.
    shares, right : arrays of shape (n_classes,) and (n_classes, n_models)
        As `estimate_rates` returns them.

    Returns
    -------
    ExpertInterval or MultiExpert
        An ExpertInterval for two classes, a MultiExpert for more.

    Notes
    -----
    docs/theory.md §6.

    Examples
    --------
    >>> fit_expert(Panel(3, 1), np.array([0.5, 0.5]), np.array([[1, 0.75, 0.75], [1, 0.75, 0.5]]))
    ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.25)
    """
    if len(shares) == 2:
        prior = float(shares[1])
        return ExpertInterval.from_reporters(panel, (prior, prior), right[1].tolist(), (1 - right[0]).tolist())
    worst = np.sort(right, axis=1)[:, : panel.truthful].mean(axis=1)
    return MultiExpert(tuple(shares.tolist()), tuple(worst.tolist()))


def forecasts_by_count(rule: PiecewiseLinear) -> FloatArray:
    """Return the forecasts for 0 … n votes, with ties at exactly one half.

    Examples
    --------
    >>> forecasts_by_count(PiecewiseLinear(2, [0, 2], [0.2, 0.8]))
    array([0.2, 0.5, 0.8])
    """
    return np.where(np.abs(rule.values - 0.5) < _ROUNDING, 0.5, rule.values)


def flip_distances(forecasts: FloatArray) -> IntArray:
    """Return the distance from each number of votes to the nearest whose forecast is on another side of one half.

    Parameters
    ----------
    forecasts : array of shape (n + 1,)
        Forecasts for 0 … n votes.

    Returns
    -------
    ndarray of int64
        0 for a forecast of one half itself; n + 1 where all forecasts are on the same side.

    Examples
    --------
    >>> [flip_distances(np.array(values)).tolist() for values in ([0.2, 0.4, 0.6, 0.8], [0.2, 0.5, 0.8], [0.7, 0.7])]
    [[2, 1, 1, 2], [1, 0, 1], [2, 2]]
    """
    counts, side = np.arange(len(forecasts)), np.sign(forecasts - 0.5)
    distance = np.abs(counts[:, None] - counts)
    nearest = np.where(side[:, None] != side, distance, len(forecasts)).min(axis=1)
    return np.where(side == 0, 0, nearest).astype(np.int64)
