"""The exact optimum: worked values, independent linear programs, limits, symmetries and false certificates."""

import importlib
import json
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, ExpertInterval, Loss, Panel, PiecewiseLinear, Scenario, closed_form, cost
from bribeproof.theory.minimax.minimax import minimax
from bribeproof.theory.minimax.solution import Solution, WeightedStructure
from tests.paths import FIXTURES
from tests.theory import worst_case_oracle as oracle

GOLDEN = FIXTURES / "golden" / "regret.json"
NAMED: dict[str, tuple[Loss | str, oracle.Loss]] = {
    "squared": ("squared", "squared"),
    "absolute": ("absolute", "absolute"),
    "log": ("log", "log"),
    "cost": (cost(false_positive=1, false_negative=3), (1.0, 3.0)),
}


def lower_bound(solution: Solution, loss: oracle.Loss) -> float:
    """Bound that the mixture proves, by loops over every single probability."""
    prior, size = solution.expert.prior, solution.panel.n + 1
    seen = np.zeros((2, size))
    mean_benchmark = 0.0
    for part in solution.mixture:
        truthful = np.zeros((2, size))
        for state, scenario in enumerate((part.given_0, part.given_1)):
            rates = solution.expert.fpr, solution.expert.tpr
            counts = np.dot(scenario.truthful, scenario.weights)
            assert counts == pytest.approx(solution.panel.truthful * rates[state], abs=1e-11)
            assert sum(scenario.weights) == pytest.approx(1, abs=1e-12)
            for count, weight, liars in zip(scenario.truthful, scenario.weights, scenario.adversaries, strict=True):
                assert 0 <= count <= solution.panel.truthful
                assert 0 <= liars <= solution.panel.k
                mass = (prior if state else 1 - prior) * weight
                truthful[state, count] += mass
                seen[state, count + liars] += part.weight * mass
        mean_benchmark += part.weight * oracle.joint_risk(truthful[1], truthful[0], loss).sum()
    assert sum(part.weight for part in solution.mixture) == pytest.approx(1, abs=1e-12)
    return float(oracle.joint_risk(seen[1], seen[0], loss).sum() - mean_benchmark)


def assert_certified(solution: Solution, loss: oracle.Loss) -> None:
    """Both bounds hold by brute force and the solution tells how far they are apart."""
    panel, expert = solution.panel, solution.expert
    forced = oracle.worst_case(solution.aggregator.values, panel.k, expert.prior, expert.tpr, expert.fpr, loss)
    assert solution.upper == pytest.approx(forced.regret, abs=1e-10)
    assert solution.largest_loss == pytest.approx(forced.loss, abs=1e-10)
    assert solution.lower == pytest.approx(lower_bound(solution, loss), abs=1e-12)
    assert solution.lower <= solution.upper
    assert solution.converged == (solution.gap <= solution.tol)
    again = solution.recheck()
    assert again.difference <= 1e-12
    assert (again.lower, again.upper) == pytest.approx((solution.lower, solution.upper), abs=1e-12)


def tangent_program(n: int, k: int, prior: float, tpr: float, fpr: float) -> float:
    """Minimax regret of the squared loss from below: its curves replaced by 200 tangents, one linear program."""
    size = n - k
    width = n + 1 + 2 * (size + 1) + 1
    rows: list[np.ndarray] = []
    limits: list[float] = []
    for truthful, liars, state, point in product(range(size + 1), range(k + 1), (0, 1), np.linspace(0, 1, 200)):
        # (point − state)² + 2(point − state)(f − point) ≤ z
        row = np.zeros(width)
        row[truthful + liars] = slope = 2 * (point - state)
        row[n + 1 + state * (size + 1) + truthful] = -1
        rows.append(row)
        limits.append(slope * point - (point - state) ** 2)
    for one, zero in product(oracle.two_point(size, size * tpr), oracle.two_point(size, size * fpr)):
        rows.append(np.concatenate([np.zeros(n + 1), (1 - prior) * zero, prior * one, [-1.0]]))
        limits.append(float(oracle.joint_risk(prior * one, (1 - prior) * zero, "squared").sum()))
    objective = np.append(np.zeros(width - 1), 1.0)
    bounds = [(0, 1)] * (n + 1) + [(None, None)] * (width - n - 1)
    return oracle.solve(objective, A_ub=np.array(rows), b_ub=limits, bounds=bounds)


