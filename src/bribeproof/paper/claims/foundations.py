"""Claims that the proofs rest on: possible counts, the bad structure, and the rules for which it is worst."""

from itertools import combinations

import numpy as np

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import (
    CountsInstance,
    CrowdInstance,
    RuleInstance,
    draw_bribed,
    draw_counts,
    draw_crowd,
    until,
)
from bribeproof.paper.claims.reference import bad_structure, beyond, regret, structure_regret
from bribeproof.rules import trimmed_mean
from bribeproof.theory import expert_risk, get_loss

_SLACK = 1e-12


def _feasible(counts: CountsInstance) -> ClaimResult:
    """Compute the rate of every reporter when a random set of each size says H."""
    truthful = counts.n - counts.k
    off = 0.0
    for weights in (counts.given_1, counts.given_0):
        law = np.array(weights) / sum(weights)
        rates = np.zeros(truthful)
        for count, chance in enumerate(law):
            crews = list(combinations(range(truthful), count))
            for crew in crews:
                rates[list(crew)] += chance / len(crews)
        off = max(off, float(np.abs(rates - law @ np.arange(truthful + 1) / truthful).max()))
    return ClaimResult(off)


FEASIBLE = Claim(
    name="only-means-matter",
    source="appendix A, lemma on possible distributions",
    statement="Distributions of the truthful count are possible exactly where their means are N·a and N·b.",
    test=_feasible,
    draw=draw_counts,
)


def _moved_mean(counts: CountsInstance) -> ClaimResult:
    """Check that random strategies move the mean count by 0 to k."""
    rng, off = np.random.default_rng(counts.n), 0.0
    for weights in (counts.given_1, counts.given_0):
        law = np.array(weights) / sum(weights)
        mean = float(law @ np.arange(law.size))
        for _ in range(10):
            added = rng.dirichlet(np.ones(counts.k + 1), law.size) @ np.arange(counts.k + 1)
            off = max(off, beyond(float(law @ (np.arange(law.size) + added)), mean, mean + counts.k))
    return ClaimResult(off)


MOVED_MEAN = Claim(
    name="adversaries-move-the-mean",
    source="appendix A, lemma on the means with adversaries",
    statement="Given either state the mean count of H is at least that of the truthful and at most k more.",
    test=_moved_mean,
    draw=draw_counts,
)


def _possible(crowd: CrowdInstance) -> bool:
    """Return whether the bad structure exists: k < N·a and N·b < n − 2k."""
    truthful = crowd.panel.truthful
    return crowd.k < truthful * crowd.tpr - _SLACK and truthful * crowd.fpr < crowd.n - 2 * crowd.k - _SLACK


def _right_strategy(crowd: CrowdInstance) -> tuple[dict[int, int], dict[int, int]]:
    """Return the corrected strategy: all adversaries say L in state 1 and H in state 0."""
    return {0: crowd.k, crowd.n - 2 * crowd.k: crowd.k}, {}


def _bad_strategy(crowd: CrowdInstance) -> ClaimResult:
    """Compute the regret of the trimmed mean in the bad structure, under the printed and the corrected strategy."""
    n, k = crowd.n, crowd.k
    if not (_possible(crowd) and k) or crowd.third:
        return ClaimResult(None)
    rule, structure = trimmed_mean(crowd.panel), bad_structure(crowd)
    printed = {0: k, n - k: k}
    shown = structure_regret(rule.values, crowd, structure, (printed, printed), "absolute")
    right = structure_regret(rule.values, crowd, structure, _right_strategy(crowd), "absolute")
    worst = regret(rule, crowd, "absolute")
    return ClaimResult(
        stated=abs(worst - shown),
        corrected=abs(worst - right),
        numbers={"regret under the printed strategy": shown, "under the right one": right, "worst regret": worst},
    )


BAD_STRATEGY = Claim(
    name="bad-strategy",
    source="appendix A, definition of the bad structure",
    statement=(
        "All k adversaries say H where the truthful count is 0 or n − k, and none elsewhere; with the bad structure "
        "this is the worst case of the trimmed mean."
    ),
    correction=(
        "They say H where it is 0 or n − 2k, in state 0 alone, so that k or n − k reporters say H in both states. As "
        "printed the counts n − 2k and n are seen instead, and the states are told apart."
    ),
    test=_bad_strategy,
    draw=until(draw_bribed, lambda crowd: _possible(crowd) and not crowd.third),
    examples=(CrowdInstance(4, 1, 0.5, 0.8, 0.2),),
)


def _clipped(ruled: RuleInstance) -> ClaimResult:
    """Compare the worst regret of a clipped rule with its regret in the bad structure."""
    if not (_possible(ruled) and _conditions(ruled)):
        return ClaimResult(None)
    worst = regret(list(ruled.forecasts), ruled, ruled.loss)
    shown = structure_regret(ruled.forecasts, ruled, bad_structure(ruled), _right_strategy(ruled), ruled.loss)
    condition = ruled.k > 0 and not ruled.third
    return ClaimResult(
        stated=abs(worst - shown),
        corrected=abs(worst - shown) if condition else None,
        condition=condition,
        numbers={"worst regret": worst, "in the bad structure": shown},
    )


