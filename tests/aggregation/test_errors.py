"""Bad parameters and bad tables: every refusal is an error of ours, in one line."""

import warnings
from functools import partial
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bribeproof as bp
from tests.frames.inputs import EACH_FRAME, FRAMES, rows

GOOD = {"task": ["t1"] * 3, "worker": ["a", "b", "c"], "label": [1, 0, 1], "score": [1.0, 2.0, 3.0]}
PARAMETERS: list[dict[str, Any]] = [
    {}, {"k": 1, "share": 0.1}, {"k": -1}, {"k": 1.5}, {"k": "1"},
    {"share": -0.1}, {"share": 0.5}, {"share": 10}, {"share": float("nan")}, {"share": "a lot"},
    {"k": 1, "share_of": "crowd"}, {"k": 1, "repeats": "mean"},
    {"k": 1, "item": "entry"}, {"k": 1, "reporter": "judge"},
    {"k": 1, "judges": ["j1"]}, {"k": 1, "judges": []},
]  # fmt: skip


@pytest.mark.parametrize("options", PARAMETERS, ids=str)
@pytest.mark.parametrize("aggregate", [bp.aggregate_scores, bp.aggregate_votes, bp.aggregate_labels])
def test_parameters_out_of_range(aggregate: Any, options: dict[str, Any]) -> None:
    with pytest.raises(bp.BribeproofError) as caught:
        aggregate(pl.DataFrame(GOOD), **options)
    assert "\n" not in str(caught.value)
    if {"item", "reporter"} & set(options) or options.get("judges"):
        assert all(name in str(caught.value) for name in GOOD)


@pytest.mark.parametrize("options", [{"ties": "coin"}, {"ties": "random"}, {"classes": ["x", "x"]}, {"classes": []}])
def test_parameters_of_labels_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(bp.BribeproofError):
        bp.aggregate_labels(pl.DataFrame(GOOD), k=1, **options)


@pytest.mark.parametrize("options", [{"decimals": -1}, {"decimals": 1.5}, {"decimal_mark": ";"}], ids=str)
def test_decimals_and_marks_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(bp.BribeproofError):
        bp.aggregate_scores(pl.DataFrame(GOOD | {"score": ["1", "2", "3"]}), k=1, **options)


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_a_frame_without_rows_is_an_error(kind: str) -> None:
    empty = FRAMES[kind]({name: [] for name in GOOD})
    for aggregate in (bp.aggregate_scores, bp.aggregate_votes, bp.aggregate_labels):
        with pytest.raises(bp.BribeproofError):
            rows(aggregate(empty, k=0))


@pytest.mark.parametrize("frame", [None, 3, "reports.csv", [1, 2], {"task": ["t1"]}], ids=repr)
def test_what_is_no_frame_is_refused(frame: object) -> None:
    with pytest.raises(bp.BribeproofError):
        bp.aggregate_labels(frame, k=0)


junk = (
    st.none()
    | st.floats()
    | st.integers(-(10**20), 10**20)
    | st.booleans()
    | st.text(max_size=4)
    | st.binary(max_size=2)
)


@example([(0.0, 0.0, None), (0.0, 1.0, 8.98846567431158e307)], "pandas-object", {"k": 0})
@example([("t", "a", 1e-300), ("t", "b", 1e300)], "pandas-object", {"k": 0})
@given(
    st.lists(st.tuples(junk, junk, junk), max_size=5),
    st.sampled_from(["pandas-object", "pandas", "polars", "pyarrow"]),
    st.sampled_from([{"k": 0}, {"k": 1}, {"share": 0.3}, {"k": 0, "repeats": "drop"}]),
)
def test_only_our_errors_come_out(reports: list[tuple[Any, Any, Any]], kind: str, options: dict[str, Any]) -> None:
    columns = {name: [row[i] for row in reports] for i, name in enumerate(("task", "worker", "label"))}
    if kind in ("polars", "pyarrow"):
        columns = {name: [None if v is None else str(v) for v in column] for name, column in columns.items()}
    frame = FRAMES[kind](columns)
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes, partial(bp.aggregate_scores, score="label")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", bp.BribeproofWarning)
            try:
                found = rows(aggregate(frame, **options))
            except bp.BribeproofError as error:
                assert "\n" not in str(error)
            else:
                assert all(row["status"] for row in found)
