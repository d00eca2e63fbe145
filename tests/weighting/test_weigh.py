"""Weighted labels: against the table functions, brute force, bribes and the promise that no weight can break."""

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import bribeproof as bp
from tests.frames.inputs import EACH_KIND, FILES, FRAMES, UNORDERED, check_frames, give
from tests.paths import SHARED
from tests.weighting.crowds import COLUMNS, Row, ballots_of, crowd, frame_of

CROWD = SHARED / "data" / "crowd"


@st.composite
def crowds(draw: st.DrawFn, classes: str = "xyz", most: int = 7) -> list[Row]:
    """Reports of up to seven workers on a few items, some missing; each class is there."""
    rows: list[Row] = [("t0", f"w{place}", name) for place, name in enumerate(classes)]
    for task in range(1, draw(st.integers(2, 5))):
        for worker in range(draw(st.integers(1, most))):
            label = draw(st.sampled_from([*classes, None]))
            rows.append((f"t{task}", f"w{worker}", label))
    return rows


# With equal weights it is what the library does already.


@given(crowds(), st.integers(0, 3), st.sampled_from([None, list("xyz"), list("zwxy")]))
def test_without_leeway_it_is_aggregate_labels(rows: list[Row], k: int, classes: list[str] | None) -> None:
    found = bp.weigh(frame_of(rows), k, weight_spread=0.0, classes=classes).items
    expected = bp.aggregate_labels(frame_of(rows), k, classes=classes).drop("additions_needed")
    assert_frame_equal(found.drop("heaviest"), expected, check_exact=False, abs_tol=1e-9)


@given(crowds("01", most=9), st.integers(0, 3), st.sampled_from(["squared", "absolute", "log"]))
def test_without_leeway_it_is_aggregate_votes(rows: list[Row], k: int, loss: str) -> None:
    expert = bp.Expert(0.4, 0.8, 0.1)
    found = bp.weigh(frame_of(rows), k, weight_spread=0.0, expert=expert, loss=loss, positive="1").items
    expected = bp.aggregate_votes(frame_of(rows), k, expert=expert, loss=loss, positive="1")
    names = ["task", "m", "decision", "flips_needed", "forecast", "guarantee", "status"]
    both = found["status"].is_in(["ok", "not certified", "no reports"])
    assert_frame_equal(found.filter(both).select(names), expected.filter(both).select(names), check_exact=False)


@given(crowds(most=4), st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_a_weight_of_three_is_three_reporters(rows: list[Row], weights: list[int]) -> None:
    """Given weights, nobody bribed: the same as so many copies of each reporter."""
    names = sorted({row[1] for row in rows})
    given_weights = dict(zip(names, [1, *weights], strict=False))
    copies = [
        (task, f"{worker}-{copy}", label) for task, worker, label in rows for copy in range(given_weights[worker])
    ]
    found = bp.weigh(frame_of(rows), 0, weights=given_weights, classes=list("xyz")).items
    expected = bp.aggregate_labels(frame_of(copies), 0, classes=list("xyz"))
    names = ["task", "decision", "estimate", "tie", "share_x", "share_y", "share_z"]
    weighed = found.join(expected.select("task"), on="task").filter(pl.col("status") == "ok").select(names)
    kept = expected.join(weighed.select("task"), on="task").select(names)
    assert_frame_equal(weighed, kept, check_exact=False, abs_tol=1e-9, check_row_order=False)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4)), min_size=1, max_size=5), st.booleans())
def test_flips_needed_by_trying_every_rewrite(said: list[tuple[int, int]], unseen: bool) -> None:
    """Labels and weights of one item: all ways to rewrite some of the reports, also to a class that nobody reported."""
    labels, weights = [label for label, _ in said], np.array([weight for _, weight in said], float)
    ballots = ballots_of([(0, reporter, label) for reporter, label in enumerate(labels)], 3)
    spread = weights / weights.sum()
    classes = range(4 if unseen else 3)

    def winners(chosen: tuple[int, ...]) -> set[int]:
        held = [sum(spread[place] for place, label in enumerate(chosen) if label == one) for one in classes]
        return {one for one in classes if held[one] >= max(held) - 1e-9}

    before = winners(tuple(labels))
    rewrites = itertools.product(classes, repeat=len(labels))
    needed = min(sum(map(int.__ne__, chosen, labels)) for chosen in rewrites if winners(chosen) != before)
    assert ballots.flips_needed(spread, unseen=unseen).tolist() == [0 if len(before) > 1 else needed]


