"""Small tables that naive tools get wrong (S01 to S33): scores, on every kind of input."""

from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.io.read import Table
from tests.frames.inputs import EACH_FORM, Columns, Give, check, expecting, lengthen, rows, widen

NO_ANSWER = {"estimate": None, "range_low": None, "range_high": None}
NOT_CERTIFIED = {**NO_ANSWER, "status": "not certified"}


def sheet(*scores: float | str | None) -> dict[str, list[Any]]:
    """One entry of a wide table, judges j1, j2, ..."""
    return {"entry": ["E1"]} | {f"j{i}": [score] for i, score in enumerate(scores, start=1)}


S05 = widen({
    "entry": ["t1"] * 5 + ["t2"] * 3 + ["t3"] * 2,
    "worker": ["a", "b", "c", "d", "e", "a", "b", "c", "a", "b"],
    "score": [1.0, 6.0, 7.0, 7.0, 10.0, 6.0, 7.0, 10.0, 6.0, 10.0],
})  # fmt: skip
S18 = {"entry": ["E1", "E2"], "j1": [4.0, 4.0], "j2": [9.0, 5.0], "j3": [None, 9.0]}
S19 = sheet(6.0, 6.5, 6.0, 7.0, 6.5, 6.0, 6.5, 7.0, 10.0)

