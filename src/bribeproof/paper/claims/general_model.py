"""Claims about the general model: any finite family of information structures and any reports."""

import numpy as np

from bribeproof.paper.claims.framework import Claim, ClaimResult
from bribeproof.paper.claims.instances import (
    CrowdInstance,
    FamilyInstance,
    HistogramsInstance,
    LabelsInstance,
    StatesInstance,
    WeightsInstance,
    draw_crowd,
    draw_laws,
    draw_weights,
    until,
)
from bribeproof.paper.claims.reference import beyond, least_regret
from bribeproof.theory import (
    conditionally_independent,
    distance,
    exact_minimax,
    fully_informative_and_uninformed,
    multistate_minimax,
    worst_regret,
)
from bribeproof.theory.general.benchmark import bayes_act, benchmark_losses
from bribeproof.theory.model.histograms import histograms, reachable


def _pure(laws: FamilyInstance) -> ClaimResult:
    """Compare random mixed strategies with the worst pure one."""
    family, rng = laws.family, np.random.default_rng(laws.n)
    rule = rng.dirichlet(np.ones(family.states), len(histograms(laws.n, laws.reports)))
    reach = reachable(family.truthful, laws.reports, laws.k)
    worst, most = worst_regret(family, laws.k, rule), -np.inf
    losses = (1 - rule[reach]) ** 2
    for _ in range(20):
        strategy = rng.dirichlet(np.full(reach.shape[1], 0.5), (family.states, len(reach)))
        expected = np.einsum("tsh,shw,hws->t", family.laws, strategy, losses)
        most = max(most, float((expected - benchmark_losses(family, "squared")).max()))
    return ClaimResult(max(most - worst, 0.0), numbers={"worst pure": worst, "worst of 20 mixed": most})


PURE = Claim(
    name="pure-strategies",
    source="appendix F, lemma on adversaries",
    statement="Adversaries lose nothing by a strategy without randomness.",
    test=_pure,
    draw=draw_laws,
)


def _more_adversaries(crowd: CrowdInstance) -> ClaimResult:
    """Compare the least regret and the least loss with those for one adversary more on a panel of the same size."""
    more = CrowdInstance(crowd.n, crowd.k + 1, crowd.prior, crowd.tpr, crowd.fpr)
    low, least_after = least_regret(crowd, "absolute")[0], least_regret(more, "absolute")[1]
    before, after = (
        multistate_minimax(c.panel, LabelsInstance(c.n, c.k, (1 - c.prior, c.prior), (1 - c.fpr, c.tpr)).expert)
        for c in (crowd, more)
    )
    return ClaimResult(
        stated=max(low - least_after, 0.0),
        corrected=max(before.lower - after.upper, 0.0),
        numbers={"least regret": low, "with one adversary more": least_after}
        | {"least loss": before.upper, "then": after.upper},
    )


MORE_ADVERSARIES = Claim(
    name="more-adversaries-never-help",
    source="appendix F, before the lemma on informed experts",
    statement="With n fixed, one adversary more does not lower the least regret (tested under the absolute loss).",
    correction=(
        "It does not lower the least worst expected loss. The benchmark loses a truthful report to the adversary, "
        "and the regret, which is measured from the benchmark, can fall."
    ),
    test=_more_adversaries,
    draw=until(lambda rng: draw_crowd(rng, 8), lambda crowd: crowd.n > 2 * (crowd.k + 1)),
    examples=(CrowdInstance(3, 0, 0.2, 0.7, 0.2),),
)


def _informed(crew: StatesInstance) -> ClaimResult:
    """Compare the least regret where reporters know everything or nothing with the printed one."""
    family = fully_informative_and_uninformed(crew.states, crew.n - crew.k)
    off, other, low = 0.0, 0.0, 0.0
    for loss, power in (("squared", 2), ("absolute", 1)):
        solution = exact_minimax(family, crew.k, loss)
        low = solution.lower
        off = max(off, beyond((1 - 1 / crew.states) ** power, solution.lower, solution.upper))
        alike = min(crew.k + 1, crew.states)
        other = max(other, beyond((1 - 1 / alike) ** power, solution.lower, solution.upper))
    return ClaimResult(
        stated=off if crew.k >= crew.states - 1 else None,
        corrected=other,
        numbers={"least regret, absolute": low, "ℓ(1/m)": 1 - 1 / crew.states},
    )


_CREWS = tuple(
    StatesInstance(truthful + k, k, m) for truthful, k, m in [(1, 0, 2), (1, 1, 2), (2, 1, 2), (3, 1, 2), (1, 1, 3)]
)
_CREWS += tuple(
    StatesInstance(truthful + k, k, m) for truthful, k, m in [(1, 2, 3), (2, 2, 3), (3, 2, 3), (1, 2, 4), (1, 3, 4)]
)

INFORMED = Claim(
    name="knowing-and-ignorant-experts",
    source="appendix F, lemma on informed experts",
    statement="Where reporters know the state or nothing and k ≥ m − 1, the least regret is ℓ(1/m).",
    correction="With fewer adversaries the least regret is ℓ(1/(k + 1)), as k + 1 states look alike.",
    test=_informed,
    examples=_CREWS,
)


def _uniform_alone(crew: StatesInstance) -> ClaimResult:
    """Test a rule that is certain if more than k reporters are certain of one state and none of another."""
    family = fully_informative_and_uninformed(crew.states, crew.n - crew.k)
    seen = histograms(crew.n, crew.states + 1)[:, : crew.states]
    sure = (seen > crew.k) & (seen.sum(axis=1, keepdims=True) == seen)
    rule = np.where(sure.any(axis=1, keepdims=True), sure, 1 / crew.states).astype(float)
    uniform = np.full(rule.shape, 1 / crew.states)
    own, of_uniform = (worst_regret(family, crew.k, r) for r in (rule, uniform))
    informed = float(own <= of_uniform + 1e-12 and bool(sure.any()))
    least = exact_minimax(family, crew.k)
    return ClaimResult(
        stated=informed,
        corrected=beyond(own, least.lower, least.upper),
        numbers={"regret of the uniform forecast": of_uniform, "of a rule that is sure at times": own},
    )


