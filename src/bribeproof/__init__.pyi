from . import jury, learn, plots, rules, theory
from .aggregation.aggregate import aggregate
from .aggregation.api import aggregate_labels, aggregate_scores, aggregate_votes
from .aggregation.commit import commitment
from .aggregation.label_studio import label_studio_predictions
from .aggregation.sweep import sweep
from .arrays.api import flips_needed, manipulation_range, trimmed_mean, vote_counts
from .arrays.ranking import safe_ranking
from .attacks.corrupt import corrupt
from .attacks.study import attack
from .auditing.audit import audit
from .calibration.calibrate import calibrate
from .certification.certify import certify
from .contests.dispatch import cheapest_bribe, worst_bribe
from .errors import (
    BribeproofError,
    BribeproofWarning,
    ColumnError,
    DataError,
    FileError,
    ForkError,
    MissingPackageError,
    ParameterError,
    ParameterTypeError,
)
from .frames.out_of_core import scan_table
from .frames.reading.api import recognise
from .frames.reading.reading import Reading
from .io.read import read_table
from .io.write import write_table
from .questions import QuestionError
from .rankings.compare_rules import compare_rules
from .rankings.preflib import read_preflib
from .rankings.rank import rank
from .reporting.report import report
from .theory import Expert, ExpertInterval, MultiExpert, Panel
from .weighting.weigh import weigh

__version__: str
__all__ = [
    "BribeproofError",
    "BribeproofWarning",
    "ColumnError",
    "DataError",
    "Expert",
    "ExpertInterval",
    "FileError",
    "ForkError",
    "MissingPackageError",
    "MultiExpert",
    "Panel",
    "ParameterError",
    "ParameterTypeError",
    "QuestionError",
    "Reading",
    "aggregate",
    "aggregate_labels",
    "aggregate_scores",
    "aggregate_votes",
    "attack",
    "audit",
    "calibrate",
    "certify",
    "cheapest_bribe",
    "commitment",
    "compare_rules",
    "corrupt",
    "flips_needed",
    "jury",
    "label_studio_predictions",
    "learn",
    "manipulation_range",
    "plots",
    "rank",
    "read_preflib",
    "read_table",
    "recognise",
    "report",
    "rules",
    "safe_ranking",
    "scan_table",
    "sweep",
    "theory",
    "trimmed_mean",
    "vote_counts",
    "weigh",
    "worst_bribe",
    "write_table",
]
