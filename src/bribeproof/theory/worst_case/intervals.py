"""Priors and rates that are known only in part: where intervals come from, and the exact worst case over them."""

import heapq
import math
from collections.abc import Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError
from bribeproof.theory._validation import probability
from bribeproof.theory.model.experts import Expert, ExpertInterval, Panel
from bribeproof.theory.model.losses import Loss, get_loss
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.adversary import Table
from bribeproof.theory.worst_case.worst_case import WorstCase, worst_case

# A bound that exceeds the record by less than this share is taken for equal to it.
_ROUNDING = 1e-12


class WorstCases(NamedTuple):
    """Worst cases of a rule over all experts of an interval; each holds the expert that attains it.

    Parameters
    ----------
    by_regret : WorstCase
        The expert with the largest `regret`.
    by_loss : WorstCase
        The expert with the largest `largest_loss`.
    """

    by_regret: WorstCase
    by_loss: WorstCase


def interval_of_reporters(
    panel: Panel, prior: tuple[float, float], tprs: Iterable[float], fprs: Iterable[float]
) -> ExpertInterval:
    """Interval of the average truthful reporter where each reporter has rates of its own.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries. Which of the reporters are adversarial need not be known.
    prior : tuple of float
        Lowest and highest possible Pr[state = 1].
    tprs, fprs : n floats each
        Lowest possible true-positive rate and highest possible false-positive rate of each reporter, if it is
        truthful.

    Returns
    -------
    ExpertInterval
        The mean of the N = n − k lowest of `tprs` and that of the N highest of `fprs`: any N truthful reporters
        are no worse on average.

    Raises
    ------
    ParameterError
        Something else than n probabilities, or an interval that is none.

    Notes
    -----
    theory.md §6. Rates that adversaries have feigned do no harm: the N worst of all reporters are no better than
    any N truthful ones. Where fewer than k are adversarial, any N of the truthful ones count as the truthful, and
    the others as adversaries who happen to tell the truth.

    Examples
    --------
    >>> interval_of_reporters(Panel(n=3, k=1), (0.5, 0.5), tprs=[1, 0.75, 0.5], fprs=[0, 0.25, 0.25])
    ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.25)
    """
    lowest = sorted(_one_each("tprs", tprs, panel))[: panel.truthful]
    highest = sorted(_one_each("fprs", fprs, panel))[panel.k :]
    return ExpertInterval(prior, math.fsum(lowest) / panel.truthful, math.fsum(highest) / panel.truthful)


def interval_of_panel_means(panel: Panel, prior: tuple[float, float], tpr: float, fpr: float) -> ExpertInterval:
    """Interval of the average truthful reporter where only averages of the whole panel are known.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    prior : tuple of float
        Lowest and highest possible Pr[state = 1].
    tpr, fpr : float
        Lowest possible mean true-positive rate and highest possible mean false-positive rate of all n reporters.
        The adversaries may have feigned theirs.

    Returns
    -------
    ExpertInterval
        The rates max(0, (n·tpr − k)/N) and min(1, n·fpr/N) with N = n − k: whichever N reporters are truthful,
        the k others have at most k of the n·tpr and at least 0 of the n·fpr.

    Raises
    ------
    ParameterError
        A rate that is no probability, or an interval that is none.

    Notes
    -----
    theory.md §6. Where the single rates are known as well as their means, `interval_of_reporters` is at least as
    sharp.

    Examples
    --------
    >>> interval_of_panel_means(Panel(n=3, k=1), (0.5, 0.5), tpr=0.75, fpr=0.25)
    ExpertInterval(prior=(0.5, 0.5), tpr=0.625, fpr=0.375)
    """
    total_tpr, total_fpr = (panel.n * probability(f"panel {name}", rate) for name, rate in (("tpr", tpr), ("fpr", fpr)))
    return ExpertInterval(prior, max(0.0, (total_tpr - panel.k) / panel.truthful), min(1.0, total_fpr / panel.truthful))


