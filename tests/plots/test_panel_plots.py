"""Pictures of a panel: what is drawn is what the rule, the guarantee and the worst case say."""

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bribeproof import plots
from bribeproof.errors import ParameterError
from bribeproof.rules import constant, majority, mean, median, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Guarantee, Panel, closed_form, worst_case
from tests.budgets import examples
from tests.plots.sample_plots import EXPERT, PANEL, bands_of, blank, legend_of, names_of, rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANELS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, (n - 1) // 2)))


def point(loss: float) -> Guarantee:
    """Return a guarantee whose two bounds differ."""
    found = closed_form(PANEL, EXPERT).guarantee
    assert found is not None
    return replace(found, expected_loss=loss, regret=loss / 4)


def data(axes: "Axes", place: int = 0) -> tuple[list[float], list[float]]:
    """Return the points of a line."""
    x, y = axes.get_lines()[place].get_data()
    return np.asarray(x, dtype=float).tolist(), np.asarray(y, dtype=float).tolist()


# Rules.


@given(PANELS)
@example((1, 0))
@example((200, 99))
@settings(max_examples=examples(0.25))
def test_the_line_of_a_rule_passes_through_all_its_forecasts(sizes: tuple[int, int]) -> None:
    n, k = sizes
    axes = plots.rule({"trimmed": trimmed_mean(Panel(n, k)), "majority": majority(Panel(n))}, ax=blank())
    for count in range(n + 1):
        kept = sorted([1] * count + [0] * (n - count))[k : n - k]
        assert np.interp(count, *data(axes)) == pytest.approx(sum(kept) / len(kept), abs=1e-12)
        assert np.interp(count, *data(axes, 1)) == pytest.approx((np.sign(2 * count - n) + 1) / 2, abs=1e-12)
    assert axes.get_xlabel() == f"Positive votes (of {n})"
    low, high = axes.get_xlim()
    assert low < 0
    assert high > n


def test_rules_are_told_apart_without_colour_and_named() -> None:
    axes = plots.rule({str(trim): trimmed_mean(Panel(60), trim) for trim in range(14)}, ax=blank())
    looks = [(line.get_marker(), line.get_linestyle(), line.get_markerfacecolor()) for line in axes.get_lines()]
    assert len(set(looks)) == 14
    assert len({(mark, face == "none") for mark, _, face in looks}) == 14
    assert legend_of(axes) == [str(trim) for trim in range(14)]
    legend = axes.get_legend()
    assert legend is not None
    assert [line.get_linestyle() for line in legend.get_lines()] == [dash for _, dash, _ in looks]


def test_rules_of_different_sizes_are_drawn_over_the_share() -> None:
    axes = plots.rule({"five": mean(Panel(5)), "nine": median(Panel(9))}, panel=Panel(9, 2), ax=blank())
    assert data(axes) == pytest.approx(([0, 0.2, 0.4, 0.6, 0.8, 1], [0, 0.2, 0.4, 0.6, 0.8, 1]))
    assert data(axes, 1)[0] == pytest.approx([count / 9 for count in range(10)])
    assert data(axes, 1)[1] == [0] * 5 + [1] * 5
    assert axes.get_xlabel() == "Positive votes (share)"
    assert zones(axes) == pytest.approx([(0, 2 / 9), (7 / 9, 1)])


@pytest.mark.parametrize("k", [1, 3, 9])
def test_the_zones_are_those_of_the_votes_that_are_dropped(k: int) -> None:
    panel = Panel(20, k)
    axes = plots.rule(rules(panel), panel=panel, ax=blank())
    assert zones(axes) == [(0, k), (20 - k, 20)]
    flat = data(axes, 1)[1]
    assert flat[k] == 0
    assert flat[k + 1] > 0
    assert legend_of(axes)[-1] == f"k = {k} or fewer: dropped"


def zones(axes: "Axes") -> list[tuple[float, float]]:
    """Return where the axes are shaded."""
    boxes: list[Any] = list(axes.patches)
    return [(box.get_x(), box.get_x() + box.get_width()) for box in boxes]


def test_nothing_is_shaded_where_nothing_is_dropped() -> None:
    axes = plots.rule({"mean": mean(Panel(4))}, panel=Panel(4), ax=blank())
    assert zones(axes) == []
    assert legend_of(axes) == ["mean"]


def test_a_rule_of_a_million_is_drawn_by_its_bends() -> None:
    panel = Panel(10**6, 10**5)
    rule = closed_form(panel, EXPERT)
    axes = plots.rule({"optimal": rule, "trimmed": trimmed_mean(panel)}, ax=blank())
    for place, one in enumerate((rule, trimmed_mean(panel))):
        assert len(data(axes, place)[0]) < 10
        counts = np.array([0, 1, 99_999, 100_000, 250_000, 500_000, 800_001, 900_000, 900_001, 10**6])
        np.testing.assert_allclose(np.interp(counts, *data(axes, place)), one(counts), atol=1e-9)


def test_rules_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(ParameterError, match="at least one rule"):
        plots.rule({})
    with pytest.raises(ParameterError, match=r"panel of n = 4, but rules of n = \[5\]"):
        plots.rule({"mean": mean(Panel(5))}, panel=Panel(4))


# Guarantees.


