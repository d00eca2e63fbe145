"""The worst case of a rule that is linear between some counts: as exact from a few counts as from all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bribeproof.theory import Expert, Loss, Panel, cost, get_loss
from bribeproof.theory.worst_case.adversary import LinearPieces, TabulatedRule, worst_structure
from tests.budgets import examples

LOSSES: list[Loss] = [*map(get_loss, ("absolute", "squared", "log")), cost(false_positive=1, false_negative=4)]


@st.composite
def games(draw: st.DrawFn) -> tuple[LinearPieces, Panel, Expert]:
    """A rule with few knots, often neighbours of each other, of the ends, or of ends less k; rates often at an edge."""
    n = draw(st.integers(100, 200))
    k = draw(st.one_of(st.integers(0, 3), st.integers(0, (n - 1) // 2), st.just(n // 3)))
    near = st.sampled_from([0, 1, 2, 3, k, k + 1, n - 2 * k, n - k - 1, n - k, n - 2, n - 1, n])
    knots = sorted(draw(st.sets(st.one_of(near, st.integers(0, n)), min_size=1, max_size=6)) & set(range(n + 1)))
    level = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1), st.floats(1e-6, 1e-3))
    forecasts = draw(st.lists(level, min_size=len(knots), max_size=len(knots)))
    if draw(st.booleans()):
        forecasts.sort()
    truthful = n - k
    rate = st.one_of(
        st.floats(0, 1), st.integers(0, truthful).map(lambda count: count / truthful), st.floats(0, 1 / truthful)
    )
    rates = sorted([draw(rate), draw(rate)])
    return (
        LinearPieces(np.array(knots), np.array(forecasts)),
        Panel(n, k),
        Expert(draw(st.floats(0, 1)), rates[1], rates[0]),
    )


@settings(max_examples=examples(4))
@given(game=games(), loss=st.sampled_from(LOSSES))
def test_a_few_counts_are_enough(game: tuple[LinearPieces, Panel, Expert], loss: Loss) -> None:
    rule, panel, expert = game
    quick = worst_structure(rule, panel, expert, loss)
    whole = worst_structure(TabulatedRule(rule.at(np.arange(panel.n + 1))), panel, expert, loss)
    assert quick.pair.regret == pytest.approx(whole.pair.regret, rel=1e-12, abs=1e-14)
    assert quick.pair.largest_loss == pytest.approx(whole.pair.largest_loss, rel=1e-12, abs=1e-14)


@given(game=games(), loss=st.sampled_from(LOSSES), data=st.data())
def test_the_dearest_strategy_is_among_the_options(
    game: tuple[LinearPieces, Panel, Expert], loss: Loss, data: st.DataObject
) -> None:
    rule, panel, _ = game
    truthful, state = data.draw(st.integers(0, panel.truthful)), data.draw(st.integers(0, 1))
    table = TabulatedRule(rule.at(np.arange(panel.n + 1)))
    best = [
        options.options(truthful, panel.k, lambda forecasts: loss.value(forecasts, state))[1].max()
        for options in (rule, table)
    ]
    assert best[0] == pytest.approx(best[1], rel=1e-13)


def test_the_size_of_the_panel_costs_nothing() -> None:
    # The rule x/n with 10⁹ reporters: the regret of averaging, min(e, π), up to what rounds off at that size.
    n = 10**9
    rule, expert = LinearPieces(np.array([0, n]), np.array([0.0, 1.0])), Expert(0.4, 0.8, 0.1)
    worst = worst_structure(rule, Panel(n), expert, LOSSES[0])
    assert rule.worst_losses(Panel(n), 0.8 * n, LOSSES[0].bayes_risk)[0].size < 30
    assert worst.pair.regret == pytest.approx(0.4 * 0.2 + 0.6 * 0.1, rel=1e-8)


def test_the_worst_pair_is_one_law_in_each_state() -> None:
    rule = TabulatedRule(np.linspace(0, 1, 8) ** 2)
    pair = worst_structure(rule, Panel(7, 2), Expert(0.4, 0.83, 0.14), LOSSES[1]).pair
    assert pair.given_1.low.shape == pair.given_0.low.shape == (1,)