def test_flips_needed_where_there_is_one_class() -> None:
    rows = [(0, name, "x") for name in "abcd"]
    for classes in (None, ["x"]):
        found = bp.weigh(frame_of(rows), 1, weight_spread=0.0, classes=classes).items
        expected = bp.aggregate_labels(frame_of(rows), 1, classes=classes).drop("additions_needed")
        assert_frame_equal(found.drop("heaviest"), expected)


# The promise.


@given(st.integers(0, 100_000), st.sampled_from([0.0, 0.3, 0.6, 0.9]), st.sampled_from([1, 2]))
def test_bought_weights_do_not_break_the_promise(seed: int, weight_spread: float, k: int) -> None:
    """Bribed reporters flatter those who err on the items that they want, and lie there; over many items at once."""
    rng = np.random.default_rng(seed)
    items, honest = 60, 7
    truth = rng.integers(2, size=items)
    # Whoever errs, errs together: the correlation that the theory allows and that hurts most.
    wrong = np.zeros((items, honest), bool)
    for task in range(items):
        wrong[task, rng.permutation(honest)[: rng.integers(0, 4)]] = True
    aims = rng.random(items) < 0.5
    favoured = wrong[aims].sum(axis=0).argmax()
    said = truth[:, None] ^ wrong
    bribed = np.where(aims, 1 - truth, said[:, favoured])
    rows = [(task, f"h{worker}", int(said[task, worker])) for task in range(items) for worker in range(honest)]
    rows += [(task, f"b{worker}", int(bribed[task])) for task in range(items) for worker in range(k)]
    rates = [1 - wrong[truth == state].mean() for state in (0, 1)]
    expert = bp.MultiExpert(
        (float((truth == 0).mean()), float((truth == 1).mean())), (float(rates[0]), float(rates[1]))
    )
    answers = bp.weigh(frame_of(rows), k, weight_spread=weight_spread, expert=expert).items.sort("task")
    shares = answers.select("share_0", "share_1").fill_null(0.0).to_numpy()
    met = 1 - shares[np.arange(items), truth].mean()
    assert met <= answers["guarantee"][0] + 1e-9


@pytest.mark.parametrize("weight_spread", [0.0, 0.5])
def test_the_promise_has_two_prices(weight_spread: float) -> None:
    """Theorem A's errors, and twice those at a weight_spread of one half; less where the weights are known before."""
    rows = [(0, f"w{worker}", worker % 2) for worker in range(10)]
    expert = bp.MultiExpert((0.5, 0.5), (0.9, 0.9))
    found = bp.weigh(frame_of(rows), 1, weight_spread=weight_spread, expert=expert).items["guarantee"][0]
    assert found == pytest.approx(0.1 * 9 / 8 / (1 - weight_spread))
    weights = {f"w{worker}": 2 if worker == 0 else 1 for worker in range(10)}
    heavy = bp.weigh(frame_of(rows), 1, weights=weights, expert=expert).items
    assert heavy["heaviest"][0] == pytest.approx(2 / 11)
    assert heavy["guarantee"][0] == pytest.approx(0.1 * (9 / 11) / (7 / 11))
    limited = bp.weigh(frame_of(rows), 1, weights=weights, weight_spread=weight_spread, expert=expert).items
    assert limited["guarantee"][0] == found


def test_one_with_half_of_the_weight_leaves_nothing_to_certify() -> None:
    rows = [(0, "whale", 1), (0, "a", 0), (0, "b", 0)]
    weights = {"whale": 2, "a": 1, "b": 1}
    assert bp.weigh(frame_of(rows), 0, weights=weights).items["status"].to_list() == ["ok"]
    bought = bp.weigh(frame_of(rows), 1, weights=weights, expert=bp.Expert(0.5, 0.9, 0.1)).items.row(0, named=True)
    assert (bought["status"], bought["decision"], bought["forecast"], bought["guarantee"]) == (
        "not certified", None, None, None,
    )  # fmt: skip


def test_an_item_whose_reporters_have_no_weight() -> None:
    rows = [(0, "a", 1), (0, "b", 0), (1, "b", 0)]
    found = bp.weigh(frame_of(rows), 0, weights={"a": 1, "b": 0}).items
    assert found.select("status", "decision").rows() == [("ok", 1), ("not certified", None)]


# Tables of any kind.


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_table_is_weighed_alike(kind: str, tmp_path: Path) -> None:
    rows = crowd(seed=4, items=20)
    columns = {name: [str(row[place]) for row in rows] for place, name in enumerate(COLUMNS)}
    expected = bp.weigh(pl.DataFrame(columns), 1, expert=bp.Expert(0.5, 0.8, 0.2))
    found = bp.weigh(give(kind, columns, tmp_path), 1, expert=bp.Expert(0.5, 0.8, 0.2))
    if kind in UNORDERED:
        expected = replace(expected, items=expected.items.sort("task"))
    check_frames(kind, [found.items, found.reporters], [expected.items, expected.reporters], dtypes=kind not in FILES)
    assert (repr(found), found.summary()) == (repr(expected), expected.summary())