UNIFORM_ALONE = Claim(
    name="uniform-forecast-alone",
    source="appendix F, after the lemma on informed experts",
    statement="There only the uniform forecast is optimal: nothing can be learnt from the reports.",
    correction=(
        "The forecast must be uniform where each state is named once. Where more than k reporters are sure of one "
        "state and nobody of another, being sure too has the same worst regret."
    ),
    test=_uniform_alone,
    examples=(StatesInstance(3, 1, 2), StatesInstance(4, 1, 2), StatesInstance(5, 2, 3)),
)


def _independent(crew: StatesInstance) -> ClaimResult:
    """Compare the least regret of reporters who err independently with 1/4."""
    solution = exact_minimax(conditionally_independent(crew.n - crew.k, (0.5, 1.0)), crew.k)
    return ClaimResult(max(0.25 - solution.upper, solution.lower - 0.25, 0.0), numbers={"least regret": solution.upper})


INDEPENDENT = Claim(
    name="independent-experts",
    source="appendix F, corollary on conditionally independent experts",
    statement="Where reporters err independently, one adversary makes the least regret under the squared loss 1/4.",
    test=_independent,
    examples=tuple(StatesInstance(n, k, 2) for n, k in [(2, 1), (3, 1), (4, 1), (5, 1), (5, 2), (6, 1)]),
)


def _after(start: tuple[int, ...], k: int) -> set[tuple[int, ...]]:
    """Return all histograms that k more reports can produce, by adding them one by one."""
    reached = {start}
    for _ in range(k):
        reached = {tuple(x + (i == j) for i, x in enumerate(h)) for h in reached for j in range(len(h))}
    return reached


def _draw_pair(rng: np.random.Generator) -> HistogramsInstance:
    """Draw two histograms with the same number of reports."""
    reports, total = int(rng.integers(2, 4)), int(rng.integers(1, 5))
    one, two = (np.bincount(rng.integers(0, reports, total), minlength=reports).tolist() for _ in range(2))
    return HistogramsInstance(int(rng.integers(0, 4)), tuple(one), tuple(two))


def _distance(pair: HistogramsInstance) -> ClaimResult:
    """Check by enumeration whether k adversaries can make two histograms look alike."""
    alike = bool(_after(pair.first, pair.k) & _after(pair.second, pair.k))
    return ClaimResult(float(alike != (pair.k >= distance(pair.first, pair.second))))


DISTANCE = Claim(
    name="distance",
    source="appendix F, lemma on the distance of reports",
    statement="k adversaries can make two truthful histograms look alike exactly where k ≥ ½Σ|h₁ − h₂|.",
    test=_distance,
    draw=_draw_pair,
)


def _distance_as_printed(pair: HistogramsInstance) -> ClaimResult:
    """Compare the printed sum, which has the first histogram twice, with the true distance."""
    printed = sum(abs(x - x) for x in pair.first) / 2
    true = next(k for k in range(sum(pair.first) + 1) if _after(pair.first, k) & _after(pair.second, k))
    return ClaimResult(
        stated=abs(printed - true),
        corrected=abs(distance(pair.first, pair.second) - true),
        numbers={"printed distance": printed, "adversaries needed": true},
    )


DISTANCE_AS_PRINTED = Claim(
    name="distance-as-printed",
    source="appendix F, definition of the distance of reports",
    statement="The distance of two report vectors is ½Σ|h₁ − h₁|, both terms of the first.",
    correction="A misprint: the second term belongs to the second vector; as printed every distance is 0.",
    test=_distance_as_printed,
    draw=_draw_pair,
    examples=(HistogramsInstance(0, (1, 0), (0, 1)),),
)


def _posterior(masses: WeightsInstance) -> ClaimResult:
    """Compare the loss of the posterior with the least loss."""
    mass = np.array(masses.weights) / sum(masses.weights)
    act = bayes_act(mass)
    of_posterior, least = (float(mass @ (1 - y) ** 2) for y in (mass, act))
    return ClaimResult(
        stated=of_posterior - least,
        corrected=max(least - min(float(mass @ (1 - y) ** 2) for y in _grid(mass.size)), 0.0),
        condition=mass.size == 2,
        numbers={"loss of the posterior": of_posterior, "least loss": least},
    )


def _grid(states: int) -> np.ndarray:
    """Return all forecasts in steps of 1/20."""
    return np.array(histograms(20, states)) / 20


POSTERIOR = Claim(
    name="posterior-is-best",
    source="appendix F, problem statement",
    statement="Under the squared loss (1 − y)² of the forecast y of the true state the posterior is best.",
    condition="m = 2",
    correction="With more states the best forecast is max(0, 1 − λ/p) with the λ that makes it sum to 1.",
    test=_posterior,
    draw=lambda rng: WeightsInstance(draw_weights(rng, int(rng.integers(2, 5)), 5)),
    examples=(WeightsInstance((2, 1)), WeightsInstance((2, 1, 1))),
)

CLAIMS = (
    POSTERIOR,
    PURE,
    MORE_ADVERSARIES,
    INFORMED,
    UNIFORM_ALONE,
    INDEPENDENT,
    DISTANCE_AS_PRINTED,
    DISTANCE,
)