def worst_case_over(
    rule: Aggregator | ArrayLike, panel: Panel, known: ExpertInterval, loss: Loss | str = "squared"
) -> WorstCases:
    """Exact worst case of any rule, over all priors and rates of an interval as well.

    Parameters
    ----------
    rule : Aggregator or array of shape (n + 1,)
        The rule, or its forecasts for 0, 1, …, n reports of H, each in [0, 1]. It need not be monotone.
    panel : Panel
        Reporters and adversaries.
    known : ExpertInterval
        What is known of a truthful reporter. All experts that agree with it count, so tpr ≥ fpr, also where
        the bounds themselves cross.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    WorstCases
        The largest regret and the largest expected loss, exact to a relative 1e-12.

    Raises
    ------
    ParameterError
        Forecasts that are not n + 1 numbers in [0, 1], something else than an interval, or an unknown loss.

    Notes
    -----
    theory.md §5. Finitely many experts are enough: those with a prior at an end of its interval and with rates
    that are bounds or whole multiples of 1/N.

    1. For given distributions of the truthful count the expected loss is linear in the prior and the benchmark
       loss concave. So the regret is convex in the prior, and largest at an end.
    2. For a given prior the regret is convex in the pair of distributions (theory.md §1), so it is largest at a
       vertex of the polytope of all pairs with N·tpr ≤ mean₁, mean₀ ≤ N·fpr and mean₀ ≤ mean₁. A vertex has at
       most two points more than it keeps of these three constraints with equality. Where a mean is not N·tpr
       or N·fpr, then, its distribution is a single point, or its mean equals that of the other, which is one.
       So each mean is N·tpr, N·fpr or a whole number.
    3. Both hold for the expected loss too.

    The experts are tried in the order of their largest expected losses, which bound the regrets, until no
    bound exceeds the best regret.

    `loss_bound` and the guarantee of `optimal_aggregator` also cover averages of reporters with tpr < fpr. It
    makes no difference to an optimal rule: where the bounds cross it is constant.

    Examples
    --------
    >>> from bribeproof.theory.minimax.optimal import optimal_aggregator
    >>> panel, known = Panel(n=4, k=1), ExpertInterval(prior=(0.2, 0.5), tpr=0.75, fpr=0.25)
    >>> rule = optimal_aggregator(panel, known, "squared")
    >>> worst = worst_case_over(rule, panel, known, "squared")
    >>> worst.by_loss.largest_loss, rule.guarantee.expected_loss
    (0.234375, 0.234375)
    >>> worst.by_loss.expert
    Expert(prior=0.5, tpr=0.75, fpr=0.25)
    """
    if not isinstance(known, ExpertInterval):
        raise ParameterError(f"known = {known!r} is no ExpertInterval; give one, or ask worst_case for a single expert")
    loss = get_loss(loss)
    corner = Expert(known.prior[1], known.tpr, min(known.tpr, known.fpr))
    by_regret = by_loss = worst_case(rule, panel, corner, loss)
    for bound, expert in _by_largest_loss(by_regret.rule, panel, known, loss):
        if bound <= by_regret.regret * (1 + _ROUNDING):
            break
        found = worst_case(rule, panel, expert, loss)
        by_regret = max(by_regret, found, key=attrgetter("regret"))
        by_loss = max(by_loss, found, key=attrgetter("largest_loss"))
    return WorstCases(by_regret, by_loss)


def _one_each(name: str, rates: Iterable[float], panel: Panel) -> list[float]:
    """Return the rates as floats; ParameterError where they are not a probability for each reporter."""
    try:
        values = list(rates)
    except TypeError as error:
        raise ParameterError(f"{name} = {rates!r} is no list; give one rate for each reporter") from error
    if len(values) != panel.n:
        raise ParameterError(
            f"{name} holds {len(values)} rates for a panel of n = {panel.n}; give one for each reporter"
        )
    return [probability(f"{name}[{place}]", value) for place, value in enumerate(values)]


def _by_largest_loss(
    rule: Aggregator, panel: Panel, known: ExpertInterval, loss: Loss
) -> Iterator[tuple[float, Expert]]:
    """Yield the experts that are enough with their largest expected losses, in descending order of these."""
    rates = np.unique([known.tpr, known.fpr, *np.arange(panel.truthful + 1) / panel.truthful])
    tprs, fprs = rates[rates >= known.tpr], rates[rates <= known.fpr]
    ones, zeros = (
        sorted(zip(_largest_losses(rule, panel, side, loss, state), side.tolist(), strict=True), reverse=True)
        for state, side in ((1, tprs), (0, fprs))
    )

    def with_tpr(prior: float, loss_1: float, tpr: float) -> Iterator[tuple[float, Expert]]:
        for loss_0, fpr in zeros:
            if fpr <= tpr:
                yield _weighted(prior, loss_1) + _weighted(1 - prior, loss_0), Expert(prior, tpr, fpr)

    rows = (with_tpr(prior, *one) for prior in {*known.prior} for one in ones)
    return heapq.merge(*rows, key=itemgetter(0), reverse=True)


def _largest_losses(rule: Aggregator, panel: Panel, rates: FloatArray, loss: Loss, state: int) -> FloatArray:
    """Largest expected loss given a state at each of these rates: the upper concave envelope of the worst losses."""
    counts, losses = Table(rule.values).worst_losses(panel, 0.0, lambda forecasts: loss.value(forecasts, state))
    if np.isinf(losses).any():
        return np.where(rates == 0, losses[0], np.where(rates == 1, losses[-1], np.inf))
    hull: list[int] = []
    for right in counts:
        while len(hull) > 1 and _is_below(losses, hull[-2], hull[-1], right):
            hull.pop()
        hull.append(int(right))
    return np.interp(panel.truthful * rates, hull, losses[hull])


def _is_below(losses: FloatArray, left: int, middle: int, right: int) -> bool:
    """Whether the middle point is on or under the chord of the other two."""
    chord = losses[right] - losses[left]
    return bool((losses[middle] - losses[left]) * (right - left) <= chord * (middle - left))


def _weighted(weight: float, loss: float) -> float:
    """Weight times loss, where a weight of 0 silences even an infinite loss."""
    return weight * loss if weight > 0 else 0.0
