"""What gold items say: sound for every k, every way to pose, every dependence, and how conservative that is."""

import itertools
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, Panel, optimal_aggregator, worst_case
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.inference.weighted_means import least_weighted_mean

N, K = 7, 2


def counted(truth: NDArray[np.bool], answers: NDArray[np.bool]) -> Gold:
    """Return answers of all reporters to all items as gold."""
    return Gold.from_matrix(answers == truth[:, None], truth)


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
            known.prior[0] <= expert.prior <= known.prior[1]
            and known.tpr <= expert.tpr <= known.highest_tpr
            and known.lowest_fpr <= expert.fpr <= known.fpr
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
    shares = (gold.correct / gold.answered).T
    worst = [np.sort(rates)[: N - K].mean() for rates in shares.T]
    assert loose.tpr < tight.tpr <= worst[1]
    assert loose.fpr > tight.fpr >= 1 - worst[0]
    many = gold.repeated(1000).expert_interval(panel, 0.95)
    assert many.tpr == pytest.approx(worst[1], abs=0.01)
    assert many.fpr == pytest.approx(1 - worst[0], abs=0.01)
    none = np.zeros(0, int)
    nothing = Gold(N, none > 0, none, none, none > 0)
    assert nothing.expert_interval(panel, 0.95).prior == (0, 1)
    assert (nothing.expert_interval(panel, 0.95).tpr, nothing.expert_interval(panel, 0.95).fpr) == (0, 1)


def test_copies_of_one_reporter_count_as_one() -> None:
    truth = np.array([True] * 40 + [False] * 40)
    one = np.where(np.arange(80) % 10 == 0, ~truth, truth)
    copies = counted(truth, np.repeat(one[:, None], 9, axis=1)).expert_interval(Panel(9), 0.95, prior=(0.5, 0.5))
    alone = counted(truth, one[:, None]).expert_interval(Panel(1), 0.95, prior=(0.5, 0.5))
    assert copies.tpr == pytest.approx(alone.tpr, abs=1e-9)
    assert copies.joint_error_rates == pytest.approx((1 - copies.tpr, copies.fpr), abs=1e-9)
    assert copies.correlations == (1, 1)


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


FITTING: dict[str, Any] = {
    "reporters": 2,
    "state": np.array([True, False]),
    "item": np.array([0, 1]),
    "reporter": np.array([1, 0]),
    "right": np.array([True, False]),
}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"item": [0]}, "one of each per answer"),
        ({"item": [0, 2]}, "that there is not"),
        ({"reporter": [1, 2]}, "that there is not"),
        ({"reporter": [-1, 0]}, "reporter"),
        ({"item": [0, 0], "reporter": [1, 1]}, "more than once"),
        ({"rows": np.array([1, 0])}, "fewer reporters"),
        ({"reporters": 0}, "reporters"),
    ],
)
def test_answers_that_cannot_be(wrong: dict[str, Any], reason: str) -> None:
    Gold(**FITTING)
    with pytest.raises(ParameterError, match=reason):
        Gold(**FITTING | {key: np.array(value) if key != "reporters" else value for key, value in wrong.items()})


def test_a_panel_of_another_size() -> None:
    gold = Gold.from_matrix([[True], [True]], [False, True])
    with pytest.raises(ParameterError, match="n = 3"):
        gold.expert_interval(Panel(3), 0.95)


def test_without_adversaries_the_bounds_are_those_of_the_shares_of_items() -> None:
    """A known prior leaves the risk to the two states; seven of sixteen parts of each are for the error rate."""
    n, items, bad = 7, 60, 12
    right = np.ones((2 * items, n), bool)
    right[:bad, 0] = right[items : items + bad, 0] = False
    gold = Gold.from_matrix(right, np.arange(2 * items) >= items)
    found = gold.expert_interval(Panel(n), 0.95, prior=(0.5, 0.5))
    bound = mean_lower_bound([items - bad, bad], [1, 1 - 1 / n], 0.025 * 7 / 16)
    assert found.tpr == pytest.approx(bound, abs=1e-3)  # the largest bet is .99 in one and 1 in the other
    assert found.fpr == pytest.approx(1 - found.tpr, rel=1e-12)


def test_one_of_the_same_reporters_is_bribed_on_all_items() -> None:
    """All reporters err alike on items of their own: no one of them can account for the errors of the others."""
    n, items = 10, 2000
    rng = np.random.default_rng(3)
    truth = rng.random(items) < 0.5
    right = rng.random((items, n)) < 0.8
    gold = Gold.from_matrix(right, truth)
    most = [1 - gold.expert_interval(Panel(n, k), 0.95).tpr for k in (0, 1, 3)]
    assert most[0] < most[1] < most[2] < 0.25
    # If other reporters could be bribed on each item, the three on each might be right ones: .2 · 10/7.
    assert 0.2 * n / (n - 3) > 0.28


def test_unsure_gold_items_move_the_prior_either_way() -> None:
    """Against all ways to leave some of the unsure items out."""
    by_reporters = np.array([[0, 3, 4, 5], [1, 2, 5, 5]])
    rows = np.concatenate([np.repeat(np.arange(4), counts) for counts in by_reporters])
    state = np.repeat([False, True], by_reporters.sum(axis=1))
    item = np.repeat(np.arange(len(rows)), rows)
    reporter = np.concatenate([np.arange(count) for count in rows])
    gold = Gold(3, state, item, reporter, np.ones(len(item), bool), rows)
    assert (gold.items, gold.unsure(0), gold.unsure(1), gold.unanswered) == ((12, 13), (0, 1), (3, 3), 1)
    found = gold.expert_interval(Panel(3, 1), 0.9).prior
    each = [clopper_pearson(ones, ones + zeros, 1 - 0.1 / 5) for ones in range(10, 14) for zeros in range(9, 13)]
    assert found == (min(float(low) for low, _ in each), max(float(high) for _, high in each))


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
