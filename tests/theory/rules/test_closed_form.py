"""The optimal rule: theorem A against brute force, the bad structure and linear programs."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from bribeproof.errors import ParameterError
from bribeproof.rules import clipped_linear
from bribeproof.theory import (
    Basis,
    Expert,
    ExpertInterval,
    Guarantee,
    Panel,
    closed_form,
    expert_risk,
    loss_bound,
    minimax,
)
from tests.theory.strategies import LOSSES, each_loss, guarantee_of, panels, rates
from tests.theory.worst_case_oracle import Loss as OracleLoss
from tests.theory.worst_case_oracle import joint_risk, minimax_loss, minimax_regret, worst_case

priors = st.floats(0.02, 0.98)


@each_loss
@given(panel=panels(), prior=priors, one=rates, two=rates)
def test_guarantee_is_the_rules_true_worst_case(
    name: OracleLoss, panel: Panel, prior: float, one: float, two: float
) -> None:
    expert = Expert(prior, max(one, two), min(one, two))
    rule = closed_form(panel, expert, LOSSES[name])
    guarantee = guarantee_of(rule)
    worst = worst_case(rule.values, panel.k, prior, expert.tpr, expert.fpr, name)
    assert guarantee.expected_loss == pytest.approx(worst.loss, abs=1e-9)
    assert guarantee.expected_loss == pytest.approx(expert_risk(panel.effective(expert), LOSSES[name]), abs=1e-9)
    assert guarantee.regret >= worst.regret - 1e-9
    if guarantee.exact:
        assert guarantee.regret == pytest.approx(worst.regret, abs=1e-9)


@pytest.mark.parametrize("name", ["absolute", (2.0, 0.7)], ids=str)
@given(panel=panels(7), prior=priors, one=rates, two=rates)
def test_minimax_by_linear_program(name: OracleLoss, panel: Panel, prior: float, one: float, two: float) -> None:
    a, b = max(one, two), min(one, two)
    guarantee = guarantee_of(closed_form(panel, Expert(prior, a, b), LOSSES[name]))
    assert guarantee.expected_loss == pytest.approx(minimax_loss(panel.n, panel.k, prior, a, b, name), abs=1e-7)
    regret = minimax_regret(panel.n, panel.k, prior, a, b, name)
    assert guarantee.regret >= regret - 1e-7
    if guarantee.exact:
        assert guarantee.regret == pytest.approx(regret, abs=1e-7)


@each_loss
@given(panel=panels(30), prior=priors, one=rates, two=rates)
def test_no_rule_beats_the_bad_structure(name: OracleLoss, panel: Panel, prior: float, one: float, two: float) -> None:
    """Truthful counts {k, N} and {0, N − k}, seen as k or n − k H reports in both states."""
    n, k, size, a, b = panel.n, panel.k, panel.truthful, max(one, two), min(one, two)
    high_1, high_0 = (size * a - k) / (n - 2 * k), size * b / (n - 2 * k)
    if high_1 < high_0:
        return
    seen_1, seen_0 = prior * np.array([1 - high_1, high_1]), (1 - prior) * np.array([1 - high_0, high_0])
    lower = joint_risk(seen_1, seen_0, name).sum()
    guarantee = guarantee_of(closed_form(panel, Expert(prior, a, b), LOSSES[name]))
    assert guarantee.expected_loss == pytest.approx(lower, abs=1e-12)
    truthful_1 = {count for count, mass in ((k, 1 - high_1), (size, high_1)) if mass > 0}
    truthful_0 = {count for count, mass in ((0, 1 - high_0), (size - k, high_0)) if mass > 0}
    if k and n != 3 * k:
        assert not truthful_1 & truthful_0
        assert guarantee.exact


@dataclass(frozen=True)
class Hiding:
    """Search for a structure whose reports look alike in both states and whose truth does not."""

    size: int
    k: int

    def exists(self, mean_1: float, mean_0: float) -> bool:
        points = range(self.size + 1)
        for chosen in itertools.product((False, True), repeat=self.size + 1):
            pairs = [
                (one, zero)
                for one in points
                for zero in points
                if chosen[one] and not chosen[zero] and abs(one - zero) <= self.k
            ]
            if pairs:
                means = np.array([*zip(*pairs, strict=True), np.ones(len(pairs))])
                if linprog(np.zeros(len(pairs)), A_eq=means, b_eq=[mean_1, mean_0, 1], method="highs").status == 0:
                    return True
        return False


@pytest.mark.parametrize(("n", "k"), [(4, 1), (5, 1), (5, 2), (6, 1), (7, 3)])
def test_prior_alone_is_exact_only_where_the_state_can_be_hidden(n: int, k: int) -> None:
    """Where a′ < b′ the prior's risk is the minimax regret if and only if N·a ≥ 1 and N·b ≤ N − 1."""
    panel, found = Panel(n, k), set()
    for a, b in [(0.2, 0.15), (0.3, 0.1), (0.35, 0.3), (0.5, 0.45), (0.6, 0.6), (0.8, 0.7), (0.97, 0.9), (1.0, 0.95)]:
        guarantee = guarantee_of(closed_form(panel, Expert(0.4, a, b), "squared"))
        if guarantee.basis is Basis.PRIOR_ALONE:
            assert guarantee.exact == Hiding(panel.truthful, k).exists(panel.truthful * a, panel.truthful * b)
            found.add(guarantee.exact)
    assert found == {False, True}