def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    rows = crowd(seed=5, items=30)
    frame_of(rows).write_csv(tmp_path / "votes.csv")
    expected = bp.weigh(bp.read_table(tmp_path / "votes.csv"), 1)
    with bp.scan_table(tmp_path / "votes.csv", in_memory=64) as votes:
        found = bp.weigh(votes, 1)
    assert_frame_equal(found.items, expected.items)
    assert_frame_equal(found.reporters, expected.reporters)


def test_wide_form_and_true_or_false() -> None:
    wide = pl.DataFrame({"task": ["t1", "t2"], "a": [True, False], "b": [True, None], "c": [False, None]})
    found = bp.weigh(wide, 0, judges=["a", "b", "c"]).items
    assert found["decision"].to_list() == [True, False]
    assert found["m"].to_list() == [3, 1]
    assert {"share_True", "share_False"} <= set(found.columns)


def test_nothing_reported_on_an_item() -> None:
    rows: list[Row] = [("t1", "a", "x"), ("t1", "b", "x"), ("t1", "c", "y"), ("t2", "a", None)]
    found = bp.weigh(frame_of(rows), 1, expert=bp.MultiExpert((0.5, 0.5), (0.9, 0.9))).items
    assert found["status"].to_list() == ["ok", "no reports"]
    assert found.row(1, named=True)["guarantee"] is None


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_gold_in_any_frame(kind: str) -> None:
    rows = crowd(seed=6, items=20)
    truth = {task: task % 2 for task in range(0, 20, 2)}
    expected = bp.weigh(frame_of(rows), 1, truth=truth)
    gold = FRAMES[kind]({"task": list(truth), "answer": list(truth.values())})
    found = bp.weigh(frame_of(rows), 1, truth=gold, truth_column="answer")
    assert_frame_equal(found.items, expected.items)


reports_of_any_kind = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abcd"), st.sampled_from(["x", "y", "z", None])),
    max_size=16,
    unique_by=lambda row: row[:2],
)


@given(
    rows=reports_of_any_kind,
    k=st.integers(0, 3),
    weight_spread=st.sampled_from([None, 0.0, 0.5, 0.99]),
    gold=st.dictionaries(st.integers(0, 3), st.sampled_from("xyz"), max_size=3),
    given_weights=st.none() | st.fixed_dictionaries(dict.fromkeys("abcd", st.sampled_from([0, 0.5, 3]))),
)
def test_whatever_comes_in(
    rows: list[Row], k: int, weight_spread: float | None, gold: dict[int, str], given_weights: dict[str, float] | None
) -> None:
    frame = pl.DataFrame(rows, schema={"task": pl.Int64, "worker": pl.String, "label": pl.String}, orient="row")
    expert = bp.MultiExpert((0.5, 0.3, 0.2), (0.9, 0.8, 0.7))
    try:
        found = bp.weigh(
            frame,
            k,
            weight_spread=weight_spread,
            weights=given_weights,
            truth=gold or None,
            classes=list("xyz"),
            expert=expert,
        )
    except bp.BribeproofError:
        return
    shares = ["share_x", "share_y", "share_z"]
    for row in found.items.to_dicts():
        if row["status"] != "ok":
            assert {row[name] for name in [*shares, "decision", "estimate", "flips_needed", "guarantee"]} == {None}
            continue
        held = [row[name] for name in shares]
        assert sum(held) == pytest.approx(1)
        assert min(held) >= 0
        assert 0 <= row["guarantee"] <= 1
        if not row["tie"]:
            assert row["estimate"] == row[f"share_{row['decision']}"] == max(held)
            assert 1 <= row["flips_needed"] <= row["m"]
    assert found.reporters["weight"].is_between(0, 1).all()
    assert found.reporters["reporter"].is_unique().all()


# What is refused.


