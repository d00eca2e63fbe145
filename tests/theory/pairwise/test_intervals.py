"""Bounds of prior, rates and joint errors: against experts within them, the rule without pairs, a linear program."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, ExpertInterval, Panel, closed_form, effective_reporters, pairwise_minimax
from bribeproof.theory.rules.worth import prior_alone

LOSSES = ("squared", "absolute", "log")


def drawn(rng: np.random.Generator) -> tuple[Panel, ExpertInterval]:
    """Draw a panel and bounds, some of which are narrow, wide or impossible."""
    n = int(rng.integers(1, 14))
    panel = Panel(n, int(rng.integers(0, (n + 1) // 2)))
    low = rng.uniform(0, 0.9)
    most = rng.uniform(0, 0.6, 2)
    least, joint = most * rng.choice([0, 0.5, 0.9, 1], 2), most * rng.uniform(0, 1, 2)
    high = min(1.0, low + rng.choice([0, 0.05, 0.3]))
    return panel, ExpertInterval(
        (low, high), 1 - most[0], most[1], 1 - least[0], least[1], (float(joint[0]), float(joint[1]))
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_bounds_are_proven_and_never_worse_than_without_pairs(loss: str) -> None:
    rng = np.random.default_rng(LOSSES.index(loss))
    open_games = 0
    for _ in range(15):
        panel, known = drawn(rng)
        solution = pairwise_minimax(panel, known, loss)
        without = closed_form(panel, ExpertInterval(known.prior, known.tpr, known.fpr), loss).guarantee
        assert without is not None
        assert solution.upper <= without.expected_loss + 1e-9
        assert solution.lower <= solution.upper
        assert solution.recheck()
        open_games += not solution.converged
    assert not open_games


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_where_the_prior_alone_is_optimal_that_is_proven_without_a_program(
    loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The breakdown of Proposition 12.4 holds for bounds, too: the least distance of the means within them counts."""
    monkeypatch.setattr("bribeproof.theory.pairwise.saddle.solve_game", lambda *_: pytest.fail("solved"))
    rng, broken = np.random.default_rng(7), 0
    while broken < 30:
        panel, known = drawn(rng)
        if panel.truthful * (known.tpr - known.fpr) > panel.k or known.joint_error_rates[0] < (1 - known.tpr) ** 2:
            continue
        if known.joint_error_rates[1] < known.fpr**2:
            continue
        solution = pairwise_minimax(panel, known, loss)
        assert solution.converged
        assert solution.recheck()
        assert np.ptp(solution.aggregator.values) == 0
        assert solution.upper == pytest.approx(prior_alone(known.prior, loss))
        broken += 1


