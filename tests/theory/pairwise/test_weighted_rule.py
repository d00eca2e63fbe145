"""The rule for shares of weight: its bound against linear programs over laws of weights off the grid."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from bribeproof.errors import ParameterError
from bribeproof.theory import ExpertInterval, Panel, get_loss, pairwise_minimax
from bribeproof.theory.pairwise.weighted_rule import WeightedRule, weighted_rule


def worst_loss(
    rule: WeightedRule, state: int, weights: np.ndarray, k: int, mean: float, square: float, loss: str
) -> float:
    """The largest expected loss by linear program over which truthful reporters err, and all answers of the first k."""
    total = weights.sum()
    honest = range(k, len(weights))
    sets = [who for size in range(len(weights) - k + 1) for who in itertools.combinations(honest, size)]
    wrong = np.array([sum(weights[list(who)]) for who in sets]) / total
    losses = []
    for share in wrong:
        truthful = weights[k:].sum() / total - share if state else share
        bribed = [sum(some) / total for size in range(k + 1) for some in itertools.combinations(weights[:k], size)]
        forecasts = rule(np.clip(truthful + np.array(bribed), 0, 1))
        losses.append(float(np.max(get_loss(loss).value(forecasts, state))))
    found = linprog(
        -np.array(losses), A_ub=[wrong, wrong**2], b_ub=[mean, square], A_eq=np.ones((1, len(sets))), b_eq=[1.0]
    )
    return -float(found.fun)


@pytest.mark.parametrize("loss", ["squared", "absolute", "log"])
def test_no_weights_and_answers_lose_more_than_is_promised(loss: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(12):
        n, k = int(rng.integers(3, 8)), int(rng.integers(0, 3))
        weights = rng.exponential(1.0, n) + 0.2
        weights[:k] = np.sort(weights)[::-1][:k]  # the bribed are the heaviest
        heaviest = float(np.sort(weights)[::-1][:k].sum() / weights.sum())
        if heaviest >= 0.45:
            continue
        prior = rng.uniform(0.2, 0.8)
        means = rng.uniform(0.02, 0.4, 2)
        squares = means * rng.uniform(means, 1)
        rule = weighted_rule((prior, prior), heaviest, tuple(means), tuple(squares), loss, cells=60)
        lost = sum(
            share * worst_loss(rule, state, weights, k, means[1 - state], squares[1 - state], loss)
            for state, share in ((1, prior), (0, 1 - prior))
        )
        assert lost <= rule.expected_loss + 1e-7


def test_more_steps_are_closer_to_the_rule_for_equal_weights() -> None:
    n, k, error, joint = 39, 3, 0.3, 0.12
    truthful = n - k
    mean, square = truthful * error / n, (truthful * (truthful - 1) * joint + truthful * error) / n**2
    exact = pairwise_minimax(
        Panel(n, k), ExpertInterval((0.5, 0.5), 1 - error, error, joint_error_rates=(joint, joint))
    )
    found = [
        weighted_rule((0.5, 0.5), k / n, (mean,) * 2, (square,) * 2, cells=cells).expected_loss
        for cells in (50, 200, 800)
    ]
    assert found[0] > found[1] > found[2] > exact.upper
    assert found[2] < exact.upper + 0.003


def test_nothing_known_is_worth_the_prior() -> None:
    rule = weighted_rule((0.3, 0.6), 0.2, (1.0, 1.0), (1.0, 1.0))
    assert rule.expected_loss == pytest.approx(0.25, abs=1e-9)
    assert rule.forecasts == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    "wrong",
    [
        {"heaviest": 0.5},
        {"heaviest": 0.499},
        {"cells": 5},
        {"weights": (1.2, 0)},
        {"prior": (-1, 0)},
        {"heaviest": -0.1},
    ],
)
def test_values_outside_their_ranges(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        weighted_rule(**{"prior": (0.5, 0.5), "heaviest": 0.1, "weights": (0.1, 0.1), "squares": (0.1, 0.1)} | wrong)  # type: ignore[arg-type]