SCORES = [
    pytest.param(sheet(2.0, 4.0, 6.0, 7.0, 10.0, 10.0, None, None), {"share": 0.25}, None, [
        {"entry": "E1", "n": 8, "m": 6, "k": 2, "estimate": 6.5, "range_low": 3.0, "range_high": 10.0,
         "dropped_low": "j1; j2", "dropped_high": "j6; j5", "status": "ok"},
    ], id="S02"),
    pytest.param(sheet(0.0, 7.0, 8.0, 8.0, None), {"k": 1}, None, [
        {"entry": "E1", "n": 5, "m": 4, "k": 1, "estimate": 7.5, "range_low": 3.5, "range_high": 8.0,
         "dropped_low": "j1", "dropped_high": "j4", "status": "ok"},
    ], id="S03"),
    pytest.param({"entry": ["E1", "E2"], "j1": [7.0, None], "j2": [8.0, None]}, {"k": 0}, None, [
        {"entry": "E1", "n": 2, "m": 2, "estimate": 7.5, "status": "ok"},
        {"entry": "E2", "n": 2, "m": 0, **NO_ANSWER, "status": "no reports"},
    ], id="S04"),
    pytest.param(S05, {"k": 1}, None, [
        {"entry": "t1", "n": 5, "m": 5, "k": 1, "estimate": 20 / 3, "range_low": 14 / 3, "range_high": 8.0,
         "dropped_low": "a", "dropped_high": "e", "status": "ok"},
        {"entry": "t2", "n": 5, "m": 3, "k": 1, "estimate": 7.0, "range_low": 6.0, "range_high": 10.0,
         "dropped_low": "a", "dropped_high": "c", "status": "ok"},
        {"entry": "t3", "n": 5, "m": 2, "k": 1, **NOT_CERTIFIED},
    ], id="S05"),
    pytest.param(sheet(5.0, 6.0, 9.5, 9.5), {"k": 1}, None, [
        {"entry": "E1", "estimate": 7.75, "range_low": 5.5, "range_high": 9.5,
         "dropped_low": "j1", "dropped_high": "j4"},
    ], id="S17"),
    pytest.param(S18, {"k": 1}, None, [
        {"entry": "E1", "n": 3, "m": 2, "k": 1, **NOT_CERTIFIED},
        {"entry": "E2", "n": 3, "m": 3, "k": 1, "estimate": 5.0, "status": "ok"},
    ], id="S18"),
    pytest.param(S19, {"share": 0.1}, "no protection", [
        {"entry": "E1", "n": 9, "k": 0, "estimate": 41 / 6, "range_low": 41 / 6, "range_high": 41 / 6},
    ], id="S19"),
    pytest.param(S19, {"k": 1}, None, [{"entry": "E1", "k": 1, "estimate": 6.5}], id="S19 k=1"),
    pytest.param(sheet(1.0, 1.0, 1.0, 1e16), {"k": 1}, None, [
        {"entry": "E1", "estimate": 1.0, "range_low": 1.0, "range_high": (1 + 1e16) / 2},
    ], id="S20 b"),
    pytest.param(sheet(4.0, 5.0, 5.0, 6.0, 6.0, 6.0, 7.0), {"k": 1}, None, [
        {"entry": "E1", "estimate": 5.6, "range_low": 5.2, "range_high": 6.0},
    ], id="S22"),
    pytest.param(sheet(4.0, 5.0, 5.0, 6.0, 6.0, 7.0, 7.0), {"k": 1}, None, [
        {"entry": "E1", "estimate": 5.8, "dropped_high": "j7"},
    ], id="S22 bribed"),
    pytest.param(sheet("7,25", "7,50", "9,75"), {"k": 1}, None, [{"entry": "E1", "estimate": 7.5}], id="S23"),
    pytest.param({"entry": [101, 102], "j1": [7, 4], "j2": [8, 5], "j3": [9, 9]}, {"k": 1}, None, [
        {"entry": "101", "n": 3, "estimate": 8.0},
        {"entry": "102", "n": 3, "estimate": 5.0},
    ], id="S26"),
    pytest.param(sheet("absent", "85", "90", "70"), {"k": 1, "missing": ("absent",)}, None, [
        {"entry": "E1", "n": 4, "m": 3, "estimate": 85.0},
    ], id="S27"),
    pytest.param(sheet(1.0, 6.0, 7.0, 7.0, 10.0), {"k": 0}, None, [
        {"entry": "E1", "k": 0, "estimate": 6.2, "range_low": 6.2, "range_high": 6.2, "status": "ok"},
    ], id="S28"),
    pytest.param({"entry": ["E1", "E2"], "j1": [7.0, 4.0]}, {"k": 0}, None, [
        {"entry": "E1", "n": 1, "m": 1, "estimate": 7.0, "range_low": 7.0, "range_high": 7.0},
        {"entry": "E2", "n": 1, "m": 1, "estimate": 4.0},
    ], id="S33"),
    pytest.param({"entry": ["E1", "E2"], "j1": [7.0, 4.0]}, {"k": 1}, None, [
        {"entry": "E1", "n": 1, "m": 1, "k": 1, **NOT_CERTIFIED},
        {"entry": "E2", "n": 1, "m": 1, "k": 1, **NOT_CERTIFIED},
    ], id="S33 k=1"),
    pytest.param(sheet(-1.5, -0.25, -7.0, -0.5), {"k": 1}, None, [
        {"entry": "E1", "estimate": -1.0, "range_low": -4.25, "range_high": -0.375, "dropped_low": "j3"},
    ], id="below zero"),
    pytest.param(sheet(0.1, 0.2, 0.3), {"k": 0, "decimals": 1}, None, [
        {"entry": "E1", "estimate": 0.2},
    ], id="tenths"),
    pytest.param(sheet(2.675), {"k": 0, "decimals": 2}, None, [
        {"entry": "E1", "estimate": 2.68},
    ], id="half up"),
    pytest.param(sheet(-1.0, -0.0, -0.01, 0.0), {"k": 1, "decimals": 2}, None, [
        {"entry": "E1", "estimate": -0.01},
    ], id="away from zero"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "wide"), EACH_FORM, indirect=["read"])
@pytest.mark.parametrize(("marks", "call", "warning", "expected"), SCORES)
def test_scores(
    read: Give, wide: bool, marks: Columns, call: dict[str, Any], warning: str | None, expected: list[Any]
) -> None:
    table = marks if wide else lengthen(marks, "score")
    judges = list(marks)[1:] if wide else None
    with expecting(warning):
        check(bp.aggregate_scores(read(table), **call, item="entry", judges=judges), expected)


