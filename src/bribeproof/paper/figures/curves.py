"""The numbers behind the figures, each worst regret from the exact solvers."""

from dataclasses import dataclass

import numpy as np

from bribeproof.paper.claims.instances import CrowdInstance
from bribeproof.rules import majority, mean, trimmed_mean
from bribeproof.theory import (
    Aggregator,
    Expert,
    Panel,
    breakdown_point,
    expert_risk,
    minimax,
    optimal_aggregator,
    worst_case,
)

EXPERT = Expert(prior=0.5, tpr=0.8, fpr=0.1)
"""The truthful reporter of the paper's first figure."""
EXPERTS = (Expert(0.5, 0.6, 0.4), Expert(0.5, 0.7, 0.3), Expert(0.5, 0.9, 0.4), EXPERT)
"""Truthful reporters from hardly to highly informative."""
COUNTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100)
"""Panel sizes, about evenly spaced on a logarithmic scale."""
PRINTED = (0.11814544, 0.235294117647059, 0.80154768, 0.96776412)
"""Forecasts that the paper draws for 0, 1, n − 1 and n reports of H, k = 0 and squared loss, at n = 10."""


@dataclass(frozen=True, slots=True)
class RuleCurve:
    """One rule, to be drawn over the number of H reports.

    Parameters
    ----------
    rule : Aggregator
        Its forecasts and its name.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : str
        Loss that it is judged by.
    regret : float
        Its exact worst regret.
    """

    rule: Aggregator
    panel: Panel
    expert: Expert
    loss: str
    regret: float


@dataclass(frozen=True, slots=True)
class SizeCurve:
    """Least worst regret over the size of the panel, without adversaries, squared loss.

    Parameters
    ----------
    expert : Expert
        One truthful reporter.
    counts : tuple of int
        Panel sizes n.
    regrets : tuple of float
        Least worst regret at each of them.
    regular : tuple of bool
        Whether 1 ≤ n·b and n·a ≤ n − 1 there.
    limit : float
        What the regrets tend to: the Bayes risk of a single reporter.
    """

    expert: Expert
    counts: tuple[int, ...]
    regrets: tuple[float, ...]
    regular: tuple[bool, ...]
    limit: float


@dataclass(frozen=True, slots=True)
class ShareCurve:
    """Worst regret of one kind of rule over the number of adversaries, squared loss.

    Parameters
    ----------
    name : str
        Name of the rule.
    regrets : tuple of float
        Exact worst regret with 0, 1, … adversaries.
    tolerated : int or None
        Largest number of adversaries up to which it beats the prior alone; None where it never does.
    """

    name: str
    regrets: tuple[float, ...]
    tolerated: int | None


@dataclass(frozen=True, slots=True)
class ShareCurves:
    """Rules of one panel against each number of adversaries that leaves a truthful majority.

    Parameters
    ----------
    n : int
        Size of the panel.
    expert : Expert
        One truthful reporter.
    shares : tuple of float
        Shares k/n of adversaries, for k = 0, 1, …
    curves : tuple of ShareCurve
        One for each rule.
    prior_risk : float
        Bayes risk of the prior alone: what a forecast loses that heeds no report.
    breakdown : float
        Breakdown point: from this share on no rule beats the prior alone.
    """

    n: int
    expert: Expert
    shares: tuple[float, ...]
    curves: tuple[ShareCurve, ...]
    prior_risk: float
    breakdown: float


def aggregator_curves() -> tuple[RuleCurve, ...]:
    """Optimal rules with and without adversaries: the paper's first figure.

    Returns
    -------
    tuple of RuleCurve
        For `EXPERT` and n = 10, with k = 0 or k = 2. Without adversaries the squared loss has two: one that is
        optimal and the one that the paper prints.

    Notes
    -----
    docs/theory.md §2 and §3. Without adversaries the rule drawn for the squared loss is an optimal one that is straight
    between 1 and n − 1; that it is optimal was checked with the exact solver, not proven.

    Examples
    --------
    >>> for curve in aggregator_curves():
    ...     print(curve.panel.k, curve.loss, curve.rule.name, f"{curve.regret:.6f}")
    0 absolute mean 0.150000
    2 absolute trimmed mean 0.200000
    0 squared optimal 0.106659
    0 squared as printed 0.107276
    2 squared optimal 0.158371
    """
    honest, bribed = Panel(10), Panel(10, 2)
    best = minimax(honest, EXPERT).aggregator.values
    optimum = optimal_aggregator(bribed, EXPERT).values
    return (
        _judged(mean(honest), honest, "absolute"),
        _judged(trimmed_mean(bribed), bribed, "absolute"),
        _judged(_straight(tuple(best[[0, 1, -2, -1]]), "optimal"), honest, "squared"),
        _judged(_straight(PRINTED, "as printed"), honest, "squared"),
        _judged(Aggregator(optimum, "optimal"), bribed, "squared"),
    )


