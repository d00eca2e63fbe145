"""Lies in arrays and frames: honest reports, types and other columns stay as they were."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import bribeproof as bp
from bribeproof._validation import random_generator
from bribeproof.attacks.corrupt import corrupt, draw
from bribeproof.attacks.strategies import STRATEGIES
from tests.frames.inputs import FRAMES

if TYPE_CHECKING:
    from collections.abc import Callable
from tests.attacks.sheets import EXPERT, NAN, OF_SCORES, VOTES, long_of


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


def test_integers_and_booleans_stay_what_they_are() -> None:
    for dtype in (np.int8, np.uint16, np.bool_, np.float32):
        found = corrupt(np.array([[1, 1, 1], [0, 0, 0]], dtype), adversaries=[1])
        assert found.dtype == dtype
        assert found.astype(int).tolist() == [[1, 0, 1], [0, 1, 0]]
    assert_array_equal(corrupt([[1, 1, NAN], [0, NAN, 0]], adversaries=[1, 2]), [[1, 0, NAN], [0, NAN, 1]])


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
