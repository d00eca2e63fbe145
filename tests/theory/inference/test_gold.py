"""What gold items say: sound for every k, every way to pose, every dependence, and how conservative that is."""

import itertools
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, Panel, optimal_aggregator, worst_case
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound
from bribeproof.theory.inference.gold import Gold, least_weighted_mean

N, K = 7, 2


def counted(truth: NDArray[np.bool], answers: NDArray[np.bool]) -> Gold:
    """Count right answers of items by reporters, reporter by reporter and item by item."""
    right = [[int((answers[truth == state, j] == state).sum()) for j in range(answers.shape[1])] for state in (0, 1)]
    asked = [[int((truth == state).sum())] * answers.shape[1] for state in (0, 1)]
    together = np.zeros((2, answers.shape[1] + 1), int)
    for state, row in zip(truth, answers, strict=True):
        together[int(state), int((row == state).sum())] += 1
    return Gold(np.array(asked), np.array(right), together)


def draw(rng: np.random.Generator, items: int, kind: str) -> tuple[NDArray[np.bool], NDArray[np.bool], Expert]:
    """Draw gold answers of a panel of reporters that differ, K of them bribed, and the mean rates of the others."""
    prior = rng.uniform(0.2, 0.8)
    tprs, fprs = rng.uniform(0.6, 0.98, N), rng.uniform(0.02, 0.4, N)
    truth = rng.random(items) < prior
    rates = np.where(truth[:, None], tprs, fprs)
    luck = rng.random((items, 1 if kind == "together" else N))
    answers = luck < rates
    if kind == "pose":
        answers[:, :K] = truth[:, None]
    if kind == "spoil":
        answers[:, :K] = ~truth[:, None]
    honest = slice(K, None)
    return truth, answers, Expert(prior, float(tprs[honest].mean()), float(fprs[honest].mean()))


@pytest.mark.parametrize("kind", ["apart", "together", "pose", "spoil"])
@pytest.mark.parametrize("items", [30, pytest.param(400, marks=pytest.mark.slow)])
def test_what_is_said_holds_as_often_as_it_is_said_to(kind: str, items: int) -> None:
    rng = np.random.default_rng(items)
    confidence, runs, wrong = 0.8, 120, 0
    for _ in range(runs):
        truth, answers, expert = draw(rng, items, kind)
        known = counted(truth, answers).expert_interval(Panel(N, K), confidence)
        wrong += not (
            known.prior[0] <= expert.prior <= known.prior[1] and known.tpr <= expert.tpr and expert.fpr <= known.fpr
        )
    # Chance alone exceeds 37 of 120 once in a thousand times at a risk of 0.2.
    assert wrong <= 37


def test_the_guarantee_holds_for_the_panel_that_was_drawn() -> None:
    rng = np.random.default_rng(7)
    panel, runs, wrong, slack = Panel(N, K), 40, 0, []
    for _ in range(runs):
        truth, answers, expert = draw(rng, 300, "pose")
        rule = optimal_aggregator(panel, counted(truth, answers).expert_interval(panel, 0.9), "squared")
        assert rule.guarantee is not None
        largest = worst_case(rule, panel, expert, "squared").largest_loss
        wrong += largest > rule.guarantee.expected_loss + 1e-12
        slack.append(rule.guarantee.expected_loss - largest)
    assert wrong <= 9
    assert np.median(slack) < 0.08


def test_reporters_that_differ_and_few_gold_items() -> None:
    rng = np.random.default_rng(1)
    truth, answers, _ = draw(rng, 200, "apart")
    gold = counted(truth, answers)
    panel = Panel(N, K)
    tight, loose = gold.expert_interval(panel, 0.5), gold.expert_interval(panel, 0.999)
    assert loose.tpr < tight.tpr <= gold.observed_interval(panel).tpr
    assert loose.fpr > tight.fpr >= gold.observed_interval(panel).fpr
    many = gold.repeated(1000).expert_interval(panel, 0.95)
    assert many.tpr == pytest.approx(gold.observed_interval(panel).tpr, abs=0.01)
    assert many.fpr == pytest.approx(gold.observed_interval(panel).fpr, abs=0.01)
    nothing = Gold(np.zeros((2, N), int), np.zeros((2, N), int), np.zeros((2, N + 1), int))
    assert nothing.expert_interval(panel, 0.95).prior == (0, 1)
    assert (nothing.expert_interval(panel, 0.95).tpr, nothing.expert_interval(panel, 0.95).fpr) == (0, 1)


def test_copies_of_one_reporter_count_as_one() -> None:
    truth = np.array([True] * 40 + [False] * 40)
    one = np.where(np.arange(80) % 10 == 0, ~truth, truth)
    copies = counted(truth, np.repeat(one[:, None], 9, axis=1)).expert_interval(Panel(9), 0.95, prior=(0.5, 0.5))
    alone = counted(truth, one[:, None]).expert_interval(Panel(1), 0.95, prior=(0.5, 0.5))
    assert alone.tpr - 0.1 < copies.tpr <= alone.tpr < 0.8


