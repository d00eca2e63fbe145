"""The last digits of a set of cuts: the two bounds meet, and they meet where the conic solver says."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bribeproof.theory import Expert, Log, Loss, Panel, Scenario, Squared
from bribeproof.theory.minimax.conic_master import solve_master
from bribeproof.theory.minimax.cuts import Cut, Cuts, possible
from bribeproof.theory.minimax.interior_point import refine_interior_point

chances = st.one_of(st.floats(0.02, 0.98), st.floats(1e-7, 1e-2), st.floats(1e-7, 1e-2).map(lambda tiny: 1 - tiny))


def scenario(panel: Panel, rate: float, low: int, high: int, *adversaries: int) -> Scenario:
    """Two truthful counts with the mean that the rate asks for."""
    share = (panel.truthful * rate - low) / (high - low)
    return Scenario((low, high), (1 - share, share), adversaries)


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Cut], Panel, Expert]:
    """Random structures with random strategies: what is seen in one state may never be seen in the other."""
    panel = Panel(draw(st.integers(2, 12)))
    panel = Panel(panel.n, draw(st.integers(0, (panel.n - 1) // 2)))
    fpr, tpr = sorted([draw(chances), draw(chances)])

    def random(rate: float) -> Scenario:
        mean = int(panel.truthful * rate)
        low, high = draw(st.integers(0, mean)), draw(st.integers(mean + 1, panel.truthful))
        liars = st.integers(0, panel.k)
        return scenario(panel, rate, low, high, draw(liars), draw(liars))

    cuts = [Cut(random(tpr), random(fpr)) for _ in range(draw(st.integers(1, 12)))]
    return cuts, panel, Expert(draw(chances), tpr, fpr)


def game(panel: Panel, expert: Expert, *cuts: tuple[int, ...]) -> tuple[list[Cut], Panel, Expert]:
    """Cuts by two truthful counts and the adversaries at each, in state 1 and then in state 0."""
    return (
        [Cut(scenario(panel, expert.tpr, *cut[:4]), scenario(panel, expert.fpr, *cut[4:])) for cut in cuts],
        panel,
        expert,
    )


SLOW = {
    "a weight vanishes together with its slack": game(
        Panel(7, 1),
        Expert(0.75, 0.171875, 1e-7),
        *[(0, 5, 0, 0, 0, 1, 0, 0), (1, 2, 0, 0, 0, 1, 0, 0), (0, 3, 1, 1, 0, 1, 0, 0), (0, 2, 0, 0, 0, 4, 1, 0)],
    ),
    "log-odds run away where their curve is flat": game(
        Panel(11, 4),
        Expert(0.6125917716088102, 0.9999769167679696, 0.8140225059922686),
        *[(3, 7, 4, 1, 1, 7, 1, 0), (4, 7, 4, 2, 1, 6, 1, 3), (1, 7, 0, 4, 3, 6, 2, 4)],
        *[(0, 7, 3, 1, 5, 7, 4, 3), (3, 7, 4, 4, 0, 6, 0, 1), (0, 7, 0, 0, 4, 6, 3, 4)],
    ),
}


@pytest.mark.parametrize("loss", [Squared(), Log()], ids=lambda loss: loss.name)
@example(game=SLOW["a weight vanishes together with its slack"])
@example(game=SLOW["log-odds run away where their curve is flat"])
@given(game=games())
def test_the_bounds_meet_to_the_last_digits(loss: Loss, game: tuple[list[Cut], Panel, Expert]) -> None:
    found, panel, expert = game
    assert all(possible(cut, panel, expert) for cut in found)
    cuts = Cuts.of(found, expert, loss)
    answer = refine_interior_point(cuts)
    lower, upper = cuts.lower_bound(answer.weights), float(cuts.regrets(answer.forecasts).max())
    assert (answer.weights >= 0).all()
    assert answer.weights.sum() == pytest.approx(1, abs=1e-12)
    assert ((answer.forecasts >= 0) & (answer.forecasts <= 1)).all()
    assert -1e-12 <= upper - lower <= 1e-10


@pytest.mark.parametrize("loss", [Squared(), Log()], ids=lambda loss: loss.name)
@given(game=games())
def test_the_conic_solver_agrees(loss: Loss, game: tuple[list[Cut], Panel, Expert]) -> None:
    cuts = Cuts.of(game[0], game[2], loss)
    polished, solved = refine_interior_point(cuts), solve_master(cuts)
    assert cuts.lower_bound(solved.weights) <= float(cuts.regrets(polished.forecasts).max()) + 1e-12
    assert float(cuts.regrets(solved.forecasts).max()) >= cuts.lower_bound(polished.weights) - 1e-12
    assert cuts.lower_bound(solved.weights) == pytest.approx(cuts.lower_bound(polished.weights), abs=1e-5)


@pytest.mark.parametrize("loss", [Squared(), Log()], ids=lambda loss: loss.name)
def test_equal_cuts_leave_nothing_to_do(loss: Loss) -> None:
    cut = Cut(Scenario((2,), (1.0,), (0,)), Scenario((0,), (1.0,), (0,)))
    answer = refine_interior_point(Cuts.of([cut], Expert(0.3, 1.0, 0.0), loss))
    assert answer.weights.tolist() == [1.0]
    assert np.asarray(answer.forecasts).tolist() == [0.0, 1.0]