@pytest.mark.parametrize(("measure", "part"), [("expected_loss", 1), ("regret", 4)])
@pytest.mark.parametrize("against", ["k", "n"])
def test_a_guarantee_is_drawn_at_each_point(measure: Any, part: int, against: Any) -> None:
    axes = plots.guarantee(
        [2, 3, 5], [point(0.1), None, point(0.2)], against=against, measure=measure, breakdown=6.25, blind=0.24,
        marked=5, ax=blank(),
    )  # fmt: skip
    x, y = data(axes)
    assert x == [2, 3, 5]
    np.testing.assert_allclose(y, [0.1 / part, math.nan, 0.2 / part])
    assert data(axes, 1) == pytest.approx(([5], [0.2 / part]))
    assert set(data(axes, 2)[1]) == {0.24}
    assert set(data(axes, 3)[0]) == {6.25}
    assert legend_of(axes) == [
        "guarantee", f"{against} = 5: {0.2 / part:.4g}", "without reports: 0.24", f"breakdown: {against} = 6.25",
    ]  # fmt: skip
    assert axes.get_xlabel() == {"k": "Bribed reporters k", "n": "Reporters n"}[against]
    assert axes.get_ylabel() == {"expected_loss": "Expected loss, at most", "regret": "Regret, at most"}[measure]
    low, high = axes.get_xlim()
    assert low < 2
    assert high > 6.25
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] > 0.24


def test_a_marked_panel_without_a_guarantee_is_said_to_have_none() -> None:
    axes = plots.guarantee([3, 4], [None, None], against="k", marked=4, ax=blank())
    assert legend_of(axes) == ["guarantee", "k = 4: none"]
    low, high = axes.get_xlim()
    assert 2 < low < 3
    assert 4 < high < 5


@pytest.mark.parametrize("loss", [math.inf, 0.0])
def test_a_guarantee_without_bound_or_without_loss_is_drawn(loss: float) -> None:
    axes = plots.guarantee([0, 1], [point(loss), point(0.0)], against="k")
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert axes.get_ylim() == (0, 1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"points": []}, "0 points and 1 guarantees"),
        ({"points": [1, 2]}, "2 points and 1 guarantees"),
        ({"marked": 2}, "marked=2 is none of the points"),
        ({"against": "m"}, "against='m'"),
        ({"measure": "loss"}, "measure='loss'"),
    ],
)
def test_guarantees_that_cannot_be_drawn_are_refused(changed: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"points": [1], "guarantees": [point(0.1)], "against": "k"} | changed
    with pytest.raises(ParameterError, match=said):
        plots.guarantee(options.pop("points"), options.pop("guarantees"), **options)


# Worst cases.


@st.composite
def cases(draw: st.DrawFn) -> tuple[Aggregator, Panel, Expert]:
    """Return a rule, its panel and an expert."""
    n, k = draw(PANELS)
    prior, fpr, better = (draw(st.floats(0.05, 0.95)) for _ in range(3))
    panel = Panel(n, k)
    make = draw(st.sampled_from([mean, majority, trimmed_mean, lambda panel: constant(panel, 0.25)]))
    return make(panel), panel, Expert(prior, fpr + (1 - fpr) * better, fpr)


@given(cases())
def test_the_worst_case_can_be_computed_from_its_picture(case: tuple[Aggregator, Panel, Expert]) -> None:
    rule, panel, expert = case
    found = worst_case(rule, panel, expert, "squared")
    axes = plots.worst_case(found, ax=blank())
    drawn = [bands_of(bars) for bars in axes.collections]
    positive, negative, *bribed = drawn
    assert len(bribed) == (panel.k > 0)
    weights = [*found.given_1.weights, *found.given_0.weights]
    seen = data(axes)[0]
    losses, truthful = [0.0, 0.0], [0.0, 0.0]
    for place, weight in enumerate(weights):
        row, start, yes = positive[place]
        assert start == 0
        no, end = negative[place][1:]
        assert (no - yes, end) == (panel.k, panel.n)
        if bribed:
            assert bribed[0][place] == (row, yes, no)
        assert yes <= seen[place] <= no
        state = place < len(found.given_1.weights)
        truthful[state] += weight * yes
        losses[state] += weight * (rule(int(seen[place])) - state) ** 2
    honest = panel.n - panel.k
    assert truthful == pytest.approx([honest * expert.fpr, honest * expert.tpr])
    loss = expert.prior * losses[1] + (1 - expert.prior) * losses[0]
    said = re.fullmatch(r".+: expected loss (\S+), regret (\S+)", axes.get_title(loc="left"))
    assert said is not None
    assert float(said[1]) == pytest.approx(loss, rel=1e-3, abs=1e-12)
    assert float(said[2]) == pytest.approx(found.regret, rel=1e-3, abs=1e-12)
    forecasts = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
    assert forecasts == [f"{rule(int(count)):.3g}" for count in seen]
    assert [float(name.strip("> %")) for name in names_of(axes)] == pytest.approx(
        [100 * weight for weight in weights], rel=0.006
    )


def test_what_is_not_certain_does_not_look_so() -> None:
    expert = Expert(0.01, 0.9, 0.0001)
    axes = plots.worst_case(worst_case(trimmed_mean(Panel(200, 2)), Panel(200, 2), expert, "squared"), ax=blank())
    assert "> 99.9 %" in names_of(axes)
    assert "100 %" not in names_of(axes)
    assert [text.get_text() for text in axes.texts if text.get_text().startswith("If")] == [
        "If the truth is positive (1 %)", "If the truth is negative (99 %)",
    ]  # fmt: skip


def test_a_panel_without_bribes_has_none_in_its_picture() -> None:
    axes = plots.worst_case(worst_case(mean(Panel(1)), Panel(1), EXPERT, "squared"), ax=blank())
    assert legend_of(axes) == ["truthful: positive", "truthful: negative", "what the rule sees"]
    assert data(axes)[0] == [0, 1, 0, 1]


def test_the_guarantee_says_when_it_holds() -> None:
    said = " ".join(plots.guarantee([1], [point(0.2)], against="k", ax=blank()).get_title(loc="left").split())
    assert said.startswith("On average over items, provided that neither who answers an item nor how many do depends")