def test_s05_without_rows_for_absent_reports(read: Give) -> None:
    marks = lengthen(S05, "score")
    present = [i for i, score in enumerate(marks["score"]) if score is not None]
    found = bp.aggregate_scores(
        read({name: [column[i] for i in present] for name, column in marks.items()}), k=1, item="entry"
    )
    check(found, [
        {"entry": "t1", "n": 5, "m": 5, "estimate": 20 / 3},
        {"entry": "t2", "n": 5, "m": 3, "estimate": 7.0},
        {"entry": "t3", "n": 5, "m": 2, **NOT_CERTIFIED},
    ])  # fmt: skip


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
def test_s20_an_infinite_score_is_refused(read: Give, infinite: float) -> None:
    with pytest.raises(bp.BribeproofError, match=r"(?is)(?=.*inf)(?=.*E1)(?=.*j4)"):
        rows(bp.aggregate_scores(read(lengthen(sheet(5.0, 6.0, 7.0, infinite), "score")), k=1, item="entry"))


def test_s22_the_bribed_result_lies_in_the_range() -> None:
    honest = rows(bp.aggregate_scores(pl.DataFrame(lengthen(sheet(4, 5, 5, 6, 6, 6, 7), "score")), k=1, item="entry"))
    bribed = rows(bp.aggregate_scores(pl.DataFrame(lengthen(sheet(4, 5, 5, 6, 6, 7, 7), "score")), k=1, item="entry"))
    assert honest[0]["range_low"] < honest[0]["estimate"] < bribed[0]["estimate"] < honest[0]["range_high"]


S27 = {"entry": ["E1", "E2"], "j1": ["85%", "80%"], "j2": ["90%", "70%"], "j3": ["absent", "75%"]}


@pytest.mark.parametrize("wide", [False, True], ids=["long", "wide"])
def test_s27_words_in_score_cells(read: Give, *, wide: bool) -> None:
    frame = read(S27 if wide else lengthen(S27, "score"))
    shape: dict[str, Any] = {"judges": ["j1", "j2", "j3"]} if wide else {}
    with pytest.raises(bp.BribeproofError, match=r"(?s)(?=.*E1)(?=.*j3)(?=.*absent)"):
        rows(bp.aggregate_scores(frame, k=1, item="entry", **shape))
    found = bp.aggregate_scores(frame, k=1, item="entry", missing=("absent",), **shape)
    check(found, [{"entry": "E1", "n": 3, "m": 2, **NOT_CERTIFIED}, {"entry": "E2", "m": 3, "status": "ok"}])
    scale = {row["entry"]: row["estimate"] for row in rows(found)}["E2"]
    assert any(scale == pytest.approx(one) for one in (75, 0.75))


def test_repeats_of_scores_are_compared_as_numbers(read: Give) -> None:
    marks = {"entry": ["E1"] * 3, "worker": ["a", "a", "b"], "score": ["7", "7.0", "8"]}
    with pytest.warns(bp.BribeproofWarning, match=r"\b1\b"):
        check(
            bp.aggregate_scores(read(marks), k=0, item="entry"),
            [{"entry": "E1", "n": 2, "m": 2, "estimate": 7.5}],
        )
    with pytest.raises(bp.BribeproofError, match=r"(?s)(?=.*E1)(?=.*\ba\b)"):
        rows(bp.aggregate_scores(read(marks | {"score": ["7", "7.5", "8"]}), k=0, item="entry"))


def test_scores_as_text_and_as_numbers_agree(read: Give) -> None:
    marks = lengthen(sheet(5.0, 6.25, 9.5, 9.75), "score")
    for score in (
        marks["score"],
        [str(value) for value in marks["score"]],
        [f" {v} " for v in marks["score"]],
    ):
        found = bp.aggregate_scores(read(marks | {"score": score}), k=1, item="entry")
        check(found, [{"entry": "E1", "estimate": 7.875, "range_low": 5.625, "range_high": 9.625}])