@given(st.integers(1, 6), st.data())
def test_more_bribed_reporters_are_never_worth_more(n: int, data: st.DataObject) -> None:
    items = data.draw(st.integers(1, 20))
    bits = data.draw(st.lists(st.booleans(), min_size=items * (n + 1), max_size=items * (n + 1)))
    table = np.array(bits).reshape(items, n + 1)
    gold = counted(table[:, 0], table[:, 1:])
    found = [gold.expert_interval(Panel(n, k), 0.9) for k in range((n + 1) // 2)]
    for less, more in pairwise(found):
        assert more.tpr <= less.tpr + 1e-12
        assert more.fpr >= less.fpr - 1e-12
    assert sum(gold.items) == items


@pytest.mark.parametrize(
    ("asked", "right", "together"),
    [
        ([[1]] * 2, [[2]] * 2, [[0, 1]] * 2),
        ([[1]] * 2, [[1]] * 2, [[1, 0]] * 2),
        ([[1, 1]] * 2, [[1]] * 2, [[0, 1]] * 2),
        ([[]] * 2, [[]] * 2, [[0]] * 2),
    ],
)
def test_counts_that_contradict_one_another(asked: object, right: object, together: object) -> None:
    with pytest.raises(ParameterError):
        Gold(np.array(asked), np.array(right), np.array(together))


def test_a_panel_of_another_size() -> None:
    gold = Gold(np.array([[1]] * 2), np.array([[1]] * 2), np.array([[0, 1]] * 2))
    with pytest.raises(ParameterError, match="n = 3"):
        gold.expert_interval(Panel(3), 0.95)


def test_what_all_say_together_is_worth_more_than_each_alone_at_a_quarter_of_the_risk() -> None:
    """A known prior leaves the risk to two rates, each bounded in two ways: a quarter is for the shares of all."""
    n, k, items = 7, 1, 60
    all_but_one = 12
    together = np.zeros((2, n + 1), int)
    together[:, n], together[:, n - 1] = items - all_but_one, all_but_one
    correct = np.full((2, n), items)
    correct[:, 0] -= all_but_one
    gold = Gold(np.full((2, n), items), correct, together)
    found = gold.expert_interval(Panel(n, k), 0.95, prior=(0.5, 0.5))
    shares = np.maximum(0, np.arange(n + 1) - k) / (n - k)
    assert found.tpr == pytest.approx(mean_lower_bound(together[1], shares, 0.05 / 4), rel=1e-12)
    assert found.fpr == pytest.approx(1 - found.tpr, rel=1e-12)


def test_unsure_gold_items_move_the_prior_either_way() -> None:
    """Against all ways to leave some of the unsure items out."""
    together = np.array([[0, 0, 4, 6], [0, 5, 3, 4]])
    answered, correct = np.array([[10] * 3, [12] * 3]), np.array([[9, 9, 8], [8, 8, 7]])
    by_reporters = np.array([[0, 3, 4, 5], [1, 2, 5, 5]])
    gold = Gold(answered, correct, together, np.array([2, 1]), by_reporters)
    assert (gold.items, gold.unsure(0), gold.unsure(1)) == ((12, 13), (0, 1), (3, 3))
    found = gold.expert_interval(Panel(3, 1), 0.9).prior
    each = [clopper_pearson(ones, ones + zeros, 1 - 0.1 / 3) for ones in range(10, 14) for zeros in range(9, 13)]
    assert found == (min(float(low) for low, _ in each), max(float(high) for _, high in each))
    with pytest.raises(ParameterError, match="contradict"):
        Gold(answered, correct, together, np.array([2, 1]), by_reporters + 1)


@given(st.integers(1, 6), st.data())
def test_the_least_weighted_mean_by_trying_every_choice(n: int, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    left_out = data.draw(st.integers(0, n - 1))
    kept = list(itertools.combinations(range(n), n - left_out))
    if any(not sum(weights[one] for one in chosen) for chosen in kept):
        expected = 0.0
    else:
        expected = min(
            sum(weights[one] * values[one] for one in chosen) / sum(weights[one] for one in chosen) for chosen in kept
        )
    assert least_weighted_mean(values, weights, left_out) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mean", [0.3, 0.7, 0.95])
def test_more_zeros_never_make_the_bound_fail_more_often(mean: float) -> None:
    """Bribed reporters choose, after the fact, on how many more gold items they alone are wrong: exact chances."""
    items, risk = 40, 0.05
    failed = 0.0
    for right in range(items + 1):
        bounds = [
            mean_lower_bound([items - right + extra, right], [0, 1], risk, planned=100) for extra in (0, 1, 5, 30)
        ]
        assert bounds == sorted(bounds, reverse=True)
        failed += stats.binom.pmf(right, items, mean) * (max(bounds) > mean)
    assert failed <= risk
