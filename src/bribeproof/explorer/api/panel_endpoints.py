"""Endpoints of the JSON API on panels and rules: each takes a request and returns JSON."""

import math
from dataclasses import asdict
from typing import Any

from bribeproof.explorer.api.panel_requests import DesignRequest, MinimaxRequest, PanelRequest, WorstCaseRequest
from bribeproof.explorer.api.responses import to_json
from bribeproof.rules import majority, mean, median, trimmed_mean
from bribeproof.theory import Aggregator, optimal_aggregator
from bribeproof.theory import minimax as solve
from bribeproof.theory import worst_case as find_worst_case
from bribeproof.theory.minimax.panel_summary import describe_panel

_RULES = {"trimmed_mean": trimmed_mean, "mean": mean, "median": median, "majority": majority}


def panel(request: PanelRequest) -> bytes:
    """Return the optimal rule of a panel and its guarantee."""
    return to_json(describe_panel(request.n, request.k, request.expert, request.chosen_loss))


def worst_case(request: WorstCaseRequest) -> bytes:
    """Return the worst case of a rule."""
    solution = find_worst_case(_rule(request), request.panel, request.expert, request.chosen_loss)
    worst = {"regret": solution.regret, "expected_loss": solution.expected_loss, "largest_loss": solution.largest_loss}
    return to_json(
        {
            **_design(request),
            "rule": solution.rule.name,
            "values": solution.rule.values.tolist(),
            "benchmark": solution.benchmark,
            **{name: value if math.isfinite(value) else None for name, value in worst.items()},
            "unbounded": not all(map(math.isfinite, worst.values())),
            "given_1": asdict(solution.given_1),
            "given_0": asdict(solution.given_0),
        }
    )


def minimax(request: MinimaxRequest) -> bytes:
    """Return the rule with the least worst regret."""
    solution = solve(request.panel, request.expert, request.chosen_loss, tol=request.tol)
    return to_json(
        {
            **_design(request),
            "tol": solution.tol,
            "lower": solution.lower,
            "upper": solution.upper,
            "gap": solution.gap,
            "converged": solution.converged,
            "iterations": solution.iterations,
            "largest_loss": solution.largest_loss,
            "counts": solution.aggregator.counts.tolist(),
            "values": solution.aggregator.values.tolist(),
            "mixture": [asdict(part) for part in solution.mixture],
        }
    )


def _rule(request: WorstCaseRequest) -> Aggregator | list[float]:
    """Return the rule that a request names."""
    if not isinstance(request.rule, str):
        return request.rule
    if request.rule == "optimal":
        return optimal_aggregator(request.panel, request.expert, request.chosen_loss)
    return _RULES[request.rule](request.panel)


def _design(request: DesignRequest) -> dict[str, Any]:
    """Return the panel, the expert and the loss of a request."""
    return {"n": request.n, "k": request.k, "expert": asdict(request.expert), "loss": request.chosen_loss.name}
