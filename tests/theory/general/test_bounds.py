"""Finite families against loops over single reports, hand-made families and exact fractions."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import cost
from bribeproof.theory.general.benchmark import bayes_act
from bribeproof.theory.general.bounds import distance, naive_aggregator, regret_bounds, regularity, sensitivity
from bribeproof.theory.general.convex_program import exact_minimax
from bribeproof.theory.general.families import Family, conditionally_independent, fully_informative_and_uninformed
from bribeproof.theory.general.worst_regret import worst_regret
from tests.theory.general_oracle import after, families, least, losses, posteriors
from tests.theory.worst_case_oracle import histograms


@given(st.integers(1, 3), st.data())
def test_distance_is_the_least_number_of_adversaries(labels: int, data: st.DataObject) -> None:
    votes = st.lists(st.integers(0, labels - 1), min_size=4, max_size=4)
    first, second = (tuple(v.count(i) for i in range(labels)) for v in (data.draw(votes), data.draw(votes)))
    needed = next(k for k in range(5) if after(first, k) & after(second, k))
    assert distance(first, second) == distance(second, first) == needed


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


@given(families(most_states=2), st.integers(0, 3))
def test_bounds_hold(family: Family, k: int) -> None:
    bounds, solution = regret_bounds(family, k), exact_minimax(family, k)
    naive = worst_regret(family, k, naive_aggregator(family, k))
    assert bounds.lower - 1e-9 <= solution.upper
    assert solution.lower - 1e-9 <= bounds.upper
    benchmark = max(sum(least(column, "squared") for column in law.T) for law in family.laws)
    assert naive <= sensitivity(family, k) ** 2 / 4 + 2 * sensitivity(family, k) * benchmark + 1e-12


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


def test_regularity_is_about_the_histogram_not_the_state() -> None:
    law = np.array([[0.1, 0.3, 0.0], [0.1, 0.5, 0.0]])
    assert regularity(Family(law[None], reports=2, truthful=2)) == pytest.approx(0.2)


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
        with pytest.raises(ParameterError, match="not defined for many states"):
            call(family, 1, "log")
        with pytest.raises(ParameterError, match="not defined for many states"):
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
