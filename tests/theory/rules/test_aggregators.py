"""Named rules against the votes themselves, written out and sorted."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.rules import clipped_linear, constant, majority, mean, median, random_dictator, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Panel, RandomDictator, optimal_aggregator

sizes = st.integers(1, 25)


def votes(n: int, count: int) -> list[int]:
    return [0] * (n - count) + [1] * count


@given(sizes, st.data())
def test_trimmed_mean_is_the_mean_of_the_sorted_middle(n: int, data: st.DataObject) -> None:
    trim = data.draw(st.integers(0, (n - 1) // 2))
    expected = [np.mean(votes(n, count)[trim : n - trim]) for count in range(n + 1)]
    assert trimmed_mean(Panel(n), trim).values == pytest.approx(expected)
    assert trimmed_mean(Panel(n, trim)).values == pytest.approx(expected)
    assert random_dictator(Panel(n), trim).values == pytest.approx(expected)
    assert clipped_linear(Panel(n, trim), 0, 1).values == pytest.approx(expected)


@given(sizes)
def test_mean_median_majority(n: int) -> None:
    panel = Panel(n)
    assert mean(panel).values == pytest.approx([np.mean(votes(n, count)) for count in range(n + 1)])
    assert median(panel).values == pytest.approx([np.median(votes(n, count)) for count in range(n + 1)])
    wins = [1.0 if 2 * count > n else 0.0 if 2 * count < n else 0.5 for count in range(n + 1)]
    assert majority(panel).values.tolist() == wins


@given(sizes)
def test_median_and_majority_agree_on_votes_but_keep_their_names(n: int) -> None:
    assert median(Panel(n)).values.tolist() == majority(Panel(n)).values.tolist()
    assert median(Panel(n)) != majority(Panel(n))


@given(sizes, st.floats(0, 1), st.floats(0, 1), st.data())
def test_clipped_linear_keeps_its_ends_exactly(n: int, low: float, high: float, data: st.DataObject) -> None:
    trim = data.draw(st.integers(0, (n - 1) // 2))
    values = clipped_linear(Panel(n), low, high, trim).values
    assert set(values[: trim + 1]) == {low}
    assert set(values[n - trim :]) == {high}
    middle = np.diff(values[trim : n - trim + 1])
    assert middle == pytest.approx(np.full(middle.size, (high - low) / (n - 2 * trim)))


@given(sizes, st.floats(0, 1))
def test_constant(n: int, value: float) -> None:
    assert set(constant(Panel(n), value).values) == {value}
    assert constant(Panel(n), value).n == n


@given(st.data())
def test_swapping_the_labels_mirrors_the_rule(data: st.DataObject) -> None:
    n = data.draw(sizes)
    trim = data.draw(st.integers(0, (n - 1) // 2))
    for rule in (trimmed_mean(Panel(n), trim), mean(Panel(n)), median(Panel(n)), majority(Panel(n))):
        assert rule.values[::-1] == pytest.approx(1 - rule.values)


def test_calls() -> None:
    rule = trimmed_mean(Panel(5, 1))
    assert rule(2) == pytest.approx(1 / 3)
    assert type(rule(2)) is float
    assert rule(np.uint8(4)) == 1  # type: ignore[call-overload]
    assert rule([0, 3]) == pytest.approx([0, 2 / 3])
    assert rule(np.array([[5, 1]], dtype=np.int8)).shape == (1, 2)
    assert rule([]).shape == (0,)
    assert rule.n == 5


@pytest.mark.parametrize(
    "count", [6, -1, 2.0, True, "2", None, [1, 6], [1.0], [[1], [2, 3]], np.uint64(2**64 - 1), 2**70]
)
def test_calls_refuse(count: Any) -> None:
    with pytest.raises(ParameterError, match="count of H reports"):
        trimmed_mean(Panel(5, 1))(count)
    with pytest.raises(ParameterError, match="count of H reports"):
        random_dictator(Panel(5, 1)).draw(count, seed=0)


@pytest.mark.parametrize("values", [[0.5], [], [[0, 1], [0, 1]], [0, 1.1], [0, float("nan")], ["a", "b"], 0.5])
def test_values_refused(values: Any) -> None:
    with pytest.raises(ParameterError, match="values"):
        Aggregator(values)


@pytest.mark.parametrize("trim", [3, -1, 1.5, True, "1"])
@pytest.mark.parametrize("rule", [trimmed_mean, random_dictator, lambda panel, trim: clipped_linear(panel, 0, 1, trim)])
def test_trim_refused(rule: Callable[[Panel, Any], Aggregator], trim: Any) -> None:
    with pytest.raises(ParameterError, match="trim"):
        rule(Panel(6), trim)


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan"), None, True])
def test_forecasts_refused(bad: Any) -> None:
    with pytest.raises(ParameterError, match="low"):
        clipped_linear(Panel(3), bad, 1)
    with pytest.raises(ParameterError, match="high"):
        clipped_linear(Panel(3), 0, bad)
    with pytest.raises(ParameterError, match="constant value"):
        constant(Panel(3), bad)


def test_values_are_copied_and_read_only() -> None:
    source = np.array([0.0, 1.0])
    rule = Aggregator(source)
    source[0] = 0.7
    assert rule(0) == 0
    for twin in (rule, copy.deepcopy(rule), pickle.loads(pickle.dumps(rule))):  # noqa: S301
        with pytest.raises(ValueError, match="read-only"):
            twin.values[0] = 1


def test_equality() -> None:
    panel = Panel(7, 2)
    rule = optimal_aggregator(panel, Expert(0.5, 0.8, 0.1))
    assert rule == optimal_aggregator(panel, Expert(0.5, 0.8, 0.1)) == pickle.loads(pickle.dumps(rule))  # noqa: S301
    assert hash(rule) == hash(copy.deepcopy(rule))
    assert trimmed_mean(panel) == trimmed_mean(Panel(7, 3), trim=2)
    assert trimmed_mean(panel) != random_dictator(panel)
    assert Aggregator(trimmed_mean(panel).values, "random dictator") != random_dictator(panel)
    assert trimmed_mean(panel) != Aggregator(trimmed_mean(panel).values, "other")
    assert trimmed_mean(panel) != trimmed_mean(panel).values.tolist()
    assert rule != Aggregator(rule.values, rule.name)


def test_dictator_follows_each_survivor_equally_often() -> None:
    rule = random_dictator(Panel(9, 2))
    assert isinstance(rule, RandomDictator)
    draws = rule.draw(np.tile(np.arange(10), (40_000, 1)), np.random.default_rng(7))
    assert set(np.unique(draws)) == {0, 1}
    assert draws.mean(axis=0) == pytest.approx(rule.values, abs=0.012)
    assert draws[:, :3].max() == 0
    assert draws[:, 7:].min() == 1


def test_dictator_repeats_a_seed() -> None:
    rule = random_dictator(Panel(9, 2))
    counts = np.arange(3, 7).repeat(50)
    first, second = rule.draw(counts, seed=3), rule.draw(counts, np.random.default_rng(3))
    assert (first == second).all()
    assert (first != rule.draw(counts, seed=4)).any()
    assert type(rule.draw(4, seed=0)) is int


@pytest.mark.parametrize("seed", [None, -3, 1.5, True, np.random])
def test_dictator_refuses_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(ParameterError, match="seed"):
        random_dictator(Panel(3, 1)).draw(1, seed)
