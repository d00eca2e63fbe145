"""Rules that are linear between counts: what they say, that they cannot be changed, and what they refuse."""

import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.rules import clipped_linear
from bribeproof.theory import Aggregator, Basis, Guarantee, Panel, PiecewiseLinear


@st.composite
def rules(draw: st.DrawFn) -> PiecewiseLinear:
    n = draw(st.integers(1, 30))
    counts = sorted(draw(st.sets(st.integers(0, n), min_size=1)))
    forecasts = draw(st.lists(st.floats(0, 1), min_size=len(counts), max_size=len(counts)))
    return PiecewiseLinear(n, counts, forecasts)


@given(rules())
def test_values_run_through_the_knots_on_straight_lines(rule: PiecewiseLinear) -> None:
    assert rule.values.shape == (rule.n + 1,)
    assert rule(rule.counts) == pytest.approx(rule.forecasts)
    assert [rule(count) for count in range(rule.n + 1)] == pytest.approx(rule.values.tolist())
    assert (rule.values[: rule.counts[0]] == rule.forecasts[0]).all()
    assert (rule.values[rule.counts[-1] :] == rule.forecasts[-1]).all()
    bends = np.flatnonzero(np.abs(np.diff(rule.values, 2)) > 1e-12) + 1
    assert set(bends.tolist()) <= set(rule.counts.tolist())


@given(rules())
def test_a_rule_equals_its_copies_and_no_other(rule: PiecewiseLinear) -> None:
    twin = pickle.loads(pickle.dumps(rule))  # noqa: S301
    assert twin == rule
    assert hash(twin) == hash(rule)
    assert rule != rule.described("another", None)
    assert rule != PiecewiseLinear(rule.n + 1, rule.counts, rule.forecasts)
    assert rule != Aggregator(rule.values, rule.name)
    assert eval(repr(rule), {"PiecewiseLinear": PiecewiseLinear}) == rule  # noqa: S307


def test_nothing_can_be_changed() -> None:
    counts, forecasts = np.array([1, 3]), np.array([0.2, 0.8])
    rule = PiecewiseLinear(4, counts, forecasts)
    counts[0], forecasts[0] = 0, 0.9
    assert rule.values.tolist() == [0.2, 0.2, 0.5, 0.8, 0.8]
    for array in (rule.counts, rule.forecasts, rule.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for field in ("name", "counts", "anything"):
        with pytest.raises(FrozenInstanceError):
            setattr(rule, field, None)
    with pytest.raises(FrozenInstanceError):
        del rule.counts


def test_described_keeps_the_rule() -> None:
    guarantee = Guarantee(0.2, 0.1, exact=True, basis=Basis.EXACT_SOLVER)
    rule = clipped_linear(Panel(7, 2), 0.1, 0.6).described("mine", guarantee)
    assert (rule.name, rule.guarantee) == ("mine", guarantee)
    assert rule.values.tolist() == clipped_linear(Panel(7, 2), 0.1, 0.6).values.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n = 0 is too small"),
        ({"n": 2.5}, "not an integer"),
        ({"counts": [0, 5]}, r"counts = \[0, 5\]; give ascending counts from 0 to 4"),
        ({"counts": [3, 1]}, "ascending"),
        ({"counts": [1, 1]}, "ascending"),
        ({"counts": [-1, 2]}, "-1"),
        ({"counts": [0.5, 2.0]}, "give integers"),
        ({"counts": [0, 1, 2]}, r"\(3,\)"),
        ({"counts": [], "forecasts": []}, "at least one"),
        ({"forecasts": [0.0, 1.5]}, "1.5"),
        ({"forecasts": [0.0, float("nan")]}, "nan"),
    ],
)
def test_bad_input(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"n": 4, "counts": [0, 4], "forecasts": [0.0, 1.0]}
    with pytest.raises(ParameterError, match=message):
        PiecewiseLinear(**arguments | change)
    with pytest.raises(ParameterError, match="exceeds the panel"):
        PiecewiseLinear(4, [0, 4], [0.0, 1.0])(5)
