"""Claims about hard decisions with two states."""

from fractions import Fraction

import numpy as np

from bribeproof.paper.claims.absolute_loss import printed_bound
from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import CrowdInstance, DecisionInstance, draw_bribed, draw_crowd, until
from bribeproof.paper.claims.reference import beyond, least_regret, regret
from bribeproof.rules import random_dictator
from bribeproof.theory import get_loss

_SLACK = 1e-12


def _within_print(crowd: CrowdInstance) -> bool:
    """Return whether γ is within the bound that the theorem on hard rules prints: three fractions, not four."""
    high = crowd.prior * crowd.tpr - (1 - crowd.prior) * crowd.fpr
    fractions = (
        high / (crowd.prior + high) if crowd.prior + high else np.inf,
        crowd.tpr / (1 + crowd.tpr),
        (1 - crowd.fpr) / (2 - crowd.fpr),
    )
    return crowd.share <= min(fractions) + _SLACK


def _dictator(crowd: CrowdInstance) -> ClaimResult:
    """Compare the random dictator with the best randomised decisions: forecasts under the absolute loss."""
    own, (_, best) = regret(random_dictator(crowd.panel), crowd, "absolute"), least_regret(crowd, "absolute")
    loses = max(own - best, 0.0)
    applies = crowd.straddles and _within_print(crowd)
    fourth = crowd.share <= printed_bound(crowd) + _SLACK
    condition = fourth and not crowd.triple
    return ClaimResult(
        stated=loses if applies else None,
        corrected=loses if applies and condition else None,
        condition=condition,
        numbers={"regret of the dictator": own, "least regret": best},
    )


DICTATOR = Claim(
    name="random-dictator",
    source="appendix C, theorem on hard rules",
    statement=(
        "With adversaries, up to the least of its three printed fractions, following a random reporter after k of "
        "each side are dropped is an optimal hard decision."
    ),
    condition=(
        "γ ≤ (1 − μ − e)/(2(1 − μ) − e), the fourth fraction of the theorem on the trimmed mean, which is missing "
        "here; and (n, k) is not (3, 1)"
    ),
    correction="With π = min(μ, 1 − μ) > e the bound is γ ≤ (π − e)/(2π − e). Beyond it the likelier state is better.",
    test=_dictator,
    draw=until(draw_bribed, lambda crowd: crowd.straddles and _within_print(crowd)),
    examples=(
        CrowdInstance(8, 3, 0.6, 0.8, 0.2),
        CrowdInstance(3, 1, 0.5, 0.9, 0.05),
        CrowdInstance(10, 2, 0.5, 0.8, 0.1),
    ),
)


def _dictator_regret(crowd: CrowdInstance) -> ClaimResult:
    """Compare the printed regret with the true one."""
    mu, g, a, b = crowd.prior, crowd.share, crowd.tpr, crowd.fpr
    printed = mu + ((1 - mu) * ((1 - g) * b + g) - mu * (1 - g) * a) / (1 - 2 * g)
    right = (1 - g) * crowd.expert.error_rate / (1 - 2 * g)
    own = regret(random_dictator(crowd.panel), crowd, "absolute")
    applies = crowd.straddles and crowd.share <= printed_bound(crowd) + _SLACK and crowd.k > 0 and not crowd.triple
    low, high = least_regret(crowd, "absolute")
    return ClaimResult(
        stated=beyond(printed, low, high) if applies else None,
        corrected=max(beyond(right, low, high), abs(own - right)) if applies else None,
        condition=crowd.prior == 0.5,
        numbers={"printed regret": printed, "true regret": own},
    )


DICTATOR_REGRET = Claim(
    name="random-dictator-regret",
    source="appendix C, theorem on hard rules, its regret",
    statement="The random dictator has the regret μ + ((1 − μ)((1 − γ)b + γ) − μ(1 − γ)a)/(1 − 2γ).",
    condition="μ = 1/2",
    correction=(
        "(1 − γ)e/(1 − 2γ), as for the trimmed mean. The printed one exceeds it by γ(1 − 2μ)/(1 − 2γ): the "
        "adversaries' share is charged to state 0 where it belongs to state 1."
    ),
    test=_dictator_regret,
    draw=until(draw_bribed, lambda c: c.straddles and c.share <= printed_bound(c) + _SLACK and not c.triple),
    examples=(
        CrowdInstance(10, 2, 0.5, 0.8, 0.1),
        CrowdInstance(4, 1, 0.4, 0.9, 0.1),
        CrowdInstance(5, 1, 0.6, 0.9, 0.1),
    ),
)


def _loss(decision: DecisionInstance) -> ClaimResult:
    """Compare the printed loss of a decision with the absolute and the squared loss."""
    y, state = decision.decision, decision.state
    printed = float(y == state)
    true = [get_loss(name).value(float(y), state) for name in ("absolute", "squared")]
    return ClaimResult(
        stated=max(abs(printed - loss) for loss in true),
        corrected=max(abs(float(y != state) - loss) for loss in true),
        numbers={"printed loss": printed, "absolute and squared loss": true[0]},
    )


LOSS = Claim(
    name="hard-loss",
    source="appendix C, proof of the theorem on hard rules",
    statement="For decisions both losses are 1 where y = ω and 0 where y ≠ ω.",
    correction="The cases are swapped: the loss is 1 where the decision is wrong.",
    test=_loss,
    examples=tuple(DecisionInstance(y, state) for y in (0, 1) for state in (0, 1)),
)


def _expectation(crowd: CrowdInstance) -> ClaimResult:
    """Compare the printed probability with the share of H among the reports that trimming leaves."""
    n, k = crowd.n, crowd.k
    off = 0.0
    for count in range(n + 1):
        survivors = [0] * (n - count) + [1] * count
        survivors = survivors[k : n - k]
        share = Fraction(sum(survivors), len(survivors))
        printed = 1 if count >= n - k else 0 if count <= k else Fraction(count - k, n - 2 * k)
        off = max(off, float(abs(share - printed)))
    return ClaimResult(off)


EXPECTATION = Claim(
    name="dictator-is-trimmed-mean",
    source="section 1.1 and appendix C",
    statement="On average the random dictator is the k-trimmed mean: it says 1 with probability (x − k)/(n − 2k).",
    test=_expectation,
    draw=draw_crowd,
)

CLAIMS = (DICTATOR, DICTATOR_REGRET, LOSS, EXPECTATION)
