"""What a panel is worth before anybody has voted, as plain data for whoever shows it."""

from dataclasses import asdict
from typing import Any

from bribeproof.theory.minimax.optimal import optimal_aggregator
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.breakdown import breakdown_point, max_adversaries
from bribeproof.theory.rules.piecewise import PiecewiseLinear

_SWEEP = 20
"""A sweep shows at most so many k."""


def describe_panel(n: int, k: int, expert: Expert, loss: Loss | str = "squared") -> dict[str, Any]:
    """Return the optimal rule of a panel, its guarantee, and what other numbers of adversaries leave of it.

    Parameters
    ----------
    n, k : int
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    dict
        ``n``, ``expert``, ``loss``; ``k``, ``effective_expert``, ``low``, ``high`` (the rule's two ends) and
        ``guarantee``; the rule's knots ``counts`` and its n + 1 ``values``; ``breakdown_point`` and
        ``max_adversaries``; and ``sweep``, the same for up to 20 values of k. It is as JSON has it.

    Raises
    ------
    ParameterError
        If a parameter is outside its range.

    Notes
    -----
    theory.md §2.

    Examples
    --------
    >>> found = describe_panel(4, 1, Expert(prior=0.5, tpr=0.75, fpr=0.25))
    >>> found["values"], found["guarantee"]["regret"], [row["k"] for row in found["sweep"]]
    ([0.375, 0.375, 0.5, 0.625, 0.625], 0.234375, [0, 1])
    """

    def summary(seats: Panel, rule: PiecewiseLinear) -> dict[str, Any]:
        return {
            "k": seats.k,
            "effective_expert": asdict(seats.effective(expert)),
            "low": rule(0),
            "high": rule(n),
            "guarantee": None if rule.guarantee is None else asdict(rule.guarantee),
        }

    seats = Panel(n, k)
    rule = optimal_aggregator(seats, expert, loss)
    counts = (n + 1) // 2
    panels = [Panel(n, other) for other in range(0, counts, -(-counts // _SWEEP))]
    sweep = [summary(other, rule if other == seats else optimal_aggregator(other, expert, loss)) for other in panels]
    return {
        "n": n,
        "expert": asdict(expert),
        "loss": get_loss(loss).name,
        **summary(seats, rule),
        "counts": rule.counts.tolist(),
        "values": rule.values.tolist(),
        "breakdown_point": breakdown_point(expert, loss),
        "max_adversaries": max_adversaries(n, expert, loss),
        "sweep": sweep,
    }
