"""What bribed reporters say: every strategy by hand, or against trying all lies."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import bribeproof as bp
from bribeproof.attacks.corrupt import corrupt
from bribeproof.attacks.strategies import STRATEGIES
from tests.attacks.sheets import EXPERT, NAN, OF_SCORES

LABELS = [[0, 0, 2, 1, 2], [1, 1, 1, 0, 0], [2, 1, 1, 0, NAN]]
SCORES = [[1.0, 2.0, 3.0, 9.0], [8.0, 9.0, 7.0, 5.0], [5.0, 5.0, NAN, 4.0]]


@pytest.mark.parametrize(
    ("strategy", "options", "last_two"),
    [
        # Honest: (0, 0, 2), (1, 1, 1), (2, 1, 1).
        ("opposite", {}, [[1, 1], [0, 0], [0, NAN]]),
        ("opposite", {"answer_all": True}, [[1, 1], [0, 0], [0, 0]]),
        ("high", {}, [[2, 2], [2, 2], [2, NAN]]),
        ("low", {}, [[0, 0], [0, 0], [0, NAN]]),
        ("copy", {"copy": 0}, [[0, 0], [1, 1], [2, NAN]]),
        ("collude", {}, [[2, 2], [0, 0], [2, NAN]]),
        ("collude", {"truth": [2, NAN, 0]}, [[0, 0], [0, 0], [1, NAN]]),
        ("close", {}, [[2, 2], [0, 0], [0, NAN]]),
        ("sleeper", {"gold_items": [0]}, [[1, 2], [0, 0], [0, NAN]]),
        ("sleeper", {"truth": [NAN, 1, 1]}, [[1, 1], [0, 0], [0, NAN]]),
    ],
)
def test_labels_by_hand(strategy: str, options: dict[str, Any], last_two: list[list[float]]) -> None:
    found = corrupt(LABELS, adversaries=[4, 3], strategy=strategy, kind="labels", **options)
    assert_array_equal(found[:, 3:], last_two)
    assert_array_equal(found[:, :3], np.array(LABELS)[:, :3])


@pytest.mark.parametrize(
    ("strategy", "options", "last"),
    [
        ("opposite", {}, [10, 0, 10]),
        ("collude", {"truth": [9, 9, NAN]}, [0, 0, 10]),
        ("high", {}, [10, 10, 10]),
        ("low", {}, [0, 0, 0]),
        ("copy", {"copy": 2}, [3, 7, 4]),
        ("sleeper", {"gold_items": [1]}, [10, 5, 10]),
        ("low", {"scale": None}, [1, 1, 1]),
        ("high", {"scale": None}, [9, 9, 9]),
    ],
)
def test_scores_by_hand(strategy: str, options: dict[str, Any], last: list[float]) -> None:
    found = corrupt(SCORES, adversaries=[3], strategy=strategy, kind="scores", **({"scale": (0, 10)} | options))
    assert found[:, 3].tolist() == last
    assert_array_equal(found[:, :3], np.array(SCORES)[:, :3])


def winner(labels: Any, classes: int) -> int | None:
    """The class with strictly the most reports."""
    votes = np.bincount(np.asarray([label for label in labels if label == label], int), minlength=classes)
    return int(votes.argmax()) if (votes == votes.max()).sum() == 1 else None


@given(st.data())
def test_close_turns_every_item_that_can_be_turned_and_no_other(data: st.DataObject) -> None:
    classes, liars = data.draw(st.integers(2, 3)), data.draw(st.integers(1, 3))
    cells = st.sampled_from([*map(float, range(classes)), NAN])
    sheet = data.draw(arrays(float, (3, liars + data.draw(st.integers(0, 4))), elements=cells))
    found = corrupt(sheet, adversaries=range(liars), strategy="close", kind="labels", classes=range(classes))
    for before, after in zip(sheet, found, strict=True):
        counted = np.bincount(before[~np.isnan(before)].astype(int), minlength=classes)
        wins = int(counted.argmax())
        lying = np.flatnonzero(~np.isnan(before[:liars]))
        others = []
        for lies in product(range(classes), repeat=len(lying)):
            tried = before.copy()
            tried[lying] = lies
            others.append(winner(tried, classes) not in (None, wins))
        if any(others):
            assert winner(after, classes) not in (None, wins)
        else:
            assert_array_equal(before, after)


@given(st.data())
def test_worst_attains_the_exact_worst_case(data: st.DataObject) -> None:
    """Items in the proportions of the worst structure cost what `worst_case` says, also where rules fall."""
    n = data.draw(st.integers(2, 6))
    k = data.draw(st.integers(1, (n - 1) // 2)) if n > 2 else 0
    share = st.floats(0.02, 0.98)
    prior, low, high = data.draw(share), *sorted((data.draw(share), data.draw(share)))
    rule = bp.theory.Aggregator(data.draw(arrays(float, n + 1, elements=st.floats(0, 1))))
    loss = data.draw(st.sampled_from(["absolute", "squared"]))
    worst = bp.theory.worst_case(rule, bp.Panel(n, k), bp.Expert(prior, high, low), loss)
    cases = [
        (state, count, mass * weight)
        for state, mass, scenario in ((1, prior, worst.given_1), (0, 1 - prior, worst.given_0))
        for count, weight in zip(scenario.truthful, scenario.weights, strict=True)
    ]
    sheet = [[int(j < count) for j in range(n - k)] + [0] * k for _, count, _ in cases]
    truth = [state for state, _, _ in cases]
    found = corrupt(sheet, adversaries=range(n - k, n), strategy="worst", truth=truth, rule=lambda _: rule, loss=loss)
    costs = bp.theory.get_loss(loss).value(rule(found.sum(axis=1)), np.array(truth))
    assert float(costs @ [mass for _, _, mass in cases]) == pytest.approx(worst.expected_loss, abs=1e-12)
    ends = [bp.theory.get_loss(loss).value(rule.values, state) for state in (0, 1)]
    for (state, count, _), cost in zip(cases, costs, strict=True):
        assert cost == max(ends[state][count : count + k + 1])


def test_worst_against_the_optimal_rule_lies_with_the_truth() -> None:
    sheet = [[1, 1, 1, 1, 0], [0, 0, 0, 0, 1], [1, 0, 1, 0, 1]]
    found = corrupt(sheet, adversaries=[3, 4], strategy="worst", truth=[1, 0, 0], expert=EXPERT)
    assert found[:, 3:].tolist() == [[0, 0], [1, 1], [1, 1]]


@given(arrays(int, (5, 7), elements=st.integers(0, 1)), st.sampled_from(["opposite", "collude", "close", "worst"]))
def test_swapping_the_two_votes_swaps_the_lies(sheet: Any, strategy: str) -> None:
    """With five honest voters nothing is tied; the rule that is hurt treats both sides alike."""
    options: dict[str, Any] = {"strategy": strategy, "adversaries": [2, 5]}
    if strategy == "worst":
        options["rule"] = bp.rules.trimmed_mean
    assert_array_equal(corrupt(1 - sheet, **options), 1 - corrupt(sheet, **options))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kind", ["votes", "labels", "scores"])
@pytest.mark.parametrize("shape", [(0, 3), (2, 3)])
def test_sheets_with_nothing_or_one_class_in_them(strategy: str, kind: str, shape: tuple[int, int]) -> None:
    if (kind == "scores" and strategy not in OF_SCORES) or (kind == "labels" and strategy == "worst"):
        return
    options: dict[str, Any] = {"copy": 0} if strategy == "copy" else {}
    options |= {"expert": EXPERT} if strategy == "worst" else {}
    classes = [0] if kind == "labels" else None
    sheet = np.zeros(shape)
    for k in (0, 2):
        found = corrupt(sheet, k=k, strategy=strategy, kind=kind, classes=classes, **options)
        assert found.shape == shape
        assert kind != "labels" or (found == 0).all()
        assert k or (found == sheet).all()


def test_random_lies_take_every_class_alike() -> None:
    found = corrupt(np.zeros((4000, 2), int), adversaries=[1], strategy="random", kind="labels", classes=[0, 1, 2])
    assert np.abs(np.bincount(found[:, 1]) - 4000 / 3).max() < 5 * (4000 * 2 / 9) ** 0.5
    scores = corrupt(np.zeros((4000, 2)), adversaries=[1], strategy="random", kind="scores", scale=(-1, 3))
    assert abs(scores[:, 1].mean() - 1) < 5 * (16 / 12 / 4000) ** 0.5
    assert scores[:, 1].min() < -0.9
    assert scores[:, 1].max() > 2.9
