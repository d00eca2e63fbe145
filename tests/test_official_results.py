"""Real sheets with official results, and real crowds with known majority accuracy."""

from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.paths import FIXTURES, SHARED

HALFPIPE = FIXTURES / "halfpipe"
SEATS = [f"J{seat}" for seat in range(1, 10)]
CROWD = SHARED / "data" / "crowd"


def test_halfpipe_final() -> None:
    table = bp.read_table(HALFPIPE / "clean.csv")
    judges = [f"judge_{i}" for i in range(1, 7)]
    found = bp.aggregate_scores(table, k=1, item="run_id", judges=judges, decimals=2)
    official = table.frame["official"].cast(pl.Float64)
    assert found["estimate"].to_list() == official.to_list()
    assert len(official) == 24


def test_halfpipe_excluded_judges_are_those_that_the_notes_name() -> None:
    lines = (HALFPIPE / "raw.csv").read_text(encoding="utf-8").split("\n")
    table = bp.read_table(HALFPIPE / "clean.csv")
    judges = [f"judge_{i}" for i in range(1, 7)]
    found = bp.aggregate_scores(table, k=1, item="run_id", judges=judges)
    marks = {row["run_id"]: [row[judge] for judge in judges] for row in table.frame.iter_rows(named=True)}
    for run, low, high in found.select("run_id", "dropped_low", "dropped_high").iter_rows():
        rider, number = run.split("-")
        line = next(line for line in lines if line.startswith(f"{rider},") and line.split(",")[3] == number)
        noted = {int(word) for word in line.split("Judge ")[1].split(" excluded")[0].split(" and ")}
        ours = {int(name.removeprefix("judge_")) for name in (low, high)}
        # Equal marks leave open which of the judges is named: the marks that are dropped must be the same.
        assert sorted(marks[run][i - 1] for i in noted) == sorted(marks[run][i - 1] for i in ours)


def test_raw_halfpipe_file_is_refused_at_its_first_broken_line() -> None:
    with pytest.raises(bp.FileError, match=r"line 9: 23 fields where the header has 24"):
        bp.read_table(HALFPIPE / "raw.csv")


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("missing", "right"), [((0.0,), 8630), ((), 8590)])
def test_skating_panel_scores(missing: tuple[float, ...], right: int, *, wide: bool) -> None:
    sheet = pl.read_parquet(FIXTURES / "skating" / "component_marks.parquet")
    marks = sheet if wide else sheet.unpivot(SEATS, index="aspect_id", variable_name="judge", value_name="score")
    columns: dict[str, Any] = {"judges": SEATS} if wide else {"reporter": "judge", "score": "score"}
    found = bp.aggregate_scores(marks, k=1, item="aspect_id", missing=missing, decimals=2, **columns)
    joined = found.join(sheet, on="aspect_id")
    assert joined.height == 8630
    assert (joined["estimate"] == joined["scores_of_panel"]).sum() == right


# Accuracy of the majority vote as published with the sets; a tie counts the share of its leaders that are right.
MAJORITY = {"bluebird": 0.7593, "dog": 0.8222, "rte": 0.8969, "trec": 0.6514, "web": 0.7307}


@pytest.mark.skipif(not CROWD.is_dir(), reason="the crowds are not beside the project")
@pytest.mark.parametrize(("name", "accuracy"), MAJORITY.items())
def test_decisions_at_k_0_are_the_majority(name: str, accuracy: float) -> None:
    votes = bp.read_table(CROWD / f"{name}.csv").frame
    truth = dict(bp.read_table(CROWD / f"{name}_truth.csv").frame.iter_rows())
    found = bp.aggregate_labels(votes, k=0)
    shares = [column for column in found.columns if column.startswith("share_")]
    right = Fraction(0)
    for row in found.filter(pl.col("task").is_in(list(truth))).iter_rows(named=True):
        top = max(row[column] for column in shares)
        leaders = [column.removeprefix("share_") for column in shares if row[column] == top]
        assert row["tie"] == (len(leaders) > 1)
        assert row["decision"] == (leaders[0] if len(leaders) == 1 else None)
        right += Fraction(leaders.count(truth[row["task"]]), len(leaders))
    assert round(float(right / len(truth)), 4) == accuracy
