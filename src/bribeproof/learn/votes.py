"""What the votes of models come to, sample by sample and count by count."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory import ExpertInterval, MultiExpert, Panel, PiecewiseLinear
from bribeproof.theory.inference.gold import Gold

_ROUNDING = 1e-12
"""A forecast so near one half is a tie: the rest is rounding."""


def side_by_side(votes: list[Any]) -> NDArray[Any]:
    """Put the models' votes side by side, without turning the numbers of one into the text of another."""
    arrays = [np.asarray(vote) for vote in votes]
    alike = len({array.dtype.kind for array in arrays}) == 1
    return np.column_stack(arrays if alike else [array.astype(object) for array in arrays])


def count_gold(positive: NDArray[np.bool_], state: NDArray[np.bool_]) -> Gold:
    """Count right votes on samples whose class is known.

    Parameters
    ----------
    positive : bool array of shape (n_samples, n_models)
        Whether each model votes for the positive class.
    state : bool array of shape (n_samples,)
        Whether it is the class.

    Examples
    --------
    >>> count_gold(np.array([[True, False], [True, True]]), np.array([True, False])).right.tolist()
    [[0, 0], [1, 0]]
    """
    n = positive.shape[1]
    asked, right, together = (np.zeros((2, size), dtype=np.int64) for size in (n, n, n + 1))
    for side in (0, 1):
        good = positive[state == bool(side)] == bool(side)
        asked[side], right[side] = len(good), good.sum(axis=0)
        together[side] = np.bincount(good.sum(axis=1), minlength=n + 1)
    return Gold(asked, right, together)


def rates(
    votes: NDArray[Any], y: NDArray[Any], classes: NDArray[Any], weight: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the share of each class, and for each class and model the share of right votes.

    Parameters
    ----------
    votes : array of shape (n_samples, n_models)
        The models' votes.
    y : array of shape (n_samples,)
        The classes of the samples.
    classes : array of shape (n_classes,)
        All classes.
    weight : array of shape (n_samples,), optional
        How much each sample counts, at least 0; all the same by default.

    Returns
    -------
    tuple of two arrays
        Of shape (n_classes,) and (n_classes, n_models). Of a class without weight nothing is known: 0.

    Raises
    ------
    ParameterError
        Weights that are not one number of at least 0 for each sample, some of them above 0.

    Examples
    --------
    >>> rates(np.array([[1, 0], [1, 1], [0, 0], [1, 0]]), np.array([1, 1, 0, 0]), np.array([0, 1]))
    (array([0.5, 0.5]), array([[0.5, 1. ],
           [1. , 0.5]]))
    """
    each = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    if each.shape != y.shape or not (np.isfinite(each).all() and each.min() >= 0 and each.max() > 0):
        raise ParameterError(f"sample_weight of shape {each.shape}: give {len(y)} numbers of at least 0, some above 0")
    each = each / each.sum()
    states = np.stack([each * (y == one) for one in classes])
    shares = states.sum(axis=1)
    right = states @ (votes == y[:, None])
    return shares, np.divide(right, shares[:, None], out=np.zeros_like(right), where=shares[:, None] > 0).clip(0, 1)


def learnt_expert(panel: Panel, shares: FloatArray, right: FloatArray) -> ExpertInterval | MultiExpert:
    """Return what a sound model knows at least: the mean rates of the n − k worst models.

    Parameters
    ----------
    panel : Panel
        The models, and how many of them may be corrupted.
    shares, right : arrays of shape (n_classes,) and (n_classes, n_models)
        As `rates` returns them.

    Returns
    -------
    ExpertInterval or MultiExpert
        The one for two classes, the other for more.

    Notes
    -----
    theory.md §6.

    Examples
    --------
    >>> learnt_expert(Panel(3, 1), np.array([0.5, 0.5]), np.array([[1, 0.75, 0.75], [1, 0.75, 0.5]]))
    ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.25)
    """
    if len(shares) == 2:
        prior = float(shares[1])
        return ExpertInterval.from_reporters(panel, (prior, prior), right[1].tolist(), (1 - right[0]).tolist())
    worst = np.sort(right, axis=1)[:, : panel.truthful].mean(axis=1)
    return MultiExpert(tuple(shares.tolist()), tuple(worst.tolist()))


def settled_forecasts(rule: PiecewiseLinear) -> FloatArray:
    """Return the forecasts for 0 … n votes, with ties exactly at one half.

    Examples
    --------
    >>> settled_forecasts(PiecewiseLinear(2, [0, 2], [0.2, 0.8]))
    array([0.2, 0.5, 0.8])
    """
    return np.where(np.abs(rule.values - 0.5) < _ROUNDING, 0.5, rule.values)


def flips(forecasts: FloatArray) -> NDArray[np.int64]:
    """Return for each number of votes how far the next one is whose forecast is on another side of one half.

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
    >>> flips(np.array([0.2, 0.4, 0.6, 0.8])), flips(np.array([0.2, 0.5, 0.8])), flips(np.array([0.7, 0.7]))
    (array([2, 1, 1, 2]), array([1, 0, 1]), array([2, 2]))
    """
    counts, side = np.arange(len(forecasts)), np.sign(forecasts - 0.5)
    distance = np.abs(counts[:, None] - counts)
    nearest = np.where(side[:, None] != side, distance, len(forecasts)).min(axis=1)
    return np.where(side == 0, 0, nearest).astype(np.int64)
