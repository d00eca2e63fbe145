"""The mathematics of aggregation with adversaries: numbers and arrays in, numbers and arrays out."""

from bribeproof.theory.general.bounds import (
    RegretBounds,
    distance,
    naive_aggregator,
    regret_bounds,
    regularity,
    sensitivity,
    worst_regret,
)
from bribeproof.theory.general.exact import GeneralSolution, exact_minimax
from bribeproof.theory.general.families import Family, conditionally_independent, fully_informative_and_uninformed
from bribeproof.theory.minimax.minimax import minimax
from bribeproof.theory.minimax.optimal import optimal_aggregator
from bribeproof.theory.minimax.solution import Solution
from bribeproof.theory.model.certificate import Certificate, CertificateRecheck
from bribeproof.theory.model.experts import Expert, ExpertInterval, Panel
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.losses import CostWeighted, Log, Loss, Squared, cost, expert_risk, get_loss
from bribeproof.theory.multistate.linear_program import dictator_worst_loss, multistate_minimax
from bribeproof.theory.multistate.model import MultiExpert, dictator_guarantee, dictator_shares
from bribeproof.theory.multistate.solution import MultistateSolution
from bribeproof.theory.multistate.weighted import error_inflation, error_inflation_of_weights, inflate_errors
from bribeproof.theory.rules.aggregators import (
    Aggregator,
)
from bribeproof.theory.rules.breakdown import breakdown_point, max_adversaries
from bribeproof.theory.rules.closed_form import closed_form, loss_bound
from bribeproof.theory.rules.misspecified_k import misspecified_k_guarantee
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.rules.random_dictator import RandomDictator
from bribeproof.theory.worst_case.intervals import (
    WorstCases,
)
from bribeproof.theory.worst_case.single_expert import Recheck, Scenario, WorstCase
from bribeproof.theory.worst_case.worst_case import worst_case

__all__ = [
    "Aggregator",
    "Basis",
    "Certificate",
    "CertificateRecheck",
    "CostWeighted",
    "Expert",
    "ExpertInterval",
    "Family",
    "GeneralSolution",
    "Guarantee",
    "Log",
    "Loss",
    "MultiExpert",
    "MultistateSolution",
    "Panel",
    "PiecewiseLinear",
    "RandomDictator",
    "Recheck",
    "RegretBounds",
    "Scenario",
    "Solution",
    "Squared",
    "WorstCase",
    "WorstCases",
    "breakdown_point",
    "closed_form",
    "conditionally_independent",
    "cost",
    "dictator_guarantee",
    "dictator_shares",
    "dictator_worst_loss",
    "distance",
    "error_inflation",
    "error_inflation_of_weights",
    "exact_minimax",
    "expert_risk",
    "fully_informative_and_uninformed",
    "get_loss",
    "inflate_errors",
    "loss_bound",
    "max_adversaries",
    "minimax",
    "misspecified_k_guarantee",
    "multistate_minimax",
    "naive_aggregator",
    "optimal_aggregator",
    "regret_bounds",
    "regularity",
    "sensitivity",
    "worst_case",
    "worst_regret",
]
