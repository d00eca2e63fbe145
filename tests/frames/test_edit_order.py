"""The first or the last of several reports is that by a column, such as the time of an edit, on every engine."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof._warnings import record_warnings
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, QUICK, check, expecting, give, rows


def _edits(*times: Any) -> dict[str, list[Any]]:
    """w1 says dog and cat at two times, the last edit first; w2 says dog and w3 cat."""
    return {
        "task": ["t"] * 4,
        "worker": ["w1", "w1", "w2", "w3"],
        "label": ["dog", "cat", "dog", "cat"],
        "updated_at": list(times),
    }


STORED: dict[str, tuple[Any, ...]] = {
    "dates in text": ("2024-03-02", "2024-03-01", "2024-03-01", "2024-03-01"),
    "times in text": ("2024-03-02 09:00:00.5", "2024-03-02T09:00", "", ""),
    "times with zones": ("2024-03-02T09:00:00Z", "2024-03-02 10:30+02:00", "2024-03-02T09:00Z", "2024-03-02T09:00Z"),
    "numbers in text": ("10", "9.5", "1", "1"),
    "whole numbers": (10, 9, 1, 1),
    "floats": (1.5, 1.25, 1.0, None),
    "dates": (date(2024, 3, 2), date(2024, 3, 1), date(2024, 3, 1), None),
    "times": tuple(datetime(2024, 3, 2, 9, minute) for minute in (30, 15, 0, 0)),  # noqa: DTZ001
    "times of a zone": tuple(datetime(2024, 3, 2, 9, minute, tzinfo=UTC) for minute in (30, 15, 0, 0)),
}


EACH_STORED = [
    pytest.param(kind, stored, marks=[*marks, *([pytest.mark.slow] if stored != "times" and kind != "polars" else [])])
    for kind, marks in ((one.values[0], one.marks) for one in EACH_KIND)
    for stored in STORED
]


@pytest.mark.parametrize(("kind", "stored"), EACH_STORED)
def test_the_last_edit_counts_wherever_it_stands(kind: str, stored: str, tmp_path: Path) -> None:
    if kind in ("json", "ndjson") and not all(isinstance(cell, str | int | float | None) for cell in STORED[stored]):
        pytest.skip("JSON has no dates")
    frame = give(kind, _edits(*STORED[stored]), tmp_path)
    said = (
        "1 repeat collapsed: same item and reporter; 1 time the reports differed, settled by the rule 'last', by 'upd"
    )
    with expecting(said):
        check(bp.aggregate_labels(frame, 0, repeats="last", order="updated_at"), [{"m": 3, "decision": "dog"}])
    with expecting("rule 'first', by 'updated_at'"):
        check(bp.aggregate_labels(frame, 0, repeats="first", order="updated_at"), [{"m": 3, "decision": "cat"}])


def test_wide_form_chunks_and_the_command(tmp_path: Path) -> None:
    path = tmp_path / "edits.csv"
    pl.DataFrame(_edits(*STORED["dates in text"])).write_csv(path)
    with bp.scan_table(path, in_memory=8, size=30) as table, expecting("by 'updated_at'"):
        check(bp.aggregate_labels(table, 0, repeats="last", order="updated_at").collect(), [{"decision": "dog"}])
    found = call("aggregate", path, "--k", 0, "--repeats", "last", "--order", "updated_at")
    assert "settled by the rule 'last', by 'updated_at'" in found.err
    assert "dog" in found.out
    wide = pl.DataFrame({"task": ["t", "t"], "at": [2, 1], "a": [7.0, 5.0], "b": [6.0, 6.0]})
    with expecting("1 time the reports differed"):
        result = bp.aggregate_scores(wide, 0, judges=["a", "b"], repeats="last", order="at")
    check(result, [{"m": 2, "estimate": 6.5}])


def test_a_column_that_nobody_would_recognise_is_no_reporter(tmp_path: Path) -> None:
    wide = pl.DataFrame(
        {"entry": ["x", "x", "y"], "Anna": [7.0, 5.0, 1.0], "Boris": [6.0, 6.0, 2.0], "Chen": [2, 1, 3]}
    )
    with expecting("2 repeats collapsed"):
        result = bp.aggregate(wide, k=0, kind="scores", repeats="last", order="Chen")
    check(result.items, [{"n": 2, "estimate": 6.5}, {"n": 2, "estimate": 1.5}])
    assert "order of edits in 'Chen'" in result.notes[0]
    path = tmp_path / "turned.csv"
    path.write_text("judge,at,E1,E2\nAnna,2024-03-02,7,8\nAnna,2024-03-01,5,6\nBoris,2024-03-01,9,4\n")
    found = call("aggregate", path, "--k", 0, "--turned", "--kind", "scores", "--repeats", "last", "--order", "at")
    assert "by 'at'" in found.err
    assert all(mean in found.out.replace(".00", "") for mean in ("8", "6")), found.out


def test_every_function_takes_it() -> None:
    votes = pl.DataFrame(_edits(*STORED["whole numbers"]))
    how: dict[str, Any] = {"repeats": "last", "order": "updated_at"}
    with record_warnings():
        check(bp.aggregate_votes(votes, 0, positive="dog", **how), [{"positive": 2}])
        assert rows(bp.aggregate(votes, k=0, kind="labels", **how).items)[0]["decision"] == "dog"
        assert len(bp.commitment(votes, kind="labels", **how)) == 64
        assert bp.calibrate(votes, {"t": "dog"}, k=0, positive="dog", **how).panel.n == 3
        scores = votes.with_columns(label=pl.Series([3.0, 1.0, 2.0, 2.5]))
        check(bp.aggregate_scores(scores, 0, score="label", **how), [{"estimate": 2.5}])


@pytest.mark.parametrize("kind", ["polars", *(pytest.param(kind, marks=pytest.mark.slow) for kind in QUICK[1:])])
@pytest.mark.parametrize(
    ("times", "reason"),
    [
        (("03/02/2024", "04/02/2024", "", ""), "updated_at' holds '03/02/2024' .*write dates as 2024-03-02"),
        (("2024-13-02", "2024-03-01", "", ""), "holds '2024-13-02'"),
        (("yesterday", "2024-03-01", "", ""), "holds 'yesterday'"),
        (("2024-03-02", "5", "", ""), "mixes what cannot be compared: '2024-03-02' .a date. and '5' .a number."),
        (("2024-03-02 10:00", "2024-03-02 10:00Z", "", ""), "mixes what cannot be compared"),
        (("2024-03-02", "", "", ""), "column 'updated_at' does not say when"),
        (("2024-03-02", "2024-03-02", "", ""), "different reports on item 't' at the same 'updated_at'"),
        (("9", "9.0", "", ""), "different reports on item 't' at the same 'updated_at'"),
    ],
)
def test_what_gives_no_order_is_refused(kind: str, times: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with pytest.raises(bp.DataError, match=reason):
        rows(bp.aggregate_labels(give(kind, _edits(*times), tmp_path), 0, repeats="last", order="updated_at"))


def test_the_order_matters_only_where_reports_differ() -> None:
    votes = _edits("?", "03/02/2024", "", "") | {"label": ["dog", "dog", "dog", "cat"]}
    with expecting("1 repeat collapsed: same item and reporter, same report"):
        check(bp.aggregate_labels(pl.DataFrame(votes), 0, repeats="last", order="updated_at"), [{"m": 3}])


def test_a_tie_is_set_aside_with_other_faulty_reports() -> None:
    votes = pl.DataFrame(_edits("9", "9", "", ""))
    with record_warnings() as messages:
        result = bp.aggregate_labels(votes, 1, repeats="last", order="updated_at", faulty="set aside")
    check(result, [{"m": 2, "set_aside": 1}])
    assert any(message.startswith("set aside, as no honest reporter sends them: 1 answer") for message in messages)


def test_options_that_do_not_fit_are_refused() -> None:
    votes = pl.DataFrame(_edits(1, 2, 3, 4))
    for repeats in ("error", "drop"):
        with pytest.raises(bp.ParameterError, match="order='updated_at' has no effect"):
            bp.aggregate_labels(votes, 0, repeats=repeats, order="updated_at")
    with pytest.raises(bp.ColumnError, match="order='edited': there is no such column"):
        bp.aggregate_labels(votes, 0, repeats="last", order="edited")
    with pytest.raises(bp.ParameterError, match="order='label' is the column of"):
        bp.aggregate_labels(votes, 0, repeats="last", order="label")
    with pytest.raises(bp.DataError, match="an order is dates, times or numbers"):
        bp.aggregate_labels(votes.with_columns(updated_at=True), 0, repeats="last", order="updated_at")


MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))  # noqa: DTZ001


@given(st.lists(MOMENTS, min_size=2, max_size=5, unique=True), st.sampled_from(["T", " "]), st.integers(-14, 14))
@settings(max_examples=20, deadline=None)
def test_written_times_are_compared_as_moments(moments: list[datetime], between: str, hours: int) -> None:
    written = [
        (moment + timedelta(hours=hours * (index % 2))).isoformat(between, "microseconds")
        + f"{'-' if hours * (index % 2) < 0 else '+'}{abs(hours * (index % 2)):02d}:00"
        for index, moment in enumerate(moments)
    ]
    votes = pl.DataFrame({"task": "t", "worker": "w", "label": [str(i) for i in range(len(moments))], "at": written})
    with record_warnings():
        (row,) = rows(bp.aggregate_labels(votes, 0, repeats="last", order="at"))
    assert str(row["decision"]) == str(moments.index(max(moments)))


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=3), min_size=2, max_size=5, unique=True))
@settings(max_examples=20, deadline=None)
def test_written_numbers_are_compared_exactly(numbers: list[Decimal]) -> None:
    votes = pl.DataFrame(
        {
            "task": "t",
            "worker": "w",
            "label": [str(i) for i in range(len(numbers))],
            "at": [f"{one:f}" for one in numbers],
        }
    )
    with record_warnings():
        (row,) = rows(bp.aggregate_labels(votes, 0, repeats="last", order="at"))
    assert str(row["decision"]) == str(numbers.index(max(numbers)))


def test_what_is_set_aside_is_not_said_to_be_settled(recwarn: pytest.WarningsRecorder) -> None:
    edits = pl.DataFrame({
        "task": ["t"] * 6 + ["u"] * 3, "worker": [*"aabbcc", *"aab"], "label": ["x", "y"] * 3 + ["x", "x", "y"],
        "at": [1, 2, 5, 5, 1, 3, 1, 2, 1],
    })  # fmt: skip
    bp.aggregate_labels(edits, k=1, faulty="set aside", repeats="last", order="at")
    said = str(recwarn.pop(bp.BribeproofWarning).message)
    assert said.startswith("3 repeats collapsed: same item and reporter; 2 times the reports differed, settled by")
    bp.aggregate_labels(edits.drop("at"), k=1, faulty="set aside")
    assert "1 repeat collapsed: same item and reporter, same report" in {str(one.message) for one in recwarn}


@pytest.mark.parametrize(
    ("times", "offered"),
    [
        (("2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z"), {"repeats": "last", "order": "created_at"}),
        (("3/1/2026 10:00", "3/2/2026 10:00"), {"repeats": "last"}),
    ],
)
def test_two_reports_of_one_person_raise_a_question_that_can_be_answered(
    times: tuple[str, str], offered: dict[str, str]
) -> None:
    rows = [("t", "a", "cat", times[0], 3.5), ("t", "a", "dog", times[1], 9.0), ("t", "b", "dog", times[1], 1.5)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label", "created_at", "lead_time_sec"], orient="row")
    with pytest.raises(bp.QuestionError) as asked:
        bp.aggregate(frame, k=0)
    options: dict[str, Any] = dict(asked.value.choices[0].options)
    assert options == offered
    with pytest.warns(bp.BribeproofWarning, match="settled by the rule 'last'"):
        assert bp.aggregate(frame, k=0, **options).items["decision"].to_list() == ["dog"]
