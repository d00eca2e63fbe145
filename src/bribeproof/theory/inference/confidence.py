"""What counts say about the rates behind them, with a confidence that needs no large numbers and no independence."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, logsumexp

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory._validation import probability, whole_numbers

# The best bet on a mean of one half, and on higher means or less spread up to sixteen times as much.
_BETS = 2.0 ** np.arange(5)
_HALVINGS = 60


def clopper_pearson(successes: ArrayLike, trials: ArrayLike, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Exact bounds of a probability from how often something happened.

    Parameters
    ----------
    successes, trials : array of int
        How often it happened, in how many independent trials; 0 trials say nothing.
    confidence : float, default 0.95
        Probability in (0, 1) that both bounds hold, at least.

    Returns
    -------
    tuple of two arrays
        Lower and upper bounds, in [0, 1]; each alone fails with a probability of at most (1 − confidence)/2.

    Raises
    ------
    ParameterError
        Counts that are no whole numbers, more successes than trials, or a confidence outside (0, 1).

    Notes
    -----
    theory.md §6; C. J. Clopper and E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case
    of the binomial*, 1934.

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
    low = np.where(happened > 0, betaincinv(np.maximum(happened, 1), tried - happened + 1, tail), 0.0)
    failed = tried - happened
    high = np.where(failed > 0, betaincinv(happened + 1, np.maximum(failed, 1), 1 - tail), 1.0)
    return low, high


def mean_lower_bound(histogram: ArrayLike, values: ArrayLike, risk: float) -> float:
    """Lower bound of the mean of a quantity between 0 and 1 from independent observations of it.

    Parameters
    ----------
    histogram : array of int
        How often each value was observed.
    values : array of float of the same length
        The values, in [0, 1].
    risk : float
        Probability in (0, 1) that the bound may fail with, at most.

    Returns
    -------
    float
        The bound, in [0, 1]; 0 without observations.

    Raises
    ------
    ParameterError
        Values outside [0, 1], counts that are no whole numbers, or a risk outside (0, 1).

    Notes
    -----
    If the mean were m, nobody could expect to gain by betting on the observations at fair odds: the product of
    1 + c·(y/m − 1) has the expectation 1 for every c in [0, 1], and so has the mean of such products over a few c
    that depend on the number of observations and the risk alone. It exceeds 1/risk with a probability of at most the
    risk (Markov), so each m for which it does is refused. The bound is narrow where the observations vary little, as
    those of a panel do, needs nothing but independence from one observation to the next, and does not depend on their
    order. Cf. I. Waudby-Smith and A. Ramdas, *Estimating means of bounded random variables by betting*, 2024.

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
        raise ParameterError(f"risk = {risk} would make any bound right or none; give a number such as 0.05")
    total = int(counts.sum())
    mean = float(counts @ amounts) / total if total else 0.0
    seen, amounts = counts[counts > 0], amounts[counts > 0]
    low, high = 0.0, mean
    bets = np.unique(np.minimum(1.0, _BETS * math.sqrt(-2 * math.log(risk) / max(1, total))))
    for _ in range(_HALVINGS if mean > 0 else 0):
        guess = (low + high) / 2
        low, high = (guess, high) if _gain(seen, amounts, guess, bets) >= -math.log(risk) else (low, guess)
    return low


def risk_of(confidence: float) -> float:
    """Return the probability of being wrong that a confidence leaves.

    Examples
    --------
    >>> round(risk_of(0.95), 12)
    0.05
    """
    if not 0 < probability("confidence", confidence) < 1:
        raise ParameterError(f"confidence = {confidence} promises all or nothing; give a number such as 0.95")
    return 1 - confidence


def _gain(counts: NDArray[np.int64], values: FloatArray, mean: float, bets: FloatArray) -> float:
    """Logarithm of what the bets against a mean have made of 1."""
    with np.errstate(divide="ignore"):
        gains = np.log1p(bets[:, None] * (values / mean - 1)) @ counts
    return float(logsumexp(gains)) - math.log(len(bets))
