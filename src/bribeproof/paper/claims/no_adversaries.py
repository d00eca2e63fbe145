"""Claims about the squared loss without adversaries."""

import numpy as np

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import CrowdInstance, RuleInstance, draw_crowd, draw_honest, until
from bribeproof.paper.claims.reference import beyond, four_count_rule, least_regret, regret
from bribeproof.rules import mean
from bribeproof.theory import PiecewiseLinear, expert_risk, worst_case


def _four_counts(crowd: CrowdInstance) -> ClaimResult:
    """Compare the value of the game on four counts with the value of the full game."""
    _, value = four_count_rule(crowd)
    low, high = least_regret(crowd, "squared")
    off = beyond(value, low, high)
    return ClaimResult(
        stated=off,
        corrected=off if crowd.inner else None,
        condition=crowd.inner,
        numbers={"value on four counts": value, "least regret": high},
    )


FOUR_COUNTS = Claim(
    name="four-counts",
    source="appendix B, lemma on extreme supports",
    statement=(
        "Without adversaries, structures on the counts 0, 1, n − 1 and n are enough: the game on them has the same "
        "value under the squared loss."
    ),
    condition="1 ≤ n·b and n·a ≤ n − 1",
    correction=(
        "The proof pushes mass to 1 and n − 1 and needs means between them. Outside, Nature does better on other "
        "counts, and the algorithm of the theorem would return a rule that is not optimal."
    ),
    test=_four_counts,
    draw=until(draw_honest, lambda crowd: crowd.n >= 4),
    examples=(
        CrowdInstance(9, 0, 0.688, 0.911, 0.323),
        CrowdInstance(10, 0, 0.362, 0.518, 0.057),
        CrowdInstance(10, 0, 0.5, 0.8, 0.1),
    ),
)


def _interpolation(crowd: CrowdInstance) -> ClaimResult:
    """Test the rule interpolated from four forecasts, as printed and with the missing summand."""
    four, _ = four_count_rule(crowd)
    low, high = four[1], four[2]
    counts = np.arange(1, crowd.n)
    slope = (high - low) / (crowd.n - 2)
    printed = np.concatenate([[four[0]], slope * (counts - 1), [four[3]]])
    printed[[1, -2]] = low, high
    mended = np.concatenate([[four[0]], low + slope * (counts - 1), [four[3]]])
    of_printed, of_mended = (regret(np.clip(rule, 0, 1), crowd, "squared") for rule in (printed, mended))
    _, best = least_regret(crowd, "squared")
    return ClaimResult(
        stated=max(of_printed - best, 0.0),
        corrected=max(of_mended - best, 0.0) if crowd.inner else None,
        numbers={"regret as printed": of_printed, "with f(1) added": of_mended, "least regret": best},
    )


INTERPOLATION = Claim(
    name="interpolated-rule",
    source="appendix B, proof of the lemma on extreme supports",
    statement="The forecasts (x − 1)(f(n − 1) − f(1))/(n − 2) between the counts 1 and n − 1 make an optimal rule.",
    correction="The summand f(1) is missing: f(1) + (x − 1)(f(n − 1) − f(1))/(n − 2), and 1 ≤ n·b, n·a ≤ n − 1.",
    test=_interpolation,
    draw=until(draw_honest, lambda crowd: crowd.n >= 4),
    examples=(CrowdInstance(10, 0, 0.5, 0.8, 0.1), CrowdInstance(10, 0, 0.362, 0.518, 0.057)),
)


def _two_points(ruled: RuleInstance) -> ClaimResult:
    """Compare random structures on all counts with the worst one on two counts for each state."""
    rng = np.random.default_rng(ruled.n)
    worst = regret(list(ruled.forecasts), ruled, ruled.loss)
    most = 0.0
    for _ in range(30):
        given = [_with_mean(rng, ruled.n, rate) for rate in (ruled.fpr, ruled.tpr)]
        most = max(most, _honest_regret(ruled, given))
    return ClaimResult(
        max(most - worst, 0.0), numbers={"worst on two counts": worst, "worst of 30 on all counts": most}
    )


