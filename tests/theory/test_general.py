"""Finite families against loops over single reports, linear programs, hand-made families and exact fractions."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from worst_case_oracle import histograms, solve

from bribeproof.errors import ParameterError
from bribeproof.theory import cost
from bribeproof.theory.families import Family, conditionally_independent, fully_informative_and_uninformed
from bribeproof.theory.general import (
    bayes_act,
    distance,
    naive_aggregator,
    regret_bounds,
    regularity,
    sensitivity,
    worst_regret,
)
from bribeproof.theory.general_exact import exact_minimax

Histogram = tuple[int, ...]
Floats = NDArray[np.float64]
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


def least(mass: Floats, loss: str) -> float:
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


def regret(family: Family, k: int, rule: Floats, loss: str) -> float:
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


def regret_of_play(family: Family, k: int, weights: Floats, strategy: Floats, loss: str) -> float:
    """Regret of the best rule against a mixture of structures and a strategy."""
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    assert strategy.min() >= 0
    assert strategy.sum(axis=2) == pytest.approx(1, abs=1e-12)
    mass: dict[Histogram, Floats] = {}
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


@settings(deadline=None)
@given(st.integers(1, 3), st.data())
def test_distance_is_the_least_number_of_adversaries(labels: int, data: st.DataObject) -> None:
    votes = st.lists(st.integers(0, labels - 1), min_size=4, max_size=4)
    first, second = (tuple(v.count(i) for i in range(labels)) for v in (data.draw(votes), data.draw(votes)))
    needed = next(k for k in range(5) if after(first, k) & after(second, k))
    assert distance(first, second) == distance(second, first) == needed


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), losses)
def test_bayes_act_has_the_least_loss(weights: list[int], loss: str) -> None:
    mass = np.array(weights) / sum(weights)
    act = bayes_act(mass, loss)
    assert act.min() >= 0
    assert act.sum() == pytest.approx(1)
    lost = (1 - act) ** 2 if loss == "squared" else 1 - act
    assert float(mass @ lost) == pytest.approx(least(mass, loss), abs=1e-12)
    for other in np.random.default_rng(0).dirichlet(np.ones(mass.size), 200):
        assert float(mass @ ((1 - other) ** 2 if loss == "squared" else 1 - other)) >= float(mass @ lost) - 1e-12


def test_bayes_act_is_the_posterior_with_two_states_only() -> None:
    assert bayes_act([0.1, 0.3]) == pytest.approx([0.25, 0.75])
    assert bayes_act([0.5, 0.25, 0.25]) == pytest.approx([0.6, 0.2, 0.2])
    assert bayes_act([0.4, 0.4, 0.2], "absolute").tolist() == [0.5, 0.5, 0.0]
    assert bayes_act([[0.0, 0.0], [1.0, 0.0]]).tolist() == [[0.5, 0.5], [1.0, 0.0]]
    assert bayes_act([[1.0, 5e-324], [5e-324, 5e-324]]).tolist() == [[1.0, 0.0], [0.5, 0.5]]


@settings(max_examples=60, deadline=None)
@given(families(most_states=2), st.integers(0, 3))
def test_sensitivity_and_naive_rule_by_pairs(family: Family, k: int) -> None:
    known = posteriors(family)
    pairs = [
        max(abs(a - b) for a, b in zip(one, two, strict=True))
        for (h, one), (g, two) in product(known, repeat=2)
        if sum(abs(x - y) for x, y in zip(h, g, strict=True)) <= 2 * k
    ]
    assert sensitivity(family, k) == pytest.approx(max(pairs), abs=1e-12)
    for x, forecast in zip(histograms(family.truthful + k, family.reports), naive_aggregator(family, k), strict=True):
        behind = [act[1] for h, act in known if x in after(h, k)]
        assert forecast[1] == pytest.approx((min(behind) + max(behind)) / 2 if behind else 0.5, abs=1e-12)
        assert forecast.sum() == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(families(most_states=4), st.integers(0, 2))
def test_naive_rule_of_many_states_is_between(family: Family, k: int) -> None:
    rows = list(histograms(family.truthful, family.reports))
    known = [(rows[h], bayes_act(law[:, h])) for law in family.laws for h in range(len(rows)) if law[:, h].sum() > 0]
    for x, forecast in zip(histograms(family.truthful + k, family.reports), naive_aggregator(family, k), strict=True):
        behind = [act for h, act in known if x in after(h, k)]
        assert forecast.sum() == pytest.approx(1)
        if behind:
            assert (forecast >= np.min(behind, axis=0) - 1e-9).all()
            assert (forecast <= np.max(behind, axis=0) + 1e-9).all()


@settings(max_examples=60, deadline=None)
@given(families(most_states=2), st.integers(0, 3))
def test_bounds_hold(family: Family, k: int) -> None:
    bounds, solution = regret_bounds(family, k), exact_minimax(family, k)
    naive = worst_regret(family, k, naive_aggregator(family, k))
    assert bounds.lower - 1e-9 <= solution.upper
    assert solution.lower - 1e-9 <= bounds.upper
    benchmark = max(sum(least(column, "squared") for column in law.T) for law in family.laws)
    assert naive <= sensitivity(family, k) ** 2 / 4 + 2 * sensitivity(family, k) * benchmark + 1e-12


@settings(max_examples=60, deadline=None)
@given(families(most_states=2), st.integers(0, 3))
def test_naive_rule_against_adversaries_who_do_not_know_the_state(family: Family, k: int) -> None:
    rule = naive_aggregator(family, k)
    seen = {h: i for i, h in enumerate(histograms(family.truthful + k, family.reports))}
    for law in family.laws:
        total = 0.0
        for h, start in enumerate(histograms(family.truthful, family.reports)):
            lost = [float(law[:, h] @ (1 - rule[seen[x]]) ** 2) for x in after(start, k)]
            total += max(lost) - least(law[:, h], "squared")
        assert total <= sensitivity(family, k) ** 2 / 4 + 1e-12


def test_square_of_the_sensitivity_is_no_bound_against_adversaries_who_know_the_state() -> None:
    share = np.arange(9) / 8
    family = Family(np.array([[(1 - share) / 9, share / 9]]), reports=2, truthful=8)
    assert sensitivity(family, 1) == pytest.approx(1 / 8)
    solution, bound = exact_minimax(family, 1), float(Fraction(1, 256) + 2 * Fraction(1, 8) * Fraction(7, 48))
    assert solution.lower > 2.5 * sensitivity(family, 1) ** 2
    assert regret_bounds(family, 1).upper == pytest.approx(bound)
    assert worst_regret(family, 1, naive_aggregator(family, 1)) == pytest.approx(bound)


@settings(max_examples=60, deadline=None)
@given(families(), st.integers(0, 2), losses)
def test_exact_bounds_meet_and_are_those_of_rule_and_play(family: Family, k: int, loss: str) -> None:
    solution = exact_minimax(family, k, loss)
    assert solution.upper == pytest.approx(regret(family, k, solution.rule, loss), abs=1e-10)
    assert solution.lower == pytest.approx(
        regret_of_play(family, k, solution.weights, solution.strategy, loss), abs=1e-10
    )
    assert -1e-10 <= solution.upper - solution.lower <= 1e-6
    if loss == "absolute":
        assert solution.upper == pytest.approx(program(family, k), abs=1e-6)
    if k:
        assert solution.upper >= exact_minimax(family, k - 1, loss).lower - 1e-9


@settings(max_examples=40, deadline=None)
@given(families(), st.integers(0, 2), losses, st.integers(0, 99))
def test_no_rule_beats_the_lower_bound(family: Family, k: int, loss: str, seed: int) -> None:
    seen = len(list(histograms(family.truthful + k, family.reports)))
    rule = np.random.default_rng(seed).dirichlet(np.ones(family.states), seen)
    worst = worst_regret(family, k, rule, loss)
    assert worst == pytest.approx(regret(family, k, rule, loss), abs=1e-10)
    assert worst >= exact_minimax(family, k, loss).lower - 1e-10


def test_two_sure_structures_are_told_apart_without_adversaries_only() -> None:
    sure = Family(np.array([[[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]]), reports=2, truthful=1)
    assert regularity(sure) == sensitivity(sure, 1) == 1
    assert regret_bounds(sure, 1) == (0.25, 0.25)
    assert exact_minimax(sure, 1).lower == pytest.approx(0.25, abs=1e-8)
    assert exact_minimax(sure, 1, "absolute").lower == pytest.approx(0.5, abs=1e-8)
    assert exact_minimax(sure, 0).upper == pytest.approx(0, abs=1e-8)
    assert sensitivity(sure, 0) == 0


def test_regularity_is_about_the_histogram_not_the_state() -> None:
    law = np.array([[0.1, 0.3, 0.0], [0.1, 0.5, 0.0]])
    assert regularity(Family(law[None], reports=2, truthful=2)) == pytest.approx(0.2)


@pytest.mark.parametrize(("states", "k"), [(2, 0), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 3)])
def test_k_adversaries_confuse_k_plus_one_states(states: int, k: int) -> None:
    family = fully_informative_and_uninformed(states, 1)
    alike = min(k + 1, states)
    squared, absolute = exact_minimax(family, k), exact_minimax(family, k, "absolute")
    assert absolute.lower == pytest.approx(1 - 1 / alike, abs=1e-7)
    assert squared.lower == pytest.approx((1 - 1 / alike) ** 2, abs=1e-7)


def test_forecast_must_be_uniform_where_every_state_is_named_once() -> None:
    family = fully_informative_and_uninformed(3, 2)
    solution = exact_minimax(family, 2)
    assert solution.upper == pytest.approx(4 / 9, abs=1e-7)
    seen = list(histograms(4, 4))
    assert solution.rule[seen.index((1, 1, 1, 1))] == pytest.approx([1 / 3] * 3, abs=1e-3)
    uniform = np.full((len(seen), 3), 1 / 3)
    assert worst_regret(family, 2, uniform) == pytest.approx(4 / 9, abs=1e-12)
    uniform[seen.index((1, 1, 1, 1))] = (0.34, 0.33, 0.33)
    assert worst_regret(family, 2, uniform) > 4 / 9 + 1e-3


def test_uniform_forecast_is_not_the_only_optimal_rule() -> None:
    family = fully_informative_and_uninformed(2, 3)
    seen = list(histograms(4, 3))
    rule = np.full((len(seen), 2), 0.5)
    rule[seen.index((3, 0, 1))] = rule[seen.index((4, 0, 0))] = (1, 0)
    assert worst_regret(family, 1, rule) == pytest.approx(0.25, abs=1e-12)
    assert exact_minimax(family, 1).lower == pytest.approx(0.25, abs=1e-7)


@pytest.mark.parametrize(("truthful", "k"), [(1, 1), (2, 1), (3, 1), (2, 2)])
def test_one_adversary_is_enough_for_independent_reporters(truthful: int, k: int) -> None:
    assert exact_minimax(conditionally_independent(truthful, (0.5, 1.0)), k).lower == pytest.approx(0.25, abs=1e-7)


def test_independent_reporters_who_may_err_or_are_alone() -> None:
    values = [exact_minimax(conditionally_independent(2, (0.5, a)), 1).lower for a in (0.5, 0.7, 0.9, 1.0)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(0, abs=1e-8)
    assert values[2] < 0.2
    assert exact_minimax(conditionally_independent(2, (0.5, 1.0)), 0).upper < 0.2


@pytest.mark.parametrize("truthful", [1, 2, 3])
def test_independent_reporters_by_all_report_vectors(truthful: int) -> None:
    accuracies = (0.5, 0.75, 1.0)
    kinds = [0.0, 0.25, 0.5, 0.75, 1.0]
    family = conditionally_independent(truthful, accuracies)
    rows = {h: i for i, h in enumerate(histograms(truthful, 5))}
    crews = list(combinations_with_replacement(accuracies, truthful))
    assert family.structures == len(crews)
    for crew, law in zip(crews, family.laws, strict=True):
        expected = np.zeros((2, len(rows)))
        for state, right in product((0, 1), product((False, True), repeat=truthful)):
            said = [a if hit == bool(state) else 1 - a for a, hit in zip(crew, right, strict=True)]
            chance = np.prod([a if hit else 1 - a for a, hit in zip(crew, right, strict=True)])
            expected[state, rows[tuple(said.count(kind) for kind in kinds)]] += chance / 2
        assert law == pytest.approx(expected)


def test_upper_bound_fails_with_four_states() -> None:
    pairs = [np.eye(4)[[i, j]].sum(axis=0) / 2 for i in range(4) for j in range(i)]
    family = Family(np.array(pairs)[:, :, None], reports=1, truthful=1)
    assert sensitivity(family, 0) == pytest.approx(0.5)
    assert exact_minimax(family, 0).lower == pytest.approx(float(Fraction(9, 16) - Fraction(1, 4)), abs=1e-7)


def test_lower_bound_fails_with_three_states() -> None:
    parts = [1 / Fraction(lost, 20) for lost in (4, 17, 19)]
    p = [part / sum(parts) for part in parts]
    laws = np.array([p, [p[0], p[2], p[1]]], dtype=float)[:, :, None]
    family = Family(laws, reports=1, truthful=1)
    assert regularity(family) == pytest.approx(1)
    assert sensitivity(family, 0) == pytest.approx(0.1)
    regret_of_middle = (p[1] + p[2]) * Fraction(1, 20) ** 2
    assert exact_minimax(family, 0).upper <= float(regret_of_middle) + 1e-9
    assert float(regret_of_middle) < 0.1**2 / 4 / 3


@pytest.mark.parametrize(
    "laws",
    [
        [[0.5, 0.5]],
        [[[1.0, 0.0]]],
        [[[0.5, 0.0], [0.0, 0.6]]],
        [[[1.5, 0.0], [0.0, -0.5]]],
        [[[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]]],
        np.zeros((0, 2, 2)),
        "laws",
    ],
)
def test_bad_families(laws: Any) -> None:
    with pytest.raises(ParameterError, match="Family laws"):
        Family(laws, reports=2, truthful=1)


def test_bad_arguments() -> None:
    family = conditionally_independent(1, (0.75,))
    for call in (sensitivity, naive_aggregator, regret_bounds, exact_minimax):
        with pytest.raises(ParameterError, match="k = -1"):
            call(family, -1)
    for call in (sensitivity, exact_minimax):
        with pytest.raises(ParameterError, match="not for many states"):
            call(family, 1, "log")
        with pytest.raises(ParameterError, match="not for many states"):
            call(family, 1, cost(false_positive=1, false_negative=2))
    with pytest.raises(ParameterError, match="3 states"):
        regret_bounds(fully_informative_and_uninformed(3, 1), 1)
    with pytest.raises(ParameterError, match="rule"):
        worst_regret(family, 1, [[0.5, 0.5]])
    with pytest.raises(ParameterError, match="summing to 1"):
        worst_regret(family, 0, [[0.5, 0.6], [0.5, 0.5]])
    with pytest.raises(ParameterError, match="differ"):
        distance([1, 2], [1, 1])
    with pytest.raises(ParameterError, match="accuracies"):
        conditionally_independent(1, ())
    with pytest.raises(ParameterError, match="accuracies"):
        conditionally_independent(1, (0.4,))
    with pytest.raises(ParameterError, match="states = 1"):
        fully_informative_and_uninformed(1, 1)
    with pytest.raises(ParameterError, match="truthful = 0"):
        Family(np.full((1, 2, 1), 0.5), reports=2, truthful=0)
    with pytest.raises(ValueError, match="read-only"):
        family.laws[0, 0, 0] = 1
