"""Claims about the squared loss with adversaries, and with prior or rates unknown."""

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import CrowdInstance, RuleInstance, draw_bribed, draw_crowd, until
from bribeproof.paper.claims.reference import beyond, least_regret, regret
from bribeproof.rules import constant
from bribeproof.theory import expert_risk, worst_case

_SLACK = 1e-12


def _within_print(crowd: CrowdInstance) -> bool:
    """Return whether 0 < γ ≤ min(a/(1 + a), (1 − b)/(2 − b))."""
    bound = min(crowd.tpr / (1 + crowd.tpr), (1 - crowd.fpr) / (2 - crowd.fpr))
    return 0 < crowd.share <= bound + _SLACK


def _within_breakdown(crowd: CrowdInstance) -> bool:
    """Return whether 0 < γ ≤ (a − b)/(1 + a − b)."""
    margin = crowd.tpr - crowd.fpr
    return 0 < crowd.share <= margin / (1 + margin) + _SLACK


def printed_rule(crowd: CrowdInstance) -> list[float]:
    """Return the forecasts as the theorem prints them."""
    n, k, mu, g, a, b = crowd.n, crowd.k, crowd.prior, crowd.share, crowd.tpr, crowd.fpr
    says_low, says_high = mu * (1 - g) * (1 - a), mu * ((1 - g) * a - g)
    low = says_low / (says_low + (1 - mu) * (1 - 2 * g - (1 - g) * b))
    high = says_high / (says_high + (1 - mu) * (1 - g) * b)
    return [low + (min(max(x, k), n - k) - k) / (n - 2 * k) * (high - low) for x in range(n + 1)]


def printed_regret(crowd: CrowdInstance) -> float:
    """Return the regret as the theorem prints it, term by term."""
    mu, g, a, b = crowd.prior, crowd.share, crowd.tpr, crowd.fpr
    above = b * (-1 + b + 2 * g - b * g) - (-1 + a + b) * (b + a * (-1 + g) + g - b * g) * mu
    below = (
        b * (-1 + g) * (-1 + mu) + a * mu - (1 + a) * g * mu,
        -1 + b * (-1 + g) * (-1 + mu) + a * mu - g * (-2 + mu + a * mu),
    )
    return (-1 + g) * (-1 + mu) * mu * above / below[0] / below[1]


def _optimum(crowd: CrowdInstance) -> ClaimResult:
    """Compare the printed rule and regret with the best rule."""
    if not _within_print(crowd):
        return ClaimResult(None)
    low, high = least_regret(crowd, "squared")
    printed = printed_regret(crowd)
    own = regret([min(max(y, 0.0), 1.0) for y in printed_rule(crowd)], crowd, "squared")
    off = max(own - high, beyond(printed, low, high), 0.0)
    condition = not crowd.third and _within_breakdown(crowd)
    return ClaimResult(
        stated=off,
        corrected=off if condition else None,
        condition=condition,
        numbers={"printed regret": printed, "regret of the printed rule": own, "least regret": high},
    )


OPTIMUM = Claim(
    name="squared-optimum",
    source="section 4.2, theorem on the squared loss with adversaries",
    statement=(
        "For 0 < γ ≤ min(a/(1 + a), (1 − b)/(2 − b)) the printed clipped-linear rule is optimal under the squared loss "
        "and has the printed regret."
    ),
    condition="γ ≤ (a − b)/(1 + a − b) and n ≠ 3k",
    correction=(
        "The ends are the posteriors of the effective expert and the printed regret is its Bayes risk, but only up to "
        "its breakdown point γ = (a − b)/(1 + a − b). Beyond it the printed rule falls as more reporters say H, has "
        "more than the printed regret, and the prior is a better forecast. At n = 3k the formula is an upper bound."
    ),
    test=_optimum,
    draw=until(draw_bribed, _within_print),
    examples=(
        CrowdInstance(3, 1, 0.5, 0.9, 0.05),
        CrowdInstance(5, 2, 0.5, 0.7, 0.3),
        CrowdInstance(10, 2, 0.5, 0.8, 0.1),
    ),
)


def _prior_beyond(crowd: CrowdInstance) -> ClaimResult:
    """Compare the printed regret with the least regret between the breakdown point and the printed bound."""
    applies = _within_print(crowd) and not _within_breakdown(crowd) and not crowd.third
    low, high = least_regret(crowd, "squared")
    own = regret(constant(crowd.panel, crowd.prior), crowd, "squared")
    return ClaimResult(
        stated=beyond(printed_regret(crowd), low, high) if applies else None,
        corrected=max(own - high, beyond(crowd.prior * (1 - crowd.prior), low, high), 0.0) if applies else None,
        numbers={"printed regret": printed_regret(crowd), "regret of the prior": own, "least regret": high},
    )


