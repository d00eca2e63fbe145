"""Votes, labels and scores combined so that up to k bribed reporters cannot buy the answer.

Every name is loaded on its first use, so that the import costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bribeproof.aggregation.api import aggregate_labels, aggregate_scores, aggregate_votes
    from bribeproof.aggregation.sweep import Sweep, sweep
    from bribeproof.arrays.api import (
        SafeRanking,
        flips_needed,
        manipulation_range,
        safe_ranking,
        trimmed_mean,
        vote_counts,
    )
    from bribeproof.attacks.corrupt import corrupt
    from bribeproof.attacks.study import AttackCurves, attack
    from bribeproof.auditing.audit import Audit, audit
    from bribeproof.calibration.calibrate import Calibration, calibrate
    from bribeproof.errors import (
        BribeproofError,
        BribeproofWarning,
        DataError,
        FileError,
        MissingPackageError,
        ParameterError,
    )
    from bribeproof.frames.backends import ticket
    from bribeproof.frames.out_of_core import scan_table
    from bribeproof.io.read import Table, read_table
    from bribeproof.io.write import write_table
    from bribeproof.theory import (
        Aggregator,
        Basis,
        Expert,
        ExpertInterval,
        Guarantee,
        Loss,
        MultiExpert,
        Panel,
        PiecewiseLinear,
        Solution,
        WorstCase,
        WorstCases,
        breakdown_point,
        clipped_linear,
        closed_form,
        constant,
        cost,
        dictator_guarantee,
        dictator_shares,
        expert_risk,
        get_loss,
        interval_of_panel_means,
        interval_of_reporters,
        loss_bound,
        majority,
        max_adversaries,
        mean,
        median,
        minimax,
        optimal_aggregator,
        random_dictator,
        truncated_mean,
        worst_case,
        worst_case_over,
        wrong_k_guarantee,
    )
    from bribeproof.weighting.weigh import Weighed, weigh

__version__ = "0.1.0"

_HOMES = {
    "AttackCurves": "attacks.study",
    "Audit": "auditing.audit",
    "Calibration": "calibration.calibrate",
    "SafeRanking": "arrays.api",
    "Sweep": "aggregation.sweep",
    "Table": "io.read",
    "Weighed": "weighting.weigh",
    "aggregate_labels": "aggregation.api",
    "aggregate_scores": "aggregation.api",
    "aggregate_votes": "aggregation.api",
    "attack": "attacks.study",
    "audit": "auditing.audit",
    "calibrate": "calibration.calibrate",
    "corrupt": "attacks.corrupt",
    "flips_needed": "arrays.api",
    "manipulation_range": "arrays.api",
    "read_table": "io.read",
    "safe_ranking": "arrays.api",
    "scan_table": "frames.out_of_core",
    "sweep": "aggregation.sweep",
    "ticket": "frames.backends",
    "trimmed_mean": "arrays.api",
    "vote_counts": "arrays.api",
    "weigh": "weighting.weigh",
    "write_table": "io.write",
} | dict.fromkeys(
    ("BribeproofError", "BribeproofWarning", "DataError", "FileError", "MissingPackageError", "ParameterError"),
    "errors",
)
"""Where a name lives; those that are not here live in ``theory``."""


def __getattr__(name: str) -> Any:
    """Load the module that holds a name, on its first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"bribeproof.{_HOMES.get(name, 'theory')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)


__all__ = [
    "Aggregator",
    "AttackCurves",
    "Audit",
    "Basis",
    "BribeproofError",
    "BribeproofWarning",
    "Calibration",
    "DataError",
    "Expert",
    "ExpertInterval",
    "FileError",
    "Guarantee",
    "Loss",
    "MissingPackageError",
    "MultiExpert",
    "Panel",
    "ParameterError",
    "PiecewiseLinear",
    "SafeRanking",
    "Solution",
    "Sweep",
    "Table",
    "Weighed",
    "WorstCase",
    "WorstCases",
    "aggregate_labels",
    "aggregate_scores",
    "aggregate_votes",
    "attack",
    "audit",
    "breakdown_point",
    "calibrate",
    "clipped_linear",
    "closed_form",
    "constant",
    "corrupt",
    "cost",
    "dictator_guarantee",
    "dictator_shares",
    "expert_risk",
    "flips_needed",
    "get_loss",
    "interval_of_panel_means",
    "interval_of_reporters",
    "loss_bound",
    "majority",
    "manipulation_range",
    "max_adversaries",
    "mean",
    "median",
    "minimax",
    "optimal_aggregator",
    "random_dictator",
    "read_table",
    "safe_ranking",
    "scan_table",
    "sweep",
    "ticket",
    "trimmed_mean",
    "truncated_mean",
    "vote_counts",
    "weigh",
    "worst_case",
    "worst_case_over",
    "write_table",
    "wrong_k_guarantee",
]
