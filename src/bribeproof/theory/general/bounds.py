"""Bounds of the minimax regret of a finite family, from the sensitivity of its benchmark."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._text import format_number
from bribeproof._typing import FloatArray
from bribeproof._validation import whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.general.benchmark import bayes_act, benchmark_losses
from bribeproof.theory.general.families import Family
from bribeproof.theory.model.histograms import histograms, reachable
from bribeproof.theory.model.loss import Loss


class RegretBounds(NamedTuple):
    """Lower and upper bound of a minimax regret."""

    lower: float
    upper: float

    def summary(self) -> str:
        """Return the bounds as a sentence.

        Examples
        --------
        >>> RegretBounds(0.0625, 0.25).summary()
        'No rule has a worst-case regret below 0.0625, and some rule has at most 0.25.'
        """
        lower, upper = format_number(self.lower), format_number(self.upper)
        return f"No rule has a worst-case regret below {lower}, and some rule has at most {upper}."


def distance(first: ArrayLike, second: ArrayLike) -> int:
    """Return the least number of adversaries who can make two histograms of truthful reports look alike.

    Parameters
    ----------
    first, second : integer arrays of shape (r,)
        Histograms with the same total.

    Returns
    -------
    int
        Half the sum of the absolute differences.

    Raises
    ------
    ParameterError
        Histograms of different shape or total, or with entries that are not integers of at least 0.

    Notes
    -----
    docs/theory.md, Lemma 9.2.

    Examples
    --------
    >>> distance([3, 0, 1], [1, 2, 1])
    2
    """
    one, two = whole_numbers("first histogram", first), whole_numbers("second histogram", second)
    if one.ndim != 1 or one.shape != two.shape or one.sum() != two.sum():
        raise ParameterError(f"histograms {first!r} and {second!r} differ in length or total; give one of each size")
    return int(np.abs(one - two).sum()) // 2


def sensitivity(family: Family, k: int, loss: Loss | str = "squared") -> float:
    """Return how far k reports can change the forecast of the benchmark.

    Parameters
    ----------
    family : Family
        The information structures.
    k : int
        Number of adversaries, at least 0.
    loss : "squared" or "absolute"
        Loss of the benchmark.

    Returns
    -------
    float
        S, the largest difference between the benchmark's forecasts of one state over any two structures and any two
        possible histograms at a distance of at most k.

    Raises
    ------
    ParameterError
        An invalid k or another loss.

    Notes
    -----
    docs/theory.md §9.

    Examples
    --------
    >>> from bribeproof.theory.general.families import conditionally_independent
    >>> one_reporter = conditionally_independent(truthful=1, accuracies=(0.75,))
    >>> sensitivity(one_reporter, k=0), sensitivity(one_reporter, k=1)
    (0.0, 0.5)
    """
    low, high = _forecasts_behind(family, k, loss)
    return float((high - low).max(where=high >= low, initial=0))


def naive_aggregator(family: Family, k: int) -> FloatArray:
    """Return the rule between the least and the largest benchmark forecast that can be behind a histogram.

    Parameters
    ----------
    family : Family
        The information structures.
    k : int
        Number of adversaries, at least 0.

    Returns
    -------
    ndarray of shape (C(n + r - 1, r - 1), m)
        Forecast at each row of `histograms(N + k, r)`: with two states the midpoint, with more the point on the segment
        between the two that sums to 1; uniform at histograms that cannot occur.

    Raises
    ------
    ParameterError
        An invalid k.

    Notes
    -----
    docs/theory.md §9.

    Examples
    --------
    >>> from bribeproof.theory.general.families import conditionally_independent
    >>> naive_aggregator(conditionally_independent(truthful=1, accuracies=(0.75,)), k=1).tolist()
    [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25]]
    """
    low, high = _forecasts_behind(family, k, "squared")
    occurs = (high >= low).all(axis=1, keepdims=True)
    low, high = np.where(occurs, low, 0), np.where(occurs, high, 1)
    width = (high - low).sum(axis=1, keepdims=True)
    share = np.divide(1 - low.sum(axis=1, keepdims=True), width, where=width > 0, out=np.zeros(width.shape))
    rule = low + np.clip(share, 0, 1) * (high - low)
    return np.asarray(rule / rule.sum(axis=1, keepdims=True), dtype=np.float64)


def regularity(family: Family) -> float:
    """Return the smallest positive probability α of a truthful histogram in any structure.

    Parameters
    ----------
    family : Family
        The information structures.

    Returns
    -------
    float
        In (0, 1].

    Notes
    -----
    docs/theory.md §9.

    Examples
    --------
    >>> from bribeproof.theory.general.families import conditionally_independent
    >>> regularity(conditionally_independent(truthful=1, accuracies=(0.75,)))
    0.5
    """
    totals = family.laws.sum(axis=1)
    return float(totals.min(where=totals > 0, initial=1))


def regret_bounds(family: Family, k: int) -> RegretBounds:
    """Return bounds of the minimax regret under squared loss with two states, from the benchmark alone.

    Parameters
    ----------
    family : Family
        Information structures with two states.
    k : int
        Number of adversaries, at least 0.

    Returns
    -------
    RegretBounds
        αS²/4, and the smaller of 1/4 and S²/4 + 2SB, where B is the largest benchmark loss of a structure. The
        constant 1/2 attains at most the former of these two, and the naive rule at most the latter.

    Raises
    ------
    ParameterError
        More than two states, where both bounds can fail, or an invalid k.

    Notes
    -----
    docs/theory.md, Theorem 9.3. With more than two states both bounds can fail, as examples there show.

    Examples
    --------
    >>> either_sure = Family([[[0, 1], [0, 0]], [[0, 0], [1, 0]]], reports=2, truthful=1)
    >>> regret_bounds(either_sure, k=1)
    RegretBounds(lower=0.25, upper=0.25)
    """
    if family.states != 2:
        raise ParameterError(f"Family has {family.states} states; the bounds hold only for 2 states: use exact_minimax")
    change = sensitivity(family, k)
    benchmark = float(benchmark_losses(family, "squared").max())
    return RegretBounds(regularity(family) * change**2 / 4, min(0.25, change**2 / 4 + 2 * change * benchmark))


def _forecasts_behind(family: Family, k: int, loss: Loss | str) -> tuple[FloatArray, FloatArray]:
    """Return the least and largest benchmark forecast behind each histogram seen; +∞ and −∞ where it cannot occur."""
    reach = reachable(family.truthful, family.reports, k)
    law = np.moveaxis(family.laws, 1, 2)
    act, possible = bayes_act(law, loss), law.sum(axis=2, keepdims=True) > 0
    low = np.full((len(histograms(family.truthful + k, family.reports)), family.states), np.inf)
    high = -low
    np.minimum.at(low, reach, np.where(possible, act, np.inf).min(axis=0)[:, None, :])
    np.maximum.at(high, reach, np.where(possible, act, -np.inf).max(axis=0)[:, None, :])
    return low, high