TWO = frame_of([("t1", "a", "x"), ("t1", "b", "y"), ("t1", "c", "x")])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k": -1}, "cannot be negative"),
        ({"k": 1.5}, "whole number"),
        ({"weight_spread": 1.0}, r"weight_spread=1.0: use a number in \[0, 1\)"),
        ({"weight_spread": float("nan")}, "weight_spread=nan"),
        ({"weight_spread": "half"}, "weight_spread='half'"),
        ({"weights": {"a": 1, "b": 1}}, "no weight for reporter 'c'"),
        ({"weights": {"a": 0, "b": 0, "c": 0}}, "all weights are 0"),
        ({"weights": {"a": -1, "b": 1, "c": 1}}, "no number of at least 0"),
        ({"weights": {"a": "much", "b": 1, "c": 1}}, "no number of at least 0"),
        ({"weights": {"a": float("inf"), "b": 1, "c": 1}}, "no number of at least 0"),
        ({"weights": {"a": 1, "b": 1, "c": 1}, "truth": {"t1": "x"}}, "name the vote that counts as 1"),
        ({"truth": {"t9": "x"}}, "no item has a report and a known truth"),
        ({"truth": {"t1": "fox"}}, r"'t1' is 'fox', which is none of the classes \(x, y\)"),
        ({"expert": bp.MultiExpert((0.5, 0.3, 0.2), (0.9, 0.9, 0.9))}, "knows of 3 classes and there are 2"),
        ({"expert": bp.Expert(0.5, 0.9, 0.1), "positive": "z"}, "none of the votes"),
        ({"expert": 0.9}, "no Expert"),
        ({"weights": [1, 2, 3]}, "a mapping from reporters"),
        ({"label": "score"}, "no column 'score'"),
        ({"loss": "cubic", "expert": bp.Expert(0.5, 0.9, 0.1), "positive": "x"}, "cubic"),
    ],
)
def test_bad_input_is_refused_in_words(options: dict[str, Any], said: str) -> None:
    with pytest.raises(bp.BribeproofError, match=said):
        bp.weigh(TWO, **({"k": 1} | options))


def test_a_voter_of_two_classes_among_three() -> None:
    rows = frame_of([(0, "a", "x"), (0, "b", "y"), (0, "c", "z")])
    with pytest.raises(bp.ParameterError, match=r"knows of 2 classes and there are 3 \(x, y, z\): give a MultiExpert"):
        bp.weigh(rows, 1, expert=bp.Expert(0.5, 0.9, 0.1))


def test_gold_items_of_one_class_still_tell_who_denies_it() -> None:
    """Four of seven lie everywhere; ten gold items are all of class 1, which counts once more as a little of each."""
    rows = [(task, worker, int((task % 2 == 0) ^ (worker in "defg"))) for task in range(100) for worker in "abcdefg"]
    found = bp.weigh(frame_of(rows), 0, truth=dict.fromkeys(range(0, 20, 2), 1))
    assert found.items["decision"].to_list() == [int(task % 2 == 0) for task in range(100)]
    assert set(found.reporters.filter(weight=0)["reporter"]) == set("defg")


def test_a_truth_that_nobody_reported_counts_against_everybody_once_it_is_a_class() -> None:
    rows = [(task, worker, "xy"[(task + (worker == "c")) % 2]) for task in range(40) for worker in "abc"]
    rows += [(99, worker, "x") for worker in "ab"]
    truth = {**{task: "xy"[task % 2] for task in range(10)}, 99: "fox", 100: "owl"}
    people = bp.weigh(frame_of(rows), 0, truth=truth, classes=["x", "y", "fox"]).reporters
    right = dict(people.select("reporter", "right").iter_rows())
    assert right == {"a": pytest.approx(10 / 11), "b": pytest.approx(10 / 11), "c": 0}


def test_a_column_named_like_one_of_the_answers() -> None:
    with pytest.raises(bp.ParameterError, match="rename it"):
        bp.weigh(TWO.rename({"task": "heaviest"}), 1, item="heaviest")


# Real crowds.


@pytest.mark.skipif(not CROWD.exists(), reason="the data packs are not beside the project")
@pytest.mark.parametrize("name", ["rte", "web", "bluebird"])
def test_it_is_worth_it_on_real_crowds(name: str) -> None:
    """Closer to the truth than equal weights, on whole crowds with hundreds of workers of different skill."""
    votes, truth = pl.read_csv(CROWD / f"{name}.csv"), pl.read_csv(CROWD / f"{name}_truth.csv")
    classes = sorted(votes["label"].unique().to_list())
    known = dict(truth.select("task", "label").iter_rows())

    def loss(answers: pl.DataFrame) -> float:
        rows = answers.filter(pl.col("task").is_in(list(known)))
        forecast = rows.select(f"share_{label}" for label in classes).to_numpy()
        right = np.array([[known[task] == label for label in classes] for task in rows["task"]])
        return float(((forecast - right) ** 2).sum(axis=1).mean() / 2)

    equal, weighed = bp.aggregate_labels(votes, 0), bp.weigh(votes, 0).items
    assert loss(weighed) < 0.75 * loss(equal)
    assert Counter(weighed["status"]) == {"ok": len(weighed)}
