"""Votes, labels and scores combined so that up to k bribed reporters cannot buy the answer.

Every name is loaded on its first use, so that the import costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bribeproof.data.arrays import (
        SafeRanking,
        flips_needed,
        manipulation_range,
        safe_ranking,
        trimmed_mean,
        vote_counts,
    )
    from bribeproof.data.attack_study import AttackCurves, attack
    from bribeproof.data.attacks import corrupt
    from bribeproof.data.audit import Audit, audit
    from bribeproof.data.calibration import Calibration, calibrate
    from bribeproof.data.engines import ticket
    from bribeproof.data.export import write_table
    from bribeproof.data.files import Table, read_table
    from bribeproof.data.large_files import scan_table
    from bribeproof.data.sweep import Sweep, sweep
    from bribeproof.data.tables import aggregate_labels, aggregate_scores, aggregate_votes
    from bribeproof.data.weigh import Weighed, weigh
    from bribeproof.errors import (
        BribeproofError,
        BribeproofWarning,
        DataError,
        FileError,
        MissingPackageError,
        ParameterError,
    )
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

__version__ = "0.1.0"

_HOMES = {
    "AttackCurves": "data.attack_study",
    "Audit": "data.audit",
    "Calibration": "data.calibration",
    "SafeRanking": "data.arrays",
    "Sweep": "data.sweep",
    "Table": "data.files",
    "Weighed": "data.weigh",
    "aggregate_labels": "data.tables",
    "aggregate_scores": "data.tables",
    "aggregate_votes": "data.tables",
    "attack": "data.attack_study",
    "audit": "data.audit",
    "calibrate": "data.calibration",
    "corrupt": "data.attacks",
    "flips_needed": "data.arrays",
    "manipulation_range": "data.arrays",
    "read_table": "data.files",
    "safe_ranking": "data.arrays",
    "scan_table": "data.large_files",
    "sweep": "data.sweep",
    "ticket": "data.engines",
    "trimmed_mean": "data.arrays",
    "vote_counts": "data.arrays",
    "weigh": "data.weigh",
    "write_table": "data.export",
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
