"""The least weighted mean of values of which some are left out."""

import numpy as np
from numpy.typing import ArrayLike


def least_weighted_mean(values: ArrayLike, weights: ArrayLike, left_out: int) -> float:
    """Return the least weighted mean of values of which so many are left out.

    Parameters
    ----------
    values, weights : array of float
        The values, and their weights of at least 0.
    left_out : int
        How many values to leave out, fewer than there are.

    Returns
    -------
    float
        The least mean; 0 if what is left may have no weight.

    Notes
    -----
    Dinkelbach's method: the mean is least if the sum of weight · (value − mean) is, and the largest terms are left out.

    Examples
    --------
    >>> least_weighted_mean([0.5, 0.75, 1], [2, 1, 1], left_out=1)
    0.5833333333333334
    """
    amounts, shares = np.asarray(values, np.float64), np.asarray(weights, np.float64)
    kept = len(amounts) - left_out
    if np.sort(shares)[:kept].sum() <= 0:
        return 0.0
    least = float(amounts.max())
    while True:
        chosen = np.argsort(shares * (amounts - least), kind="stable")[:kept]
        mean = float(shares[chosen] @ amounts[chosen] / shares[chosen].sum()) if shares[chosen].any() else least
        if mean >= least - 1e-15:
            return mean
        least = mean
