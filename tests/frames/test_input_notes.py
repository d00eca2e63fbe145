"""What was done to ordinary input is said, alike on every engine: codes, trimmed texts, silent reporters, repeats."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof._warnings import note, record_notes, record_warnings, warn
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, ORDERED, QUICK, check, expecting, give, long, rows

VOTES: dict[str, list[Any]] = {
    "task": ["t"] * 5 + ["u"] * 5,
    "worker": list("abcde") * 2,
    "label": ["cat", " cat", "dog", "absent", None, "dog", "dog ", "cat", "absent", None],
}
"""Two texts are to be trimmed; d and e report nothing."""
SAID = (
    "2 names and reports were trimmed of outer white space, or brought to Unicode form NFC",
    "taken as missing: 'absent' (2 reports)",
    "no report is 'NA': listed as missing, and not found",
    "without any report, and counted in n: 2 reporters: 'd', 'e'",
)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_what_was_done_is_said_on_every_engine(kind: str, tmp_path: Path) -> None:
    result = bp.aggregate(give(kind, VOTES, tmp_path), k=0, kind="labels", missing=("absent", "NA"))
    assert result.notes[-4:] == SAID
    assert [row["m"] for row in rows(result.items)] == [3, 3]


def test_a_large_file_is_described_as_a_small_one(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(VOTES).write_csv(path)
    with bp.scan_table(path, in_memory=8, size=40) as table:
        assert bp.aggregate(table, k=0, kind="labels", missing=("absent", "NA")).notes[-4:] == SAID


def test_the_command_prints_it_as_text_and_json(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(VOTES).write_csv(path)
    arguments = ("aggregate", path, "--k", 0, "--kind", "labels", "--missing", "absent,NA")
    assert [line.removeprefix("note: ") for line in call(*arguments).err.splitlines()][-4:] == list(SAID)
    for sentence in SAID:
        assert sentence in call(*arguments, "--json").out


CODED = [[-1, -1, 1], [-1.0, -1.0, 1.0], ["-1.0", "-1", "1"], ["-1", "-1.00", "1.0"]]
CODES = (-1, -1.0, "-1", "-1.0")


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        pytest.param(kind, values, code, marks=() if kind == "polars" or at == place else pytest.mark.slow)
        for kind in QUICK
        for at, values in enumerate(CODED)
        for place, code in enumerate(CODES)
    ],
)
def test_a_code_that_is_a_number_is_compared_as_a_number(
    kind: str, values: list[Any], code: Any, tmp_path: Path
) -> None:
    frame = give(kind, long(*zip("ttt", "abc", values, strict=True)), tmp_path)
    with record_warnings() as messages:
        check(bp.aggregate_labels(frame, 0, missing=(code,)), [{"m": 1, "share_1": 1.0}])
        check(bp.aggregate_scores(frame, 0, score="label", missing=(code,)), [{"m": 1, "estimate": 1.0}])
    assert all(message.startswith(("taken as missing: ", "without any", "spellings")) for message in messages)


UNUSED = (10**30, 1.5, "absent", float("inf"), "1,0")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        pytest.param(kind, code, marks=() if kind == "polars" or at % len(UNUSED) == place else pytest.mark.slow)
        for at, kind in enumerate(QUICK)
        for place, code in enumerate(UNUSED)
    ],
)
def test_a_code_that_no_report_has_is_said(kind: str, code: Any, tmp_path: Path) -> None:
    frame = give(kind, long(("t", "a", 1), ("t", "b", 0), ("t", "c", 1)), tmp_path)
    with pytest.warns(bp.BribeproofWarning, match="no report is .*: listed as missing, and not found"):
        check(bp.aggregate_votes(frame, 0, missing=code), [{"m": 3, "positive": 2}])
    with pytest.warns(bp.BribeproofWarning, match="no report is .*: listed as missing, and not found"):
        check(bp.aggregate_scores(frame, 0, score="label", missing=[code, None, float("nan")]), [{"m": 3}])


def test_numbers_among_words_are_compared_as_text() -> None:
    votes = pl.DataFrame(long(("t", "a", "-1.0"), ("t", "b", "-1"), ("t", "c", "cat")))
    assert bp.aggregate_labels(votes, 0, missing=("-1",))["m"].to_list() == [2]


@pytest.mark.parametrize("kind", ORDERED)
def test_the_order_of_the_rows_is_said_where_it_decides(kind: str, tmp_path: Path) -> None:
    votes = long(("t", "a", "x"), ("t", "b", "x"), ("t", "a", "y"), ("t", "b", "x"))
    frame = give(kind, votes, tmp_path)
    with expecting(
        "2 repeats collapsed: same item and reporter; 1 time the reports differed, "
        "settled by the rule 'last', by the order of the rows"
    ):
        check(bp.aggregate_labels(frame, 0, repeats="last"), [{"m": 2, "share_x": 0.5}])


def test_spellings_of_one_number_are_said() -> None:
    votes = pl.DataFrame(long(("t", "a", "1"), ("t", "b", "1.0"), ("t", "c", "0")))
    assert bp.aggregate(votes, k=0).notes[-1] == "spellings of one label: '1', '1.0'"


def test_ordinary_input_gets_no_note() -> None:
    votes = pl.DataFrame(long(("t", "a", "x"), ("t", "b", "x"), ("t", "c", None), ("u", "c", "y")))
    with record_warnings() as messages:
        bp.aggregate_labels(votes, 0)
    assert messages == []


def test_notes_go_to_the_innermost_recorder_and_warnings_past_a_recorder_of_notes() -> None:
    note("nobody hears this")
    with record_warnings() as outer:
        with record_notes() as inner:
            note("a note")
            warn("a warning")
        note("another note")
        note("another note")
    assert (inner, outer) == (["a note"], ["a warning", "another note"])
