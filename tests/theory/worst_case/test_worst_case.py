"""Exact worst cases against brute force, linear programs, closed forms and the witness itself."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bribeproof._typing import FloatArray
from bribeproof.rules import constant, majority, mean, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Loss, Panel, closed_form, cost, misspecified_k_guarantee
from bribeproof.theory.worst_case.scenario import Scenario
from bribeproof.theory.worst_case.structures import StateLosses
from bribeproof.theory.worst_case.worst_case import worst_case
from tests.paths import FIXTURES
from tests.theory.strategies import LOSSES, each_loss, panels
from tests.theory.worst_case.cases import cases, experts
from tests.theory.worst_case_oracle import Loss as OracleLoss
from tests.theory.worst_case_oracle import joint_risk, losses, two_point
from tests.theory.worst_case_oracle import worst_case as brute_force

GOLDEN = FIXTURES / "golden" / "regret.json"
MIRRORED: dict[OracleLoss, Loss | str] = {**LOSSES, (2.0, 0.7): cost(false_positive=0.7, false_negative=2)}


def found_by_brute_force(values: FloatArray, panel: Panel, expert: Expert, name: OracleLoss) -> tuple[float, float]:
    return brute_force(values, panel.k, expert.prior, expert.tpr, expert.fpr, name)


@each_loss
@given(case=cases())
def test_brute_force_over_all_pairs_agrees(name: OracleLoss, case: tuple[FloatArray, Panel, Expert]) -> None:
    values, panel, expert = case
    worst = worst_case(values, panel, expert, LOSSES[name])
    regret, loss = found_by_brute_force(values, panel, expert, name)
    assert worst.regret == pytest.approx(regret, abs=1e-9)
    assert worst.largest_loss == pytest.approx(loss, abs=1e-9)
    assert worst.regret <= worst.expected_loss <= worst.largest_loss


@each_loss
@pytest.mark.parametrize("k", [0, 1, 7, 8, 9])
def test_brute_force_agrees_on_larger_panels(name: OracleLoss, k: int) -> None:
    rng = np.random.default_rng(k)
    expert = Expert(0.45, 0.7, 0.31)
    for values in (rng.random(25), 0.4 + 0.001 * rng.random(25), rng.integers(0, 2, 25).astype(float)):
        regret, _ = found_by_brute_force(values, Panel(24, k), expert, name)
        assert worst_case(values, Panel(24, k), expert, LOSSES[name]).regret == pytest.approx(regret, abs=1e-9)


@each_loss
@pytest.mark.parametrize(("n", "k"), [(1, 0), (2, 0), (3, 0), (3, 1), (4, 1), (5, 1), (5, 2)])
def test_every_pure_strategy_is_tried(name: OracleLoss, n: int, k: int) -> None:
    """All maps from state and truthful count to the number of adversaries who say H, one a row and state."""
    rng, size = np.random.default_rng(n), n - k
    seen = np.arange(size + 1) + np.array(list(itertools.product(range(k + 1), repeat=size + 1)))
    for prior, tpr, fpr in [(0.5, 0.8, 0.1), (0.3, 2 / 3, 1 / 3), (0.7, 0.4, 0.4), (0.6, 1.0, 0.05)]:
        values = rng.uniform(0.05, 0.95, n + 1)
        given_0, given_1 = losses(values, name)
        best = -math.inf
        for one, zero in itertools.product(two_point(size, size * tpr), two_point(size, size * fpr)):
            expected = prior * (given_1[seen] @ one)[:, None] + (1 - prior) * (given_0[seen] @ zero)
            benchmark = joint_risk(prior * one, (1 - prior) * zero, name).sum()
            best = max(best, float((expected - benchmark).max()))
        found = worst_case(values, Panel(n, k), Expert(prior, tpr, fpr), LOSSES[name])
        assert found.regret == pytest.approx(best, abs=1e-12)


@each_loss
@given(case=cases(), seed=st.integers(0, 1000))
def test_no_mixture_of_structures_does_better(
    name: OracleLoss, case: tuple[FloatArray, Panel, Expert], seed: int
) -> None:
    values, panel, expert = case
    rng, size = np.random.default_rng(seed), panel.truthful
    given_0, given_1 = losses(np.clip(values, 1e-9, 1 - 1e-9), name)
    regret = worst_case(np.clip(values, 1e-9, 1 - 1e-9), panel, expert, LOSSES[name]).regret
    for _ in range(10):
        pools = two_point(size, size * expert.tpr), two_point(size, size * expert.fpr)
        one, zero = (rng.dirichlet(np.full(len(pool), 0.3)) @ pool for pool in pools)
        counts = np.arange(size + 1) + rng.integers(0, panel.k + 1, (2, size + 1))
        expected = expert.prior * one @ given_1[counts[1]] + (1 - expert.prior) * zero @ given_0[counts[0]]
        benchmark = joint_risk(expert.prior * one, (1 - expert.prior) * zero, name).sum()
        assert expected - benchmark <= regret + 1e-9


@given(case=cases(largest=60), name=st.sampled_from(["absolute", "squared", (2.0, 0.7)]))
def test_largest_loss_is_a_linear_program(case: tuple[FloatArray, Panel, Expert], name: OracleLoss) -> None:
    values, panel, expert = case
    size, total = panel.truthful, 0.0
    for weight, rate, curve in zip(
        (1 - expert.prior, expert.prior), (expert.fpr, expert.tpr), losses(values, name), strict=True
    ):
        worst = [weight * max(curve[count : count + panel.k + 1]) for count in range(size + 1)]
        moments = np.array([np.ones(size + 1), np.arange(size + 1)])
        program = linprog(-np.array(worst), A_eq=moments, b_eq=[1, size * rate], method="highs")
        assert program.status == 0
        total -= program.fun
    found = worst_case(values, panel, expert, LOSSES[name])
    # The solver takes a count for no better where it gains less than 1e-7.
    assert found.largest_loss == pytest.approx(total, abs=2e-7)
    assert found.regret <= total + 2e-7


@given(
    worst=st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.7, math.inf]), min_size=2, max_size=8),
    share=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]),
)
def test_representatives_stand_for_all(worst: list[float], share: float) -> None:
    size = len(worst) - 1
    every = [
        (set(np.flatnonzero(row).tolist()), math.fsum(w * x for w, x in zip(row, worst, strict=True) if w > 0))
        for row in two_point(size, size * share)
    ]
    side = StateLosses(0.5, size * share, np.arange(size + 1), np.array(worst))
    kept = side.representatives()
    assert 1 <= kept.loss.size <= 7
    for avoid in itertools.combinations_with_replacement(range(size + 1), 2):
        best = max((loss for points, loss in every if not points & set(avoid)), default=None)
        left = [
            float(kept.loss[place])
            for place in range(kept.loss.size)
            if not {int(kept.low[place]), int(kept.high[place])} & set(avoid)
        ]
        assert max(left, default=None) == (best if best is None else pytest.approx(best))


def test_golden_worst_regrets() -> None:
    golden = json.loads(GOLDEN.read_text())
    assert len(golden) > 30
    for case in golden:
        panel, expert = Panel(case["n"], case["k"]), Expert(case["prior"], case["tpr"], case["fpr"])
        rules: dict[str, Aggregator | FloatArray] = {
            "mean": mean(panel),
            "majority": majority(panel),
            "trimmed_mean": trimmed_mean(panel),
            "constant_half": constant(panel, 0.5),
            "unanimity": np.append(np.zeros(panel.n), 1.0),
        }
        assert set(rules) == set(case["worst_regret"])
        for name, regret in case["worst_regret"].items():
            found = worst_case(rules[name], panel, expert, case["loss"]).regret
            assert found == pytest.approx(regret, abs=1e-6), (name, case)


def test_the_printed_rule_of_ten_reporters() -> None:
    values = [0.11814544, *np.linspace(0.23529412, 0.80154768, 9), 0.96776412]
    assert worst_case(values, Panel(10), Expert(0.5, 0.8, 0.1)).regret == pytest.approx(0.107276, abs=1e-6)


@pytest.mark.parametrize(
    ("n", "prior", "tpr", "fpr", "regret"),
    [(4, 0.431, 0.875, 0.445, 0.307080), (10, 0.681, 0.674, 0.059, 0.240827)],
)
def test_averaging_outside_the_regular_regime(n: int, prior: float, tpr: float, fpr: float, regret: float) -> None:
    panel = Panel(n)
    found = worst_case(mean(panel), panel, Expert(prior, tpr, fpr), "absolute").regret
    assert found == pytest.approx(regret, abs=1e-6)


def test_closed_form_is_beaten_at_a_third_of_adversaries() -> None:
    """The closed form promises 0.126263, its rule's true regret is lower: the truthful supports meet."""
    panel, expert = Panel(3, 1), Expert(0.5, 0.9, 0.05)
    rule = closed_form(panel, expert, "squared")
    assert rule.guarantee is not None
    assert rule.guarantee.regret == pytest.approx(0.126263, abs=1e-6)
    worst = worst_case(rule, panel, expert, "squared")
    assert 0.092929 <= worst.regret < rule.guarantee.regret
    assert worst.benchmark > 0
    assert worst.largest_loss == pytest.approx(rule.guarantee.expected_loss)