def size_curve(expert: Expert, counts: tuple[int, ...] = COUNTS) -> SizeCurve:
    """Least worst regret over the size of the panel, without adversaries: the paper's second figure.

    Parameters
    ----------
    expert : Expert
        One truthful reporter.
    counts : tuple of int, default COUNTS
        Panel sizes, each at least 1.

    Returns
    -------
    SizeCurve
        The regrets under the squared loss, and their limit.

    Raises
    ------
    ParameterError
        A size that is no positive integer.

    Notes
    -----
    docs/theory.md §3.

    Examples
    --------
    >>> curve = size_curve(EXPERT, (5, 10, 20))
    >>> [round(regret, 6) for regret in curve.regrets], round(curve.limit, 6)
    ([0.078801, 0.106659, 0.115085], 0.126263)
    >>> curve.regular
    (False, True, True)
    """
    return SizeCurve(
        expert=expert,
        counts=counts,
        regrets=tuple(minimax(Panel(n), expert).upper for n in counts),
        regular=tuple(CrowdInstance(n, 0, expert.prior, expert.tpr, expert.fpr).inner for n in counts),
        limit=expert_risk(expert),
    )


def share_curves(n: int = 20, expert: Expert = EXPERT) -> ShareCurves:
    """Worst regret over the share of adversaries, squared loss.

    Parameters
    ----------
    n : int, default 20
        Size of the panel.
    expert : Expert, default EXPERT
        One truthful reporter.

    Returns
    -------
    ShareCurves
        The optimal rule and the trimmed mean, which know k, and the mean and the majority, which do not.

    Raises
    ------
    ParameterError
        `n` is no positive integer.

    Notes
    -----
    docs/theory.md, Proposition 2.7.

    Examples
    --------
    >>> found = share_curves(n=5)
    >>> found.shares, found.prior_risk, round(found.breakdown, 6)
    ((0.0, 0.2, 0.4), 0.25, 0.411765)
    >>> for curve in found.curves:
    ...     print(f"{curve.name:14}", " ".join(f"{regret:.4f}" for regret in curve.regrets), curve.tolerated)
    optimal        0.0788 0.1584 0.2473 2
    trimmed mean 0.1200 0.2000 0.4500 1
    mean           0.1200 0.1600 0.2680 1
    majority       0.2500 0.2667 0.4500 None
    """
    n = Panel(n).n
    panels = [Panel(n, k) for k in range((n - 1) // 2 + 1)]
    prior_risk = expert.prior * (1 - expert.prior)
    regrets = {"optimal": tuple(minimax(panel, expert).upper for panel in panels)} | {
        rule.__name__.replace("_", " "): tuple(worst_case(rule(panel), panel, expert).regret for panel in panels)
        for rule in (trimmed_mean, mean, majority)
    }
    return ShareCurves(
        n=n,
        expert=expert,
        shares=tuple(panel.share for panel in panels),
        curves=tuple(ShareCurve(name, worst, _tolerated(worst, prior_risk)) for name, worst in regrets.items()),
        prior_risk=prior_risk,
        breakdown=breakdown_point(expert),
    )


def _judged(rule: Aggregator, panel: Panel, loss: str) -> RuleCurve:
    """Rule with its exact worst regret."""
    return RuleCurve(rule, panel, EXPERT, loss, worst_case(rule, panel, EXPERT, loss).regret)


def _straight(forecasts: tuple[float, ...], name: str) -> Aggregator:
    """Rule for n = 10 from its forecasts at 0, 1, n − 1 and n, straight in between."""
    return Aggregator(np.interp(np.arange(11), (0, 1, 9, 10), forecasts), name)


def _tolerated(regrets: tuple[float, ...], prior_risk: float) -> int | None:
    """Largest k up to which all regrets stay below that of the prior; None where there is none."""
    beaten = [regret < prior_risk - 1e-9 for regret in regrets]
    return (beaten.index(False) if False in beaten else len(beaten)) - 1 if beaten[0] else None
