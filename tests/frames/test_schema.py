"""The options that describe a frame: what they default to, and what happens when a column does not exist."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.frames.validation import validate_reports

VOTES = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1, 1, 0]})
CALLS: dict[str, Callable[..., Any]] = {
    "scores": lambda frame, **options: bp.aggregate_scores(frame, 1, score="label", **options),
    "votes": lambda frame, **options: bp.aggregate_votes(frame, 1, **options),
    "labels": lambda frame, **options: bp.aggregate_labels(frame, 1, **options),
    "weigh": lambda frame, **options: bp.weigh(frame, 1, **options),
    "audit": lambda frame, **options: bp.audit(frame, 1, kind="labels", **options),
    "sweep": lambda frame, **options: bp.sweep(frame, [0, 1], **options),
    "calibrate": lambda frame, **options: bp.calibrate(frame, {"t": 1}, 1, **options),
    "attack": lambda frame, **options: bp.attack(frame, {"t": 1}, [0, 1], draws=1, **options),
    "corrupt": lambda frame, **options: bp.corrupt(frame, 1, **options),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("option", ["item", "reporter"])
def test_a_missing_column_is_a_key_error_that_lists_the_columns(call: Callable[..., Any], option: str) -> None:
    with pytest.raises(KeyError, match=r"there is no column 'x'; the columns are: 'task', 'worker', 'label'") as caught:
        call(VOTES, **{option: "x"})
    assert isinstance(caught.value, bp.ColumnError)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_other_names_of_columns_change_nothing_else(call: Callable[..., Any]) -> None:
    renamed = VOTES.rename({"task": "item", "worker": "who"})
    found, expected = call(renamed, item="item", reporter="who"), call(VOTES)
    if isinstance(expected, pl.DataFrame):
        assert found.rename({"item": "task", "who": "worker"}, strict=False).equals(expected)


def test_validated_reports_are_no_frame() -> None:
    """Reports that were validated before had been taken, and all options with them ignored."""
    reports = validate_reports(VOTES, ReportSchema(), scores=False)
    with pytest.raises(bp.ParameterError, match="expected a data frame"):
        bp.aggregate_votes(reports, 1)


def test_the_only_other_column_of_a_wide_frame_is_the_item() -> None:
    assert Columns.find(["entry", "a", "b"], ReportSchema(judges=["a", "b"])).item == "entry"
    with pytest.raises(bp.ColumnError):
        Columns.find(["entry", "year", "a", "b"], ReportSchema(judges=["a", "b"]))


def test_scores_without_a_reporter_are_refused_also_where_faulty_ones_are_set_aside() -> None:
    frame = pl.DataFrame({"entry": ["A", "A"], "judge": ["", ""], "score": ["7.5", "nan"]})
    with pytest.raises(bp.errors.DataError, match="the reporter is missing"):
        bp.aggregate(frame, k=0, faulty="set aside", kind="scores")
