"""Bribed reporters: every strategy by hand or by trying all lies, honest reports untouched, and what rules lose."""

from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import polars.testing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import bribeproof as bp
from bribeproof._validation import random_generator
from bribeproof.attacks.corrupt import corrupt, draw
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.score_rules import _ranks
from bribeproof.attacks.strategies import STRATEGIES
from bribeproof.attacks.study import attack
from bribeproof.frames.adversary_count import count_of
from tests.budgets import examples
from tests.frames.inputs import EACH_KIND, FRAMES, check_frames, give

if TYPE_CHECKING:
    from collections.abc import Callable

NAN = np.nan
LABELS = [[0, 0, 2, 1, 2], [1, 1, 1, 0, 0], [2, 1, 1, 0, NAN]]
SCORES = [[1.0, 2.0, 3.0, 9.0], [8.0, 9.0, 7.0, 5.0], [5.0, 5.0, NAN, 4.0]]
OF_SCORES = tuple(name for name in STRATEGIES if name not in ("close", "worst"))
EXPERT = bp.Expert(0.4, 0.8, 0.2)


@pytest.mark.parametrize(
    ("strategy", "options", "last_two"),
    [
        # Honest: (0, 0, 2), (1, 1, 1), (2, 1, 1).
        ("opposite", {}, [[1, 1], [0, 0], [0, NAN]]),
        ("opposite", {"answer_all": True}, [[1, 1], [0, 0], [0, 0]]),
        ("high", {}, [[2, 2], [2, 2], [2, NAN]]),
        ("low", {}, [[0, 0], [0, 0], [0, NAN]]),
        ("copy", {"copy": 0}, [[0, 0], [1, 1], [2, NAN]]),
        ("collude", {}, [[2, 2], [0, 0], [2, NAN]]),
        ("collude", {"truth": [2, NAN, 0]}, [[0, 0], [0, 0], [1, NAN]]),
        ("close", {}, [[2, 2], [0, 0], [0, NAN]]),
        ("sleeper", {"gold_items": [0]}, [[1, 2], [0, 0], [0, NAN]]),
        ("sleeper", {"truth": [NAN, 1, 1]}, [[1, 1], [0, 0], [0, NAN]]),
    ],
)
def test_labels_by_hand(strategy: str, options: dict[str, Any], last_two: list[list[float]]) -> None:
    found = corrupt(LABELS, adversaries=[4, 3], strategy=strategy, kind="labels", **options)
    assert_array_equal(found[:, 3:], last_two)
    assert_array_equal(found[:, :3], np.array(LABELS)[:, :3])


@pytest.mark.parametrize(
    ("strategy", "options", "last"),
    [
        ("opposite", {}, [10, 0, 10]),
        ("collude", {"truth": [9, 9, NAN]}, [0, 0, 10]),
        ("high", {}, [10, 10, 10]),
        ("low", {}, [0, 0, 0]),
        ("copy", {"copy": 2}, [3, 7, 4]),
        ("sleeper", {"gold_items": [1]}, [10, 5, 10]),
        ("low", {"scale": None}, [1, 1, 1]),
        ("high", {"scale": None}, [9, 9, 9]),
    ],
)
def test_scores_by_hand(strategy: str, options: dict[str, Any], last: list[float]) -> None:
    found = corrupt(SCORES, adversaries=[3], strategy=strategy, kind="scores", **({"scale": (0, 10)} | options))
    assert found[:, 3].tolist() == last
    assert_array_equal(found[:, :3], np.array(SCORES)[:, :3])


def winner(labels: Any, classes: int) -> int | None:
    """The class with strictly the most reports."""
    votes = np.bincount(np.asarray([label for label in labels if label == label], int), minlength=classes)
    return int(votes.argmax()) if (votes == votes.max()).sum() == 1 else None


@given(st.data())
def test_close_turns_every_item_that_can_be_turned_and_no_other(data: st.DataObject) -> None:
    classes, liars = data.draw(st.integers(2, 3)), data.draw(st.integers(1, 3))
    cells = st.sampled_from([*map(float, range(classes)), NAN])
    sheet = data.draw(arrays(float, (3, liars + data.draw(st.integers(0, 4))), elements=cells))
    found = corrupt(sheet, adversaries=range(liars), strategy="close", kind="labels", classes=range(classes))
    for before, after in zip(sheet, found, strict=True):
        counted = np.bincount(before[~np.isnan(before)].astype(int), minlength=classes)
        wins = int(counted.argmax())
        lying = np.flatnonzero(~np.isnan(before[:liars]))
        others = []
        for lies in product(range(classes), repeat=len(lying)):
            tried = before.copy()
            tried[lying] = lies
            others.append(winner(tried, classes) not in (None, wins))
        if any(others):
            assert winner(after, classes) not in (None, wins)
        else:
            assert_array_equal(before, after)


