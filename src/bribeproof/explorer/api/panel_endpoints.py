"""What the JSON API computes of panels and rules: a request in, its answer as JSON out."""

import math
from dataclasses import asdict
from typing import Any

from bribeproof.explorer.api.requests import MinimaxRequest, PanelRequest, WorstCaseRequest
from bribeproof.explorer.api.responses import to_json
from bribeproof.rules import majority, mean, median, trimmed_mean
from bribeproof.theory import Aggregator, optimal_aggregator
from bribeproof.theory import minimax as solve
from bribeproof.theory import worst_case as find_worst
from bribeproof.theory.minimax.panel_summary import describe_panel

_RULES = {"trimmed_mean": trimmed_mean, "mean": mean, "median": median, "majority": majority}


def panel(asked: PanelRequest) -> bytes:
    """Say what a panel is worth."""
    return to_json(describe_panel(asked.n, asked.k, asked.expert, asked.chosen_loss))


def worst_case(asked: WorstCaseRequest) -> bytes:
    """Find the worst case of a rule."""
    found = find_worst(_rule(asked), asked.seats, asked.expert, asked.chosen_loss)
    worst = {"regret": found.regret, "expected_loss": found.expected_loss, "largest_loss": found.largest_loss}
    return to_json(
        {
            **_design(asked),
            "rule": found.rule.name,
            "values": found.rule.values.tolist(),
            "benchmark": found.benchmark,
            **{name: value if math.isfinite(value) else None for name, value in worst.items()},
            "unbounded": not all(map(math.isfinite, worst.values())),
            "given_1": asdict(found.given_1),
            "given_0": asdict(found.given_0),
        }
    )


def minimax(asked: MinimaxRequest) -> bytes:
    """Find the rule with the least worst regret."""
    found = solve(asked.seats, asked.expert, asked.chosen_loss, tol=asked.tol)
    return to_json(
        {
            **_design(asked),
            "tol": found.tol,
            "lower": found.lower,
            "upper": found.upper,
            "gap": found.gap,
            "converged": found.converged,
            "iterations": found.iterations,
            "largest_loss": found.largest_loss,
            "counts": found.aggregator.counts.tolist(),
            "values": found.aggregator.values.tolist(),
            "mixture": [asdict(part) for part in found.mixture],
        }
    )


def _rule(asked: WorstCaseRequest) -> Aggregator | list[float]:
    """Return the rule that is meant."""
    if not isinstance(asked.rule, str):
        return asked.rule
    if asked.rule == "optimal":
        return optimal_aggregator(asked.seats, asked.expert, asked.chosen_loss)
    return _RULES[asked.rule](asked.seats)


def _design(asked: PanelRequest) -> dict[str, Any]:
    """Repeat what was asked."""
    return {"n": asked.n, "k": asked.k, "expert": asdict(asked.expert), "loss": asked.chosen_loss.name}
