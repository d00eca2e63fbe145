"""The exact program for finite families against loops over plays, linear programs and known values."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.theory.general.bounds import regret_bounds, regularity, sensitivity
from bribeproof.theory.general.convex_program import exact_minimax
from bribeproof.theory.general.families import Family, conditionally_independent, fully_informative_and_uninformed
from bribeproof.theory.general.worst_regret import worst_regret
from tests.theory.general_oracle import families, losses, program, regret, regret_of_play
from tests.theory.worst_case_oracle import histograms


@given(families(), st.integers(0, 2), losses)
def test_exact_bounds_meet_and_are_those_of_rule_and_play(family: Family, k: int, loss: str) -> None:
    solution = exact_minimax(family, k, loss)
    assert solution.upper == pytest.approx(regret(family, k, solution.rule, loss), abs=1e-10)
    assert solution.lower == pytest.approx(
        regret_of_play(family, k, solution.weights, solution.strategy, loss), abs=1e-10
    )
    assert -1e-10 <= solution.upper - solution.lower <= 1e-6
    assert solution.converged
    assert solution.recheck().difference < 1e-12
    if loss == "absolute":
        assert solution.upper == pytest.approx(program(family, k), abs=1e-6)
    if k:
        assert solution.upper >= exact_minimax(family, k - 1, loss).lower - 1e-9


@given(families(), st.integers(0, 2), losses, st.integers(0, 99))
def test_no_rule_beats_the_lower_bound(family: Family, k: int, loss: str, seed: int) -> None:
    seen = len(list(histograms(family.truthful + k, family.reports)))
    rule = np.random.default_rng(seed).dirichlet(np.ones(family.states), seen)
    worst = worst_regret(family, k, rule, loss)
    assert worst == pytest.approx(regret(family, k, rule, loss), abs=1e-10)
    assert worst >= exact_minimax(family, k, loss).lower - 1e-10


@given(families(), st.integers(0, 2), losses, st.integers(0, 99))
def test_recheck_values_any_rule_and_any_play(family: Family, k: int, loss: str, seed: int) -> None:
    rng, solution = np.random.default_rng(seed), exact_minimax(family, k, loss)
    rule = rng.dirichlet(np.ones(family.states), len(solution.rule))
    weights = rng.dirichlet(np.ones(family.structures))
    strategy = rng.dirichlet(np.ones(solution.strategy.shape[2]), solution.strategy.shape[:2])
    again = replace(solution, rule=rule, weights=weights, strategy=strategy).recheck()
    assert again.upper == pytest.approx(regret(family, k, rule, loss), abs=1e-12)
    assert again.lower == pytest.approx(regret_of_play(family, k, weights, strategy, loss), abs=1e-12)
    assert again.difference == pytest.approx(max(again.upper - solution.upper, solution.lower - again.lower), abs=1e-9)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_recheck_sees_a_false_certificate(loss: str) -> None:
    family = conditionally_independent(3, (0.75, 0.9))
    solution = exact_minimax(family, 1, loss)
    true = solution.recheck()
    for rule in (solution.rule[:, ::-1], solution.rule[::-1], np.roll(solution.rule, 1, axis=0)):
        again = replace(solution, rule=rule).recheck()
        assert (again.lower, again.upper > true.upper + 0.2) == (true.lower, True)
    for strategy in (solution.strategy[::-1], solution.strategy[:, ::-1]):
        again = replace(solution, strategy=strategy).recheck()
        assert (again.upper, again.lower < true.lower - 0.01) == (true.upper, True)
    for shift in (1, -1):
        assert replace(solution, weights=np.roll(solution.weights, shift)).recheck().lower < true.lower - 0.01
    for no_rule in (solution.rule[1:], solution.rule * 0.9, 9 * solution.rule - 4, solution.rule * np.nan):
        again = replace(solution, rule=no_rule).recheck()
        assert np.isnan([again.upper, again.difference]).all()
        assert again.lower == true.lower
    false: list[dict[str, Any]] = [
        {"weights": solution.weights[1:]},
        {"weights": solution.weights * 1.01},
        {"weights": solution.weights * np.inf},
        {"weights": np.array([3.0, -2.0, 0.0, 0.0])},
        {"strategy": solution.strategy[:, :, 1:]},
        {"strategy": solution.strategy * 1.01},
        {"strategy": solution.strategy * np.nan},
        {"strategy": 2 * solution.strategy - solution.strategy[:, :, ::-1]},
    ]
    for change in false:
        with np.errstate(invalid="ignore"):
            again = replace(solution, **change).recheck()
        assert np.isnan([again.lower, again.difference]).all()
        assert again.upper == true.upper
    for name in ("lower", "upper"):
        moved = replace(solution, **{name: getattr(solution, name) + 0.01})
        assert moved.recheck().difference == pytest.approx(0.01, abs=1e-6)


@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("left", [np.nan, np.inf, -np.inf, 1e308])
def test_bounds_hold_where_the_solver_fails(left: float, loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family = conditionally_independent(2, (0.5, 0.9))
    optimum = exact_minimax(family, 1, loss)

    class Failing:
        def __init__(self, *program: Any) -> None:
            _, objective, _, bounds, *_ = program
            self.x, self.z = [left] * objective.size, [left] * bounds.size

        def solve(self) -> "Failing":
            return self

    monkeypatch.setattr("clarabel.DefaultSolver", Failing)
    solution = exact_minimax(family, 1, loss)
    assert not solution.converged
    assert solution.rule == pytest.approx(np.full(solution.rule.shape, 0.5))
    assert solution.recheck().difference < 1e-12
    assert solution.lower < optimum.lower <= optimum.upper + 1e-12 < solution.upper + 1e-6


def test_two_sure_structures_are_told_apart_without_adversaries_only() -> None:
    sure = Family(np.array([[[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]]), reports=2, truthful=1)
    assert regularity(sure) == sensitivity(sure, 1) == 1
    assert regret_bounds(sure, 1) == (0.25, 0.25)
    assert exact_minimax(sure, 1).lower == pytest.approx(0.25, abs=1e-8)
    assert exact_minimax(sure, 1, "absolute").lower == pytest.approx(0.5, abs=1e-8)
    assert exact_minimax(sure, 0).upper == pytest.approx(0, abs=1e-8)
    assert sensitivity(sure, 0) == 0


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
