"""Constructors of aggregation rules: functions of the number of positive reports on a panel.

Every constructor returns an `Aggregator`: call it with a count of positive reports, or an array of counts, to get a
forecast in [0, 1].
"""

from bribeproof.theory.minimax.optimal import optimal_aggregator
from bribeproof.theory.rules.aggregators import Aggregator, constant, majority, mean, median, trimmed_mean
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear, clipped_linear
from bribeproof.theory.rules.random_dictator import RandomDictator, random_dictator

__all__ = [
    "Aggregator",
    "PiecewiseLinear",
    "RandomDictator",
    "clipped_linear",
    "closed_form",
    "constant",
    "majority",
    "mean",
    "median",
    "optimal_aggregator",
    "random_dictator",
    "trimmed_mean",
]