@pytest.mark.parametrize(
    ("n", "k", "prior", "tpr", "fpr", "prior_alone", "truth"),
    [(4, 1, 0.5, 0.2, 0.1, 0.5, 0.3), (4, 1, 0.5, 0.9, 0.8, 0.5, 0.3), (5, 2, 0.4, 0.1, 0.05, 0.4, 0.12)],
)
def test_nearly_constant_reporters_are_an_exception(
    n: int, k: int, prior: float, tpr: float, fpr: float, prior_alone: float, truth: float
) -> None:
    guarantee = guarantee_of(closed_form(Panel(n, k), Expert(prior, tpr, fpr), "absolute"))
    assert (guarantee.basis, guarantee.exact) == (Basis.PRIOR_ALONE, False)
    assert guarantee.regret == pytest.approx(prior_alone)
    assert minimax_regret(n, k, prior, tpr, fpr, "absolute") == pytest.approx(truth)


def test_published_example() -> None:
    rule = closed_form(Panel(10, 2), Expert(0.5, 0.8, 0.1), "squared")
    guarantee = guarantee_of(rule)
    assert rule([0, 1, 2]) == pytest.approx([4 / 17] * 3, abs=1e-15)
    assert rule([8, 9, 10]) == pytest.approx([11 / 13] * 3, abs=1e-15)
    assert np.diff(rule.values[2:9]) == pytest.approx(np.full(6, (11 / 13 - 4 / 17) / 6))
    assert guarantee.regret == pytest.approx(0.15837104072, abs=1e-11)
    assert guarantee.exact
    assert guarantee.basis is Basis.EFFECTIVE_EXPERT
    assert rule.name == "optimal (squared)"


def test_exception_at_n_3k() -> None:
    panel, expert = Panel(3, 1), Expert(0.5, 0.9, 0.05)
    rule = closed_form(panel, expert, "squared")
    guarantee = guarantee_of(rule)
    assert guarantee.regret == pytest.approx(0.126263, abs=1e-6)
    assert (guarantee.exact, guarantee.basis) == (False, Basis.N_IS_3K)
    assert worst_case(rule.values, 1, 0.5, 0.9, 0.05, "squared").regret == pytest.approx(0.092929, abs=1e-6)


