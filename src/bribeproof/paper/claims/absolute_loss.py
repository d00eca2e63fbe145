"""Claims about the absolute loss with two states."""

import math

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import CrowdInstance, TrimmedInstance, draw_bribed, draw_honest, until
from bribeproof.paper.claims.reference import beyond, least_regret, regret
from bribeproof.rules import constant, mean, trimmed_mean
from bribeproof.theory import misspecified_k_guarantee

_SLACK = 1e-12


def printed_bound(crowd: CrowdInstance) -> float:
    """Return the bound on γ as the theorem on the absolute loss prints it, whatever the signs of its terms."""
    mu, other, a, b = crowd.prior, 1 - crowd.prior, crowd.tpr, crowd.fpr
    high, low = mu * a - other * b, other * (1 - b) - mu * (1 - a)
    return min(a / (1 + a), (1 - b) / (2 - b), _ratio(high, mu + high), _ratio(low, other + low))


def within(crowd: CrowdInstance) -> bool:
    """Return whether the share of adversaries is within the printed bound."""
    return crowd.share <= printed_bound(crowd) + _SLACK


def _ratio(above: float, below: float) -> float:
    """Return a fraction; infinity if the denominator is 0."""
    return above / below if below else math.inf


def _formula(crowd: CrowdInstance) -> float:
    """Return the regret as the theorem prints it."""
    return (1 - crowd.share) * crowd.expert.error_rate / (1 - 2 * crowd.share)


def _averaging(crowd: CrowdInstance) -> ClaimResult:
    """Compare averaging with the best rule, without adversaries."""
    own, (_, best) = regret(mean(crowd.panel), crowd, "absolute"), least_regret(crowd, "absolute")
    loses = max(own - best, 0.0)
    return ClaimResult(
        stated=loses if crowd.straddles else None,
        corrected=loses if crowd.straddles and crowd.inner else None,
        condition=crowd.inner,
        numbers={"regret of averaging": own, "least regret": best},
    )


AVERAGING = Claim(
    name="averaging-without-adversaries",
    source="section 4.1, on the earlier result for the absolute loss",
    statement="Without adversaries the plain average x/n is an optimal forecast under the absolute loss.",
    condition="1 ≤ n·b and n·a ≤ n − 1: on average at least one reporter, and not all, says H in either state",
    correction="Where n·b < 1 or n·a > n − 1 another rule can be strictly better; exact minimax finds it.",
    test=_averaging,
    draw=until(draw_honest, lambda crowd: crowd.straddles),
    examples=(
        CrowdInstance(4, 0, 0.431, 0.875, 0.445),
        CrowdInstance(10, 0, 0.681, 0.674, 0.059),
        CrowdInstance(10, 0, 0.5, 0.8, 0.1),
    ),
)


def _trimmed_mean(crowd: CrowdInstance) -> ClaimResult:
    """Compare the trimmed mean and the printed regret with the best rule."""
    own, (low, high) = regret(trimmed_mean(crowd.panel), crowd, "absolute"), least_regret(crowd, "absolute")
    printed = _formula(crowd)
    off = max(own - high, beyond(printed, low, high), 0.0)
    applies = crowd.straddles and within(crowd)
    condition = not crowd.triple
    return ClaimResult(
        stated=off if applies else None,
        corrected=off if applies and condition else None,
        condition=condition,
        numbers={"printed regret": printed, "regret of the trimmed mean": own, "least regret": high},
    )


TRIMMED_MEAN = Claim(
    name="trimmed-mean",
    source="section 4.1, theorem on the trimmed mean",
    statement=(
        "With adversaries, up to their printed share, the k-trimmed mean is optimal under the absolute loss, and its "
        "regret is (1 − γ)e/(1 − 2γ) with the error rate e = μ(1 − a) + (1 − μ)b."
    ),
    condition="(n, k) is not (3, 1)",
    correction=(
        "At n = 3k the two truthful supports of the bad structure meet in the count k, so that its benchmark errs too. "
        "From n = 6, k = 2 on another structure makes up for it; with one adversary among three another rule is "
        "better, and the formula is an upper bound."
    ),
    test=_trimmed_mean,
    draw=until(draw_bribed, lambda crowd: crowd.straddles and within(crowd)),
    examples=(CrowdInstance(3, 1, 0.5, 0.9, 0.05), CrowdInstance(10, 2, 0.5, 0.8, 0.1)),
)


