"""Compute the numbers behind the figures of the paper, with worst regrets from the exact solvers."""

from dataclasses import dataclass

import numpy as np

from bribeproof.paper.claims.instances import CrowdInstance
from bribeproof.paper.claims.no_adversaries import PRINTED_FORECASTS
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
"""The truthful reporter of the first figure of the paper."""
EXPERTS = (Expert(0.5, 0.6, 0.4), Expert(0.5, 0.7, 0.3), Expert(0.5, 0.9, 0.4), EXPERT)
"""Truthful reporters from hardly to highly informative."""
COUNTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100)
"""Panel sizes, about evenly spaced on a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class RuleCurve:
    """A rule, to be plotted against the number of H reports.

    Parameters
    ----------
    rule : Aggregator
        The rule, with its name.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : str
        Loss of the forecasts.
    regret : float
        Exact worst regret of the rule.
    """

    rule: Aggregator
    panel: Panel
    expert: Expert
    loss: str
    regret: float


@dataclass(frozen=True, slots=True)
class SizeCurve:
    """Least worst regret against the size of the panel, without adversaries, under the squared loss.

    Parameters
    ----------
    expert : Expert
        One truthful reporter.
    counts : tuple of int
        Panel sizes n.
    regrets : tuple of float
        Least worst regret at each size.
    regular : tuple of bool
        Whether 1 ≤ n·b and n·a ≤ n − 1 at each size.
    limit : float
        Limit of the regrets: the Bayes risk of a single reporter.
    """

    expert: Expert
    counts: tuple[int, ...]
    regrets: tuple[float, ...]
    regular: tuple[bool, ...]
    limit: float


@dataclass(frozen=True, slots=True)
class ShareCurve:
    """Worst regret of one kind of rule against the number of adversaries, under the squared loss.

    Parameters
    ----------
    name : str
        Name of the rule.
    regrets : tuple of float
        Exact worst regret with 0, 1, … adversaries.
    tolerated : int or None
        Largest number of adversaries up to which it beats the prior alone; None if it never does.
    """

    name: str
    regrets: tuple[float, ...]
    tolerated: int | None


@dataclass(frozen=True, slots=True)
class ShareCurves:
    """Rules for one panel, with each number of adversaries that leaves a truthful majority.

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
        Bayes risk of the prior alone, without any report.
    breakdown : float
        Breakdown point: the share from which on no rule beats the prior alone.
    """

    n: int
    expert: Expert
    shares: tuple[float, ...]
    curves: tuple[ShareCurve, ...]
    prior_risk: float
    breakdown: float


def aggregator_curves() -> tuple[RuleCurve, ...]:
    """Compute the optimal rules with and without adversaries, for the first figure of the paper.

    Returns
    -------
    tuple of RuleCurve
        For `EXPERT` and n = 10, with k = 0 or k = 2. For the squared loss without adversaries there are two: an
        optimal one, and the one that the paper prints.

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
        _rule_curve(mean(honest), honest, "absolute"),
        _rule_curve(trimmed_mean(bribed), bribed, "absolute"),
        _rule_curve(_straight(tuple(best[[0, 1, -2, -1]]), "optimal"), honest, "squared"),
        _rule_curve(_straight(PRINTED_FORECASTS, "as printed"), honest, "squared"),
        _rule_curve(Aggregator(optimum, "optimal"), bribed, "squared"),
    )


def size_curve(expert: Expert, counts: tuple[int, ...] = COUNTS) -> SizeCurve:
    """Compute the least worst regret against the size of the panel, for the second figure of the paper.

    Parameters
    ----------
    expert : Expert
        One truthful reporter.
    counts : tuple of int, default COUNTS
        Panel sizes, each at least 1.

    Returns
    -------
    SizeCurve
        The regrets without adversaries under the squared loss, and their limit.

    Raises
    ------
    ParameterError
        A size that is not a positive integer.

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
    """Compute the worst regrets of rules against the share of adversaries, under the squared loss.

    Parameters
    ----------
    n : int, default 20
        Size of the panel.
    expert : Expert, default EXPERT
        One truthful reporter.

    Returns
    -------
    ShareCurves
        The optimal rule and the trimmed mean, which use k, and the mean and the majority, which do not.

    Raises
    ------
    ParameterError
        `n` is not a positive integer.

    Notes
    -----
    docs/theory.md, Proposition 2.7.

    Examples
    --------
    >>> result = share_curves(n=5)
    >>> result.shares, result.prior_risk, round(result.breakdown, 6)
    ((0.0, 0.2, 0.4), 0.25, 0.411765)
    >>> for curve in result.curves:
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


def _rule_curve(rule: Aggregator, panel: Panel, loss: str) -> RuleCurve:
    """Return a rule with its exact worst regret."""
    return RuleCurve(rule, panel, EXPERT, loss, worst_case(rule, panel, EXPERT, loss).regret)


def _straight(forecasts: tuple[float, ...], name: str) -> Aggregator:
    """Return a rule for n = 10 from its forecasts at 0, 1, n − 1 and n, interpolated linearly."""
    return Aggregator(np.interp(np.arange(11), (0, 1, 9, 10), forecasts), name)


def _tolerated(regrets: tuple[float, ...], prior_risk: float) -> int | None:
    """Return the largest k up to which all regrets are below the risk of the prior; None if there is none."""
    beaten = [regret < prior_risk - 1e-9 for regret in regrets]
    return (beaten.index(False) if False in beaten else len(beaten)) - 1 if beaten[0] else None
