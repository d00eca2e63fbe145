"""Forecasts and flips where some models vote for no class."""

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.learn.votes import ROUNDING
from bribeproof.theory import PiecewiseLinear


def forecasts_by_counts(rule: PiecewiseLinear, k: int, blank: float) -> FloatArray:
    """Return the forecasts where some models vote for no class.

    Parameters
    ----------
    rule : PiecewiseLinear
        The rule for n votes, nondecreasing.
    k : int
        How many models may be corrupted.
    blank : float
        The forecast where at most k models vote for a class: all of them may be corrupted.

    Returns
    -------
    array of shape (n + 1, n + 1)
        Forecasts for so many positive (rows) and negative votes (columns); NaN for more than n votes.

    Notes
    -----
    docs/theory.md, Corollary 15.2 and Proposition 15.4: between the ends of the rule, by the share of positive votes
    among those left without k of either kind; of 2k votes or fewer, with every vote for no class as half a vote for
    each. Never beyond what the rule says if all votes for no class were negative, or all positive.

    Examples
    --------
    >>> forecasts_by_counts(PiecewiseLinear(3, [1, 2], [0.0, 1.0]), 1, 0.5).tolist()[0]
    [0.5, 0.5, 0.0, 0.0]
    """
    n = rule.n
    positive, negative = np.indices((n + 1, n + 1))
    votes = positive + negative
    few = votes <= 2 * k
    kept = np.where(few, n - 2 * k, votes - 2 * k)
    share = (positive + np.where(few, (n - votes) / 2, 0) - k) / np.maximum(kept, 1)
    low, high = rule(0), rule(n)
    forecast = low + (high - low) * np.clip(share, 0, 1)
    forecast[votes <= k] = blank
    forecast = np.clip(forecast, rule.values[positive], rule.values[n - negative])
    forecast[votes > n] = np.nan
    return np.where(np.abs(forecast - 0.5) < ROUNDING, 0.5, forecast)


def flips_among(forecasts: FloatArray, k: int, positive: IntArray, negative: IntArray) -> IntArray:
    """Return the fewest models whose changed votes take a decision away, where some models vote for no class.

    Parameters
    ----------
    forecasts : array of shape (n + 1, n + 1)
        As `forecasts_by_counts` returns them.
    k : int
        At most so many votes decide nothing.
    positive, negative : int arrays of shape (n_samples,)
        The votes of each sample.

    Returns
    -------
    ndarray of int64
        0 for a forecast of one half and for at most k votes; n + 1 where all forecasts are on the same side.

    Examples
    --------
    >>> table = forecasts_by_counts(PiecewiseLinear(5, [1, 4], [0.0, 1.0]), 1, 0.5)
    >>> flips_among(table, 1, np.array([0, 5, 2, 3]), np.array([0, 0, 0, 1])).tolist()
    [0, 3, 1, 1]
    """
    n = len(forecasts) - 1
    rows, columns = np.nonzero(~np.isnan(forecasts))
    side = np.sign(forecasts - 0.5)
    if np.unique(side[rows, columns]).size > 1:
        side[np.add(*np.indices(forecasts.shape)) <= k] = 0
    pairs, which = np.unique(np.stack([positive, negative], axis=1), axis=0, return_inverse=True)
    fewest = []
    for one, two in pairs.tolist():
        added = np.stack([rows - one, columns - two, one + two - rows - columns])
        changed = np.maximum(added, 0).sum(axis=0)
        fewest.append(np.where(side[rows, columns] != side[one, two], changed, n + 1).min() if side[one, two] else 0)
    return np.array(fewest, dtype=np.int64)[which.reshape(-1)]
