"""Statements of docs/theory.md against exact solvers and linear programs, which share no formula with them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bribeproof.theory import Expert, MultiExpert, Panel, cost, dictator_guarantee, minimax, worst_case
from tests.theory import worst_case_oracle as oracle

hundredths = st.integers(0, 100).map(lambda number: number / 100)


def hidden_apart(truthful: int, k: int, mean_1: float, mean_0: float) -> bool:
    """Whether two truthful counts without a common value, at most k apart, can have these means: by enumeration."""
    for values_1 in product([False, True], repeat=truthful + 1):
        pairs = [
            (one, zero)
            for one in range(truthful + 1)
            for zero in range(max(0, one - k), min(truthful, one + k) + 1)
            if values_1[one] and not values_1[zero]
        ]
        if not pairs:
            continue
        ones, zeros = np.array(pairs).T
        program = linprog(
            np.zeros(len(pairs)),
            A_eq=np.stack([np.ones(len(pairs)), ones, zeros]),
            b_eq=[1, mean_1, mean_0],
            method="highs",
        )
        if program.status == 0:
            return True
    return False


@pytest.mark.parametrize(("n", "k"), [(4, 1), (5, 1), (5, 2), (6, 1), (6, 2), (7, 3)])
def test_lemma_2_3_the_disguise_exists(n: int, k: int) -> None:
    truthful = n - k
    means = [1, 1.25, truthful / 2, truthful - 1.5, truthful - 1]
    feasible = [(one, zero) for one in means for zero in [0, 0.5, *means] if 0 <= one - zero <= k]
    assert feasible
    for one, zero in feasible:
        assert hidden_apart(truthful, k, one, zero), (one, zero)


def test_lemma_2_3_does_not_hold_for_three_reporters_nor_near_certainty() -> None:
    assert not hidden_apart(2, 1, 1.5, 0.5)
    assert not hidden_apart(3, 1, 0.75, 0.5)
    assert not hidden_apart(4, 2, 3.75, 3.25)


@st.composite
def beyond_breakdown(draw: st.DrawFn) -> tuple[Panel, Expert]:
    """Return panels, n = 3k among them, with N(a − b) ≤ k, N·a ≥ 1 and N·b ≤ N − 1."""
    n, k = draw(st.sampled_from([(4, 1), (5, 2), (6, 2), (6, 1), (7, 3), (9, 3), (9, 4)]))
    truthful = n - k
    fpr = draw(st.floats(0, 1 - 1 / truthful))
    tpr = draw(st.floats(max(fpr, 1 / truthful), min(1.0, max(fpr + k / truthful, 1 / truthful))))
    return Panel(n, k), Expert(draw(hundredths), tpr, fpr)


@given(beyond_breakdown(), st.sampled_from(["absolute", "squared", "log", "cost"]))
def test_theorem_a_3_beyond_the_breakdown_point_no_rule_beats_the_prior(game: tuple[Panel, Expert], name: str) -> None:
    panel, expert = game
    p, q = expert.prior, 1 - expert.prior
    loss = cost(false_positive=3, false_negative=0.5) if name == "cost" else name
    bayes_risk = {
        "absolute": min(p, q),
        "squared": p * q,
        "log": -sum(share * np.log(share) for share in (p, q) if share > 0),
        "cost": min(0.5 * p, 3 * q),
    }[name]
    solution = minimax(panel, expert, loss)
    assert solution.lower == pytest.approx(bayes_risk, abs=1e-8)
    assert solution.upper == pytest.approx(bayes_risk, abs=1e-8)


@given(st.sampled_from([(6, 2), (9, 3), (12, 4)]), hundredths, hundredths, hundredths, st.sampled_from([1, 0.4, 3]))
def test_proposition_2_4_threshold_losses_at_n_3k(
    size: tuple[int, int], prior: float, miss: float, fpr: float, price: float
) -> None:
    panel = Panel(*size)
    expert = Expert(prior, max(fpr, 1 - miss), fpr)
    truthful = panel.truthful
    if truthful * (expert.tpr - expert.fpr) < panel.k:
        return
    error = prior * (1 - expert.tpr) + price * (1 - prior) * fpr
    value = min(2 * error, prior, price * (1 - prior))  # n = 3k: errors count twice
    solution = minimax(panel, expert, cost(false_positive=price, false_negative=1))
    assert solution.lower == pytest.approx(value, abs=1e-8)
    assert solution.upper == pytest.approx(value, abs=1e-8)


def test_proposition_2_4_fails_for_three_reporters() -> None:
    expert = Expert(0.8, 0.9, 0.1)
    assert minimax(Panel(3, 1), expert, "absolute").upper == pytest.approx(0.16, abs=1e-9)
    assert oracle.minimax_regret(3, 1, 0.8, 0.9, 0.1, "absolute") == pytest.approx(0.16, abs=1e-9)
    assert oracle.minimax_loss(3, 1, 0.8, 0.9, 0.1, "absolute") == pytest.approx(0.2, abs=1e-9)


@given(st.integers(2, 7), hundredths, st.floats(0, 1), st.floats(0, 1), st.sampled_from([1, 0.4, 3]))
def test_proposition_3_2_averaging_without_adversaries(
    n: int, prior: float, one: float, two: float, price: float
) -> None:
    low, high = sorted((one, two))
    fpr, tpr = (1 / n + rate * (1 - 2 / n) for rate in (low, high))
    error = prior * (1 - tpr) + price * (1 - prior) * fpr
    alone = min(prior, price * (1 - prior))
    loss = "absolute" if price == 1 else (price, 1.0)
    assert oracle.minimax_regret(n, 0, prior, tpr, fpr, loss) == pytest.approx(min(error, alone), abs=1e-7)
    average = oracle.worst_case(np.arange(n + 1) / n, 0, prior, tpr, fpr, loss)
    assert average.loss == pytest.approx(error, abs=1e-9)


@pytest.mark.parametrize(
    ("n", "fpr", "regret"),
    [
        *((n, 0.0, 0.003796) for n in (5, 10, 20, 30)),
        (5, 0.1, 0.078801),
        (10, 0.1, 0.106659),
        (20, 0.1, 0.115085),
        (30, 0.1, 0.118494),
    ],
)
def test_proposition_3_3_needs_a_positive_false_positive_rate(n: int, fpr: float, regret: float) -> None:
    solution = minimax(Panel(n), Expert(0.5, 0.8, fpr))
    assert solution.upper == pytest.approx(regret, abs=5e-7)
    assert solution.converged
    risk_of_one = sum(mass_1 * mass_0 / (mass_1 + mass_0) for mass_1, mass_0 in ((0.1, (1 - fpr) / 2), (0.4, fpr / 2)))
    assert risk_of_one == pytest.approx({0.0: 0.083333, 0.1: 0.126263}[fpr], abs=5e-7)


@pytest.mark.parametrize(("n", "k", "regret"), [(3, 1, 0.092929), (6, 2, 0.113122), (9, 3, 0.116508)])
def test_squared_loss_at_n_3k_stays_below_the_closed_form(n: int, k: int, regret: float) -> None:
    assert minimax(Panel(n, k), Expert(0.5, 0.9, 0.05)).upper == pytest.approx(regret, abs=5e-7)


def test_the_regret_may_fall_with_another_adversary_the_loss_may_not() -> None:
    expert = Expert(0.2, 0.7, 0.2)
    regrets = [minimax(Panel(3, k), expert, "absolute").upper for k in (0, 1)]
    assert regrets == pytest.approx([0.192679, 0.14], abs=5e-7)
    losses = [oracle.minimax_loss(3, k, 0.2, 0.7, 0.2, "absolute") for k in (0, 1)]
    assert losses == pytest.approx([0.2, 0.2], abs=1e-9)


def test_four_counts_are_not_enough_outside_the_regular_regime() -> None:
    """The rule that is best on four counts, interpolated, has the printed regrets, above the minimax regret."""
    for n, prior, tpr, fpr, regret, interpolated in (
        (10, 0.362, 0.518, 0.057, 0.114385, 0.132240),
        (9, 0.688, 0.911, 0.323, 0.100212, 0.112019),
    ):
        panel, expert = Panel(n), Expert(prior, tpr, fpr)
        assert minimax(panel, expert).upper == pytest.approx(regret, abs=5e-7)
        ends = four_count_rule(n, prior, tpr, fpr)
        rule = np.interp(np.arange(n + 1), [0, 1, n - 1, n], ends)
        assert worst_case(rule, panel, expert).regret == pytest.approx(interpolated, abs=5e-5)


def four_count_rule(n: int, prior: float, tpr: float, fpr: float) -> list[float]:
    """Best squared-loss forecasts against all structures on the counts 0, 1, n − 1 and n, by a smooth solver."""
    from scipy.optimize import minimize

    counts = np.array([0, 1, n - 1, n])
    laws = {
        state: [
            np.where(
                counts == low, (high - mean) / (high - low), np.where(counts == high, (mean - low) / (high - low), 0)
            )
            for low in counts
            for high in counts
            if low <= mean <= high and low < high
        ]
        for state, mean in ((1, n * tpr), (0, n * fpr))
    }
    masses = [(prior * one, (1 - prior) * zero) for one in laws[1] for zero in laws[0]]
    ones, zeros = (np.array(side) for side in zip(*masses, strict=True))
    total = ones + zeros
    benchmark = np.divide(ones * zeros, total, where=total > 0, out=np.zeros(total.shape)).sum(axis=1)
    best = minimize(
        lambda x: x[4],
        [0.2, 0.3, 0.7, 0.8, 0.3],
        jac=lambda _: np.eye(5)[4],
        method="SLSQP",
        bounds=[(0, 1)] * 5,
        constraints={
            "type": "ineq",
            "fun": lambda x: x[4] - ones @ (1 - x[:4]) ** 2 - zeros @ x[:4] ** 2 + benchmark,
            "jac": lambda x: np.hstack([2 * ones * (1 - x[:4]) - 2 * zeros * x[:4], np.ones((len(ones), 1))]),
        },
        options={"ftol": 1e-14, "maxiter": 500},
    )
    forecasts: list[float] = best.x[:4].tolist()
    return forecasts


def test_theorem_8_1_where_the_printed_formula_is_negative() -> None:
    """Σμq = .82333 for m = 3, n = 8, k = 2; the dictator's loss is 0.265 (§8), the printed one −0.47."""
    crowd = MultiExpert((1 / 3, 1 / 3, 1 / 3), (0.82333, 0.82333, 0.82333))
    assert dictator_guarantee(Panel(8, 2), crowd).expected_loss == pytest.approx(0.265, abs=5e-5)