def test_a_named_decimal_mark(read: Give) -> None:
    marks = read(lengthen(sheet("7,25", "7,5", "9"), "score"))
    check(bp.aggregate_scores(marks, k=1, item="entry", decimal_mark=","), [{"entry": "E1", "estimate": 7.5}])
    with pytest.raises(bp.BribeproofError, match="7,25"):
        rows(bp.aggregate_scores(marks, k=1, item="entry", decimal_mark="."))


def test_a_share_of_each_item(read: Give) -> None:
    marks: Columns = {
        "task": ["t1"] * 4 + ["t2"] * 8,
        "worker": list("abcdabcdefgh"),
        "score": [1.0, 2.0, 4.0, 8.0, 0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 9.0, 30.0],
    }
    check(bp.aggregate_scores(read(marks), share=0.25), [
        {"task": "t1", "n": 8, "m": 4, "k": 2, **NOT_CERTIFIED},
        {"task": "t2", "n": 8, "m": 8, "k": 2, "estimate": 5.0},
    ])  # fmt: skip
    check(bp.aggregate_scores(read(marks), share=0.25, share_of="item"), [
        {"task": "t1", "n": 8, "m": 4, "k": 1, "estimate": 3.0},
        {"task": "t2", "n": 8, "m": 8, "k": 2, "estimate": 5.0},
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("share", "n", "k"), [(0.29, 100, 29), (0.07, 100, 7), (0.3, 10, 3), (0.49, 7, 3), (0.1, 39, 3)]
)
def test_a_share_becomes_a_count_in_exact_arithmetic(share: float, n: int, k: int) -> None:
    marks = pl.DataFrame({"task": ["t"] * n, "worker": [f"w{i}" for i in range(n)], "score": range(n)})
    check(bp.aggregate_scores(marks, share=share), [{"task": "t", "n": n, "m": n, "k": k, "status": "ok"}])


COLUMNS = {
    "scores": [
        "task",
        "n",
        "m",
        "k",
        "estimate",
        "range_low",
        "range_high",
        "dropped_low",
        "dropped_high",
        "status",
    ],
    "votes": [
        "task",
        "n",
        "m",
        "k",
        "positive",
        "estimate",
        "decision",
        "tie",
        "flips_needed",
        "additions_needed",
        "status",
    ],
    "labels": [
        "task",
        "n",
        "m",
        "k",
        "decision",
        "estimate",
        "tie",
        "flips_needed",
        "additions_needed",
        "status",
        "share_0",
        "share_1",
    ],
}


def test_the_columns_and_the_kind_of_the_answer(read: Give) -> None:
    reports: Columns = {
        "task": ["t1"] * 3,
        "worker": ["a", "b", "c"],
        "label": [0, 1, 1],
        "score": [1.0, 2.0, 3.0],
    }
    frame = read(reports)
    answers = {
        "scores": bp.aggregate_scores(frame, k=1),
        "votes": bp.aggregate_votes(frame, k=1),
        "labels": bp.aggregate_labels(frame, k=1),
    }
    native = pl.DataFrame if isinstance(frame, Table) else type(frame)
    assert {name: list(rows(answer)[0]) for name, answer in answers.items()} == COLUMNS
    assert {type(answer) for answer in answers.values()} == {native}


def test_the_optional_columns() -> None:
    frame = pl.DataFrame({"task": ["t1"] * 3, "worker": ["a", "b", "c"], "label": [0, 1, 1]})
    drawn = list(bp.aggregate_labels(frame, k=1, seed=3).columns)
    assert drawn == [*COLUMNS["labels"][:9], "draw", *COLUMNS["labels"][9:]]
    forecast = list(bp.aggregate_votes(frame, k=1, expert=bp.Expert(prior=0.5, tpr=0.9, fpr=0.1)).columns)
    assert forecast == [*COLUMNS["votes"][:10], "forecast", "guarantee", "status"]


def test_a_pandas_index_means_nothing() -> None:
    import pandas as pd

    frame = pd.DataFrame(lengthen(S05, "score"))
    plain = rows(bp.aggregate_scores(frame, k=1, item="entry"))
    frame.index = pd.Index([0] * len(frame), name="entry")
    assert rows(bp.aggregate_scores(frame, k=1, item="entry")) == plain
