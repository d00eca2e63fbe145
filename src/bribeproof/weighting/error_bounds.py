"""Bound how often the weighted rule errs on each item, from the error rates of the truthful reporters."""

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.theory import Panel, error_inflation
from bribeproof.weighting.bribed_weight import BribedWeight
from bribeproof.weighting.learn import ROUNDING, Ballots

_MOST_STEPS = 100
_HALVINGS = 40


def bound_errors(
    ballots: Ballots,
    weights: FloatArray,
    held: FloatArray,
    given: IntArray,
    bribes: BribedWeight,
    weight_spread: float | None,
    rates: FloatArray,
) -> FloatArray:
    """Return bounds of the rule's error rates in each state, shape (items, states); NaN if there is none.

    Parameters
    ----------
    ballots
        The reports.
    weights
        The weights of the reports.
    held
        The weight that is subtracted from each class, for each item.
    given
        How many reporters each item was given to; those who do not report are bribed.
    bribes
        Who can be bribed; groups only where weights have a limit, or each reporter has its own rates.
    weight_spread
        The limit of the weights, whoever chose them; None for weights that were known before the reports.
    rates
        Error rates in each state: of truthful reports on average, shape (states,); or of each reporter, shape (states,
        reporters).

    Notes
    -----
    docs/theory.md, Propositions 2.9 to 2.11 and 15.3.
    """
    certain = (held < 0.5 - ROUNDING) & (ballots.sizes > 0)
    if weight_spread is None and rates.ndim == 1:
        bounds = _from_mean_rates(ballots, weights, held, bribes.in_all, rates, certain)
    elif weight_spread is None:
        factors = np.divide(1 - held, 1 - 2 * held, out=np.full(ballots.items, np.nan), where=certain)
        bounds = factors * _worst_means(bribes, weights, rates, certain)
    else:
        factors = np.full(ballots.items, np.nan)
        panels, place = np.unique(np.column_stack([given, bribes.reports])[certain], axis=0, return_inverse=True)
        inflation = np.array([error_inflation(Panel(size, k), weight_spread) for size, k in panels.tolist()])
        factors[certain] = inflation[place.ravel()]
        equal = np.ones(len(weights))
        means = rates[:, None] if rates.ndim == 1 else _worst_means(bribes, equal, rates, certain)
        bounds = factors * means
    capped: FloatArray = np.minimum(bounds, 1.0).T
    return capped


def _from_mean_rates(
    ballots: Ballots, weights: FloatArray, held: FloatArray, k: int, rates: FloatArray, certain: BoolArray
) -> FloatArray:
    """Return, for items of each size, the largest mean bound that mean rates leave possible (Proposition 2.11).

    If j truthful reports on an item are wrong, the rule errs by at most the weight of the j heaviest reports after the
    first k, over 1 − 2 · held, and by at most 1. Nature puts the errors where they weigh most.
    """
    order = np.lexsort((-weights, ballots.item))
    item = ballots.item[order]
    counted = (ballots.rank(order) >= k) & certain[item]
    share = np.divide(1.0, 1 - 2 * held, out=np.zeros(ballots.items), where=certain)
    grown = np.cumsum(np.where(counted, weights[order] * share[item], 0.0))
    starts = (np.cumsum(ballots.sizes) - ballots.sizes)[item]
    before = np.concatenate([[0.0], grown])
    up_to, up_to_last = (np.minimum(values - before[starts], 1.0) for values in (grown, before[:-1]))
    steps = up_to - up_to_last
    bounds = np.full((len(rates), ballots.items), np.nan)
    for size in np.unique(ballots.sizes[certain]).tolist():
        chosen = certain & (ballots.sizes == size)
        number = int(chosen.sum())
        each = np.sort(steps[counted & chosen[item]])[::-1]
        total = np.concatenate([[0.0], np.cumsum(each)])
        bounds[:, chosen] = np.interp(rates * (size - k) * number, np.arange(len(total)), total)[:, None] / number
    return bounds


def _worst_means(bribes: BribedWeight, weights: FloatArray, rates: FloatArray, certain: BoolArray) -> FloatArray:
    """Return the largest weighted mean of the rates of all reporters of an item but the bribed, shape (states, items).

    Dinkelbach's method: the mean is largest if the sum of weight · (rate − mean) is, and the k least terms are left
    out. Of groups only the largest sum is known, not whose it is: the mean is found by halving, and rounded up.
    """
    ballots, k = bribes.ballots, bribes.in_all
    if bribes.groups is not None:
        return np.array([_halve(bribes, weights, rate[ballots.reporter], certain) for rate in rates])
    means = np.zeros((len(rates), ballots.items))
    for state, rate_of in enumerate(rates):
        rate, mean = rate_of[ballots.reporter], means[state]
        for _ in range(_MOST_STEPS):
            order = np.lexsort((weights * (rate - mean[ballots.item]), ballots.item))
            left = order[ballots.rank(order) >= k]
            total, errors = (ballots.total(values[left], left) for values in (weights, weights * rate))
            larger = np.divide(errors, total, out=np.ones(ballots.items), where=total > 0)
            grows = larger > mean + ROUNDING * ROUNDING
            mean[grows] = larger[grows]
            if not (grows & certain).any():
                break
        else:
            mean[grows] = 1.0
    return means


def _halve(bribes: BribedWeight, weights: FloatArray, rate: FloatArray, certain: BoolArray) -> FloatArray:
    """Return the largest weighted mean of the rates of reports without those of groups that can be bribed, rounded up.

    It is at most x if the sum of weight · (rate − x) over all reports is at most that over some groups.
    """
    ballots = bribes.ballots
    low, high = np.zeros(ballots.items), np.ones(ballots.items)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        beyond = weights * (rate - middle[ballots.item])
        enough = ballots.total(beyond) + bribes.heaviest(-beyond) <= 0
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(certain, high, 1.0)