@pytest.mark.parametrize(
    ("n", "prior", "tpr", "fpr", "averaging", "truth"),
    [(4, 0.431, 0.875, 0.445, 0.307080, 0.193407), (10, 0.681, 0.674, 0.059, 0.240827, 0.185835)],
)
def test_averaging_is_not_optimal_outside_the_regular_regime(
    n: int, prior: float, tpr: float, fpr: float, averaging: float, truth: float
) -> None:
    guarantee = guarantee_of(closed_form(Panel(n), Expert(prior, tpr, fpr), "absolute"))
    assert guarantee.regret == pytest.approx(averaging, abs=1e-6)
    assert (guarantee.exact, guarantee.basis) == (False, Basis.ONE_REPORTER)
    assert minimax_regret(n, 0, prior, tpr, fpr, "absolute") == pytest.approx(truth, abs=1e-6)


def test_absolute_loss_needs_no_parameters() -> None:
    panel = Panel(9, 2)
    for expert in (Expert(0.5, 0.9, 0.1), Expert(0.35, 0.8, 0.05)):
        rule = closed_form(panel, expert, "absolute")
        assert rule.values.tolist() == clipped_linear(panel, 0, 1).values.tolist()
        assert guarantee_of(rule).regret == pytest.approx(expert.error_rate * 7 / 5)


