"""The exact program for many states against another program, closed forms and exact fractions."""

from dataclasses import replace
from fractions import Fraction
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, MultiExpert, Panel, dictator_guarantee, optimal_aggregator
from bribeproof.theory.multistate.linear_program import multistate_minimax
from bribeproof.theory.multistate.solution import MultistateSolution
from bribeproof.theory.multistate.worst_loss import dictator_worst_loss
from tests.theory.worst_case_oracle import histograms, minimax_loss, multistate_minimax_loss, solve

percents = st.integers(0, 20).map(lambda part: part / 20)


@st.composite
def plays_of(draw: st.DrawFn, largest: dict[int, int]) -> tuple[Panel, MultiExpert]:
    states = draw(st.sampled_from(list(largest)))
    n = draw(st.integers(1, largest[states]))
    weights = draw(st.lists(st.integers(0, 9), min_size=states, max_size=states).filter(any))
    prior = tuple(weight / sum(weights) for weight in weights)
    panel = Panel(n, draw(st.integers(0, (n - 1) // 2)))
    return panel, MultiExpert(prior, tuple(draw(percents) for _ in range(states)))


def worst_loss(rule: dict[tuple[int, ...], list[float]], panel: Panel, expert: MultiExpert) -> float:
    """Worst error of any rule: all truthful histograms, all completions, worst distribution by program."""
    truthful = list(histograms(panel.truthful, expert.states))
    more = list(histograms(panel.k, expert.states))
    total = 0.0
    for state, (prior, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
        worst = [
            max(1 - rule[tuple(x + y for x, y in zip(start, extra, strict=True))][state] for extra in more)
            for start in truthful
        ]
        constraints = np.array([[1.0] * len(truthful), [float(start[state]) for start in truthful]])
        total -= prior * solve(-np.array(worst), A_eq=constraints, b_eq=[1, panel.truthful * accuracy])
    return total


def best_against(solution: MultistateSolution) -> float:
    """Least error against the plays, which must be an information structure and a strategy."""
    panel, expert = solution.panel, solution.expert
    mass: dict[tuple[int, ...], list[float]] = {}
    for play in solution.plays:
        assert sum(play.truthful) == panel.truthful
        assert min(play.truthful) >= 0
        assert sum(play.seen) == panel.n
        assert all(after >= before for before, after in zip(play.truthful, play.seen, strict=True))
        assert play.probability >= 0
        mass.setdefault(play.seen, [0.0] * expert.states)[play.state] += play.probability
    for state, (prior, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
        mine = [play for play in solution.plays if play.state == state]
        assert sum(play.probability for play in mine) == pytest.approx(prior, abs=1e-12)
        right = sum(play.probability * play.truthful[state] for play in mine)
        assert right == pytest.approx(prior * panel.truthful * accuracy, abs=1e-12)
    return 1 - sum(max(row) for row in mass.values())


@given(plays_of({2: 8, 3: 6, 4: 5}))
def test_bounds_meet_at_the_optimum_of_another_program(play: tuple[Panel, MultiExpert]) -> None:
    panel, expert = play
    solution = multistate_minimax(panel, expert)
    optimum = multistate_minimax_loss(panel.n, panel.k, expert.prior, expert.accuracy)
    assert solution.lower == pytest.approx(optimum, abs=1e-8)
    assert solution.upper == pytest.approx(optimum, abs=1e-8)
    assert -1e-12 <= solution.gap <= 1e-9


def value_of_the_whole_game(panel: Panel, expert: MultiExpert) -> float:
    """Minimax error by Nature's program over all triples of state, truthful histogram and adversaries' reports."""
    plays = [
        (state, before, tuple(map(sum, zip(before, more, strict=True))))
        for state in range(expert.states)
        for before in histograms(panel.truthful, expert.states)
        for more in histograms(panel.k, expert.states)
    ]
    place = {seen: row for row, seen in enumerate(histograms(panel.n, expert.states))}
    exceeds = np.zeros((len(place) * expert.states, len(plays) + len(place)))
    fixed = np.zeros((2 * expert.states, exceeds.shape[1]))
    for column, (state, before, after) in enumerate(plays):
        exceeds[place[after] * expert.states + state, column] = expert.prior[state]
        fixed[state, column], fixed[expert.states + state, column] = 1, before[state]
    for row in place.values():  # the likeliest state at each histogram seen is right
        exceeds[row * expert.states : (row + 1) * expert.states, len(plays) + row] = -1
    return 1 - solve(
        np.concatenate([np.zeros(len(plays)), np.ones(len(place))]),
        A_ub=exceeds,
        b_ub=np.zeros(len(exceeds)),
        A_eq=fixed,
        b_eq=np.concatenate([np.ones(expert.states), panel.truthful * np.array(expert.accuracy)]),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )


def assert_optimal(panel: Panel, expert: MultiExpert, value: float) -> None:
    solution = multistate_minimax(panel, expert)
    assert solution.converged
    assert (solution.lower, solution.upper) == pytest.approx((value, value), abs=1e-8)
    assert solution.lower == pytest.approx(best_against(solution), abs=1e-12)


at_the_edge = st.sampled_from([0.0, 1.0])
nearly = st.integers(1, 16).flatmap(lambda digits: st.sampled_from([10.0**-digits, 1 - 10.0**-digits]))
edges_too = st.one_of(at_the_edge, at_the_edge, nearly, st.floats(0.001, 0.999))


@st.composite
def plays_at_the_edge(draw: st.DrawFn, largest: dict[int, int]) -> tuple[Panel, MultiExpert]:
    panel, expert = draw(plays_of(largest))
    return panel, MultiExpert(expert.prior, tuple(draw(edges_too) for _ in range(expert.states)))


def play(n: int, k: int, prior: tuple[float, ...], accuracy: tuple[float, ...]) -> tuple[Panel, MultiExpert]:
    return Panel(n, k), MultiExpert(prior, accuracy)


# The solver's mean lies beside 0 or N by rounding: to mend that may move no more of the play than the rounding.
@given(plays_at_the_edge({2: 8, 3: 5, 4: 4}))
@example(play(7, 3, (0.8, 0.2), (1.0, 0.15)))
@example(play(7, 3, (0.2, 0.8), (0.15, 1.0)))
@example(play(7, 3, (0.8, 0.2), (0.15, 1.0)))
@example(play(7, 3, (0.8, 0.2), (0.0, 0.85)))
@example(play(7, 3, (0.2, 0.8), (0.85, 0.0)))
@example(play(7, 3, (0.8, 0.2), (1 - 1e-10, 0.15)))
@example(play(7, 3, (0.8, 0.2), (1e-10, 0.85)))
@example(play(7, 3, (0.5, 0.3, 0.2), (1.0, 0.15, 0.4)))
@example(play(7, 3, (0.5, 0.3, 0.2), (0.0, 0.85, 1.0)))
@example(play(5, 2, (0.4, 0.3, 0.2, 0.1), (1.0, 0.15, 0.0, 0.7)))
@example(play(5, 2, (0.1, 0.2, 0.3, 0.4), (0.0, 1.0, 0.15, 1.0)))
@example(play(7, 0, (5 / 7, 1 / 7, 1 / 7), (1 - 1e-14, 1 - 1e-7, 0.0)))
@example(play(3, 0, (1e-10, 0.97 - 1e-10, 0.01, 0.02), (1.0, 1.0, 1 / 3, 1e-11)))
def test_rates_of_0_and_1_agree_with_the_whole_game(game: tuple[Panel, MultiExpert]) -> None:
    assert_optimal(*game, value_of_the_whole_game(*game))


@pytest.mark.parametrize("states", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_who_is_always_right_is_never_wrong(n: int, states: int) -> None:
    prior = tuple(float(weight) for weight in np.arange(1, states + 1) / (states * (states + 1) / 2))
    for k in range((n + 1) // 2):
        assert_optimal(*play(n, k, prior, (1.0,) * states), 0.0)
        if states == 2:  # who is always wrong is always right, read the other way round
            assert_optimal(*play(n, k, prior, (0.0, 0.0)), 0.0)


@given(plays_of({2: 6, 3: 5, 4: 4}))
def test_bounds_are_those_of_the_rule_and_of_the_plays(play: tuple[Panel, MultiExpert]) -> None:
    panel, expert = play
    solution = multistate_minimax(panel, expert)
    rule = {seen: solution(list(seen)).tolist() for seen in histograms(panel.n, expert.states)}
    assert all(min(row) >= 0 and sum(row) == pytest.approx(1, abs=1e-12) for row in rule.values())
    assert solution.upper == pytest.approx(worst_loss(rule, panel, expert), abs=1e-9)
    assert solution.lower == pytest.approx(best_against(solution), abs=1e-12)
    assert solution.recheck().difference < 1e-12


@given(plays_of({2: 8, 3: 7, 4: 5}))
def test_agrees_with_the_guarantee_where_that_is_exact(play: tuple[Panel, MultiExpert]) -> None:
    guarantee, solution = dictator_guarantee(*play), multistate_minimax(*play)
    assert solution.lower <= guarantee.expected_loss + 1e-12
    if guarantee.exact:
        assert solution.lower == pytest.approx(guarantee.expected_loss, abs=1e-9)


@given(plays_of({2: 7, 3: 6, 4: 5}))
def test_dictators_worst_loss(play: tuple[Panel, MultiExpert]) -> None:
    panel, expert = play
    rule = {}
    for seen in histograms(panel.n, expert.states):
        left = [max(0, count - panel.k) for count in seen]
        rule[seen] = [float(Fraction(x, sum(left))) if any(left) else 1 / expert.states for x in left]
    loss = dictator_worst_loss(panel, expert)
    assert loss == pytest.approx(worst_loss(rule, panel, expert), abs=1e-9)
    assert min(loss, 1 - max(expert.prior)) == pytest.approx(dictator_guarantee(panel, expert).expected_loss, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "k", "accuracy", "value", "dictator"),
    [
        (7, 3, (0.75, 0.75, 0.75), 4 / 7, 1.0),
        (5, 2, (0.78, 0.78, 0.78), 0.532, 0.66),
        (6, 2, (0.1, 1.0, 1.0), 1 / 3, 1 / 3),
    ],
)
def test_known_values(n: int, k: int, accuracy: tuple[float, ...], value: float, dictator: float) -> None:
    panel, expert = Panel(n, k), MultiExpert((1 / 3,) * 3, accuracy)
    solution = multistate_minimax(panel, expert)
    assert solution.lower == pytest.approx(value, abs=1e-9)
    assert solution.gap == pytest.approx(0, abs=1e-9)
    assert dictator_worst_loss(panel, expert) == pytest.approx(dictator, abs=1e-9)


@given(st.integers(1, 9), percents, percents, percents, st.data())
def test_two_states_agree_with_the_absolute_loss(
    n: int, prior: float, one: float, two: float, data: st.DataObject
) -> None:
    panel = Panel(n, data.draw(st.integers(0, (n - 1) // 2)))
    expert = Expert(prior, max(one, two), min(one, two))
    solution = multistate_minimax(panel, MultiExpert((1 - prior, prior), (1 - expert.fpr, expert.tpr)))
    exact = minimax_loss(panel.n, panel.k, prior, expert.tpr, expert.fpr, "absolute")
    assert solution.lower == pytest.approx(exact, abs=1e-8)
    assert solution.upper == pytest.approx(exact, abs=1e-8)


def test_two_states_agree_with_theorem_a() -> None:
    panel, expert = Panel(10, 2), Expert(0.4, 0.8, 0.1)
    binary = optimal_aggregator(panel, expert, "absolute").guarantee
    assert binary is not None
    assert binary.exact
    solution = multistate_minimax(panel, MultiExpert((0.6, 0.4), (0.9, 0.8)))
    assert solution.lower == pytest.approx(binary.expected_loss, abs=1e-9)


def test_largest_promised_size() -> None:
    solution = multistate_minimax(Panel(8, 2), MultiExpert((0.4, 0.3, 0.2, 0.1), (0.9, 0.85, 0.8, 0.95)))
    assert solution.gap == pytest.approx(0, abs=1e-9)
    assert solution([[8, 0, 0, 0], [2, 2, 2, 2]]).shape == (2, 4)


def test_degenerate_corner() -> None:
    expert = MultiExpert((4 / 11, 0.0, 2 / 11, 5 / 11), (0.6, 0.0, 0.0, 1.0))
    solution = multistate_minimax(Panel(4, 1), expert)
    assert (solution.lower, solution.upper) == pytest.approx((0.4, 0.4), abs=1e-12)


def test_tiny_prior_is_no_trouble() -> None:
    solution = multistate_minimax(Panel(3, 1), MultiExpert((1 - 1e-13, 1e-13), (0.9, 0.9)))
    assert solution.gap == pytest.approx(0, abs=1e-9)
    assert solution.recheck().difference < 1e-12
    solution = multistate_minimax(Panel(5, 1), MultiExpert((1e-17, 0.4, 0.6), (0.9, 0.9, 0.9)))
    assert solution.gap == pytest.approx(0, abs=1e-9)


def test_bounds_share_a_prior_whose_sum_is_off_by_rounding() -> None:
    for total in (1 - 9e-10, 1 + 9e-10):
        solution = multistate_minimax(Panel(5, 1), MultiExpert((0.4, total - 0.4), (0.9, 0.8)))
        assert solution.gap == pytest.approx(0, abs=1e-12)
        assert solution.recheck().lower == pytest.approx(solution.lower, abs=1e-12)


def test_no_loss_is_negative() -> None:
    solution = multistate_minimax(Panel(10), MultiExpert((1 - 1e-9, 1e-9), (0.3, 0.0)))
    assert 0 <= solution.lower <= solution.upper


def test_recheck_sees_a_false_play() -> None:
    solution = multistate_minimax(Panel(5, 1), MultiExpert((0.5, 0.25, 0.25), (0.8, 0.8, 0.8)))
    first, *rest = solution.plays
    assert isnan(replace(solution, plays=(replace(first, truthful=(9, 0, 0)), *rest)).recheck().lower)
    assert isnan(replace(solution, plays=tuple(rest)).recheck().lower)
    other_mean = replace(first, truthful=first.truthful[::-1], seen=first.seen[::-1])
    assert isnan(replace(solution, plays=(other_mean, *rest)).recheck().lower)
    assert isnan(replace(solution, plays=()).recheck().difference)
    some, none = first.truthful.index(max(first.truthful)), first.truthful.index(min(first.truthful))
    unseen = tuple(count - (c == some) + 2 * (c == none) for c, count in enumerate(first.truthful))
    assert isnan(replace(solution, plays=(replace(first, seen=unseen), *rest)).recheck().lower)
    worse = np.roll(solution.rule, 1, axis=1)
    assert replace(solution, rule=worse).recheck().upper > solution.upper + 0.1
    for no_rule in (solution.rule + 0.1, solution.rule[1:], solution.rule * np.nan, 1.5 * solution.rule - 1 / 6):
        assert isnan(replace(solution, rule=no_rule).recheck().upper)
    with pytest.raises(ValueError, match="read-only"):
        solution.rule[0, 0] = 1


@pytest.mark.parametrize("left", [None, np.nan, np.inf, -1.0])
def test_bounds_hold_where_the_solver_fails(left: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, expert = Panel(5, 1), MultiExpert((0.5, 0.25, 0.25), (0.8, 0.8, 0.8))
    optimum = multistate_minimax(panel, expert)
    assert optimum.converged

    def failing(objective: NDArray[np.float64], **_: Any) -> OptimizeResult:
        return OptimizeResult(x=None if left is None else np.full(objective.size, left))

    monkeypatch.setattr("scipy.optimize.linprog", failing)
    solution = multistate_minimax(panel, expert)
    rule = {seen: [1 / 3] * 3 for seen in histograms(5, 3)}
    assert not solution.converged
    assert solution.upper == pytest.approx(worst_loss(rule, panel, expert), abs=1e-12)
    assert solution.lower == pytest.approx(best_against(solution), abs=1e-12)
    assert solution.lower < optimum.lower < optimum.upper < solution.upper


@pytest.mark.parametrize("histogram", [[1, 1, 1], [5, 0], 5, [5.0, 0.0, 0.0], [6, -1, 0]])
def test_bad_histograms(histogram: Any) -> None:
    solution = multistate_minimax(Panel(5, 1), MultiExpert((0.5, 0.25, 0.25), (0.8, 0.8, 0.8)))
    with pytest.raises(ParameterError, match="histogram"):
        solution(histogram)


@pytest.mark.parametrize("function", [multistate_minimax, dictator_worst_loss])
def test_bad_arguments(function: Any) -> None:
    expert = MultiExpert((0.5, 0.5), (0.8, 0.8))
    with pytest.raises(ParameterError, match="panel = "):
        function(5, expert)
    with pytest.raises(ParameterError, match="expert = "):
        function(Panel(5, 1), Expert(0.5, 0.8, 0.1))
    with pytest.raises(ParameterError, match="more than 20000"):
        function(Panel(60, 1), MultiExpert((0.25,) * 4, (0.8,) * 4))


def test_one_histogram_of_another_size_among_many_is_refused() -> None:
    solution = multistate_minimax(Panel(5, 1), MultiExpert((0.5, 0.25, 0.25), (0.8, 0.8, 0.8)))
    assert solution([[5, 0, 0], [1, 2, 2]]).shape == (2, 3)
    with pytest.raises(ParameterError, match="sum to n = 5"):
        solution([[5, 0, 0], [1, 1, 2]])
