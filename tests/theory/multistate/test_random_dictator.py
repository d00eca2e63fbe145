"""Many states: the random dictator against enumeration and linear programs over all histograms."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import (
    Basis,
    Expert,
    MultiExpert,
    Panel,
    closed_form,
    dictator_guarantee,
    dictator_shares,
)
from tests.theory.worst_case_oracle import histograms, multistate_minimax_loss, solve

percents = st.integers(0, 20).map(lambda part: part / 20)


@st.composite
def settings_of_play(draw: st.DrawFn, largest: dict[int, int]) -> tuple[Panel, MultiExpert]:
    states = draw(st.sampled_from(list(largest)))
    n = draw(st.integers(1, largest[states]))
    panel = Panel(n, draw(st.integers(0, (n - 1) // 2)))
    weights = draw(st.lists(st.integers(1, 12), min_size=states, max_size=states))
    prior = tuple(weight / sum(weights) for weight in weights)
    return panel, MultiExpert(prior, tuple(draw(percents) for _ in range(states)))


def dictator_worst_loss(panel: Panel, expert: MultiExpert) -> float:
    """Worst error of the dictator: all truthful histograms, all completions, worst distribution by program."""
    labels, k = expert.states, panel.k
    completions = list(histograms(k, labels))
    truthful = list(histograms(panel.truthful, labels))
    total = 0.0
    for state, (weight, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
        worst = []
        for start in truthful:
            losses = []
            for more in completions:
                left = [max(0, x + y - k) for x, y in zip(start, more, strict=True)]
                share = Fraction(left[state], sum(left)) if sum(left) else Fraction(1, labels)
                losses.append(1 - float(share))
            worst.append(max(losses))
        constraints = [np.ones(len(truthful)), np.array([start[state] for start in truthful])]
        value = solve(-np.array(worst), A_eq=np.array(constraints), b_eq=[1, panel.truthful * accuracy])
        total -= weight * value
    return total


@given(settings_of_play({2: 7, 3: 6, 4: 5}))
def test_dictators_worst_loss_is_the_clamped_formula(play: tuple[Panel, MultiExpert]) -> None:
    panel, expert = play
    guarantee = dictator_guarantee(panel, expert)
    dictator = dictator_worst_loss(panel, expert)
    assert guarantee.expected_loss == pytest.approx(min(dictator, 1 - max(expert.prior)), abs=1e-8)
    if guarantee.basis is not Basis.PRIOR_ALONE:
        assert guarantee.expected_loss == pytest.approx(dictator, abs=1e-8)


@given(settings_of_play({2: 8, 3: 6, 4: 5}))
def test_exact_means_minimax(play: tuple[Panel, MultiExpert]) -> None:
    panel, expert = play
    guarantee = dictator_guarantee(panel, expert)
    optimum = multistate_minimax_loss(panel.n, panel.k, expert.prior, expert.accuracy)
    assert guarantee.expected_loss >= optimum - 1e-8
    assert guarantee.regret == guarantee.expected_loss
    if guarantee.exact:
        assert guarantee.expected_loss == pytest.approx(optimum, abs=1e-8)


def test_accuracy_below_k_counts_as_none() -> None:
    expert = MultiExpert((0.25, 0.25, 0.5), (0.1, 1.0, 1.0))
    panel = Panel(6, 2)
    assert dictator_guarantee(panel, expert).expected_loss == pytest.approx(0.25)
    assert dictator_worst_loss(panel, expert) == pytest.approx(0.25)
    unclamped = 1 - 0.25 * (4 * 0.1 - 2) / 2 - 0.75
    assert unclamped == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("n", "k", "prior", "accuracy", "bound", "optimum"),
    [
        (7, 3, (0.375, 0.331, 0.294), (0.73, 0.925, 0.791), 0.625, 0.536003),
        (3, 1, (0.265, 0.278, 0.297, 0.16), (0.97, 0.244, 0.764, 0.445), 0.593784, 0.584516),
        (3, 0, (0.284, 0.437, 0.279), (0.034, 0.041, 0.213), 0.563, 0.543),
        (7, 3, (1 / 3, 1 / 3, 1 / 3), (0.75, 0.75, 0.75), 2 / 3, 4 / 7),
    ],
)
def test_where_a_better_rule_exists(
    n: int, k: int, prior: tuple[float, ...], accuracy: tuple[float, ...], bound: float, optimum: float
) -> None:
    guarantee = dictator_guarantee(Panel(n, k), MultiExpert(prior, accuracy))
    assert not guarantee.exact
    assert guarantee.expected_loss == pytest.approx(bound, abs=1e-3)
    assert multistate_minimax_loss(n, k, prior, accuracy) == pytest.approx(optimum, abs=1e-3)


def test_number_of_states_does_not_matter() -> None:
    panel = Panel(8, 2)
    losses = [dictator_guarantee(panel, MultiExpert((1 / m,) * m, (0.9,) * m)).expected_loss for m in (2, 4, 8)]
    assert losses == pytest.approx([1 - (6 * 0.9 - 2) / 4] * 3)


@given(st.integers(1, 30), percents, percents, percents, st.data())
def test_two_states_agree_with_the_absolute_loss(
    n: int, prior: float, one: float, two: float, data: st.DataObject
) -> None:
    panel = Panel(n, data.draw(st.integers(0, (n - 1) // 2)))
    expert = Expert(prior, max(one, two), min(one, two))
    many = dictator_guarantee(panel, MultiExpert((1 - prior, prior), (1 - expert.fpr, expert.tpr)))
    binary = closed_form(panel, expert, "absolute").guarantee
    assert binary is not None
    assert many.expected_loss == pytest.approx(binary.expected_loss, abs=1e-12)


@given(st.integers(0, 4), st.lists(st.integers(0, 9), min_size=2, max_size=5))
def test_shares_are_exact(k: int, histogram: list[int]) -> None:
    left = [max(0, count - k) for count in histogram]
    total = sum(left)
    expected = [Fraction(x, total) if total else Fraction(1, len(left)) for x in left]
    shares = dictator_shares(histogram, k)
    assert shares == pytest.approx([float(share) for share in expected])
    assert shares.sum() == pytest.approx(1)


def test_shares_of_a_stack_and_of_unsigned_counts() -> None:
    stack = np.array([[[5, 0, 2], [1, 1, 1]], [[0, 0, 7], [2, 2, 2]]], dtype=np.uint8)
    shares = dictator_shares(stack, 1)
    assert shares.shape == (2, 2, 3)
    for index in np.ndindex(2, 2):
        assert shares[index].tolist() == dictator_shares(stack[index].tolist(), 1).tolist()


@pytest.mark.parametrize("histogram", [[1.0, 2.0], [-1, 2], 3, [3], [True, False], ["a", "b"], [[1, 2], [3]]])
def test_bad_histograms(histogram: Any) -> None:
    with pytest.raises(ParameterError, match="histogram"):
        dictator_shares(histogram, 1)


@pytest.mark.parametrize("k", [-1, 1.5, True, None])
def test_bad_k(k: Any) -> None:
    with pytest.raises(ParameterError, match="k = "):
        dictator_shares([1, 2], k)


@pytest.mark.parametrize(
    ("prior", "accuracy"),
    [
        ((1.0,), (0.9,)),
        ((0.5, 0.5), (0.9, 0.9, 0.9)),
        ((0.5, 0.4), (0.9, 0.9)),
        ((1.5, -0.5), (0.9, 0.9)),
        ((0.5, 0.5), (0.9, float("nan"))),
        ([0.5, 0.5], (0.9, 0.9)),
        ((0.5, 0.5), 0.9),
    ],
)
def test_bad_experts(prior: Any, accuracy: Any) -> None:
    with pytest.raises(ParameterError, match="MultiExpert"):
        MultiExpert(prior, accuracy)


def test_a_tie_of_dictator_and_prior_is_proven_best_without_adversaries() -> None:
    """Theorem 8.2: for k = 0 no rule beats 1 − Q where Q is at least every prior probability, also below 1/2."""
    crowd = MultiExpert((0.25, 0.25, 0.25, 0.25), (0.5, 0.25, 0.25, 0.0))
    guarantee = dictator_guarantee(Panel(3), crowd)
    assert guarantee.exact
    assert guarantee.expected_loss == 0.75
    assert multistate_minimax_loss(3, 0, crowd.prior, crowd.accuracy) == pytest.approx(0.75, abs=1e-9)


def test_when_the_prior_alone_is_proven_best() -> None:
    """Theorem 8.2: each state counts at most once in Σ μ·min(1, N·q/(n − 2k)), which must reach 1 − p."""
    enough = dictator_guarantee(Panel(5, 2), MultiExpert((0.6, 0.4), (0.6, 0.6)))
    assert (enough.exact, enough.expected_loss) == (True, 0.4)
    assert multistate_minimax_loss(5, 2, (0.6, 0.4), (0.6, 0.6)) == pytest.approx(0.4, abs=1e-9)
    too_little = dictator_guarantee(Panel(5, 2), MultiExpert((0.5, 0.1, 0.4), (0.0, 1.0, 0.3)))  # .1 + .4·.9 < .5
    assert (too_little.exact, too_little.expected_loss) == (False, 0.5)
