"""One function for files and frames: what is recognised, what is asked, and answers like those of the others."""

import functools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.frames.inputs import EACH_KIND, UNORDERED, check_frames, give

SCORES = {"entry": ["E2", "E1"], "j1": ["5", "6"], "j2": ["6", "7"], "j3": ["9.5", "8.5"], "mean": ["6.83", "7.17"]}
LABELS = {
    "task": ["t2"] * 3 + ["t1"] * 3,
    "annotator": ["a", "b", "c"] * 2,
    "label": ["cat", "dog", "dog", "cat", "cat", "cat"],
}
VOTES = LABELS | {"label": ["0", "1", "1", "0", "0", "0"]}
CASES: dict[str, tuple[dict[str, list[str]], Any, dict[str, Any], str]] = {
    "scores": (
        SCORES,
        bp.aggregate_scores,
        {"item": "entry", "judges": ["j1", "j2", "j3"]},
        "read as scores, wide form: items in 'entry', 3 reporters: 'j1', 'j2', 'j3'; left out: 'mean' (a result)",
    ),
    "votes": (
        VOTES,
        bp.aggregate_votes,
        {"reporter": "annotator"},
        "read as votes, long form: items in 'task', reporters in 'annotator', reports in 'label'",
    ),
    "labels": (
        LABELS,
        bp.aggregate_labels,
        {"reporter": "annotator"},
        "read as labels, long form: items in 'task', reporters in 'annotator', reports in 'label'",
    ),
}


@functools.cache
def expected_of(case: str) -> tuple[pl.DataFrame, str]:
    """The answer of the function that is told everything, and the summary of the one that is not, both of polars."""
    columns, function, options, _ = CASES[case]
    frame = pl.DataFrame(columns)
    return function(frame, k=1, **options), bp.aggregate(frame, k=1).summary()


@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame_is_recognised(kind: str, case: str, tmp_path: Path) -> None:
    columns, _, _, note = CASES[case]
    expected, summary = expected_of(case)
    found = bp.aggregate(give(kind, columns, tmp_path), k=1)
    expected = expected.sort(expected.columns[0]) if kind in UNORDERED else expected
    check_frames(kind, [found.items], [expected])
    assert (found.kind, found.k, found.notes[-1]) == (case, 1, note)
    if kind == "pyspark":  # a table that is not in memory is not searched for the same reporters
        unsearched = "What the same one could have changed on all items: bribeproof bribe FILE --k 1."
        summary = re.sub(r"^The same one on all items .*$", unsearched, summary, flags=re.MULTILINE)
    assert found.summary() == summary


@pytest.mark.parametrize("case", list(CASES))
def test_a_path_is_read(case: str, tmp_path: Path) -> None:
    columns, function, options, note = CASES[case]
    path = tmp_path / "reports.csv"
    pl.DataFrame(columns).write_csv(path, separator=";")
    found = bp.aggregate(str(path), share="2/5", share_of="item")
    assert found.items.equals(function(bp.read_table(path), share="2/5", share_of="item", **options))
    assert found.notes == ("delimiter ';'", note)
    assert (found.k, found.share) == (None, "2/5")
    assert "k = 1 (a share of 2/5 of each item)" in found.summary()
    assert repr(bp.aggregate(path, 1, sep=";")) == f"Aggregation(kind={case!r}, k=1, n_items=2)"


def test_a_file_larger_than_memory_is_read_by_its_first_rows(tmp_path: Path) -> None:
    rows = [(f"t{i}", w, "x" if (i + j) % 3 else "y") for i in range(400) for j, w in enumerate("abc")]
    path = tmp_path / "labels.csv"
    labels = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    labels.write_csv(path)
    expected = bp.aggregate(labels, 1)
    with bp.scan_table(path, in_memory=1, size=4096) as table:
        found = bp.aggregate(table, 1)
        assert isinstance(found.items, pl.LazyFrame)
        assert found.items.collect().equals(expected.items)
        same = "What the same one could have changed on all items: bribeproof bribe FILE --k 1."
        counted = next(line for line in expected.summary().splitlines() if line.startswith("The same one"))
        assert found.summary() == expected.summary().replace(counted, same)
    assert found.notes[-1].endswith("rows)")
    lazy = bp.aggregate(labels.lazy(), 1)
    assert lazy.notes == (f"{expected.notes[0]} (by its first 1,000 rows)",)


