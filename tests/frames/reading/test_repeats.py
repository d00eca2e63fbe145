"""Two different reports of one reporter on an item are a question where another column tells them apart."""

import random
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import ConflictError
from tests.cli.command import call

_SCORES = [7.0, 6.0, 7.5, 6.5, 8.0, 7.0, 8.0, 8.5, 8.5, 7.5, 9.0, 8.0]


def sheet(part: str, **columns: Any) -> pl.DataFrame:
    """Two divers, two parts each, three judges."""
    rows = [(diver, number, judge) for diver in "AB" for judge in ("J1", "J2", "J3") for number in ("1", "2")]
    frame = pl.DataFrame(rows, schema=["diver", part, "judge"], orient="row")
    return frame.with_columns(score=pl.Series(_SCORES), **columns)


def asked(frame: pl.DataFrame, **options: Any) -> list[dict[str, Any]]:
    """Return the options between which the question about a frame asks."""
    with pytest.raises(bp.QuestionError, match="more than once, and not the same") as error:
        bp.aggregate(frame, 1, **options)
    for choice in error.value.choices:  # each of them answers the question
        with warnings.catch_warnings(action="ignore", category=bp.BribeproofWarning):
            bp.aggregate(frame, 1, **options | dict(choice.options))
    return [dict(choice.options) for choice in error.value.choices]


def test_a_round_may_be_part_of_the_item() -> None:
    assert asked(sheet("round")) == [{"item": ["diver", "round"]}, {"repeats": "last"}]
    assert asked(sheet("heat").rename({"judge": "rater"}))[0] == {"item": ["diver", "heat"]}


def test_a_criterion_may_be_combined_for_each_judge() -> None:
    combined = {"criteria": "judge first", "criterion": "criterion"}
    assert asked(sheet("criterion")) == [combined, {"item": ["diver", "criterion"]}, {"repeats": "last"}]


def test_the_last_edit_may_count() -> None:
    edits = pl.DataFrame(
        {"task": ["t"] * 4, "worker": ["v", "w", "w", "x"], "label": ["cat", "cat", "dog", "dog"],
         "updated_at": ["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-01"]}
    )  # fmt: skip
    assert asked(edits) == [{"repeats": "last", "order": "updated_at"}, {"repeats": "drop"}]


def test_a_wide_sheet_with_a_row_for_each_round() -> None:
    wide = pl.DataFrame({"skater": ["A", "A", "B", "B"], "segment": ["1", "2", "1", "2"],
                         "J1": [7.0, 8, 6, 5], "J2": [7.5, 8, 6, 5.5], "J3": [7.0, 8.5, 6, 5]})  # fmt: skip
    judges = {"judges": ["J1", "J2", "J3"], "item": "skater"}
    assert asked(wide, **judges) == [{"item": ["skater", "segment"]}, {"repeats": "last"}]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("comment", [f"remark {row}" for row in range(12)]),  # of each row another one
        pl.Series("lane", ["1"] * 12),
        pl.Series("round", ["1", None] * 6),
    ],
)
def test_other_columns_are_no_part_of_the_item(column: pl.Series) -> None:
    with pytest.raises(ConflictError, match="correct it, or say which to keep"):
        bp.aggregate(sheet("_").drop("_").with_columns(column), 1, item="diver", reporter="judge", value="score")


def test_reports_that_agree_raise_no_question() -> None:
    rows = sheet("round").with_columns(score=pl.lit(7.0))
    random.Random(1).shuffle(order := list(range(12)))  # noqa: S311
    with pytest.warns(bp.BribeproofWarning, match="6 repeats collapsed"):
        assert bp.aggregate(rows[order], 1).items["estimate"].to_list() == [7.0, 7.0]


def test_the_command_prints_commands_to_paste(tmp_path: Path) -> None:
    path = tmp_path / "dives.csv"
    sheet("round").write_csv(path)
    assert f"bribeproof sweep {path} --item diver,round\n" in call("sweep", path).refused()
    assert call("sweep", path, "--item", "diver,round").status == 0
