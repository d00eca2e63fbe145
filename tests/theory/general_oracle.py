"""Finite families at small size: random ones, and their regrets by loops over single histograms."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

from bribeproof._typing import FloatArray
from bribeproof.theory.general.families import Family
from tests.theory.worst_case_oracle import histograms, solve

Histogram = tuple[int, ...]
losses = st.sampled_from(["squared", "absolute"])


@st.composite
def families(draw: st.DrawFn, *, most_states: int = 3) -> Family:
    states, reports = draw(st.integers(2, most_states)), draw(st.integers(1, 3))
    truthful, structures = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    shape = (states, len(list(histograms(truthful, reports))))
    size = shape[0] * shape[1]
    weights = st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)
    laws = [np.array(draw(weights), dtype=float).reshape(shape) for _ in range(structures)]
    return Family(np.array([law / law.sum() for law in laws]), reports, truthful)


def posteriors(family: Family) -> list[tuple[Histogram, list[float]]]:
    """Every possible histogram of every structure with the posterior there."""
    rows = list(histograms(family.truthful, family.reports))
    return [
        (rows[h], [float(law[state, h] / law[:, h].sum()) for state in range(family.states)])
        for law in family.laws
        for h in range(len(rows))
        if law[:, h].sum() > 0
    ]


def after(start: Histogram, k: int) -> set[Histogram]:
    """What k more reports, one by one, can turn a histogram into."""
    reached = {start}
    for _ in range(k):
        reached = {tuple(x + (i == j) for i, x in enumerate(h)) for h in reached for j in range(len(h))}
    return reached


def least(mass: FloatArray, loss: str) -> float:
    """Least loss for masses of the states: by the vertices, or by the best of all supports."""
    if loss == "absolute":
        return float(mass.sum() - mass.max())
    best = np.inf
    for support in product((False, True), repeat=mass.size):
        p = mass[np.array(support)]
        if not p.size or (p == 0).any():
            continue
        lost = (p.size - 1) / (1 / p).sum() / p
        if (lost <= 1 + 1e-12).all():
            best = min(best, float((p * lost**2).sum() + mass.sum() - p.sum()))
    return 0.0 if best == np.inf else best


def regret(family: Family, k: int, rule: FloatArray, loss: str) -> float:
    """Worst regret by loops over structures, states, histograms and what can follow them."""
    seen = {h: i for i, h in enumerate(histograms(family.truthful + k, family.reports))}
    worst = -np.inf
    for law in family.laws:
        total = 0.0
        for h, start in enumerate(histograms(family.truthful, family.reports)):
            for state in range(family.states):
                lost = [1 - rule[seen[x], state] for x in after(start, k)]
                total += law[state, h] * max(y**2 if loss == "squared" else y for y in lost)
            total -= least(law[:, h], loss)
        worst = max(worst, total)
    return worst


def regret_of_play(family: Family, k: int, weights: FloatArray, strategy: FloatArray, loss: str) -> float:
    """Regret of the best rule against a mixture of structures and a strategy."""
    assert weights.min() >= 0
    assert np.allclose(weights.sum(), 1, rtol=0, atol=1e-12)
    assert strategy.min() >= 0
    assert np.allclose(strategy.sum(axis=2), 1, rtol=0, atol=1e-12)
    mass: dict[Histogram, FloatArray] = {}
    benchmark = 0.0
    for weight, law in zip(weights, family.laws, strict=True):
        for h, start in enumerate(histograms(family.truthful, family.reports)):
            benchmark += weight * least(law[:, h], loss)
            for way, more in enumerate(histograms(k, family.reports)):
                x = tuple(a + b for a, b in zip(start, more, strict=True))
                mass[x] = mass.get(x, np.zeros(family.states)) + weight * law[:, h] * strategy[:, h, way]
    return sum(least(both, loss) for both in mass.values()) - benchmark


def program(family: Family, k: int) -> float:
    """Minimax regret under absolute loss, by a linear program over forecasts, worst losses and t."""
    seen = {h: i for i, h in enumerate(histograms(family.truthful + k, family.reports))}
    rows = list(histograms(family.truthful, family.reports))
    m, start = family.states, len(seen) * family.states
    width = start + len(rows) * m + 1
    left, bound = [], []
    for h, row in enumerate(rows):
        for x, state in product(after(row, k), range(m)):
            line = np.zeros(width)
            line[seen[x] * m + state] = line[start + h * m + state] = -1
            left.append(line)
            bound.append(-1.0)
    for law in family.laws:
        line = np.zeros(width)
        line[start:-1], line[-1] = law.T.ravel(), -1
        left.append(line)
        bound.append(sum(least(law[:, h], "absolute") for h in range(len(rows))))
    sums = np.hstack([np.kron(np.eye(len(seen)), np.ones((1, m))), np.zeros((len(seen), width - start))])
    limits = [(0, None)] * start + [(None, None)] * (width - start)
    objective = np.eye(1, width, width - 1)[0]
    return solve(objective, A_ub=np.array(left), b_ub=bound, A_eq=sums, b_eq=np.ones(len(seen)), bounds=limits)
