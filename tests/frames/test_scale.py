"""Scores off the scale: listed, or set aside like every report that no honest reporter sends."""

import math
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof import DataError, ParameterError
from bribeproof._warnings import record_warnings
from tests.budgets import examples
from tests.cli.command import call, column, put
from tests.frames.inputs import EACH_KIND, FILES, UNORDERED, check, give, lengthen, rows

SHEET: dict[str, list[Any]] = {
    "entry": ["E1", "E2", "E3"],
    "j1": [7.0, -0.25, 5.0],
    "j2": [75.0, 0.0, 10.0],
    "j3": [8.0, 3.5, None],
    "j4": [7.5, 3.0, 6.0],
    "j5": [7.25, 4.0, 10.25],
}
JUDGES = ["j1", "j2", "j3", "j4", "j5"]
OFF = [("j2", "E1", "75"), ("j1", "E2", "-0.25"), ("j5", "E3", "10.25")]
OFFER = "--faulty set-aside"


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_score_off_the_scale_is_listed(kind: str, wide: bool, tmp_path: Path) -> None:
    table = give(kind, SHEET if wide else lengthen(SHEET, "score"), tmp_path)
    where: dict[str, Any] = {"item": "entry", "judges": JUDGES} if wide else {"item": "entry"}
    with pytest.raises(DataError) as stopped:
        bp.aggregate_scores(table, 1, scale=(0, 10), **where)
    said = str(stopped.value)
    assert said.startswith("3 scores are off the scale from 0 to 10: ")
    found = re.findall(r"(\S+) of reporter '(\w+)' on item '(\w+)'", said)
    assert [(reporter, item, score) for score, reporter, item in found] == OFF
    places = re.findall(r"(line|record|row) ([0-9]+)", said)
    assert len(places) == (0 if kind in UNORDERED else 3)
    if kind == "csv" and wide:
        assert places == [("line", "2"), ("line", "3"), ("line", "4")]
    assert OFFER in said
    assert rows(bp.aggregate_scores(table, 1, scale=(-1, 75), **where)) == rows(bp.aggregate_scores(table, 1, **where))


@pytest.mark.parametrize("kind", EACH_KIND)
def test_who_is_off_the_scale_counts_as_bribed(kind: str, tmp_path: Path) -> None:
    """With k = 1 the others are honest where one report is set aside, so that nothing more is dropped."""
    options: dict[str, Any] = {"item": "entry", "judges": JUDGES, "faulty": "set aside"}
    with pytest.warns(bp.BribeproofWarning, match=r"3 answers of 3 reporters: j1 \(1\), j2 \(1\), j5 \(1\)"):
        found = bp.aggregate_scores(give(kind, SHEET, tmp_path), 1, scale=(0, 10), **options)
    check(found, [
        {"entry": "E1", "m": 4, "set_aside": 1, "estimate": 7.4375, "status": "ok"},
        {"entry": "E2", "m": 4, "set_aside": 1, "estimate": 2.625, "status": "ok"},
        {"entry": "E3", "m": 3, "set_aside": 1, "estimate": 7.0, "status": "ok"},
    ])  # fmt: skip


@settings(max_examples=examples(0.1))
@given(st.data())
def test_off_the_scale_is_as_good_as_infinite(data: st.DataObject) -> None:
    marks = st.sampled_from([None, 0.0, 3.0, 5.0, 10.0, 10.25, -1.0])
    sheet: dict[str, list[Any]] = {"entry": ["a", "b", "c"]}
    sheet |= {name: data.draw(st.lists(marks, min_size=3, max_size=3)) for name in JUDGES}
    marked = {
        name: [math.inf if isinstance(cell, float) and not 0 <= cell <= 10 else cell for cell in cells]
        for name, cells in sheet.items()
    }
    given_to = data.draw(st.sampled_from([None, 5]))
    options: dict[str, Any] = {"k": data.draw(st.integers(0, 2)), "judges": JUDGES, "asked": given_to}
    options |= {"item": "entry", "faulty": "set aside"}
    schema = dict.fromkeys(JUDGES, pl.Float64)
    found, expected = (pl.DataFrame(one, schema_overrides=schema) for one in (sheet, marked))
    with record_warnings() as heard:
        left = bp.aggregate_scores(found, scale=(0, 10), **options)
    with record_warnings() as heard_of_infinite:
        right = bp.aggregate_scores(expected, **options)
    assert left.equals(right)
    assert heard == heard_of_infinite