def _trimmed_mean_bound(crowd: CrowdInstance) -> ClaimResult:
    """Test the printed bound where both posteriors may lie on one side of 1/2."""
    own, (_, best) = regret(trimmed_mean(crowd.panel), crowd, "absolute"), least_regret(crowd, "absolute")
    loses, error, rarer = max(own - best, 0.0), crowd.expert.error_rate, crowd.rarer
    right = error < rarer and crowd.share <= (rarer - error) / (2 * rarer - error) + _SLACK
    applies = not crowd.triple
    return ClaimResult(
        stated=loses if applies and within(crowd) else None,
        corrected=loses if applies and right else None,
        condition=crowd.straddles,
        numbers={"share of adversaries": crowd.share, "printed bound": printed_bound(crowd), "trimmed mean": own}
        | {"least regret": best},
    )


TRIMMED_MEAN_BOUND = Claim(
    name="trimmed-mean-bound",
    source="section 4.1, theorem on the trimmed mean, its bound on γ",
    statement="Whatever the prior and the rates, a γ up to the least of the four printed fractions makes it optimal.",
    condition=(
        "p₀ < 1/2 < p₁ (the same as e < π): section 3 assumes it once, and neither the theorem nor its bound shows "
        "that it is needed"
    ),
    correction=(
        "Where a posterior is on the wrong side of 1/2, the last two fractions can have a negative denominator and "
        "exceed 1, so that the bound is met vacuously. With π = min(μ, 1 − μ) the condition is e < π and "
        "γ ≤ (π − e)/(2π − e); the first two fractions follow from it."
    ),
    test=_trimmed_mean_bound,
    draw=until(draw_bribed, within),
    examples=(CrowdInstance(4, 1, 0.1, 0.6, 0.4), CrowdInstance(10, 2, 0.5, 0.8, 0.1)),
)


def _constant_beyond(crowd: CrowdInstance) -> ClaimResult:
    """Compare the better of the constants 0 and 1 with the best rule."""
    best_constant = min(regret(constant(crowd.panel, act), crowd, "absolute") for act in (0, 1))
    _, high = least_regret(crowd, "absolute")
    loses = max(best_constant - high, 0.0)
    beyond_bound = crowd.straddles and not within(crowd)
    condition = not crowd.triple
    return ClaimResult(
        stated=loses if beyond_bound else None,
        corrected=loses if beyond_bound and condition else None,
        condition=condition,
        numbers={"regret of the better constant": best_constant, "least regret": high},
    )


CONSTANT_BEYOND = Claim(
    name="constant-beyond-the-bound",
    source="section 4.1, discussion of the theorem on the trimmed mean",
    statement="Beyond the bound on γ an optimal forecast is constant, 0 or 1, whatever the reports.",
    condition="(n, k) is not (3, 1)",
    correction=(
        "With one adversary among three a rule that listens to the reports can have less regret. Elsewhere the "
        "constant is optimal; its regret is min(μ, 1 − μ) where N·a ≥ 1 and N·b ≤ N − 1, and can be smaller where not."
    ),
    test=_constant_beyond,
    draw=until(draw_bribed, lambda crowd: crowd.straddles and not within(crowd)),
    examples=(CrowdInstance(4, 1, 0.5, 0.2, 0.1), CrowdInstance(3, 1, 0.4, 0.78, 0.2)),
)


def _only_the_share(crowd: CrowdInstance) -> ClaimResult:
    """Compare the least regrets of a panel and of one twice as large with the same share of adversaries."""
    double = CrowdInstance(2 * crowd.n, 2 * crowd.k, crowd.prior, crowd.tpr, crowd.fpr)
    low, high = least_regret(crowd, "absolute")
    low_2, high_2 = least_regret(double, "absolute")
    off = max(low_2 - high, low - high_2, 0.0)
    applies = crowd.straddles and within(crowd)
    condition = not crowd.triple
    return ClaimResult(
        stated=off if applies else None,
        corrected=off if applies and condition else None,
        condition=condition,
        numbers={"least regret": high, "of a panel twice as large": high_2},
    )


