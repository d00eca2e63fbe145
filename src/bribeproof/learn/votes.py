"""Counts, rates and flips computed from the votes of several models."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import check_unmasked
from bribeproof.errors import ParameterError
from bribeproof.theory import Basis, ExpertInterval, Guarantee, MultiExpert, Panel, PiecewiseLinear
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound, risk_of

ROUNDING = 1e-12
"""A forecast this close to one half is a tie: the difference is rounding."""


def stack_votes(votes: list[Any]) -> NDArray[Any]:
    """Stack the votes of models as columns, without turning the numbers of one model into the text of another.

    Parameters
    ----------
    votes : list of array-likes of shape (n_samples,)
        The votes of each model. A masked vote is an abstention: None, which is no class.

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
    arrays = [vote.astype(object).filled(None) if np.ma.is_masked(vote) else np.asarray(vote) for vote in votes]
    same_kind = len({array.dtype.kind for array in arrays}) == 1
    return np.column_stack(arrays if same_kind else [array.astype(object) for array in arrays])


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
    check_unmasked("sample_weight", weight)
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


def bound_dictator_loss(
    panel: Panel, right: BoolArray, truth: IntArray, confidence: float, plugin: MultiExpert, *, alone: bool
) -> Guarantee:
    """Bound the loss of the random dictator, or of the likeliest class alone, with a confidence.

    Parameters
    ----------
    panel : Panel
        Number of models, and how many of them may be corrupted.
    right : bool array of shape (n_samples, n_models)
        Whether each model votes for the true class.
    truth : int array of shape (n_samples,)
        The position of the true class of each sample.
    confidence : float
        Least probability in (0, 1) that the bound holds.
    plugin : MultiExpert
        The observed shares and rates, whose likeliest class is meant.
    alone : bool
        Whether the likeliest class alone is answered, whatever the votes.

    Returns
    -------
    Guarantee
        Bound on one minus the forecast of the true class.

    Notes
    -----
    docs/theory.md §6 and Theorem 8.1: exact bounds of the share of each class, and in each class the better of the two
    bounds of Propositions 6.2 and 6.5; half of the risk goes to either kind.

    Examples
    --------
    >>> sure = MultiExpert((0.5, 0.25, 0.25), (1.0, 1.0, 1.0))
    >>> truth = np.repeat([0, 0, 1, 2], 100)
    >>> bound = bound_dictator_loss(Panel(5, 1), np.ones((400, 5), bool), truth, 0.95, sure, alone=False)
    >>> round(bound.expected_loss, 3)
    0.065
    """
    m, risk = plugin.states, risk_of(confidence) / 2
    samples = np.bincount(truth, minlength=m)
    least, most = clopper_pearson(samples, samples.sum(), 1 - risk / m)
    if alone:
        loss = 1 - float(least[int(np.argmax(plugin.prior))])
        return Guarantee(loss, loss, exact=False, basis=Basis.PRIOR_ALONE)
    shares = np.maximum(0, np.arange(panel.n + 1) - panel.k) / panel.truthful
    accuracy = np.zeros(m)
    for one in range(m):
        of_class = right[truth == one]
        # Half of what is left for a class goes to the bounds of single models, half to that of all together.
        single, _ = clopper_pearson(of_class.sum(axis=0), len(of_class), 1 - risk / (m * panel.n))
        together = np.bincount(of_class.sum(axis=1), minlength=panel.n + 1)
        lowest = np.sort(single)[: panel.truthful].mean()
        accuracy[one] = max(float(lowest), mean_lower_bound(together, shares, risk / (2 * m)))
    effective = np.clip((panel.truthful * accuracy - panel.k) / (panel.n - 2 * panel.k), 0, 1)
    # The worst shares within their bounds: as much as possible of the classes that are told worst.
    prior, left = least.copy(), 1 - least.sum()
    for one in np.argsort(effective):
        added = min(most[one] - least[one], left)
        prior[one], left = prior[one] + added, left - added
    loss = 1 - float(prior @ effective)
    return Guarantee(loss, loss, exact=False, basis=Basis.EFFECTIVE_EXPERT)


def forecasts_by_count(rule: PiecewiseLinear) -> FloatArray:
    """Return the forecasts for 0 … n votes, with ties at exactly one half.

    Examples
    --------
    >>> forecasts_by_count(PiecewiseLinear(2, [0, 2], [0.2, 0.8]))
    array([0.2, 0.5, 0.8])
    """
    return np.where(np.abs(rule.values - 0.5) < ROUNDING, 0.5, rule.values)


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