PRIOR_BEYOND = Claim(
    name="squared-bound",
    source="section 4.2, theorem on the squared loss with adversaries, its bound on γ",
    statement="The printed regret also holds for (a − b)/(1 + a − b) < γ ≤ min(a/(1 + a), (1 − b)/(2 − b)), n ≠ 3k.",
    correction="There the constant μ is optimal and the least regret is μ(1 − μ), above the printed one.",
    test=_prior_beyond,
    draw=until(draw_bribed, lambda c: _within_print(c) and not _within_breakdown(c) and not c.third),
    examples=(CrowdInstance(5, 2, 0.5, 0.7, 0.3),),
)


def _only_the_share(crowd: CrowdInstance) -> ClaimResult:
    """Compare the least regrets of a panel and of one twice as large with the same share of adversaries."""
    if not _within_print(crowd):
        return ClaimResult(None)
    double = CrowdInstance(2 * crowd.n, 2 * crowd.k, crowd.prior, crowd.tpr, crowd.fpr)
    low, high = least_regret(crowd, "squared")
    low_2, high_2 = least_regret(double, "squared")
    off = max(low_2 - high, low - high_2, 0.0)
    return ClaimResult(
        stated=off,
        corrected=None if crowd.third else off,
        condition=not crowd.third,
        numbers={"least regret": high, "of a panel twice as large": high_2},
    )


ONLY_THE_SHARE = Claim(
    name="only-the-share-counts-squared",
    source="section 1.1, results under the squared loss",
    statement=(
        "With adversaries, up to their printed share, the least regret under the squared loss depends on their share γ "
        "and not on n."
    ),
    condition="n ≠ 3k",
    correction=(
        "At n = 3k the least regret depends on n, and tends to the formula as n grows. Beyond the printed share it can "
        "depend on n elsewhere too: n = 4, k = 1, prior = 0.5, tpr = 0.2, fpr = 0.1 has 0.114, a panel twice as large "
        "0.25."
    ),
    test=_only_the_share,
    draw=until(lambda rng: draw_crowd(rng, 9), _within_print),
    examples=(CrowdInstance(3, 1, 0.5, 0.9, 0.05), CrowdInstance(5, 1, 0.5, 0.8, 0.1)),
)


def _growth(crowd: CrowdInstance) -> ClaimResult:
    """Compare the growth of the least regret beyond c with γ/(1 − 2γ)² and with γ/(1 − 2γ)."""
    low, high = least_regret(crowd, "squared")
    unit, c = crowd.share / (1 - 2 * crowd.share), expert_risk(crowd.expert, "squared")
    applies = _within_print(crowd)
    smaller = beyond(c, low - unit, high + unit) if applies else None
    unit_2 = unit / (1 - 2 * crowd.share)
    return ClaimResult(
        stated=beyond(c, low - unit_2, high + unit_2) if applies else None,
        corrected=smaller,
        numbers={"least regret": high, "c": c, "γ/(1 − 2γ)": unit},
    )


GROWTH = Claim(
    name="growth-squared",
    source="section 1.1, table of results",
    statement=(
        "Under the squared loss with adversaries the least regret is c + O(γ/(1 − 2γ)²); tested with the Bayes risk of "
        "one reporter as c and the constant 1."
    ),
    correction="It is even c + O(γ/(1 − 2γ)), as under the absolute loss.",
    test=_growth,
    draw=until(draw_bribed, _within_print),
)


def _nothing_known(ruled: RuleInstance) -> ClaimResult:
    """Test the constant 1/2 and a random rule where prior and rates are unknown."""
    half = max(regret(constant(ruled.panel, 0.5), crowd, "squared") for crowd in _all_kinds(ruled))
    other = max(regret(ruled.forecasts, crowd, "squared") for crowd in _all_kinds(ruled))
    return ClaimResult(
        stated=max(abs(half - 0.25), 0.25 - other, 0.0),
        numbers={"regret of 1/2": half, "regret of another rule": other},
    )


NOTHING_KNOWN = Claim(
    name="nothing-known",
    source="section 4.2, lemma on unknown parameters",
    statement="Where nothing is known of prior and rates, 1/2 is optimal under the squared loss, with regret 1/4.",
    test=_nothing_known,
    draw=lambda rng: _with_rule(draw_crowd(rng, 6), rng.integers(0, 11, 7).tolist()),
)


def _all_kinds(crowd: CrowdInstance) -> list[CrowdInstance]:
    """Return crowds with certain states and every truthful count, the limits of a > b, and the crowd itself."""
    rates = [count / crowd.panel.truthful for count in range(crowd.panel.truthful + 1)]
    sure = [CrowdInstance(crowd.n, crowd.k, prior, rate, rate) for prior in (0.0, 1.0) for rate in rates]
    return [*sure, CrowdInstance(crowd.n, crowd.k, crowd.prior, crowd.tpr, crowd.fpr)]


