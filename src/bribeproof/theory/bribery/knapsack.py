"""Bounds of what can be bought for an amount of money."""

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray


def most_affordable(prices: IntArray, money: int) -> int:
    """Return how many of some things can be bought at most.

    Examples
    --------
    >>> most_affordable(np.array([4, 1, 2]), 3)
    2
    """
    return int(np.searchsorted(np.cumsum(np.sort(prices)), money, side="right"))


def knapsack_bounds(credit: FloatArray, prices: IntArray, left: BoolArray, money: int) -> tuple[IntArray, IntArray]:
    """Return what is left by credit for its price, and from each one on a bound of the credit that money can buy.

    Parameters
    ----------
    credit : array of shape (groups,)
        Whole numbers.
    prices : int array of shape (groups,)
        At most `money` each, where they are left.
    left : bool array of shape (groups,)
        What can be bought.
    money : int
        The most that is spent.

    Notes
    -----
    The last thing is bought in part, as in the relaxation of the knapsack problem; all prices are divided by their
    common factor first, so that nothing is where they are equal. Rounded up.

    Examples
    --------
    >>> order, bounds = knapsack_bounds(np.array([6.0, 5.0, 4.0]), np.array([1, 2, 1]), np.full(3, True), 2)
    >>> order.tolist(), bounds.tolist()
    ([0, 2, 1], [10, 8, 5])
    """
    order = np.flatnonzero(left)
    if not len(order):
        return order, order
    factor = max(1, int(np.gcd.reduce(prices[order])))
    order = order[np.argsort(-credit[order] / np.maximum(prices[order], 0.5), kind="stable")]
    price, worth = prices[order] // factor, credit[order].astype(np.int64)
    money //= factor
    spent, sums = (np.concatenate([[0], np.cumsum(each)]) for each in (price, worth))
    whole = np.searchsorted(spent, spent[:-1] + money, side="right") - 1
    bounds = sums[whole] - sums[:-1]
    partly = whole < len(order)
    which = whole[partly]
    share = (money - (spent[which] - spent[:-1][partly])) / np.maximum(price[which], 1)
    bounds[partly] += np.ceil(worth[which] * share * (1 + 2.0**-40)).astype(np.int64) + (share > 0)
    return order, np.maximum.accumulate(bounds[::-1])[::-1]