TWO_POINTS = Claim(
    name="two-counts-for-each-state",
    source="appendix B, lemma on small supports",
    statement="Every rule has its worst regret in a structure with at most two counts for each state.",
    test=_two_points,
    draw=lambda rng: _ruled(draw_honest(rng), rng.integers(0, 11, 13).tolist()),
)


def _ruled(crowd: CrowdInstance, tenths: list[int]) -> RuleInstance:
    """Return a crowd without adversaries with a rule, whose forecasts are given in tenths."""
    forecasts = tuple(tenth / 10 for tenth in tenths[: crowd.n + 1])
    return RuleInstance(crowd.n, 0, crowd.prior, crowd.tpr, crowd.fpr, forecasts, "squared")


def _with_mean(rng: np.random.Generator, n: int, rate: float) -> np.ndarray:
    """Draw a distribution on 0 … n with mean n·rate: a random one, mixed with a point mass at one end."""
    law = rng.dirichlet(np.full(n + 1, 0.5))
    mean_of_law, due = float(law @ np.arange(n + 1)), n * rate
    end = n if mean_of_law < due else 0
    share = 0.0 if mean_of_law == due else (due - mean_of_law) / (end - mean_of_law)
    law *= 1 - share
    law[end] += share
    return law


def _honest_regret(ruled: RuleInstance, given: list[np.ndarray]) -> float:
    """Return the regret of a rule in one structure without adversaries, under the squared loss."""
    zeros, ones = (1 - ruled.prior) * given[0], ruled.prior * given[1]
    forecasts = np.array(ruled.forecasts)
    benchmark = np.divide(ones * zeros, ones + zeros, where=ones + zeros > 0, out=np.zeros(ones.size))
    return float((ones * (1 - forecasts) ** 2 + zeros * forecasts**2 - benchmark).sum())


def _limit(crowd: CrowdInstance) -> ClaimResult:
    """Compare the least regret with the Bayes risk of one reporter, in units of 1/n."""
    _, best = least_regret(crowd, "squared")
    c = expert_risk(crowd.expert, "squared")
    return ClaimResult(
        stated=beyond(best, c - 0.5 / crowd.n, c) if crowd.inner else None,
        numbers={"least regret": best, "c": c, "n(c − least regret)": crowd.n * (c - best)},
    )


LIMIT = Claim(
    name="limit-is-one-reporter",
    source="section 4.2, lemma on the regret without adversaries",
    statement=(
        "Without adversaries the least regret under the squared loss is c + O(1/n); tested as between c − 1/(2n) and "
        "c, the Bayes risk of one reporter, where 1 ≤ n·b and n·a ≤ n − 1."
    ),
    test=_limit,
    draw=until(lambda rng: _honest(draw_crowd(rng, 30)), lambda crowd: crowd.inner),
    examples=(
        CrowdInstance(10, 0, 0.5, 0.8, 0.1),
        CrowdInstance(20, 0, 0.5, 0.8, 0.1),
        CrowdInstance(40, 0, 0.5, 0.8, 0.1),
    ),
)


def _honest(crowd: CrowdInstance) -> CrowdInstance:
    """Return the same crowd without adversaries."""
    return CrowdInstance(crowd.n, 0, crowd.prior, crowd.tpr, crowd.fpr)


def _increasing(crowd: CrowdInstance) -> ClaimResult:
    """Compare the least regret of n and of n + 1 reporters."""
    _, high = least_regret(crowd, "squared")
    more, _ = least_regret(CrowdInstance(crowd.n + 1, 0, crowd.prior, crowd.tpr, crowd.fpr), "squared")
    return ClaimResult(max(high - more, 0.0) * (high - more > 1e-7), numbers={"n reporters": high, "n + 1": more})


