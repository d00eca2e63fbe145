"""The optimal rule: the closed form where that is exact, elsewhere the exact solver, and never a weaker guarantee."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import (
    Basis,
    Expert,
    ExpertInterval,
    Loss,
    Panel,
    closed_form,
    optimal_aggregator,
    worst_case,
)
from tests.theory import worst_case_oracle as oracle
from tests.theory.strategies import LOSSES, each_loss, guarantee_of, rates


@st.composite
def games(draw: st.DrawFn) -> tuple[Panel, Expert]:
    n = draw(st.integers(1, 12))
    k = draw(st.integers(0, (n - 1) // 2))
    fpr, tpr = sorted([draw(rates), draw(rates)])
    return Panel(n, k), Expert(draw(rates), tpr, fpr)


@each_loss
@given(game=games())
def test_the_guarantee_is_exact_and_the_rules_own(name: oracle.Loss, game: tuple[Panel, Expert]) -> None:
    panel, expert = game
    rule = optimal_aggregator(panel, expert, LOSSES[name])
    promised, closed = guarantee_of(rule), guarantee_of(closed_form(panel, expert, LOSSES[name]))
    forced = oracle.worst_case(rule.values, panel.k, expert.prior, expert.tpr, expert.fpr, name)
    assert promised.exact
    assert forced.regret == pytest.approx(promised.regret, abs=1e-9)
    assert forced.loss == pytest.approx(promised.expected_loss, abs=1e-9)
    assert promised.regret <= closed.regret + 1e-9
    assert promised.expected_loss >= closed.expected_loss - 1e-9


@each_loss
@given(game=games(), seed=st.integers(0, 2**32 - 1))
def test_no_rule_nearby_is_better(name: oracle.Loss, game: tuple[Panel, Expert], seed: int) -> None:
    panel, expert = game
    rule = optimal_aggregator(panel, expert, LOSSES[name])
    rng = np.random.default_rng(seed)
    for width in (0.01, 0.1, 1.0):
        other = np.clip(rule.values + width * (rng.random(panel.n + 1) - 0.5), 0, 1)
        assert worst_case(other, panel, expert, LOSSES[name]).regret >= guarantee_of(rule).regret - 2e-9


@given(game=games())
def test_the_absolute_loss_is_one_linear_program(game: tuple[Panel, Expert]) -> None:
    panel, expert = game
    if panel.n > 8:
        return
    known = guarantee_of(optimal_aggregator(panel, expert, "absolute"))
    least = oracle.minimax_regret(panel.n, panel.k, expert.prior, expert.tpr, expert.fpr, (1.0, 1.0))
    assert known.regret == pytest.approx(least, abs=1e-7)


@pytest.mark.parametrize(
    ("panel", "expert", "loss", "regret", "basis"),
    [
        (Panel(10, 2), Expert(0.5, 0.8, 0.1), "squared", 0.15837104072, Basis.EFFECTIVE_EXPERT),
        (Panel(10), Expert(0.5, 0.8, 0.1), "squared", 0.106659, Basis.EXACT_SOLVER),
        (Panel(3, 1), Expert(0.5, 0.9, 0.05), "squared", 0.092929, Basis.EXACT_SOLVER),
        (Panel(10), Expert(0.5, 0.8, 0.1), "absolute", 0.15, Basis.ONE_REPORTER),
        (Panel(4), Expert(0.431, 0.875, 0.445), "absolute", 0.193407, Basis.EXACT_SOLVER),
        (Panel(4, 1), Expert(0.5, 0.2, 0.1), "absolute", 0.3, Basis.EXACT_SOLVER),
    ],
    ids=str,
)
def test_worked_values(panel: Panel, expert: Expert, loss: str, regret: float, basis: Basis) -> None:
    known = guarantee_of(optimal_aggregator(panel, expert, loss))
    assert (known.exact, known.basis) == (True, basis)
    assert known.regret == pytest.approx(regret, abs=1e-6)


def test_where_the_closed_form_is_as_good_it_is_taken() -> None:
    # n = 3k under the absolute loss: nothing proves the closed form optimal, the solver's lower bound does.
    panel, expert = Panel(6, 2), Expert(0.5, 0.9, 0.1)
    closed = closed_form(panel, expert, "absolute")
    assert not guarantee_of(closed).exact
    rule = optimal_aggregator(panel, expert, "absolute")
    assert (rule.values == closed.values).all()
    assert guarantee_of(rule).exact


def test_an_interval_and_a_loss_of_ones_own_keep_the_closed_form() -> None:
    class Quartic(Loss):
        name = "quartic"

        def _given_0(self, forecast: oracle.FloatArray) -> oracle.FloatArray:
            return forecast**4

        def _given_1(self, forecast: oracle.FloatArray) -> oracle.FloatArray:
            return (1 - forecast) ** 4

    assert optimal_aggregator(Panel(5), ExpertInterval((0.3, 0.3), 0.8, 0.1)) == closed_form(
        Panel(5), ExpertInterval((0.3, 0.3), 0.8, 0.1)
    )
    own = optimal_aggregator(Panel(5), Expert(0.3, 0.8, 0.1), Quartic())
    assert own == closed_form(Panel(5), Expert(0.3, 0.8, 0.1), Quartic())
    with pytest.raises(ParameterError, match="hinge"):
        optimal_aggregator(Panel(5), Expert(0.3, 0.8, 0.1), "hinge")


def test_a_billion_reporters() -> None:
    expert = Expert(0.5, 0.8, 0.1)
    for n in (10**6, 10**9):
        rule = optimal_aggregator(Panel(n), expert)
        known = guarantee_of(rule)
        assert known.exact
        # One reporter's risk is the limit from below, at a distance of less than 1/(4n).
        assert 0.12626262626262627 - 0.25 / n - 1e-9 <= known.regret <= 0.12626262626262627 + 1e-9
        assert rule(n // 2) == pytest.approx((rule(1) + rule(n - 1)) / 2, rel=1e-5)


@pytest.mark.parametrize("n", [4, 6, 8])
@pytest.mark.parametrize("loss", ["squared", "log"])
def test_where_nothing_tells_the_states_apart_a_tied_vote_is_a_tie(n: int, loss: str) -> None:
    values = optimal_aggregator(Panel(n), Expert(0.5, 0.9, 0.1), loss).values
    assert values[n // 2] == 0.5
    assert values + values[::-1] == pytest.approx(1, abs=1e-12)