def test_every_expert_within_the_bounds_is_covered() -> None:
    """The least loss against an expert within the bounds is no larger, so the bounds speak for all of them."""
    rng = np.random.default_rng(9)
    for _ in range(10):
        n = int(rng.integers(2, 12))
        panel = Panel(n, int(rng.integers(0, (n + 1) // 2)))
        prior, error, rho = rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.45, 2), rng.uniform(0, 1, 2)
        inside = Expert(prior, 1 - error[0], error[1], (float(rho[0]), float(rho[1])))
        wider = rng.uniform(0, 0.05, 8)
        joint = inside.joint_error_rates
        known = ExpertInterval(
            (prior - wider[0], prior + wider[1]),
            inside.tpr - wider[2],
            min(1.0, inside.fpr + wider[3]),
            min(1.0, inside.tpr + wider[4]),
            max(0.0, inside.fpr - wider[5]),
            (min(1.0, joint[0] + wider[6]), min(1.0, joint[1] + wider[7])),
        )
        assert pairwise_minimax(panel, inside).lower <= pairwise_minimax(panel, known).upper + 1e-9
        exact = ExpertInterval((prior, prior), inside.tpr, inside.fpr, inside.tpr, inside.fpr, joint)
        assert pairwise_minimax(panel, exact).upper == pytest.approx(pairwise_minimax(panel, inside).upper, abs=2e-8)
        assert effective_reporters(n, exact) == pytest.approx(effective_reporters(n, inside), rel=1e-9)


def least_absolute_loss(panel: Panel, known: ExpertInterval) -> float:
    """The least largest absolute loss over all nondecreasing rules, by one linear program that shares no code.

    Variables: n + 1 forecasts, (level, up, down, bend) of both states, and the larger value at the two priors.
    """
    n, k, size = panel.n, panel.k, panel.truthful
    width, rows, right = n + 10, [], []
    most = (1 - known.tpr, known.fpr)
    least = (1 - known.highest_tpr, known.lowest_fpr)
    for state, start in ((1, n + 1), (0, n + 5)):
        for errors in range(size + 1):
            share, pairs = errors / size, errors * (errors - 1) / max(1, size * (size - 1))
            row = np.zeros(width)
            row[start : start + 4] = -1, -share, share, -pairs
            row[size - errors if state else errors + k] = -1 if state else 1
            rows.append(row)
            right.append(-1.0 if state else 0.0)
    for prior in known.prior:
        row = np.zeros(width)
        for weight, start, which in ((prior, n + 1, 0), (1 - prior, n + 5, 1)):
            joint = known.joint_error_rates[which]
            row[start : start + 4] = weight, weight * most[which], -weight * least[which], weight * joint
        row[-1] = -1
        rows.append(row)
        right.append(0.0)
    for count in range(n):
        row = np.zeros(width)
        row[count], row[count + 1] = 1, -1
        rows.append(row)
        right.append(0.0)
    bounds = [(0, 1)] * (n + 1) + [(None, None), (0, None), (0, None), (0, None)] * 2 + [(None, None)]
    objective = np.zeros(width)
    objective[-1] = 1
    found = linprog(objective, A_ub=np.array(rows), b_ub=right, bounds=bounds)
    return float(found.fun)


def test_the_absolute_loss_by_a_linear_program() -> None:
    rng = np.random.default_rng(4)
    compared = 0
    for _ in range(60):
        panel, known = drawn(rng)
        size = panel.truthful
        rates = (1 - known.highest_tpr, known.lowest_fpr)
        fewest = [max(0.0, (size * rate**2 - rate) / max(1, size - 1)) for rate in rates]
        if any(joint <= few + 0.01 for joint, few in zip(known.joint_error_rates, fewest, strict=True)):
            continue  # bounds that no reporters satisfy count as the least that some do
        compared += 1
        assert pairwise_minimax(panel, known, "absolute").upper == pytest.approx(
            least_absolute_loss(panel, known), abs=2e-8
        )
    assert compared > 20


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_bounds_say_of_correlation(least: float, most: float, joint: float) -> None:
    least, most = sorted((least, most))
    known = ExpertInterval((0.5, 0.5), 1 - most, 1.0, 1 - least, 0.0, (joint, 1.0))
    rho = known.correlations[0]
    assert 0 <= rho <= 1
    for rate in np.linspace(1 - known.highest_tpr, 1 - known.tpr, 5):
        both = min(joint, rate)
        if 0 < rate < 1 and both >= rate**2:
            assert (both - rate**2) / (rate * (1 - rate)) <= rho + 1e-9
    assert known.may_err_together == (joint >= 1 - known.tpr)


@pytest.mark.parametrize(
    "wrong",
    [
        {"highest_tpr": 0.6},
        {"lowest_fpr": 0.4},
        {"joint_error_rates": (0.1,)},
        {"joint_error_rates": 0.1},
        {"joint_error_rates": (0.1, 1.2)},
    ],
)
def test_bounds_that_are_none(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="ExpertInterval"):
        ExpertInterval((0.5, 0.5), 0.7, 0.3, **wrong)  # type: ignore[arg-type]