def _with_rule(crowd: CrowdInstance, tenths: list[int]) -> RuleInstance:
    """Add a rule to a crowd, whose forecasts are given in tenths."""
    forecasts = tuple(tenth / 10 for tenth in tenths[: crowd.n + 1])
    return RuleInstance(crowd.n, crowd.k, crowd.prior, crowd.tpr, crowd.fpr, forecasts, "squared")


def _prior_known(crowd: CrowdInstance) -> ClaimResult:
    """Test the constant μ and better rules where the rates are unknown."""
    n, k, mu = crowd.n, crowd.k, crowd.prior
    claimed, truthful = mu * (1 - mu), crowd.panel.truthful
    own = regret(constant(crowd.panel, mu), CrowdInstance(n, k, mu, 1.0, 0.0), "squared")
    if n == 1:
        # Without adversaries one reporter's rates are the structure, and the regret is convex in them: ends suffice.
        ends = [CrowdInstance(n, k, mu, *rates) for rates in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))]
        least = min(own, max(regret([mu / 2, (1 + mu) / 2], end, "squared") for end in ends))
    else:
        least = max(
            least_regret(CrowdInstance(n, k, mu, i / truthful, i / truthful), "squared")[0] for i in range(1, truthful)
        )
    off = max(abs(own - claimed), claimed - least)
    return ClaimResult(
        stated=off,
        corrected=off if n > 1 else None,
        condition=n > 1,
        numbers={"claimed regret": claimed, "regret of the best rule found" if n == 1 else "least regret": least},
    )


PRIOR_KNOWN = Claim(
    name="only-the-prior-known",
    source="section 4.2, lemma on a known prior",
    statement="Where the prior μ is known and the rates are not, μ is the optimal forecast, with regret μ(1 − μ).",
    condition="n ≥ 2",
    correction=(
        "One reporter alone is the exception: the benchmark sees the same report, and leaning half way towards it, "
        "μ/2 and (1 + μ)/2, has the worst regret max(μ, 1 − μ)²/4, below μ(1 − μ) for 1/5 < μ < 4/5."
    ),
    test=_prior_known,
    draw=lambda rng: draw_crowd(rng, 8),
    examples=(CrowdInstance(1, 0, 0.5, 0.8, 0.2), CrowdInstance(4, 1, 0.5, 0.8, 0.2)),
)


def _one_adversary(crowd: CrowdInstance) -> ClaimResult:
    """Compare the losses of averaging five truthful reporters and one adversary with those of the example."""
    worst = worst_case([x / crowd.n for x in range(crowd.n + 1)], crowd.panel, crowd.expert, "squared")
    shown = ((1 / 6) ** 2 + (5 / 6) ** 2) / 2
    return ClaimResult(
        stated=abs(worst.largest_loss - shown),
        corrected=abs(worst.regret - shown),
        numbers={"loss in the example": shown, "highest loss": worst.largest_loss, "highest regret": worst.regret},
    )


ONE_ADVERSARY = Claim(
    name="example-with-one-adversary",
    source="section 4.2, after the example",
    statement=(
        "With one adversary added to the example, the first structure gives the average its highest loss, at a "
        "benchmark without loss."
    ),
    correction="It gives the average its highest regret. The highest loss is larger; its benchmark errs too.",
    test=_one_adversary,
    examples=(CrowdInstance(6, 1, 0.5, 0.6, 0.4),),
)

_BRIBED = CrowdInstance(10, 2, 0.5, 0.8, 0.1)


def _figure(crowd: CrowdInstance) -> ClaimResult:
    """Compare the forecasts of the three other drawn lines with the best rules."""
    steps = [min(max(x - 2, 0), 6) / 6 for x in range(11)]
    lines = (
        (CrowdInstance(10, 0, 0.5, 0.8, 0.1), [x / 10 for x in range(11)], "absolute"),
        (crowd, steps, "absolute"),
        (crowd, [0.235294117647059 + (0.846153846153846 - 0.235294117647059) * step for step in steps], "squared"),
    )
    off = max(regret(line, panel, loss) - least_regret(panel, loss)[1] for panel, line, loss in lines)
    shown = regret(lines[2][1], crowd, "squared")
    return ClaimResult(max(off, 0.0), numbers={"regret of the squared line": shown})


FIGURE = Claim(
    name="figure-other-rules",
    source="section 1.1, figure of the rules, its three other lines",
    statement="The drawn forecasts for n = 10, k = 2 (or 0), μ = 0.5, a = 0.8, b = 0.1 are those of optimal rules.",
    test=_figure,
    examples=(_BRIBED,),
)

CLAIMS = (OPTIMUM, PRIOR_BEYOND, ONLY_THE_SHARE, GROWTH, NOTHING_KNOWN, PRIOR_KNOWN, ONE_ADVERSARY, FIGURE)
