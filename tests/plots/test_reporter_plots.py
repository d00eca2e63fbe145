"""Pictures of reporters, attacks and costs: what is drawn is what the tables say."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.container import ErrorbarContainer

from bribeproof import plots
from bribeproof.attacks.study import attack
from bribeproof.auditing.audit import audit
from bribeproof.errors import ParameterError
from tests.plots.sample_plots import audited, blank, curves, legend_of, long_scores, names_of, vote_sheet


def points(axes: Any, marks: str) -> dict[int, float]:
    """Return the points of lines with one of these marks, by their rows."""
    return {
        int(y): float(x)
        for line in axes.get_lines()
        if line.get_marker() in tuple(marks)
        for x, y in zip(*line.get_data(), strict=True)
    }


def segments(axes: Any) -> dict[int, tuple[float, float]]:
    """Return the ends of bounds, by their rows."""
    return {int(y): (low, high) for (low, y), (high, _) in axes.collections[0].get_segments()}


def test_deviations_of_scores_are_drawn_with_their_errors() -> None:
    table = audited("scores").reporters
    axes = plots.reporters(audited("scores"), ax=blank())
    assert names_of(axes) == table["reporter"].to_list()
    assert names_of(axes)[0] == "j3"
    scores = long_scores().pivot("worker", index="task", values="score").sort("task")
    others = scores.select(sorted(set(scores.columns) - {"task", "j3"})).to_numpy()
    # k = 1 of the others is dropped on each side.
    apart = scores["j3"].to_numpy() - np.sort(others, axis=1)[:, 1:-1].mean(axis=1)
    drawn = points(axes, "Do")
    assert drawn[0] == pytest.approx(apart.mean())
    low, high = segments(axes)[0]
    assert (high - low) / 2 == pytest.approx(apart.std(ddof=1) / math.sqrt(len(apart)))
    assert list(points(axes, "D")) == [row for row, stands in enumerate(table["stands_out"]) if stands]
    assert [drawn[row] for row in range(len(drawn))] == pytest.approx(table["deviation"].to_list())
    ranks = scores.select(sorted(set(scores.columns) - {"task"})).to_numpy()
    said = {text.get_position()[1]: text.get_text() for text in axes.texts if "▼" in text.get_text()}
    lowest, highest = (int((scores["j3"].to_numpy() == edge(ranks, axis=1)).sum()) for edge in (np.min, np.max))
    assert said[0] == f"▼{lowest} ▲{highest}"
    assert len(said) == table.height
    found = int(table["stands_out"].sum())
    title = f"{found} of 7 reporters deviate{'s' * (found == 1)}\nmore than equal skill explains"
    assert axes.get_title(loc="right") == title


def test_shares_of_labels_are_drawn_with_their_bounds() -> None:
    table = audited("labels").reporters
    axes = plots.reporters(audited("labels"), ax=blank())
    votes = vote_sheet().pivot("worker", index="task", values="label")
    ours = votes["worker 0"].to_numpy()
    others = votes.drop("task", "worker 0").to_numpy().sum(axis=1)
    # Six others; a tie among them has nobody apart.
    apart = np.where(ours == 1, others < 3, others > 3)
    assert names_of(axes)[0] == "worker 0"
    assert points(axes, "D") == {0: pytest.approx(apart.mean())}
    assert points(axes, "|") == pytest.approx(dict(enumerate(table["rate_expected"])))
    drawn = segments(axes)
    assert list(drawn.values()) == list(table.select("rate_low", "rate_high").iter_rows())
    assert axes.get_title(loc="right") == "1 of 7 reporters deviates\nmore than equal skill explains"
    assert legend_of(axes) == ["more than equal skill", "not more", "exact bounds", "expected of anybody"]


def test_the_first_reporters_are_drawn() -> None:
    axes = plots.reporters(audited("labels"), most=3, ax=blank())
    assert len(names_of(axes)) == 3
    assert axes.get_title(loc="right") == "1 of 7 reporters deviates\nmore than equal skill explains; the first 3"
    for most in (0, 201, True, 2.5, "3"):
        with pytest.raises(ParameterError, match="draw 1 to 200 reporters"):
            plots.reporters(audited("labels"), most=most)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["scores", "labels"])
def test_reporters_whom_nothing_compares_have_a_name_and_no_point(kind: str) -> None:
    sheet = long_scores() if kind == "scores" else vote_sheet()
    axes = plots.reporters(audit(sheet.head(3), k=2, kind=kind))
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert len(names_of(axes)) == 3
    assert points(axes, "Do") == {}
    assert axes.get_title(loc="right") == "0 of 3 reporters deviate\nmore than equal skill explains"


def test_one_report_has_no_standard_error() -> None:
    axes = plots.reporters(audit(long_scores().filter(pl.col("task") == 0), kind="scores"), ax=blank())
    drawn = points(axes, "Do")
    assert len(drawn) == 7
    assert segments(axes) == {row: (value, value) for row, value in drawn.items()}


# Attacks.


@pytest.mark.parametrize("measure", ["squared_loss", "absolute_loss", "accuracy", "changed"])
def test_each_rule_is_drawn_with_its_spread(measure: str) -> None:
    found = curves()
    axes = plots.attack(found, measure=measure, ax=blank())
    bars = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    named = [
        rule for rule in found.curves["rule"].unique(maintain_order=True) if "k/2" not in rule and "2k" not in rule
    ]
    assert legend_of(axes) == named
    assert len(named) < found.curves["rule"].n_unique()
    for bar, rule in zip(bars, named, strict=True):
        rows = found.curves.filter(pl.col("rule") == rule).sort("adversaries")
        line, _, (spans,) = bar.lines
        np.testing.assert_array_equal(np.asarray(line.get_data()), [range(4), rows[measure]])
        spread = [float(ends[1, 1] - ends[0, 1]) for ends in spans.get_segments()]
        assert spread == pytest.approx([2 * (value or 0) for value in rows[f"{measure}_sd"]], abs=1e-12)
    assert axes.get_xlabel() == "Bribed reporters (of 7)"
    assert axes.get_title(loc="left") == "Strategy: opposite; 40 items"
    assert axes.get_ylim()[0] == 0


def test_the_order_of_the_table_does_not_show() -> None:
    found = curves()
    mixed = replace(found, curves=found.curves.sort("adversaries", descending=True, maintain_order=True))
    for one, other in zip(plots.attack(found, ax=blank()).lines, plots.attack(mixed, ax=blank()).lines, strict=True):
        np.testing.assert_array_equal(np.asarray(one.get_data()), np.asarray(other.get_data()))


def test_scores_are_measured_from_their_honest_mean() -> None:
    assert plots.attack(curves("scores"), ax=blank()).get_ylabel() == "Squared distance from the honest mean"
    with pytest.raises(ParameterError, match="measure='accuracy': use one of squared_loss, absolute_loss, changed"):
        plots.attack(curves("scores"), measure="accuracy")
    with pytest.raises(ParameterError, match=r"measure='regret': use one of .*accuracy"):
        plots.attack(curves(), measure="regret")


def test_many_rules_are_told_apart_without_colour() -> None:
    found = attack(vote_sheet(), {"task 0": 0, "task 1": 1}, counts=[0, 1], ks=range(1, 4), draws=1)
    axes = plots.attack(found, ax=blank())
    bars = [each.lines[0] for each in axes.containers if isinstance(each, ErrorbarContainer)]
    assert len({(bar.get_marker(), bar.get_fillstyle()) for bar in bars}) == len(bars) > 7


# Costs.


@given(st.lists(st.tuples(st.floats(1e-9, 1e12), st.floats(1e-9, 1e9)), min_size=1, max_size=6))
def test_costs_are_drawn_and_both_axes_have_numbers(pairs: list[tuple[float, float]]) -> None:
    sizes, seconds = zip(*sorted(pairs), strict=True)
    axes = plots.cost(sizes, {"one": seconds, "other": [2 * value for value in seconds]}, unit="GB", ax=blank())
    for line, factor in zip(axes.get_lines(), (1, 2), strict=True):
        np.testing.assert_array_equal(np.asarray(line.get_data()), [sizes, np.multiply(seconds, factor)])
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        seen = [tick for tick in axis.get_majorticklocs() if low <= tick <= high]
        assert 2 <= len(seen) <= 9
    assert axes.get_xlabel() == "GB"
    assert legend_of(axes) == ["one", "other"]


@pytest.mark.parametrize(
    ("sizes", "seconds", "said"),
    [
        ([], {"a": []}, "nothing to plot"),
        ([1], {}, "nothing to plot"),
        ([1, 2], {"a": [1]}, r"a=\[1\]: give 2 numbers above 0"),
        ([0, 2], {"a": [1, 2]}, r"sizes=\[0, 2\]"),
        ([1, 2], {"a": [1, -1]}, "above 0"),
        ([1, 2], {"a": [1, math.nan]}, "above 0"),
        ([1, math.inf], {"a": [1, 2]}, "above 0"),
    ],
)
def test_costs_that_cannot_be_drawn_are_refused(sizes: Sequence[float], seconds: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        plots.cost(sizes, seconds)
