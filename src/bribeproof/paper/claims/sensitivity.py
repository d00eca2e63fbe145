"""Claims about the estimate of the regret from the sensitivity of the benchmark, for finite families."""

from itertools import combinations

import numpy as np

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import FamilyInstance, draw_laws, until
from bribeproof.theory import (
    exact_minimax,
    naive_aggregator,
    regret_bounds,
    regularity,
    sensitivity,
    worst_regret,
)
from bribeproof.theory.general.benchmark import benchmark_losses

_FEW = FamilyInstance(5, 1, 2, ((tuple(range(4, -1, -1)), tuple(range(5))),))
_UNIFORM = FamilyInstance(9, 1, 2, ((tuple(range(8, -1, -1)), tuple(range(9))),))
_FOUR_STATES = FamilyInstance(
    1, 0, 1, tuple(tuple((int(s in pair),) for s in range(4)) for pair in combinations(range(4), 2))
)
_THREE_STATES = FamilyInstance(1, 0, 1, (((323,), (76,), (68,)), ((323,), (68,), (76,))))


def _draw_three(rng: np.random.Generator) -> FamilyInstance:
    """Draw a family with three states."""
    return until(lambda again: draw_laws(again, most_states=3), lambda laws: len(laws.weights[0]) == 3)(rng)


def _estimate_upper(laws: FamilyInstance) -> ClaimResult:
    """Compare the least regret with the square of the sensitivity."""
    family, solution = laws.family, exact_minimax(laws.family, laws.k)
    square = sensitivity(family, laws.k) ** 2
    return ClaimResult(
        stated=max(solution.lower - square, 0.0),
        corrected=max(solution.lower - regret_bounds(family, laws.k).upper, 0.0),
        numbers={"S²": square, "least regret": solution.upper},
    )


ESTIMATE_UPPER = Claim(
    name="sensitivity-upper-bound",
    source="appendix F, theorem on the estimate of the regret",
    statement="With two states the least regret under the squared loss is at most S².",
    correction=(
        "Adversaries who know the state gain more: the least regret is at most min(1/4, S²/4 + 2SB) with the largest "
        "loss B of the benchmark. S²/4 holds where they do not know the state."
    ),
    test=_estimate_upper,
    draw=draw_laws,
    examples=(_FEW, _UNIFORM),
)


def _estimate_lower(laws: FamilyInstance) -> ClaimResult:
    """Compare the least regret with α/4 times the square of the sensitivity."""
    family, solution = laws.family, exact_minimax(laws.family, laws.k)
    bound = regularity(family) * sensitivity(family, laws.k) ** 2 / 4
    return ClaimResult(max(bound - solution.upper, 0.0), numbers={"αS²/4": bound, "least regret": solution.upper})


ESTIMATE_LOWER = Claim(
    name="sensitivity-lower-bound",
    source="appendix F, theorem on the estimate of the regret and lemma on the lower bound",
    statement="With two states, and every possible report at least α likely, the least regret is at least αS²/4.",
    test=_estimate_lower,
    draw=draw_laws,
    examples=(_UNIFORM,),
)


def _many_upper(laws: FamilyInstance) -> ClaimResult:
    """Compare the least regret with the upper bound for many states; the benchmark minimises the loss."""
    family, solution = laws.family, exact_minimax(laws.family, laws.k)
    square = sensitivity(family, laws.k) ** 2
    return ClaimResult(
        stated=max(solution.lower - square, 0.0),
        corrected=max(solution.lower - (1 - 1 / family.states) ** 2, 0.0),
        numbers={"S²": square, "least regret": solution.upper},
    )


MANY_UPPER = Claim(
    name="sensitivity-upper-bound-many-states",
    source="appendix F, proof of the theorem on the estimate, many states",
    statement="With more than two states the least regret is at most S² as well.",
    correction=(
        "No: six structures, each uniform on two of four states and without any report, have S = 1/2 and least regret "
        "5/16. What always holds is (1 − 1/m)², the regret of the uniform forecast."
    ),
    test=_many_upper,
    draw=_draw_three,
    examples=(_FOUR_STATES,),
)


MANY_LOWER = Claim(
    name="sensitivity-lower-bound-many-states",
    source="appendix F, lemma on the lower bound, many states",
    statement="With more than two states, the best forecast being the benchmark, it is at least αS²/4 as well.",
    correction=(
        "No: the loss counts the forecast of the true state alone, so that two forecasts far apart in an unlikely "
        "state need not cost much. The exact program gives the least regret."
    ),
    test=_estimate_lower,
    draw=_draw_three,
    examples=(_THREE_STATES,),
)


def _naive(laws: FamilyInstance) -> ClaimResult:
    """Compare the worst regret of the naive rule with its bound."""
    family = laws.family
    own, change = worst_regret(family, laws.k, naive_aggregator(family, laws.k)), sensitivity(family, laws.k)
    benchmark = float(benchmark_losses(family, "squared").max())
    return ClaimResult(
        stated=max(own - change**2 / 4, 0.0),
        corrected=max(own - change**2 / 4 - 2 * change * benchmark, 0.0),
        numbers={"S²/4": change**2 / 4, "regret of the naive rule": own},
    )


NAIVE = Claim(
    name="naive-rule",
    source="appendix F, proof of the theorem on the estimate",
    statement="The midpoint of what the benchmark could have said has at most the regret (S/2)².",
    correction="At most S²/4 + 2SB: the proof leaves out that adversaries who know the state move it the wrong way.",
    test=_naive,
    draw=draw_laws,
    examples=(_UNIFORM,),
)


CLAIMS = (ESTIMATE_UPPER, ESTIMATE_LOWER, NAIVE, MANY_UPPER, MANY_LOWER)