def _conditions(ruled: RuleInstance) -> bool:
    """Return whether a rule is monotone and constant at its ends, and both losses are convex between."""
    values = np.array(ruled.forecasts)
    middle = values[ruled.k : ruled.n - ruled.k + 1]
    ends = np.ptp(values[: ruled.k + 1]) == np.ptp(values[ruled.n - ruled.k :]) == 0
    curves = (get_loss(ruled.loss).value(middle, state) for state in (0, 1))
    return bool(ends and (np.diff(values) >= 0).all() and all((np.diff(c, 2) >= -_SLACK).all() for c in curves))


def _draw_clipped(rng: np.random.Generator) -> RuleInstance:
    """Draw a clipped rule that is linear between its ends, or curved as far as both squared losses stay convex."""
    crowd = until(draw_crowd, _possible)(rng)
    low, high = sorted(rng.integers(0, 21, 2) / 20)
    share = np.clip((np.arange(crowd.n + 1) - crowd.k) / (crowd.n - 2 * crowd.k), 0, 1)
    loss = "squared" if rng.random() < 0.7 else "absolute"
    if loss == "squared" and rng.random() < 0.5:
        share = share + (0.05 if rng.random() < 0.5 else -0.05) * share * (1 - share)
    forecasts = np.round(low + (high - low) * share, 6)
    numbers = (crowd.n, crowd.k, crowd.prior, crowd.tpr, crowd.fpr)
    linear = RuleInstance(*numbers, tuple(map(float, low + (high - low) * share)), loss)
    rounded = RuleInstance(*numbers, tuple(map(float, forecasts)), loss)
    return rounded if _conditions(rounded) else linear


CLIPPED = Claim(
    name="worst-structure-of-clipped-rules",
    source="appendix A, lemma on clipped rules",
    statement=(
        "A rule that does not fall, is constant up to k and from n − k on, and has convex losses between, has its "
        "worst regret in the bad structure (with the strategy put right)."
    ),
    condition="k ≥ 1 and n ≠ 3k",
    correction=(
        "At n = 3k, and at k = 0, the two supports of the bad structure meet, its benchmark errs, and another "
        "structure is worse. That the expected loss is largest there holds everywhere."
    ),
    test=_clipped,
    draw=_draw_clipped,
    examples=(
        RuleInstance(3, 1, 0.5, 0.9, 0.05, (0.0, 0.0, 1.0, 1.0), "absolute"),
        RuleInstance(2, 0, 0.5, 0.8, 0.2, (0.0, 0.5, 1.0), "squared"),
        RuleInstance(4, 1, 0.5, 0.8, 0.2, (0.2, 0.2, 0.5, 0.8, 0.8), "squared"),
    ),
)


def _benchmark(counts: CountsInstance) -> ClaimResult:
    """Compare the printed losses of the benchmark, with equally likely states, with the best of many forecasts."""
    ones, zeros = (np.array(w) / sum(w) / 2 for w in (counts.given_1, counts.given_0))
    total = ones + zeros
    squared = np.divide(ones * zeros, total, where=total > 0, out=np.zeros(total.size)).sum()
    absolute = 1 - np.maximum(ones, zeros).sum()
    acts = np.unique(
        np.append(np.divide(ones, total, where=total > 0, out=np.zeros(total.size)), np.linspace(0, 1, 21))
    )
    best = [
        float((ones[:, None] * value(acts, 1) + zeros[:, None] * value(acts, 0)).min(axis=1).sum())
        for value in (get_loss("absolute").value, get_loss("squared").value)
    ]
    return ClaimResult(max(abs(absolute - best[0]), abs(squared - best[1])))


BENCHMARK = Claim(
    name="benchmark-losses",
    source="appendix A, formulas of the benchmark",
    statement=(
        "The benchmark loses 1 − Σmax(μu₁, (1 − μ)u₀) under the absolute loss, and under the squared loss the sum of "
        "μ(1 − μ)u₁u₀/(μu₁ + (1 − μ)u₀)."
    ),
    test=_benchmark,
    draw=draw_counts,
)


def _straddling(crowd: CrowdInstance) -> ClaimResult:
    """Check that a report reduces the error exactly if the posteriors lie on both sides of 1/2."""
    saved = crowd.rarer - expert_risk(crowd.expert, "absolute")
    return ClaimResult(stated=float(crowd.straddles != (saved > _SLACK)), numbers={"error saved by one report": saved})


STRADDLING = Claim(
    name="informative-signals",
    source="section 3",
    statement="A report is of use, under the absolute loss, exactly where the posteriors lie on both sides of 1/2.",
    test=_straddling,
    draw=draw_crowd,
)

CLAIMS = (STRADDLING, FEASIBLE, MOVED_MEAN, BENCHMARK, BAD_STRATEGY, CLIPPED)