@pytest.fixture(scope="module")
def golden() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(GOLDEN.read_text())
    return loaded


def test_golden_regrets(golden: list[dict[str, Any]]) -> None:
    assert len(golden) > 30
    for case in golden:
        solution = minimax(
            Panel(case["n"], case["k"]), Expert(case["prior"], case["tpr"], case["fpr"]), loss=case["loss"]
        )
        assert solution.converged
        assert solution.upper == pytest.approx(case["minimax_regret"], abs=1e-6), case


@pytest.mark.parametrize(
    ("n", "k", "prior", "tpr", "fpr", "loss", "regret"),
    [
        (10, 0, 0.5, 0.8, 0.1, "squared", 0.106659),
        (10, 2, 0.5, 0.8, 0.1, "squared", 0.158371),
        (3, 1, 0.5, 0.9, 0.05, "squared", 0.092929),
        (10, 0, 0.362, 0.518, 0.057, "squared", 0.114385),
        (9, 0, 0.688, 0.911, 0.323, "squared", 0.100212),
        (4, 0, 0.431, 0.875, 0.445, "absolute", 0.193407),
        (10, 0, 0.681, 0.674, 0.059, "absolute", 0.185835),
    ],
)
def test_values_of_the_theory(n: int, k: int, prior: float, tpr: float, fpr: float, loss: str, regret: float) -> None:
    solution = minimax(Panel(n, k), Expert(prior, tpr, fpr), loss)
    assert solution.converged
    assert solution.gap <= 1e-9
    assert solution.upper == pytest.approx(regret, abs=1e-6)