@given(st.data())
def test_worst_attains_the_exact_worst_case(data: st.DataObject) -> None:
    """Items in the proportions of the worst structure cost what `worst_case` says, also where rules fall."""
    n = data.draw(st.integers(2, 6))
    k = data.draw(st.integers(1, (n - 1) // 2)) if n > 2 else 0
    share = st.floats(0.02, 0.98)
    prior, low, high = data.draw(share), *sorted((data.draw(share), data.draw(share)))
    rule = bp.theory.Aggregator(data.draw(arrays(float, n + 1, elements=st.floats(0, 1))))
    loss = data.draw(st.sampled_from(["absolute", "squared"]))
    worst = bp.theory.worst_case(rule, bp.Panel(n, k), bp.Expert(prior, high, low), loss)
    cases = [
        (state, count, mass * weight)
        for state, mass, scenario in ((1, prior, worst.given_1), (0, 1 - prior, worst.given_0))
        for count, weight in zip(scenario.truthful, scenario.weights, strict=True)
    ]
    sheet = [[int(j < count) for j in range(n - k)] + [0] * k for _, count, _ in cases]
    truth = [state for state, _, _ in cases]
    found = corrupt(sheet, adversaries=range(n - k, n), strategy="worst", truth=truth, rule=lambda _: rule, loss=loss)
    costs = bp.theory.get_loss(loss).value(rule(found.sum(axis=1)), np.array(truth))
    assert float(costs @ [mass for _, _, mass in cases]) == pytest.approx(worst.expected_loss, abs=1e-12)
    ends = [bp.theory.get_loss(loss).value(rule.values, state) for state in (0, 1)]
    for (state, count, _), cost in zip(cases, costs, strict=True):
        assert cost == max(ends[state][count : count + k + 1])


def test_worst_against_the_optimal_rule_lies_with_the_truth() -> None:
    sheet = [[1, 1, 1, 1, 0], [0, 0, 0, 0, 1], [1, 0, 1, 0, 1]]
    found = corrupt(sheet, adversaries=[3, 4], strategy="worst", truth=[1, 0, 0], expert=EXPERT)
    assert found[:, 3:].tolist() == [[0, 0], [1, 1], [1, 1]]


def long_of(sheet: Any, value: str = "label") -> dict[str, list[Any]]:
    """Long form with names whose order is that of the rows and columns; missing cells are no rows."""
    cells = [(i, j) for i, row in enumerate(sheet) for j, said in enumerate(row) if said == said]
    return {
        "task": [f"t{i:02}" for i, _ in cells],
        "worker": [f"w{j:02}" for _, j in cells],
        value: [sheet[i][j] for i, j in cells],
    }


def answers(frame: Any, value: str = "label") -> dict[tuple[str, str], Any]:
    """What everyone says, by item and reporter."""
    if hasattr(frame, "to_pylist"):  # a table of pyarrow
        frame = pl.DataFrame(pl.from_arrow(frame))
    rows = zip(*(frame[name].to_list() for name in ("task", "worker", value)), strict=True)
    return {(task, worker): said for task, worker, said in rows}


@st.composite
def attacked(draw_: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """A sheet of any kind in which every class occurs, and options that fit."""
    kind = draw_(st.sampled_from(["votes", "labels", "scores"]))
    items, n = draw_(st.integers(3, 6)), draw_(st.integers(3, 6))
    top = {"votes": 1, "labels": 2, "scores": 9}[kind]
    cells = st.sampled_from([*map(float, range(top + 1)), NAN])
    sheet = draw_(arrays(float, (items, n), elements=cells))
    # Every item, every reporter and every class is there.
    sheet[:, 0], sheet[0, :] = np.arange(items) % (top + 1), np.arange(n) % (top + 1)
    strategy = draw_(st.sampled_from(OF_SCORES if kind == "scores" else STRATEGIES))
    if strategy == "worst" and kind == "labels":
        strategy = "opposite"
    options: dict[str, Any] = {"kind": kind, "strategy": strategy, "k": draw_(st.integers(0, n - 1))}
    options |= {"seed": draw_(st.integers(0, 99)), "answer_all": draw_(st.booleans())}
    if strategy == "worst":
        options["expert"] = EXPERT
    return sheet, options


@given(attacked(), st.randoms(use_true_random=False))
def test_array_and_frame_agree_whatever_the_order_of_rows(given_: tuple[Any, dict[str, Any]], random: Any) -> None:
    sheet, options = given_
    value = "score" if options["kind"] == "scores" else "label"
    copied: dict[str, Any] = {"copy": 1} if options["strategy"] == "copy" else {}
    truth: list[Any] = [NAN] * len(sheet)
    truth[0] = 1.0
    before = sheet.copy()
    found = corrupt(sheet, truth=truth, **copied, **options)
    assert_array_equal(sheet, before)
    assert_array_equal(found, corrupt(sheet, truth=truth, **copied, **options))
    liars = [
        int(j) for j in draw(sheet.shape[1], options["k"], random_generator(options["seed"]), 1 if copied else None)
    ]
    honest = [j for j in range(sheet.shape[1]) if j not in liars]
    assert_array_equal(found[:, honest], sheet[:, honest])
    if not options["answer_all"]:
        assert_array_equal(np.isnan(found), np.isnan(sheet))
    named: dict[str, Any] = {"copy": "w01"} if copied else {}
    frame = pl.DataFrame(long_of(sheet, value)).sample(fraction=1, shuffle=True, seed=random.randrange(99))
    lied = corrupt(frame, truth={"t00": 1}, **named, **options)
    assert lied.columns == frame.columns
    assert answers(lied, value) == answers(pl.DataFrame(long_of(found, value)), value)
    if lied.height == frame.height:
        assert lied.drop(value).equals(frame.drop(value))


@given(attacked(), st.sampled_from([[-7, 2, 40], [0.5, 1, 3]]))
def test_other_names_in_the_same_class_order_change_nothing_else(given_: tuple[Any, Any], names: list[float]) -> None:
    sheet, options = given_
    if options["kind"] != "labels" or options["strategy"] == "copy":
        return
    named = np.where(np.isnan(sheet), NAN, np.array(names)[np.nan_to_num(sheet).astype(int)])
    found = corrupt(sheet, **options)
    expected = np.where(np.isnan(found), NAN, np.array(names)[np.nan_to_num(found).astype(int)])
    assert_array_equal(corrupt(named, **options), expected)


@given(arrays(int, (5, 7), elements=st.integers(0, 1)), st.sampled_from(["opposite", "collude", "close", "worst"]))
def test_swapping_the_two_votes_swaps_the_lies(sheet: Any, strategy: str) -> None:
    """With five honest voters nothing is tied; the rule that is hurt treats both sides alike."""
    options: dict[str, Any] = {"strategy": strategy, "adversaries": [2, 5]}
    if strategy == "worst":
        options["rule"] = bp.rules.trimmed_mean
    assert_array_equal(corrupt(1 - sheet, **options), 1 - corrupt(sheet, **options))


@pytest.mark.parametrize("kind", ["polars", "polars-enum", "pandas", "pandas-category", "pyarrow", "file"])
@pytest.mark.parametrize("answer_all", [False, True])
def test_frames_keep_their_kind_types_and_other_columns(kind: str, answer_all: bool, tmp_path: Path) -> None:
    columns = long_of([["x", "x", "y"], ["y", "y", "y"], ["x", NAN, NAN]]) | {"note": list("abcdefg")}
    expected = answers(columns_of := pl.DataFrame(columns)) | {("t00", "w02"): "y", ("t01", "w02"): "x"}
    if answer_all:
        expected |= {("t02", "w02"): "y"}
    make: dict[str, Callable[[], Any]] = {
        "polars": lambda: columns_of,
        "polars-enum": lambda: columns_of.with_columns(pl.col("label").cast(pl.Enum(["x", "y"]))),
        "pandas": lambda: FRAMES["pandas"](columns).set_axis(list("gfedcba")),
        "pandas-category": lambda: FRAMES["pandas"](columns).astype({"label": "category"}),
        "pyarrow": lambda: FRAMES["pyarrow"](columns),
        "file": lambda: bp.read_table(_written(columns_of, tmp_path)),
    }
    frame = make[kind]()
    found = corrupt(frame, adversaries=["w02"], positive="y", answer_all=answer_all)
    assert answers(found) == expected
    if kind != "file":
        assert type(found) is type(frame)
        assert answers(frame) == answers(columns_of)
    if kind.startswith("pandas"):
        assert (found.dtypes == frame.dtypes).all()
        assert found.index[:7].tolist() == frame.index.tolist()
        assert found["note"].tolist()[:7] == columns["note"]
    if isinstance(frame, pl.DataFrame):
        assert found.schema == frame.schema
        assert found["note"].to_list() == columns["note"] + [None] * answer_all


def _written(frame: pl.DataFrame, folder: Path) -> Path:
    frame.write_csv(folder / "votes.csv")
    return folder / "votes.csv"


def test_adversaries_of_a_seed_are_nested_and_drawn_from_sorted_names() -> None:
    sheets = [corrupt(np.zeros((1, 9), int), k=k, strategy="high", seed=3)[0] for k in range(10)]
    assert [int(sheet.sum()) for sheet in sheets] == list(range(10))
    assert all((fewer <= more).all() for fewer, more in pairwise(sheets))
    others = {tuple(corrupt(np.zeros((1, 9), int), k=4, strategy="high", seed=seed)[0]) for seed in range(30)}
    assert len(others) > 15
    assert 2 not in {int(j) for seed in range(50) for j in draw(4, 3, random_generator(seed), copied=2)}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kind", ["votes", "labels", "scores"])
@pytest.mark.parametrize("shape", [(0, 3), (2, 3)])
def test_sheets_with_nothing_or_one_class_in_them(strategy: str, kind: str, shape: tuple[int, int]) -> None:
    if (kind == "scores" and strategy not in OF_SCORES) or (kind == "labels" and strategy == "worst"):
        return
    options: dict[str, Any] = {"copy": 0} if strategy == "copy" else {}
    options |= {"expert": EXPERT} if strategy == "worst" else {}
    classes = [0] if kind == "labels" else None
    sheet = np.zeros(shape)
    for k in (0, 2):
        found = corrupt(sheet, k=k, strategy=strategy, kind=kind, classes=classes, **options)
        assert found.shape == shape
        assert kind != "labels" or (found == 0).all()
        assert k or (found == sheet).all()


def test_integers_and_booleans_stay_what_they_are() -> None:
    for dtype in (np.int8, np.uint16, np.bool_, np.float32):
        found = corrupt(np.array([[1, 1, 1], [0, 0, 0]], dtype), adversaries=[1])
        assert found.dtype == dtype
        assert found.astype(int).tolist() == [[1, 0, 1], [0, 1, 0]]
    assert_array_equal(corrupt([[1, 1, NAN], [0, NAN, 0]], adversaries=[1, 2]), [[1, 0, NAN], [0, NAN, 1]])


def test_random_lies_take_every_class_alike() -> None:
    found = corrupt(np.zeros((4000, 2), int), adversaries=[1], strategy="random", kind="labels", classes=[0, 1, 2])
    assert np.abs(np.bincount(found[:, 1]) - 4000 / 3).max() < 5 * (4000 * 2 / 9) ** 0.5
    scores = corrupt(np.zeros((4000, 2)), adversaries=[1], strategy="random", kind="scores", scale=(-1, 3))
    assert abs(scores[:, 1].mean() - 1) < 5 * (16 / 12 / 4000) ** 0.5
    assert scores[:, 1].min() < -0.9
    assert scores[:, 1].max() > 2.9


VOTES = pl.DataFrame(long_of([["1", "0", "1"], ["0", "0", "1"]]))
MARKS = VOTES.select("task", "worker", score=pl.col("label").cast(pl.Float64))


@pytest.mark.parametrize(
    ("reports", "options", "reason"),
    [
        (VOTES, {}, "say who is bribed"),
        (VOTES, {"k": 1, "adversaries": ["w00"]}, "say who is bribed"),
        (VOTES, {"k": -1}, "cannot be negative"),
        (VOTES, {"k": 4}, "only 3 reporters"),
        (VOTES, {"k": 3, "strategy": "copy", "copy": "w00"}, "only 2 reporters"),
        (VOTES, {"k": 1, "strategy": "bribe"}, "strategy='bribe': use one of"),
        (VOTES, {"k": 1, "kind": "ranks"}, "kind='ranks'"),
        (VOTES, {"k": 1, "strategy": "copy"}, "strategy='copy' needs copy=..."),
        (VOTES, {"k": 1, "copy": "w00"}, "goes with strategy='copy'"),
        (VOTES, {"adversaries": ["w00"], "strategy": "copy", "copy": "w00"}, "cannot be an adversary"),
        (VOTES, {"adversaries": ["w9"]}, "there is no reporter 'w9'"),
        (VOTES, {"k": 1, "strategy": "worst"}, "needs the rule to hurt"),
        (VOTES, {"k": 1, "strategy": "worst", "expert": EXPERT, "rule": bp.rules.mean}, "give one of them"),
        (VOTES, {"k": 1, "strategy": "worst", "expert": 0.5}, "is no Expert"),
        (VOTES, {"k": 1, "strategy": "worst", "rule": [0, 1]}, "give a function of the panel"),
        (
            VOTES,
            {"k": 1, "strategy": "worst", "rule": lambda _: bp.theory.Aggregator(np.array([0, 1.0]))},
            "is one for 1",
        ),
        (VOTES, {"k": 1, "gold_items": ["t9"]}, "gold item 't9' has no report"),
        (VOTES, {"k": 1, "seed": 1.5}, "a seed is a whole number"),
        (VOTES, {"k": 1, "truth": {"t00": "7"}}, "is '7', which is none of the classes"),
        (VOTES, {"k": 1, "value": "vote"}, "no column 'vote'"),
        (MARKS, {"k": 1, "kind": "scores", "truth": {"t00": "good"}}, "is 'good', which is no finite number"),
        (MARKS, {"k": 1, "kind": "scores", "truth": {"t00": "inf"}}, "is 'inf', which is no finite number"),
        (MARKS, {"k": 1, "kind": "scores", "truth": {"t00": "1_0"}}, "is '1_0', which is no finite number"),
        (VOTES.lazy(), {"k": 1}, "only a frame in memory"),
        (pl.concat([VOTES, VOTES.head(1)]), {"k": 1}, "several rows for one item"),
        (VOTES.filter(pl.col("label") == "1"), {"k": 1}, "which no report of the frame holds"),
        ([[0, 1], [1, 2]], {"k": 1}, "votes are 0, 1 or NaN"),
        ([[0, 1], [1, 2]], {"k": 1, "kind": "labels", "classes": [0, 1]}, "label 2 is none of the classes"),
        ([[0, 1]], {"k": 1, "kind": "labels", "classes": [0, 1, 1]}, "each once"),
        ([[0, 1]], {"k": 1, "kind": "labels", "classes": ["x"]}, "classes are numbers"),
        ([[NAN, NAN]], {"k": 1, "kind": "labels"}, "no label at all"),
        (VOTES.with_columns(label=pl.lit(None, pl.String)), {"k": 1, "kind": "labels"}, "no label at all"),
        ([[0, 1]], {"k": 1, "truth": [3]}, "truth 3 is none of the classes"),
        ([[0, 1]], {"k": 1, "truth": [0, 1]}, "one value for each of the 1 items"),
        ([[0, 1]], {"k": 1, "gold_items": [1]}, "gold item 1"),
        ([[0, 1]], {"k": 1, "positive": 2}, "positive=2"),
        ([0, 1], {"k": 1}, "two axes"),
        ([["a", "b"]], {"k": 1}, "no array of numbers"),
        ([[0, 1]], {"adversaries": [2]}, "columns, 0 to 1"),
        ([[0, 1, 2]], {"k": 1, "kind": "labels", "strategy": "worst", "expert": EXPERT}, "needs votes"),
        ([[0.5, 1]], {"k": 1, "kind": "scores", "strategy": "close"}, "does not apply to scores"),
        ([[0.5, 1]], {"k": 1, "kind": "scores", "scale": (1, 0)}, "scale=(1, 0)"),
        ([[0.5, 1]], {"k": 1, "kind": "scores", "scale": (0, 0.7)}, "there are scores from 0.5 to 1"),
        ([[0.5, np.inf]], {"k": 1, "kind": "scores"}, "infinite"),
    ],
)
@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
def test_what_cannot_be_corrupted(reports: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError) as caught:
        corrupt(reports, **options)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def crowd(kind: str) -> tuple[pl.DataFrame, dict[str, int]]:
    """Forty items with five to nine reports each by reporters of several skills, and the truth of thirty."""
    rng = np.random.default_rng(5)
    classes = 2 if kind == "votes" else 4
    truth = rng.integers(classes, size=40)
    rows = [
        (f"t{i:02}", f"w{j}", int(truth[i]) if rng.random() < 0.5 + j / 30 else int(rng.integers(classes)))
        for i in range(40)
        for j in range(9)
        if j < 5 or (i + j) % 3
    ]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    return frame.sample(fraction=1, shuffle=True, seed=1), {f"t{i:02}": int(truth[i]) for i in range(30)}


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        ("votes", "close"),
        ("votes", "worst"),
        pytest.param("votes", "sleeper", marks=pytest.mark.slow),
        ("labels", "collude"),
        pytest.param("labels", "random", marks=pytest.mark.slow),
    ],
)
def test_curves_are_what_the_table_functions_say_of_corrupted_frames(kind: str, strategy: str) -> None:
    frame, truth = crowd(kind)
    counts, seeds = [0, 3], [2, 3]
    expert = EXPERT if kind == "votes" else None
    gold = [f"t{i:02}" for i in range(15)]
    found = attack(
        frame,
        truth,
        counts,
        strategy=strategy,
        kind=kind,
        draws=2,
        seed=2,
        expert=expert,
        gold_items=gold,
        weighed=True,
    )
    assert (found.n_reporters, found.n_items, found.n_known) == (9, 40, 30)
    options: dict[str, Any] = {"strategy": strategy, "kind": kind, "truth": truth, "expert": expert, "gold_items": gold}
    lied = {(count, seed): corrupt(frame, count, seed=seed, **options) for count in counts for seed in seeds}
    answered = {
        (one, k): aggregated(frame if one is None else lied[one], kind, k)
        for k in found.curves["k"].unique()
        for one in (None, *lied)
    }
    classes = frame["label"].n_unique()
    known = {task: truth[task] for task in gold}
    weighed = {
        (one, k): list(
            bp.weigh(frame if one is None else lied[one], k, truth=known, classes=range(classes)).items.to_dicts()
        )
        for one, k in answered
    }
    for row in found.curves.iter_rows(named=True):
        name = row["rule"].split(",")[0]
        if name in ("majority", "plurality", "calibrated rule"):  # tests/attacks/test_calibrated_rule.py on the last
            continue
        runs = []
        for one in ((row["adversaries"], seed) for seed in seeds):
            now, before = (
                forecasts(weighed[case, row["k"]], "labels", name, classes)
                if name == "weighed"
                else forecasts(answered[case, row["k"]], kind, name, classes)
                for case in (one, None)
            )
            runs.append(measures(now, before, truth, name))
        for index, measure in enumerate(("squared_loss", "absolute_loss", "accuracy", "changed")):
            values = np.array([run[index] for run in runs])
            assert row[measure] == pytest.approx(values.mean(), abs=1e-9), (row, measure)
            assert row[f"{measure}_sd"] == pytest.approx(values.std(ddof=1), abs=1e-7)
        certified = (frame["task"].value_counts()["count"] > 2 * row["k"]).mean()
        assert row["certified"] == pytest.approx(certified)


def aggregated(frame: pl.DataFrame, kind: str, k: int) -> list[dict[str, Any]]:
    """What the public table functions say."""
    result = bp.aggregate_votes(frame, k, expert=EXPERT) if kind == "votes" else bp.aggregate_labels(frame, k)
    return list(result.iter_rows(named=True))


def forecasts(rows: list[dict[str, Any]], kind: str, rule: str, classes: int) -> dict[str, list[float]]:
    """The forecast of each class for each item; all alike where there is none."""
    if kind == "votes":
        ones = {row["task"]: row["forecast" if rule == "worst-case rule" else "estimate"] for row in rows}
        return {task: [0.5, 0.5] if one is None else [1 - one, one] for task, one in ones.items()}
    shares = {row["task"]: [row[f"share_{c}"] for c in range(classes)] for row in rows}
    return {task: [1 / classes] * classes if None in known else known for task, known in shares.items()}


def measures(now: dict[str, Any], before: dict[str, Any], truth: dict[str, int], rule: str) -> tuple[float, ...]:
    """Losses, accuracy and changed decisions, item by item."""
    wrong = [1 - now[task][state] for task, state in truth.items()]
    if rule == "random dictator":
        # The draw follows one ticket per item: it changes with the probability that moved.
        moved = [sum(abs(a - b) for a, b in zip(now[task], before[task], strict=True)) / 2 for task in now]
        return float(np.mean(wrong)), float(np.mean(wrong)), 1 - float(np.mean(wrong)), float(np.mean(moved))
    squared = [sum((p - (c == state)) ** 2 for c, p in enumerate(now[task])) / 2 for task, state in truth.items()]
    best = {task: {c for c, p in enumerate(shares) if p > max(shares) - 1e-12} for task, shares in now.items()}
    old = {task: {c for c, p in enumerate(shares) if p > max(shares) - 1e-12} for task, shares in before.items()}
    right = [(state in best[task]) / len(best[task]) for task, state in truth.items()]
    changed = [best[task] != old[task] and not (len(best[task]) > 1 and len(old[task]) > 1) for task in now]
    return float(np.mean(squared)), float(np.mean(wrong)), float(np.mean(right)), float(np.mean(changed))


@pytest.fixture(scope="module")
def expected() -> AttackCurves:
    """The curves of the votes as a frame of polars."""
    return attack(*crowd("votes"), [2], strategy="random", draws=2)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame_is_attacked_alike(kind: str, expected: AttackCurves, tmp_path: Path) -> None:
    frame, truth = crowd("votes")
    found = attack(give(kind, frame.to_dict(as_series=False), tmp_path), truth, [2], strategy="random", draws=2)
    check_frames(kind, [found.curves], [expected.curves])
    assert (repr(found), found.summary()) == (repr(expected), expected.summary())


def test_ties_up_to_rounding_are_ties() -> None:
    """Four voters and an expert who is as good on both sides: two against two leaves the optimal rule at 1/2."""
    frame = pl.DataFrame(long_of([[1, 1, 0, 0], [1, 1, 1, 0]]))
    for tpr in (0.6, 0.7, 0.8, 0.9):
        found = attack(frame, {"t00": 1}, counts=[0], ks=[0, 1], draws=1, expert=bp.Expert(0.5, tpr, 1 - tpr)).curves
        assert found.filter(pl.col("rule").str.starts_with("worst-case rule"))["accuracy"].to_list() == [0.5, 0.5]


def test_majority_and_given_ks() -> None:
    frame = pl.DataFrame(long_of([[1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 0, 0, NAN]]))
    found = attack(frame, {"t00": 1, "t01": 0, "t02": 1}, [0, 5], strategy="low", ks=[1, 2], draws=1)
    assert found.curves["rule"].unique(maintain_order=True).to_list() == [
        "calibrated rule, k = 1", "calibrated rule, k = 2", "mean", "majority", "trimmed mean, k = 1",
        "trimmed mean, k = 2", "random dictator, k = 1", "random dictator, k = 2",
    ]  # fmt: skip
    majority = found.curves.filter(pl.col("rule") == "majority")
    assert majority["absolute_loss"].to_list() == pytest.approx([1 / 6, 2 / 3])
    assert majority["accuracy"].to_list() == pytest.approx([5 / 6, 1 / 3])
    assert majority["changed"].to_list() == pytest.approx([0, 2 / 3])
    assert majority["accuracy_sd"].to_list() == [None, None]
    assert found.curves.filter(pl.col("k") == 2)["certified"].to_list() == pytest.approx([2 / 3] * 6)


def test_the_trimmed_mean_bears_what_it_was_made_for() -> None:
    """Nine voters who all know the truth, k of them bribed: dropping k of each side leaves the truth alone."""
    truth = {f"t{i:02}": i % 2 for i in range(30)}
    frame = pl.DataFrame(long_of([[i % 2] * 9 for i in range(30)]))
    found = attack(frame, truth, counts=[0, 2, 4], draws=4).curves
    assumed = {rule: rows["k"].to_list() for (rule,), rows in found.group_by("rule")}
    assert (assumed["trimmed mean"], assumed["mean"]) == ([0, 2, 4], [0, 0, 0])
    assert (assumed["random dictator, k/2"], assumed["trimmed mean, 2k"]) == ([0, 1, 2], [0, 4, 8])
    assert found.filter(pl.col("rule") == "trimmed mean")["squared_loss"].to_list() == [0, 0, 0]
    means = found.filter(pl.col("rule") == "mean")["squared_loss"].to_list()
    assert means == pytest.approx([0, (2 / 9) ** 2, (4 / 9) ** 2])


def test_weights_see_through_colluders_with_gold_items_alone() -> None:
    """Seven voters of whom four collude outnumber the honest; ten gold items tell who is who."""
    truth = {f"t{i:02}": (i * i // 3) % 2 for i in range(60)}
    frame = pl.DataFrame(long_of([[state] * 7 for state in truth.values()]))
    blind, knowing = (
        attack(frame, truth, [0, 4], strategy="collude", ks=[0], draws=2, gold_items=gold, weighed=True).curves.filter(
            pl.col("rule") == "weighed, k = 0"
        )
        for gold in (None, list(truth)[:10])
    )
    assert blind["accuracy"].to_list() == [1, 0]
    assert blind["changed"].to_list() == [0, 1]
    assert knowing["accuracy"].to_list() == [1, 1]
    assert knowing["certified"].to_list() == [1, 1]


@pytest.mark.parametrize("strategy", ["worst", "opposite", "sleeper"])
def test_which_vote_counts_as_one_does_not_matter(strategy: str) -> None:
    """The same votes told the other way round: the optimal rule forecasts, and is hurt, as much."""
    frame, truth = crowd("votes")
    ones, zeros = (
        attack(
            frame,
            truth,
            [0, 2],
            strategy=strategy,
            draws=3,
            gold_items=["t00", "t33"],
            expert=expert,
            positive=positive,
        )
        for positive, expert in ((1, bp.Expert(0.3, 0.8, 0.1)), (0, bp.Expert(0.7, 0.9, 0.2)))
    )
    pl.testing.assert_frame_equal(ones.curves, zeros.curves, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("truth", "options", "reason"),
    [
        ({"t9": 1}, {}, "no item has a report and a known truth"),
        ({"t00": 1}, {"kind": "marks"}, "use one of votes, labels, scores"),
        ({"t00": 1}, {"kind": "scores", "expert": EXPERT}, "does not apply to scores"),
        ({"t00": 1}, {"kind": "scores", "weighed": True}, "is for votes and labels"),
        (None, {}, "no item has a report and a known truth"),
        ({"t00": 1}, {"counts": [1], "shares": [0.1]}, "give one of them"),
        ({"t00": 1}, {"shares": [1.5]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": ["half"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": 0.5}, "give a list of shares"),
        ({"t00": 1}, {"shares": []}, "give a list of shares"),
        ({"t00": 1}, {"shares": ["1e-400000000"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": ["1/0"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"kind": "labels", "expert": EXPERT}, "does not apply to labels"),
        ({"t00": 1}, {"counts": []}, "list of head counts"),
        ({"t00": 1}, {"counts": 2}, "list of head counts"),
        ({"t00": 1}, {"ks": "12"}, "list of head counts"),
        ({"t00": 1}, {"draws": 1.5}, "how many draws"),
        ({"t00": 1}, {"counts": [1, 1]}, "each once"),
        ({"t00": 1}, {"counts": [4]}, "only 3 reporters"),
        ({"t00": 1}, {"counts": [-1]}, "cannot be negative"),
        ({"t00": 1}, {"draws": 0}, "how many draws"),
        ({"t00": 1}, {"seed": -1}, "a seed is a whole number"),
        ({"t00": 1}, {"ks": [0.5]}, "head count"),
        ({"t00": 1}, {"strategy": "worst"}, "needs the rule to hurt"),
        ({"t00": 1}, {"strategy": "sleeper"}, "needs gold_items"),
        ({"t00": 1}, {"copy": "w7", "strategy": "copy"}, "no reporter 'w7'"),
    ],
)
def test_what_cannot_be_attacked(truth: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError) as caught:
        attack(VOTES, truth, **options)
    assert reason in str(caught.value)


def by_hand(scores: list[float], rule: str, k: int) -> float:
    """The estimate of one item, written out."""
    ordered = sorted(scores)
    if rule.startswith("trimmed") and len(ordered) > 2 * k:
        kept = ordered[k : len(ordered) - k]
        return sum(kept) / len(kept)
    middle = [ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]]
    return sum(ordered) / len(ordered) if rule == "mean" else sum(middle) / 2


@settings(max_examples=examples(0.25))
@given(data=st.data())
@pytest.mark.parametrize("with_truth", [True, False])
def test_score_curves_by_hand(with_truth: bool, data: st.DataObject) -> None:
    """Every number of a small sheet in plain Python, from the frames that `corrupt` gives."""
    marks = st.sampled_from([0.0, 2.5, 4.0, 5.5, 7.0, 10.0])
    rows = [("t0", f"w{place}", data.draw(marks)) for place in range(5)]
    for task in range(1, data.draw(st.integers(2, 4))):
        rows += [(f"t{task}", f"w{place}", data.draw(marks)) for place in range(5) if data.draw(st.booleans())]
        rows.append((f"t{task}", "w5", data.draw(marks)))
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    items = frame["task"].unique().sort().to_list()
    truth = {item: data.draw(marks) for item in items} if with_truth else None
    found = attack(frame, truth, [0, 1, 2], strategy="low", kind="scores", draws=1, seed=3, scale=(0, 10))
    assert found.n_known == (len(items) if with_truth else 0)

    def sheet(of: pl.DataFrame) -> dict[str, list[float]]:
        return {item: of.filter(task=item)["score"].to_list() for item in items}

    honest = sheet(frame)
    aim = truth or {item: sum(scores) / len(scores) for item, scores in honest.items()}
    for row in found.curves.iter_rows(named=True):
        options: dict[str, Any] = {"kind": "scores", "strategy": "low", "scale": (0, 10), "seed": 3}
        bribed = sheet(corrupt(frame, row["adversaries"], **options))
        now, before = (
            {item: by_hand(scores, row["rule"], row["k"]) for item, scores in of.items()} for of in (bribed, honest)
        )
        errors = [now[item] - aim[item] for item in items]
        places = [[sum(other > one + 1e-9 for other in of.values()) for one in of.values()] for of in (now, before)]
        assert row["squared_loss"] == pytest.approx(sum(error**2 for error in errors) / len(items))
        assert row["absolute_loss"] == pytest.approx(sum(map(abs, errors)) / len(items))
        assert row["changed"] == pytest.approx(sum(map(int.__ne__, *places)) / len(items))
        assert row["certified"] == pytest.approx(sum(len(one) > 2 * row["k"] for one in bribed.values()) / len(items))
        assert row["accuracy"] is None


def test_what_stands_in_for_the_truth_is_unknown_to_liars() -> None:
    """All scores have the mean 4, those of the honest 6: without a truth, colluders go to the end far from theirs."""
    scores = {"a": 6.0, "b": 6.0, "c": 0.0}
    rows = [("t", name, score) for name, score in scores.items()]
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    seed = next(
        seed
        for seed in range(100)
        if corrupt(frame, 1, kind="scores", strategy="high", scale=(0, 10), seed=seed)["score"].to_list() == [6, 6, 10]
    )
    found = attack(frame, None, [1], strategy="collude", kind="scores", draws=1, seed=seed, scale=(0, 10))
    assert found.curves.filter(rule="mean")["squared_loss"].item() == 0
    told = attack(frame, {"t": 4}, [1], strategy="collude", kind="scores", draws=1, seed=seed, scale=(0, 10))
    assert told.curves.filter(rule="mean")["squared_loss"].item() == pytest.approx((22 / 3 - 4) ** 2)


def test_shares_are_counts_of_heads() -> None:
    rows = [(f"t{i}", f"w{j}", (i + j) % 2) for i in range(8) for j in range(10)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    truth = {f"t{i}": i % 2 for i in range(8)}
    by_share = attack(frame, truth, shares=[0, "0.29", "1/2"], draws=3)
    assert by_share.curves.equals(attack(frame, truth, counts=[0, 2, 5], draws=3).curves)
    assert attack(frame, truth, shares=[0, 0.01, 0.1], draws=3).curves["adversaries"].unique().to_list() == [0, 1]
    assert corrupt(frame, share=0.29, seed=5).equals(corrupt(frame, 2, seed=5))
    assert corrupt(frame, share=1, seed=5).equals(corrupt(frame, adversaries=[f"w{j}" for j in range(10)]))
    assert corrupt(frame, share=0).equals(frame)
    for options in ({}, {"k": 1, "share": 0.1}, {"share": 0.1, "adversaries": ["w1"]}, {"share": -0.1}):
        with pytest.raises(bp.ParameterError):
            corrupt(frame, **options)


def test_places_that_differ_by_rounding_alone_are_equal() -> None:
    """Means of .1 and .7 and of .4 and .4: equal marks, not the same bits."""
    rows = [("t0", "a", 0.1), ("t0", "b", 0.7), ("t1", "a", 0.4), ("t1", "b", 0.4), ("t2", "a", 0.9), ("t2", "c", 0.2)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    sheet = frame.pivot("worker", index="task", values="score").select("a", "b", "c").to_numpy()
    assert _ranks(np.nanmean(sheet, axis=1)).tolist() == [2, 2, 1]
    assert _ranks(np.array([np.nan, 3.0])).tolist() == [0, 1]
    assert _ranks(np.zeros(2)).tolist() == [1, 1]


@given(st.floats() | st.text(max_size=8) | st.decimals() | st.fractions() | st.none(), st.integers(0, 1000))
def test_any_share_is_a_head_count_or_refused(share: Any, reporters: int) -> None:
    try:
        count = count_of(share, reporters)
    except bp.ParameterError:
        return
    exact = Fraction(str(share))
    assert 0 <= exact <= 1
    assert count <= exact * reporters < count + 1


def test_a_masked_truth_is_unknown() -> None:
    """What was under the mask was taken for the truth."""
    votes = np.random.default_rng(3).integers(0, 2, (30, 5))
    truth = np.where(np.arange(30) % 3, votes[:, 0].astype(float), np.nan)
    hidden = np.ma.array(np.nan_to_num(truth, nan=1.0), mask=np.isnan(truth))
    lies = [corrupt(votes, 1, kind="votes", truth=one, strategy="collude", seed=4) for one in (truth, hidden)]
    assert_array_equal(*lies)
