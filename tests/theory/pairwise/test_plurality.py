"""The plurality of m classes against all laws of histograms, and the two-class and Markov values."""

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from bribeproof import rules
from bribeproof.errors import ParameterError
from bribeproof.theory import (
    Expert,
    MultiExpert,
    Panel,
    dictator_guarantee,
    inflate_errors,
    pairwise_worst_loss,
    plurality_error,
)


def histograms(total: int, classes: int) -> np.ndarray:
    every = [h for h in product(range(total + 1), repeat=classes) if sum(h) == total]
    return np.array(every)


def by_histograms(panel: Panel, expert: MultiExpert) -> float:
    """The largest probability of a wrong or tied plurality over all laws of the truthful labels, by linear programs."""
    truthful, lies = histograms(panel.truthful, expert.states), histograms(panel.k, expert.states)
    total, size = 0.0, panel.truthful
    for state in range(expert.states):
        wrong = np.zeros(len(truthful))
        for place, labels in enumerate(truthful):
            seen = labels + lies
            others = np.delete(seen, state, axis=1).max(axis=1)
            wrong[place] = (others >= seen[:, state]).any()
        errors = size - truthful[:, state]
        found = linprog(
            -wrong,
            A_ub=[errors * (errors - 1)],
            b_ub=[size * (size - 1) * expert.joint_error_rates[state] + 1e-12],
            A_eq=[np.ones(len(truthful)), errors],
            b_eq=[1, size * (1 - expert.accuracy[state])],
        )
        if not found.success:  # no law has so few joint errors: the fewest that are possible count
            mean = size * (1 - expert.accuracy[state])
            low = math.floor(mean)
            least = (1 - mean + low) * low * (low - 1) + (mean - low) * (low + 1) * low
            found = linprog(
                -wrong,
                A_ub=[errors * (errors - 1)],
                b_ub=[least + 1e-9],
                A_eq=[np.ones(len(truthful)), errors],
                b_eq=[1, mean],
            )
        total -= expert.prior[state] * found.fun
    return total


def test_no_law_of_labels_makes_the_plurality_wrong_more_often() -> None:
    draw = random.Random(4)  # noqa: S311
    for _ in range(30):
        n = draw.randint(1, 7)
        prior = np.array([draw.random() for _ in range(3)])
        rho: Any = draw.choice([draw.random(), 0.0, 1.0, (draw.random(), 0.0, draw.random())])
        accuracy = tuple(draw.random() for _ in range(3))
        expert = MultiExpert(tuple((prior / prior.sum()).tolist()), accuracy, rho)
        panel = Panel(n, draw.randint(0, (n - 1) // 2))
        found = plurality_error(panel, expert)
        assert found.upper - found.lower <= 1e-9
        assert found.upper == pytest.approx(by_histograms(panel, expert), abs=1e-8)


def test_of_two_classes_it_is_the_strict_majority() -> None:
    for n, k, rho in ((9, 2, 0.1), (10, 2, 0.0), (39, 5, 0.3)):
        two = Expert(0.4, 0.8, 0.1, rho)
        many = MultiExpert((0.6, 0.4), (0.9, 0.8), rho)
        panel = Panel(n, k)
        decided = rules.majority(panel).values
        # a tie is wrong whatever the truth is: half of it in the rule, all of it here
        of_two = pairwise_worst_loss(rules.majority(panel), panel, two, "absolute").upper
        assert plurality_error(panel, many).upper >= of_two - 1e-9
        if 0.5 not in decided:
            assert plurality_error(panel, many).upper == pytest.approx(of_two, abs=1e-9)


def test_with_any_correlation_it_is_markovs_bound() -> None:
    panel = Panel(20, 3)
    most = 17 * 0.2 / 7  # seven errors of 17 are enough, whatever the class
    assert plurality_error(panel, MultiExpert((0.2, 0.3, 0.5), (0.8,) * 3)).upper == pytest.approx(most)


def test_less_correlation_never_hurts_and_joint_errors_are_the_same_bound() -> None:
    values = [plurality_error(Panel(39, 3), MultiExpert((0.5, 0.5), (0.8, 0.7), rho)).upper for rho in (0, 0.1, 0.5, 1)]
    assert (np.diff(values) >= -1e-12).all()
    joint = (0.2**2 + 0.1 * 0.16, 0.3**2 + 0.1 * 0.21)
    again = MultiExpert.from_joint_errors((0.5, 0.5), (0.8, 0.7), joint)
    assert again.correlation == pytest.approx((0.1, 0.1))
    assert plurality_error(Panel(39, 3), again).upper == pytest.approx(values[1])


def test_results_for_any_correlation_refuse_less() -> None:
    expert = MultiExpert((0.5, 0.5), (0.8, 0.7), 0.1)
    with pytest.raises(ParameterError, match=r"MultiExpert correlation = 0\.1.* or use plurality_error"):
        dictator_guarantee(Panel(5, 1), expert)
    with pytest.raises(ParameterError, match="plurality_error"):
        inflate_errors(expert, 2.0)
    with pytest.raises(ParameterError, match="one for each of the 2 states"):
        MultiExpert((0.5, 0.5), (0.8, 0.7), (0.1, 0.2, 0.3))