INCREASING = Claim(
    name="regret-increases-with-n",
    source="section 1.1 and section 4.2, figure of the regret",
    statement="Without adversaries the least regret under the squared loss does not fall as n grows.",
    test=_increasing,
    draw=draw_honest,
    examples=tuple(CrowdInstance(n, 0, 0.5, 0.8, 0.1) for n in (1, 2, 5, 10)),
)


def _example_losses(crowd: CrowdInstance) -> ClaimResult:
    """Compute the losses of the example by summation."""
    rule = [x / 5 for x in range(6)]
    first = ({0: 0.5, 4: 0.5}, {1: 0.5, 5: 0.5})
    second = ({0: 0.6, 5: 0.4}, {1: 0.5, 5: 0.5})
    losses = [
        sum(w * (rule[x] - state) ** 2 / 2 for state in (0, 1) for x, w in given[state].items())
        for given in (first, second)
    ]
    means = [sum(x * w for x, w in given.items()) for both in (first, second) for given in both]
    off = max(abs(losses[0] - 8 / 25), abs(losses[1] - 9 / 25))
    off = max(off, *(abs(m - crowd.n * rate) for m, rate in zip(means, (crowd.fpr, crowd.tpr) * 2, strict=True)))
    return ClaimResult(off, numbers={"loss in the first": losses[0], "in the second": losses[1]})


_EXAMPLE = CrowdInstance(5, 0, 0.5, 0.6, 0.4)

EXAMPLE_LOSSES = Claim(
    name="example-losses",
    source="section 4.2, example without adversaries",
    statement="Both structures are possible, and the average loses 8/25 in the first and 9/25 in the second.",
    test=_example_losses,
    examples=(_EXAMPLE,),
)


def _example_mixture(crowd: CrowdInstance) -> ClaimResult:
    """Compare the worst regret of the average with its regret in the two structures of the example."""
    worst = worst_case(mean(crowd.panel), crowd.panel, crowd.expert, "squared").regret
    first, second = 8 / 25, 9 / 25 - 1 / 9
    return ClaimResult(
        stated=first - second,
        corrected=abs(worst - first),
        numbers={"regret in the first": first, "in the second": second, "worst regret": worst},
    )


EXAMPLE_MIXTURE = Claim(
    name="example-mixture",
    source="section 4.2, discussion of the example",
    statement="Which of the two structures is worse for the average is unclear; its worst structure is a mixture.",
    correction=(
        "The benchmark loses 1/9 in the second, so that the regrets are 8/25 and 56/225: the first is worse, and no "
        "structure is worse for the average. A given rule always has a worst structure that is not mixed; "
        "mixtures are what holds the best rule to its regret."
    ),
    test=_example_mixture,
    examples=(_EXAMPLE,),
)

PRINTED_FORECASTS = (0.11814544, 0.235294117647059, 0.80154768, 0.96776412)
"""Forecasts that the paper draws for 0, 1, n − 1 and n reports of H, k = 0 and squared loss, at n = 10."""
_DRAWN = PiecewiseLinear(10, (0, 1, 9, 10), PRINTED_FORECASTS)


def _figure_honest(crowd: CrowdInstance) -> ClaimResult:
    """Compare the drawn forecasts with the best rule."""
    own, (_, best) = regret(_DRAWN, crowd, "squared"), least_regret(crowd, "squared")
    return ClaimResult(own - best, numbers={"regret of the drawn rule": own, "least regret": best})


FIGURE_HONEST = Claim(
    name="figure-honest-rule",
    source="section 1.1, figure of the rules, squared loss without adversaries",
    statement="The drawn forecasts for n = 10, μ = 0.5, a = 0.8, b = 0.1 are those of the optimal rule.",
    correction="They are within 0.0007 of the least regret, and not optimal; minimax gives the optimal rule.",
    test=_figure_honest,
    examples=(CrowdInstance(10, 0, 0.5, 0.8, 0.1),),
)

CLAIMS = (
    FOUR_COUNTS,
    INTERPOLATION,
    TWO_POINTS,
    LIMIT,
    INCREASING,
    EXAMPLE_LOSSES,
    EXAMPLE_MIXTURE,
    FIGURE_HONEST,
)
