"""``bribeproof panel``: what a panel is worth, before anybody has voted."""

import json as jsonlib
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bribeproof.cli.options import Flag, Whole, parse_loss
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.theory import Expert, Loss

_SWEEP = 20
"""A sweep shows at most so many k."""
_MOST = 1_000_000
"""A rule has a value for each number of positive votes; a panel of more is described as well by its shares."""


def panel(
    *,
    n: Whole,
    k: Whole = 0,
    prior: float,
    tpr: float,
    fpr: float,
    loss: str = "squared",
    json: Flag = False,
) -> None:
    """Show the optimal rule of a panel, its guarantee, and how many bribes it survives.

    Parameters
    ----------
    n
        How many reporters sit on the panel.
    k
        How many of them may be bribed.
    prior
        Probability of a positive truth.
    tpr
        How often a truthful reporter says positive when it is.
    fpr
        How often a truthful reporter says positive when it is not.
    loss
        absolute, squared, log, or cost:FP,FN with the costs of the two kinds of error.
    json
        Print as JSON.
    """
    from bribeproof.theory import Expert

    found = describe(n, k, Expert(prior, tpr, fpr), parse_loss(loss))
    if json:
        sys.stdout.write(jsonlib.dumps(found, indent=2, allow_nan=False) + "\n")
        return
    from bribeproof.cli.render import show_panel

    show_panel(found)


def describe(n: int, k: int, expert: "Expert", loss: "str | Loss") -> dict[str, Any]:
    """Return everything that the command shows, as plain data."""
    from bribeproof.theory import (
        Panel,
        PiecewiseLinear,
        breakdown_point,
        get_loss,
        max_adversaries,
        optimal_aggregator,
    )

    if n > _MOST:
        raise ParameterError(f"--n {n}: at most {_MOST:,}; a larger panel differs from it by nothing that shows")

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
