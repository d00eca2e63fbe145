"""The game with bounded correlation: values of the theory, other programs for it, worlds that satisfy the bound."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from bribeproof import rules
from bribeproof.errors import ParameterError
from bribeproof.theory import CostWeighted, Expert, Loss, Panel, cost, expert_risk, minimax
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw
from bribeproof.theory.pairwise.independent import independent_rule
from bribeproof.theory.pairwise.pairwise_minimax import pairwise_minimax
from bribeproof.theory.pairwise.witness import Witness
from bribeproof.theory.pairwise.worst_law import worst_law
from bribeproof.theory.pairwise.worst_loss import pairwise_worst_loss

Curve = Callable[[np.ndarray], np.ndarray]

RHO = (1, 0.4, 0.2, 0.1, 0.05, 0)
TABLE = {
    (5, 1, 0.8, 0.2): (0.1956, 0.1855, 0.1691, 0.1573, 0.1501, 0.1416),
    (7, 1, 0.8, 0.2): (0.1824, 0.1575, 0.1330, 0.1149, 0.1029, 0.0889),
    (10, 2, 0.8, 0.1): (0.1584, 0.1349, 0.1062, 0.0859, 0.0735, 0.0577),
    (39, 4, 0.7, 0.3): (0.2240, 0.2028, 0.1741, 0.1410, 0.1106, 0.0568),
    (100, 10, 0.7, 0.3): (0.2236, 0.2009, 0.1694, 0.1314, 0.0947, 0.0251),
    (100, 20, 0.7, 0.3): (0.2400, 0.2346, 0.2217, 0.2015, 0.1745, 0.0795),
}
LOSSES: tuple[Any, ...] = ("squared", "absolute", "log", cost(false_positive=5, false_negative=1))


def games(seed: int, count: int, most: int = 40) -> list[tuple[Panel, Expert, Any]]:
    """Random games: any sizes, rates and correlations, the edges of each and numbers next to them."""
    draw = random.Random(seed)  # noqa: S311

    def near(end: int) -> float:
        return abs(end - draw.choice([0.0, draw.random(), 10 ** draw.uniform(-14, -1)]))

    found = []
    for _ in range(count):
        n = draw.randint(1, most)
        fpr, tpr = sorted((near(0), near(1)))
        rho: Any = draw.choice([near(0), near(1), draw.random() / 10, (near(0), near(1))])
        prior = draw.choice([draw.random(), 0.5, 0.01, near(0), near(1)])
        k = draw.choice([0, draw.randint(0, (n - 1) // 2)])
        found.append((Panel(n, k), Expert(prior, tpr, fpr, rho), draw.choice(LOSSES)))
    return found


@pytest.mark.parametrize("game", TABLE)
def test_values_of_the_theory(game: tuple[int, int, float, float]) -> None:
    n, k, tpr, fpr = game
    for rho, value in zip(RHO, TABLE[game], strict=True):
        solution = pairwise_minimax(Panel(n, k), Expert(0.5, tpr, fpr, rho))
        assert solution.upper == pytest.approx(value, abs=5.1e-5)
        assert solution.converged


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_games_come_with_true_certificates(count: int) -> None:
    for panel, expert, loss in games(count, count, most=60):
        solution = pairwise_minimax(panel, expert, loss)
        assert solution.recheck().difference <= 1e-12
        assert solution.converged, (panel, expert, loss, solution)


@pytest.mark.parametrize(("panel", "expert", "loss"), [
    (Panel(35, 2), Expert(0.2388, 1.0, 0.4476, 0.0154), "log"),
    (Panel(28, 0), Expert(0.5, 0.7, 0.0, 0.1), "log"),
    (Panel(9, 1), Expert(0.668, 1 - 5e-12, 0.5, 0), "log"),
    (Panel(58, 8), Expert(0.68, 1 - 1.6e-12, 0.5, 0.056), "log"),
    (Panel(50, 3), Expert(0.5, 0.6758, 0.6533, 0.0856), "squared"),
])  # fmt: skip
def test_both_sides_meet_where_errors_are_impossible_or_nearly_so(panel: Panel, expert: Expert, loss: str) -> None:
    solution = pairwise_minimax(panel, expert, loss)
    assert solution.gap <= 1e-8
    assert solution.recheck().difference <= 1e-12


@pytest.mark.parametrize(
    "loss", ["squared", *(pytest.param(loss, marks=pytest.mark.slow) for loss in ("absolute", "log"))]
)
def test_a_hundred_thousand_reporters(loss: str) -> None:
    expert = Expert(0.4, 0.7, 0.3, 0.05)
    small, large = (pairwise_minimax(Panel(n, n // 10), expert, loss) for n in (1000, 100_000))
    assert large.converged
    recheck = large.recheck()
    assert recheck.difference <= 1e-12
    # errors that go together do not average out: a hundred times as many reporters help little
    assert small.upper - 0.005 <= recheck.lower <= recheck.upper <= small.upper


class Own(Loss):
    """A loss with these two curves."""

    def __init__(self, name: str, given_0: Curve, given_1: Curve) -> None:
        self.title, self.curves = name, (given_0, given_1)

    @property
    def name(self) -> str:
        return self.title

    def _given_0(self, forecast: np.ndarray) -> np.ndarray:
        return self.curves[0](forecast)

    def _given_1(self, forecast: np.ndarray) -> np.ndarray:
        return self.curves[1](forecast)


OWN = [
    Own("cubic", lambda y: y**3, lambda y: (1 - y) ** 3),
    Own("unequal", lambda y: 0.1 + y**2, lambda y: 0.3 + 3 * (1 - y) ** 2),
    Own("kinked", lambda y: np.maximum(0.2 * y, 2 * y - 0.7), lambda y: np.maximum(1 - y, 1.5 - 4 * y)),
]


@pytest.mark.parametrize("loss", OWN, ids=lambda loss: loss.name)
def test_losses_of_ones_own_by_another_linear_program(loss: Own) -> None:
    for panel, expert, _ in games(21, 4, most=6):
        solution = pairwise_minimax(panel, expert, loss)
        assert solution.converged
        # The tangents lie below the loss by at most about their distance squared.
        assert solution.upper - 2e-5 <= by_tangents(panel, expert, loss) <= solution.upper + 1e-9


def test_a_logarithmic_loss_of_ones_own_is_the_logarithmic_loss() -> None:
    with np.errstate(divide="ignore"):
        own = Own("surprise", lambda y: -np.log1p(-y), lambda y: -np.log(y))
        for panel, expert, _ in games(22, 4, most=12):
            ours, named = pairwise_minimax(panel, expert, own), pairwise_minimax(panel, expert, "log")
            assert ours.converged
            assert ours.upper == pytest.approx(named.upper, abs=1e-8)


@pytest.mark.parametrize("count", [25, pytest.param(600, marks=pytest.mark.slow)])
def test_with_full_correlation_it_is_theorem_a(count: int) -> None:
    for panel, expert, loss in games(count + 1, count):
        plain = Expert(expert.prior, expert.tpr, expert.fpr)
        expected = expert_risk(panel.effective(plain), loss)
        assert pairwise_minimax(panel, plain, loss).upper == pytest.approx(expected, abs=1e-8)


def by_linear_program(panel: Panel, expert: Expert, loss: CostWeighted) -> float:
    """The least largest expected loss over all rules, monotone or not, against all laws and all strategies."""
    n, k, size = panel.n, panel.k, panel.truthful
    width = n + 1 + 6
    rows, right = [], []
    for state in (1, 0):
        for j in range(size + 1):
            for more in range(k + 1):
                row = np.zeros(width)
                start = n + 1 + 3 * (1 - state)
                row[start : start + 3] = -1, -j / size, -(j * (j - 1) / (size * (size - 1)) if size > 1 else 0)
                seen = (size - j if state else j) + more
                row[seen] = -loss.false_negative if state else loss.false_positive
                rows.append(row)
                right.append(-loss.false_negative if state else 0.0)
    errors, joint = (1 - expert.tpr, expert.fpr), expert.joint_error_rates
    objective = np.zeros(width)
    for place, weight in enumerate((expert.prior, 1 - expert.prior)):
        objective[n + 1 + 3 * place : n + 4 + 3 * place] = weight, weight * errors[place], weight * joint[place]
    free = [(0, 1)] * (n + 1) + [(None, None), (None, None), (0, None)] * 2
    exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    return float(linprog(objective, A_ub=np.array(rows), b_ub=right, bounds=free, method="highs", options=exact).fun)


def by_tangents(panel: Panel, expert: Expert, loss: Own) -> float:
    """The least largest expected loss over all rules, the loss replaced by its tangents at 400 forecasts."""
    n, k, size = panel.n, panel.k, panel.truthful
    at = np.linspace(0, 1, 401)
    width = n + 1 + 6
    rows, right = [], []
    for state in (1, 0):
        curve = loss.curves[state]
        middles = (at[1:] + at[:-1]) / 2
        heights = curve(middles)
        slopes = (curve(middles + 1e-6) - curve(middles - 1e-6)) / 2e-6
        for j in range(size + 1):
            for more in range(k + 1):
                block = np.zeros((middles.size, width))
                start = n + 1 + 3 * (1 - state)
                block[:, start : start + 3] = -1, -j / size, -(j * (j - 1) / max(1, size * (size - 1)))
                block[:, (size - j if state else j) + more] = slopes
                rows.append(block)
                right.append(slopes * middles - heights)
    errors, joint = (1 - expert.tpr, expert.fpr), expert.joint_error_rates
    objective = np.zeros(width)
    for place, weight in enumerate((expert.prior, 1 - expert.prior)):
        objective[n + 1 + 3 * place : n + 4 + 3 * place] = weight, weight * errors[place], weight * joint[place]
    free = [(0, 1)] * (n + 1) + [(None, None), (None, None), (0, None)] * 2
    found = linprog(objective, A_ub=np.vstack(rows), b_ub=np.concatenate(right), bounds=free, method="highs")
    return float(found.fun)


@pytest.mark.parametrize("count", [25, pytest.param(600, marks=pytest.mark.slow)])
def test_no_rule_is_better_than_the_monotone_one(count: int) -> None:
    for panel, expert, _ in games(count + 2, count, most=10):
        for loss in (cost(false_positive=1, false_negative=1), cost(false_positive=5, false_negative=1)):
            other = by_linear_program(panel, expert, loss)
            assert pairwise_minimax(panel, expert, loss).upper == pytest.approx(other, abs=1e-8)


def test_the_worst_loss_of_any_rule_against_all_laws_of_three_points() -> None:
    draw = np.random.default_rng(5)
    for _ in range(60):
        size, (low, high) = int(draw.integers(1, 8)), np.sort(draw.random(2))
        low = high if draw.random() < 0.5 else low
        bounds = ErrorBounds(size, float(low), float(high), low**2 + draw.random() * high * (1 - high))
        losses = draw.random(size + 1)
        best = 0.0
        for a in range(size + 1):
            for b in range(a, size + 1):
                for c in range(b, size + 1):
                    best = max(best, of_three_points(np.array([a, b, c]), losses, bounds))
        worst = worst_law(losses, bounds)
        assert worst.lower == pytest.approx(best, abs=1e-9)
        assert worst.upper == pytest.approx(best, abs=1e-9)


def test_the_worst_law_of_many_errors_is_that_of_a_linear_program() -> None:
    draw = np.random.default_rng(6)
    for _ in range(60):
        size, (low, high) = int(draw.integers(2, 400)), np.sort(draw.random(2) ** 2)
        low = high if draw.random() < 0.5 else low
        bounds = ErrorBounds(size, float(low), float(high), low**2 + draw.random() ** 3 * high * (1 - high))
        steps = np.cumsum(draw.random(size + 1) < draw.choice([0.01, 0.5])) / size
        single, pairs = bounds.shares(np.arange(size + 1))
        found = linprog(
            -steps, A_eq=np.ones((1, size + 1)), b_eq=[1], A_ub=[single, -single, pairs],
            b_ub=[bounds.most, -bounds.least, bounds.joint], method="highs",
        )  # fmt: skip
        worst = worst_law(steps, bounds)
        assert worst.upper - worst.lower <= 1e-11
        assert worst.upper == pytest.approx(-found.fun, abs=1e-8)


def of_three_points(points: np.ndarray, losses: np.ndarray, bounds: ErrorBounds) -> float:
    """The largest expected loss on three points, by the vertices of the laws on them; 0 if there are none."""
    single = points / bounds.size
    pairs = points * (points - 1) / max(1, bounds.size * (bounds.size - 1))
    best = 0.0
    ends = [(single, bounds.least), (single, bounds.most), (pairs, bounds.joint)]
    ends += [(np.eye(3)[place], 0.0) for place in range(3)]
    for first, second in combinations(ends, 2):
        system = np.array([np.ones(3), first[0], second[0]])
        if abs(np.linalg.det(system)) < 1e-12:
            continue
        weights = np.linalg.solve(system, [1.0, first[1], second[1]])
        rate, joint = weights @ single, weights @ pairs
        fits = bounds.least - 1e-12 <= rate <= bounds.most + 1e-12 and joint <= bounds.joint + 1e-12
        if fits and (weights >= -1e-12).all():
            best = max(best, float(weights @ losses[points]))
    return best


def binomial(size: int, rate: float) -> np.ndarray:
    """The law of independent errors."""
    return np.array([comb(size, j) * rate**j * (1 - rate) ** (size - j) for j in range(size + 1)])


def worlds(size: int) -> dict[str, np.ndarray]:
    """Laws of the number of errors in worlds where errors go together."""
    half = size // 2
    clusters = np.zeros(size + 1)
    for first, one in enumerate(binomial(2, 0.25)):  # two clusters, each of which errs as one
        clusters[[0, half, size][first]] += one
    copycats = np.zeros(size + 1)
    for j, one in enumerate(binomial(size - half, 0.2)):  # half of them copy one of the others
        copycats[j] += one * (1 - j / (size - half))
        copycats[j + half] += one * j / (size - half)
    return {
        "independent": binomial(size, 0.25),
        "hard items": 0.8 * binomial(size, 0.15) + 0.2 * binomial(size, 0.6),
        "impossible items": 0.9 * binomial(size, 0.1) + 0.1 * binomial(size, 1.0),
        "clusters": clusters,
        "copycats": copycats,
    }


@pytest.mark.parametrize("loss", ["squared", "absolute", "log"])
@pytest.mark.parametrize(
    ("n", "k"), [(7, 1), pytest.param(20, 3, marks=pytest.mark.slow), pytest.param(39, 4, marks=pytest.mark.slow)]
)
def test_worlds_that_satisfy_the_bound_never_exceed_the_guarantee(n: int, k: int, loss: str) -> None:
    panel = Panel(n, k)
    j = np.arange(panel.truthful + 1)
    made = worlds(panel.truthful)
    for one in made.values():
        for two in made.values():
            rates = [float(law @ j) / panel.truthful for law in (one, two)]
            joint = [float(law @ (j * (j - 1))) / (panel.truthful * (panel.truthful - 1)) for law in (one, two)]
            expert = Expert.from_joint_errors(0.4, 1 - rates[0], rates[1], (joint[0], joint[1]))
            solution = pairwise_minimax(panel, expert, loss)
            values = solution.aggregator.values
            with np.errstate(divide="ignore"):
                losses = {
                    "squared": ((1 - values) ** 2, values**2),
                    "absolute": (1 - values, values),
                    "log": (-np.log(values), -np.log(1 - values)),
                }[loss]
            for lies in range(k + 1):
                realised = 0.4 * one @ losses[0][panel.truthful - j + k - lies] + 0.6 * two @ losses[1][j + lies]
                assert realised <= solution.upper + 1e-9


@pytest.mark.parametrize("loss", ["squared", "absolute", "log"])
def test_names_of_the_states_do_not_matter(loss: str) -> None:
    for panel, expert, _ in games(11, 12, most=15):
        first, second = expert.correlations
        mirrored = Expert(1 - expert.prior, 1 - expert.fpr, 1 - expert.tpr, (second, first))
        ours, other = pairwise_minimax(panel, expert, loss), pairwise_minimax(panel, mirrored, loss)
        assert ours.upper == pytest.approx(other.upper, abs=1e-8)


def test_more_correlation_or_more_adversaries_never_help() -> None:
    for n in (5, 12, 31):
        by_rho = [pairwise_minimax(Panel(n, 2), Expert(0.4, 0.75, 0.3, rho)).upper for rho in sorted(RHO)]
        by_k = [pairwise_minimax(Panel(n, k), Expert(0.4, 0.75, 0.3, 0.1)).upper for k in range((n - 1) // 2)]
        for values in (by_rho, by_k):
            assert (np.diff(values) >= -1e-8).all()


def test_the_breakdown_point_does_not_depend_on_the_correlation() -> None:
    draw = random.Random(8)  # noqa: S311
    for _ in range(25):
        n, low, high = draw.randint(3, 30), *sorted((draw.random(), draw.random()))
        expert = Expert(draw.uniform(0.1, 0.9), high, low, draw.random())
        edge = n * (high - low) / (1 + high - low)
        for k in range(max(0, round(edge) - 1), min((n - 1) // 2, round(edge) + 1) + 1):
            value = pairwise_minimax(Panel(n, k), expert).upper
            nothing = expert.prior * (1 - expert.prior)
            assert (value >= nothing - 1e-9) == (k >= (n - k) * (high - low)), (n, k, expert)


def test_decisions_are_wrong_at_most_as_often_as_said() -> None:
    panel, expert = Panel(11, 2), Expert(0.5, 0.8, 0.2, 0.1)
    decides = rules.majority(panel)
    worst = pairwise_worst_loss(decides, panel, expert, "absolute")
    best = pairwise_minimax(panel, expert, "absolute")
    assert best.upper - 1e-9 <= worst.upper
    assert worst.upper - worst.lower <= 1e-9
    assert worst.upper < pairwise_worst_loss(decides, panel, Expert(0.5, 0.8, 0.2), "absolute").upper


@pytest.mark.parametrize(("n", "k", "tpr", "fpr", "value"), [
    (100, 20, 0.7, 0.3, 0.0548), (39, 8, 0.7, 0.3, 0.1360), (10, 2, 0.8, 0.1, 0.0386),
])  # fmt: skip
def test_independent_errors(n: int, k: int, tpr: float, fpr: float, value: float) -> None:
    rule = independent_rule(Panel(n, k), Expert(0.5, tpr, fpr))
    assert rule.guarantee is not None
    assert rule.guarantee.expected_loss == pytest.approx(value, abs=5.1e-5)
    # what it claims for independence is below what pairwise independence alone supports
    assert rule.guarantee.expected_loss <= pairwise_minimax(Panel(n, k), Expert(0.5, tpr, fpr, 0)).upper + 1e-9


def test_false_certificates_are_found_out() -> None:
    solution = pairwise_minimax(Panel(9, 2), Expert(0.5, 0.8, 0.2, 0.1))
    first, second = solution.witness
    certain = replace(first, errors=ErrorLaw(np.array([9]), np.ones(1)))
    assert np.isnan(replace(solution, witness=Witness(certain, second)).recheck().lower)
    shifted = replace(first, counts=np.roll(first.counts, -1))
    assert np.isnan(replace(solution, witness=Witness(shifted, second)).recheck().lower)
    assert replace(solution, lower=solution.lower + 0.01).recheck().difference == pytest.approx(0.01)
    assert replace(solution, expert=Expert(0.5, 0.8, 0.2, 0.5)).recheck().difference > 0.001


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="correlation"):
        Expert(0.5, 0.8, 0.2, 1.5)
    with pytest.raises(ParameterError, match="give one number, or one given state 1"):
        Expert(0.5, 0.8, 0.2, (0.1, 0.2, 0.3))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="leave the correlation at 1"):
        minimax(Panel(4, 1), Expert(0.5, 0.8, 0.2, 0.1))
    with pytest.raises(ParameterError, match="for n = 5 reporters, and the panel has 7"):
        pairwise_worst_loss(rules.trimmed_mean(Panel(5, 1)), Panel(7, 1), Expert(0.5, 0.8, 0.2, 0.1))
    with pytest.raises(ParameterError, match="not positive"):
        pairwise_minimax(Panel(4, 1), Expert(0.5, 0.8, 0.2, 0.1), tol=0)
