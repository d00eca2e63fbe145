"""The mathematics of aggregation with adversaries: numbers and arrays in, numbers and arrays out."""

from bribeproof.theory.aggregators import (
    Aggregator,
    clipped_linear,
    constant,
    majority,
    mean,
    median,
    truncated_mean,
)
from bribeproof.theory.breakdown import breakdown_point, max_adversaries
from bribeproof.theory.dictator import RandomDictator, random_dictator
from bribeproof.theory.experts import Expert, ExpertInterval, Panel
from bribeproof.theory.guarantees import Basis, Guarantee
from bribeproof.theory.losses import CostWeighted, Log, Loss, Squared, cost, expert_risk, get_loss
from bribeproof.theory.multistate import MultiExpert, dictator_guarantee, dictator_shares
from bribeproof.theory.optimal import loss_bound, optimal_aggregator
from bribeproof.theory.worst_case import Recheck, Scenario, WorstCase, worst_case
from bribeproof.theory.wrong_k import wrong_k_guarantee

__all__ = [
    "Aggregator",
    "Basis",
    "CostWeighted",
    "Expert",
    "ExpertInterval",
    "Guarantee",
    "Log",
    "Loss",
    "MultiExpert",
    "Panel",
    "RandomDictator",
    "Recheck",
    "Scenario",
    "Squared",
    "WorstCase",
    "breakdown_point",
    "clipped_linear",
    "constant",
    "cost",
    "dictator_guarantee",
    "dictator_shares",
    "expert_risk",
    "get_loss",
    "loss_bound",
    "majority",
    "max_adversaries",
    "mean",
    "median",
    "optimal_aggregator",
    "random_dictator",
    "truncated_mean",
    "worst_case",
    "wrong_k_guarantee",
]