def test_options_replace_what_is_recognised() -> None:
    sheet = pl.DataFrame({"a": [1, 0], "b": [1, 1], "c": [1, 1], "who": ["x", "y"]})
    as_scores = bp.aggregate(sheet, 1, kind="scores", item="who", judges=["[a-c]"], decimals=1)
    assert as_scores.items["estimate"].to_list() == [1.0, 1.0]
    assert "y (0.0 to 1.0)" in as_scores.summary()
    assert "y (0 to 1)" in replace(as_scores, decimals=None).summary()
    assert bp.aggregate(sheet, 1, item="who", positive=0).kind == "votes"
    known = bp.aggregate(sheet, 1, item="who", expert=bp.Expert(0.5, 0.9, 0.1), loss="absolute")
    assert known.items["guarantee"].null_count() == 0


@pytest.mark.parametrize(
    ("frame", "options", "error", "message"),
    [
        (
            {"task": ["a"], "worker": ["w"], "answer": ["1"], "label": ["2"]},
            {},
            bp.DataError,
            "which column holds the reports",
        ),
        (
            {"x": ["1", "2"], "p": ["1", "2"], "q": ["2", "3"]},
            {},
            bp.DataError,
            "may be scores or labels: use kind='scores'",
        ),
        (LABELS, {"decimals": 1}, bp.ParameterError, "decimals does not apply to labels"),
        (LABELS, {"sep": ";"}, bp.ParameterError, "sep applies to files only, and a data frame was given"),
        (LABELS, {"item": "no"}, bp.ColumnError, "there is no column 'no'"),
        (LABELS, {"k": None}, bp.ParameterError, "either k, a head count"),
    ],
)
def test_what_is_unclear_is_asked(frame: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bp.aggregate(pl.DataFrame(frame), **({"k": 1} | options))
    if "sep" not in options and "k" not in options:
        with pytest.raises(error, match=message):
            bp.aggregate(pl.DataFrame(frame).lazy(), 1, **options)
    with pytest.raises(bp.ParameterError, match="expected a data frame"):
        bp.aggregate([1, 2], 1)


SILENT = "On 1 item reporters who said nothing could have overturned the decision."


@pytest.mark.parametrize(
    ("labels", "options", "said"),
    [
        ("AAABB--", {}, True),
        ("AAABB-------", {}, False),
        ("AAABB-------", {"judges": ["j_*"]}, True),
        ("AAABB-------", {"asked": 6}, True),
        ("AAABB", {}, False),
        ("AAABB-", {"ties": "first"}, False),
        ("AABB--", {}, False),
    ],
)
def test_reporters_who_said_nothing_could_have_overturned(labels: str, options: dict[str, Any], said: bool) -> None:
    """Said of a sheet, of a table that at least half of the reporters filled, and where the number asked is stated."""
    cells = {f"j_{number}": [None if label == "-" else label] for number, label in enumerate(labels)}
    sheet = pl.DataFrame({"task": ["t1"]} | cells)
    if "judges" not in options:
        sheet = sheet.unpivot(index="task", variable_name="worker", value_name="label")
    found = bp.aggregate(sheet, kind="labels", k=1 if "asked" in options else 0, **options)
    assert (SILENT in found.summary()) is said


def test_declared_classes_are_no_scores_whatever_one_reporter_says() -> None:
    votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": ["1", "1", "0", "1", "1.5"]})
    with pytest.warns(bp.BribeproofWarning, match="set aside"):
        found = bp.aggregate(votes, k=1, classes=["0", "1"], faulty="set aside")
    assert (found.kind, found.items["decision"].to_list()) == ("votes", ["1"])
    assert bp.aggregate(votes, k=0, classes=["0", "1", "1.5"]).kind == "labels"