@given(st.integers(1, 8), st.data())
def test_linear_losses_agree_with_one_linear_program(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, (n - 1) // 2))
    prior, tpr, fpr = (data.draw(st.integers(0, 40)) / 40 for _ in range(3))
    tpr, fpr = max(tpr, fpr), min(tpr, fpr)
    loss, prices = NAMED[data.draw(st.sampled_from(["absolute", "cost"]))]
    solution = minimax(Panel(n, k), Expert(prior, tpr, fpr), loss)
    assert solution.converged
    assert solution.upper == pytest.approx(oracle.minimax_regret(n, k, prior, tpr, fpr, prices), abs=1e-7)


@pytest.mark.parametrize(
    ("n", "k", "prior", "tpr", "fpr"),
    [
        (3, 1, 0.5, 0.9, 0.05),
        (4, 0, 0.431, 0.875, 0.445),
        (5, 0, 0.3, 0.55, 0.1),
        (5, 1, 0.6, 0.2, 0.15),
        (6, 2, 0.4, 0.9, 0.1),
    ],
)
def test_squared_loss_agrees_with_tangents(n: int, k: int, prior: float, tpr: float, fpr: float) -> None:
    # Between tangents at distance 1/199 the square is missed by at most 1/(2·199)².
    below = tangent_program(n, k, prior, tpr, fpr)
    solution = minimax(Panel(n, k), Expert(prior, tpr, fpr))
    assert solution.lower - 1 / 398**2 - 1e-8 <= below <= solution.upper + 1e-8


@pytest.mark.parametrize("loss", NAMED)
def test_no_other_rule_beats_the_lower_bound(loss: str) -> None:
    rng = np.random.default_rng(4)
    solution = minimax(Panel(6, 1), Expert(0.4, 0.15, 0.1), NAMED[loss][0])
    assert solution.converged
    for scale in (1e-3, 1e-2, 0.1, 1.0):
        for _ in range(30):
            values = np.clip(solution.aggregator.values + scale * rng.normal(size=7), 0.001, 0.999)
            other = oracle.worst_case(values, 1, 0.4, 0.15, 0.1, NAMED[loss][1])
            assert other.regret >= solution.lower - 1e-12


@pytest.mark.parametrize("loss", NAMED)
def test_closed_form_where_it_is_exact(loss: str) -> None:
    rng = np.random.default_rng(7)
    exact = 0
    for _ in range(40):
        n = int(rng.integers(3, 60))
        k = int(rng.integers(1, (n - 1) // 2 + 1))
        fpr, tpr = np.sort(rng.random(2)) ** [2.0, 0.5]
        panel, expert = Panel(n, k), Expert(float(rng.random()), float(tpr), float(fpr))
        guarantee = closed_form(panel, expert, NAMED[loss][0]).guarantee
        assert guarantee is not None
        if guarantee.exact:
            exact += 1
            solution = minimax(panel, expert, NAMED[loss][0])
            assert solution.converged
            assert solution.upper == pytest.approx(guarantee.regret, abs=1e-8)
    assert exact > 20


def test_random_instances_come_with_true_certificates() -> None:
    rng = np.random.default_rng(11)
    for index in range(120):
        n = int(rng.integers(1, 15))
        k = n // 3 if n % 3 == 0 and index % 2 else int(rng.integers(0, (n - 1) // 2 + 1))
        fpr, tpr = np.sort(rng.random(2))
        if index % 5 == 0:
            tpr, fpr = 1 - rng.random() / n, rng.random() / n
        if index % 7 == 0:
            tpr, fpr = np.ceil(10 * max(tpr, fpr)) / 10, np.floor(10 * min(tpr, fpr)) / 10
        if index % 11 == 0:
            tpr = fpr
        loss, prices = NAMED[list(NAMED)[index % 4]]
        expert = Expert(float(rng.random()), float(max(tpr, fpr)), float(min(tpr, fpr)))
        solution = minimax(Panel(n, k), expert, loss)
        assert solution.converged, solution
        assert_certified(solution, prices)


@pytest.mark.parametrize("loss", NAMED)
@pytest.mark.parametrize(
    ("n", "k", "prior", "tpr", "fpr"),
    [
        (3, 1, 0.99999999, 0.15549729204367635, 1e-12),
        (8, 3, 0.99999999999999, 0.6000000000061019, 3.4980561806076715e-14),
        (10, 2, 0.9, 1.0, 1e-31),
        (4, 0, 0.5, 1.0, 1.0),
        (4, 0, 0.5, 1.0, 0.3),
        (6, 2, 0.5, 0.75, 0.0),
        (1, 0, 0.3, 1.0, 0.0),
        (7, 3, 0.2, 1.0, 0.85),
        (7, 3, 0.8, 0.15, 0.0),
    ],
)
def test_rates_at_the_edge(n: int, k: int, prior: float, tpr: float, fpr: float, loss: str) -> None:
    named, prices = NAMED[loss]
    solution = minimax(Panel(n, k), Expert(prior, tpr, fpr), named)
    assert solution.converged
    assert solution.recheck().difference <= 1e-12
    if isinstance(prices, tuple) or prices == "absolute":
        assert solution.upper == pytest.approx(oracle.minimax_regret(n, k, prior, tpr, fpr, prices), abs=1e-8)


@pytest.mark.parametrize("loss", NAMED)
@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_known_state_costs_nothing(loss: str, prior: float) -> None:
    for panel in (Panel(4), Panel(3, 1), Panel(5, 2)):
        solution = minimax(panel, Expert(prior, 0.6, 0.2), NAMED[loss][0])
        assert (solution.lower, solution.upper) == (0.0, 0.0)


@pytest.mark.parametrize("loss", ["squared", "absolute", "log"])
def test_names_of_the_states_do_not_matter(loss: str) -> None:
    for panel in (Panel(7), Panel(6, 2), Panel(5, 2)):
        one = minimax(panel, Expert(0.3, 0.95, 0.25), loss)
        other = minimax(panel, Expert(0.7, 0.75, 0.05), loss)
        assert one.upper == pytest.approx(other.upper, abs=2e-9)


def test_regret_grows_towards_the_risk_of_one_reporter() -> None:
    expert = Expert(0.4, 0.8, 0.1)
    one_reporter = 0.4 * 0.6 * (0.2 * 0.8 / (0.4 * 0.2 + 0.6 * 0.9) * 0.9 / 0.8 + 0.8 * 0.1 / (0.4 * 0.8 + 0.6 * 0.1))
    regrets = [minimax(Panel(n), expert).upper for n in (10, 100, 1000)]
    assert regrets == sorted(regrets)
    assert 0 < one_reporter - regrets[-1] < 1.2 * (one_reporter - regrets[-2]) / 10


def test_more_adversaries_never_help() -> None:
    for loss in ("squared", "log"):
        regrets = [minimax(Panel(9, k), Expert(0.4, 0.9, 0.05), loss).upper for k in range(1, 5)]
        # At n = 3k the benchmark errs too, so the regret need not grow there.
        assert regrets[0] < regrets[1] <= regrets[3] + 1e-9


@pytest.mark.parametrize("loss", NAMED)
def test_multiplicative_weights_bracket_the_optimum(loss: str) -> None:
    panel, expert = Panel(7, 0), Expert(0.362, 0.518, 0.057)
    exact = minimax(panel, expert, NAMED[loss][0])
    solution = minimax(panel, expert, NAMED[loss][0], tol=4e-3, method="mwu")
    assert solution.converged
    assert_certified(solution, NAMED[loss][1])
    assert solution.lower <= exact.upper
    assert solution.upper >= exact.lower


def test_rounds_that_do_not_suffice_are_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("bribeproof.theory.minimax.minimax")
    monkeypatch.setattr(module, "_MAX_ROUNDS", {"cutting planes": 1, "mwu": 2})
    for method, rounds in (("cutting planes", 1), ("mwu", 2)):
        solution = minimax(Panel(10), Expert(0.362, 0.518, 0.057), method=method)
        assert not solution.converged
        assert solution.iterations == rounds
        assert solution.gap > 1e-9
        assert_certified(solution, "squared")
        assert solution.lower <= 0.114385 + 1e-6
        assert solution.upper >= 0.114385 - 1e-6


def test_false_certificates_are_found_out() -> None:
    solution = minimax(Panel(6, 2), Expert(0.4, 0.9, 0.1))
    first, *rest = solution.mixture
    fakes = [
        replace(first, weight=first.weight + 1e-6),
        replace(first, weight=-first.weight),
        replace(first, given_1=Scenario((3, 4), (0.5, 0.5), (0, 0))),
        replace(first, given_1=replace(first.given_1, weights=tuple(1.001 * w for w in first.given_1.weights))),
        replace(first, given_0=replace(first.given_0, adversaries=(3,) * len(first.given_0.weights))),
        WeightedStructure(first.weight, Scenario((5,), (3.6 / 5,), (0,)), first.given_0),
    ]
    for fake in fakes:
        assert np.isnan(replace(solution, mixture=(fake, *rest)).recheck().lower)
    assert np.isnan(replace(solution, mixture=()).recheck().difference)
    assert replace(solution, upper=solution.upper - 0.01).recheck().difference == pytest.approx(0.01)
    assert replace(solution, lower=solution.lower + 0.01).recheck().difference == pytest.approx(0.01)
    worse = replace(solution, aggregator=PiecewiseLinear(6, [0, 6], [0.0, 1.0])).recheck()
    assert worse.upper > solution.upper + 0.01


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"panel": 5}, "panel = 5"),
        ({"expert": ExpertInterval()}, "is not an Expert"),
        ({"loss": "hinge"}, "hinge"),
        ({"tol": 0.0}, "tol = 0.0"),
        ({"tol": float("nan")}, "tol = nan"),
        ({"tol": "small"}, "tol = 'small'"),
        ({"method": "simplex"}, "method = 'simplex'"),
    ],
)
def test_bad_input_is_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"panel": Panel(4), "expert": Expert(0.5, 0.8, 0.1), **change}
    with pytest.raises(ParameterError, match=message):
        minimax(**arguments)