@each_loss
def test_only_the_share_matters_and_more_adversaries_cost_more(name: OracleLoss) -> None:
    expert, loss = Expert(0.45, 0.9, 0.2), LOSSES[name]
    shares = [guarantee_of(closed_form(Panel(n, n // 5), expert, loss)).regret for n in (5, 50, 5000)]
    assert shares == pytest.approx([shares[0]] * 3)
    growing = [guarantee_of(closed_form(Panel(25, k), expert, loss)).regret for k in range(13)]
    assert (np.diff(growing) > -1e-15).all()
    assert growing[0] == pytest.approx(expert_risk(expert, loss))
    assert growing[-1] == pytest.approx(expert_risk(Expert(0.45, 0.5, 0.5), loss))


@each_loss
@given(panel=panels(), prior=priors, one=rates, two=rates, low=st.floats(0.01, 0.99), high=st.floats(0.01, 0.99))
def test_loss_bound_is_the_worst_loss_of_any_clipped_linear_rule(
    name: OracleLoss, panel: Panel, prior: float, one: float, two: float, low: float, high: float
) -> None:
    low, high, a, b = min(low, high), max(low, high), max(one, two), min(one, two)
    bound = loss_bound(panel, Expert(prior, a, b), low, high, LOSSES[name])
    worst = worst_case(clipped_linear(panel, low, high).values, panel.k, prior, a, b, name).loss
    assert bound >= worst - 1e-9
    if name in ("absolute", (2.0, 0.7)):
        assert bound == pytest.approx(worst, abs=1e-9)
    best = guarantee_of(closed_form(panel, Expert(prior, a, b), LOSSES[name])).expected_loss
    assert bound >= best - 1e-12


@pytest.mark.parametrize("prior", [0.0, 1.0])
@each_loss
def test_a_sure_prior_costs_nothing(name: OracleLoss, prior: float) -> None:
    rule = closed_form(Panel(7, 2), Expert(prior, 0.8, 0.3), LOSSES[name])
    assert set(rule.values) == {prior}
    assert rule.guarantee == Guarantee(0, 0, exact=True, basis=Basis.PRIOR_ALONE)


@each_loss
def test_perfect_reporters_cost_nothing(name: OracleLoss) -> None:
    rule = closed_form(Panel(7, 3), Expert(0.3, 1, 0), LOSSES[name])
    assert guarantee_of(rule).regret == 0
    assert guarantee_of(rule).exact
    assert (rule(3), rule(4)) == (0, 1)


@pytest.mark.parametrize("tiny", [1e-9, 2**-53, 1e-31, 1e-308, 5e-324])
@pytest.mark.parametrize("prior", [1e-12, 0.9, 1 - 1e-12])
@pytest.mark.parametrize("tpr", [0.8, 1.0])
def test_a_posterior_near_1_makes_no_sure_forecast(tiny: float, prior: float, tpr: float) -> None:
    """A forecast of 1/2 costs log 2. Where tpr is 1, only what is false costs, at most 37 for each forecast below 1."""
    limit = 37 * 5 * tiny + 1e-15 if tpr == 1 else np.log(2)
    for panel in (Panel(1), Panel(10, 2), Panel(9, 4)):
        for known in (Expert(prior, tpr, tiny), ExpertInterval((prior, 1.0), tpr, tiny)):
            assert 0 <= guarantee_of(closed_form(panel, known, "log")).expected_loss <= limit


@each_loss
@given(panel=panels(20), prior=priors, one=rates, two=rates)
def test_rules_rise_with_the_count_and_mirror(
    name: OracleLoss, panel: Panel, prior: float, one: float, two: float
) -> None:
    a, b = max(one, two), min(one, two)
    rule = closed_form(panel, Expert(prior, a, b), LOSSES[name]).values
    assert (np.diff(rule) >= 0).all()
    if not isinstance(name, tuple):
        mirror = closed_form(panel, Expert(1 - prior, 1 - b, 1 - a), LOSSES[name])
        value = guarantee_of(closed_form(panel, Expert(prior, a, b), LOSSES[name])).regret
        assert guarantee_of(mirror).regret == pytest.approx(value, abs=1e-9)


def test_bad_input() -> None:
    panel, expert = Panel(5, 1), Expert(0.5, 0.8, 0.1)
    with pytest.raises(ParameterError, match="loss"):
        closed_form(panel, expert, "brier")
    with pytest.raises(ParameterError, match="loss"):
        loss_bound(panel, expert, 0, 1, "brier")
    with pytest.raises(ParameterError, match=r"low = 0\.9 exceeds high = 0\.2"):
        loss_bound(panel, expert, 0.9, 0.2)
    with pytest.raises(ParameterError, match="high"):
        loss_bound(panel, expert, 0.9, 1.2)


def _bayes_risk(seen_1: NDArray[np.float64], seen_0: NDArray[np.float64]) -> float:
    return float(joint_risk(seen_1, seen_0, "squared").sum())


def test_swapping_two_structures_hides_an_uninformative_reporter_without_adversaries() -> None:
    """Supports {0, N} and {1, N − 1} with equal means: drawn either way round, the count says nothing."""
    n, rate, prior = 6, 0.4, 0.3
    outer, inner = np.zeros(n + 1), np.zeros(n + 1)
    outer[[0, n]] = 1 - rate, rate
    inner[1], inner[n - 1] = (n - 1 - n * rate) / (n - 2), (n * rate - 1) / (n - 2)
    assert inner @ np.arange(n + 1) == pytest.approx(n * rate)
    both = (outer + inner) / 2
    guarantee = guarantee_of(closed_form(Panel(n), Expert(prior, rate, rate), "squared"))
    assert guarantee.exact
    assert guarantee.regret == pytest.approx(_bayes_risk(prior * both, (1 - prior) * both))
    assert _bayes_risk(prior * outer, (1 - prior) * inner) == 0


def test_averaging_is_exact_up_to_the_last_count_that_the_theorem_allows() -> None:
    """With four reporters the means N·tpr and N·fpr may be as far apart as 3 and 1; beyond, nothing is proven."""
    for tpr, fpr, exact in ((0.75, 0.25, True), (0.76, 0.25, False), (0.75, 0.24, False)):
        rule = closed_form(Panel(4), Expert(0.5, tpr, fpr), "absolute")
        assert guarantee_of(rule).exact == exact
        if exact:
            assert minimax(Panel(4), Expert(0.5, tpr, fpr), loss="absolute").upper == pytest.approx(0.25, abs=1e-9)