@each_loss
@given(panel=panels(200), expert=experts())
def test_closed_form_guarantees_hold_and_are_attained(name: OracleLoss, panel: Panel, expert: Expert) -> None:
    rule = closed_form(panel, expert, LOSSES[name])
    assert rule.guarantee is not None
    worst = worst_case(rule, panel, expert, LOSSES[name])
    assert worst.largest_loss == pytest.approx(rule.guarantee.expected_loss, abs=1e-9)
    assert worst.regret <= rule.guarantee.regret + 1e-9
    if rule.guarantee.exact:
        assert worst.regret == pytest.approx(rule.guarantee.regret, abs=1e-9)


@given(panel=panels(120), expert=experts(), data=st.data())
def test_guarantees_of_any_trim_hold_and_are_attained(panel: Panel, expert: Expert, data: st.DataObject) -> None:
    trim = data.draw(st.integers(0, (panel.n - 1) // 2))
    guarantee = misspecified_k_guarantee(panel, expert, trim)
    worst = worst_case(trimmed_mean(panel, trim), panel, expert, "absolute")
    assert worst.largest_loss == pytest.approx(guarantee.expected_loss, abs=1e-9)
    assert worst.regret <= guarantee.regret + 1e-9
    if guarantee.exact:
        assert worst.regret == pytest.approx(guarantee.regret, abs=1e-9)


@each_loss
@given(case=cases(largest=15))
def test_swapping_the_states_mirrors_the_worst_case(name: OracleLoss, case: tuple[FloatArray, Panel, Expert]) -> None:
    values, panel, expert = case
    values = np.round(values, 6)
    mirrored = Expert(1 - expert.prior, 1 - expert.fpr, 1 - expert.tpr)
    worst = worst_case(values, panel, expert, LOSSES[name])
    mirror = worst_case(1 - values[::-1], panel, mirrored, MIRRORED[name])
    assert mirror.regret == pytest.approx(worst.regret, abs=1e-9)
    assert mirror.largest_loss == pytest.approx(worst.largest_loss, abs=1e-9)


@each_loss
@given(case=cases(largest=12))
def test_one_adversary_more_never_lowers_the_largest_loss(
    name: OracleLoss, case: tuple[FloatArray, Panel, Expert]
) -> None:
    values, panel, expert = case
    found = [worst_case(values, Panel(panel.n, k), expert, LOSSES[name]).largest_loss for k in range(panel.k + 1)]
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(found))


def test_one_adversary_more_may_lower_the_regret() -> None:
    """The benchmark sees the truthful reports alone, and there is one less of them."""
    values, expert = np.array([0.4, 0.5, 0.8, 1.0]), Expert(0.8, 0.4, 0.2)
    found = [worst_case(values, Panel(3, k), expert).regret for k in (0, 1)]
    assert found == pytest.approx([0.2408, 0.2176])
    assert found == pytest.approx([found_by_brute_force(values, Panel(3, k), expert, "squared")[0] for k in (0, 1)])


@pytest.mark.parametrize("name", ["absolute", "squared", "log"])
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_sure_prior_leaves_one_state(name: str, prior: float) -> None:
    panel, values = Panel(6, 2), np.array([0.9, 0.2, 0.3, 0.8, 0.1, 0.4, 0.6])
    worst = worst_case(values, panel, Expert(prior, 0.7, 0.3), name)
    assert worst.benchmark == 0
    assert worst.regret == worst.largest_loss == worst.recheck().regret
    assert worst.sample(20, seed=0)[0].tolist() == [prior] * 20


@pytest.mark.parametrize("n", [10, 100, 1000])
@pytest.mark.parametrize("k", [0, 3])
def test_rounding_of_a_rate_reaches_no_further_count(n: int, k: int) -> None:
    """A rate of 0 or 1 but for rounding gives one truthful count; any other one would cost infinitely much."""
    assert 0 < 0.1 + 0.2 - 0.3 < 1e-16
    values = np.append(np.full(k + 1, 0.5), np.ones(n - k))
    almost_0 = worst_case(values, Panel(n, k), Expert(0.5, 0.7, 0.1 + 0.2 - 0.3), "log")
    assert almost_0.given_0.truthful == (0,)
    almost_1 = worst_case(1 - values[::-1], Panel(n, k), Expert(0.5, 1 - 2**-53, 0.3), "log")
    assert almost_1.given_1.truthful == (n - k,)
    assert almost_0.regret == pytest.approx(almost_1.regret)
    assert math.isfinite(almost_0.regret)


def test_a_mean_on_a_grid_point_may_be_one_point() -> None:
    """Only the truthful count 2 costs anything in state 1, and all of the weight can sit there."""
    worst = worst_case([1.0, 1.0, 0.0, 1.0, 1.0], Panel(4), Expert(0.5, 0.5, 0.0), "absolute")
    assert worst.given_1 == Scenario((2,), (1.0,), (0,))
    assert worst.given_0 == Scenario((0,), (1.0,), (0,))
    assert worst.regret == 1


@pytest.mark.parametrize("k", [0, 100])
def test_a_thousand_reporters(k: int) -> None:
    panel, rng = Panel(1000, k), np.random.default_rng(5)
    for values in (rng.random(1001), np.full(1001, 0.3), 0.3 + 1e-9 * rng.random(1001)):
        for expert in (Expert(0.5, 0.8, 0.1), Expert(0.5, 0.4, 0.0004)):
            worst = worst_case(values, panel, expert)
            assert worst.recheck().difference < 1e-12
            assert 0 <= worst.regret <= worst.largest_loss


@pytest.mark.parametrize(
    ("forecasts", "k", "tpr", "fpr"),
    [
        ([0, 0.1, 0.1, 0.1, 0.5, 0.5, 0.6, 0.6, 0.8], 1, 0.93, 0.9),
        ([0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.6, 0.6, 0.7, 0.7, 1], 4, 0.89, 0.85),
        ([0.1, 0.3, 0.3, 0.4, 0.4, 0.5, 0.5, 0.6, 0.6, 0.8, 1], 4, 0.89, 0.88),
    ],
)
def test_rates_close_together_leave_the_dearest_laws_apart(
    forecasts: list[float], k: int, tpr: float, fpr: float
) -> None:
    """The dearest laws of the two states do not meet here, and the search has to go on to cheaper ones."""
    panel, prior = Panel(len(forecasts) - 1, k), 0.95
    found = worst_case(forecasts, panel, Expert(prior, tpr, fpr), "absolute")
    assert found.regret == pytest.approx(
        brute_force(np.array(forecasts), k, prior, tpr, fpr, "absolute").regret, abs=1e-12
    )
