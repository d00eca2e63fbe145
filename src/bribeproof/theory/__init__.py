"""Mathematics of aggregation with adversaries: optimal rules, guarantees, worst cases and certificates.

Numbers and arrays in, numbers and arrays out; definitions and proofs are in docs/theory.md. The names, by subject:

* the setting: `Panel`, `Expert`, `ExpertInterval`, `MultiExpert`; losses `Loss`, `CostWeighted`, `Squared`, `Log`,
  `get_loss`, `cost`; `expert_risk`, the loss of somebody who hears one reporter;
* rules and what they guarantee: `closed_form`, `optimal_aggregator`, `Aggregator`, `PiecewiseLinear`,
  `RandomDictator`, `Guarantee` and its `Basis`, `ItemsGuarantee`, `loss_bound`, `misspecified_k_guarantee`;
  `items_guarantee`; `breakdown_point`, `max_adversaries`; what a guarantee is worth: `worth_of`, `Worth`,
  `prior_alone`; `error_inflation`, `error_inflation_of_weights`, `inflate_errors` for weighted reports;
* the exact worst case of any rule: `worst_case`, `WorstCase`, `WorstCases`, `Scenario`, `WorstCaseRecheck`;
* the least worst-case regret: `minimax`, `Solution`; `Certificate` and `CertificateRecheck`, of all exact solvers;
* errors that go together less than they could: `pairwise_minimax`, `PairwiseSolution`; `pairwise_worst_loss`,
  `PairwiseWorstLoss`; `plurality_error`, `PluralityError` for m classes; `effective_reporters`, `most_adversaries`;
  `independent_rule`, a what-if;
* labels of m classes: `dictator_shares`, `dictator_guarantee`, `dictator_worst_loss`, `multistate_minimax`,
  `MultistateSolution`;
* one list of bribed reporters for a whole table: `Ballots`, `Bribes`; `worst_list`, `WorstList`, `WorstListRecheck`;
  `cheapest_list`, `CheapestList`, `CheapestListRecheck`;
* finite families of information structures over any reports: `Family`, `conditionally_independent`,
  `fully_informative_and_uninformed`, `distance`, `sensitivity`, `regularity`, `regret_bounds`, `RegretBounds`,
  `naive_aggregator`, `worst_regret`, `exact_minimax`, `GeneralSolution`.
"""

from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.cheapest_list import CheapestList, cheapest_list
from bribeproof.theory.bribery.recheck import CheapestListRecheck, WorstListRecheck
from bribeproof.theory.bribery.worst_list import WorstList, worst_list
from bribeproof.theory.general.bounds import (
    RegretBounds,
    distance,
    naive_aggregator,
    regret_bounds,
    regularity,
    sensitivity,
)
from bribeproof.theory.general.convex_program import exact_minimax
from bribeproof.theory.general.families import Family, conditionally_independent, fully_informative_and_uninformed
from bribeproof.theory.general.solution import GeneralSolution
from bribeproof.theory.general.worst_regret import worst_regret
from bribeproof.theory.minimax.items_guarantee import ItemsGuarantee, items_guarantee
from bribeproof.theory.minimax.minimax import minimax
from bribeproof.theory.minimax.optimal import optimal_aggregator
from bribeproof.theory.minimax.solution import Solution
from bribeproof.theory.model.certificate import Certificate, CertificateRecheck
from bribeproof.theory.model.error_inflation import error_inflation, error_inflation_of_weights, inflate_errors
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, MultiExpert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared, cost, expert_risk, get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.multistate.linear_program import multistate_minimax
from bribeproof.theory.multistate.random_dictator import dictator_guarantee, dictator_shares
from bribeproof.theory.multistate.solution import MultistateSolution
from bribeproof.theory.multistate.worst_loss import dictator_worst_loss
from bribeproof.theory.pairwise.effective_reporters import effective_reporters, most_adversaries
from bribeproof.theory.pairwise.independent import independent_rule
from bribeproof.theory.pairwise.pairwise_minimax import pairwise_minimax
from bribeproof.theory.pairwise.plurality import PluralityError, plurality_error
from bribeproof.theory.pairwise.solution import PairwiseSolution
from bribeproof.theory.pairwise.worst_loss import PairwiseWorstLoss, pairwise_worst_loss
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.rules.breakdown import breakdown_point, max_adversaries
from bribeproof.theory.rules.closed_form import closed_form, loss_bound
from bribeproof.theory.rules.misspecified_k import misspecified_k_guarantee
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.rules.random_dictator import RandomDictator
from bribeproof.theory.rules.worth import Worth, prior_alone, worth_of
from bribeproof.theory.worst_case.result import WorstCase, WorstCaseRecheck, WorstCases
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.worst_case import worst_case

__all__ = [
    "Aggregator",
    "Ballots",
    "Basis",
    "Bribes",
    "Certificate",
    "CertificateRecheck",
    "CheapestList",
    "CheapestListRecheck",
    "CostWeighted",
    "Expert",
    "ExpertInterval",
    "Family",
    "GeneralSolution",
    "Guarantee",
    "ItemsGuarantee",
    "Log",
    "Loss",
    "MultiExpert",
    "MultistateSolution",
    "PairwiseSolution",
    "PairwiseWorstLoss",
    "Panel",
    "PiecewiseLinear",
    "PluralityError",
    "RandomDictator",
    "RegretBounds",
    "Scenario",
    "Solution",
    "Squared",
    "WorstCase",
    "WorstCaseRecheck",
    "WorstCases",
    "WorstList",
    "WorstListRecheck",
    "Worth",
    "breakdown_point",
    "cheapest_list",
    "closed_form",
    "conditionally_independent",
    "cost",
    "dictator_guarantee",
    "dictator_shares",
    "dictator_worst_loss",
    "distance",
    "effective_reporters",
    "error_inflation",
    "error_inflation_of_weights",
    "exact_minimax",
    "expert_risk",
    "fully_informative_and_uninformed",
    "get_loss",
    "independent_rule",
    "inflate_errors",
    "items_guarantee",
    "loss_bound",
    "max_adversaries",
    "minimax",
    "misspecified_k_guarantee",
    "most_adversaries",
    "multistate_minimax",
    "naive_aggregator",
    "optimal_aggregator",
    "pairwise_minimax",
    "pairwise_worst_loss",
    "plurality_error",
    "prior_alone",
    "regret_bounds",
    "regularity",
    "sensitivity",
    "worst_case",
    "worst_list",
    "worst_regret",
    "worth_of",
]
