from .attack_plot import attack
from .bribe_plot import bribe
from .bribes_needed_plot import bribes_needed
from .canvas import ENDINGS, svg, write, write_figure
from .certified_plot import certified_accuracy
from .contest_plot import contest
from .cost_plot import cost
from .guarantee_plot import guarantee
from .items_plot import items
from .marks import height
from .ranking_plot import ranking
from .reporters_plot import reporters
from .rule_plot import rule
from .sweep_plot import sweep
from .worst_case_plot import worst_case

__all__ = [
    "ENDINGS",
    "attack",
    "bribe",
    "bribes_needed",
    "certified_accuracy",
    "contest",
    "cost",
    "guarantee",
    "height",
    "items",
    "ranking",
    "reporters",
    "rule",
    "svg",
    "sweep",
    "worst_case",
    "write",
    "write_figure",
]
