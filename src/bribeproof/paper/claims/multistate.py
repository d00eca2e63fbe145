"""Claims about more than two states."""

import numpy as np

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import HistogramsInstance, LabelsInstance, draw_rate, draw_shares, until
from bribeproof.paper.claims.reference import beyond, least_error
from bribeproof.theory import dictator_guarantee, dictator_shares, dictator_worst_loss, multistate_minimax

_LARGEST = {2: 9, 3: 8, 4: 6}


def _draw(rng: np.random.Generator) -> LabelsInstance:
    """Draw a panel and an expert for three or four states."""
    states = 3 if rng.random() < 0.8 else 4
    n = int(rng.integers(3, _LARGEST[states] + 1))
    k = int(rng.integers(0 if rng.random() < 0.15 else 1, (n - 1) // 2 + 1))
    prior = draw_shares(rng, states)
    return LabelsInstance(n, k, prior, tuple(draw_rate(rng) for _ in range(states)))


def printed_formula(labels: LabelsInstance) -> float:
    """Return the regret as the theorem prints it."""
    states, share = len(labels.prior), labels.k / labels.n
    right = sum(mu * q for mu, q in zip(labels.prior, labels.accuracy, strict=True))
    return (1 - (states - 1) * share - (1 - share) * right) / (1 - states * share)


def within(labels: LabelsInstance, sign: int = 1) -> bool:
    """Return whether both conditions on γ hold, the second with the printed sign (1) or the corrected one (−1)."""
    states, g = len(labels.prior), labels.k / labels.n
    pairs = list(zip(labels.prior, labels.accuracy, strict=True))
    for q in labels.accuracy:
        room = states - 1 - q
        if g >= min(q / (q + 1), (1 - q) / room if room > 0 else np.inf, 1 / states):
            return False
    return all(
        (mu + mu * q + mu_2 * q_2 - mu_2 * (states - 1)) * g < mu * q + sign * (mu_2 - mu_2 * q_2)
        for i, (mu, q) in enumerate(pairs)
        for j, (mu_2, q_2) in enumerate(pairs)
        if i != j
    )


def _premise(labels: LabelsInstance) -> bool:
    """Return whether the conditions hold with either sign of the second, so that the misprint does not matter."""
    return within(labels) and within(labels, -1)


def _regret(labels: LabelsInstance) -> ClaimResult:
    """Compare the printed regret and the corrected bound with the linear program over all histograms."""
    low, high = least_error(labels)
    printed = printed_formula(labels) if _premise(labels) else None
    ours = dictator_guarantee(labels.panel, labels.expert)
    program = multistate_minimax(labels.panel, labels.expert)
    off = beyond(ours.expected_loss, program.lower, program.upper) if ours.exact else max(high - ours.expected_loss, 0)
    return ClaimResult(
        stated=None if printed is None else beyond(printed, low, high),
        corrected=off,
        numbers=({} if printed is None else {"printed regret": printed})
        | {"least regret": high, "corrected bound": ours.expected_loss},
    )


REGRET = Claim(
    name="many-states-regret",
    source="section 5, theorem on many states, its regret",
    statement="Under the two conditions the least regret is (1 − (m − 1)γ − (1 − γ)Σμq)/(1 − mγ).",
    correction=(
        "1 − Σμq′ with q′ = max(0, ((1 − γ)q − γ)/(1 − 2γ)), whatever m is: adversaries need not vote for every other "
        "state, so that n − 2k reports are left and not n − mk. It is the least worst expected loss where at least "
        "half of the answers, and the likeliest state's share of them, are guaranteed right; elsewhere a bound."
    ),
    test=_regret,
    draw=until(_draw, _premise),
    examples=(
        LabelsInstance(8, 2, (0.3, 0.3, 0.4), (0.6, 0.6, 0.6)),
        LabelsInstance(8, 2, (0.4, 0.3, 0.3), (0.9, 0.8, 0.85)),
    ),
)


def _optimal(labels: LabelsInstance) -> ClaimResult:
    """Compare the dictator with the best rule."""
    own, (_, best) = dictator_worst_loss(labels.panel, labels.expert), least_error(labels)
    loses = max(own - best, 0.0)
    comparable = labels.k > 0 and labels.n != 3 * labels.k
    right = 1 - dictator_guarantee(labels.panel, labels.expert).expected_loss
    condition = right >= 0.5 and right > max(labels.prior)
    return ClaimResult(
        stated=loses if comparable and _premise(labels) else None,
        corrected=loses if comparable and condition else None,
        condition=condition,
        numbers={"error of the dictator": own, "least error": best},
    )


OPTIMAL = Claim(
    name="many-states-dictator",
    source="section 5, theorem on many states",
    statement="Under the two conditions on γ, following a random reporter after k of each label is optimal.",
    condition="Σμq′ is at least 1/2 and above every prior probability",
    correction=(
        "The conditions compare accuracies with the wrong denominator. Where less than half of the answers are "
        "guaranteed right, or the likeliest state is as good, another rule can be better."
    ),
    test=_optimal,
    draw=until(_draw, lambda labels: labels.k > 0 and labels.n != 3 * labels.k and _premise(labels)),
    examples=(
        LabelsInstance(8, 2, (0.3, 0.3, 0.4), (0.6, 0.6, 0.6)),
        LabelsInstance(8, 1, (0.3, 0.3, 0.4), (0.8, 0.8, 0.8)),
    ),
)


def _two_states(labels: LabelsInstance) -> ClaimResult:
    """Compare the printed formula with the truth for two states."""
    low, high = least_error(labels)
    printed = printed_formula(labels)
    off = max(abs(printed - dictator_worst_loss(labels.panel, labels.expert)), beyond(printed, low, high))
    return ClaimResult(
        stated=off if within(labels) else None,
        corrected=off if within(labels, -1) else None,
        numbers={"printed regret": printed, "least regret": high},
    )


def _draw_two(rng: np.random.Generator) -> LabelsInstance:
    """Draw a panel with adversaries and an expert for two states."""
    n = int(rng.integers(4, _LARGEST[2] + 1))
    k = int(rng.integers(1, (n - 1) // 2 + 1))
    return LabelsInstance(n, k, draw_shares(rng, 2), (draw_rate(rng), draw_rate(rng)))


TWO_STATES = Claim(
    name="many-states-second-condition",
    source="section 5, theorem on many states, its second condition",
    statement=(
        "(μ + μq + μ′q′ − μ′(m − 1))γ < μq − μ′q′ + μ′ for every two states makes the likelier answer to a report that "
        "report; tested for m = 2 and n ≠ 3k, where the theorem should be that of two states."
    ),
    correction=(
        "The last two signs are swapped: the right side is μq + μ′q′ − μ′. With m = 2 the theorem is then that of two "
        "states; with more, the denominators are still those of n − mk reports."
    ),
    test=_two_states,
    draw=until(_draw_two, lambda labels: labels.n != 3 * labels.k and within(labels, 1 if labels.n % 2 else -1)),
    examples=(LabelsInstance(5, 1, (0.1, 0.9), (0.3, 0.8)), LabelsInstance(5, 1, (0.5, 0.5), (0.8, 0.9))),
)


def _example(histogram: HistogramsInstance) -> ClaimResult:
    """Compute the worked example of the random dictator."""
    shares = dictator_shares(histogram.first, histogram.k)
    return ClaimResult(float(np.abs(shares - np.array(histogram.second) / sum(histogram.second)).max()))


EXAMPLE = Claim(
    name="many-states-example",
    source="section 5, example after the definition",
    statement="Of 10, 5 and 2 reports, k = 3 leaves 7, 2 and 0, followed with probabilities 7/9, 2/9 and 0.",
    test=_example,
    examples=(HistogramsInstance(3, (10, 5, 2), (7, 2, 0)),),
)

CLAIMS = (REGRET, OPTIMAL, TWO_STATES, EXAMPLE)