ONLY_THE_SHARE = Claim(
    name="only-the-share-counts-absolute",
    source="sections 1 and 4.1",
    statement=(
        "With adversaries, up to their printed share, the least regret under the absolute loss depends on their share "
        "γ and not on n."
    ),
    condition="(n, k) is not (3, 1)",
    correction=(
        "At n = 3, k = 1 the least regret can be below that of every other panel with a third of adversaries. Beyond "
        "the printed share it can depend on n elsewhere too: n = 4, k = 1, prior = 0.5, tpr = 0.2, fpr = 0.1 has 0.3, "
        "a panel twice as large 0.5."
    ),
    test=_only_the_share,
    draw=until(draw_bribed, lambda crowd: crowd.straddles and within(crowd)),
    examples=(CrowdInstance(3, 1, 0.5, 0.9, 0.05), CrowdInstance(10, 2, 0.5, 0.8, 0.1)),
)


def _growth(crowd: CrowdInstance) -> ClaimResult:
    """Compare the growth of the least regret beyond c with γ/(1 − 2γ)."""
    low, high = least_regret(crowd, "absolute")
    error, unit = crowd.expert.error_rate, crowd.share / (1 - 2 * crowd.share)
    applies = crowd.straddles and within(crowd)
    off = max(beyond(error, low - unit, high + unit), 0.0)
    return ClaimResult(off if applies else None, numbers={"least regret": high, "c": error, "γ/(1 − 2γ)": unit})


GROWTH = Claim(
    name="growth-absolute",
    source="section 1.1, table of results",
    statement="Under the absolute loss the least regret is c + O(γ/(1 − 2γ)); tested with c = e and the constant 1.",
    test=_growth,
    draw=until(draw_bribed, lambda crowd: crowd.straddles and within(crowd)),
)


def _unknown_k(crowd: TrimmedInstance) -> ClaimResult:
    """Compare the printed regret of a trimmed mean with its worst regret, for any trim."""
    own = regret(trimmed_mean(crowd.panel, crowd.trim), crowd, "absolute")
    n, k, trim, error = crowd.n, crowd.k, crowd.trim, crowd.expert.error_rate
    printed = (trim - k + (n - k) * error) / (n - 2 * trim)
    guarantee = misspecified_k_guarantee(crowd.panel, crowd.expert, trim)
    return ClaimResult(
        stated=abs(printed - own),
        corrected=abs(guarantee.regret - own) if guarantee.exact else max(own - guarantee.regret, 0.0),
        numbers={"printed regret": printed, "true regret": own, "corrected bound": guarantee.regret},
    )


UNKNOWN_K = Claim(
    name="unknown-number-of-adversaries",
    source="section 4.1, lemma on an unknown k",
    statement="For every trim k′ the k′-trimmed mean has the regret (k′ − k + (n − k)e)/(n − 2k′).",
    correction=(
        "For k′ ≤ k it is (k − k′ + (n − k)e)/(n − 2k′), for k′ ≥ k it is (n − k)e/(n − k − k′). Both hold where "
        "m = max(k′, 1) ≤ N·a, N·b ≤ N − m and N ≠ 2m; with each state's loss cut at 1 they bound the regret "
        "everywhere. The printed sign gives negative regrets."
    ),
    test=_unknown_k,
    draw=lambda rng: _with_trim(draw_bribed(rng), int(rng.integers(0, 5))),
    examples=(
        TrimmedInstance(3, 1, 0.6, 0.7, 0.3, trim=1),
        TrimmedInstance(5, 1, 0.2, 0.99, 0.9, trim=0),
        TrimmedInstance(10, 3, 0.5, 0.8, 0.1, trim=1),
    ),
)


def _with_trim(crowd: CrowdInstance, trim: int) -> TrimmedInstance:
    """Add a trim to a crowd, lowered if it would leave no reporter."""
    return TrimmedInstance(crowd.n, crowd.k, crowd.prior, crowd.tpr, crowd.fpr, trim=min(trim, (crowd.n - 1) // 2))


CLAIMS = (
    AVERAGING,
    TRIMMED_MEAN,
    TRIMMED_MEAN_BOUND,
    CONSTANT_BEYOND,
    ONLY_THE_SHARE,
    GROWTH,
    UNKNOWN_K,
)
