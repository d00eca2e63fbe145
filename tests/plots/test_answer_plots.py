"""Pictures of answers: fragile items, rankings and sweeps, against what can be counted by hand."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bribeproof import plots
from bribeproof.aggregation.api import aggregate_labels, aggregate_scores, aggregate_votes
from bribeproof.aggregation.sweep import sweep
from bribeproof.aggregation.sweep_result import Sweep
from bribeproof.arrays.ranking import SafeRanking, safe_ranking
from bribeproof.errors import ParameterError
from tests.budgets import examples
from tests.plots.sample_plots import JUDGES, bands_of, blank, legend_of, names_of, score_sheet, vote_sheet

KINDS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "pyarrow": lambda frame: frame.to_arrow(),
}


def dots(axes: Any, marks: str) -> dict[int, float]:
    """Return the points of lines with one of these marks, by their rows."""
    return {
        int(y): float(x)
        for line in axes.get_lines()
        if line.get_marker() in tuple(marks)
        for x, y in zip(*line.get_data(), strict=True)
    }


def ranged(sheet: pl.DataFrame, k: int) -> list[tuple[str, float, float, float]]:
    """Return name, low, estimate and high of each item, the widest range first."""
    found = []
    for name, *scores in sheet.iter_rows():
        known = sorted(score for score in scores if score is not None)
        if len(known) > 2 * k:
            windows = [known[start : start + len(known) - 2 * k] for start in (0, k, 2 * k)]
            found.append((name, *(sum(window) / len(window) for window in windows)))
    return sorted(found, key=lambda row: row[1] - row[3])


# Fragile items.


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [0, 1, 3])
def test_the_widest_ranges_are_drawn(kind: str, k: int) -> None:
    sheet = score_sheet()
    result = aggregate_scores(KINDS[kind](sheet), k=k, item="dive", judges=JUDGES)
    axes = plots.items(result, item="dive", most=6, ax=blank())
    wanted = ranged(sheet, k)[:6]
    bars = bands_of(axes.collections[0])
    assert [row for row, _, _ in bars] == pytest.approx(range(6))
    assert [high - low for _, low, high in bars] == pytest.approx([high - low for _, low, _, high in wanted])
    values = {name: (low, estimate, high) for name, low, estimate, high in ranged(sheet, k)}
    for row, name in enumerate(names_of(axes)):
        assert (bars[row][1], dots(axes, "o")[row], bars[row][2]) == pytest.approx(values[name])
    assert len(set(names_of(axes))) == 6
    assert axes.get_title(loc="right") == "The 6 most fragile of 30 items"
    assert legend_of(axes) == ["estimate", f"reach of k = {k}"]
    low, high = axes.get_xlim()
    assert low < min(bar[1] for bar in bars)
    assert high > max(bar[2] for bar in bars)


def test_items_without_an_answer_are_left_out() -> None:
    sheet = score_sheet(4).with_columns(
        pl.when(pl.col("dive") == "Dive 2").then(None).otherwise(pl.col(judge)).alias(judge) for judge in JUDGES[:5]
    )
    for kind in KINDS.values():
        axes = plots.items(aggregate_scores(kind(sheet), k=1, item="dive", judges=JUDGES), item="dive", ax=blank())
        assert set(names_of(axes)) == {"Dive 0", "Dive 1", "Dive 3"}
        assert axes.get_title(loc="right") == "3 items"
    table = pl.DataFrame({
        "item": ["none", "nan", "one"], "mine": [None, math.nan, 1.0], "range_low": [None, math.nan, 0.0],
        "range_high": [None, math.nan, 2.0], "k": [1, 1, 1],
    })  # fmt: skip
    axes = plots.items(table, item="item", estimate="mine", ax=blank())
    assert names_of(axes) == ["one"]
    assert axes.get_title(loc="right") == "1 item"


@pytest.mark.parametrize("scores", [True, False])
def test_where_nothing_is_certified_it_is_said(scores: bool) -> None:
    if scores:
        table = aggregate_scores(score_sheet(3), k=4, item="dive", judges=JUDGES)
    else:
        table = aggregate_votes(vote_sheet(), k=4)
    axes = plots.items(table, item="dive" if scores else "task")
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert axes.get_title(loc="right") == "No item has an answer"
    assert names_of(axes) == []


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(sum), min_size=1, max_size=8), st.integers(0, 2))
@example([(2, 2), (3, 1), (1, 1), (4, 0), (0, 1)], 1)
@example([(1, 1)], 0)
@settings(max_examples=examples(0.25))
def test_flips_are_those_that_take_the_win_away(tasks: list[tuple[int, int]], k: int) -> None:
    rows = [
        (f"t{task}", f"w{worker}", int(worker < yes))
        for task, (yes, no) in enumerate(tasks)
        for worker in range(yes + no)
    ]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    flips = {f"t{task}": (abs(yes - no) + 1) // 2 for task, (yes, no) in enumerate(tasks) if yes + no > 2 * k}
    axes = plots.items(aggregate_votes(votes, k=k), item="task", ax=blank())
    names = names_of(axes)
    assert sorted(names) == sorted(flips)
    assert [flips[name] for name in names] == sorted(flips.values())
    for mark, kind in {"d": range(1), "X": range(1, k + 1), "o": range(max(k + 1, 1), 9)}.items():
        assert dots(axes, mark) == {row: flips[name] for row, name in enumerate(names) if flips[name] in kind}
    said = {"tie": "d", f"k = {k} can turn it": "X", "safe": "o"}
    assert legend_of(axes) == [text for text, mark in said.items() if dots(axes, mark)]


def test_labels_are_drawn_as_votes_are() -> None:
    rows = [("a", "1", "cat"), ("a", "2", "cat"), ("a", "3", "cat"), ("b", "1", "cat"), ("b", "2", "dog")]
    labels = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    axes = plots.items(aggregate_labels(labels, k=0), item="task", ax=blank())
    assert names_of(axes) == ["b", "a"]
    assert dots(axes, "do") == {0: 0, 1: 2}


def test_equal_items_are_in_the_order_of_the_table() -> None:
    sheet = pl.DataFrame(
        {"item": list("dacb"), "estimate": 1.0, "range_low": 0.0, "range_high": 2.0, "k": [1, 2, 1, 1]}
    )
    axes = plots.items(sheet, item="item", ax=blank())
    assert names_of(axes) == list("dacb")
    assert legend_of(axes)[1] == "reach of k bribed"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"most": 0}, "most=0: draw 1 to 200"),
        ({"most": 201}, "most=201"),
        ({"most": True}, "most=True"),
        ({"most": "9"}, "most='9'"),
        ({"item": "diver"}, "no column 'diver'"),
        ({"estimate": "mark"}, "no column 'mark'"),
    ],
)
def test_items_that_cannot_be_drawn_are_refused(changed: dict[str, Any], said: str) -> None:
    table = aggregate_scores(score_sheet(3), k=1, item="dive", judges=JUDGES)
    with pytest.raises(ParameterError, match=said):
        plots.items(table, **({"item": "dive"} | changed))
    with pytest.raises(ParameterError, match="there is no column 'flips_needed'"):
        plots.items(score_sheet(3), item="dive")


# Rankings.


SCORES = st.integers(1, 7).flatmap(
    lambda items: st.lists(
        st.lists(st.sampled_from([0, 1, 2, 3, 5, 8, math.nan]), min_size=4, max_size=4), min_size=items, max_size=items
    )
)


@given(SCORES, st.integers(0, 1), st.integers(0, 4))
@example([[5, 5, 5, 5]] * 3, 1, 1)
@example([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]], 1, 0)
@example([[5, 5, 5, 5], [math.nan] * 4, [1, 1, 1, 1]], 1, 2)
def test_a_gap_is_safe_where_nobody_below_can_come_above(scores: list[list[float]], k: int, places: int) -> None:
    found = safe_ranking(np.asarray(scores, dtype=float), k, same_judges=False)
    axes = plots.ranking(found, [f"i{item}" for item in range(len(scores))], places=places, ax=blank())
    order = [int(name.split("i")[1]) for name in names_of(axes)]
    ends = {}
    for item, row in enumerate(scores):
        known = sorted(score for score in row if not math.isnan(score))
        if len(known) > 2 * k:
            windows = [known[start : start + len(known) - 2 * k] for start in (0, k, 2 * k)]
            ends[item] = [sum(window) / len(window) for window in windows]
    assert sorted(order) == sorted(ends)
    estimates = [ends[item][1] for item in order]
    assert estimates == pytest.approx(sorted(estimates, reverse=True))
    # Items without an estimate could be anywhere.
    below_all = math.inf if len(ends) < len(scores) else -math.inf
    safe = [
        place + 0.5
        for place in range(len(order) - 1)
        if min(ends[item][0] for item in order[: place + 1])
        >= max(below_all, *(ends[item][2] for item in order[place + 1 :]))
    ]
    lines = [one for one in axes.collections if hasattr(one, "get_segments")]
    assert [float(ends[0][1]) for one in lines for ends in one.get_segments()] == safe
    unsafe = [place for place in range(len(order) - 1) if ends[order[place]][0] < ends[order[place + 1]][2]]
    bars, overlaps = (bands_of(one) for one in axes.collections if not hasattr(one, "get_segments"))
    assert [(low, high) for _, low, high in bars] == pytest.approx([(ends[item][0], ends[item][2]) for item in order])
    assert [row for row, _, _ in overlaps] == pytest.approx([place + 0.5 for place in unsafe])
    ranks = [int(name.split(".")[0]) for name in names_of(axes)]
    assert ranks == [1 + sum(other > estimate for other in estimates) for estimate in estimates]
    podium: list[Any] = list(axes.patches)
    shown_places = min(places, len(order))
    assert len(podium) == (shown_places > 0)
    if podium:
        assert podium[0].get_y() + podium[0].get_height() == sum(rank <= shown_places for rank in ranks) - 0.5
        title = axes.get_title(loc="right")
        assert title.endswith(
            f"{'is' if shown_places == 1 else 'are'} {'' if found.safe_top(shown_places) else 'not '}safe"
        )
    assert ("safe gap" in legend_of(axes), "order not safe" in legend_of(axes)) == (bool(safe), bool(unsafe))


@given(SCORES, st.integers(0, 1))
def test_a_ranking_with_the_lowest_first_is_the_mirror_image_of_negated_scores(
    scores: list[list[float]], k: int
) -> None:
    sheet = np.asarray(scores, dtype=float)
    names = [f"i{item}" for item in range(len(scores))]
    low = plots.ranking(safe_ranking(sheet, k, better="low"), names, ax=blank())
    mirrored = plots.ranking(safe_ranking(-sheet, k), names, ax=blank())
    assert names_of(low) == names_of(mirrored)
    assert legend_of(low) == legend_of(mirrored)
    shapes, reflected = (
        [bands_of(one) for one in axes.collections if not hasattr(one, "get_segments")] for axes in (low, mirrored)
    )
    for bands, others in zip(shapes, reflected, strict=True):
        assert bands == pytest.approx([(row, -high, -low) for row, low, high in others])
    gaps = [
        [float(ends[0][1]) for one in axes.collections if hasattr(one, "get_segments") for ends in one.get_segments()]
        for axes in (low, mirrored)
    ]
    assert gaps[0] == gaps[1]
    assert (low.get_xlabel(), mirrored.get_xlabel()) == ("Score (the lowest is the best)", "Score")


def test_the_first_places_are_drawn() -> None:
    found = safe_ranking(np.arange(50.0)[:, None] + np.zeros(3), 1)
    axes = plots.ranking(found, range(50), most=4, places=6, ax=blank())
    assert names_of(axes) == ["1. 49", "2. 48", "3. 47", "4. 46"]
    assert axes.get_title(loc="right") == "The first 6 places are safe"
    podium: list[Any] = list(axes.patches)
    assert podium[0].get_y() + podium[0].get_height() == 3.5


def test_a_ranking_of_nothing_says_so() -> None:
    axes = plots.ranking(safe_ranking([[1, 2]], 1), ["one"], ax=blank())
    assert axes.get_title(loc="right") == "No item has an estimate"
    empty = SafeRanking(*(np.array([], dtype=kind) for kind in "dddlll"))
    assert names_of(plots.ranking(empty, [], ax=blank())) == []


def test_rankings_that_cannot_be_drawn_are_refused() -> None:
    found = safe_ranking([[1, 2, 3]], 1)
    for names, options, said in (
        ([], {}, "0 names for 1 items"),
        (["a"], {"places": -1}, "places=-1"),
        (["a"], {"most": 0}, "most=0"),
    ):
        with pytest.raises(ParameterError, match=said):
            plots.ranking(found, names, **options)  # type: ignore[arg-type]


# Sweeps.


def test_a_sweep_counts_what_changes() -> None:
    counts = Counter[str]()
    for task, _, label in vote_sheet().iter_rows():
        counts[task] += label
    axes = plots.sweep(sweep(vote_sheet()), ax=blank())
    changed, changeable, ties, every = (np.asarray(line.get_data()) for line in axes.get_lines())
    flips = [abs(2 * yes - 7) // 2 + 1 for yes in counts.values()]
    assert list(changeable[0]) == [0, 1, 2, 3, 4]
    # Seven votes: with k = 4 nothing is certified; before that an odd number of votes is left, and wins stay.
    assert list(changed[1]) == [0, 0, 0, 0, 40]
    assert list(changeable[1]) == [0, *(sum(needed <= k for needed in flips) for k in (1, 2, 3)), 0]
    assert list(ties[1]) == [0] * 5
    assert set(every[1]) == {40}
    assert legend_of(axes) == ["changed or lost", "k bribed could change it", "tie", "all 40 items"]
    assert axes.get_ylim()[1] > 40


def test_a_sweep_of_scores_counts_other_places() -> None:
    sheet = pl.DataFrame({"dive": ["A", "B"], "j1": [0, 5], "j2": [7, 6], "j3": [9, 5]})
    found = sweep(sheet, kind="scores", item="dive", judges=["j1", "j2", "j3"])
    axes = plots.sweep(found, ax=blank())
    # Means 5.33 and 5.33; middle scores 7 and 5.
    assert list(np.asarray(axes.get_lines()[0].get_data())[1]) == [0, 1, 2]
    assert legend_of(axes) == ["changed or lost", "all 2 items"]


def test_a_long_sweep_has_no_marks_and_one_item_is_one_item() -> None:
    counts = pl.DataFrame({"k": range(41), "changed": [0] * 40 + [1], "changeable": 0, "ties": 0})
    changes = pl.DataFrame({"task": ["t"], "changes_at": [40]})
    found = Sweep(counts, changes, pl.DataFrame(), "votes", tuple(range(41)), n_items=1)
    axes = plots.sweep(found, ax=blank())
    assert {line.get_marker() for line in axes.get_lines()[:3]} == {""}
    assert legend_of(axes)[-1] == "all 1 item"


def test_items_by_groups_are_turned_by_bribes_and_not_by_flips() -> None:
    """On t0 group A has two reports, as many as have to be rewritten, but both are against the decision already."""
    rows = [
        ("t0", name, name[0], label)
        for name, label in zip(["A1", "A2", "B", "C", "D", "E", "F"], "yynnnnn", strict=True)
    ]
    rows += [("t1", name, name[0], label) for name, label in zip(["A1", "A2", "B", "C", "D"], "nnnyy", strict=True)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "vendor", "label"], orient="row")
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"k": 1}, "1 group"),
        ({"price": dict.fromkeys("ABCDEF", 2), "budget": 2.5}, "a budget of 2.5"),
    )
    for more, unit in cases:
        table = aggregate_labels(frame, group="vendor", **more)
        axes = plots.items(table, item="task", ax=blank())
        assert names_of(axes) == ["t1", "t0"]
        assert legend_of(axes) == [f"{unit} can turn it", "safe"]
        price = 1 if "k" in more else 2
        assert (dots(axes, "X"), dots(axes, "o")) == ({0: price}, {1: 2 * price})
