"""Confidence bounds of a probability and of a mean, valid for any number of observations."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, logsumexp

from bribeproof._typing import FloatArray
from bribeproof._validation import probability, whole_numbers
from bribeproof.errors import ParameterError

# Factors on the best bet for a mean of 1/2; larger bets suit higher means and less spread.
_BETS = 2.0 ** np.arange(5)
_BISECTIONS = 60
_MOST_STATEMENTS = 10**300


def clopper_pearson(successes: ArrayLike, trials: ArrayLike, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the Clopper–Pearson bounds of a probability.

    Parameters
    ----------
    successes, trials : array of int
        Number of successes in how many independent trials; 0 trials give the bounds 0 and 1.
    confidence : float, default 0.95
        Least probability in (0, 1) that both bounds hold.

    Returns
    -------
    tuple of two arrays
        Lower and upper bounds, in [0, 1]; each fails with probability at most (1 − confidence)/2.

    Raises
    ------
    ParameterError
        Counts that are not whole numbers, more successes than trials, or a confidence outside (0, 1).

    Notes
    -----
    docs/theory.md, Proposition 6.3; C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits
    illustrated in the case of the binomial*, Biometrika 26, 1934.

    Examples
    --------
    >>> low, high = clopper_pearson([3, 0], [3, 0])
    >>> low.round(4), high
    (array([0.2924, 0.    ]), array([1., 1.]))
    """
    happened, tried = np.broadcast_arrays(whole_numbers("successes", successes), whole_numbers("trials", trials))
    if (happened > tried).any():
        raise ParameterError(f"successes = {happened[happened > tried][0]} are more than the trials; swap the two")
    tail = risk_of(confidence) / 2
    low = _least_probability(happened, tried, tail)
    failed = tried - happened
    high = np.where(failed > 0, betaincinv(happened + 1, np.maximum(failed, 1), 1 - tail), 1.0)
    return low, high


def least_probability(successes: int, trials: int, confidence: float = 0.95, *, statements: int = 1) -> float:
    """Return the one-sided Clopper–Pearson lower bound of a probability.

    Parameters
    ----------
    successes, trials : int
        Number of successes in how many independent trials; 0 trials give 0.
    confidence : float, default 0.95
        Least probability in (0, 1) that the bound holds.
    statements : int, default 1
        Number of bounds of different probabilities, each from at least so many successes, that hold at once with this
        confidence: each has this part of the risk.

    Raises
    ------
    ParameterError
        Counts that are no counts, more successes than trials, or a confidence outside (0, 1).

    Notes
    -----
    docs/theory.md, Proposition 6.3, with all of the risk on one side.

    Examples
    --------
    >>> round(least_probability(3, 3), 4)  # 0.05 ** (1 / 3)
    0.3684
    """
    happened, tried = whole_numbers("successes", successes), whole_numbers("trials", trials)
    if happened > tried:
        raise ParameterError(f"successes = {successes} are more than the trials; swap the two")
    # of more statements than there are floats each has no risk at all, and the bound 0
    each = risk_of(confidence) / statements if statements < _MOST_STATEMENTS else 0.0
    return float(_least_probability(happened, tried, each))


def _least_probability(happened: NDArray[np.int64], tried: NDArray[np.int64], tail: float) -> FloatArray:
    """Return the probabilities at which so many successes or more are as unlikely as `tail`."""
    return np.where(happened > 0, betaincinv(np.maximum(happened, 1), tried - happened + 1, tail), 0.0)


def mean_lower_bound(histogram: ArrayLike, values: ArrayLike, risk: float, planned: int | None = None) -> float:
    """Return a lower confidence bound of the mean of a quantity in [0, 1] from independent observations.

    Parameters
    ----------
    histogram : array of int
        Number of observations of each value.
    values : array of float of the same length
        The values, in [0, 1].
    risk : float
        Largest probability in (0, 1) with which the bound may exceed the mean.
    planned : int, optional
        Number of observations that the bets are chosen for; by default the number of those that there are, which then
        must not depend on their values.

    Returns
    -------
    float
        The bound, in [0, 1]; 0 without observations.

    Raises
    ------
    ParameterError
        Values outside [0, 1], counts that are not whole numbers, or a risk outside (0, 1).

    Notes
    -----
    The betting bound of docs/theory.md, Proposition 6.4: the wealth of somebody who bets on the observations at odds
    that are fair if the mean is m exceeds 1/risk with probability at most the risk, so each m for which it does is
    rejected. The bets are a few c that depend on the planned number of observations and the risk alone. The bound is
    close where the observations vary little, needs only their independence, and does not depend on their order. Cf.
    I. Waudby-Smith and A. Ramdas, *Estimating means of bounded random variables by betting*, Journal of the Royal
    Statistical Society, Series B 86, 2024.

    Examples
    --------
    >>> round(mean_lower_bound([0, 0, 100], [0, 0.5, 1], risk=0.05), 4)
    0.9645
    >>> round(mean_lower_bound([0, 100, 0], [0, 0.5, 1], risk=0.05), 4)
    0.4823
    """
    counts, amounts = whole_numbers("histogram", histogram), np.asarray(values, dtype=np.float64)
    if counts.shape != amounts.shape or not ((amounts >= 0) & (amounts <= 1)).all():
        raise ParameterError("give one value in [0, 1] for each count of the histogram")
    if not 0 < probability("risk", risk) < 1:
        raise ParameterError(f"risk = {risk} is not between 0 and 1; give a number such as 0.05")
    total = int(counts.sum())
    mean = float(counts @ amounts) / total if total else 0.0
    seen, amounts = counts[counts > 0], amounts[counts > 0]
    low, high = 0.0, mean
    bets = bets_for(total if planned is None else planned, risk)
    for _ in range(_BISECTIONS if mean > 0 else 0):
        guess = (low + high) / 2
        low, high = (guess, high) if _log_wealth(seen, amounts, guess, bets) >= -math.log(risk) else (low, guess)
    return low


def bets_for(planned: int, risk: float) -> FloatArray:
    """Return the bets of `mean_lower_bound` for a number of observations and a risk, shares of the wealth up to 1."""
    return np.unique(np.minimum(1.0, _BETS * math.sqrt(-2 * math.log(risk) / max(1, planned))))


def risk_of(confidence: float) -> float:
    """Return 1 minus a confidence in (0, 1).

    Examples
    --------
    >>> round(risk_of(0.95), 12)
    0.05
    """
    if not 0 < probability("confidence", confidence) < 1:
        raise ParameterError(f"confidence = {confidence} is not between 0 and 1; give a number such as 0.95")
    return 1 - confidence


def _log_wealth(counts: NDArray[np.int64], values: FloatArray, mean: float, bets: FloatArray) -> float:
    """Return the log of the mean wealth, starting from 1, of the bets against a mean."""
    with np.errstate(divide="ignore"):
        gains = np.log1p(bets[:, None] * (values / mean - 1)) @ counts
    return float(logsumexp(gains)) - math.log(len(bets))