def test_ten_are_listed_and_the_others_counted() -> None:
    sheet = pl.DataFrame({"entry": range(1234), "j1": [11] * 1234})
    with pytest.raises(DataError) as stopped:
        bp.aggregate_scores(sheet, 0, item="entry", judges=["j1"], scale=(0, 10))
    assert str(stopped.value).count("of reporter") == 10
    assert "1,234 scores are off the scale" in str(stopped.value)
    assert "on item 9; and 1,224 more." in str(stopped.value)


def test_what_is_missing_is_not_off_the_scale(tmp_path: Path) -> None:
    sheet = pl.DataFrame({"entry": ["E1"], "j1": [7], "j2": [99], "j3": [8], "j4": [9]})
    found = bp.aggregate(sheet, 1, kind="scores", scale=(0, 10), missing=(99,))
    assert found.items["m"].to_list() == [3]
    path = put(tmp_path / "sheet.csv", "entry;j1;j2;j3\nE1;10;10,0;0\nE2;-1;-1;1\n")
    options = ("--k", 1, "--kind", "scores", "--decimal", ",")
    assert column(path, "estimate", *options, "--scale", "-1,10") == [10.0, -1.0]
    refused = call("aggregate", path, *options, "--scale", "0,10").refused()
    assert "2 scores are off the scale from 0 to 10: line 3: -1 of reporter 'j1' on item 'E2'; line 3: -1" in refused
    assert "off the scale" in call("sweep", path, "--kind", "scores", "--scale", "0,10").refused()
    assert call("sweep", path, "--kind", "scores", "--scale", "0,10", "--faulty", "set-aside").status == 0


@pytest.mark.parametrize(
    "scale",
    [(10, 0), (3, 3), (0, math.nan), (0, math.inf), (0, 10**400), (1,), (0, 5, 10), (), "0,10", ("0", "10"), 5, {0, 10},
     (True, 5), (0, None), np.array([[0, 1], [2, 3]])],
    ids=str,
)  # fmt: skip
def test_a_scale_is_two_numbers_in_order(scale: Any) -> None:
    sheet = pl.DataFrame({"entry": ["E1"], "j1": [7.0], "j2": [6.0], "j3": [8.0]})
    calls: list[Any] = [
        lambda: bp.aggregate(sheet, 1, kind="scores", scale=scale),
        lambda: bp.aggregate_scores(sheet, 1, item="entry", judges=["j1", "j2", "j3"], scale=scale),
        lambda: bp.sweep(sheet, kind="scores", item="entry", judges=["j1", "j2", "j3"], scale=scale),
    ]
    for called in calls:
        with pytest.raises(ParameterError, match="scale"):
            called()


def test_a_scale_is_of_scores(tmp_path: Path) -> None:
    votes = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1, 1, 0]})
    for kind in ("votes", "labels"):
        for call_with in (partial(bp.aggregate, votes, 1), partial(bp.sweep, votes)):
            with pytest.raises(ParameterError, match=f"scale does not apply to {kind}"):
                call_with(kind=kind, scale=(0, 1))
    path = put(tmp_path / "votes.csv", votes.write_csv())
    commands: list[tuple[Any, ...]] = [("aggregate", path, "--k", 1), ("sweep", path)]
    for words in commands:
        assert "--scale does not apply to votes" in call(*words, "--scale", "0,1").refused()
        for wrong in ("10,0", "nan,1", "0", "a,b", "0,1,2", "1_0,20"):
            said = call(*words, "--kind", "scores", "--scale", wrong).refused()
            assert "give the lowest and the highest score, such as 0,10" in said


@pytest.mark.parametrize("kind", FILES)
def test_large_tables_list_them_too(kind: str, tmp_path: Path) -> None:
    long = lengthen(SHEET, "score")
    path = tmp_path / f"table.{kind}"
    bp.write_table(pl.DataFrame(long), path)
    with bp.scan_table(path, in_memory=1, size=4096) as table, pytest.raises(DataError) as stopped:
        bp.aggregate_scores(table, 1, item="entry", scale=(0, 10))
    assert str(stopped.value).count("of reporter") == 3
